//! Doubts about the machine and who else is on it.

use judge::DoubtKind::{Crowd, GeneratorSaturated, QueueFull, Retransmits, StolenCpu};
use record::{Cause, CrowdFacts, CrowdFigures, Habit, NetworkFacts};

use super::spoiled;
use crate::lab::{self, doubts, facts, kinds, trial};

#[test]
fn a_busy_generator_is_told_and_a_saturated_one_disqualifies() {
    let busy = |share| spoiled(|facts| facts.load.engine.busiest = share);
    assert_eq!(kinds(&busy(0.69)), []);
    assert_eq!(kinds(&busy(0.70)), [(GeneratorSaturated, false)]);
    assert_eq!(kinds(&busy(0.89)), [(GeneratorSaturated, false)]);
    assert_eq!(kinds(&busy(0.90)), [(GeneratorSaturated, true)]);
    let because = &doubts(&busy(0.97))[0].because;
    // 0.2 s of CPU a second at 400 requests a second
    assert!(
        because.contains("97.0 %") && because.contains("500 us"),
        "{because}"
    );
}

#[test]
fn stolen_time_disqualifies_once_it_is_more_than_a_tick() {
    let stolen = |share| spoiled(|facts| facts.stolen = share);
    assert_eq!(kinds(&stolen(0.05)), []);
    assert_eq!(kinds(&stolen(0.06)), [(StolenCpu, true)]);
    // 0.12 s x 2 cores x 10 % = 24 ms: two ticks
    let mut brief = trial(0, "a", REQUESTS_IN_120_MS);
    facts(&mut brief).stolen = 0.1;
    assert_eq!(kinds(&brief), [(StolenCpu, false)]);
}

const REQUESTS_IN_120_MS: f64 = lab::REQUESTS as f64 / 0.12;

#[test]
fn a_crowd_that_is_not_all_there_is_told() {
    let beside = |complete| {
        spoiled(move |facts| {
            let figures = |wanted| CrowdFigures {
                wanted,
                failed: [(Cause::Refused, 7)].into(),
                ..CrowdFigures::default()
            };
            facts.load.crowd = Some(CrowdFacts {
                complete,
                habits: [(Habit::Idle, figures(50)), (Habit::Reset, figures(900))].into(),
                ..CrowdFacts::default()
            });
        })
    };
    assert_eq!(kinds(&beside(true)), []);
    let lacking = beside(false);
    assert_eq!(kinds(&lacking), [(Crowd, false)]);
    let because = &doubts(&lacking)[0].because;
    assert!(because.contains("50 connections"), "{because}");
    assert!(because.contains("(7 failed)"), "{because}");
}

#[test]
fn full_queues_and_lost_segments_are_told() {
    let seen = |sent_again, queue_full| {
        spoiled(move |facts| {
            facts.load.network = Some(NetworkFacts {
                segments: 10_000,
                sent_again,
                queue_full,
            });
        })
    };
    assert_eq!(kinds(&seen(9, 0)), []);
    assert_eq!(kinds(&seen(10, 0)), [(Retransmits, false)]);
    let full = seen(0, 3);
    assert_eq!(kinds(&full), [(QueueFull, false)]);
    let because = &doubts(&full)[0].because;
    assert_eq!(because, "3 connections met a full accept queue");
}
