//! What stands out of how a client talked.

use record::{Forwarded, Stalls, Talk};
use serde::Serialize;

/// Something about how a client talks that it could do better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum HabitKind {
    /// It opens a connection for each request.
    Anew,
    /// It looks up the origin's name for each request.
    Resolves,
    /// Its TLS handshakes begin from nothing each time.
    Unresumed,
    /// It sends head and body of a request in segments of their own.
    Apart,
    /// Its bodies wait for acknowledgements of their heads that are delayed.
    Nagle,
    /// Its bodies come long after their heads, whatever is acknowledged.
    Late,
    /// It asks before it sends a body.
    Expects,
    /// It speaks something that the origin does not.
    Misread,
    /// The server to which its requests are passed on does not answer all of them.
    Unanswered,
    /// No response of that server has a status from 200 to 299.
    NoSuccess,
}

/// One of them.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Habit {
    /// What it is.
    pub kind: HabitKind,
    /// The share that it is about: of handshakes, of requests or responses (at most all of them), of those with a small body where these
    /// come apart, of those that weir left alone where bodies are late, and of connections that were misread.
    pub share: f64,
}

/// Below this share of requests nothing stands out.
const SHARE: f64 = 0.1;
/// Fewest whole handshakes, and fewest lookups, that are no accident.
const SEVERAL: u64 = 3;
/// Fewest stalls, and fewest heads acknowledged at once, that are no accident.
const FEW: u64 = 3;
/// What an acknowledgement at once has to spare a body, as a share of its time, to be what it waited for.
const SPARED: f64 = 0.5;

pub(crate) fn habits(talk: &Talk) -> Vec<Habit> {
    let share = |of: u64, all: u64| of as f64 / all.max(1) as f64;
    let (bodies, stalls) = (&talk.bodies, &talk.stalls);
    let waits = waits_for_acknowledgements(stalls);
    // those that were acknowledged at once had no chance to stall
    let left_alone = talk.requests.saturating_sub(stalls.acknowledged);
    let stalled = share(stalls.bodies, left_alone);
    // half of the requests were the first of their connection, and half of the connections came when another one had ended: of
    // those that are open at once none could have taken the other's request
    let used = talk.connections.saturating_sub(talk.unused);
    let beyond = used.saturating_sub(talk.at_once);
    let anew = talk.requests >= 2 && talk.per_connection() < 2.0 && 2 * beyond > used;
    // a client without a session to resume has whole ones, over all connections that it opens at once
    let first = talk.at_once.min(talk.handshakes);
    let whole = talk
        .handshakes
        .saturating_sub(talk.resumed)
        .saturating_sub(first);
    let lookups = talk.names.as_ref().map_or(0, |names| names.lookups);
    let stands_out = |of| share(of, talk.requests) >= SHARE;
    let misread: u64 = talk.misread.iter().map(|of| of.connections).sum();
    let forwarded = talk.forwarded.as_ref();
    let failed = forwarded.map_or(0, |of| of.failed);
    let all = failed + forwarded.map_or(0, |of| of.answered);
    let no_success = forwarded.is_some_and(Forwarded::has_no_success);
    let found = [
        (HabitKind::Unanswered, failed > 0, share(failed, all)),
        (HabitKind::NoSuccess, no_success, 1.0),
        (HabitKind::Nagle, waits == Some(true), stalled),
        (HabitKind::Late, waits == Some(false), stalled),
        (HabitKind::Anew, anew, 1.0 / talk.per_connection().max(1.0)),
        (
            HabitKind::Resolves,
            lookups >= SEVERAL && 2 * lookups > talk.requests,
            share(lookups, talk.requests).min(1.0),
        ),
        (
            HabitKind::Unresumed,
            whole >= SEVERAL && 2 * whole > talk.handshakes,
            share(whole, talk.handshakes),
        ),
        (
            HabitKind::Apart,
            stands_out(bodies.apart),
            share(bodies.apart, bodies.small),
        ),
        (
            HabitKind::Expects,
            stands_out(bodies.asked),
            share(bodies.asked, talk.requests),
        ),
        (
            HabitKind::Misread,
            misread > 0,
            share(misread, talk.connections),
        ),
    ];
    let found = found.into_iter().filter(|(_, there, _)| *there);
    found
        .map(|(kind, _, share)| Habit { kind, share })
        .collect()
}

/// Whether bodies wait for acknowledgements of their heads: those whose heads were acknowledged at once come sooner. `None`
/// where too few were late, or none was tried.
fn waits_for_acknowledgements(stalls: &Stalls) -> Option<bool> {
    let (late, at_once) = stalls.gap.zip(stalls.gap_acknowledged)?;
    (stalls.bodies >= FEW && stalls.acknowledged >= FEW).then_some(at_once < late * SPARED)
}

