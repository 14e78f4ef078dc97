//! A claim that holds, one that does not, and one that nobody can tell.

use judge::{ClaimVerdict, ConditionVerdict, Holds};

fn condition(text: &str, value: f64, holds: Holds) -> ConditionVerdict {
    let interval = Some((value * 0.97, value * 1.03));
    ConditionVerdict {
        text: text.into(),
        about: record::Condition::read(text).means.ok(),
        value: Some(value),
        interval,
        holds,
        own_share: None,
    }
}

pub(super) fn claims() -> Vec<ClaimVerdict> {
    vec![
        ClaimVerdict {
            id: "A1".into(),
            text: "One gunicorn sync worker is hardly faster than Flask's development server"
                .into(),
            reported: "203.6 -> 223.8 requests/s (1.10 x); mean 491 -> 447 ms".into(),
            required: false,
            conditions: vec![condition(
                "throughput of `one-worker` / throughput of `flask-dev` within 0.95 .. 1.33",
                1.101,
                Holds::Holds,
            )],
            since: Vec::new(),
            machines: None,
            holds: Holds::Holds,
            as_measured: false,
            reason: None,
        },
        ClaimVerdict {
            id: "A3".into(),
            text: "nginx alone, serving a static page, is an order of magnitude above".into(),
            reported: "4,663 requests/s (11.1 x the two workers)".into(),
            required: false,
            conditions: vec![condition(
                "throughput of `static` / throughput of `two-workers` >= 8",
                4.2,
                Holds::DoesNotHold,
            )],
            since: Vec::new(),
            machines: None,
            holds: Holds::DoesNotHold,
            as_measured: false,
            reason: None,
        },
        undecided(),
    ]
}

fn undecided() -> ClaimVerdict {
    ClaimVerdict {
        id: "A5".into(),
        text: "From the first variant to the last, the time a user waits is about halved".into(),
        reported: "mean 467 -> 253 ms (0.542 x), median 489 -> 264 ms (0.540 x)".into(),
        required: false,
        conditions: vec![
            condition(
                "mean of `nginx-in-front` / mean of `flask-dev` within 0.40 .. 0.65",
                0.645,
                Holds::CannotTell,
            ),
            condition(
                "p50 of `nginx-in-front` / p50 of `flask-dev` within 0.40 .. 0.65",
                0.528,
                Holds::Holds,
            ),
        ],
        since: Vec::new(),
        machines: None,
        holds: Holds::CannotTell,
        as_measured: false,
        reason: Some("the interval reaches over 0.65: more blocks would narrow it".into()),
    }
}
