//! Rules of thumb about programs that stand next to each other, checked before anything is started.
//!
//! They never refuse: what a plan measures may be exactly the mistake. Each names where it was read.

use record::Transport;

use crate::compose::composition::{Composition, Part};
use crate::compose::render::{Meaning, meaning};
use crate::error::StackError;

/// Connections that the kernel lets wait on a listening socket.
const SOMAXCONN: &str = "/proc/sys/net/core/somaxconn";
/// The kernel's own choice since Linux 5.4.
const USUAL_SOMAXCONN: f64 = 4096.0;
/// Ports of a usual `ip_local_port_range`, and the seconds that a closed connection keeps one.
const PORTS: f64 = 28_232.0;
const TIME_WAIT: f64 = 60.0;
/// Seconds from which on a role means `without end`.
const ENDLESS: f64 = 1e6;

/// Something to think about before a stack is believed.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Advice {
    /// The stage.
    pub stage: String,
    /// What does not fit together, with the figures.
    pub text: String,
    /// Where the rule was read.
    pub source: &'static str,
}

/// What is to be said of a composition whose clients wait for so many seconds.
///
/// # Errors
/// A role of an entry that does not evaluate.
pub fn advice(composition: &Composition, client_timeout: f64) -> Result<Vec<Advice>, StackError> {
    let meanings = composition
        .parts
        .iter()
        .map(|part| meaning(composition, part));
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
        found.extend(ports(front, before, server));
    }
    let stage = &composition.stage;
    Ok(found
        .into_iter()
        .map(|(text, source)| Advice {
            stage: stage.clone(),
            text,
            source,
        })
        .collect())
}

type Found = Option<(String, &'static str)>;

fn backlog(part: &Part, means: &Meaning) -> Found {
    let asked = means.backlog?;
    let text = std::fs::read_to_string(SOMAXCONN).unwrap_or_default();
    let most = text.trim().parse().unwrap_or(USUAL_SOMAXCONN);
    (asked > most).then(|| {
        (
            format!(
                "`{}` asks for an accept queue of {asked}, and the kernel cuts it to net.core.somaxconn = {most}",
                part.name
            ),
            "listen(2)",
        )
    })
}

/// Queue, then client, then server: whoever gives up later works for nobody.
fn patience(part: &Part, means: &Meaning, client: f64) -> Found {
    if let Some(queue) = means.queue_timeout.filter(|queue| *queue >= client) {
        return Some((
            format!(
                "a request waits up to {queue} s in the queue of `{}`, and clients give up after {client} s: it then serves who is gone",
                part.name
            ),
            "https://www.haproxy.com/blog/protect-servers-with-haproxy-connection-limits-and-queues/",
        ));
    }
    let gives_up = means
        .gives_up
        .filter(|limit| *limit > 0.0 && *limit < client)?;
    Some((
        format!(
            "`{}` gives a request up after {gives_up} s, and clients wait {client} s: slow answers become errors",
            part.name
        ),
        "https://docs.gunicorn.org/en/stable/settings.html#timeout",
    ))
}

/// The sum of a front end's limits against what the servers work on at once.
fn limit(front: &Part, before: &Meaning, server: &Part, behind: &Meaning) -> Found {
    let (limit, slots) = (
        before.upstream_limit.filter(|limit| *limit > 0.0)?,
        behind.slots?,
    );
    let words = |how: &str| {
        format!(
            "`{}` gives each `{}` up to {limit} connections, which works on {slots} requests at once: {how}",
            front.name, server.name
        )
    };
    let source =
        "https://www.haproxy.com/blog/protect-servers-with-haproxy-connection-limits-and-queues/";
    if limit > slots * 2.0 {
        return Some((
            words("the others wait where no front end can give them to a free one"),
            source,
        ));
    }
    (limit < slots).then(|| (words("some of it stays idle"), source))
}

fn idle(front: &Part, before: &Meaning, server: &Part, behind: &Meaning) -> Found {
    let (kept, closed) = (before.upstream_idle?, behind.idle?);
    let how_long = match kept {
        ENDLESS.. => "without end".to_owned(),
        _ => format!("for {kept} s"),
    };
    (kept >= closed).then(|| {
        (
            format!(
                "`{}` keeps idle connections {how_long} and `{}` closes them after {closed} s: now and then a request meets a connection that is just being closed, and becomes a 502",
                front.name, server.name
            ),
            "https://github.com/conbench/conbench/issues/1156",
        )
    })
}

/// On one machine the kernel takes a port up again after a second; between machines it does not.
fn ports(front: &Part, before: &Meaning, server: &Part) -> Found {
    let each_anew = before.upstream_idle.is_none() && front.entry.roles.upstream_idle.is_some();
    (each_anew && server.spoken.transport == Transport::Tcp).then(|| {
        (
            format!(
                "`{}` opens a connection to `{}` for each request; on two machines the ports would last for {:.0} requests/s ({PORTS:.0} ports, each kept for {TIME_WAIT:.0} s), which one machine does not show",
                front.name, server.name, PORTS / TIME_WAIT
            ),
            "https://tech.freckle.com/2016/01/21/scaling-beyond-65k-reverse-proxy-connections-on-localhost/",
        )
    })
}
