use record::{Amount, Cause, Load, LoadFacts, WarmUpPlan};

use super::counted;
use crate::units;

/// What was applied to each stage.
pub fn load(load: &Load) -> String {
    let amount = match load.amount {
        Amount::Requests(requests) => counted(requests, "request"),
        Amount::Seconds(seconds) => format!("requests for {}", units::duration(seconds)),
    };
    let keep_alive = if load.keep_alive {
        "kept open"
    } else {
        "a new one for each request"
    };
    let warm_up = match load.warm_up {
        WarmUpPlan::None => "without a warm-up".to_owned(),
        WarmUpPlan::Requests(requests) => {
            format!("after a warm-up of {}", counted(requests, "request"))
        }
        WarmUpPlan::Seconds(seconds) => format!("after a warm-up of {}", units::duration(seconds)),
    };
    let connections = counted(u64::from(load.connections), "connection");
    format!("{amount} over {connections} ({keep_alive}), {warm_up}")
}

/// The accounting identity with its numbers.
pub fn accounting(load: &LoadFacts) -> String {
    let accounted = load.completed + load.failures() + load.timed_out + load.in_flight;
    let sign = if accounted == load.scheduled {
        "="
    } else {
        "≠"
    };
    format!(
        "{} scheduled {sign} {} completed + {} failed + {} timed out + {} in flight",
        units::count(load.scheduled),
        units::count(load.completed),
        units::count(load.failures()),
        units::count(load.timed_out),
        units::count(load.in_flight)
    )
}

/// Every failure by cause with what the first one saw:
/// `3 × reset before the answer, the first: Connection reset by peer`.
pub fn failures(load: &LoadFacts) -> Vec<String> {
    let told = |(cause, count): (&Cause, &u64)| {
        let seen = load
            .examples
            .get(cause)
            .map(|seen| format!(", the first: {seen}"));
        format!(
            "{} × {}{}",
            units::count(*count),
            cause.words(),
            seen.unwrap_or_default()
        )
    };
    load.failed.iter().map(told).collect()
}

/// What generating a load cost: `7.20 µs CPU per request in 2 threads, the busiest 4 % busy`.
pub fn engine(load: &LoadFacts) -> String {
    let engine = &load.engine;
    format!(
        "{} CPU per request in {}, the busiest {} busy",
        units::duration(engine.cpu() / load.completed as f64),
        counted(u64::from(engine.threads), "thread"),
        units::about(engine.busiest)
    )
}

/// What to look at when requests fail for this cause.
pub fn cause_advice(cause: Cause) -> &'static str {
    match cause {
        Cause::Refused => "is the server up, and is this its port?",
        Cause::Connect => "look at the address, and at what stands between here and there",
        Cause::Backlog => "more arrives than is accepted: raise the backlog, or add workers",
        Cause::Exhausted => {
            "keep connections open, or use fewer: this machine ran out, not the server"
        }
        Cause::ResetBeforeAnswer | Cause::ClosedBeforeAnswer => {
            "a worker died or refused: its log says more"
        }
        Cause::ResetInAnswer | Cause::Truncated => {
            "a worker died while it answered: its log says more"
        }
        Cause::Malformed => "does this port speak the protocol that was asked for?",
        Cause::Declined => {
            "the app server has said that it will not answer: its limits and its log say why"
        }
        Cause::Status => "a server under pressure often answers 502, 503 or 504: its log says more",
        Cause::Body => {
            "the answer changed under load: if part of it may, declare that part as dynamic"
        }
    }
}

/// What to look at when requests time out.
pub const TIMED_OUT_ADVICE: &str =
    "the server is stuck or far too slow for this load: fewer connections, or a longer time limit";
