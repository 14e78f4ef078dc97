//! Servers that stall, or take their time for each answer.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use load::{Event, Job};
use record::{LoadFacts, Retry};
use testkit::{Gate, ScriptedPeer, Step};

use crate::common::{run, run_until};
use crate::{ok, open};

/// Runs the load, and opens the gate once its window has lasted for so long, by the window's own clock: on a busy machine it
/// begins some time after it has opened.
pub(super) fn run_with_stall(job: &Job, gate: &Gate, stall: Duration) -> LoadFacts {
    let facts = run_until(job, &AtomicBool::new(false), &mut |event| {
        if matches!(&event, Event::Tick(tick) if tick.elapsed > stall.as_secs_f64()) {
            gate.open();
        }
    });
    facts.unwrap()
}

/// A peer that answers `quick` requests on each connection at once, and the others only when the
/// gate is open.
pub(super) fn stalling(quick: usize, gate: &Gate) -> ScriptedPeer {
    let held = gate.clone();
    ScriptedPeer::tcp(move |_| {
        let mut script = vec![
            Step::Times(quick, vec![Step::Read, Step::Send(ok())]),
            Step::Read,
            Step::Await(held.clone()),
            Step::Send(ok()),
        ];
        script.extend(Step::serve(ok()));
        script
    })
}

/// A server that takes its time for each answer.
pub(super) struct Slow {
    pub(super) address: std::net::SocketAddr,
}

impl Slow {
    pub(super) fn start(time: Duration) -> Self {
        use std::io::{Read as _, Write as _};
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        std::thread::spawn(move || {
            for stream in listener.incoming().take(2) {
                let mut stream = stream.unwrap();
                std::thread::spawn(move || {
                    let mut buffer = [0; 4096];
                    while stream.read(&mut buffer).is_ok_and(|length| length > 0) {
                        let began = Instant::now();
                        // The time is the server's work, not a test's waiting.
                        while began.elapsed() < time {
                            std::thread::park_timeout(time.saturating_sub(began.elapsed()));
                        }
                        if stream.write_all(&ok()).is_err() {
                            break;
                        }
                    }
                });
            }
        });
        Self { address }
    }
}

#[test]
fn what_waited_for_its_connection_is_not_tried_again_for_that() {
    let peer = ScriptedPeer::tcp(|_| Step::serve(ok()));
    // 2 connections carry 200 requests/s, so that those of the window's second half have waited for longer than 0.3 s
    let slow = Slow::start(Duration::from_millis(10));
    let mut job = open(&peer, 600.0, 0.8);
    job.target = record::Target::Tcp(slow.address);
    job.load.retry = Some(Retry {
        times: 3,
        after: Some(0.3),
        backoff: 0.0,
    });
    let facts = run(&job).unwrap();
    assert!(facts.waited.max().unwrap() > 0.3);
    assert_eq!((facts.retries, facts.timed_out), (0, 0));
    assert_eq!(facts.completed + facts.drained, 480);
}
