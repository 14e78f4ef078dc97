//! Doubts about an open loop's schedule.

use judge::DoubtKind::{
    Accounting, Connections, Errors, GeneratorSaturated, Late, RateNotHeld, Unanswered,
};
use record::{Arrivals, Distribution, DrainFacts, Measured, Process, Shape, Spoken, Trial};

use super::spoiled;
use crate::lab::{self, doubts, facts, kinds};

/// An open loop that kept its schedule: 1,000 requests at 400/s, each answered after 2 ms.
pub(crate) fn open_loop(spoil: impl Fn(&mut Measured)) -> Trial {
    spoiled(|facts| {
        facts.load.shape = Shape::Open(Arrivals {
            process: Process::Poisson,
            segments: Arrivals::steady(400.0),
            max_outstanding: 1_000,
            seed: 1,
        });
        facts.load.offered = Some(400.0);
        let same = |nanoseconds| {
            let mut times = Distribution::default();
            (0..lab::REQUESTS).for_each(|_| times.record(nanoseconds));
            times
        };
        facts.load.response = same(2_000_000);
        facts.load.lateness = same(2_000);
        facts.load.woken = same(30_000);
        spoil(facts);
    })
}

#[test]
fn an_open_loop_need_not_keep_its_connections_busy() {
    // 10 connections, 0.8 requests under way: no closed loop, and no doubt
    assert_eq!(kinds(&open_loop(|_| ())), []);
}

#[test]
fn what_was_dropped_is_accounted_for() {
    let dropped = open_loop(|facts| {
        facts.load.completed -= 5;
        facts.load.dropped = 5;
    });
    assert_eq!(kinds(&dropped), [], "5 of 1,000 are within a percent");
    let forgotten = open_loop(|facts| facts.load.completed -= 5);
    assert_eq!(kinds(&forgotten), [(Accounting, true)]);
}

#[test]
fn a_server_that_does_not_keep_up_is_told() {
    let slow = |waiting: u64| {
        open_loop(move |facts| {
            facts.load.completed -= waiting + 10;
            facts.load.in_flight = waiting + 10; // ten are on their connections
            facts.load.waited.record(800_000_000);
        })
    };
    assert_eq!(kinds(&slow(10)), []);
    assert_eq!(kinds(&slow(11)), [(RateNotHeld, false)]);
    let because = &doubts(&slow(300))[0].because;
    assert!(
        because.contains("400 requests/s were offered and 276 completed (69.0 %)")
            && because
                .contains("300 still waiting; 1 request waited for a connection (at most 800"),
        "{because}"
    );
}

#[test]
fn a_generator_that_does_not_keep_up_disqualifies() {
    let dropped = |facts: &mut Measured| {
        facts.load.completed -= 100;
        facts.load.dropped = 100;
    };
    // nothing waited for a connection: it was not the server
    assert_eq!(kinds(&open_loop(dropped)), [(RateNotHeld, true)]);
    let busy = open_loop(|facts| {
        dropped(facts);
        facts.load.waited.record(800_000_000);
        facts.load.engine.busiest = 0.95;
    });
    assert_eq!(
        kinds(&busy),
        [(GeneratorSaturated, true), (RateNotHeld, true)]
    );
}

#[test]
fn whoever_gave_up_on_the_server_is_not_the_generators_doing() {
    let given_up = |dropped: u64| {
        open_loop(move |facts| {
            facts.load.completed -= 100 + dropped;
            facts.load.timed_out = 100;
            facts.load.dropped = dropped;
        })
    };
    // every request had its connection and left: the server let them wait
    assert_eq!(kinds(&given_up(0)), [(Errors, true), (RateNotHeld, false)]);
    // time limits do not explain what was never sent
    assert_eq!(kinds(&given_up(50)), [(Errors, true), (RateNotHeld, true)]);
}

