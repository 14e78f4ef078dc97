//! Every answer and every failure that a server can think of: read rightly, or named rightly.

mod common;

use common::{job, run, to};
use load::{Body, LoadError, Trouble};
use record::{Amount, Cause, Target};
use testkit::{Gate, Refusing, ScriptedPeer, Step, UnacceptingUnix, answer};

/// Answers that are right although they are ugly; the body is always `hello`.
fn ugly() -> Vec<(&'static str, Vec<Step>)> {
    let send = |text: &str| Step::Send(text.into());
    let each = |steps: Vec<Step>| vec![Step::Forever([vec![Step::Read], steps].concat())];
    let once = |steps: Vec<Step>| [vec![Step::Read], steps].concat();
    let whole = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
    let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;ext=\"x\"\r\nhe\r\n3\r\nllo\r\n0\r\nTrailer: t\r\n\r\n";
    vec![
        ("byte by byte", each(vec![Step::SendBytewise(whole.into())])),
        ("chunked", each(vec![send(chunked)])),
        (
            "chunked byte by byte",
            each(vec![Step::SendBytewise(chunked.into())]),
        ),
        (
            "interim first",
            each(vec![send("HTTP/1.1 103 Early Hints\r\n\r\n"), send(whole)]),
        ),
        (
            "until close",
            once(vec![
                send("HTTP/1.1 200 OK\r\n\r\nhel"),
                send("lo"),
                Step::Close,
            ]),
        ),
        (
            "1.0 until close",
            once(vec![send("HTTP/1.0 200 OK\r\n\r\nhello"), Step::Close]),
        ),
        (
            "1.0 with length",
            once(vec![send(
                "HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nhello",
            )]),
        ),
        (
            "close announced",
            once(vec![send(
                "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello",
            )]),
        ),
        ("close not announced", once(vec![send(whole), Step::Close])),
        (
            "bare line feeds",
            each(vec![send("HTTP/1.1 200 OK\nContent-Length: 5\n\nhello")]),
        ),
        (
            "before the request",
            vec![Step::Forever(vec![Step::Read, send(whole)])],
        ),
    ]
}

#[test]
fn ugly_answers_are_read_rightly() {
    for (name, script) in ugly() {
        let peer = ScriptedPeer::tcp(move |_| script.clone());
        let mut job = to(&peer);
        common::part(&mut job).expected.body = Body::Exact(b"hello".to_vec());
        let facts = run(&job).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(
            (facts.completed, facts.failures()),
            (20, 0),
            "{name}: {:?}",
            facts.examples
        );
    }
}

#[test]
fn answers_without_a_body() {
    for (method, status, head) in [
        (
            "HEAD",
            200,
            "HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n",
        ),
        ("GET", 204, "HTTP/1.1 204 No Content\r\n\r\n"),
        (
            "GET",
            304,
            "HTTP/1.1 304 Not Modified\r\nContent-Length: 500\r\n\r\n",
        ),
    ] {
        let peer = ScriptedPeer::tcp(move |_| Step::serve(head));
        let mut job = to(&peer);
        common::part(&mut job).request.method = method.to_owned();
        common::part(&mut job).expected.status = load::Status::Is(status);
        let facts = run(&job).unwrap();
        assert_eq!((facts.completed, facts.connects), (20, 2), "{status}");
        let sent = peer.requests().remove(0);
        assert!(sent.starts_with(method.as_bytes()));
    }
}

#[test]
fn a_large_body_is_checked_to_its_last_byte() {
    let body = "0123456789abcdef".repeat(40_000); // 640 kB, many reads
    for (last, right) in [("f", true), ("g", false)] {
        let sent = format!("{}{last}", &body[..body.len() - 1]);
        let peer = ScriptedPeer::tcp(move |_| Step::serve(answer(200, &[], &sent)));
        let mut job = to(&peer);
        common::part(&mut job).expected.body = Body::Exact(body.clone().into_bytes());
        let outcome = run(&job);
        assert_eq!(outcome.is_ok(), right, "{:?}", outcome.err());
    }
}

#[test]
fn a_request_larger_than_the_socket_takes_is_sent_whole() {
    let peer = ScriptedPeer::tcp(|_| Step::serve(answer(200, &[], "ok")));
    let mut job = to(&peer);
    job.load.amount = Amount::Requests(2);
    common::part(&mut job)
        .request
        .headers
        .push(("x-long".to_owned(), "y".repeat(8_000_000)));
    assert_eq!(run(&job).unwrap().completed, 2);
    assert!(
        peer.requests()
            .iter()
            .all(|request| request.len() > 8_000_000)
    );
}

#[test]
fn an_answer_before_the_request_is_whole_ends_its_connection() {
    // It never reads the request, which does not fit into the socket's buffers.
    let peer = ScriptedPeer::tcp(|_| {
        let early = Step::Send(answer(413, &[], "too large"));
        vec![early, Step::Await(Gate::new())]
    });
    let mut job = to(&peer);
    job.load.amount = Amount::Requests(4);
    common::part(&mut job).expected.status = load::Status::Is(413);
    common::part(&mut job)
        .request
        .headers
        .push(("x-long".to_owned(), "y".repeat(8_000_000)));
    let facts = run(&job).unwrap();
    assert_eq!((facts.completed, facts.connects), (4, 4));
}

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
            "bytes after the end of the answer: `HTTP/1.1 200",
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
    job.load.timeout = 0.3;
    let facts = run(&job).unwrap();
    assert_eq!((facts.completed, facts.timed_out), (19, 1));
}

