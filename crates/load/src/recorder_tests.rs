//! What is told of times that are known, with the clock handed in.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};
use record::{Arrivals as Plan, Process, TimeLimit};

use super::*;
use crate::arrivals::{Arrivals, Span, WorkerShare};
use crate::schedule::{Queue, Schedule};

const MILLISECOND: f64 = 1e6;
const SAMPLES: usize = 50_000;

/// In nanoseconds.
type Draw = fn(&mut Random) -> f64;

const UNIFORM: Draw = |random| random.between(0.02, 3.0) * MILLISECOND;
const CONSTANT: Draw = |_| 1.25 * MILLISECOND;
/// Median 400 µs, with a tail to some tens of milliseconds.
const LOGNORMAL: Draw = |random| (random.normal() * 0.9).exp() * 0.4 * MILLISECOND;
/// A cache that is hit 19 times of 20.
const BIMODAL: Draw = |random| {
    let (low, high) = match random.between(0.0, 20.0) {
        ..19.0 => (0.03, 0.06),
        _ => (8.0, 12.0),
    };
    random.between(low, high) * MILLISECOND
};
const ALL: [(&str, Draw); 4] = [
    ("uniform", UNIFORM),
    ("constant", CONSTANT),
    ("lognormal", LOGNORMAL),
    ("bimodal", BIMODAL),
];

struct Random(ChaCha8Rng);

impl Random {
    fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * ((self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64)
    }

    /// Mean 0, variance 1: the sum of twelve uniforms, which is close enough for a shape.
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.between(0.0, 1.0)).sum::<f64>() - 6.0
    }
}

fn flight(due: u64, sent: u64, first_byte: u64) -> Flight {
    let mut flight = Flight::default();
    flight.begin(due);
    (flight.ready, flight.sent, flight.first_byte) = (sent, sent, first_byte);
    flight
}

/// Each quantile is the exact order statistic within three significant digits.
fn is_told(what: &str, told: &Distribution, mut exact: Vec<u64>) {
    exact.sort_unstable();
    assert_eq!(told.count(), exact.len() as u64, "{what}");
    for q in [0.0001, 0.01, 0.5, 0.9, 0.99, 0.999, 0.9999, 1.0] {
        let rank = (q * exact.len() as f64).ceil() as usize;
        let (told, truth) = (told.quantile(q).unwrap() * 1e9, exact[rank - 1] as f64);
        let off = (told - truth).abs();
        assert!(off <= 0.001 * truth, "{what}, {q}: {told}, not {truth}");
    }
    let told = told.max().unwrap() * 1e9;
    let truth = exact[exact.len() - 1] as f64;
    assert!((told / truth - 1.0).abs() <= 0.001, "{what}, max: {told}");
}

#[test]
fn each_quantile_of_each_time_is_exact_within_the_resolution() {
    for (seed, (name, draw)) in (1..).zip(ALL) {
        let mut random = Random::new(seed);
        // Two workers, whose records are merged.
        let mut records = [0, 1].map(|_| Recorder::new(0, None, 0, 100));
        let mut exact: [Vec<u64>; 4] = Default::default();
        let mut clock = 0;
        for number in 0..SAMPLES {
            let mut drawn = || draw(&mut random) as u64;
            let (waited, to_first_byte, body) = (drawn(), drawn(), drawn());
            let sent = clock + waited;
            let done = sent + to_first_byte + body;
            let flight = flight(clock, sent, sent + to_first_byte);
            let record = &mut records[number % 2];
            record.facts.scheduled += 1;
            if number % 10 == 0 {
                record.drained(&flight, done);
            } else {
                record.completed(&flight, done);
            }
            let times = [done - clock, done - sent, to_first_byte, body];
            for (all, time) in exact.iter_mut().zip(times) {
                all.push(time);
            }
            clock += 100_000;
        }
        let [mut told, other] = records;
        told.merge(other);
        assert_eq!(
            (told.facts.completed + told.facts.drained) as usize,
            SAMPLES
        );
        let all = [
            &told.facts.response,
            &told.facts.service,
            &told.facts.first_byte,
            &told.facts.body,
        ];
        for (told, exact) in all.into_iter().zip(exact) {
            is_told(name, told, exact);
        }
    }
}

#[test]
fn what_timed_out_is_in_the_quantiles_as_long_as_it_was_waited_for() {
    let limit = 50_000_000;
    let mut random = Random::new(9);
    let mut record = Recorder::new(0, None, 0, 100);
    let mut exact = Vec::new();
    for number in 0..SAMPLES as u64 {
        let (due, sent) = (number * 10_000, number * 10_000 + 700);
        let service = LOGNORMAL(&mut random) as u64;
        if number % 50 == 0 {
            // Never sent, or sent and not answered: its user waited until the limit.
            match number % 100 {
                0 => record.gave_up(due, limit, false),
                _ => record.timed_out(&flight(due, sent, 0), TimeLimit::Whole, due + limit, false),
            }
            exact.push(limit);
        } else {
            record.completed(&flight(due, sent, sent + 1), sent + service);
            exact.push(service + 700);
        }
    }
    assert_eq!(record.facts.timed_out, SAMPLES as u64 / 50);
    // p99 and above are the limit: left out, they would be the tail of those that were answered.
    is_told("censored", &record.facts.response, exact);
    let sent = SAMPLES as u64 - SAMPLES as u64 / 100;
    assert_eq!(record.facts.service.count(), sent);
}

