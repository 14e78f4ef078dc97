//! Whether connections are opened for each request.

use record::{CrowdFacts, Protocol, ServerFacts, Transport};

use super::FindingKind;
use super::facts::{Facts, knob};
use super::rule::{About, Confidence, Cost, Finding, FindingRule};
use crate::words::number;

/// Connections for each response.
const CHURN: f64 = 0.5;
/// Connections for each response below which they surely are kept.
const KEPT: f64 = 0.1;
/// Idle connections that a front end is advised to keep: the usual number in what is written about it.
const ENOUGH: f64 = 32.0;

pub(super) const RULE: FindingRule = FindingRule {
    kind: FindingKind::ConnectionChurn,
    title: "connections are opened again and again",
    rule: "clients, or programs of the stack among themselves (Tcp ActiveOpens), open a connection for every second \
           response and more",
    source: "RFC 9112, section 9.3 (persistence)",
    about: About::Beside,
    look,
};

impl Facts<'_> {
    /// Whether front ends surely keep their connections to the servers behind them: all of these are reached over TCP, and
    /// hardly a connection was opened, whoever opened it.
    pub(super) fn fronts_keep_connections(&self) -> bool {
        let behind = self.measured.stack.passed().skip(1);
        let mut joints = behind.map(ServerFacts::transport);
        let inside = self.measured.opened_inside();
        // those that load and crowd had open before the window were taken off it
        let crowd = self.load.crowd.as_ref().map_or(0, CrowdFacts::opened);
        let before = u64::from(self.load.connections) + crowd;
        let before = self.load.per_response(before);
        let most = inside.zip(before).map(|(inside, before)| inside + before);
        joints.all(|over| over == Some(Transport::Tcp)) && most.is_some_and(|each| each < KEPT)
    }
}

/// A front end and a server behind it that may be connected over TCP.
#[derive(Clone, Copy)]
struct Joint<'a> {
    front: &'a ServerFacts,
    server: &'a ServerFacts,
}

impl<'a> Joint<'a> {
    /// That of a front end which could keep its connections and is set to keep none, if there is one, else the outermost.
    fn of(facts: &Facts<'a>) -> Option<Self> {
        let fronts = facts.fronts();
        let passed: Vec<_> = facts.measured.stack.passed().collect();
        let joints = passed.windows(2).filter_map(|pair| {
            let &[front, server] = pair else { return None };
            let over_tcp = server.transport() != Some(Transport::Unix);
            let joined = over_tcp && fronts.contains(&front.entry.as_str());
            joined.then_some(Self { front, server })
        });
        let joints: Vec<Self> = joints.collect();
        let unset = joints.iter().find(|of| of.unset().is_some());
        unset.or(joints.first()).copied()
    }

    /// The knob by which the front end keeps no connection, where the server behind it would keep them.
    fn unset(&self) -> Option<&'a str> {
        let (name, kept) = knob(self.front, self.front.scale.kept.as_ref())?;
        let protocol = self.server.link.and_then(|link| link.protocol);
        let would = self.server.keeps == Some(true) && protocol == Some(Protocol::Http1);
        (would && kept.abs() < 0.5).then_some(name)
    }

    fn advice(&self) -> String {
        let (front, server) = (&self.front.entry, &self.server.entry);
        if let Some(name) = self.unset() {
            format!(
                "set `{name}` of `{front}` to {ENOUGH}, so that it keeps its connections to `{server}`, or connect them by a Unix \
                 socket if both can"
            )
        } else if self.server.keeps == Some(false) {
            format!(
                "connect `{front}` and `{server}` by a Unix socket if both can, or let both keep connections: `{server}` keeps \
                 none as it is set"
            )
        } else {
            "let the front end keep its connections to the servers behind it (where it does, and these close them, give \
             them workers that keep connections), or connect them by a Unix socket if both can"
                .to_owned()
        }
    }
}

fn look(facts: &Facts) -> Option<Finding> {
    let load = facts.load;
    let clients = load.connects as f64 / (load.completed + load.drained) as f64;
    let own = load.network.is_some_and(|network| network.own);
    let (joint, app) = openers(facts);
    let known = facts.measured.opened_inside();
    // each front end opens one for a response at most; where others surely open as many as would be told of, nothing is known of it
    let most = facts.fronts().len() as f64 + CHURN;
    let known = known.filter(|inside| own || app || *inside < most);
    let inside = known.unwrap_or(0.0);
    if clients.max(inside) < CHURN {
        return None;
    }
    let place = if own { "the stack" } else { "this machine" };
    let more = known.map_or_else(String::new, |inside| {
        let inside = number(inside);
        format!(", and programs of {place} {inside} more over TCP")
    });
    let clients_own = number(clients);
    let because = format!("for each response clients opened {clients_own} connections{more}");
    let (joint, app) = if inside >= CHURN {
        (joint, app)
    } else {
        (None, false)
    };
    let next = advice(facts, joint, app, clients >= CHURN);
    // what an app or clients do is not changed by that
    let alone = joint.filter(|_| !app && clients < CHURN);
    let change = alone.and_then(|of| facts.setting(&of.front.entry, of.unset()?, ENOUGH));
    // whatever else runs on a machine opens some of them
    let confidence = if clients >= CHURN || own {
        Confidence::Counted
    } else {
        Confidence::Likely
    };
    let found = RULE.found(confidence, because, next);
    let cost = if app { Cost::App } else { Cost::Variant };
    Some(found.costs(cost).by(change))
}

/// Who may have opened connections inside the stack, which follows from who there is and how it is reached: a front end, and
/// whether the app.
fn openers<'a>(facts: &Facts<'a>) -> (Option<Joint<'a>>, bool) {
    let joint = Joint::of(facts);
    let servers = facts.measured.stack.servers.iter();
    let mut services = servers.filter(|of| of.service.is_some());
    let asks = services.any(|of| of.transport() != Some(Transport::Unix));
    (joint, asks || joint.is_none())
}

/// What to do about the connections of a front end, of the app and of clients.
fn advice(facts: &Facts, joint: Option<Joint>, app: bool, clients: bool) -> String {
    let mut next: Vec<String> = joint.iter().map(Joint::advice).collect();
    if app {
        next.push(
            "let the app keep its connections to what it asks (a pool, a session, persistent connections)"
                .to_owned(),
        );
    }
    if clients {
        let front = match &facts.behind {
            None => "a front end keeps them for a server that cannot".to_owned(),
            Some(of) => format!(
                "a front end keeps them for a server that cannot, but `{}` of this run did {} × as many requests/s",
                of.of,
                number(of.ratio)
            ),
        };
        next.push(format!(
            "let clients keep their connections (`keep-alive`), if those of the real ones do: {front}"
        ));
    }
    next.join("; ")
}
