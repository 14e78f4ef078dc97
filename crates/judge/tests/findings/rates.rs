//! Loads at a rate, and of clients that think: each rule by facts that it is about, and by the nearest ones that it is not about.

use super::changed;
use crate::lab::stage::{RATE, at_a_rate, first, found, kinds, process, slots, times};
use judge::{Cost, FindingKind};
use record::{Arrivals, Distribution, Measured, Pause, PauseFacts, Process, Shape, Spread};

/// A hundred requests a second, each answered after 100 ms, by an app server with so many slots that takes so long for one alone.
fn rate(count: Option<f64>, alone: f64) -> impl Fn(&mut Measured) {
    move |facts| {
        slots(facts, count, alone);
        at_a_rate(facts, RATE);
    }
}

#[test]
fn slots_are_full_where_more_requests_come_than_they_take_at_once() {
    let full = first(rate(Some(2.0), 0.02));
    assert_eq!(full.finding.kind, FindingKind::SlotsFull);
    let because = &full.finding.because;
    let queue = "about 80.0 ms were a wait for a worker; 8.00 requests waited on average, and \
                 became no more)";
    assert!(because.contains(queue), "{because}");
    assert_eq!(changed(&full), "server.workers = 5");
    assert_eq!(full.finding.cost, Cost::Knob);
    assert_eq!(full.finding.gain, None, "all that is asked is answered");
    assert_eq!(kinds(rate(Some(64.0), 0.09)), []);
}

#[test]
fn more_workers_bring_no_more_than_is_asked_for() {
    let grows = first(|facts: &mut Measured| {
        slots(facts, Some(2.0), 0.02);
        at_a_rate(facts, 2.0 * RATE);
    });
    assert_eq!(grows.finding.kind, FindingKind::SlotsFull);
    let because = &grows.finding.because;
    assert!(because.contains("became more, as more came"), "{because}");
    let gain = grows.finding.gain.unwrap();
    assert!((gain - 2.0).abs() < 1e-9, "{gain}");
}

/// Requests that come at random wait for a core, too, and for workers that compute.
#[test]
fn workers_that_compute_for_half_of_the_time_are_no_reason() {
    let used = |cores: f64| {
        kinds(move |facts: &mut Measured| {
            rate(Some(2.0), 0.02)(facts);
            facts.processes[0] = process("gunicorn", cores);
        })
    };
    assert_eq!(used(0.45), [FindingKind::SlotsFull]);
    assert_eq!(used(0.55), []);
}

#[test]
fn requests_that_meet_wait_for_each_other_at_a_rate_too() {
    assert_eq!(kinds(rate(None, 0.02)), [FindingKind::AppWaits]);
    assert_eq!(kinds(rate(None, 0.09)), []);
    let apart = |facts: &mut Measured| {
        rate(None, 0.002)(facts);
        facts.load.service = times(0.009);
    };
    assert_eq!(kinds(apart), [], "hardly two of them met");
}

#[test]
fn connections_that_requests_wait_for_are_too_few() {
    let waited = |count: u64, service: f64| {
        move |facts: &mut Measured| {
            rate(Some(64.0), 0.09)(facts);
            facts.load.service = times(service);
            (0..count).for_each(|_| facts.load.waited.record(60_000_000));
        }
    };
    let few = first(waited(600, 0.1));
    assert_eq!(few.finding.kind, FindingKind::FewClients);
    let because = &few.finding.because;
    let words = "requests waited for a free one of 10 connections for 36";
    assert!(because.starts_with(words), "{because}");
    assert_eq!(changed(&few), "load.connections = 20");
    assert_eq!(
        (few.finding.gain, few.finding.cost),
        (None, Cost::Measurement)
    );
    assert_eq!(kinds(waited(200, 0.1)), []);
    assert_eq!(kinds(waited(600, 0.04)), [], "most are free");
    // what cannot be answered waits for the stack
    let overloaded = kinds(|facts: &mut Measured| {
        waited(600, 0.1)(facts);
        at_a_rate(facts, 2.0 * RATE);
    });
    assert_eq!(overloaded, []);
}

/// For two seconds nothing came, and what fell due in them waited until they were over.
fn pause(facts: &mut Measured) {
    let (from, until) = (1.0, 3.0);
    facts.load.silent = Some(PauseFacts {
        longest: until - from,
        total: until - from,
        suspended: 0.0,
        stretches: vec![Pause { from, until }],
    });
    (1..=200).for_each(|request| facts.load.response.record(request * 10_000_000));
}

#[test]
fn nothing_that_comes_for_as_long_as_many_fell_due_is_a_pause() {
    let paused = |facts: &mut Measured| {
        rate(None, 0.09)(facts);
        pause(facts);
    };
    let found = found(paused);
    let all: Vec<_> = found.iter().map(|of| of.finding.kind).collect();
    assert_eq!(all, [FindingKind::Pauses]);
    assert_eq!(found[0].finding.gain, None, "all was answered in the end");
    let nobody_waited = kinds(|facts: &mut Measured| {
        paused(facts);
        facts.load.response = times(0.1);
    });
    assert_eq!(nobody_waited, []);
    // a rate that changes may be next to none for a while
    let changes = kinds(|facts: &mut Measured| {
        paused(facts);
        facts.load.shape = Shape::Open(Arrivals {
            process: Process::Poisson,
            segments: Arrivals::ramp(&[1.0, 199.0], 10.0),
            max_outstanding: 100,
            seed: 1,
        });
    });
    assert_eq!(changes, []);
}

/// Ten users who think for 50 ms and wait for 50.
fn thinking(facts: &mut Measured) {
    facts.load.shape = Shape::Closed {
        think: 0.05,
        spread: Spread::Fixed,
    };
    facts.load.response = times(0.05);
    facts.load.service = times(0.05);
    facts.load.asleep = 50.0;
}

#[test]
fn users_who_think_are_too_few_where_nothing_lacks() {
    let few = first(|facts: &mut Measured| {
        slots(facts, Some(64.0), 0.05);
        thinking(facts);
    });
    assert_eq!(few.finding.kind, FindingKind::FewClients);
    let because = &few.finding.because;
    assert!(because.contains("sleeps for 50.0 ms"), "{because}");
    let gain = few.finding.gain.unwrap();
    assert!((gain - 2.5).abs() < 0.01, "{gain}");
}

#[test]
fn more_workers_bring_users_who_think_no_more_than_their_waits() {
    let full = first(|facts: &mut Measured| {
        slots(facts, Some(2.0), 0.02);
        thinking(facts);
    });
    assert_eq!(full.finding.kind, FindingKind::SlotsFull);
    let gain = full.finding.gain.unwrap();
    assert!((gain - 2.0).abs() < 0.01, "{gain}");
}

/// Users who all think at once are silent for as long.
#[test]
fn a_silence_in_which_users_think_is_no_pause() {
    let silent = |sleep: f64| {
        kinds(move |facts: &mut Measured| {
            slots(facts, Some(64.0), 0.05);
            thinking(facts);
            pause(facts);
            facts.load.response = Distribution::default();
            (0..990).for_each(|_| facts.load.response.record(50_000_000));
            (0..10).for_each(|_| facts.load.response.record(2_000_000_000));
            facts.load.asleep = 1_000.0 * sleep;
        })
        .contains(&FindingKind::Pauses)
    };
    assert!(silent(0.05));
    assert!(!silent(1.9));
}
