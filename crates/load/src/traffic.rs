//! What is asked: the seam between the engine and those who think of requests.

use std::fmt;
use std::sync::Arc;

use record::Route;
use wire::Ask;

use crate::{Expected, LoadError, Result};

/// What a load asks for.
#[derive(Clone, Debug)]
pub enum Traffic {
    /// The same requests again and again, each as often as its weight says. At least one.
    Mix(Vec<Part>),
    /// Requests that are thought of one by one.
    Made(Arc<dyn RequestSource>),
}

impl Traffic {
    /// One request, again and again.
    pub fn one(request: impl Into<Request>, expected: Expected) -> Self {
        Self::Mix(vec![Part {
            request: request.into(),
            expected,
            name: String::new(),
            weight: 1.0,
        }])
    }

    pub(crate) fn check(&self) -> Result<()> {
        let wrong = |what, value: String| Err(LoadError::invalid(what, value));
        let Self::Mix(parts) = self else {
            return Ok(());
        };
        if parts.is_empty() {
            return wrong("a mix must have at least one request", "0".to_owned());
        }
        let odd = |part: &&Part| !(part.weight > 0.0 && part.weight.is_finite());
        match parts.iter().find(odd) {
            Some(part) => wrong("a weight must be above 0", part.weight.to_string()),
            None => Ok(()),
        }
    }

    /// What a user would mend where a request cannot be thought of: a `script`, a `mix`.
    pub(crate) fn called(&self) -> &'static str {
        match self {
            Self::Mix(_) => "load",
            Self::Made(source) => source.called(),
        }
    }

    /// The names under which requests are counted apart; none if there is nothing to tell apart.
    pub(crate) fn names(&self) -> Vec<String> {
        let names: Vec<String> = match self {
            Self::Mix(parts) => parts.iter().map(|part| part.name.clone()).collect(),
            Self::Made(source) => source.names(),
        };
        if names.len() > 1 { names } else { Vec::new() }
    }

    /// Those that are made ready once.
    pub(crate) fn prepared(&self) -> Vec<Request> {
        match self {
            Self::Mix(parts) => parts.iter().map(|part| part.request.clone()).collect(),
            Self::Made(source) => source.prepared(),
        }
    }

    /// What their answers are compared with.
    pub(crate) fn expected(&self) -> Vec<Expected> {
        match self {
            Self::Mix(parts) => parts.iter().map(|part| part.expected.clone()).collect(),
            Self::Made(source) => source.expected(),
        }
    }

    /// When requests fall due, if whoever thinks of them says so.
    pub(crate) fn times(&self) -> Option<Arc<[u64]>> {
        match self {
            Self::Mix(_) => None,
            Self::Made(source) => source.times(),
        }
    }
}

/// A request of a mix.
#[derive(Clone, Debug)]
pub struct Part {
    /// What is asked.
    pub request: Request,
    /// The answer that counts as right.
    pub expected: Expected,
    /// Name under which its answers are counted and timed apart.
    pub name: String,
    /// How often, relative to the others; above 0.
    pub weight: f64,
}

/// A request in no protocol's words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// `GET`, `POST` …
    pub method: String,
    /// Path and query, beginning with `/`.
    pub path: String,
    /// Header names and values; `Host` only where it differs from the load's.
    pub headers: Vec<(String, String)>,
    /// The body; empty for none.
    pub body: Vec<u8>,
}

impl Request {
    /// Whether it can be put on the wire: what somebody has recorded may not.
    ///
    /// # Errors
    /// [`LoadError::Unsendable`], with the part that cannot.
    pub fn check(&self) -> Result<()> {
        let headers = borrowed(&self.headers);
        let ask = Ask {
            method: &self.method,
            path: &self.path,
            host: "",
            headers: &headers,
            body: &self.body,
            keep_alive: true,
            cgi: wire::Cgi::default(),
        };
        Ok(ask.check()?)
    }
}

/// Names and values, lent.
pub(crate) fn borrowed(pairs: &[(String, String)]) -> Vec<(&str, &str)> {
    let pairs = pairs.iter();
    pairs
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect()
}

