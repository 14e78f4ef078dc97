//! Times against those that the server itself has kept, whatever the machine does meanwhile.

mod common;

use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use common::{job, run_until};
use load::{Event, Job};
use record::{Amount, Arrivals, Distribution, LoadFacts, Process, Shape, Target, WarmUpPlan};
use testkit::{Account, Origin, Speech, Turn};

/// What a histogram of three significant digits may be off.
const RESOLUTION: f64 = 0.001;

/// Runs a load; when its window opened and when all was over, by the origin's clock.
fn observed(job: &Job, origin: &Origin) -> (LoadFacts, u64, u64) {
    let (mut opened, mut closed) = (0, 0);
    let facts = run_until(job, &AtomicBool::new(false), &mut |event| match event {
        Event::Opened(_) => opened = origin.now(),
        Event::Closed(_) => closed = origin.now(),
        _ => {}
    });
    (facts.unwrap(), opened, closed)
}

fn to(origin: &Origin, connections: u32) -> Job {
    let mut job = job(Target::Tcp(origin.address()));
    job.load.connections = connections;
    job.load.threads = 2;
    job
}

/// Mostly 1 to 2 ms, one in six 8 to 10 ms, one in fifty 40 to 44 ms.
fn mixed(number: u64) -> Duration {
    // Knuth's multiplicative hash: the numbers are scattered, and the same in each run
    let drawn = number.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
    let (kind, fraction) = (drawn % 300, drawn / 300 % 1_000);
    Duration::from_micros(match kind {
        0..6 => 40_000 + 4 * fraction,
        6..56 => 8_000 + 2 * fraction,
        _ => 1_000 + fraction,
    })
}

#[test]
fn each_quantile_lies_between_what_the_server_saw_and_what_it_can_have_taken() {
    let origin = Origin::start(Speech::Http1, |number| Turn::Answer(mixed(number)));
    let mut job = to(&origin, 16);
    job.load.amount = Amount::Requests(20_000);
    job.load.warm_up = WarmUpPlan::Requests(160);
    let (facts, opened, closed) = observed(&job, &origin);
    let (least, most) = origin.account().bounds(opened, closed);
    assert_eq!((least.len(), facts.completed), (20_000, 20_000));
    for (name, times) in [("service", &facts.service), ("response", &facts.response)] {
        assert_eq!(times.count(), 20_000);
        for q in [0.5, 0.9, 0.99, 0.999, 1.0] {
            let rank = (q * least.len() as f64).ceil() as usize - 1;
            let [least, most] = [&least, &most].map(|all| all[rank] as f64 / 1e9);
            let told = times.quantile(q).unwrap();
            assert!(
                (least * (1.0 - RESOLUTION)..=most * (1.0 + RESOLUTION)).contains(&told),
                "{q} of {name}: {told}, not between {least} and {most}"
            );
        }
        let mean = |of: &[u64]| of.iter().sum::<u64>() as f64 / of.len() as f64 / 1e9;
        let told = times.mean().unwrap();
        assert!(told >= mean(&least) * (1.0 - RESOLUTION), "{name}: {told}");
        assert!(told <= mean(&most) * (1.0 + RESOLUTION), "{name}: {told}");
    }
}

/// When the server stalls, after its first request, and how long.
const STALL: (Duration, Duration) = (Duration::from_millis(300), Duration::from_secs(1));

/// Answers at once, but for what comes while it stalls: that is held until the stall is over.
fn stalling() -> Origin {
    let first = OnceLock::new();
    Origin::start(Speech::Http1, move |_| {
        let since = first.get_or_init(Instant::now).elapsed();
        let stalled = since.checked_sub(STALL.0);
        Turn::Answer(stalled.map_or(Duration::ZERO, |stalled| STALL.1.saturating_sub(stalled)))
    })
}

/// Nanoseconds: when the first request came that was held, and when the first of them was let go.
fn stall(account: &Account) -> (u64, u64) {
    let held = || account.exchanges().filter(|exchange| exchange.delay > 0);
    let began = held().map(|exchange| exchange.received).min().unwrap();
    let ended = held().map(|exchange| exchange.answered).min().unwrap();
    (began, ended)
}

/// Those that took at least so many seconds.
fn beyond(times: &Distribution, least: f64) -> u64 {
    let long = times.cells().filter(|(seconds, _)| *seconds >= least);
    long.map(|(_, count)| count).sum()
}

/// Requests at equal gaps of `1 / rate` s over two seconds, into a server that stalls for one.
fn into_a_stall(rate: f64) -> f64 {
    let origin = stalling();
    let mut job = to(&origin, 10);
    job.load.amount = Amount::Seconds(2.0);
    job.load.shape = Shape::Open(Arrivals {
        process: Process::Constant,
        segments: Arrivals::steady(rate),
        max_outstanding: Arrivals::MAX_OUTSTANDING,
        seed: 1,
    });
    let (facts, opened, _) = observed(&job, &origin);
    let account = origin.account();
    let (began, ended) = stall(&account);
    let response = &facts.response;
    assert_eq!(response.count(), 2 * rate as u64);
    // What fell due in the stall and in the window had no response before the stall was over: the
    // truth is at least this many, and any machine's lateness only adds to them.
    let last = ended.min(opened + 2_000_000_000);
    let fell_due = |least: f64| {
        let until = last.min(ended - (least * 1e9) as u64);
        (until.saturating_sub(began) as f64 / 1e9 * rate - 1.0).max(0.0)
    };
    for least in [0.1, 0.25, 0.5, 0.75, 0.9] {
        let (told, truth) = (beyond(response, least), fell_due(least));
        assert!(
            told as f64 >= truth,
            "{rate}/s, {least} s: {told} of {truth}"
        );
    }
    assert!(
        fell_due(0.5) >= 0.4 * rate,
        "the window lasted for the stall"
    );
    // The connections were busy with what was held; what waited for them was never on the wire.
    assert!(beyond(&facts.service, 0.5) < beyond(response, 0.5));
    assert!(
        beyond(&facts.waited, 0.1) > 0,
        "and it is said who made them wait"
    );
    response.quantile(0.99).unwrap()
}

#[test]
fn a_stall_is_in_the_response_times_at_every_rate_and_once_per_connection_in_a_closed_loop() {
    let open: Vec<f64> = std::thread::scope(|scope| {
        let rates = [50.0, 500.0, 2_000.0];
        let runs = rates.map(|rate| scope.spawn(move || into_a_stall(rate)));
        runs.into_iter().map(|run| run.join().unwrap()).collect()
    });
    let origin = stalling();
    let mut job = to(&origin, 10);
    job.load.amount = Amount::Seconds(2.0);
    let (facts, ..) = observed(&job, &origin);
    let account = origin.account();
    let held = account.exchanges().filter(|of| of.delay > 0).count() as u64;
    assert!(held <= 10, "{held}");
    assert_eq!(beyond(&facts.response, 0.5), held);
    let closed = facts.response.quantile(0.99).unwrap();
    assert!(
        open.iter().all(|open| *open > 3.0 * closed),
        "{open:?} {closed}"
    );
}
