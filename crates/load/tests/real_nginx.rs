//! The load engine against the real thing.

use crate::common::{self, job, run};
use load::Body;
use record::{Amount, Cause, Target, WarmUpPlan};
use testkit::Nginx;

#[test]
fn nginx_over_tcp_and_unix() {
    let nginx = Nginx::start("location / { return 200 \"ok\\n\"; }");
    for target in [Target::Tcp(nginx.address()), Target::Unix(nginx.path())] {
        for keep_alive in [true, false] {
            let mut job = job(target.clone());
            job.load.connections = 17;
            job.load.threads = 2;
            job.load.keep_alive = keep_alive;
            job.load.warm_up = WarmUpPlan::Requests(100);
            job.load.amount = Amount::Requests(2_000);
            common::part(&mut job).expected.body = Body::Exact(b"ok\n".to_vec());
            let facts = run(&job).unwrap();
            assert_eq!(
                (facts.completed, facts.failures(), facts.timed_out),
                (2_000, 0, 0)
            );
            let connects = if keep_alive { 17 } else { 2_000 };
            assert_eq!(facts.connects, connects);
        }
    }
}

#[test]
fn nginx_closes_kept_connections_now_and_then() {
    // Legal, announced, and counted by wrk as hundreds of thousands of "read errors" (wg/wrk#219).
    let nginx = Nginx::start("keepalive_requests 10; location / { return 200 \"ok\\n\"; }");
    let mut job = job(Target::Tcp(nginx.address()));
    job.load.amount = Amount::Requests(1_000);
    let facts = run(&job).unwrap();
    assert_eq!((facts.completed, facts.failures()), (1_000, 0));
    assert!((100..=102).contains(&facts.connects), "{}", facts.connects);
}

#[test]
fn nginx_errors_are_failures() {
    let nginx = Nginx::start("location / { return 503; }");
    let error = run(&job(Target::Tcp(nginx.address())))
        .unwrap_err()
        .to_string();
    assert!(
        error.contains(Cause::Status.words()) && error.contains("status 503"),
        "{error}"
    );
}
