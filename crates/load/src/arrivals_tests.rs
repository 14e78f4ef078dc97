//! Schedules against the mathematics they claim, without a clock.

use super::*;

const SECOND: u64 = 1_000_000_000;

fn plan(process: Process, segments: Vec<Segment>) -> record::Arrivals {
    record::Arrivals {
        process,
        segments,
        max_outstanding: 1_000,
        seed: 7,
    }
}

fn steady(process: Process, rate: f64) -> record::Arrivals {
    plan(process, record::Arrivals::steady(rate))
}

/// Every worker's due times in a window of `length` or of `requests`, which begins at 5.
fn parts(
    plan: &record::Arrivals,
    (workers, connections): (u64, u64),
    length: Option<u64>,
    requests: Option<u64>,
) -> Vec<Vec<u64>> {
    let span = Span {
        start: 5,
        length,
        requests,
    };
    (0..workers)
        .map(|worker| {
            let part = WorkerShare {
                worker,
                workers,
                connections,
            };
            let mut arrivals = Arrivals::new(plan, 1, span, part);
            std::iter::from_fn(move || arrivals.take(u64::MAX - 1)).collect()
        })
        .collect()
}

fn union(parts: &[Vec<u64>]) -> Vec<u64> {
    let mut all = parts.concat();
    all.sort_unstable();
    all
}

fn gaps(times: &[u64]) -> Vec<f64> {
    times
        .windows(2)
        .map(|pair| (pair[1] - pair[0]) as f64 / 1e9)
        .collect()
}

#[test]
fn equal_gaps_are_equal_over_all_workers_together() {
    // wrk2 with fewer requests per second than threads, and with odd shares, misses its rate.
    for workers in [(1, 1), (2, 2), (3, 10), (4, 5), (2, 100)] {
        let times = parts(
            &steady(Process::Constant, 1_000.0),
            workers,
            Some(10 * SECOND),
            None,
        );
        let per_connection = 10_000.0 / workers.1 as f64;
        for (worker, times) in (0..).zip(&times) {
            let lines = (0..workers.1)
                .filter(|line| line % workers.0 == worker)
                .count();
            assert!((times.len() as f64 - per_connection * lines as f64).abs() < 1.0);
        }
        let times = union(&times);
        assert_eq!(times.len(), 10_000);
        assert_eq!((times[0], times[9_999]), (5, 9_999_000_005));
        assert!(times.windows(2).all(|pair| pair[1] - pair[0] == 1_000_000));
    }
}

#[test]
fn low_and_fractional_rates_are_exact() {
    for (rate, seconds, expected) in [
        (0.5, 10, 5),
        (0.5, 1, 1),
        (2.5, 4, 10),
        (0.7, 10, 7),
        (1.0 / 3.0, 9, 3),
        (0.01, 1_000, 10),
    ] {
        let plan = steady(Process::Constant, rate);
        let times = union(&parts(&plan, (3, 10), Some(seconds * SECOND), None));
        assert_eq!(times.len(), expected, "{rate}/s for {seconds} s");
    }
}

#[test]
fn a_number_of_requests_is_exact() {
    for process in [Process::Constant, Process::Poisson] {
        for requests in [0, 1, 4, 1_003] {
            let times = parts(&steady(process, 700.0), (3, 10), None, Some(requests));
            assert_eq!(union(&times).len() as u64, requests);
        }
    }
}

#[test]
fn poisson_gaps_are_exponential_and_independent() {
    let times = union(&parts(
        &steady(Process::Poisson, 2_000.0),
        (3, 10),
        Some(50 * SECOND),
        None,
    ));
    // A count of mean m has a standard deviation of √m; five of them are out of reach by chance.
    let count = times.len() as f64;
    assert!(
        (count - 100_000.0).abs() < 5.0 * 100_000f64.sqrt(),
        "{count}"
    );
    let mut gaps = gaps(&times);
    let following: Vec<(f64, f64)> = gaps.windows(2).map(|pair| (pair[0], pair[1])).collect();
    let correlation = correlation(&following);
    assert!(correlation.abs() < 5.0 / count.sqrt(), "{correlation}");
    // Kolmogorov and Smirnov: sup |F - F_n| is below 1.95 / √n with probability 0.999.
    gaps.sort_unstable_by(f64::total_cmp);
    let n = gaps.len() as f64;
    let distance = gaps.iter().enumerate().fold(0.0, |most: f64, (at, gap)| {
        let truth = 1.0 - (-2_000.0 * gap).exp();
        most.max((truth - at as f64 / n).abs())
            .max(((at + 1) as f64 / n - truth).abs())
    });
    assert!(distance < 1.95 / n.sqrt(), "{distance}");
}

fn correlation(pairs: &[(f64, f64)]) -> f64 {
    let n = pairs.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>() / n;
    let (a, b) = (mean(|pair| pair.0), mean(|pair| pair.1));
    let product = |f: fn(f64, f64) -> f64| {
        pairs
            .iter()
            .map(|pair| f(pair.0 - a, pair.1 - b))
            .sum::<f64>()
    };
    product(|a, b| a * b) / (product(|a, _| a * a) * product(|_, b| b * b)).sqrt()
}

#[test]
fn the_times_depend_on_the_seed_and_on_nothing_else() {
    let of = |workers, plan: &record::Arrivals| union(&parts(plan, workers, Some(SECOND), None));
    let poisson = steady(Process::Poisson, 1_000.0);
    assert_eq!(of((1, 1), &poisson), of((3, 10), &poisson));
    let other = record::Arrivals {
        seed: 8,
        ..poisson.clone()
    };
    assert_ne!(of((1, 1), &poisson), of((1, 1), &other));
}

#[test]
fn a_ramp_has_its_rate_at_every_moment() {
    let ramp = record::Arrivals::ramp(&[100.0, 1_000.0], 10.0);
    let times = union(&parts(
        &plan(Process::Constant, ramp.clone()),
        (3, 10),
        Some(10 * SECOND),
        None,
    ));
    assert_eq!(times.len(), 5_500);
    for second in 0..10u64 {
        let within = |time: &&u64| (**time - 5) / SECOND == second;
        let seen = times.iter().filter(within).count() as f64;
        let wanted = 100.0 + 90.0 * (second as f64 + 0.5);
        assert!(
            (seen - wanted).abs() <= 1.0,
            "second {second}: {seen} of {wanted}"
        );
    }
    let poisson = plan(Process::Poisson, ramp);
    let count = union(&parts(&poisson, (1, 1), Some(10 * SECOND), None)).len() as f64;
    assert!((count - 5_500.0).abs() < 5.0 * 5_500f64.sqrt(), "{count}");
}

#[test]
fn rates_may_begin_and_end_at_nothing_and_jump() {
    let count = |segments, seconds: u64| {
        let plan = plan(Process::Constant, segments);
        union(&parts(&plan, (2, 4), Some(seconds * SECOND), None)).len()
    };
    assert_eq!(count(record::Arrivals::ramp(&[0.0, 100.0], 10.0), 10), 500);
    assert_eq!(count(record::Arrivals::ramp(&[100.0, 0.0], 10.0), 20), 500);
    assert_eq!(
        count(record::Arrivals::ramp(&[0.0, 100.0, 0.0], 10.0), 10),
        500
    );
    assert_eq!(count(record::Arrivals::steps(&[100.0, 300.0], 4.0), 4), 800);
    // The last rate holds.
    assert_eq!(
        count(record::Arrivals::steps(&[100.0, 300.0], 4.0), 6),
        1_400
    );
}
