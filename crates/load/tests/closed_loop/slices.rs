//! A load that takes turns: its window in slices, each led in to, and idle in between.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use load::{Event, Pace, Slice, Turn, Turns};
use record::{Amount, LoadFacts, Shape, Target, WarmUpPlan};
use testkit::{Origin, ScriptedPeer, Speech, Step};

use super::ok;
use crate::common::{job, to};

/// So many slices of 0.2 s, 0.1 s of load before each.
struct Slices(u32, Vec<Pace>);

impl Turns for Slices {
    fn next(&mut self, pace: Pace) -> Turn {
        self.1.push(pace);
        if self.1.len() as u32 > self.0 {
            return Turn::Over;
        }
        Turn::Slice(Slice {
            lead: 0.1,
            spread: 0.0,
            length: 0.2,
            trails: false,
        })
    }
}

/// A server that takes 10 ms for each answer.
fn slow() -> Origin {
    Origin::start(Speech::Http1, |_| {
        testkit::Turn::Answer(Duration::from_millis(10))
    })
}

fn in_turn(origin: &Origin, slices: u32, events: &mut dyn FnMut(Event)) -> LoadFacts {
    let mut job = job(Target::Tcp(origin.address()));
    job.load.warm_up = WarmUpPlan::Seconds(0.5);
    job.load.amount = Amount::Seconds(1.0);
    let mut turns = Slices(slices, Vec::new());
    let facts = load::run_in_turns(&job, &AtomicBool::new(false), &mut turns, events).unwrap();
    let warm = turns.1[0];
    assert!(warm.rate > 0.0 && warm.p90 >= 0.01, "{warm:?}");
    facts
}

#[test]
fn a_window_in_slices_is_the_sum_of_them() {
    let origin = slow();
    let mut told = Vec::new();
    let facts = in_turn(&origin, 4, &mut |event| match event {
        Event::Opened(_) => told.push("opened"),
        Event::Paused(_) => told.push("paused"),
        Event::Resumed(_) => told.push("resumed"),
        Event::Closed(_) => told.push("closed"),
        _ => {}
    });
    let between = ["paused", "resumed"].repeat(3);
    let wanted = [&["opened"][..], &between, &["paused", "closed"]].concat();
    assert_eq!(told, wanted);
    let slices = facts.slices.unwrap();
    assert_eq!(slices.count, 4);
    assert!(slices.led > 0, "{slices:?}");
    assert!((facts.seconds - 0.8).abs() < 0.2, "{}", facts.seconds);
    assert_eq!(facts.scheduled, facts.accounted());
    // two connections are under way at the end of each slice, and when the next opens
    assert!(
        facts.in_flight <= 8 && facts.in_flight == facts.drained,
        "{facts:?}"
    );
    let all = facts.completed + facts.drained + slices.led;
    let asked = origin.account().received - facts.warm_up.requests;
    assert_eq!(all, asked, "{facts:?}");
    let share = facts.counted_share();
    assert!(share > 0.5 && share < 0.9, "a third leads in: {share}");
    assert_eq!(facts.connects, 2, "they stay open from slice to slice");
    assert_eq!(facts.intervals.len(), 4);
    let within: u64 = facts.intervals.iter().map(|of| of.completed).sum();
    assert_eq!(within, facts.completed);
}

/// Whoever looks at a server then sees one that is asked. What is told of a slice as a whole comes when that is over.
#[test]
fn between_two_slices_nothing_is_there_to_be_looked_at() {
    let (mut paused, mut ticks) = (false, 0);
    in_turn(&slow(), 3, &mut |event| match event {
        Event::Paused(_) => paused = true,
        Event::Resumed(_) => paused = false,
        Event::Look => assert!(!paused),
        Event::Tick(_) if paused => ticks += 1,
        _ => {}
    });
    assert_eq!(ticks, 3, "one of each slice as a whole");
}

/// Slices that are over before a tenth of a second is.
#[test]
fn short_slices_are_looked_at_as_well() {
    struct Short(u32);
    impl Turns for Short {
        fn next(&mut self, _: Pace) -> Turn {
            self.0 += 1;
            let slice = Slice {
                lead: 0.02,
                spread: 0.0,
                length: 0.03,
                trails: false,
            };
            if self.0 > 20 {
                Turn::Over
            } else {
                Turn::Slice(slice)
            }
        }
    }
    let origin = slow();
    let mut job = job(Target::Tcp(origin.address()));
    job.load.warm_up = WarmUpPlan::Seconds(0.1);
    job.load.amount = Amount::Seconds(1.0);
    let (stop, mut looks) = (AtomicBool::new(false), 0);
    load::run_in_turns(&job, &stop, &mut Short(0), &mut |event| {
        looks += u32::from(event == Event::Look);
    })
    .unwrap();
    // on a busy machine some come too late
    assert!(looks > 0, "{looks} looks");
}

