//! How a client talks, in words.

mod habits;

use std::fmt::Write as _;

use judge::Account;
use record::{Forwarded, Lookups, Talk};

use super::counted;
use crate::harmless::one_line;
use crate::units::{NOTHING, bytes, count, duration, known, number, rate};
pub(crate) use habits::habit;

/// The sentence above all.
pub(crate) fn headline(account: &Account) -> String {
    let talk = &account.talk;
    let command = one_line(&account.command.join(" ")).into_owned();
    let requests = counted(talk.requests, "request");
    let fast = account.rate.map_or_else(String::new, |per_second| {
        let last = duration(talk.seconds);
        format!(", the last {last} after the first: {}", rate(per_second))
    });
    format!("`{command}` made {requests}{fast}; it {}", account.ended)
}

/// What is told of it, each with its name.
pub(crate) fn rows(account: &Account) -> Vec<(&'static str, String)> {
    let mut rows = talked(&account.talk);
    rows.insert(rows.len() - 1, ("CPU time", cpu(account)));
    rows
}

/// How it talked, each thing with its name.
pub(crate) fn talked(talk: &Talk) -> Vec<(&'static str, String)> {
    let names = talk.names.as_ref();
    let has_bodies = talk.bodies.small + talk.bodies.large > 0;
    let rows = [
        ("connections", Some(connections(talk))),
        ("DNS", names.map(|names| lookups(names, talk))),
        ("TLS", (talk.handshakes > 0).then(|| handshakes(talk))),
        ("segments", Some(segments(talk))),
        ("bodies", has_bodies.then(|| bodies(talk))),
        ("server", talk.forwarded.as_ref().map(forwarded)),
        ("HTTP", Some(version(talk))),
    ];
    let known = rows
        .into_iter()
        .filter_map(|(name, told)| Some((name, told?)));
    known.collect()
}

fn connections(talk: &Talk) -> String {
    let mut told = format!(
        "{} opened, {} requests on each, at most {} open at once",
        count(talk.connections),
        number(talk.per_connection()),
        count(talk.at_once)
    );
    for (number, what) in [
        (talk.unused, "without a request"),
        (talk.turned_away, "turned away: too many were open"),
    ] {
        if number > 0 {
            let _ = write!(told, "; {} {what}", count(number));
        }
    }
    told
}

fn handshakes(talk: &Talk) -> String {
    format!(
        "{}, {} of them resumed a session; {} for each request",
        counted(talk.handshakes, "handshake"),
        count(talk.resumed),
        number(talk.per_request(talk.handshakes))
    )
}

fn lookups(names: &Lookups, talk: &Talk) -> String {
    let mut told = format!(
        "{} of {}, in {}; {} for each request",
        counted(names.lookups, "lookup"),
        Talk::NAME,
        counted(names.questions, "question"),
        number(talk.per_request(names.lookups))
    );
    if names.others > 0 {
        let questions = counted(names.others, "question");
        let _ = write!(told, "; {questions} for other names, which were denied");
    }
    told
}

fn segments(talk: &Talk) -> String {
    format!(
        "{} received for each request, {} of them with data; {} of heads and bodies",
        number(talk.per_request(talk.segments)),
        number(talk.per_request(talk.data_segments)),
        bytes(talk.per_request(talk.bytes))
    )
}

fn bodies(talk: &Talk) -> String {
    let bodies = &talk.bodies;
    let mut told = match (bodies.small, bodies.apart) {
        (0, _) => String::new(),
        (_, 0) => "with their heads in one segment".to_owned(),
        (small, apart) if small == apart => {
            "in a segment of their own, after the head's".to_owned()
        }
        (small, apart) => format!(
            "{} of {} in a segment of their own, after the head's",
            count(apart),
            count(small)
        ),
    };
    if let Some(gap) = bodies.gap {
        let _ = write!(
            told,
            "; {} came after the head was read, by {} (median)",
            count(bodies.after_heads),
            duration(gap)
        );
    }
    if bodies.large > 0 {
        let _ = write!(
            told,
            "; {} are too large for one segment",
            count(bodies.large)
        );
    }
    told.trim_start_matches("; ").to_owned()
}

