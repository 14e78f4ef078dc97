//! One answer before the load: it says which status, length and server to expect.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use experiment::Address;
use load::{
    Asked, Body, Expected, Heard, Job, LoadError, Request, RequestSource, RequestStream, Status,
    Traffic, What,
};
use record::{Amount, Load, WarmUpPlan};

/// An answer as it came.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    pub(super) status: u16,
    /// Its header lines.
    pub(super) fields: String,
    /// Bytes of its body.
    pub(super) length: u64,
}

impl Seen {
    /// The first header of this name.
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.fields.lines().filter_map(|line| line.split_once(':'));
        lines
            .find(|(given, _)| given.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.trim())
    }
}

/// Asks once, as the load will.
pub(super) fn ask(place: &Address, request: &Request, load: &Load) -> Result<Seen, LoadError> {
    let probe = Probe {
        request: request.clone(),
        seen: Arc::default(),
    };
    let seen = Arc::clone(&probe.seen);
    let job = Job {
        may_break: false,
        cores: 1,
        busy_wait: false,
        target: place.target.clone(),
        protocol: place.protocol,
        host: place.host.clone(),
        cgi: load::Cgi::default(),
        traffic: Traffic::Made(Arc::new(probe)),
        load: Load {
            connections: 1,
            amount: Amount::Requests(1),
            warm_up: WarmUpPlan::None,
            keep_alive: load.keep_alive,
            threads: 1,
            timeout: load.timeout,
            tls: load.tls.clone(),
            sources: load.sources.clone(),
            ..Load::default()
        },
    };
    load::run(&job, &AtomicBool::new(false), &mut |_| {})?;
    Ok(seen.lock().map(|seen| seen.clone()).unwrap_or_default())
}

/// Asks one request and keeps its answer.
#[derive(Clone, Debug)]
struct Probe {
    request: Request,
    seen: Arc<Mutex<Seen>>,
}

impl RequestSource for Probe {
    fn names(&self) -> Vec<String> {
        vec![String::new()]
    }

    fn expected(&self) -> Vec<Expected> {
        vec![Expected::new(Status::Any, Body::Any)]
    }

    fn prepared(&self) -> Vec<Request> {
        vec![self.request.clone()]
    }

    fn stream(&self, _: usize, _: usize, _: usize) -> Result<Box<dyn RequestStream>, String> {
        Ok(Box::new(self.clone()))
    }
}

impl RequestStream for Probe {
    fn begin(&mut self, _connection: usize, _due: u64) -> Result<Asked, String> {
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
        if let Ok(mut seen) = self.seen.lock() {
            *seen = Seen {
                status: answer.status,
                fields: String::from_utf8_lossy(answer.fields).into_owned(),
                length: answer.body.len() as u64,
            };
        }
        None
    }
}
