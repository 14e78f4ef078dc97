//! Clients that try again, and those that give up.

use load::LoadError;
use record::{Amount, Cause, Retry, TimeLimit};
use testkit::{ScriptedPeer, Step, answer};

use super::ok;
use crate::common::{self, run, to};

#[test]
fn what_failed_is_tried_again() {
    // Every other answer is a 503.
    let steps = vec![
        Step::Read,
        Step::Send(answer(503, &[], "busy")),
        Step::Read,
        Step::Send(ok()),
    ];
    let peer = ScriptedPeer::tcp(move |_| vec![Step::Forever(steps.clone())]);
    for backoff in [0.0, 0.001] {
        let mut job = to(&peer);
        job.load.retry = Some(Retry {
            times: 2,
            after: None,
            backoff,
        });
        let facts = run(&job).unwrap();
        assert_eq!((facts.completed, facts.failures()), (20, 0));
        assert_eq!(facts.retries, 20, "one for each");
        assert_eq!(facts.statuses.get(&503), Some(&20));
    }
}

#[test]
fn a_client_gives_up_after_so_many_tries() {
    let busy = answer(503, &[], "busy");
    let peer = ScriptedPeer::tcp(move |connection| {
        if connection == 0 {
            Step::serve(busy.clone())
        } else {
            Step::serve(ok())
        }
    });
    let mut job = to(&peer);
    job.load.amount = Amount::Requests(10);
    job.load.retry = Some(Retry {
        times: 3,
        after: None,
        backoff: 0.0,
    });
    let facts = run(&job).unwrap();
    assert_eq!(facts.completed + facts.failures(), 10);
    assert_eq!(facts.failed.get(&Cause::Status), Some(&facts.failures()));
    assert_eq!(facts.retries, 3 * facts.failures());
    assert_eq!(peer.requests().len() as u64, 10 + facts.retries);
}

#[test]
fn what_is_slow_is_asked_again_while_the_server_still_works_on_it() {
    // The first connection never answers; whoever asked there asks again elsewhere.
    let peer = ScriptedPeer::tcp(move |connection| {
        if connection == 0 {
            vec![Step::Read, Step::Stall]
        } else {
            Step::serve(ok())
        }
    });
    let mut job = to(&peer);
    job.load.retry = Some(Retry {
        times: 5,
        after: Some(0.1),
        backoff: 0.0,
    });
    let facts = run(&job).unwrap();
    assert_eq!((facts.completed, facts.timed_out), (20, 0));
    assert!(facts.retries >= 1);
    // What the user waits begins with the first try.
    assert!(facts.response.max().unwrap() >= 0.0999);
}

#[test]
fn each_attempt_is_given_up_in_its_turn_and_the_last_with_the_whole() {
    let peer = ScriptedPeer::tcp(move |connection| {
        if connection < 3 {
            vec![Step::Read, Step::Stall]
        } else {
            Step::serve(ok())
        }
    });
    let mut job = to(&peer);
    job.load.connections = 1;
    // long beside what a busy machine adds to the others
    job.load.timeout = 2.5;
    job.load.retry = Some(Retry {
        times: 2,
        after: Some(0.5),
        backoff: 0.0,
    });
    let facts = run(&job).unwrap();
    assert_eq!((facts.retries, facts.timed_out), (2, 1));
    assert_eq!(facts.completed + 1, facts.scheduled);
}

#[test]
fn each_limit_has_its_name() {
    let stalled = ScriptedPeer::tcp(|connection| match connection {
        0 => vec![Step::Read, Step::Stall],
        1 => vec![
            Step::Read,
            Step::Send(b"HTTP/1.1 200 OK\r\n".to_vec()),
            Step::Stall,
        ],
        _ => Step::serve(ok()),
    });
    let mut job = to(&stalled);
    job.load.timeout = 2.0;
    job.load.first_byte_timeout = Some(0.6);
    let facts = run(&job).unwrap();
    let of = |limit| facts.time_limits.get(&limit).copied().unwrap_or(0);
    assert_eq!((of(TimeLimit::FirstByte), of(TimeLimit::Whole)), (1, 1));
    assert_eq!((facts.timed_out, facts.completed), (2, 18));

    let full = testkit::UnacceptingUnix::new();
    let mut job = common::job(record::Target::Unix(full.path()));
    job.load.timeout = 0.3;
    job.load.connect_timeout = Some(0.1);
    assert!(matches!(
        run(&job),
        Err(LoadError::NothingRight { .. } | LoadError::Unreachable { .. })
    ));
}

#[test]
fn every_try_has_its_limits_and_so_has_the_whole() {
    let peer = ScriptedPeer::tcp(|connection| {
        if connection < 8 {
            vec![Step::Read, Step::Stall]
        } else {
            Step::serve(ok())
        }
    });
    for keep_alive in [true, false] {
        let mut job = to(&peer);
        job.load.connections = 1;
        job.load.keep_alive = keep_alive;
        job.load.amount = Amount::Requests(5);
        job.load.timeout = 0.35;
        job.load.retry = Some(Retry {
            times: 2,
            after: Some(0.05),
            backoff: 0.0,
        });
        let facts = run(&job).unwrap();
        assert_eq!(facts.completed + facts.timed_out, 5, "{facts:?}");
        if keep_alive {
            // Two requests, each tried three times, and two tries of the third.
            assert_eq!((facts.timed_out, facts.retries), (2, 6));
        } else {
            assert_eq!((facts.timed_out, facts.retries), (0, 0));
        }
    }
}

/// The last try may end in the same moment as the client's patience: nothing is sent after that.
#[test]
fn who_has_no_time_left_does_not_ask_anew() {
    let peer = ScriptedPeer::tcp(|connection| match connection {
        0 => Step::serve(ok()),
        _ => vec![Step::Read, Step::Stall],
    });
    let mut job = to(&peer);
    job.load.connections = 100;
    job.load.threads = 1;
    job.load.amount = Amount::Requests(400);
    job.load.warm_up = record::WarmUpPlan::None;
    job.load.timeout = 0.05;
    job.load.retry = Some(Retry {
        times: 1,
        after: Some(0.049_999),
        backoff: 0.0,
    });
    let facts = run(&job).unwrap();
    assert!(facts.timed_out >= 99, "{}", facts.timed_out);
    let (service, response) = (facts.service.max(), facts.response.max());
    assert!(service <= response, "{service:?} {response:?}");
}
