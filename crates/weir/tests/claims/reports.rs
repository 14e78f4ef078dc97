//! The plans of reports B, C, D and E over figures near to the reports', each with every claim turned over.

use super::exchanged::{can_fail, verdicts};
use super::figures::{Figures, World};

/// Variants by what they came to: correct responses per second, over so many connections unless their name says
/// how many.
fn world(connections: f64, seconds: f64, rates: &[(&'static str, f64)]) -> World {
    let figures = |name: &str, rate| {
        let own = name
            .split_once("connections=")
            .map(|(_, own)| own.parse().unwrap());
        Figures::closed(own.unwrap_or(connections), rate, seconds)
    };
    let variants = rates.iter();
    variants
        .map(|(name, rate)| (*name, figures(name, *rate)))
        .collect()
}

#[test]
fn a_stores() {
    let world = world(
        100.0,
        2.0,
        &[
            ("shelve", 400.0),
            ("sqlite", 520.0),
            ("database@database=postgresql", 430.0),
            ("database@database=mariadb", 410.0),
            ("cached@database=postgresql", 800.0),
            ("cached@database=mariadb", 810.0),
            ("signing-shelve", 500.0),
            ("signing@database=postgresql", 900.0),
            ("signing@database=mariadb", 880.0),
            ("machines@instances=1", 220.0),
            ("machines@instances=2", 425.0),
        ],
    );
    let exchanges = [
        ("A8", ("shelve", "sqlite")),
        (
            "A8",
            ("cached@database=postgresql", "database@database=postgresql"),
        ),
        (
            "A8",
            ("cached@database=mariadb", "database@database=mariadb"),
        ),
        ("A8", ("signing-shelve", "signing@database=postgresql")),
        ("A8", ("machines@instances=1", "machines@instances=2")),
    ];
    can_fail("a-stores.toml", &world, &exchanges);
}

#[test]
fn b_backends() {
    let mut world = world(
        100.0,
        2.0,
        &[
            ("fastcgi@connections=1", 215.3),
            ("fastcgi@connections=10", 210.0),
            ("fastcgi@connections=50", 200.0),
            ("fastcgi@connections=100", 190.0),
            ("fastcgi@connections=200", 175.0),
            ("fastcgi@connections=400", 160.0),
            ("fastcgi-unix@connections=1", 214.7),
            ("fastcgi-unix@connections=10", 209.0),
            ("fastcgi-unix@connections=50", 200.0),
            ("fastcgi-unix@connections=100", 191.0),
            ("fastcgi-unix@connections=200", 175.0),
            ("fastcgi-unix@connections=400", 160.0),
            ("threaded@connections=1", 150.0),
            ("threaded@connections=10", 150.0),
            ("threaded@connections=50", 150.0),
            ("threaded@connections=100", 149.0),
            ("threaded@connections=200", 149.0),
            ("threaded@connections=400", 148.0),
            ("evented@connections=1", 190.0),
            ("evented@connections=10", 195.0),
            ("evented@connections=50", 196.0),
            ("evented@connections=100", 196.0),
            ("evented@connections=200", 196.0),
            ("evented@connections=400", 196.0),
        ],
    );
    for (variant, rate) in [
        ("rails-fastcgi", 62.0),
        ("rails-fastcgi-unix", 61.5),
        ("rails-threaded", 55.0),
        ("rails-evented", 58.0),
    ] {
        world.insert(variant, Figures::closed(1.0, rate, 2.0));
    }
    let exchanges = [
        ("B1", ("fastcgi@connections=1", "threaded@connections=1")),
        ("B2", ("fastcgi-unix@connections=1", "rails-evented")),
        ("B1", ("rails-fastcgi", "rails-evented")),
        ("B2", ("rails-fastcgi-unix", "rails-threaded")),
        ("B3", ("fastcgi@connections=400", "evented@connections=10")),
        ("B3", ("fastcgi@connections=400", "fastcgi@connections=1")),
    ];
    can_fail("b-backends.toml", &world, &exchanges);
}

#[test]
fn b_limits() {
    let refused = |right: f64, wrong: u64| Figures {
        wrong,
        ..Figures::closed(100.0, right, 3.0)
    };
    let mut world = world(
        100.0,
        3.0,
        &[
            ("unlimited", 139.0),
            ("queued@server-maxconn=1", 172.0),
            ("queued@server-maxconn=10", 160.0),
            ("queued@server-maxconn=50", 148.0),
            ("evented@server-maxconn=1", 180.0),
            ("evented@server-maxconn=10", 188.0),
            ("evented@server-maxconn=50", 183.0),
            ("refusing@max-conns=20", 140.0),
        ],
    );
    world.insert("refusing@max-conns=1", refused(90.0, 900));
    world.insert("refusing@max-conns=5", refused(110.0, 100));
    let exchanges = [
        ("B4", ("unlimited", "queued@server-maxconn=1")),
        ("B5", ("evented@server-maxconn=10", "unlimited")),
        ("B6", ("refusing@max-conns=1", "refusing@max-conns=20")),
        ("B6", ("refusing@max-conns=1", "queued@server-maxconn=1")),
    ];
    can_fail("b-limits.toml", &world, &exchanges);
}

#[test]
fn b_fronts() {
    let world = world(
        50.0,
        3.0,
        &[
            ("called", 143.9),
            ("kept", 196.2),
            ("lighttpd-fastcgi", 215.3),
            ("chain", 205.0),
        ],
    );
    let exchanges = [("B8", ("called", "kept")), ("B10", ("chain", "called"))];
    can_fail("b-fronts.toml", &world, &exchanges);
}

/// The report's own figures at both numbers of clients, and all alike at a rate that all can do.
fn ranking() -> World {
    let rates = [
        ("lighttpd-fastcgi", 215.33),
        ("lighttpd-fastcgi-unix", 214.65),
        ("lighttpd-thin", 196.16),
        ("haproxy-thin", 188.73),
        ("dial-in-thin", 178.96),
        ("prefork-passenger", 173.02),
        ("haproxy-threads", 170.40),
        ("worker-passenger", 163.90),
        ("lighttpd-threads", 149.85),
        ("nginx-thin", 143.88),
        ("nginx-threads", 138.86),
    ];
    let mut world = World::new();
    for (name, rate) in rates {
        let at = |level: &str| &*format!("{name}@load={level}").leak();
        world.insert(at("114"), Figures::closed(114.0, rate, 1.5));
        world.insert(at("396"), Figures::closed(396.0, rate, 1.5));
        world.insert(at("rate"), Figures::closed(1.2, 60.0, 2.5));
    }
    world
}

#[test]
fn b_ranking() {
    let exchanges = [
        (
            "B7",
            ("lighttpd-fastcgi@load=114", "nginx-threads@load=114"),
        ),
        (
            "B7",
            ("lighttpd-fastcgi-unix@load=396", "nginx-thin@load=396"),
        ),
    ];
    can_fail("b-ranking.toml", &ranking(), &exchanges);
}

/// If all stacks did about the same today, the order of the report would be none.
#[test]
fn b_ranking_of_equals() {
    let mut world = ranking();
    for (name, figures) in &mut world {
        if !name.ends_with("rate") {
            let connections = if name.ends_with("114") { 114.0 } else { 396.0 };
            *figures = Figures::closed(connections, 240.0, 1.5);
        }
    }
    assert_eq!(
        verdicts("b-ranking.toml", &world, None)["B7"],
        "does-not-hold"
    );
}

#[test]
fn b_collapse() {
    let world = world(
        300.0,
        4.0,
        &[
            ("prefork@connections=50", 204.0),
            ("prefork@connections=300", 200.0),
            ("prefork@connections=600", 20.0),
        ],
    );
    let exchanges = [("B9", ("prefork@connections=300", "prefork@connections=600"))];
    can_fail("b-collapse.toml", &world, &exchanges);
}

#[test]
fn c_health() {
    let late = |right: f64, timed_out: u64| Figures {
        given_up: timed_out,
        ..Figures::closed(500.0, right, 4.0)
    };
    let mut world = world(
        500.0,
        4.0,
        &[
            ("gevent-workers", 4_000.0),
            ("fastapi", 391.0),
            ("fastapi-async", 2_000.0),
            ("uvicorn-workers", 3_800.0),
            ("uvicorn-in-gunicorn", 4_000.0),
            ("sanic", 4_700.0),
            ("lua", 4_900.0),
            ("go@connections=50", 495.0),
            ("go@connections=500", 4_910.0),
        ],
    );
    for (variant, rate) in [
        ("unpatched", 9.85),
        ("patched-late", 9.85),
        ("patched", 95.0),
    ] {
        world.insert(variant, Figures::closed(10.0, rate, 4.0));
    }
    world.insert("dev", late(500.0, 50));
    world.insert("dev-async", late(250.0, 20));
    let exchanges = [
        ("C1", ("dev", "gevent-workers")),
        ("C2", ("dev", "dev-async")),
        ("C3", ("patched", "patched-late")),
        ("C4", ("fastapi", "fastapi-async")),
        ("C5", ("uvicorn-workers", "fastapi-async")),
        ("C6", ("go@connections=50", "go@connections=500")),
        ("C6", ("lua", "fastapi-async")),
    ];
    can_fail("c-health.toml", &world, &exchanges);
}

#[test]
fn e_django() {
    let mut world = world(
        50.0,
        1.5,
        &[
            ("threads", 640.0),
            ("threads-pool", 645.0),
            ("threads-scgi", 612.0),
            ("processes-pool", 955.0),
            ("processes-pool-scgi", 920.0),
            ("query", 222.0),
        ],
    );
    let failing = Figures {
        given_up: 3,
        ..Figures::closed(50.0, 260.0, 4.0)
    };
    world.insert("processes", failing);
    let exchanges = [
        ("E1", ("threads", "processes")),
        ("E2", ("threads", "processes-pool")),
        ("E3", ("threads-pool", "processes-pool")),
        ("E4", ("threads", "query")),
        ("E5", ("threads-scgi", "query")),
    ];
    can_fail("e-django.toml", &world, &exchanges);
}

#[test]
fn b_jruby() {
    let world = world(10.0, 4.0, &[("ruby", 205.0), ("jruby", 240.0)]);
    can_fail("b-jruby.toml", &world, &[("B15", ("ruby", "jruby"))]);
}

/// A load of 4 s that takes both cores, of which the generator has this share.
fn full(connections: f64, rate: f64, generator: f64) -> Figures {
    Figures {
        cpu: [8.0 * (1.0 - generator), 8.0 * generator],
        ..Figures::closed(connections, rate, 4.0)
    }
}

fn generator() -> World {
    let few = Figures {
        cpu: [0.5, 0.4],
        ..Figures::closed(200.0, 1_960.0, 4.0)
    };
    [
        ("go@connections=200", few),
        ("go@connections=10000", full(10_000.0, 30_000.0, 0.45)),
        ("lua", full(10_000.0, 40_000.0, 0.5)),
    ]
    .into()
}

#[test]
fn c_generator() {
    let exchanges = [("C7", ("go@connections=200", "go@connections=10000"))];
    can_fail("c-generator.toml", &generator(), &exchanges);
}

/// Were it the server that takes the CPU time, the generator would not be to blame.
#[test]
fn a_generator_that_costs_little() {
    let mut world = generator();
    world.insert("lua", full(10_000.0, 40_000.0, 0.1));
    let said = verdicts("c-generator.toml", &world, None);
    assert_eq!(said["C7"], "does-not-hold");
}

/// An RPC server with so many requests per second, in 3 s, for so much CPU time.
fn rpc(rate: f64, cpu: f64) -> Figures {
    Figures {
        cpu: [cpu, 1.0],
        ..Figures::closed(50.0, rate, 3.0)
    }
}

#[test]
fn d_rpc() {
    let world = [("flask", rpc(2_000.0, 5.0)), ("wsgi", rpc(6_000.0, 5.0))].into();
    can_fail("d-rpc.toml", &world, &[("D3", ("flask", "wsgi"))]);
}

/// More requests at the same price each would be more cores, and not a cheaper server.
#[test]
fn an_rpc_server_that_is_only_faster() {
    let world = [("flask", rpc(2_000.0, 2.0)), ("wsgi", rpc(6_000.0, 6.0))].into();
    assert_eq!(verdicts("d-rpc.toml", &world, None)["D3"], "does-not-hold");
}
