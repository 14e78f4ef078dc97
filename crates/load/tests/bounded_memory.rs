//! What a load keeps does not depend on how long it runs. Alone in its process, whose memory it reads.

mod common;

use std::sync::atomic::AtomicBool;

use common::{job, run_until};
use load::Event;
use record::{Amount, Target};
use testkit::Nginx;

/// More than hey keeps.
const REQUESTS: u64 = 1_100_000;

#[test]
fn each_time_is_kept_in_memory_that_does_not_grow() {
    let nginx = Nginx::start("keepalive_requests 10000000; location / { return 200 \"ok\\n\"; }");
    let mut job = job(Target::Tcp(nginx.address()));
    job.load.connections = 50;
    job.load.amount = Amount::Requests(REQUESTS);
    let mut seen = Vec::new();
    let facts = run_until(&job, &AtomicBool::new(false), &mut |event| {
        if let Event::Tick(tick) = event {
            seen.push((tick.completed as f64, resident() as f64));
        }
    })
    .unwrap();
    // hey keeps the first million, and divides the sum of all by them; h2load keeps a sample.
    for times in [&facts.response, &facts.service, &facts.first_byte] {
        assert_eq!(times.count(), REQUESTS);
    }
    let each = growth(&seen);
    assert!(each < 1.0, "{each} bytes for each request: {seen:?}");
}

/// Bytes for each request, by requests answered and resident bytes: the median of the slopes between
/// looks that are far apart (Theil and Sen). oha and k6 keep every sample. A time that no other took
/// touches a page of its own now and then, the more of them the earlier; that is no slope.
fn growth(seen: &[(f64, f64)]) -> f64 {
    let warm = seen
        .iter()
        .filter(|(completed, _)| *completed > 0.2 * REQUESTS as f64);
    let pairs = warm
        .clone()
        .flat_map(|one| warm.clone().map(move |other| (one, other)));
    let far = pairs.filter(|(one, other)| other.0 - one.0 >= 0.2 * REQUESTS as f64);
    let mut slopes: Vec<f64> = far
        .map(|(one, other)| (other.1 - one.1) / (other.0 - one.0))
        .collect();
    slopes.sort_unstable_by(f64::total_cmp);
    slopes[slopes.len() / 2]
}

/// Resident memory of this process, bytes, counted page by page: what `/proc/self/status` says is
/// late by some hundred pages.
fn resident() -> u64 {
    let process = procfs::process::Process::myself().unwrap();
    let all = process.smaps_rollup().unwrap().memory_map_rollup;
    all.0.iter().map(|map| map.extension.map["Rss"]).sum()
}
