//! Answers that are wrong, or do not come.

use load::LoadError;
use record::{Amount, Cause, Target};
use testkit::{Gate, Refusing, ScriptedPeer, Step, answer};

use super::said;
use crate::common::{job, run, to};

/// One connection misbehaves, the others are right: the failure is counted under its name.
fn one_bad(script: Vec<Step>) -> record::LoadFacts {
    let peer = ScriptedPeer::tcp(move |connection| {
        if connection == 0 {
            script.clone()
        } else {
            Step::serve(answer(200, &[], "ok"))
        }
    });
    run(&to(&peer)).unwrap()
}

#[test]
fn each_failure_has_its_name() {
    let send = |text: &str| Step::Send(text.into());
    let head = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf";
    let twice = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nok";
    let endless = format!("HTTP/1.1 200 OK\r\nX: {}", "y".repeat(300_000));
    for (cause, example, script) in [
        (Cause::ClosedBeforeAnswer, "", vec![Step::Read, Step::Close]),
        (Cause::ResetBeforeAnswer, "", vec![Step::Read, Step::Reset]),
        (
            Cause::Truncated,
            "4 bytes of the body: `half`",
            vec![Step::Read, send(head), Step::Close],
        ),
        (
            Cause::Truncated,
            "0 bytes of the body: ``",
            vec![Step::Read, send("HTTP/1.1 2"), Step::Close],
        ),
        (
            Cause::Malformed,
            "the head does not parse: `SSH-2.0-x`",
            vec![Step::Read, send("SSH-2.0-x"), Step::Stall],
        ),
        (
            Cause::Malformed,
            "content-length is invalid or contradicts itself: `HTTP/1.1 200",
            vec![Step::Read, send(twice)],
        ),
        (
            Cause::Malformed,
            "the head is too long: `",
            vec![Step::Read, send(&endless), Step::Stall],
        ),
        (
            Cause::Malformed,
            "bytes after the end of the response: `HTTP/1.1 200",
            vec![
                Step::Read,
                send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nok"),
            ],
        ),
        (
            Cause::Malformed,
            "the chunked coding is broken",
            vec![
                Step::Read,
                send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n"),
            ],
        ),
    ] {
        let facts = one_bad(script.clone());
        assert_eq!(
            facts.failed,
            [(cause, 1)].into(),
            "{script:?}: {:?}",
            facts.examples
        );
        assert_eq!(facts.completed, 19, "{script:?}");
        let seen = facts.examples.get(&cause).map_or("", String::as_str);
        assert!(seen.starts_with(example), "{seen}");
    }
}

#[test]
fn a_reset_inside_the_answer_has_its_name() {
    // The reset must not overtake what was sent: the peer waits until the client has it.
    let gate = Gate::new();
    let held = gate.clone();
    let peer = ScriptedPeer::tcp(move |connection| {
        let half = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf";
        let bad = vec![
            Step::Read,
            Step::Send(half.into()),
            Step::Await(held.clone()),
            Step::Reset,
        ];
        if connection == 0 {
            bad
        } else {
            Step::serve(answer(200, &[], "ok"))
        }
    });
    let mut job = to(&peer);
    job.load.amount = Amount::Requests(10_000);
    let facts = std::thread::scope(|scope| {
        let load = scope.spawn(|| run(&job));
        // By then the other connection has gone round many times, and so has the event loop.
        assert!(testkit::eventually(
            std::time::Duration::from_secs(30),
            || peer.requests().len() > 2_000
        ));
        gate.open();
        load.join().unwrap().unwrap()
    });
    assert_eq!(facts.failed, [(Cause::ResetInAnswer, 1)].into());
}

#[test]
fn an_endless_body_does_not_starve_the_time_limit() {
    let peer = ScriptedPeer::tcp(|connection| {
        let flood = vec![Step::Send(vec![b'x'; 1 << 20])];
        let head = Step::Send(b"HTTP/1.1 200 OK\r\n\r\n".to_vec());
        let endless = vec![Step::Read, head, Step::Forever(flood)];
        if connection == 0 {
            endless
        } else {
            Step::serve(answer(200, &[], "ok"))
        }
    });
    let mut job = to(&peer);
    job.load.timeout = 1.0;
    let facts = run(&job).unwrap();
    assert_eq!((facts.completed, facts.timed_out), (19, 1));
}

#[test]
fn stalled() {
    for amount in [Amount::Requests(4), Amount::Seconds(0.1)] {
        let peer = ScriptedPeer::tcp(|_| vec![Step::Read, Step::Stall]);
        let mut job = to(&peer);
        job.load.timeout = 0.2;
        job.load.amount = amount;
        let (text, hint) = said(run(&job));
        assert!(
            text.ends_with("was answered correctly: no response within 0.2 s"),
            "{text}"
        );
        assert!(
            hint.contains("accepts connections and does not answer"),
            "{hint}"
        );
    }
}

#[test]
fn a_connection_that_keeps_failing_pauses() {
    let port = Refusing::new();
    let mut job = job(Target::Tcp(port.address()));
    job.load.amount = Amount::Seconds(0.4);
    let LoadError::Unreachable { attempts, .. } = run(&job).unwrap_err() else {
        panic!()
    };
    // Pauses of 1, 2, 4 … 100 ms: a spinning client would have tried thousands of times.
    assert!(attempts < 40, "{attempts}");
}
