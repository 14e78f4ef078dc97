//! Requests that somebody thinks of while the load runs.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use load::{
    Asked, Expected, Heard, LoadError, Request, RequestSource, RequestStream, Traffic, What,
};
use record::{Amount, Cause, Retry, Target};
use testkit::{Refusing, ScriptedPeer, Step};

use super::{any, get, ok};
use crate::common::{job, run, to};

/// Asks for `/a`; after each correct response, twice for `/b` on the connection beside.
#[derive(Debug, Default)]
struct Pairs {
    begun: Arc<AtomicU64>,
}

struct PairsStream {
    begun: Arc<AtomicU64>,
    /// By visitor: when it began, and what is still to be asked and to be heard.
    visits: Vec<(u64, u32, u32)>,
}

impl RequestSource for Pairs {
    fn names(&self) -> Vec<String> {
        vec!["a".into(), "b".into()]
    }

    fn expected(&self) -> Vec<Expected> {
        vec![any()]
    }

    fn prepared(&self) -> Vec<Request> {
        vec![get("/a")]
    }

    fn stream(
        &self,
        _: usize,
        _: usize,
        connections: usize,
    ) -> Result<Box<dyn RequestStream>, String> {
        Ok(Box::new(PairsStream {
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

impl RequestStream for PairsStream {
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

impl RequestSource for Mute {
    fn names(&self) -> Vec<String> {
        vec!["raw".into(), "never".into()]
    }

    fn expected(&self) -> Vec<Expected> {
        vec![any()]
    }

    fn stream(&self, _: usize, _: usize, _: usize) -> Result<Box<dyn RequestStream>, String> {
        struct Silence(u32);
        impl RequestStream for Silence {
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
    let retry = Retry {
        times: 3,
        ..Retry::default()
    };
    for (retry, served) in [(None, 10), (Some(retry), 20)] {
        job.load.retry = retry;
        let facts = run(&job).unwrap();
        assert_eq!((facts.completed, facts.failed[&Cause::Unasked]), (10, 10));
        assert_eq!(facts.examples[&Cause::Unasked], "no idea");
        let named = |number: usize| (facts.named[number].completed, facts.named[number].failed);
        assert_eq!((named(0), named(1)), ((10, 0), (0, 0)), "it has no name");
        assert_eq!(facts.retries, 0, "nothing of it can be sent again");
        let sent = peer.requests();
        assert_eq!(sent.len(), served);
        assert!(sent.iter().all(|bytes| bytes.starts_with(b"GET /raw ")));
    }
}

/// What a script fails with may come of what the network did.
#[test]
fn a_server_that_is_not_there_is_told_before_what_nobody_can_think_of() {
    let nobody = Refusing::new();
    let mut job = job(Target::Tcp(nobody.address()));
    job.traffic = Traffic::Made(Arc::new(Mute));
    let error = run(&job).unwrap_err();
    assert!(
        matches!(
            error,
            LoadError::Unreachable {
                cause: Cause::Refused,
                ..
            }
        ),
        "{error}"
    );
}

#[derive(Debug)]
struct Dumb;

impl RequestSource for Dumb {
    fn called(&self) -> &'static str {
        "script"
    }

    fn names(&self) -> Vec<String> {
        vec!["dumb".into()]
    }

    fn expected(&self) -> Vec<Expected> {
        vec![any()]
    }

    fn stream(&self, _: usize, _: usize, _: usize) -> Result<Box<dyn RequestStream>, String> {
        struct Nothing;
        impl RequestStream for Nothing {
            fn begin(&mut self, _: usize, _: u64) -> Result<Asked, String> {
                Err("no idea".into())
            }
        }
        Ok(Box::new(Nothing))
    }
}

#[test]
fn a_server_that_was_asked_for_nothing_is_not_to_blame() {
    let peer = ScriptedPeer::tcp(|_| Step::serve(ok()));
    let mut job = to(&peer);
    job.traffic = Traffic::Made(Arc::new(Dumb));
    job.load.amount = Amount::Requests(4);
    let error = run(&job).unwrap_err();
    assert_eq!(
        error.to_string(),
        "not one request could be asked in 4 attempts: no idea"
    );
    assert_eq!(
        error.hint().unwrap(),
        "mend that in the script: the server was asked for nothing"
    );
}
