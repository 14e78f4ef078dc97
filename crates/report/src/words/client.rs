//! How a client talks, in words.

use std::fmt::Write as _;

use judge::{Account, Habit, HabitKind};
use record::{Lookups, Malformed, Talk};

use super::counted;
use crate::harmless::one_line;
use crate::units::{NOTHING, bytes, count, duration, known, number, percent, rate};

/// What a habit says.
pub(crate) struct Told {
    pub(crate) title: &'static str,
    /// What its share is of.
    of: &'static str,
    because: String,
    pub(crate) next: String,
}

impl Told {
    /// Its share, and the facts.
    pub(crate) fn because(&self, habit: &Habit) -> String {
        format!("{} of {}: {}", percent(habit.share), self.of, self.because)
    }
}

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

/// What is to be said of a habit.
pub(crate) fn habit(of: &Habit, talk: &Talk) -> Told {
    match of.kind {
        HabitKind::Anew => anew(talk),
        HabitKind::Resolves => resolves(talk),
        HabitKind::Unresumed => Told {
            title: "TLS sessions are not resumed",
            of: "handshakes, after as many as there were connections at once",
            because: format!(
                "{} of {} were whole ones: new keys, a certificate and a signature each time",
                count(talk.handshakes - talk.resumed),
                counted(talk.handshakes, "handshake")
            ),
            next: "keep one TLS context (or client object) for all connections, and its session cache on".to_owned(),
        },
        HabitKind::Apart => Told {
            title: "heads and bodies leave in segments of their own",
            of: "requests with a small body",
            because: "a segment more is some 40 bytes of headers more, and one more for each end to handle".to_owned(),
            next: "write head and body at once, or hold the head back until the body is there (TCP_CORK, MSG_MORE)".to_owned(),
        },
        HabitKind::Nagle => nagle(talk),
        HabitKind::Late => Told {
            title: "bodies come late, and wait for no acknowledgement",
            of: "requests that weir left alone",
            because: format!(
                "the body came {} after its head, and {} where the head was acknowledged at once: the client itself takes that long",
                known(talk.stalls.gap, duration),
                known(talk.stalls.gap_acknowledged, duration)
            ),
            next: "have the body ready before the head is sent".to_owned(),
        },
        HabitKind::Expects => Told {
            title: "bodies are asked for before they are sent",
            of: "requests",
            because: "small bodies wait for the answer to `Expect: 100-continue`, a round trip for each".to_owned(),
            next: "switch that off for small bodies (with curl: -H 'Expect:')".to_owned(),
        },
        HabitKind::Misread => misread(talk),
    }
}

fn anew(talk: &Talk) -> Told {
    let asks = talk.closing * 2 > talk.requests;
    let next = if asks {
        "have it leave out `Connection: close` and speak HTTP/1.1, or take a client that does (Python's `urllib` never keeps one)"
    } else {
        "keep one client object, session or pool for all requests, and read each response to its end"
    };
    Told {
        title: "a connection is opened for a request, not kept",
        of: "requests opened one",
        because: format!(
            "{} connections for {} requests{}",
            count(talk.connections - talk.unused),
            count(talk.requests),
            if asks {
                ", most of which ask for their connection to be closed"
            } else {
                ""
            }
        ),
        next: next.to_owned(),
    }
}

fn resolves(talk: &Talk) -> Told {
    let names = talk.names.clone().unwrap_or_default();
    Told {
        title: "the origin's name is looked up again and again",
        of: "requests had a lookup before them",
        because: format!(
            "{} in {} for {}; a name server that is not on this machine takes a round trip for each",
            counted(names.lookups, "lookup"),
            counted(names.questions, "question"),
            counted(talk.requests, "request")
        ),
        next: "keep connections, each of which takes one lookup, or have names kept: in the client, by nscd, or by a \
               resolver on the same machine"
            .to_owned(),
    }
}

fn nagle(talk: &Talk) -> Told {
    let stalls = &talk.stalls;
    Told {
        title: "bodies wait for acknowledgements that are delayed",
        of: "requests that weir left alone",
        because: format!(
            "the body came {} after its head (median of {}), and {} after it where weir acknowledged the head at once \
             ({}): Nagle's algorithm holds it back until the head is acknowledged, which the other end puts off; its rate \
             is of both kinds, and higher than of heads that are all left alone",
            known(stalls.gap, duration),
            count(stalls.bodies),
            known(stalls.gap_acknowledged, duration),
            count(stalls.acknowledged)
        ),
        next: "write head and body at once, or switch Nagle's algorithm off (TCP_NODELAY)"
            .to_owned(),
    }
}

fn misread(talk: &Talk) -> Told {
    let each = talk.misread.iter().map(|of| {
        let what = match of.why {
            Malformed::Tls => "with a TLS handshake",
            Malformed::NotTls => "without a TLS handshake",
            Malformed::Handshake => "whose TLS handshake fails",
            Malformed::Http2 => "in HTTP/2",
            Malformed::Head => "without a head that can be read",
            Malformed::TooLong => "with a head that is too long",
            Malformed::Framing => "with a body of unclear length",
        };
        let told = format!("{} {what}", counted(of.connections, "connection"));
        match of.why {
            Malformed::Tls | Malformed::Http2 | Malformed::NotTls | Malformed::Handshake => told,
            _ => format!("{told} (`{}`)", one_line(&of.sample)),
        }
    });
    let of = |wanted| talk.misread.iter().any(|of| of.why == wanted);
    let next = if of(Malformed::Handshake) {
        "have it trust the certificate that WEIR_CA names (curl: --cacert \"$WEIR_CA\")"
    } else if of(Malformed::NotTls) {
        "have it speak TLS: its URL begins with https://"
    } else if of(Malformed::Tls) {
        "have it speak HTTP/1.1 without TLS (its URL begins with http://), or give `weir client` --tls"
    } else {
        "have it speak HTTP/1.1"
    };
    Told {
        title: "the origin does not understand all that is sent",
        of: "connections",
        because: each.collect::<Vec<_>>().join("; "),
        next: next.to_owned(),
    }
}
