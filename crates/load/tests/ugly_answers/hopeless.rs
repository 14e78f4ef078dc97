//! Loads that cannot succeed at all.

use load::{Body, LoadError, Trouble};
use record::{Amount, Cause, Target, WarmUpPlan};
use testkit::{Refusing, ScriptedPeer, Step, UnacceptingUnix, answer};

use super::said;
use crate::common::{self, job, run, to};

#[test]
fn refused() {
    let port = Refusing::new();
    let (text, hint) = said(run(&job(Target::Tcp(port.address()))));
    assert!(
        text.starts_with(&format!("no connection to `{}` in ", port.address())),
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
        text.contains(&format!("`unix:{}`", path.display())) && text.contains("no such socket"),
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
        (vec![Step::Read, Step::Reset], "reset before the response"),
        (vec![Step::Read, Step::Close], "closed before the response"),
        (
            vec![Step::Read, Step::Send(half.into())],
            "closed during the response: 4 bytes of the body: `half`",
        ),
        (
            Step::serve("garbage"),
            "not a valid response: the head does not parse: `garbage`",
        ),
        (
            Step::serve(answer(404, &[], "none")),
            "unexpected status: status 404 where 200 was expected: `none`",
        ),
        (
            Step::serve(answer(200, &[], "no")),
            "unexpected body: differs at byte 0: `no` where `` was expected",
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
            "none of 20 requests to `{}` was answered correctly: {cause}",
            peer.address()
        );
        assert_eq!(text, wanted);
        assert!(!hint.is_empty());
    }
}

#[test]
fn another_status_is_told_with_where_it_leads_and_what_to_type() {
    for (status, location, words, hints) in [
        (
            301,
            Some("https://shop.example/a?b"),
            "status 301 to `https://shop.example/a?b` where 200 to 299 was expected",
            ["`https://shop.example/a?b`", "`--status 301`"],
        ),
        (
            304,
            None,
            "status 304 where 200 to 299 was expected",
            ["open the URL by hand", "`--status 304`"],
        ),
        (
            404,
            Some("/never"),
            "status 404 where 200 to 299 was expected",
            ["check the path", "`--status 404`"],
        ),
        (
            401,
            None,
            "status 401 where 200 to 299 was expected",
            ["Authorization", "`--status 401`"],
        ),
    ] {
        let to: Vec<_> = location.map(|to| ("Location", to)).into_iter().collect();
        let reply = answer(status, &to, "");
        let peer = ScriptedPeer::tcp(move |_| Step::serve(reply.clone()));
        let (text, hint) = said(run(&to_any(&peer)));
        assert!(text.contains(words), "{text}");
        for part in hints {
            assert!(hint.contains(part), "`{part}` in {hint}");
        }
    }
}

/// A job for which each status from 200 to 299 is right.
fn to_any(peer: &ScriptedPeer) -> load::Job {
    let mut job = to(peer);
    common::part(&mut job).expected.status = load::Status::In2xx;
    job
}

#[test]
fn each_status_of_success_is_right_where_none_is_named() {
    for status in [200, 201, 204, 299] {
        let reply = answer(status, &[], "");
        let peer = ScriptedPeer::tcp(move |_| Step::serve(reply.clone()));
        let facts = run(&to_any(&peer)).unwrap();
        assert_eq!((facts.completed, facts.failures()), (20, 0), "{status}");
    }
}

#[test]
fn a_target_that_may_break_is_measured_all_the_same() {
    let port = Refusing::new();
    let mut job = job(Target::Tcp(port.address()));
    job.may_break = true;
    job.load.warm_up = WarmUpPlan::Requests(4);
    let facts = run(&job).unwrap();
    assert_eq!(
        (facts.completed, facts.failed[&Cause::Refused]),
        (0, facts.scheduled)
    );
    assert!(facts.throughput().abs() < f64::EPSILON);
    assert_eq!(facts.warm_up.failed, 4);

    // a window of so many seconds is not cut short, and a count of requests is, where it is hopeless
    let peer = ScriptedPeer::tcp(|_| Step::serve(answer(503, &[], "later")));
    let mut job = to(&peer);
    job.may_break = true;
    job.load.warm_up = WarmUpPlan::Seconds(0.1);
    job.load.amount = Amount::Seconds(1.5);
    let facts = run(&job).unwrap();
    assert_eq!(facts.completed, 0);
    assert!(facts.seconds >= 1.5, "{}", facts.seconds);
    job.load.amount = Amount::Requests(u64::MAX / 2);
    assert_eq!(run(&job).unwrap().completed, 0);
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
        "`connections`: must be between 1 and 1,000,000, not 0"
    );
    assert_eq!(
        wrong(&|job| job.load.timeout = -1.0),
        "`timeout`: must be above 0 and at most 3,600 seconds, not -1"
    );
    assert!(wrong(&|job| job.load.timeout = f64::NAN).contains("not NaN"));
    assert_eq!(
        wrong(&|job| job.load.amount = Amount::Requests(0)),
        "`requests`: must be at least 1, not 0"
    );
    assert!(wrong(&|job| job.load.amount = Amount::Seconds(f64::INFINITY)).contains("not inf"));
    assert!(
        wrong(&|job| common::part(job).request.path = "/a b".to_owned())
            .contains("path `/a b` cannot be sent")
    );
}

#[test]
fn more_connections_than_anybody_has() {
    let port = Refusing::new();
    let mut job = job(Target::Tcp(port.address()));
    job.load.connections = u32::MAX;
    let error = run(&job).unwrap_err();
    assert!(matches!(error, LoadError::Load(_)), "{error}");
}