fn said(outcome: Result<record::LoadFacts, LoadError>) -> (String, String) {
    let error = outcome.unwrap_err();
    (error.to_string(), error.hint().unwrap_or_default())
}

#[test]
fn refused() {
    let port = Refusing::new();
    let (text, hint) = said(run(&job(Target::Tcp(port.address()))));
    assert!(
        text.starts_with(&format!("nobody could connect to `{}` in ", port.address())),
        "{text}"
    );
    assert!(text.ends_with(" attempts: connection refused"), "{text}");
    assert!(hint.contains("start the server"), "{hint}");
}

#[test]
fn a_hopeless_load_is_given_up() {
    let port = Refusing::new();
    let mut job = job(Target::Tcp(port.address()));
    job.load.amount = Amount::Seconds(3_000.0);
    assert!(matches!(
        run(&job),
        Err(LoadError::Unreachable {
            cause: Cause::Refused,
            ..
        })
    ));
}

#[test]
fn a_missing_unix_socket_is_refused() {
    let dir = testkit::temp_dir();
    let path = dir.path().join("nobody.sock");
    let (text, _) = said(run(&job(Target::Unix(path.clone()))));
    assert!(
        text.contains(&format!("`unix:{}`", path.display())) && text.contains("refused"),
        "{text}"
    );
}

#[test]
fn a_full_unix_queue_is_backlog() {
    let full = UnacceptingUnix::new();
    let mut job = job(Target::Unix(full.path()));
    job.load.connections = 8;
    job.load.timeout = 0.3;
    job.load.amount = Amount::Requests(40);
    let error = run(&job).unwrap_err();
    // What fits into the queue connects and is never answered; the rest finds it full.
    let LoadError::NothingRight {
        trouble: Trouble::Failed(cause),
        ..
    } = error
    else {
        panic!("{error:?}")
    };
    assert_eq!(cause, Cause::Backlog);
}

#[test]
fn nothing_right_is_named_by_its_cause() {
    let half = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf";
    let scripts: [(Vec<Step>, &str); 6] = [
        (vec![Step::Read, Step::Reset], "reset before the answer"),
        (vec![Step::Read, Step::Close], "closed before the answer"),
        (
            vec![Step::Read, Step::Send(half.into())],
            "closed inside the answer: 4 bytes of the body: `half`",
        ),
        (
            Step::serve("garbage"),
            "not a valid answer: the head does not parse: `garbage`",
        ),
        (
            Step::serve(answer(404, &[], "none")),
            "unexpected status: status 404 where 200 was expected: `none`",
        ),
        (
            Step::serve(answer(200, &[], "no")),
            "unexpected body: differs from byte 0 on: `no`",
        ),
    ];
    for (script, cause) in scripts {
        let peer = ScriptedPeer::tcp(move |_| script.clone());
        let mut job = to(&peer);
        if cause.starts_with("unexpected body") {
            common::part(&mut job).expected.body = Body::Exact(Vec::new());
        }
        let (text, hint) = said(run(&job));
        let wanted = format!(
            "none of 20 requests to `{}` was answered rightly: {cause}",
            peer.address()
        );
        assert_eq!(text, wanted);
        assert!(!hint.is_empty());
    }
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
            text.ends_with("was answered rightly: no answer within 0.2 s"),
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

#[test]
fn jobs_that_make_no_sense() {
    let port = Refusing::new();
    let good = job(Target::Tcp(port.address()));
    let wrong = |change: &dyn Fn(&mut load::Job)| {
        let mut job = good.clone();
        change(&mut job);
        run(&job).unwrap_err().to_string()
    };
    assert_eq!(
        wrong(&|job| job.load.connections = 0),
        "connections must be at least 1, not `0`"
    );
    assert_eq!(
        wrong(&|job| job.load.timeout = -1.0),
        "the time limit must be above 0 and at most 3600 s, not `-1`"
    );
    assert!(wrong(&|job| job.load.timeout = f64::NAN).contains("not `NaN`"));
    assert_eq!(
        wrong(&|job| job.load.amount = Amount::Requests(0)),
        "requests must be at least 1, not `0`"
    );
    assert!(wrong(&|job| job.load.amount = Amount::Seconds(f64::INFINITY)).contains("not `inf`"));
    assert!(
        wrong(&|job| common::part(job).request.path = "/a b".to_owned())
            .contains("path `/a b` cannot be sent")
    );
}

#[test]
fn more_connections_than_descriptors() {
    let port = Refusing::new();
    let mut job = job(Target::Tcp(port.address()));
    job.load.connections = u32::MAX;
    let error = run(&job).unwrap_err();
    assert!(matches!(error, LoadError::Descriptors { .. }), "{error}");
    assert!(error.hint().unwrap().contains("ulimit -n"));
}