fn forwarded(of: &Forwarded) -> String {
    let responses = counted(of.answered, "response");
    let mut told = format!("{responses} to requests that were passed on to it");
    if !of.statuses.is_empty() {
        let _ = write!(told, " ({})", habits::statuses(of));
    }
    if of.closed > 0 {
        let all = count(of.closed);
        let _ = write!(told, ", after {all} of which it closed the connection");
    }
    if of.failed > 0 {
        let requests = counted(of.failed, "request");
        let why = one_line(of.example.as_deref().unwrap_or_default());
        let _ = write!(told, "; {requests} without one: {why}");
    }
    told
}

fn cpu(account: &Account) -> String {
    format!(
        "{} for each request, after {} before the first; {} in all",
        known(account.cpu_per_request, duration),
        duration(account.cpu_before),
        duration(account.cpu)
    )
}

fn version(talk: &Talk) -> String {
    let mut told = match talk.http10 {
        _ if talk.requests == 0 => NOTHING.to_owned(),
        0 => "HTTP/1.1".to_owned(),
        all if all == talk.requests => "HTTP/1.0".to_owned(),
        some => format!("HTTP/1.1, and HTTP/1.0 in {}", counted(some, "request")),
    };
    for (number, what) in [
        (talk.closing, "with the wish that their connection ends"),
        (talk.expecting, "with `Expect: 100-continue`"),
        (talk.unfinished, "never whole"),
    ] {
        if number > 0 {
            let _ = write!(told, "; {} {what}", counted(number, "request"));
        }
    }
    told
}

#[cfg(test)]
mod tests {
    use judge::{Habit, HabitKind};

    use super::*;

    #[test]
    fn who_closes_connections_is_told() {
        let talk = |closing, closed| Talk {
            requests: 3,
            connections: 3,
            closing,
            forwarded: Some(Forwarded {
                answered: 3,
                closed,
                ..Forwarded::default()
            }),
            ..Talk::default()
        };
        let server = |closed| talked(&talk(0, closed)).remove(2);
        let responses = "3 responses to requests that were passed on to it";
        assert_eq!(server(0), ("server", responses.to_owned()));
        let closed = format!("{responses}, after 3 of which it closed the connection");
        assert_eq!(server(3), ("server", closed));
        let anew = Habit {
            kind: HabitKind::Anew,
            share: 1.0,
        };
        for (closing, closed, advised) in [
            (0, 0, "keep one client object"),
            (0, 3, "have the server keep its connections"),
            (3, 3, "have it leave out `Connection: close`"),
        ] {
            let next = habit(&anew, &talk(closing, closed)).next;
            assert!(next.starts_with(advised), "{next}");
        }
    }

    #[test]
    fn a_server_that_is_not_there_is_told_with_its_reason() {
        let refused = "no response from 127.0.0.1:1: Connection refused";
        let talk = Talk {
            requests: 3,
            forwarded: Some(Forwarded {
                failed: 3,
                example: Some(refused.to_owned()),
                ..Forwarded::default()
            }),
            ..Talk::default()
        };
        let of = Habit {
            kind: HabitKind::Unanswered,
            share: 1.0,
        };
        let because = habit(&of, &talk).because(&of);
        let expected = format!("100 % of requests that were passed on: {refused}");
        assert_eq!(because, expected);
    }

    #[test]
    fn what_a_server_refuses_is_told_by_status() {
        let talk = Talk {
            requests: 4,
            forwarded: Some(Forwarded {
                answered: 4,
                statuses: [(404, 1), (501, 3)].into(),
                ..Forwarded::default()
            }),
            ..Talk::default()
        };
        let server = talked(&talk).remove(2).1;
        assert_eq!(
            server,
            "4 responses to requests that were passed on to it (404: 1, 501: 3)"
        );
        let of = Habit {
            kind: HabitKind::NoSuccess,
            share: 1.0,
        };
        let because = habit(&of, &talk).because(&of);
        assert_eq!(because, "100 % of its responses: 404: 1, 501: 3");
    }
}
