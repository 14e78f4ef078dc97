use judge::DoubtKind;
use record::{AtOnce, LoadFacts, Spoken, TimeLimit};

use super::{TIMED_OUT_ADVICE, counted, shape};
use crate::units;

/// What was applied: `closed loop over 10 connections, kept open, HTTP/2 over TLS, 8 streams on each`.
pub fn applied(load: &LoadFacts) -> String {
    let asked = u64::from(load.connections);
    // a load of few requests opens no more connections than it needs
    let over = match load.connects {
        fewer if 0 < fewer && fewer < asked => {
            let (fewer, asked) = (units::count(fewer), counted(asked, "connection"));
            format!("{fewer} of {asked}")
        }
        _ => counted(asked, "connection"),
    };
    let spoken = load.spoken.map(spoken).unwrap_or_default();
    format!("{} over {over}{spoken}", shape(&load.shape))
}

fn spoken(of: Spoken) -> String {
    let kept = if of.keep_alive {
        "kept open"
    } else {
        "one for each request"
    };
    let tls = if of.tls { " over TLS" } else { "" };
    let at_once = match (of.streams, of.protocol.at_once()) {
        (0 | 1, _) => String::new(),
        (streams, AtOnce::Streams) => format!(", {streams} streams on each"),
        (streams, _) => format!(", {streams} requests at once on each"),
    };
    format!(", {kept}, {}{tls}{at_once}", of.protocol.words())
}

/// What came before the window: `2.10 s, 21,000 requests, until stationary`; nothing where nothing did.
pub fn warm_up(load: &LoadFacts) -> Option<String> {
    let of = load.warm_up;
    let requests = of.requests + of.failed;
    if of.seconds <= 0.0 && requests == 0 {
        return None;
    }
    let failed = match of.failed {
        0 => String::new(),
        some => format!(", {} failed", units::count(some)),
    };
    let course = match of.stationary {
        None => "",
        Some(true) => ", until stationary",
        Some(false) => ", and never became stationary",
    };
    let (time, requests) = (units::duration(of.seconds), counted(requests, "request"));
    Some(format!("{time}, {requests}{failed}{course}"))
}

/// Attempts per request of clients that try again; `None` where none did.
pub fn amplification(load: &LoadFacts) -> Option<f64> {
    let tried = load.scheduled.saturating_sub(load.dropped);
    (load.retries > 0 && tried > 0).then(|| (tried + load.retries) as f64 / tried as f64)
}

/// The same in words: `120 beside 1,000 requests: 1.12 attempts per request`.
pub fn retries(load: &LoadFacts) -> Option<String> {
    let (attempts, retries) = (
        units::number(amplification(load)?),
        units::count(load.retries),
    );
    let requests = counted(load.scheduled.saturating_sub(load.dropped), "request");
    Some(format!(
        "{retries} of {requests}: {attempts} attempts per request"
    ))
}

/// Requests that nobody answered on the first connection, and what that means: `3 requests, 0.150 % of those sent, on another
/// connection, …`; with the doubt that they raise, where they do. `None` where there was none.
pub fn sent_again(load: &LoadFacts) -> Option<String> {
    if load.sent_again == 0 {
        return None;
    }
    let doubts = judge::doubts(load);
    let is_doubted = doubts.iter().any(|of| of.kind == DoubtKind::NotKeptOpen);
    let doubt = if is_doubted {
        " (see the doubt `not-kept-open`)"
    } else {
        ""
    };
    Some(format!(
        "{}, {} of those sent, on another connection, as theirs ended before a byte of the response. Their times hold both \
         attempts; a client that sends nothing again loses them{doubt}",
        counted(load.sent_again, "request"),
        units::percent(load.sent_again as f64 / load.sent.max(1) as f64)
    ))
}

/// Users that slept: `9.52 of 10 users on average`; `None` where none did.
pub fn asleep(load: &LoadFacts) -> Option<String> {
    let users = load.users_asleep()?;
    Some(format!("{users} on average"))
}

/// How long the bodies were, where they differed in that: `1,024 to 7,412 bytes`; `None` where they did not.
pub fn lengths(load: &LoadFacts) -> Option<String> {
    let of = load.bodies.lengths?;
    let (shortest, longest) = (units::count(of.shortest), units::count(of.longest));
    let unasked = match load.bodies.compared {
        0 => "; nothing is asked of a response but its status",
        _ => "",
    };
    (of.shortest < of.longest)
        .then(|| format!("{shortest} to {longest} bytes: they differ in length{unasked}"))
}

