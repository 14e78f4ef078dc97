//! What clients do: try again, give up, ask different things, look closely at answers.

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use common::{run, to};
use load::{
    Asked, Author, Body, Check, Demand, Expected, Heard, LoadError, Part, Request, Status, Text,
    Traffic, Voice, What,
};
use record::{Amount, Cause, Retry, TimeLimit};
use testkit::{ScriptedPeer, Step, answer};

fn ok() -> Vec<u8> {
    answer(200, &[("X-Worker", "7")], r#"{"id":7}"#)
}

fn get(path: &str) -> Request {
    Request {
        method: "GET".into(),
        path: path.into(),
        ..Request::default()
    }
}

fn any() -> Expected {
    Expected::new(Status::Is(200), Body::Any)
}

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
    job.load.timeout = 0.5;
    job.load.retry = Some(Retry {
        times: 2,
        after: Some(0.1),
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
    job.load.timeout = 0.4;
    job.load.first_byte_timeout = Some(0.1);
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
fn a_mix_asks_each_as_often_as_its_weight_says() {
    let peer = ScriptedPeer::tcp(|_| Step::serve(ok()));
    let mut job = to(&peer);
    let part = |path: &str, weight, status| Part {
        request: get(path),
        expected: Expected::new(Status::Is(status), Body::Any),
        name: path.trim_start_matches('/').to_owned(),
        weight,
    };
    job.traffic = Traffic::Mix(vec![
        part("/often", 8.0, 200),
        part("/seldom", 1.0, 200),
        part("/wrong", 1.0, 404),
    ]);
    job.load.amount = Amount::Requests(2_000);
    let facts = run(&job).unwrap();
    let named = |name: &str| facts.named.iter().find(|named| named.name == name).unwrap();
    let (often, seldom, wrong) = (named("often"), named("seldom"), named("wrong"));
    assert_eq!(often.completed + seldom.completed, facts.completed);
    assert_eq!((wrong.completed, wrong.failed), (0, facts.failures()));
    assert!(
        (1_450..1_750).contains(&often.completed),
        "{}",
        often.completed
    );
    assert_eq!(often.response.count(), often.completed);
    let sent = peer.requests();
    let asked = |path: &str| {
        sent.iter()
            .filter(|bytes| bytes.starts_with(path.as_bytes()))
            .count()
    };
    assert_eq!(asked("GET /often ") as u64, often.completed);
}

#[test]
fn checks_look_at_every_answer_or_at_some() {
    let peer = ScriptedPeer::tcp(|connection| {
        let second = answer(200, &[("X-Worker", "8")], r#"{"id":8}"#);
        Step::serve(if connection == 0 { ok() } else { second })
    });
    let check = |name: &str, demand| Check {
        name: name.into(),
        demand,
    };
    let header = Demand::Header {
        name: "x-worker".into(),
        value: Text::Is(b"7".to_vec()),
    };
    let json = Demand::Json {
        path: "$.id".into(),
        value: None,
    };
    for (every, looked_at) in [(1, 20), (5, 4)] {
        let mut job = to(&peer);
        let expected = &mut common::part(&mut job).expected;
        expected.every = every;
        expected.checks = vec![
            check("worker 7", header.clone()),
            check("has an id", json.clone()),
        ];
        let facts = run(&job).unwrap();
        let [worker, id] = facts.checks.as_slice() else {
            panic!("{:?}", facts.checks);
        };
        assert_eq!((worker.looked_at, id.looked_at), (looked_at, looked_at));
        assert_eq!((worker.failed, id.failed), (facts.failures(), 0));
        assert_eq!(
            facts.failed.get(&Cause::Check).copied().unwrap_or(0),
            worker.failed
        );
        if worker.failed > 0 {
            let example = worker.example.as_deref().unwrap();
            assert_eq!(example, "header `x-worker` is not `7`: `8`");
        }
    }
}

#[test]
fn the_slowest_are_kept_with_what_the_kernel_says() {
    let peer = ScriptedPeer::tcp(|_| Step::serve(ok()));
    let mut job = to(&peer);
    job.load.amount = Amount::Requests(200);
    let facts = run(&job).unwrap();
    assert_eq!(facts.slowest.len(), 10);
    let slowest = &facts.slowest[0];
    assert!(
        facts
            .slowest
            .is_sorted_by(|one, next| one.response >= next.response)
    );
    // Histograms have three digits.
    let most = facts.response.max().unwrap();
    assert!(
        (slowest.response / most - 1.0).abs() < 2e-3,
        "{} {most}",
        slowest.response
    );
    assert!(slowest.tcp.is_some_and(|tcp| tcp.rtt > 0.0), "{slowest:?}");
    assert_eq!(slowest.status, 200);
}

/// Asks for `/a`; after each right answer, twice for `/b` on the connection beside.
#[derive(Debug, Default)]
struct Pairs {
    begun: Arc<AtomicU64>,
}

struct PairsVoice {
    begun: Arc<AtomicU64>,
    /// By visitor: when it began, and what is still to be asked and to be heard.
    visits: Vec<(u64, u32, u32)>,
}

impl Author for Pairs {
    fn names(&self) -> Vec<String> {
        vec!["a".into(), "b".into()]
    }

    fn expected(&self) -> Vec<Expected> {
        vec![any()]
    }

    fn prepared(&self) -> Vec<Request> {
        vec![get("/a")]
    }

    fn connections_each(&self) -> usize {
        2
    }

    fn voice(&self, _: usize, _: usize, connections: usize) -> Result<Box<dyn Voice>, String> {
        Ok(Box::new(PairsVoice {
            begun: Arc::clone(&self.begun),
            visits: vec![(0, 0, 0); connections / 2],
        }))
    }
}

fn asked(what: What, name: u32) -> Asked {
    Asked {
        what,
        name,
        expected: 0,
        delay: 0,
    }
}

impl Voice for PairsVoice {
    fn begin(&mut self, connection: usize, due: u64) -> Result<Asked, String> {
        self.begun.fetch_add(1, Ordering::Relaxed);
        self.visits[connection / 2] = (due, 0, 1);
        Ok(asked(What::Prepared(0), 0))
    }

    fn follow(&mut self, connection: usize) -> Option<Asked> {
        let visit = &mut self.visits[connection / 2];
        visit.1 = visit.1.checked_sub(1)?;
        Some(asked(What::Request(Box::new(get("/b"))), 1))
    }

    fn begins(&self, connection: usize) -> bool {
        connection.is_multiple_of(2) && self.visits[connection / 2].2 == 0
    }

    fn reads(&self) -> bool {
        true
    }

    fn heard(
        &mut self,
        connection: usize,
        heard: &Heard<'_>,
        wake: &mut Vec<usize>,
    ) -> Option<u64> {
        assert_eq!((heard.status, heard.body), (200, br#"{"id":7}"#.as_slice()));
        assert!(heard.fields.starts_with(b"Content-Length"));
        let first = connection / 2 * 2;
        let visit = &mut self.visits[connection / 2];
        visit.2 -= 1;
        if heard.name == 0 {
            (visit.1, visit.2) = (2, 2);
        }
        wake.extend([first, first + 1]);
        (visit.2 == 0).then_some(visit.0)
    }
}

#[test]
fn an_author_asks_in_consequence_of_answers() {
    let peer = ScriptedPeer::tcp(|_| Step::serve(ok()));
    let pairs = Pairs::default();
    let begun = Arc::clone(&pairs.begun);
    let mut job = to(&peer);
    job.load.connections = 4;
    job.traffic = Traffic::Made(Arc::new(pairs));
    job.load.amount = Amount::Requests(50);
    let facts = run(&job).unwrap();
    assert_eq!(
        begun.load(Ordering::Relaxed),
        50,
        "the number is that of visits"
    );
    assert_eq!(facts.pages.count(), 50);
    let (a, b) = (&facts.named[0], &facts.named[1]);
    assert_eq!((a.completed, b.completed), (50, 100));
    assert_eq!(facts.completed, 150);
    let least = facts.pages.min().unwrap();
    assert!(
        least >= facts.service.min().unwrap(),
        "a page takes longer than a part of it"
    );
}

#[derive(Debug)]
struct Mute;

impl Author for Mute {
    fn names(&self) -> Vec<String> {
        vec!["mute".into()]
    }

    fn expected(&self) -> Vec<Expected> {
        vec![any()]
    }

    fn voice(&self, _: usize, _: usize, _: usize) -> Result<Box<dyn Voice>, String> {
        struct Silence(u32);
        impl Voice for Silence {
            fn begin(&mut self, _: usize, _: u64) -> Result<Asked, String> {
                self.0 += 1;
                if self.0.is_multiple_of(2) {
                    return Err("no idea".into());
                }
                let raw = b"GET /raw HTTP/1.1\r\nHost: x\r\n\r\n".to_vec();
                Ok(asked(What::Verbatim(raw), 0))
            }
        }
        Ok(Box::new(Silence(0)))
    }
}

#[test]
fn what_nobody_can_think_of_is_a_failure_of_ours() {
    let peer = ScriptedPeer::tcp(|_| Step::serve(ok()));
    let mut job = to(&peer);
    job.traffic = Traffic::Made(Arc::new(Mute));
    let facts = run(&job).unwrap();
    assert_eq!((facts.completed, facts.failed[&Cause::Unasked]), (10, 10));
    assert_eq!(facts.examples[&Cause::Unasked], "no idea");
    let sent = peer.requests();
    assert!(sent.iter().all(|bytes| bytes.starts_with(b"GET /raw ")));
}

#[test]
fn a_warm_up_ends_when_it_is_stationary() {
    let peer = ScriptedPeer::tcp(|_| Step::serve(ok()));
    let mut job = to(&peer);
    job.load.warm_up = record::WarmUpPlan::Stationary(30.0);
    // Open, so that the rate is steady whatever else the machine does.
    job.load.shape = record::Shape::Open(record::Arrivals {
        process: record::Process::Constant,
        legs: record::Arrivals::steady(200.0),
        max_outstanding: record::Arrivals::MAX_OUTSTANDING,
        seed: 1,
    });
    let facts = run(&job).unwrap();
    assert_eq!(facts.completed, 20);
    assert!(facts.warm_up.seconds < 30.0, "{:?}", facts.warm_up);
    assert_eq!(facts.warm_up.stationary, Some(facts.warm_up.seconds < 29.0));
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
