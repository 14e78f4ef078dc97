//! What stands out in how a client talks, and what to do about it.

use judge::{Habit, HabitKind};
use record::{Forwarded, Malformed, Talk};

use crate::harmless::one_line;
use crate::units::{count, duration, known, percent};
use crate::words::counted;

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
        HabitKind::Unanswered => unanswered(talk),
        HabitKind::NoSuccess => no_success(talk),
    }
}

fn anew(talk: &Talk) -> Told {
    let asks = talk.closing * 2 > talk.requests;
    let forwarded = talk.forwarded.as_ref();
    let closes = forwarded.is_some_and(|of| of.closed * 2 > talk.requests);
    let (whose, next) = if asks {
        (
            ", most of which ask for their connection to be closed",
            "have it leave out `Connection: close` and speak HTTP/1.1, or take a client that does (Python's `urllib` never keeps one)",
        )
    } else if closes {
        (
            "; the server closes most of them after their response, so that the client cannot keep them",
            "have the server keep its connections (a setting, or another kind of worker), or put a front end before it that does",
        )
    } else {
        (
            "",
            "keep one client object, session or pool for all requests, and read each response to its end",
        )
    };
    Told {
        title: "a connection is opened for a request, not kept",
        of: "requests opened one",
        because: format!(
            "{} connections for {} requests{whose}",
            count(talk.connections - talk.unused),
            count(talk.requests)
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

fn unanswered(talk: &Talk) -> Told {
    let forwarded = talk.forwarded.as_ref();
    let example = forwarded.and_then(|of| of.example.as_deref());
    Told {
        title: "the server does not answer all that is passed on to it",
        of: "requests that were passed on",
        because: one_line(example.unwrap_or_default()).into_owned(),
        next: "see that it runs, listens where `--to` says, and answers: the client had responses of weir's in place of its own, \
               and may talk otherwise than it would"
            .to_owned(),
    }
}

fn no_success(talk: &Talk) -> Told {
    Told {
        title: "the server answers nothing with a status from 200 to 299",
        of: "its responses",
        because: talk.forwarded.as_ref().map_or_else(String::new, statuses),
        next: "see that it takes what the client asks for, by its path and method: a client that is refused stops early, or tries \
               again, and may talk otherwise than it would"
            .to_owned(),
    }
}

/// `200: 7, 501: 4`: how often each status came.
pub(super) fn statuses(of: &Forwarded) -> String {
    let each = of.statuses.iter();
    let each = each.map(|(status, times)| format!("{status}: {}", count(*times)));
    each.collect::<Vec<_>>().join(", ")
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
