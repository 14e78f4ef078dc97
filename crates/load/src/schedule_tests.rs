//! Schedules with the clock handed in.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng as _;
use record::{Process, Spread};

use super::*;
use crate::arrivals::{Span, WorkerShare};

const MILLISECOND: u64 = 1_000_000;

/// A request per millisecond from 0 on, of which `most` may wait.
fn open(most: usize) -> Schedule<'static> {
    let plan = record::Arrivals {
        process: Process::Constant,
        segments: record::Arrivals::steady(1_000.0),
        max_outstanding: 1,
        seed: 1,
    };
    let span = Span {
        start: 0,
        length: Some(100 * MILLISECOND),
        requests: None,
    };
    let part = WorkerShare {
        worker: 0,
        workers: 1,
        connections: 1,
    };
    Schedule::Queue(Box::new(Queue::arrivals(
        Arrivals::new(&plan, 0, span, part),
        most,
    )))
}

#[test]
fn the_schedule_is_kept_however_late_a_connection_is_free() {
    let mut schedule = open(1_000);
    assert_eq!(schedule.next(0), Some(0));
    assert_eq!(schedule.next(0), None);
    assert_eq!(schedule.ahead(), MILLISECOND);
    // It was busy for 50 ms: each request that fell due meanwhile has its own due time.
    for due in 1..=50 {
        assert_eq!(schedule.next(50 * MILLISECOND), Some(due * MILLISECOND));
    }
    assert_eq!(schedule.next(50 * MILLISECOND), None);
    let rest = schedule.close(60 * MILLISECOND);
    assert_eq!((rest.waiting, rest.dropped), (10, 0));
    assert_eq!(rest.last, 60 * MILLISECOND);
    // What fell due before the end is still sent, nothing else is.
    assert!(!schedule.is_over());
    assert_eq!(schedule.next(200 * MILLISECOND), Some(51 * MILLISECOND));
    while schedule.next(200 * MILLISECOND).is_some() {}
    assert!(schedule.is_over() && schedule.ahead() == u64::MAX);
}

#[test]
fn what_falls_due_beyond_the_bound_is_dropped_and_counted() {
    let mut schedule = open(3);
    assert_eq!(schedule.next(0), Some(0));
    // 1 to 3 wait; 4 to 10 found three waiting. The answer at 10 makes room for what follows.
    assert_eq!(schedule.next(10 * MILLISECOND), Some(MILLISECOND));
    assert_eq!(schedule.next(11 * MILLISECOND), Some(2 * MILLISECOND));
    let rest = schedule.close(11 * MILLISECOND);
    assert_eq!((rest.waiting, rest.dropped), (2, 7));
    assert_eq!(schedule.next(12 * MILLISECOND), Some(3 * MILLISECOND));
    assert_eq!(schedule.next(12 * MILLISECOND), Some(11 * MILLISECOND));
    assert_eq!(schedule.next(12 * MILLISECOND), None);
}

#[test]
fn a_window_by_time_is_not_over_before_its_time() {
    let mut schedule = open(1_000);
    while schedule.next(99 * MILLISECOND).is_some() {}
    assert!(schedule.ahead() == u64::MAX && !schedule.is_over());
    schedule.close(100 * MILLISECOND);
    assert!(schedule.is_over());
}

#[test]
fn a_think_time_passes_between_an_answer_and_the_next_request() {
    let think = Think {
        spread: Spread::Fixed,
        random: ChaCha8Rng::seed_from_u64(1),
        time: 10 * MILLISECOND,
        quota: None,
        connections: 2,
        begun: 0,
        thought: 0,
        dry: Vec::new(),
    };
    let mut schedule = Schedule::Queue(Box::new(Queue::think(think)));
    // The first requests are spread over one think time.
    assert_eq!(schedule.first(0), Some(0));
    assert_eq!(schedule.first(0), None);
    assert_eq!(schedule.ahead(), 5 * MILLISECOND);
    assert_eq!(schedule.next(MILLISECOND), None);
    assert_eq!(schedule.take(5 * MILLISECOND), Some(5 * MILLISECOND));
    assert_eq!(schedule.take(10 * MILLISECOND), None);
    assert_eq!(schedule.take(11 * MILLISECOND), Some(11 * MILLISECOND));
    assert!(schedule.is_over());
}

#[test]
fn think_times_scatter_around_their_mean() {
    for spread in [Spread::Uniform, Spread::Exponential] {
        let mut think = Think {
            time: 1_000_000,
            spread,
            random: ChaCha8Rng::seed_from_u64(7),
            quota: None,
            connections: 1,
            begun: 1,
            thought: 0,
            dry: Vec::new(),
        };
        let pauses: Vec<f64> = (0..50_000).map(|_| think.pause() as f64 / 1e6).collect();
        let mean = pauses.iter().sum::<f64>() / pauses.len() as f64;
        assert!((mean - 1.0).abs() < 0.02, "{spread:?}: {mean}");
        let short =
            pauses.iter().filter(|pause| **pause < 0.5).count() as f64 / pauses.len() as f64;
        let wanted = match spread {
            Spread::Uniform => 0.25,
            _ => 1.0 - (-0.5_f64).exp(),
        };
        assert!((short - wanted).abs() < 0.01, "{spread:?}: {short}");
    }
}
