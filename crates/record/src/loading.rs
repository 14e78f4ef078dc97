use std::net::IpAddr;

use serde::{Deserialize, Serialize};

use crate::{Crowd, Fault, Reactor, RequestFile, Shape, Tls};

/// How a target is loaded.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Load {
    /// Connections kept busy at once (closed loop), or that wait for requests (open loop).
    pub connections: u32,
    /// When the measured window ends.
    pub amount: Amount,
    /// What is applied and thrown away first.
    pub warm_up: WarmUpPlan,
    /// Whether a connection carries more than one request.
    pub keep_alive: bool,
    /// Worker threads of the engine; 0 lets the engine choose.
    #[serde(default)]
    pub threads: u32,
    /// How they learn what their sockets bring.
    #[serde(default, skip_serializing_if = "Reactor::is_auto")]
    pub reactor: Reactor,
    /// Seconds after which an unanswered request counts as timed out.
    pub timeout: f64,
    /// Seconds that requests which are under way when a window by duration closes are waited for;
    /// absent when the engine chooses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drain: Option<f64>,
    /// Seconds that opening a connection may take, its TLS handshake included, if less than the
    /// whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub connect_timeout: Option<f64>,
    /// Seconds from a request to the first byte of its answer, if less than the whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_byte_timeout: Option<f64>,
    /// What makes requests fall due.
    #[serde(default)]
    pub shape: Shape,
    /// Most requests under way at once on a connection: HTTP/1 pipelining, HTTP/2 streams. Each of
    /// them is kept busy.
    #[serde(default = "one")]
    pub streams: u32,
    /// Requests after which a connection is closed and opened anew; absent for no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_connection: Option<u32>,
    /// Whether a request's head and body leave in two segments (HTTP/1 over TCP).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub split: bool,
    /// What clients do about a request that failed or is slow; absent when they bear it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry: Option<Retry>,
    /// What visitors fetch, if the route is a page that is loaded with all that it needs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<Visitors>,
    /// The file that says what is asked, if it is not the route.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requests_from: Option<RequestFile>,
    /// How the connections are made secret, if they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tls: Option<Tls>,
    /// Addresses of this machine that connections come from, in turn; empty for what the kernel
    /// chooses.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<IpAddr>,
    /// Who is there beside the measured connections.
    #[serde(default)]
    pub crowd: Crowd,
    /// What befalls the app server in the window, in the order of its times.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<Fault>,
    /// Conditions that have to hold: in so many seconds the highest rate at which they do is looked for, and a trial is the
    /// load at that rate. Absent where the load is what it says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goal: Option<String>,
    /// Looks per second at what the threads of the stack's programs do, while the window is open; absent for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<f64>,
    /// Whether processes, sockets and counters are looked at only at the ends of the window, and not several times a second.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unobserved: bool,
}

pub(crate) fn one() -> u32 {
    1
}

impl Default for Load {
    /// Ten seconds over ten kept connections.
    fn default() -> Self {
        Self {
            connections: 10,
            amount: Amount::Seconds(10.0),
            warm_up: WarmUpPlan::None,
            keep_alive: true,
            threads: 0,
            reactor: Reactor::Auto,
            timeout: 30.0,
            drain: None,
            connect_timeout: None,
            first_byte_timeout: None,
            shape: Shape::default(),
            streams: 1,
            per_connection: None,
            split: false,
            retry: None,
            page: None,
            requests_from: None,
            tls: None,
            sources: Vec::new(),
            crowd: Crowd::default(),
            faults: Vec::new(),
            goal: None,
            profile: None,
            unobserved: false,
        }
    }
}

impl Load {
    /// Requests that can be under way at once.
    pub fn slots(&self) -> u64 {
        u64::from(self.connections) * u64::from(self.streams)
    }

    /// Whether a trial of it is an open loop: requests fall due at the rate that it says, or at the highest that it finds.
    pub fn is_open(&self) -> bool {
        self.goal.is_some() || self.shape.is_open()
    }

    /// Whether requests fall due at a rate that it says: all that keep up with it answer as many.
    pub fn is_at_a_rate(&self) -> bool {
        self.goal.is_none() && self.shape.is_open()
    }

    /// Whether its window can be cut into slices: it goes by time, each is as the one before, and nothing in it goes on
    /// between them.
    pub fn can_be_cut(&self) -> bool {
        self.why_whole().is_none()
    }

    /// Why its window cannot be cut into slices, as a clause.
    pub fn why_whole(&self) -> Option<&'static str> {
        let by_time = matches!(self.amount, Amount::Seconds(_));
        let thinks = !matches!(self.shape, Shape::Closed { think, .. } if think <= 0.0);
        let reasons = [
            (self.goal.is_some(), "the highest rate is looked for"),
            (self.shape.is_open(), "requests fall due on a schedule"),
            (thinks, "users think between requests"),
            (!by_time, "windows end with a number of requests"),
            (self.page.is_some(), "visitors load whole pages"),
            (
                self.requests_from.is_some(),
                "requests come from a mix, a script or a recording",
            ),
            (self.retry.is_some(), "failed requests are tried again"),
            (self.drain.is_some(), "`drain` is set"),
            (
                !self.crowd.is_none(),
                "background connections go on between slices",
            ),
            (
                !self.faults.is_empty(),
                "faults have their time in the window",
            ),
        ];
        let mut reasons = reasons.into_iter();
        reasons.find_map(|(has, why)| has.then_some(why))
    }

    /// Lets an open loop have as many requests outstanding as its connections carry at once.
    pub fn make_room(&mut self) {
        let slots = u32::try_from(self.slots()).unwrap_or(u32::MAX);
        if let Shape::Open(arrivals) = &mut self.shape {
            arrivals.max_outstanding = arrivals.max_outstanding.max(slots);
        }
    }

    /// Makes the connections those of whole visitors with so many each (at least 1), whose
    /// connections stay together in one thread. With `threads` 0, as many as `cores` are used.
    pub fn for_visitors(&mut self, each: u32, cores: u32) {
        let visitors = self.connections.div_ceil(each);
        let wanted = match self.threads {
            0 => cores,
            some => some,
        };
        self.threads = wanted.min(visitors);
        self.connections = each * visitors.next_multiple_of(self.threads);
    }
}

/// Clients that do not give up: a request that failed, or was not answered in time, is tried again.
#[derive(Clone, Copy, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Retry {
    /// Most times after the first.
    pub times: u32,
    /// Seconds after which an attempt is given up for the next one; absent when only the time limit
    /// of the whole ends it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<f64>,
    /// Seconds of pause before the first retry; each further one is twice as long. 0 for none.
    #[serde(default)]
    pub backoff: f64,
}

/// Visitors who fetch a page as a browser does: the document, then what it needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Visitors {
    /// Connections of each; browsers use 6 to a host in HTTP/1.
    pub connections: u32,
    /// With which cache they come.
    pub visits: Visits,
}

/// With which cache visitors come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Visits {
    /// In turn: a first visit, then one that returns, then somebody new comes.
    #[default]
    Both,
    /// Always with an empty one.
    Fresh,
    /// With that of their last visit.
    Returning,
}

/// When the measured window ends.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Amount {
    /// After this many requests.
    Requests(u64),
    /// After this many seconds.
    Seconds(f64),
}

/// Load that is applied and thrown away before measuring.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WarmUpPlan {
    /// None: the first request is measured.
    None,
    /// This many requests.
    Requests(u64),
    /// This many seconds.
    Seconds(f64),
    /// Until rate and median are stationary, at most this many seconds; where nobody answers, for as
    /// long as the window, and for a second at least.
    Stationary(f64),
}