#[test]
fn lateness_is_told_by_whose_it_is() {
    let late = |times: fn(&mut Measured) -> &mut Distribution, nanoseconds, samples| {
        open_loop(move |facts| {
            let times = times(facts);
            times.clear();
            (0..samples).for_each(|_| times.record(nanoseconds));
        })
    };
    // a tenth of the median of 2 ms
    assert_eq!(
        kinds(&late(|facts| &mut facts.load.woken, 190_000, 10_000)),
        []
    );
    let few = late(|facts| &mut facts.load.woken, 300_000, 199);
    assert_eq!(kinds(&few), [], "too few for any quantile");
    for (samples, name) in [(200, "p50"), (1_000, "p90"), (9_999, "p95")] {
        let because = &doubts(&late(|facts| &mut facts.load.woken, 300_000, samples))[0].because;
        assert!(
            because.contains(&format!("kernel, {name} 300 µs")),
            "{because}"
        );
    }
    let kernel = late(|facts| &mut facts.load.woken, 300_000, 10_000);
    assert_eq!(kinds(&kernel), [(Late, false)]);
    assert!(
        doubts(&kernel)[0]
            .because
            .starts_with("woken late by the kernel, p99 300 µs")
    );
    let engine = late(|facts| &mut facts.load.lateness, 300_000, 10_000);
    assert!(
        doubts(&engine)[0]
            .because
            .starts_with("sent late by the engine, p99 300 µs")
    );
}

/// An open loop at 400/s over 10 connections that were all busy: it was offered 1,000 requests, and 400
/// could not be sent in time.
fn starved(service: f64, light: Option<f64>) -> Trial {
    let times = |seconds: f64, count: u64| {
        let mut times = Distribution::default();
        (0..count).for_each(|_| times.record((seconds * 1e9) as u64));
        times
    };
    open_loop(move |facts| {
        let load = &mut facts.load;
        load.completed -= 400;
        load.in_flight = 400;
        load.waited = times(0.8, 400);
        load.service = times(service, 600);
        load.light = light.map_or_else(Distribution::default, |light| times(light, 6));
    })
}

#[test]
fn a_pool_that_is_too_small_is_the_loads_fault_and_says_how_many_it_takes() {
    // 10 / 40 ms = 250/s; 400/s x 40 ms = 16, and three times its root more
    let trial = starved(0.04, Some(0.039));
    assert_eq!(kinds(&trial), [(Connections, true)]);
    let because = &doubts(&trial)[0].because;
    for words in [
        "10 connections carry 250 requests/s at most",
        "takes 40.0 ms",
        "`-c 28`",
    ] {
        assert!(because.contains(words), "`{words}`: {because}");
    }
}

#[test]
fn a_server_that_lets_requests_wait_for_each_other_is_still_blamed() {
    // half of the connections, half of the time
    assert_eq!(kinds(&starved(0.04, Some(0.02))), [(RateNotHeld, false)]);
    assert_eq!(kinds(&starved(0.04, Some(0.026))), [(RateNotHeld, false)]);
    assert_eq!(kinds(&starved(0.04, Some(0.027))), [(Connections, true)]);
    // nobody was sent while it had little to do
    assert_eq!(kinds(&starved(0.04, None)), [(RateNotHeld, false)]);
}

#[test]
fn connections_that_could_have_carried_the_rate_are_not_blamed() {
    // 10 / 20 ms = 500/s: a stall, and not the number of connections
    assert_eq!(kinds(&starved(0.02, Some(0.02))), [(RateNotHeld, false)]);
}

#[test]
fn a_single_connection_never_makes_a_server_queue() {
    let mut one = starved(0.04, None);
    let load = &mut facts(&mut one).load;
    load.connections = 1;
    assert_eq!(kinds(&one), [(Connections, true)]);
}

