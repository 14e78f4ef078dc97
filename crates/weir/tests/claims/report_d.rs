//! The plans of report D over figures near to the report's, each with every claim turned over.

use super::exchanged::{can_fail, verdicts};
use super::figures::{Figures, World};

/// An RPC server with so many requests per second, in 3 s, for so much CPU time.
fn rpc(rate: f64, cpu: f64) -> Figures {
    Figures {
        cpu: [cpu, 1.0],
        ..Figures::closed(50.0, rate, 3.0)
    }
}

/// Under each server the report's three times as many, each for so many times the CPU time per request.
fn rpcs(times: f64) -> World {
    let pairs = [
        ("flask@server=gevent", "wsgi@server=gevent"),
        ("flask@server=bjoern", "wsgi@server=bjoern"),
        ("flask@server=granian", "wsgi@server=granian"),
    ];
    let both = pairs.map(|(flask, wsgi)| {
        [
            (flask, rpc(2_000.0, 2.0)),
            (wsgi, rpc(6_000.0, 6.0 * times)),
        ]
    });
    both.into_iter().flatten().collect()
}

#[test]
fn d_rpc() {
    let exchanges = ["gevent", "bjoern", "granian"].map(|server| {
        let [flask, wsgi] = ["flask", "wsgi"].map(|app| &*format!("{app}@server={server}").leak());
        ("D3", (flask, wsgi))
    });
    can_fail("d-rpc.toml", &rpcs(0.4), &exchanges);
}

/// More requests at the same price each would be more cores, and not a cheaper server.
#[test]
fn an_rpc_server_that_is_only_faster() {
    assert_eq!(
        verdicts("d-rpc.toml", &rpcs(1.0), None)["D3"],
        "does-not-hold"
    );
}

/// A front whose client takes its report's quarter of the time, for so many times the CPU time per request.
fn clients(times: f64) -> World {
    let called = |rate: f64, cpu: f64| Figures {
        cpu: [cpu, 0.3],
        ..Figures::closed(20.0, rate, 3.0)
    };
    [
        ("requests", called(200.0, 5.0)),
        ("requests-anew", called(90.0, 5.0)),
        ("urllib3", called(500.0, 5.0)),
        ("httpx", called(70.0, 5.0)),
        ("geventhttpclient", called(800.0, 20.0 * times)),
        ("no-calls", called(6_000.0, 5.0)),
    ]
    .into()
}

#[test]
fn d_clients() {
    let exchanges = [("D4", ("requests", "geventhttpclient"))];
    can_fail("d-clients.toml", &clients(0.25), &exchanges);
}

/// A client that waits less and costs as much would only be one that waits less.
#[test]
fn a_client_that_is_only_faster() {
    let said = verdicts("d-clients.toml", &clients(1.0), None);
    assert_eq!(said["D4"], "does-not-hold");
}

/// So many responses per second over a few connections, in 3 s.
fn answered(rate: f64) -> Figures {
    Figures::closed(8.0, rate, 3.0)
}

#[test]
fn d_endpoints() {
    // half of 480 of 712 parts of time is saved, or half of 160
    let world = [
        ("before", answered(500.0)),
        ("largest-sum", answered(754.0)),
        ("slowest", answered(563.0)),
    ]
    .into();
    let exchanges = [
        ("D1", ("largest-sum", "before")),
        ("D1", ("largest-sum", "slowest")),
    ];
    can_fail("d-endpoints.toml", &world, &exchanges);
}

/// Responses of a server that takes so much CPU time for each.
fn for_so_much(rate: f64, each: f64) -> Figures {
    let answered = Figures::closed(32.0, rate, 3.0);
    let cpu = answered.completed as f64 * each;
    Figures {
        cpu: [cpu, 0.5],
        ..answered
    }
}

#[test]
fn d_machines() {
    let world = [
        ("before", for_so_much(1_000.0, 0.0018)),
        ("after", for_so_much(2_000.0, 0.0009)),
    ]
    .into();
    can_fail("d-machines.toml", &world, &[("D7", ("before", "after"))]);
}

/// More requests at the same price each would be machines that were less busy before.
#[test]
fn a_machine_that_is_only_busier() {
    let world = [
        ("before", for_so_much(1_000.0, 0.0009)),
        ("after", for_so_much(2_000.0, 0.0009)),
    ]
    .into();
    let said = verdicts("d-machines.toml", &world, None);
    assert_eq!(said["D7"], "does-not-hold");
}

#[test]
fn d_connections() {
    let opening = |rate: f64, opens: f64| Figures {
        opens,
        ..Figures::closed(20.0, rate, 2.0)
    };
    let world = [
        ("kept", opening(4_000.0, 0.01)),
        ("anew", opening(2_500.0, 1.0)),
        ("front-kept", opening(3_000.0, 0.02)),
        ("front-anew", opening(2_000.0, 1.01)),
        ("client-kept", opening(200.0, 0.05)),
        ("client-anew", opening(90.0, 10.0)),
        ("client-alone", opening(1_500.0, 0.01)),
    ]
    .into();
    let exchanges = [
        ("D6", ("kept", "anew")),
        ("D6", ("front-kept", "front-anew")),
        ("D6", ("client-kept", "client-anew")),
        ("D6", ("client-alone", "client-anew")),
        ("D6", ("anew", "client-alone")),
    ];
    can_fail("d-connections.toml", &world, &exchanges);
}

#[test]
fn d_segments() {
    let sent = |rate: f64, packets: [f64; 2]| Figures {
        packets,
        ..Figures::closed(20.0, rate, 2.0)
    };
    let world = [
        ("one", sent(4_000.0, [4.0, 600.0])),
        ("two", sent(3_000.0, [5.0, 640.0])),
        ("client-one", sent(1_500.0, [4.0, 600.0])),
        ("client-two", sent(1_200.0, [5.0, 640.0])),
        ("client-waiting", sent(450.0, [6.0, 680.0])),
    ]
    .into();
    let exchanges = [("D5", ("one", "two")), ("D5", ("client-one", "client-two"))];
    can_fail("d-segments.toml", &world, &exchanges);
}
