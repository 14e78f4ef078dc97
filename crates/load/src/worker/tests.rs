//! Whether the times of answers depend on how many of them a turn of the loop finds.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use record::{Load, Protocol, Reactor as Kind, Target, WarmUpPlan};
use testkit::{Speech, eventually, may_skip};
use wire::Http1;

use super::*;
use crate::reactor::Origin;
use crate::{
    Asked, Body, Cgi, Expected, Heard, Job, NewStream, Request, RequestSource, RequestStream,
    Status, Traffic, What, spawn,
};

/// Connections, and requests of each, one after the other.
const CONNECTIONS: u32 = 24;
const ROUNDS: u32 = 2;
/// The first answer comes so long after its request, and that of each other connection so much later: several answers to the first
/// requests come in one turn of the loop, which sends the second ones. Those are answered after twice as long, one at a time, when
/// all the first answers were looked at, so that one that left late is answered late.
const FIRST: Duration = Duration::from_millis(80);
const APART: Duration = Duration::from_millis(1);
/// How long the loop is busy with each: several come meanwhile, which the next turn finds at once.
const BUSY: Duration = Duration::from_millis(3);
/// How far apart quantiles may lie that are equal, in seconds: two answers. A clock that is read when a turn of ten answers is
/// over is further off.
const TOLERANCE: f64 = 0.006;
/// Longest wait for a moment in which the machine does nothing else.
const LONGEST: Duration = Duration::from_mins(1);

/// Two in the times of the first answers, which are the shorter ones, and two in those of the second.
const QUANTILES: [f64; 4] = [0.125, 0.375, 0.75, 1.0];

/// When an answer ended by the worker's clock.
#[derive(Clone, Copy, Debug)]
struct End {
    /// The turn that found it.
    turn: u64,
    /// When its request fell due.
    due: u64,
    at: u64,
}

#[derive(Debug, Default)]
struct Seen {
    turn: AtomicU64,
    ended: Mutex<Vec<End>>,
}

/// Asks twice on each connection, and is busy with each answer.
#[derive(Clone, Debug, Default)]
struct Twice {
    /// Requests of each connection, and when the last one fell due.
    begun: BTreeMap<usize, (u32, u64)>,
    seen: Arc<Seen>,
}

impl RequestSource for Twice {
    fn names(&self) -> Vec<String> {
        vec!["page".to_owned()]
    }

    fn expected(&self) -> Vec<Expected> {
        vec![Expected::new(Status::Is(200), Body::Any)]
    }

    fn prepared(&self) -> Vec<Request> {
        vec![Request {
            method: "GET".to_owned(),
            path: "/".to_owned(),
            ..Request::default()
        }]
    }

    fn stream(&self, _: usize, _: usize, _: usize) -> NewStream {
        Ok(Box::new(self.clone()))
    }
}

impl RequestStream for Twice {
    fn begin(&mut self, connection: usize, due: u64) -> Result<Asked, String> {
        let begun = self.begun.entry(connection).or_default();
        *begun = (begun.0 + 1, due);
        Ok(Asked {
            what: What::Prepared(0),
            name: 0,
            expected: 0,
            delay: 0,
        })
    }

    fn begins(&self, connection: usize) -> bool {
        let begun = self.begun.get(&connection);
        begun.is_none_or(|(begun, _)| *begun < ROUNDS)
    }

    /// The loop asks this after all that a turn has found.
    fn is_over(&self) -> bool {
        self.seen.turn.fetch_add(1, Ordering::Relaxed);
        false
    }

    fn heard(&mut self, at: usize, heard: &Heard<'_>, _: &mut Vec<usize>) -> Option<u64> {
        let end = End {
            turn: self.seen.turn.load(Ordering::Relaxed),
            due: self.begun[&at].1,
            at: heard.now,
        };
        self.seen.ended.lock().unwrap().push(end);
        let began = Instant::now();
        while began.elapsed() < BUSY {
            std::hint::spin_loop();
        }
        None
    }
}

/// Quantiles in seconds.
#[derive(Clone, Copy, Debug)]
struct Told {
    /// Of the response times that the worker recorded.
    recorded: [f64; 4],
    /// Of the times at which it read its clock, since the requests fell due.
    read: [f64; 4],
    /// The same, if it read its clock when the last answer of the turn was looked at.
    after_turn: [f64; 4],
}

fn job(target: Target, source: Twice) -> Job {
    Job {
        may_break: false,
        cores: 1,
        busy_wait: false,
        target,
        protocol: Protocol::Http1,
        host: "localhost".to_owned(),
        cgi: Cgi::default(),
        traffic: Traffic::Made(Arc::new(source)),
        load: Load {
            connections: CONNECTIONS,
            threads: 1,
            warm_up: WarmUpPlan::None,
            ..Load::default()
        },
    }
}