/// Little's law holds to the slot-second, though requests are under way when a slice opens.
#[test]
fn each_slot_second_of_slices_is_somewhere() {
    let facts = in_turn(&slow(), 5, &mut |_| ());
    let time = facts.slot_time.unwrap();
    let response = facts.response.mean().unwrap() * facts.response.count() as f64;
    let seen = response - time.beyond + time.carried + time.failed + time.thought + time.idle;
    let wanted = 2.0 * facts.seconds;
    assert!(
        (seen / wanted - 1.0).abs() < 0.01,
        "{seen} of {wanted}: {time:?}"
    );
}

/// Where every response takes 50 ms, connections that begin at once stay in step: a slice that opens after 100 ms and lasts
/// for two and a half responses sees two waves of them. Spread over one response, it sees what they carry (Little's law).
#[test]
fn connections_that_begin_one_after_the_other_are_not_in_step() {
    struct Spread(u32);
    impl Turns for Spread {
        fn next(&mut self, _: Pace) -> Turn {
            self.0 += 1;
            let slice = Slice {
                lead: 0.1,
                spread: 0.05,
                length: 0.125,
                trails: false,
            };
            if self.0 > 6 {
                Turn::Over
            } else {
                Turn::Slice(slice)
            }
        }
    }
    let origin = Origin::start(Speech::Http1, |_| {
        testkit::Turn::Answer(Duration::from_millis(50))
    });
    let mut job = job(Target::Tcp(origin.address()));
    job.load.connections = 20;
    job.load.warm_up = WarmUpPlan::Seconds(0.1);
    job.load.amount = Amount::Seconds(1.0);
    let stop = AtomicBool::new(false);
    let facts = load::run_in_turns(&job, &stop, &mut Spread(0), &mut |_| ()).unwrap();
    let carried = facts.completed as f64 / facts.seconds * facts.response.mean().unwrap();
    // in step they would be 16
    assert!(
        (17.0..24.0).contains(&carried),
        "{carried} of 20: {facts:?}"
    );
    assert_eq!(facts.scheduled, facts.accounted());
}

/// Nine of ten responses take 10 ms, and one 100 ms: whoever is under way when a slice opens or ends is a slow one more often
/// than not. Counted at both ends, they would be more than a tenth.
#[test]
fn slow_responses_are_as_many_as_they_are() {
    let asked = AtomicU64::new(0);
    let origin = Origin::start(Speech::Http1, move |_| {
        let slow = asked.fetch_add(1, Ordering::Relaxed).is_multiple_of(10);
        testkit::Turn::Answer(Duration::from_millis(if slow { 100 } else { 10 }))
    });
    let mut job = job(Target::Tcp(origin.address()));
    job.load.connections = 20;
    job.load.warm_up = WarmUpPlan::Seconds(0.1);
    job.load.amount = Amount::Seconds(1.0);
    let stop = AtomicBool::new(false);
    let mut turns = Slices(12, Vec::new());
    let facts = load::run_in_turns(&job, &stop, &mut turns, &mut |_| ()).unwrap();
    let slow: u64 = (facts.response.cells())
        .filter(|(seconds, _)| *seconds > 0.08)
        .map(|(_, count)| count)
        .sum();
    let share = slow as f64 / facts.response.count() as f64;
    assert!((0.085..0.125).contains(&share), "{share} of {facts:?}");
    assert_eq!(facts.scheduled, facts.accounted());
}

#[test]
fn a_turn_may_be_the_whole_window() {
    struct Whole;
    impl Turns for Whole {
        fn next(&mut self, _: Pace) -> Turn {
            Turn::Whole
        }
    }
    let peer = ScriptedPeer::tcp(|_| Step::serve(ok()));
    let mut job = to(&peer);
    job.load.amount = Amount::Seconds(0.2);
    let facts = load::run_in_turns(&job, &AtomicBool::new(false), &mut Whole, &mut |_| ());
    let facts = facts.unwrap();
    assert!(facts.completed > 0 && facts.slices.is_none(), "{facts:?}");
}

#[test]
fn what_waits_or_goes_by_count_is_not_cut() {
    let peer = ScriptedPeer::tcp(|_| Step::serve(ok()));
    let by_count = to(&peer);
    let mut waits = to(&peer);
    waits.load.amount = Amount::Seconds(0.2);
    waits.load.shape = Shape::Closed {
        think: 0.1,
        spread: record::Spread::Fixed,
    };
    for job in [by_count, waits] {
        let mut turns = Slices(2, Vec::new());
        let refused = load::run_in_turns(&job, &AtomicBool::new(false), &mut turns, &mut |_| ());
        let said = refused.unwrap_err().to_string();
        assert!(said.contains("by time and without think time"), "{said}");
    }
}
