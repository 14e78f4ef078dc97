//! Memory does not depend on how long a load runs. Alone in its process, whose peak it reads.

mod common;

use common::{job, run};
use record::{Amount, Target};
use testkit::Nginx;

#[test]
fn a_longer_load_takes_no_more_memory() {
    // oha and k6 keep every sample.
    let nginx = Nginx::start("keepalive_requests 1000000; location / { return 200 \"ok\\n\"; }");
    let mut job = job(Target::Tcp(nginx.address()));
    job.load.connections = 50;
    // Long enough for the distributions to have met their longest times.
    job.load.amount = Amount::Requests(200_000);
    run(&job).unwrap();
    let before = resident();
    job.load.amount = Amount::Requests(1_000_000);
    let facts = run(&job).unwrap();
    let grown = resident().saturating_sub(before);
    assert!(
        grown < 8 * 800_000, // one number for each of the others
        "{grown} bytes for {} requests",
        facts.completed
    );
}

/// Peak resident memory of this process, bytes.
fn resident() -> u64 {
    let status = procfs::process::Process::myself()
        .unwrap()
        .status()
        .unwrap();
    status.vmhwm.unwrap() * 1024
}
