//! What had no response in the window: it timed out, or was in flight at the end.

use super::{answers, crossed, result};
use judge::Crossed;
use record::{Cause, DrainFacts, LoadFacts, TimeLimit};

/// What timed out took at least as long as it was waited for: it is above, and nobody knows how far.
#[test]
fn what_timed_out_is_a_lower_limit() {
    let cut = |answered, timed_out| LoadFacts {
        timed_out,
        time_limits: [(TimeLimit::Whole, timed_out)].into(),
        ..answers(&[(answered, 12), (timed_out, 30_000)])
    };
    for (text, (answered, timed_out), expected) in [
        // the figure is among those that timed out
        ("p99 > 1s", (9_800, 200), Crossed::Yes),
        ("p99 > 60s", (9_800, 200), Crossed::CannotTell),
        ("p99 < 60s", (9_800, 200), Crossed::CannotTell),
        // and here it is not
        ("p99 > 60s", (9_950, 50), Crossed::No),
        ("max > 60s", (9_950, 50), Crossed::CannotTell),
        ("max > 20s", (9_950, 50), Crossed::Yes),
        ("mean > 1s", (9_950, 50), Crossed::CannotTell),
        // too few responses for the figure
        ("p99 > 60s", (399, 1), Crossed::CannotTell),
        ("p99 > 60s", (399, 0), Crossed::No),
        ("p99 > 1s", (0, 20), Crossed::Yes),
    ] {
        let load = cut(answered, timed_out);
        assert_eq!(
            crossed(text, &load),
            expected,
            "{text}: {timed_out} timed out"
        );
    }
    let because = result("p99 > 60s", &cut(9_800, 200), &[]).because;
    assert_eq!(
        because,
        "measured at least 30.0 s, as 200 requests timed out"
    );
    let known = result("p99 > 60s", &cut(9_950, 50), &[]).because;
    assert_eq!(
        known, "measured 12.0 ms",
        "it is before those that timed out"
    );
    // a limit of a part may end a request that is quicker than others: any place is possible
    let mut part = cut(9_960, 40);
    part.time_limits = [(TimeLimit::FirstByte, 40)].into();
    part.response.record(90_000_000_000);
    assert_eq!(crossed("p99 > 20ms", &part), Crossed::No);
    part.timed_out = 101;
    part.time_limits = [(TimeLimit::FirstByte, 101)].into();
    assert_eq!(crossed("p99 > 20ms", &part), Crossed::CannotTell);
}

/// What ends in the drain was due in the window.
#[test]
fn requests_in_flight_at_the_end_are_not_forgotten() {
    let mut load = answers(&[(9_990, 12), (10, 2_000)]);
    (load.completed, load.in_flight) = (9_987, 13);
    load.drain = Some(DrainFacts {
        wrong: [(Cause::Status, 3)].into(),
        unanswered: 10,
        lost: [(Cause::ClosedBeforeAnswer, 4)].into(),
        cut_off: 1,
        ..DrainFacts::default()
    });
    for (text, expected) in [
        ("errors >= 13", Crossed::Yes),
        ("errors > 13", Crossed::No),
        ("timeouts >= 5", Crossed::Yes),
        ("timeouts > 5", Crossed::No),
        ("max > 1s", Crossed::Yes),
        ("max > 3s", Crossed::CannotTell),
        ("p50 > 1s", Crossed::No),
    ] {
        assert_eq!(crossed(text, &load), expected, "{text}");
    }
    let because = result("max > 3s", &load, &[]).because;
    assert_eq!(
        because,
        "measured at least 2.00 s, as 10 requests had no response"
    );
    // what is cut off in an open loop may have waited in a queue that moved
    load.shape = record::Shape::Open(record::Arrivals {
        process: record::Process::Poisson,
        segments: record::Arrivals::steady(100.0),
        max_outstanding: record::Arrivals::MAX_OUTSTANDING,
        seed: 1,
    });
    assert_eq!(crossed("errors >= 13", &load), Crossed::No);
    assert_eq!(crossed("errors >= 12", &load), Crossed::Yes);
}

/// What falls due at the end of a window is answered after it.
#[test]
fn what_was_on_a_connection_at_the_end_and_is_answered_is_achieved() {
    let mut load = answers(&[(195, 100)]);
    load.scheduled = 200;
    (load.in_flight, load.drained, load.connections) = (5, 5, 40);
    load.offered = Some(100.0);
    assert_eq!(crossed("achieved < 98%", &load), Crossed::No);
    load.drained = 0;
    assert_eq!(crossed("achieved < 98%", &load), Crossed::Yes);
    // those that waited for a connection were late
    load.completed = 100;
    (load.in_flight, load.drained) = (100, 100);
    assert_eq!(crossed("achieved < 71%", &load), Crossed::Yes);
    assert_eq!(crossed("achieved < 69%", &load), Crossed::No);
    load.offered = None;
    assert_eq!(crossed("achieved < 98%", &load), Crossed::CannotTell);
}
