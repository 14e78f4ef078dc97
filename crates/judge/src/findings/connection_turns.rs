//! Whether a server answers several requests of a kept connection before others get their turn.

use super::FindingKind;
use super::facts::{Facts, knob};
use super::rule::{About, Confidence, Cost, Finding, FindingRule};
use crate::words::{counted, number, percent};

/// How many times the median a response takes that had to wait for its connection's turn, at least.
const WAITED: f64 = 5.0;
/// How far their share may lie from one of each turn, either way.
const NEAR: f64 = 2.0;
/// Share of all response times that is theirs, at least.
const MOST: f64 = 0.5;
/// Share of a load's connections that are busy on average, from which on most have their next request as soon as they have an
/// answer, at a rate too.
const BUSY: f64 = 0.8;

pub(super) const RULE: FindingRule = FindingRule {
    kind: FindingKind::ConnectionTurns,
    title: "kept connections wait for their turn",
    rule: "a closed loop over kept connections, more of them than the app server works on at once, or a rate that keeps 80 % and \
           more of them busy, where the server answers several requests of one connection before others get their turn; about \
           one response of each turn (half to twice as many) takes 5 times the median and more, and these have half of all the \
           time",
    source: "Puma::DSL, max_fast_inline",
    about: About::Beside,
    look,
};

/// Of clients that think nothing is said: their connections have no next request when they have an answer, which ends the turn.
fn look(facts: &Facts) -> Option<Finding> {
    let load = facts.load;
    let server = facts.app_server()?;
    let (name, turn) = knob(server, server.scale.turn.as_ref())?;
    let kept = load.spoken.is_some_and(|spoken| spoken.keep_alive);
    let busy = facts.is_at_a_rate() && facts.in_progress() >= BUSY * load.slots() as f64;
    let waits = kept && (facts.is_closed_loop() || busy) && facts.fronts().is_empty();
    if !waits || turn < 2.0 || facts.in_progress() <= facts.slots()? {
        return None;
    }
    let median = load.service.quantile(0.5)?;
    let (late, their_time) = late(facts, WAITED * median);
    let each = turn * late;
    if !(1.0 / NEAR..=NEAR).contains(&each) || their_time < MOST {
        return None;
    }
    let longest = load.service.quantile(0.99)?;
    let because = format!(
        "`{}` answers {} of a connection before others get their turn (`{name}`): {} of the responses took at least 5 times \
         the median of {} ms, and {} of all the time",
        server.entry,
        counted(turn as u64, "request"),
        percent(late),
        number(median * 1e3),
        percent(their_time)
    );
    let next = format!(
        "set `{name}` of `{}` to 1: shorter turns are shorter waits (the 99th percentile is {} ms). Before it a front end that \
         keeps clients' connections, and opens one to it for each request, lets requests wait in the order in which they came",
        server.entry,
        number(longest * 1e3)
    );
    // no change that could be tried: what that compares is throughput, and this is about times
    let found = RULE.found(Confidence::Likely, because, next);
    Some(found.costs(Cost::Knob))
}

/// Share of the responses that took so many seconds and more, and of the time of all.
fn late(facts: &Facts, from: f64) -> (f64, f64) {
    // at a rate a request may wait for a connection before
    let service = &facts.load.service;
    let late = service.cells().filter(|(seconds, _)| *seconds >= from);
    let (count, time) = late.fold((0, 0.0), |(count, time), (seconds, times)| {
        (count + times, time + seconds * times as f64)
    });
    let all = service.count().max(1) as f64;
    let mean = service.mean().unwrap_or(0.0);
    (
        count as f64 / all,
        time / (mean * all).max(f64::MIN_POSITIVE),
    )
}