#[cfg(test)]
mod tests {
    use record::{Bodies, Lookups};

    use super::*;

    fn kinds(talk: &Talk) -> Vec<HabitKind> {
        habits(talk).iter().map(|of| of.kind).collect()
    }

    /// 100 requests over so many connections, and late bodies of which those that were acknowledged at once came after this.
    fn talk(connections: u64, at_once: f64) -> Talk {
        Talk {
            requests: 100,
            connections,
            stalls: Stalls {
                bodies: 40,
                gap: Some(0.041),
                acknowledged: 40,
                gap_acknowledged: Some(at_once),
            },
            ..Talk::default()
        }
    }

    #[test]
    fn a_body_that_waits_by_itself_waits_for_no_acknowledgement() {
        assert_eq!(kinds(&talk(1, 0.000_1)), [HabitKind::Nagle]);
        assert_eq!(kinds(&talk(1, 0.041)), [HabitKind::Late]);
        let mut few = talk(1, 0.000_1);
        few.stalls.acknowledged = 2;
        assert_eq!(kinds(&few), []);
    }

    #[test]
    fn connections_are_kept_or_not() {
        let kept = |connections, requests| {
            let talk = Talk {
                requests,
                connections,
                ..Talk::default()
            };
            !kinds(&talk).contains(&HabitKind::Anew)
        };
        assert!(kept(1, 1) && kept(1, 2) && kept(10, 100));
        assert!(!kept(2, 2) && !kept(100, 100) && !kept(60, 100));
    }

    #[test]
    fn requests_at_the_same_time_have_a_connection_each() {
        let kinds = |at_once| {
            kinds(&Talk {
                requests: 20,
                connections: 20,
                at_once,
                ..Talk::default()
            })
        };
        assert_eq!(kinds(1), [HabitKind::Anew]);
        assert_eq!(kinds(4), [HabitKind::Anew]);
        assert_eq!(kinds(20), []);
    }

    #[test]
    fn names_are_looked_up_or_kept() {
        let asked = |lookups| Talk {
            requests: 100,
            connections: 1,
            names: Some(Lookups {
                lookups,
                ..Lookups::default()
            }),
            ..Talk::default()
        };
        assert_eq!(kinds(&asked(1)), []);
        assert_eq!(kinds(&asked(40)), []);
        assert_eq!(kinds(&asked(100)), [HabitKind::Resolves]);
        assert!((habits(&asked(200))[0].share - 1.0).abs() < 1e-9);
    }

    #[test]
    fn sessions_are_resumed_or_not() {
        let tls = |handshakes: u64, resumed, at_once| Talk {
            requests: 1_000,
            connections: handshakes.max(1),
            handshakes,
            resumed,
            at_once,
            ..Talk::default()
        };
        assert_eq!(kinds(&tls(20, 0, 1)), [HabitKind::Unresumed]);
        assert_eq!(kinds(&tls(20, 19, 1)), []);
        assert_eq!(kinds(&tls(20, 0, 20)), [], "all at the same time");
        assert_eq!(kinds(&tls(0, 0, 1)), []);
    }

    #[test]
    fn what_a_server_does_not_answer_stands_out() {
        let passed_on = |answered, failed| Talk {
            requests: 4,
            connections: 1,
            forwarded: Some(Forwarded {
                answered,
                failed,
                ..Forwarded::default()
            }),
            ..Talk::default()
        };
        assert_eq!(kinds(&passed_on(4, 0)), []);
        let some = habits(&passed_on(3, 1));
        assert_eq!(some[0].kind, HabitKind::Unanswered);
        assert!((some[0].share - 0.25).abs() < 1e-9);
    }

    #[test]
    fn a_server_that_refuses_everything_stands_out() {
        let passed_on = |statuses: &[(u16, u64)]| Talk {
            requests: 4,
            connections: 1,
            forwarded: Some(Forwarded {
                answered: 4,
                statuses: statuses.iter().copied().collect(),
                ..Forwarded::default()
            }),
            ..Talk::default()
        };
        assert_eq!(kinds(&passed_on(&[(501, 4)])), [HabitKind::NoSuccess]);
        assert_eq!(kinds(&passed_on(&[(200, 1), (501, 3)])), []);
    }

    #[test]
    fn a_body_apart_now_and_then_is_none() {
        let apart = |apart| Talk {
            requests: 100,
            connections: 1,
            bodies: Bodies {
                small: 100,
                apart,
                ..Bodies::default()
            },
            ..Talk::default()
        };
        assert_eq!(kinds(&apart(9)), []);
        assert_eq!(kinds(&apart(100)), [HabitKind::Apart]);
    }
}