/// Requests that timed out, by the limit that they exceeded, with what to look at.
pub fn timed_out(load: &LoadFacts) -> Vec<(u64, &'static str, &'static str)> {
    let by_limit: u64 = load.time_limits.values().sum();
    let other = load.timed_out.saturating_sub(by_limit);
    let queue =
        "the accept queue is full, or packets are dropped: fewer connections, or a longer backlog";
    let limits = load.time_limits.iter().map(|(limit, count)| match limit {
        TimeLimit::Connect => (*count, "timed out: no connection in time", queue),
        TimeLimit::FirstByte => (*count, "timed out: no first byte in time", TIMED_OUT_ADVICE),
        TimeLimit::Whole => (*count, "timed out", TIMED_OUT_ADVICE),
    });
    let all = limits.chain([(other, "timed out", TIMED_OUT_ADVICE)]);
    all.filter(|(count, ..)| *count > 0).collect()
}

#[cfg(test)]
mod tests {
    use record::{Lengths, Protocol, WarmUp};

    use super::*;

    #[test]
    fn what_was_applied_names_what_went_over_how_many_connections() {
        let mut load = LoadFacts {
            connections: 10,
            ..LoadFacts::default()
        };
        assert_eq!(applied(&load), "closed loop over 10 connections");
        load.connects = 3;
        assert_eq!(applied(&load), "closed loop over 3 of 10 connections");
        load.connects = 10;
        let mut of = Spoken {
            protocol: Protocol::Http2,
            tls: true,
            keep_alive: true,
            streams: 8,
            per_connection: None,
        };
        load.spoken = Some(of);
        assert_eq!(
            applied(&load),
            "closed loop over 10 connections, kept open, HTTP/2 over TLS, 8 streams on each"
        );
        of = Spoken::default();
        (of.streams, load.connections) = (4, 1);
        load.spoken = Some(of);
        assert_eq!(
            applied(&load),
            "closed loop over 1 connection, one for each request, HTTP/1, 4 requests at once on each"
        );
    }

    #[test]
    fn bodies_that_differ_in_length_are_told_with_what_was_asked_of_them() {
        let mut load = LoadFacts::default();
        assert_eq!(lengths(&load), None);
        load.bodies.lengths = Some(Lengths::of(7_412));
        assert_eq!(lengths(&load), None);
        load.bodies.lengths = Some(Lengths::of(7_412).and(Lengths::of(12)));
        assert_eq!(
            lengths(&load).unwrap(),
            "12 to 7,412 bytes: they differ in length; nothing is asked of a response but its status"
        );
        load.bodies.compared = 10;
        assert_eq!(
            lengths(&load).unwrap(),
            "12 to 7,412 bytes: they differ in length"
        );
    }

    #[test]
    fn a_warm_up_says_how_it_ended() {
        let mut load = LoadFacts::default();
        assert_eq!(warm_up(&load), None);
        load.warm_up = WarmUp {
            requests: 900,
            failed: 100,
            seconds: 10.0,
            stationary: Some(false),
            alone: None,
        };
        assert_eq!(
            warm_up(&load).unwrap(),
            "10.0 s, 1,000 requests, 100 failed, and never became stationary"
        );
    }

    #[test]
    fn retries_are_told_per_request_that_was_tried() {
        let mut load = LoadFacts {
            scheduled: 1_100,
            dropped: 100,
            ..LoadFacts::default()
        };
        assert_eq!(retries(&load), None);
        load.retries = 250;
        assert_eq!(
            retries(&load).unwrap(),
            "250 of 1,000 requests: 1.25 attempts per request"
        );
    }

    #[test]
    fn what_was_sent_again_is_told_where_it_happened() {
        let spoken = Spoken {
            keep_alive: true,
            ..Spoken::default()
        };
        let mut load = LoadFacts {
            connections: 10,
            connects: 100,
            sent: 1_300,
            spoken: Some(spoken),
            ..LoadFacts::default()
        };
        assert_eq!(sent_again(&load), None);
        load.sent_again = 13;
        let told = sent_again(&load).unwrap();
        assert!(told.starts_with("13 requests, 1.00 % of those"), "{told}");
        assert!(told.ends_with("loses them"), "{told}");
        // more than 1 % are a doubt
        load.sent_again = 100;
        let told = sent_again(&load).unwrap();
        assert!(told.starts_with("100 requests, 7.69 % of"), "{told}");
        assert!(told.ends_with("the doubt `not-kept-open`)"), "{told}");
    }

    #[test]
    fn users_that_slept_are_told_where_some_did() {
        let mut load = LoadFacts {
            seconds: 2.0,
            connections: 4,
            ..LoadFacts::default()
        };
        assert_eq!(asleep(&load), None);
        load.asleep = 7.0;
        assert_eq!(asleep(&load).unwrap(), "3.50 of 4 users on average");
    }

    #[test]
    fn time_limits_are_told_apart_and_none_is_lost() {
        let load = LoadFacts {
            timed_out: 6,
            time_limits: [(TimeLimit::Connect, 2), (TimeLimit::Whole, 3)].into(),
            ..LoadFacts::default()
        };
        let told: Vec<_> = timed_out(&load)
            .into_iter()
            .map(|(count, what, _)| (count, what))
            .collect();
        assert_eq!(
            told,
            [
                (2, "timed out: no connection in time"),
                (3, "timed out"),
                (1, "timed out")
            ]
        );
    }
}