/// One that was sent late, one whose connection did not open, and two that were given none: those that were due for longest come
/// first, and what they waited for a connection is told apart.
#[test]
fn the_slowest_are_those_that_were_due_for_longest_whether_they_were_sent_or_not() {
    let millisecond = 1_000_000;
    let mut record = Recorder::new(0, None, 1, 100);
    let late = flight(0, 30 * millisecond, 35 * millisecond);
    record.slowest.keep(&late, 40 * millisecond, 0, 3, None);
    let opening = flight(0, 0, 0);
    record.slowest.keep(&opening, 20 * millisecond, 0, 0, None);
    record.gave_up(10 * millisecond, 50 * millisecond, false);
    record.never_sent(60 * millisecond, 70 * millisecond);
    let told = record.slowest.told(&["home".to_owned()]);
    let told: Vec<_> = told
        .iter()
        .map(|slow| {
            let times = [slow.response, slow.waited, slow.due];
            let times = times.map(|time| (time * 1e3).round() as u64);
            (times, slow.is_unsent(), slow.name.is_some())
        })
        .collect();
    let wanted = [
        ([50, 50, 10], true, false),
        ([40, 30, 0], false, true),
        ([20, 20, 0], true, true),
        ([10, 10, 60], true, false),
    ];
    assert_eq!(told, wanted);
    assert_eq!(record.facts.response.count(), 2);
}

/// Arrivals at equal gaps, served one at a time over a single connection, as the worker does it:
/// what is due is taken when the connection is free, or the connection waits for what is ahead.
fn serve(gap: u64, mut service: impl FnMut(u64) -> u64) -> (Recorder, Vec<u64>, Vec<u64>) {
    let plan = Plan {
        process: Process::Constant,
        segments: Plan::steady(1e9 / gap as f64),
        max_outstanding: Plan::MAX_OUTSTANDING,
        seed: 1,
    };
    let span = Span {
        start: 0,
        length: None,
        requests: Some(SAMPLES as u64),
    };
    let part = WorkerShare {
        worker: 0,
        workers: 1,
        connections: 1,
    };
    let arrivals = Arrivals::new(&plan, 1, span, part);
    let mut schedule = Schedule::Queue(Box::new(Queue::arrivals(arrivals, usize::MAX)));
    let mut record = Recorder::new(0, None, 0, 100);
    let (mut free, mut number, mut services) = (0, 0, Vec::new());
    while !schedule.is_over() {
        let (due, sent) = if let Some(due) = schedule.next(free) {
            (due, free)
        } else {
            let ahead = schedule.ahead();
            (schedule.take(ahead).unwrap(), ahead)
        };
        let taken = service(number);
        free = sent + taken;
        record.facts.scheduled += 1;
        record.completed(&flight(due, sent, sent), free);
        services.push(taken);
        number += 1;
    }
    // Lindley's recursion (1952): who comes `gap` later waits for what is left of the one before.
    let mut waited = 0;
    let truth = services.iter().map(|service| {
        let response = waited + service;
        waited = response.saturating_sub(gap);
        response
    });
    let truth = truth.collect();
    (record, services, truth)
}

#[test]
fn response_times_of_an_open_loop_are_those_of_the_queue_in_front_of_the_server() {
    for (seed, (name, draw)) in (21..).zip(ALL) {
        let mut random = Random::new(seed);
        // A utilisation of 70 to 85 % or so.
        let (record, services, truth) = serve(1_900_000, |_| draw(&mut random) as u64);
        assert_eq!(record.facts.completed as usize, SAMPLES);
        is_told(name, &record.facts.service, services);
        is_told(name, &record.facts.response, truth);
    }
}

#[test]
fn a_stall_of_a_second_is_in_the_response_times_at_every_rate() {
    for gap in [20_000_000, 2_000_000, 500_000] {
        let stall = |number| match number {
            100 => 1_000_000_000,
            _ => 200_000,
        };
        let (record, services, truth) = serve(gap, stall);
        let slow = truth.iter().filter(|time| **time > 500_000_000).count();
        // Half of what fell due in it, whatever the rate.
        assert!(slow as f64 >= 0.5e9 / gap as f64, "{slow}");
        is_told("stalled", &record.facts.response, truth);
        is_told("stalled", &record.facts.service, services);
    }
}
