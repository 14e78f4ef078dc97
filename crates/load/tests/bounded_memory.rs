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
    job.load.amount = Amount::Seconds(1.0);
    run(&job).unwrap();
    let before = resident();
    job.load.amount = Amount::Seconds(3.0);
    let facts = run(&job).unwrap();
    let grown = resident().saturating_sub(before);
    assert!(facts.completed > 1_000);
    assert!(
        grown < 4 << 20,
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
