use std::collections::BTreeMap;

use record::{
    Amount, BodyCheck, Cause, CheckFacts, DrainFacts, EngineCost, LoadFacts, NamedFacts, Spoken,
    TimeLimit, WarmUp,
};

use crate::clock::seconds;
use crate::reactor::chosen;
use crate::recorder::{Named, Recorder};
use crate::transport;
use crate::{Job, LoadError, Traffic, Trouble};

/// The warm-up in figures.
pub(crate) fn warm_up(recorder: &Recorder, stationary: Option<bool>) -> WarmUp {
    WarmUp {
        stationary,
        requests: recorder.facts.completed + recorder.facts.drained,
        failed: recorder.unanswered() + recorder.lost_in_drain(),
        seconds: seconds(recorder.last.max(recorder.closed) - recorder.start),
        alone: None,
    }
}

/// The window in figures; `whole` unless it was interrupted.
pub(crate) fn facts(
    job: &Job,
    threads: u32,
    warm_up: WarmUp,
    seen: Recorder,
    whole: bool,
) -> LoadFacts {
    let broken = broken(job, &seen).map(|example| (Cause::Check, example));
    let end = end(job, &seen, whole);
    let length = seconds(end - seen.start);
    let offered = job.load.shape.is_open();
    let offered = offered.then(|| self::offered(job, &seen, length));
    let names = job.traffic.names();
    let engine = engine(job, threads, length, &seen);
    let drain = DrainFacts {
        fixed: job.load.drain.is_some(),
        ..seen.drain()
    };
    let bodies = BodyCheck {
        compared: seen.compared,
        example: wrong_body(&seen.facts.examples),
        lengths: seen.lengths.filter(|of| of.longest > 0 && asks_one(job)),
    };
    LoadFacts {
        seconds: length,
        sent: seen.facts.lateness.count() + seen.facts.trailed, // each that counts was late by something
        drain: Some(drain),
        statuses: statuses(&seen.statuses),
        connections: job.load.connections,
        spoken: Some(spoken(job)),
        kept_busy: Some(held(job)),
        slot_time: seen.slots.told(end),
        silent: (held(job) > 0).then(|| seen.silent(end)),
        tail: match job.load.amount {
            Amount::Requests(_) if whole => seen.tail(end),
            _ => None,
        },
        intervals: seen.timeline.intervals(length),
        warm_up,
        bodies,
        engine,
        // with its name where it has one
        examples: seen.facts.examples.into_iter().chain(broken).collect(),
        named: named(&names, seen.named),
        checks: checks(job, &seen.checks),
        slowest: seen.slowest.told(&names),
        shape: job.load.shape.clone(),
        offered,
        segments: seen.segments.told(job, length),
        // as it was counted; the crowd and probes know the rest
        ..seen.facts
    }
}

/// When the window ended: with its last answer where a number of requests was its length.
fn end(job: &Job, seen: &Recorder, whole: bool) -> u64 {
    match job.load.amount {
        Amount::Requests(_) if whole && seen.last > seen.start => seen.worked_until(),
        _ => seen.closed,
    }
}

/// Requests that are to be under way at all times; 0 where nothing holds their number.
pub(crate) fn held(job: &Job) -> u64 {
    match job.traffic {
        Traffic::Mix(_) => job.load.slots(),
        Traffic::Made(_) => 0,
    }
}

/// Whether one request is asked again and again.
pub(crate) fn asks_one(job: &Job) -> bool {
    matches!(&job.traffic, Traffic::Mix(parts) if parts.len() == 1)
}

fn wrong_body(examples: &BTreeMap<Cause, String>) -> Option<String> {
    let of = |cause| examples.get(&cause).cloned();
    of(Cause::Body).or_else(|| of(Cause::Status))
}

fn spoken(job: &Job) -> Spoken {
    Spoken {
        protocol: job.protocol,
        tls: job.load.tls.is_some(),
        keep_alive: job.load.keep_alive,
        streams: job.load.streams.max(1),
        per_connection: job.load.per_connection,
    }
}

fn engine(job: &Job, threads: u32, length: f64, seen: &Recorder) -> EngineCost {
    let share = seen.busiest / length;
    EngineCost {
        threads,
        reactor: chosen(job.load.reactor).unwrap_or_default(),
        cpu_user: seen.cost.user,
        cpu_system: seen.cost.system,
        busy_waited: (seen.busy_waited > 0).then(|| seconds(seen.busy_waited)),
        busiest: if length > 0.0 { share.min(1.0) } else { 0.0 },
    }
}

fn named(names: &[String], seen: Vec<Named>) -> Vec<NamedFacts> {
    let told = |(name, seen): (&String, Named)| NamedFacts {
        name: name.clone(),
        completed: seen.ends.completed,
        failed: seen.ends.failed,
        bytes: Some(seen.bytes),
        statuses: seen.statuses.into_iter().collect(),
        response: seen.ends.response,
    };
    names.iter().zip(seen).map(told).collect()
}

/// Checks of the same name are one to the reader.
fn checks(job: &Job, seen: &BTreeMap<(u32, usize), CheckFacts>) -> Vec<CheckFacts> {
    let mut all: Vec<CheckFacts> = Vec::new();
    for (at, expected) in (0..).zip(job.traffic.expected()) {
        for (number, check) in expected.checks.into_iter().enumerate() {
            let found = seen.get(&(at, number)).cloned().unwrap_or_default();
            if let Some(same) = all.iter_mut().find(|same| same.name == check.name) {
                same.looked_at += found.looked_at;
                same.failed += found.failed;
                same.example = same.example.take().or(found.example);
            } else {
                let name = check.name;
                all.push(CheckFacts { name, ..found });
            }
        }
    }
    all
}