impl From<&Route> for Request {
    fn from(route: &Route) -> Self {
        let pair = |(name, value): (&String, &String)| (name.clone(), value.clone());
        Self {
            method: route.method.name().to_owned(),
            path: route.path.clone(),
            headers: route.headers.iter().map(pair).collect(),
            body: route.body.to_vec(),
        }
    }
}

/// Who thinks of the requests of a load: a template, a recording, a page, a script.
pub trait RequestSource: Send + Sync + fmt::Debug {
    /// What a user calls it, as in `mend that in the script`.
    fn called(&self) -> &'static str {
        "source of the requests"
    }

    /// The requests' names, by number; at least one. Their answers are counted and timed apart.
    fn names(&self) -> Vec<String>;

    /// The answers that count as right, by number; at least one.
    fn expected(&self) -> Vec<Expected>;

    /// Requests that are asked again and again, by number, to be made ready once; may be empty.
    fn prepared(&self) -> Vec<Request> {
        Vec::new()
    }

    /// When requests fall due, in nanoseconds from the window's opening, in order, if it is the
    /// source who says so: the `n`-th is begun by the worker `n % workers`. An open loop.
    fn times(&self) -> Option<Arc<[u64]>> {
        None
    }

    /// The stream that speaks for one of `workers` threads, numbered from 0, with so many
    /// connections. Called once per thread; its state lives as long as the load.
    ///
    /// # Errors
    /// In words, when it cannot (a script that fails).
    fn stream(&self, worker: usize, workers: usize, connections: usize) -> NewStream;
}

/// A thread's stream, or in words why there is none.
pub type NewStream = Result<Box<dyn RequestStream>, String>;

/// One thread's source at work. Connections are numbered from 0, as the thread's own.
pub trait RequestStream: Send {
    /// Another request falls due at `due` (nanoseconds of the load's clock) on a connection that
    /// begins: what is it? In warm-up and window alike.
    ///
    /// # Errors
    /// In words, when there cannot be one; it counts as one that could not be asked, under no name.
    fn begin(&mut self, connection: usize, due: u64) -> Result<Asked, String>;

    /// What this connection is to ask in consequence of earlier answers, before anything else.
    fn follow(&mut self, _connection: usize) -> Option<Asked> {
        None
    }

    /// Whether this connection may begin something now; if not, it sleeps until it is woken.
    fn begins(&self, _connection: usize) -> bool {
        true
    }

    /// Whether it has begun its last request, whatever the load's amount: the thread's window closes
    /// then, for nobody else could begin those that are left.
    fn is_over(&self) -> bool {
        false
    }

    /// Whether answers are handed over whole, which costs a copy of each.
    fn reads(&self) -> bool {
        false
    }

    /// A request of this connection came to its end. Connections that have something to follow, or may begin again,
    /// are added to `_wake`. Returns when the visit that this ends had begun, if it ends one: the
    /// time of a page.
    fn heard(&mut self, _: usize, _: &Heard<'_>, _wake: &mut Vec<usize>) -> Option<u64> {
        None
    }

    /// A new phase begins (the window after the warm-up): all connections are free.
    fn restart(&mut self) {}
}

/// What is to be asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The request itself.
    pub what: What,
    /// Number of its name.
    pub name: u32,
    /// Number of the answer that counts as right.
    pub expected: u32,
    /// How long to wait before it falls due, in nanoseconds.
    pub delay: u64,
}

/// A request, ready or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// The one of this number among the source's prepared ones.
    Prepared(u32),
    /// One that is made ready now.
    Request(Box<Request>),
    /// Bytes as the source wrote them, in protocols that have such a thing (HTTP/1).
    Verbatim(Vec<u8>),
}

/// How a request ended.
#[derive(Clone, Copy, Debug)]
pub struct Heard<'a> {
    /// Number of its name; that of no name if it could not be thought of.
    pub name: u32,
    /// Status of the answer; 0 when none came.
    pub status: u16,
    /// Its header lines, to the empty line; only for a stream that [reads](RequestStream::reads).
    pub fields: &'a [u8],
    /// Its body; only for a stream that [reads](RequestStream::reads).
    pub body: &'a [u8],
    /// Whether it counts as right.
    pub right: bool,
    /// When it ended, nanoseconds of the load's clock.
    pub now: u64,
}
