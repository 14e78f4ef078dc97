//! The plans of reports A and B over figures near to the reports', each with every claim turned over.

use super::exchanged::{can_fail, verdicts};
use super::figures::{Figures, World};

/// Variants by what they came to: correct responses per second, over so many connections unless their name says
/// how many.
pub(crate) fn world(connections: f64, seconds: f64, rates: &[(&'static str, f64)]) -> World {
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

/// Correct responses per second over so many connections, one in ten of which took so many times the mean.
fn unsteady(connections: f64, rate: f64, times: f64) -> Figures {
    let even = Figures::closed(connections, rate, 8.0);
    Figures {
        slow: even.mean * times,
        ..even
    }
}

#[test]
fn b_backends() {
    let mut world = world(
        1.0,
        2.0,
        &[
            ("fastcgi@load=1", 215.3),
            ("fastcgi-ruby@load=1", 150.0),
            ("threaded@load=1", 150.0),
            ("evented@load=1", 190.0),
            ("rails-fastcgi", 62.0),
            ("rails-threaded", 55.0),
            ("rails-evented", 58.0),
        ],
    );
    for (name, connections, rate, times) in [
        ("fastcgi@load=10", 10.0, 210.0, 1.2),
        ("fastcgi@load=400", 400.0, 160.0, 1.2),
        ("threaded@load=10", 10.0, 150.0, 1.2),
        ("threaded@load=400", 400.0, 148.0, 1.2),
        ("evented@load=10", 10.0, 195.0, 1.2),
        ("evented@load=400", 400.0, 196.0, 2.5),
    ] {
        world.insert(name, unsteady(connections, rate, times));
    }
    let exchanges = [
        ("B1", ("fastcgi@load=1", "threaded@load=1")),
        ("B1", ("rails-fastcgi", "rails-evented")),
        ("B3", ("fastcgi@load=400", "evented@load=10")),
        ("B3", ("evented@load=400", "threaded@load=400")),
    ];
    can_fail("b-backends.toml", &world, &exchanges);
}

#[test]
fn b_limits() {
    let world = world(
        500.0,
        3.0,
        &[
            ("queued@server-maxconn=0", 139.0),
            ("one-thread@server-maxconn=0", 160.0),
            ("queued@server-maxconn=1", 172.0),
            ("queued@server-maxconn=10", 160.0),
            ("queued@server-maxconn=50", 140.0),
            ("evented@server-maxconn=1", 180.0),
            ("evented@server-maxconn=10", 188.0),
            ("evented@server-maxconn=50", 183.0),
        ],
    );
    let exchanges = [
        ("B4", ("queued@server-maxconn=0", "queued@server-maxconn=1")),
        (
            "B4",
            ("queued@server-maxconn=1", "queued@server-maxconn=50"),
        ),
        (
            "B5",
            ("queued@server-maxconn=1", "queued@server-maxconn=50"),
        ),
        (
            "B5",
            ("evented@server-maxconn=10", "queued@server-maxconn=50"),
        ),
    ];
    can_fail("b-limits.toml", &world, &exchanges);
}

#[test]
fn b_pools() {
    let refused = |right: f64, wrong: u64| Figures {
        wrong,
        ..Figures::closed(500.0, right, 3.0)
    };
    let without_errors = [("pooled-waiting@max=1", 140.0), ("patient", 140.0)];
    let mut world = world(500.0, 3.0, &without_errors);
    world.insert("pooled@max=1", refused(90.0, 900));
    world.insert("pooled@max=45", refused(110.0, 100));
    let exchanges = [
        ("B6", ("pooled@max=1", "pooled@max=45")),
        ("B6", ("pooled@max=1", "patient")),
        ("B6", ("pooled@max=1", "pooled-waiting@max=1")),
    ];
    can_fail("b-pools.toml", &world, &exchanges);
}

/// A limit that does as much for the evented backend as for the threaded one.
#[test]
fn b_limits_that_are_alike() {
    let rates = [
        ("queued@server-maxconn=0", 139.0),
        ("one-thread@server-maxconn=0", 160.0),
        ("queued@server-maxconn=1", 172.0),
        ("queued@server-maxconn=10", 160.0),
        ("queued@server-maxconn=50", 140.0),
        ("evented@server-maxconn=1", 220.0),
        ("evented@server-maxconn=10", 230.0),
        ("evented@server-maxconn=50", 180.0),
    ];
    let said = verdicts("b-limits.toml", &world(500.0, 3.0, &rates), None);
    assert_eq!(said["B5"], "does-not-hold");
}

#[test]
fn b_fronts() {
    let with = |clients: f64, rate: f64, cpu: f64| Figures {
        cpu: [cpu * rate * 3.0, 0.1],
        ..Figures::closed(clients, rate, 3.0)
    };
    let front = |rate: f64, cpu: f64| with(50.0, rate, cpu);
    let world = [
        ("called", front(143.9, 0.0014)),
        ("kept", front(196.2, 0.001)),
        ("lighttpd-fastcgi", front(215.3, 0.001)),
        ("nginx-fastcgi", front(210.0, 0.001)),
        ("chain", front(205.0, 0.001)),
        ("chain-full", with(200.0, 200.0, 0.001)),
        ("lighttpd-fastcgi-full", with(200.0, 210.0, 0.001)),
    ]
    .into();
    let exchanges = [
        ("B8", ("called", "kept")),
        ("B10", ("chain", "called")),
        ("B10", ("chain-full", "called")),
    ];
    can_fail("b-fronts.toml", &world, &exchanges);
}

#[test]
fn b_sockets() {
    let rates = [("tcp", 215.33), ("unix", 214.65), ("control", 140.0)];
    let exchanges = [("B2", ("unix", "control")), ("B2", ("tcp", "control"))];
    can_fail("b-sockets.toml", &world(255.0, 2.0, &rates), &exchanges);
}

/// The report's own figures.
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
        ("haproxy-fastcgi", 215.0),
        ("event-passenger", 150.0),
        ("balancer-thin", 150.0),
        ("fcgid", 150.0),
        ("lighttpd-spawn", 150.0),
        ("nginx-unicorn", 150.0),
        ("nginx-webrick", 150.0),
    ];
    let figures = rates.map(|(name, rate)| (name, Figures::closed(255.0, rate, 2.0)));
    figures.into()
}

#[test]
fn b_ranking() {
    let exchanges = [
        ("B7", ("lighttpd-fastcgi", "nginx-threads")),
        ("B7", ("lighttpd-fastcgi-unix", "nginx-thin")),
    ];
    can_fail("b-ranking.toml", &ranking(), &exchanges);
}

/// If all stacks did about the same today, the order of the report would be none.
#[test]
fn b_ranking_of_equals() {
    let mut world = ranking();
    for figures in world.values_mut() {
        *figures = Figures::closed(255.0, 240.0, 2.0);
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
            ("defaults@connections=50", 200.0),
            ("defaults@connections=600", 150.0),
        ],
    );
    let exchanges = [("B9", ("prefork@connections=300", "prefork@connections=600"))];
    can_fail("b-collapse.toml", &world, &exchanges);
}

#[test]
fn b_jruby() {
    let world = world(10.0, 4.0, &[("ruby", 205.0), ("jruby", 240.0)]);
    can_fail("b-jruby.toml", &world, &[("B15", ("ruby", "jruby"))]);
}