/// All answers on each connection, over this event loop.
fn served(job: &Job, kind: Kind, at_once: Option<u32>) -> Recorder {
    let (halt, enough) = (AtomicBool::new(false), AtomicBool::new(false));
    let requests = spawn::requests::<Http1>(job).unwrap();
    let mut sources = spawn::sources::<Http1>(job, &requests).unwrap();
    let checks = spawn::checks(job, &mut sources).unwrap();
    let config = WorkerConfig {
        setup: spawn::setup(job).unwrap(),
        checks: &checks,
        segments: &[],
        names: 1,
        slices: 100,
        held: false,
        per_connection: u32::MAX,
        split: false,
        busy_wait: false,
        limits: spawn::limits(job),
        retry: None,
        clock: Clock::start(),
        halt: &halt,
        enough: &enough,
    };
    let origin = Origin::new(&job.target, &[], (0, CONNECTIONS.into()));
    let batch = spawn::batch(&job.traffic);
    let mut reactor = Reactor::new(kind, origin, CONNECTIONS as usize, 1, batch).unwrap();
    if let Some(most) = at_once {
        reactor.at_once(most);
    }
    let live = LiveStats::default();
    let source = sources.remove(0);
    let mut worker = Worker::new(config, &live, reactor, source, CONNECTIONS as usize);
    let phase = Service {
        schedule: Schedule::Endless,
        start: None,
        lead: 0,
        spread: 0,
        length: None,
        trails: false,
        prepare: false,
        patience: Patience::default(),
    };
    worker.serve(phase).unwrap()
}

fn told(kind: Kind, at_once: Option<u32>) -> Told {
    let origin = testkit::Origin::start(Speech::Http1, |number| {
        let (round, place) = (number as u32 / CONNECTIONS, number as u32 % CONNECTIONS);
        testkit::Turn::Answer(FIRST * (round + 1) + APART * place)
    });
    let source = Twice::default();
    let job = job(Target::Tcp(origin.address()), source.clone());
    let recorder = served(&job, kind, at_once);
    let ended = source.seen.ended.lock().unwrap();
    assert_eq!(ended.len() as u32, CONNECTIONS * ROUNDS);
    let last_of = |turn: u64| {
        let of_turn = ended.iter().filter(|of| of.turn == turn);
        of_turn.map(|of| of.at).max().unwrap()
    };
    let response = &recorder.facts.response;
    Told {
        recorded: QUANTILES.map(|q| response.quantile(q).unwrap()),
        read: quantiles(ended.iter().map(|of| of.at - of.due).collect()),
        after_turn: quantiles(ended.iter().map(|of| last_of(of.turn) - of.due).collect()),
    }
}

/// Of nanoseconds.
fn quantiles(mut times: Vec<u64>) -> [f64; 4] {
    times.sort_unstable();
    let rank = |q: f64| (q * times.len() as f64).ceil() as usize;
    QUANTILES.map(|q| times[rank(q) - 1] as f64 / 1e9)
}

/// How far apart they lie, in seconds.
fn apart(one: [f64; 4], other: [f64; 4]) -> f64 {
    let each = one.iter().zip(other);
    each.map(|(one, other)| (one - other).abs())
        .fold(0.0, f64::max)
}

#[test]
fn how_many_answers_a_turn_finds_moves_no_quantile() {
    let mut ways = vec![(Kind::Poll, None), (Kind::Poll, Some(1))];
    if crate::has_ring() {
        ways.extend([(Kind::Ring, None), (Kind::Ring, Some(1))]);
    } else {
        may_skip("ring", "the times of answers over io_uring, which needs it");
    }
    // a busy machine holds one of them up now and then; a clock that is read at the wrong moment does so each time
    let mut all: Vec<Told> = Vec::new();
    let agree = || {
        all = ways.iter().map(|way| told(way.0, way.1)).collect();
        let first = all[0].recorded;
        let same = |one, other| apart(one, other) <= TOLERANCE;
        let mut each = all.iter();
        each.all(|of| same(of.recorded, first) && same(of.recorded, of.read))
    };
    assert!(eventually(LONGEST, agree), "{all:?}");
    for (way, of) in ways.iter().zip(&all) {
        // which is what makes the agreement say something; with one event in a turn there is nothing to be late for
        let found = apart(of.after_turn, of.read) > TOLERANCE;
        assert_eq!(found, way.1.is_none(), "{way:?}: {of:?}");
    }
}
