//! Rules of thumb about programs that stand next to each other, checked before anything is started.
//!
//! They never refuse: what a plan measures may be exactly the mistake. Each names where it was read.

use record::Transport;

use crate::compose::composition::{Composition, Part};
use crate::compose::render::{Meaning, meaning};
use crate::error::Result;

/// Connections that the kernel lets wait on a listening socket.
const SOMAXCONN: &str = "/proc/sys/net/core/somaxconn";
/// The kernel's own choice since Linux 5.4.
const USUAL_SOMAXCONN: f64 = 4096.0;
/// Ports of a usual `ip_local_port_range`, and the seconds that a closed connection keeps one.
const PORTS: f64 = 28_232.0;
const TIME_WAIT: f64 = 60.0;
/// Share of the rate for which the ports last, from which on that is told.
const NEAR: f64 = 0.5;
/// Seconds from which on a role means `without end`.
const ENDLESS: f64 = 1e6;
/// Where it is said how long requests should wait, and where.
const QUEUES: &str =
    "https://www.haproxy.com/blog/protect-servers-with-haproxy-connection-limits-and-queues/";

/// Something to think about before a stack is believed.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Advice {
    /// The variant.
    pub variant: String,
    /// What does not fit together, with the figures.
    pub text: String,
    /// What that means, where it is the same whatever the programs are called.
    pub means: Option<String>,
    /// Where the rule was read.
    pub source: &'static str,
}

/// What is to be said of a composition whose clients wait for so many seconds, and ask so often in a second at most, where that
/// is planned.
///
/// # Errors
/// A role of an entry that does not evaluate.
pub fn advice(
    composition: &Composition,
    client_timeout: f64,
    rate: Option<f64>,
) -> Result<Vec<Advice>> {
    let parts = composition.parts.iter();
    let meanings = parts.map(|part| meaning(composition, part));
    let meanings = meanings.collect::<Result<Vec<_>, _>>()?;
    let parts: Vec<_> = composition.parts.iter().zip(&meanings).collect();
    let mut found = Vec::new();
    for (part, means) in &parts {
        found.extend(backlog(part, means));
        found.extend(patience(part, means, client_timeout));
    }
    for pair in parts.windows(2) {
        let [(front, before), (server, behind)] = pair else {
            continue;
        };
        if server.service.is_some() {
            break; // no request is passed on to it
        }
        found.extend(limit(front, before, server, behind));
        found.extend(idle(front, before, server, behind));
        if rate.is_some_and(|rate| rate >= NEAR * PORTS / TIME_WAIT) {
            found.extend(ports(front, before, server));
        }
    }
    let told = |(text, means, source)| Advice {
        variant: composition.variant.clone(),
        text,
        means,
        source,
    };
    Ok(found.into_iter().map(told).collect())
}

/// What does not fit, what that means, and where it was read.
type Found = Option<(String, Option<String>, &'static str)>;

fn backlog(part: &Part, means: &Meaning) -> Found {
    let asked = means.backlog?;
    let text = std::fs::read_to_string(SOMAXCONN).unwrap_or_default();
    let most = text.trim().parse().unwrap_or(USUAL_SOMAXCONN);
    let name = &part.name;
    let text = format!(
        "`{name}` asks for an accept queue of {asked}, and the kernel cuts it to net.core.somaxconn = {most}"
    );
    (asked > most).then_some((text, None, "listen(2)"))
}

/// Queue, then client, then server: whoever gives up later works for nobody.
fn patience(part: &Part, means: &Meaning, client: f64) -> Found {
    let name = &part.name;
    if let Some(queue) = means.queue_timeout.filter(|queue| *queue >= client) {
        let text = format!(
            "a request waits up to {queue} s in the queue of `{name}`, and clients give up after {client} s: it then works for clients that are gone"
        );
        return Some((text, None, QUEUES));
    }
    let gives_up = means.gives_up;
    let gives_up = gives_up.filter(|limit| *limit > 0.0 && *limit < client)?;
    let text = format!(
        "`{name}` gives a request up after {gives_up} s, and clients wait {client} s: slow responses become errors"
    );
    let source = "https://docs.gunicorn.org/en/stable/settings.html#timeout";
    Some((text, None, source))
}

/// The sum of a front end's limits against what the servers work on at once.
fn limit(front: &Part, before: &Meaning, server: &Part, behind: &Meaning) -> Found {
    let limit = before.upstream_limit.filter(|limit| *limit > 0.0)?;
    let slots = behind.slots?;
    let how = match limit {
        _ if limit > slots * 2.0 => {
            "the others wait where no front end can give them to a free one"
        }
        _ if limit < slots => "some of it stays idle",
        _ => return None,
    };
    let (front, server) = (&front.name, &server.name);
    let text = format!(
        "`{front}` gives each `{server}` up to {limit} connections, which works on {slots} requests at once: {how}"
    );
    Some((text, None, QUEUES))
}

fn idle(front: &Part, before: &Meaning, server: &Part, behind: &Meaning) -> Found {
    let (kept, closed) = (before.upstream_idle?, behind.idle?);
    let how_long = match kept {
        ENDLESS.. => "without end".to_owned(),
        _ => format!("for {kept} s"),
    };
    let (front, server) = (&front.name, &server.name);
    let text = format!(
        "`{front}` keeps idle connections {how_long} and `{server}` closes them after {closed} s: now and then a request meets a connection that is just being closed, and becomes a 502"
    );
    let source = "https://github.com/conbench/conbench/issues/1156";
    (kept >= closed).then_some((text, None, source))
}

/// On one machine the kernel takes a port up again after a second; between machines it does not.
fn ports(front: &Part, before: &Meaning, server: &Part) -> Found {
    let each_anew = before.upstream_idle.is_none() && front.entry.roles.upstream_idle.is_some();
    let apart = each_anew && server.spoken.transport == Transport::Tcp;
    let (front, server) = (&front.name, &server.name);
    let text = format!("`{front}` opens a connection to `{server}` for each request");
    let means = format!(
        "on two machines the ports would last for {:.0} requests/s ({PORTS:.0} ports, each kept for {TIME_WAIT:.0} s), which one machine does not show",
        PORTS / TIME_WAIT
    );
    let source = "https://tech.freckle.com/2016/01/21/scaling-beyond-65k-reverse-proxy-connections-on-localhost/";
    apart.then_some((text, Some(means), source))
}