#[test]
fn streams_are_connections_too_and_the_highest_rate_counts() {
    let mut streams = starved(0.04, Some(0.04));
    let load = &mut facts(&mut streams).load;
    load.spoken = Some(Spoken {
        streams: 2,
        ..Spoken::default()
    });
    // 20 / 40 ms = 500/s
    assert_eq!(kinds(&streams), [(RateNotHeld, false)]);
    let load = &mut facts(&mut streams).load;
    if let Shape::Open(arrivals) = &mut load.shape {
        arrivals.segments = Arrivals::ramp(&[200.0, 600.0], 2.5);
    }
    assert_eq!(kinds(&streams), [(Connections, true)]);
    // 600/s x 40 ms = 24, and 15 more, two on each connection
    let because = &doubts(&streams)[0].because;
    assert!(because.contains("`-c 20`"), "{because}");
}

/// The same, with a server that takes 2 ms, and users that slept for so many seconds of the 25 of all connections.
fn slept(seconds: f64) -> Trial {
    let mut trial = starved(0.002, Some(0.002));
    facts(&mut trial).load.asleep = seconds;
    trial
}

#[test]
fn connections_whose_users_slept_were_too_few_for_the_rate() {
    // 39.7 ms asleep for each of 600 requests: 10 / 41.7 ms = 240/s; 400/s x 41.7 ms = 16.7, and three times its root more
    let trial = slept(23.8);
    assert_eq!(kinds(&trial), [(Connections, true)]);
    let doubt = &doubts(&trial)[0];
    for words in [
        "10 connections carry 240 requests/s at most",
        "its user sleeps for 39.7 ms before it (9.52 of 10 users were asleep on average)",
        "`-c 29`",
    ] {
        assert!(doubt.because.contains(words), "`{words}`: {doubt:?}");
    }
    assert!(doubt.because.contains("takes at least 29 "), "{doubt:?}");
    assert!(doubt.advice.contains("users that slept"), "{doubt:?}");
    // one that sleeps for 2 s: 400/s x 2.002 s = 801, and three times its root more
    let mut whole = slept(23.8);
    let load = &mut facts(&mut whole).load;
    (load.connections, load.slept, load.sleeps) = (1, 20.0, 10);
    assert_eq!(kinds(&whole), [(Connections, true)]);
    let because = &doubts(&whole)[0].because;
    for words in [
        "1 connection carries ",
        "sleeps for 2.00 s",
        "takes about 886 ",
    ] {
        assert!(because.contains(words), "`{words}`: {because}");
    }
    // nobody slept, and the connections could have carried it
    assert_eq!(kinds(&slept(0.0)), [(RateNotHeld, false)]);
}

#[test]
fn a_server_that_is_blamed_is_told_with_the_users_that_slept() {
    let told = |asleep: f64| {
        let mut trial = starved(0.04, Some(0.02));
        facts(&mut trial).load.asleep = asleep;
        assert_eq!(kinds(&trial), [(RateNotHeld, false)]);
        doubts(&trial).remove(0)
    };
    let some = told(5.0);
    let asleep = "; 2.00 of 10 users were asleep on average";
    assert!(some.because.ends_with(asleep), "{some:?}");
    assert!(some.advice.contains("whose user did not sleep"), "{some:?}");
    let none = told(0.0);
    assert!(!none.because.contains("asleep"), "{none:?}");
    let busy = "the server held every connection busy: ";
    assert!(none.advice.starts_with(busy), "{none:?}");
}

#[test]
fn requests_that_waited_for_users_that_slept_do_not_hang() {
    let advice = |asleep: f64| {
        let mut trial = slept(asleep);
        let load = &mut facts(&mut trial).load;
        load.drained = 10;
        load.drain = Some(DrainFacts {
            unanswered: 390,
            cut_off: 390,
            ..DrainFacts::default()
        });
        let mut doubts = doubts(&trial).into_iter();
        let unanswered = doubts.find(|doubt| doubt.kind == Unanswered);
        unanswered.unwrap().advice
    };
    let asleep = advice(23.8);
    assert!(asleep.contains("waited for users"), "{asleep}");
    let awake = advice(0.0);
    assert!(awake.contains("they hang"), "{awake}");
}
