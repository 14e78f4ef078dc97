//! A trial of a client: a program that is pointed at weir's own origin, from its first request on.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use observe::{Seen, Watch};
use record::{
    Amount, Client, Load, LoadFacts, Measured, Moment, ProcessCost, StackFacts, Talk, Target,
    Variant, Verified,
};
use stack::StackError;

use crate::error::ExperimentError;
use crate::pointed::{Asked, Pointed, Reached, VARIABLE};
use crate::run::lab::{News, Place};

/// How often it is looked at, and Ctrl-C is heard.
const LOOK: Duration = Duration::from_millis(50);
/// The same before its first request, with which its window opens.
const BEFORE: Duration = Duration::from_millis(1);

/// Runs it for as long as the window is, and says what it did in it.
///
/// # Errors
/// It cannot be started, makes no request in time, or ends with another code than 0.
pub(crate) fn measure(
    place: &Place,
    (variant, client): (&Variant, &Client),
    load: &Load,
    news: &mut dyn FnMut(&News),
) -> Result<Measured, ExperimentError> {
    news(&News::Step {
        doing: "starting",
        at_most: Some(place.ready_timeout.as_secs_f64()),
    });
    let of = || ExperimentError::of(variant);
    let begun = Instant::now();
    let env: Vec<_> = variant.env.clone().into_iter().collect();
    let failed = |problem, said| ExperimentError::Client {
        variant: variant.name.clone(),
        // a plan may say anything
        command: client.command.join(" ").replace(char::is_control, "?"),
        problem,
        said,
    };
    let started = Pointed::start(&place.guard, client, &env, Reached::default());
    let mut pointed = started.map_err(|error| {
        if error.is_no_program() {
            failed("is no program that can be run".to_owned(), Vec::new())
        } else {
            of()(error)
        }
    })?;
    let mut watch = Watch::of_stack(vec![(pointed.guardian(), Client::OWNER.to_owned())]);
    let mut ended = false;
    while !ended && !pointed.has_asked() && begun.elapsed() < place.ready_timeout {
        is_wanted(place).map_err(of())?;
        ended = pointed.ends_within(BEFORE);
    }
    let ready_after = begun.elapsed().as_secs_f64();
    let (opened, window) = (Moment::now(), Instant::now());
    watch.open();
    let length = match load.amount {
        Amount::Seconds(seconds) if pointed.has_asked() => Duration::from_secs_f64(seconds),
        _ => Duration::ZERO,
    };
    news(&News::step("asking"));
    while !ended && window.elapsed() < length {
        is_wanted(place).map_err(of())?;
        ended = pointed.ends_within(LOOK.min(length.saturating_sub(window.elapsed())));
        watch.sample();
    }
    // the origin counts to the end, and so does the kernel
    let asked = pointed.end().map_err(of())?;
    watch.close();
    if let Some(problem) = problem(&asked) {
        return Err(failed(problem, asked.ran.said));
    }
    Ok(facts(
        client,
        &asked,
        watch.seen(opened),
        (opened, ready_after),
    ))
}

/// Whether the user still wants it.
fn is_wanted(place: &Place) -> Result<(), StackError> {
    if place.interrupted.load(Ordering::Relaxed) {
        return Err(StackError::Interrupted);
    }
    Ok(())
}

/// Why it is no measurement, if it is none.
fn problem(asked: &Asked) -> Option<String> {
    if !asked.ran.late && asked.ran.code != Some(0) {
        return Some(asked.ran.how.clone());
    }
    if asked.talk.requests < 2 {
        let few = match asked.talk.requests {
            0 => "made no request",
            _ => "made one request, which has no rate",
        };
        return Some(format!(
            "{few} to weir's origin, whose URL is in its environment as {VARIABLE}"
        ));
    }
    None
}

/// Of the origin's account and of what was seen meanwhile. What the program used is from the kernel's own account of it, which
/// holds what has ended too.
fn facts(
    client: &Client,
    asked: &Asked,
    seen: Seen,
    (opened, ready_after): (Moment, f64),
) -> Measured {
    let talk = &asked.talk;
    let mut load = LoadFacts {
        opened: Some(opened),
        talk: Some(talk.clone()),
        ..of_talk(talk, client.status)
    };
    seen.tell(&mut load);
    let mut processes = seen.processes;
    let own = |of: &ProcessCost| of.owner == ProcessCost::OWN;
    let peak = processes.iter().filter(|of| !own(of));
    let peak = peak.map(ProcessCost::memory).sum();
    processes.retain(own);
    let cpu = asked.ran.cpu - asked.cpu_before;
    let program = ProcessCost {
        owner: Client::OWNER.to_owned(),
        command: client.command[0].clone(),
        cpu_user: cpu.user,
        cpu_system: cpu.system,
        peak_rss: peak,
        ..ProcessCost::default()
    };
    processes.insert(0, program);
    Measured {
        stack: StackFacts {
            servers: Vec::new(),
            address: Target::Tcp(([127, 0, 0, 1], 0).into()),
            ready_after,
            verified: Verified::default(),
        },
        stolen: load.stolen.map_or(0.0, |stolen| stolen.share),
        load,
        processes,
        observed: seen.observed,
    }
}

/// The origin's account as that of a load that somebody else applied: its times are the client's to know.
fn of_talk(talk: &Talk, status: u16) -> LoadFacts {
    // from the first request to the last there is one fewer than requests
    let between = talk.requests.saturating_sub(1).max(1) as f64;
    LoadFacts {
        seconds: talk.seconds * talk.requests as f64 / between,
        scheduled: talk.requests,
        completed: talk.requests,
        sent: talk.requests,
        statuses: [(status, talk.requests)].into(),
        bytes_sent: talk.bytes,
        connections: u32::try_from(talk.at_once).unwrap_or(u32::MAX),
        connects: talk.connections,
        kept_busy: Some(0),
        ..LoadFacts::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_is_that_between_the_first_request_and_the_last() {
        let talk = Talk {
            requests: 11,
            seconds: 2.0,
            connections: 1,
            at_once: 1,
            ..Talk::default()
        };
        let load = of_talk(&talk, 200);
        assert!((load.throughput() - 5.0).abs() < 1e-9);
        assert_eq!(load.accounted(), load.scheduled);
    }
}
