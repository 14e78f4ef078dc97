//! The plans of reports B, C and E over figures near to the reports', each with every claim turned over.

use crate::exchanged::can_fail;
use crate::figures::{Figures, World};

/// Stages by what they came to: right answers per second, over so many connections unless their name says
/// how many.
fn world(connections: f64, seconds: f64, rates: &[(&'static str, f64)]) -> World {
    let figures = |name: &str, rate| {
        let own = name
            .split_once("connections=")
            .map(|(_, own)| own.parse().unwrap());
        Figures::closed(own.unwrap_or(connections), rate, seconds)
    };
    let stages = rates.iter();
    stages
        .map(|(name, rate)| (*name, figures(name, *rate)))
        .collect()
}

#[test]
fn b_backends() {
    let world = world(
        100.0,
        2.0,
        &[
            ("fastcgi@connections=1", 215.3),
            ("fastcgi@connections=10", 210.0),
            ("fastcgi@connections=100", 190.0),
            ("fastcgi@connections=400", 160.0),
            ("fastcgi-unix@connections=1", 214.7),
            ("fastcgi-unix@connections=10", 209.0),
            ("fastcgi-unix@connections=100", 191.0),
            ("fastcgi-unix@connections=400", 160.0),
            ("threaded@connections=1", 150.0),
            ("threaded@connections=10", 150.0),
            ("threaded@connections=100", 149.0),
            ("threaded@connections=400", 148.0),
            ("evented@connections=1", 190.0),
            ("evented@connections=10", 195.0),
            ("evented@connections=100", 196.0),
            ("evented@connections=400", 196.0),
        ],
    );
    let exchanges = [
        ("B1", ("fastcgi@connections=1", "threaded@connections=1")),
        (
            "B2",
            ("fastcgi-unix@connections=1", "threaded@connections=1"),
        ),
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
    for (stage, rate) in [
        ("unpatched", 9.85),
        ("patched-late", 9.85),
        ("patched", 95.0),
    ] {
        world.insert(stage, Figures::closed(10.0, rate, 4.0));
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
