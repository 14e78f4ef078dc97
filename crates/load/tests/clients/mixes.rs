//! Different requests, and a close look at their answers.

use std::time::Duration;

use load::{Body, Check, Demand, Expected, Part, Status, Text, Traffic};
use record::{Amount, Cause, Target};
use testkit::{Origin, ScriptedPeer, Speech, Step, Turn, answer};

use super::{get, ok};
use crate::common::{self, run, to};

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
    let bodies = often.completed * r#"{"id":7}"#.len() as u64;
    assert_eq!((often.bytes, wrong.bytes), (Some(bodies), Some(0)));
    assert_eq!(often.statuses, [(200, often.completed)].into());
    assert_eq!(wrong.statuses, [(200, wrong.failed)].into(), "right or not");
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
    let other = answer(200, &[("X-Worker", "8")], r#"{"id":8}"#);
    let in_turn = vec![Step::Read, Step::Send(ok()), Step::Read, Step::Send(other)];
    let peer = ScriptedPeer::tcp(move |_| vec![Step::Forever(in_turn.clone())]);
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
        if every == 1 {
            // half of what each of two connections carries, but for one
            assert!((9..=10).contains(&worker.failed), "{}", worker.failed);
        }
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

/// Asked 200 times a second, whatever else the machine does, until the warm-up is stationary or has
/// lasted for `most` seconds.
fn warm(delay: impl Fn(u64) -> Duration + Send + Sync + 'static, most: f64) -> record::WarmUp {
    let origin = Origin::start(Speech::Http1, move |number| Turn::Answer(delay(number)));
    let mut job = common::job(Target::Tcp(origin.address()));
    job.load.connections = 200;
    job.load.warm_up = record::WarmUpPlan::Stationary(most);
    job.load.shape = record::Shape::Open(record::Arrivals {
        process: record::Process::Constant,
        segments: record::Arrivals::steady(200.0),
        max_outstanding: record::Arrivals::MAX_OUTSTANDING,
        seed: 1,
    });
    let facts = run(&job).unwrap();
    assert_eq!(facts.completed, 20);
    facts.warm_up
}

#[test]
fn a_warm_up_ends_when_it_is_stationary() {
    // Long beside what a busy machine adds; the last word is the machine's, hence so many looks.
    let even = warm(|_| Duration::from_millis(100), 120.0);
    assert_eq!(even.stationary, Some(true), "{even:?}");
    assert!(even.seconds < 120.0, "{even:?}");
}

#[test]
fn a_server_that_grows_slower_is_never_stationary() {
    // Half a millisecond more for each: after 3 s the median still grows by a tenth in each 0.8 s.
    let slower = warm(|number| Duration::from_micros(500 * number), 3.0);
    assert_eq!(slower.stationary, Some(false), "{slower:?}");
    assert!(slower.seconds >= 3.0, "{slower:?}");
}
