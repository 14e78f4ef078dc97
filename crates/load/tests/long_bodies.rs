//! Bodies that must be whole to be looked at are kept to a bound; the others are looked at while they
//! arrive, however long they are.

use crate::common::{part, run, to};
use load::{
    Asked, Check, Demand, Expected, Heard, MOST_BODY, RequestSource, RequestStream, Text, Traffic,
    What,
};
use record::{Amount, Cause, LoadFacts};
use sha2::{Digest as _, Sha256};
use std::sync::Arc;
use testkit::{ScriptedPeer, Step};

/// Answers with a body that never ends.
fn endless() -> ScriptedPeer {
    ScriptedPeer::tcp(|_| {
        let head = Step::Send(b"HTTP/1.1 200 OK\r\n\r\n".to_vec());
        let flood = vec![Step::Send(vec![b'x'; 1 << 20])];
        vec![Step::Read, head, Step::Forever(flood)]
    })
}

fn demanding(peer: &ScriptedPeer, demand: Demand) -> load::Job {
    let mut job = to(peer);
    let name = "it".to_owned();
    part(&mut job).expected.checks = vec![Check { name, demand }];
    one(job)
}

fn one(mut job: load::Job) -> load::Job {
    job.load.connections = 1;
    job.load.amount = Amount::Requests(1);
    job.load.timeout = 60.0; // far longer than it takes to reach the bound
    job.may_break = true;
    job
}

fn is_cut(facts: &LoadFacts) {
    assert_eq!(
        facts.failed,
        [(Cause::TooLong, 1)].into(),
        "{:?}",
        facts.examples
    );
    let told = &facts.examples[&Cause::TooLong];
    assert!(
        told.starts_with(&format!("more than {MOST_BODY} bytes: `xxx")),
        "{told}"
    );
    assert!(facts.bytes_received < 4 * MOST_BODY as u64);
}

#[test]
fn a_pattern_and_a_path_in_a_body_without_end() {
    for demand in [
        Demand::Body(Text::Matches("y".to_owned())),
        Demand::Json {
            path: "$.a".to_owned(),
            value: None,
        },
    ] {
        let peer = endless();
        is_cut(&run(&demanding(&peer, demand)).unwrap());
    }
}

/// Reads every answer, as a page or a script does.
#[derive(Clone, Debug)]
struct Reads;

impl RequestSource for Reads {
    fn names(&self) -> Vec<String> {
        vec!["it".to_owned()]
    }

    fn expected(&self) -> Vec<Expected> {
        vec![Expected::new(load::Status::Is(200), load::Body::Any)]
    }

    fn prepared(&self) -> Vec<load::Request> {
        vec![load::Request {
            method: "GET".to_owned(),
            path: "/".to_owned(),
            ..load::Request::default()
        }]
    }

    fn stream(&self, _: usize, _: usize, _: usize) -> Result<Box<dyn RequestStream>, String> {
        Ok(Box::new(self.clone()))
    }
}

impl RequestStream for Reads {
    fn begin(&mut self, _: usize, _: u64) -> Result<Asked, String> {
        Ok(Asked {
            what: What::Prepared(0),
            name: 0,
            expected: 0,
            delay: 0,
        })
    }

    fn reads(&self) -> bool {
        true
    }

    fn heard(&mut self, _: usize, answer: &Heard<'_>, _: &mut Vec<usize>) -> Option<u64> {
        assert!(answer.body.len() <= MOST_BODY && !answer.right);
        None
    }
}

#[test]
fn an_author_that_reads_answers() {
    let peer = endless();
    let mut job = one(to(&peer));
    job.traffic = Traffic::Made(Arc::new(Reads));
    is_cut(&run(&job).unwrap());
}

#[test]
fn what_needs_no_whole_body_is_looked_at_in_longer_ones() {
    const LENGTH: usize = MOST_BODY + MOST_BODY / 4;
    let mut body = vec![b'x'; LENGTH];
    body[LENGTH - 9..].copy_from_slice(b"the end!\n");
    let hash: [u8; 32] = Sha256::digest(&body).into();
    let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {LENGTH}\r\n\r\n");
    let answer = [head.as_bytes(), &body].concat();
    let peer = ScriptedPeer::tcp(move |_| Step::serve(answer.clone()));
    for (demand, holds) in [
        (Demand::Sha256(hash), true),
        (Demand::Sha256([0; 32]), false),
        (Demand::Body(Text::Contains(b"xthe end!".to_vec())), true),
        (Demand::Body(Text::Contains(b"no end".to_vec())), false),
        (Demand::Body(Text::Is(body.clone())), true),
        (Demand::Body(Text::Is(b"x".to_vec())), false),
        (Demand::Length(LENGTH as u64), true),
    ] {
        let facts = run(&demanding(&peer, demand.clone())).unwrap();
        let failed = facts.failed.get(&Cause::Check).copied().unwrap_or(0);
        assert_eq!(
            (facts.completed, failed),
            (u64::from(holds), u64::from(!holds))
        );
    }
    // what is looked at now and then is kept now and then
    let pattern = Demand::Body(Text::Matches("end".to_owned()));
    let facts = run(&demanding(&peer, pattern.clone())).unwrap();
    assert_eq!(facts.failed, [(Cause::TooLong, 1)].into());
    let mut rarely = demanding(&peer, pattern);
    part(&mut rarely).expected.every = 100;
    assert_eq!(run(&rarely).unwrap().completed, 1);
}
