//! The plans of reports C and E over figures near to the reports', each with every claim turned over.

use super::exchanged::{can_fail, verdicts};
use super::figures::{Figures, World};
use super::reports::world;

#[test]
fn c_health() {
    let late = |right: f64, timed_out: u64| Figures {
        given_up: timed_out,
        ..Figures::closed(2_000.0, right, 4.0)
    };
    let mut world = world(
        2_000.0,
        4.0,
        &[
            ("gevent-workers", 8_000.0),
            ("fastapi", 391.0),
            ("fastapi-async", 2_000.0),
            ("uvicorn-workers", 3_800.0),
            ("uvicorn-in-gunicorn", 4_000.0),
        ],
    );
    for (variant, rate) in [
        ("unpatched", 9.85),
        ("patched-late", 9.85),
        ("patched", 95.0),
    ] {
        world.insert(variant, Figures::closed(10.0, rate, 4.0));
    }
    world.insert("dev", late(1_000.0, 50));
    world.insert("dev-at-once", late(1_200.0, 40));
    world.insert("dev-async", late(500.0, 20));
    let exchanges = [
        ("C1", ("dev", "gevent-workers")),
        ("C2", ("dev", "dev-async")),
        ("C3", ("patched", "patched-late")),
        ("C4", ("fastapi", "fastapi-async")),
        ("C5", ("uvicorn-workers", "fastapi-async")),
    ];
    can_fail("c-health.toml", &world, &exchanges);
}

#[test]
fn c_ceiling() {
    let mut world = world(
        500.0,
        4.0,
        &[
            ("lua", 4_800.0),
            ("sanic-500", 4_800.0),
            ("node", 4_800.0),
            ("java", 4_800.0),
        ],
    );
    for (variant, connections, rate) in [
        ("go@connections=50", 50.0, 495.0),
        ("go@connections=500", 500.0, 4_910.0),
        ("go@connections=1000", 1_000.0, 9_820.0),
        ("sanic-1000", 1_000.0, 9_700.0),
        ("go@connections=4000", 4_000.0, 15_000.0),
        ("sanic-4000", 4_000.0, 9_000.0),
        ("dev", 200.0, 500.0),
        ("dev-at-once", 200.0, 600.0),
    ] {
        world.insert(variant, Figures::closed(connections, rate, 4.0));
    }
    let exchanges = [
        ("C6", ("go@connections=50", "go@connections=500")),
        ("C6", ("lua", "dev")),
        ("C6", ("sanic-1000", "go@connections=50")),
        ("C6", ("sanic-4000", "go@connections=4000")),
    ];
    can_fail("c-ceiling.toml", &world, &exchanges);
}

/// At the ceiling of its load a server's figure is a lower limit: what it lifts may be more.
#[test]
fn c_health_under_its_ceiling() {
    let world = world(
        2_000.0,
        4.0,
        &[
            ("gevent-workers", 19_600.0),
            ("dev", 2_000.0),
            ("dev-at-once", 2_000.0),
            ("dev-async", 500.0),
            ("fastapi", 391.0),
            ("fastapi-async", 2_000.0),
            ("uvicorn-workers", 3_800.0),
            ("uvicorn-in-gunicorn", 4_000.0),
            ("unpatched", 9.85),
            ("patched-late", 9.85),
            ("patched", 95.0),
        ],
    );
    let text = "within 4 .. 16";
    let plan = std::fs::read_to_string(crate::support::repository().join("claims/c-health.toml"));
    assert!(plan.unwrap().contains(text), "C1 asks for both ends");
    let mut timed_out = world;
    timed_out.get_mut("dev").unwrap().given_up = 50;
    let said = verdicts("c-health.toml", &timed_out, None);
    assert_eq!(said["C1"], "cannot-tell");
}

/// The report's own figures, at each of its clients.
fn django() -> World {
    let mut world = world(
        50.0,
        1.5,
        &[
            ("spare@connections=50", 640.0),
            ("spare-pool@connections=50", 645.0),
            ("spare-turns@connections=50", 600.0),
            ("spare-pool-turns@connections=50", 600.0),
            ("threads-ajp@connections=50", 600.0),
            ("threads-turns@connections=50", 600.0),
            ("rendered@connections=50", 300.0),
        ],
    );
    for connections in [10.0, 25.0, 50.0, 100.0] {
        let mut put = |variant: &str, figures| {
            let name = format!("{variant}@connections={connections}").leak();
            world.insert(name, figures);
        };
        let served = |rate| Figures::closed(connections, rate, 1.5);
        put("threads", served(640.0));
        put("threads-warm", served(640.0));
        put("threads-scgi", served(612.0));
        put("processes-pool", served(955.0));
        put("processes-pool-scgi", served(920.0));
        put("query", served(222.0));
        let failing = Figures {
            given_up: 3,
            ..Figures::closed(connections, 260.0, 4.0)
        };
        put("processes", failing);
        if connections > 64.0 {
            put("processes-short-queue", failing);
        }
    }
    world
}

#[test]
fn e_django() {
    let exchanges = [
        ("E1", ("threads@connections=50", "processes@connections=50")),
        (
            "E2",
            (
                "threads-warm@connections=50",
                "processes-pool@connections=50",
            ),
        ),
        (
            "E3",
            ("spare-pool@connections=50", "processes-pool@connections=50"),
        ),
        (
            "E4",
            ("threads-warm@connections=50", "query@connections=50"),
        ),
        (
            "E5",
            ("threads-scgi@connections=50", "query@connections=50"),
        ),
    ];
    can_fail("e-django.toml", &django(), &exchanges);
}

/// A burst that most wait so long for, and one in ten so long.
fn burst(mean: f64, slow: f64) -> Figures {
    Figures {
        completed: 1_440,
        seconds: 8.0,
        mean,
        slow,
        ..Figures::default()
    }
}

#[test]
fn e_burst() {
    let world = [
        ("on-demand", burst(0.35, 1.5)),
        ("pool", burst(0.007, 0.05)),
    ]
    .into();
    can_fail("e-burst.toml", &world, &[("E6", ("on-demand", "pool"))]);
}

/// Where the pool falls behind the burst as well, and serves what waits four times as fast.
#[test]
fn e_burst_on_a_slow_machine() {
    let world = [("on-demand", burst(2.0, 4.0)), ("pool", burst(0.5, 1.0))].into();
    can_fail("e-burst.toml", &world, &[("E6", ("on-demand", "pool"))]);
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