/// The rate at which requests fell due: what the server was really asked for, where the plan's
/// rate is what it is asked for on average.
fn offered(job: &Job, seen: &Recorder, length: f64) -> f64 {
    match job.load.amount {
        Amount::Seconds(_) => seen.facts.scheduled as f64 / length,
        // As many gaps as requests but one; the window itself lasts until the last answer.
        Amount::Requests(_) => {
            let gaps = seen.facts.scheduled.saturating_sub(1) as f64;
            let between = seconds(seen.last_due.saturating_sub(seen.start));
            if between > 0.0 { gaps / between } else { 0.0 }
        }
    }
}

fn statuses(counts: &[u64]) -> BTreeMap<u16, u64> {
    (0u16..)
        .zip(counts.iter().copied())
        .filter(|(_, count)| *count > 0)
        .collect()
}

/// Why there is nothing to report: not one correct response, neither in time nor in the drain.
pub(crate) fn nothing_right(job: &Job, seen: &Recorder) -> Option<LoadError> {
    if seen.facts.completed + seen.facts.drained > 0 || seen.facts.scheduled == 0 {
        return None;
    }
    let target = transport::name(&job.target);
    let count = |cause: &Cause| {
        let in_window = seen.facts.failed.get(cause).copied().unwrap_or(0);
        in_window + seen.failed_in_drain.get(cause).copied().unwrap_or(0)
    };
    let causes = seen.facts.failed.keys().chain(seen.failed_in_drain.keys());
    // what a script fails with may come of what the network did, which is told then
    let others = causes.filter(|cause| **cause != Cause::Unasked);
    let worst = others.max_by_key(|cause| count(cause)).copied();
    let late = seen.facts.timed_out + seen.timed_out_in_drain;
    let stalled = late + seen.cut_off;
    // without a connection, what waited did so for a source that fails
    let silent = if seen.facts.connects == 0 {
        late
    } else {
        stalled
    };
    if worst.is_none() && silent == 0 && count(&Cause::Unasked) > 0 {
        return Some(nothing_asked(job, &seen.facts));
    }
    let example = worst.and_then(|cause| match cause {
        Cause::Check => broken(job, seen),
        _ => seen.facts.examples.get(&cause).cloned(),
    });
    let waited = seconds(seen.drained_until - seen.start);
    let (trouble, example) = match worst {
        Some(cause) if seen.facts.connects == 0 => {
            return Some(LoadError::Unreachable {
                target,
                attempts: asked(&seen.facts),
                cause,
                example,
            });
        }
        Some(cause) if count(&cause) >= stalled => (Trouble::Failed(cause), example),
        _ if seen.cut_off > late => (Trouble::Unanswered(waited), None),
        _ => (exceeded(job, seen), None),
    };
    Some(LoadError::NothingRight {
        target,
        protocol: job.protocol,
        requests: seen.facts.scheduled,
        beside: job.load.crowd.words(),
        trouble,
        example,
    })
}

/// Requests without those that could not be asked: only these try to connect.
fn asked(facts: &LoadFacts) -> u64 {
    let unasked = facts.failed.get(&Cause::Unasked).copied().unwrap_or(0);
    facts.scheduled.saturating_sub(unasked)
}

fn nothing_asked(job: &Job, facts: &LoadFacts) -> LoadError {
    LoadError::NothingAsked {
        called: job.traffic.called(),
        attempts: facts.scheduled,
        why: facts.examples.get(&Cause::Unasked).cloned(),
    }
}

/// Why a target that may break was never met: no connection to it could be opened, or nothing could be asked. What was
/// to be measured never began, whatever its counts say.
pub fn unreachable(job: &Job, facts: &LoadFacts) -> Option<LoadError> {
    if facts.connects > 0 || facts.completed + facts.drained > 0 {
        return None;
    }
    let of_the_network = |(cause, count): &(&Cause, &u64)| (**cause != Cause::Unasked, **count);
    let (cause, _) = facts.failed.iter().max_by_key(of_the_network)?;
    if *cause == Cause::Unasked {
        return (facts.timed_out == 0).then(|| nothing_asked(job, facts));
    }
    Some(LoadError::Unreachable {
        target: transport::name(&job.target),
        attempts: asked(facts),
        cause: *cause,
        example: facts.examples.get(cause).cloned(),
    })
}

/// By the time limit that was exceeded most.
fn exceeded(job: &Job, seen: &Recorder) -> Trouble {
    let limits = seen.facts.time_limits.iter();
    let most = limits.max_by_key(|(_, count)| *count);
    let limit = most.map_or(TimeLimit::Whole, |(limit, _)| *limit);
    let seconds = match limit {
        TimeLimit::Connect => job.load.connect_timeout,
        TimeLimit::FirstByte => job.load.first_byte_timeout,
        TimeLimit::Whole => None,
    };
    Trouble::Stalled(limit, seconds.unwrap_or(job.load.timeout))
}

/// A check of the plan that did not hold, and what the first answer that broke it was.
fn broken(job: &Job, seen: &Recorder) -> Option<String> {
    let expected = job.traffic.expected();
    seen.checks.iter().find_map(|(&(answer, number), check)| {
        let example = check.example.as_ref()?;
        let name = &expected.get(answer as usize)?.checks.get(number)?.name;
        Some(format!("`{name}`: {example}"))
    })
}
