//! The plans about what keeps a server up, over figures near to what they came to once, each with every claim turned over.

use super::exchanged::can_fail;
use super::figures::{Figures, World};

/// So many requests per second, of which none is answered for `down` seconds after a kill.
fn killed(rate: f64, seconds: f64, down: f64) -> Figures {
    Figures {
        completed: (rate * (seconds - down)).round() as u64,
        given_up: (rate * down).round() as u64,
        seconds,
        mean: 0.005,
        down,
        ..Figures::default()
    }
}

/// So many requests per second, by which the server comes to so many megabytes.
fn leaking(rate: f64, seconds: f64, megabytes: u64) -> Figures {
    Figures {
        memory: megabytes * 1_000_000,
        ..killed(rate, seconds, 0.0)
    }
}

#[test]
fn b_supervision() {
    let world: World = [
        ("alone", killed(100.0, 7.0, 5.0)),
        ("supervisord", killed(100.0, 7.0, 1.2)),
        ("multiwatch", killed(100.0, 7.0, 0.2)),
        ("monit", killed(100.0, 7.0, 1.2)),
        ("stale", killed(100.0, 7.0, 5.0)),
        ("leak", leaking(270.0, 9.0, 300)),
        ("leak-limited", leaking(270.0, 9.0, 132)),
    ]
    .into();
    let exchanges = [
        ("B13", ("alone", "supervisord")),
        ("B13", ("alone", "multiwatch")),
        ("B13", ("monit", "stale")),
        ("B13", ("leak", "leak-limited")),
    ];
    can_fail("b-supervision.toml", &world, &exchanges);
}

#[test]
fn e_supervision() {
    let world: World = [
        ("alone", killed(200.0, 10.0, 8.0)),
        ("watched", killed(200.0, 10.0, 2.3)),
        ("uwsgi-alone", killed(200.0, 10.0, 8.0)),
        ("uwsgi-master", killed(200.0, 10.0, 0.1)),
        ("leak", leaking(240.0, 10.0, 307)),
        ("leak-limited", leaking(240.0, 10.0, 130)),
        ("leak-reloaded", leaking(240.0, 10.0, 126)),
        ("leak-recycled", leaking(240.0, 10.0, 95)),
    ]
    .into();
    let exchanges = [
        ("E7", ("alone", "watched")),
        ("E7", ("uwsgi-alone", "uwsgi-master")),
        ("E7", ("leak", "leak-limited")),
        ("E7", ("leak", "leak-reloaded")),
        ("E7", ("leak", "leak-recycled")),
    ];
    can_fail("e-supervision.toml", &world, &exchanges);
}
