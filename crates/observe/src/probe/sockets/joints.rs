//! The open connections between programs of a stack.

use std::collections::BTreeMap;
use std::net::SocketAddr;

use record::{FlowFacts, JointFacts};
use sockets::{Connection, listens_for, plain};

/// The ends of connections from one program to another: those of who has opened them, and those of who is asked.
type Ends<'a> = [Vec<&'a Connection>; 2];

/// What is between these programs: who has which socket open, and who listens where.
pub(super) fn joints(
    connections: &[Connection],
    owners: &BTreeMap<u64, &str>,
    listeners: &[(SocketAddr, &str)],
) -> Vec<JointFacts> {
    let by_ends = connections
        .iter()
        .map(|of| ((plain(of.local), plain(of.remote)), of));
    let by_ends: BTreeMap<_, _> = by_ends.collect();
    let mut joints: BTreeMap<(&str, &str), Ends<'_>> = BTreeMap::new();
    for (&(local, remote), of) in &by_ends {
        let from = owners.get(&of.inode).copied();
        let Some(ends) = from.zip(listening(remote, listeners)) else {
            continue;
        };
        let [there, back] = joints.entry(ends).or_default();
        there.push(*of);
        back.extend(by_ends.get(&(remote, local)).copied());
    }
    let told = |((from, to), [there, back]): ((&str, &str), Ends<'_>)| JointFacts {
        from: from.to_owned(),
        to: to.to_owned(),
        connections: there.len() as u32,
        there: flow(&there),
        back: flow(&back),
    };
    joints.into_iter().map(told).collect()
}

/// Who listens there, or everywhere.
fn listening<'a>(at: SocketAddr, listeners: &[(SocketAddr, &'a str)]) -> Option<&'a str> {
    let found = listeners.iter().find(|(own, _)| listens_for(*own, at));
    found.map(|(_, program)| *program)
}

fn flow(ends: &[&Connection]) -> FlowFacts {
    let sum = |of: fn(&Connection) -> u32| {
        let each = ends.iter().map(|end| u64::from(of(end)));
        each.sum::<u64>()
    };
    let rtt: f64 = ends.iter().map(|of| of.rtt).sum();
    FlowFacts {
        segments: sum(|of| of.segments),
        retransmitted: sum(|of| of.retransmitted),
        rtt: rtt / ends.len().max(1) as f64,
        app_limited: ends.iter().filter(|of| of.app_limited).count() as u32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end(local: &str, remote: &str, inode: u64, segments: u32) -> Connection {
        Connection {
            local: local.parse().unwrap(),
            remote: remote.parse().unwrap(),
            inode,
            rtt: f64::from(segments) / 1e3,
            segments,
            retransmitted: 1,
            app_limited: inode == 1,
        }
    }

    #[test]
    fn both_ends_of_what_a_program_opens_to_another_are_told() {
        let connections = [
            end("127.0.0.1:40000", "127.0.0.1:8000", 1, 10),
            end("127.0.0.1:40001", "127.0.0.1:8000", 2, 30),
            // the server writes all addresses as of IPv6
            end("[::ffff:127.0.0.1]:8000", "[::ffff:127.0.0.1]:40000", 3, 70),
            end("[::ffff:127.0.0.1]:8000", "[::ffff:127.0.0.1]:40001", 4, 90),
            // a client, and what the front end answers it
            end("127.0.0.1:50000", "127.0.0.1:80", 9, 5),
            end("127.0.0.1:80", "127.0.0.1:50000", 5, 5),
        ];
        let (front, app) = ("front", "app");
        let owners = BTreeMap::from([(1, front), (2, front), (3, app), (4, app), (5, front)]);
        let at = |text: &str| text.parse::<SocketAddr>().unwrap();
        let listeners = [
            (at("[::ffff:0.0.0.0]:8000"), app),
            (at("0.0.0.0:80"), front),
        ];
        let told = joints(&connections, &owners, &listeners);
        let flow = |segments, rtt, app_limited| FlowFacts {
            segments,
            retransmitted: 2,
            rtt,
            app_limited,
        };
        let wanted = JointFacts {
            from: front.to_owned(),
            to: app.to_owned(),
            connections: 2,
            there: flow(40, 0.02, 1),
            back: flow(160, 0.08, 0),
        };
        assert_eq!(told, [wanted]);
    }
}
