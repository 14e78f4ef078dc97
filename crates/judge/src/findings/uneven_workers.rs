//! Whether some workers do the work of others.

use super::FindingKind;
use super::facts::{Facts, knob};
use super::rule::{About, Confidence, Cost, Finding, FindingRule};
use crate::words::number;

/// How many times the mean the busiest has.
const UNEVEN: f64 = 1.5;

/// Share of a core that the busiest has at least: among idle ones chance decides.
const BUSY: f64 = 0.5;

pub(super) const RULE: FindingRule = FindingRule {
    kind: FindingKind::UnevenWorkers,
    title: "workers share the work unevenly",
    rule: "of two workers and more the busiest has half of a core and more and 1.5 times the mean of all, and of all cores \
           10 % and more are idle",
    source: "Majkowski, on which of several workers the kernel wakes for a connection, Cloudflare's blog, 2017",
    about: About::Limit,
    look,
};

fn look(facts: &Facts) -> Option<Finding> {
    let server = facts.app_server()?;
    let (name, workers) = knob(server, server.scale.processes.as_ref())?;
    if workers < 2.0 || facts.every_core_is_busy() {
        return None;
    }
    let mut cores = facts.processes_of(&server.entry);
    if (cores.len() as f64) < workers {
        return None;
    }
    cores.sort_by(|one, other| other.total_cmp(one));
    cores.truncate(workers as usize);
    let mean = cores.iter().sum::<f64>() / workers;
    let (most, least) = (*cores.first()?, *cores.last()?);
    if most < BUSY || most < UNEVEN * mean {
        return None;
    }
    let because = format!(
        "of {workers} {name} of `{}` the busiest used {} of a core and the idlest {}",
        server.entry,
        number(most),
        number(least)
    );
    let next = "let new connections go to whoever is idle: `reuse-port` where the server has it, a front end that counts \
                connections, or clients that do not keep theirs for so long";
    let gain = (most / mean).min(facts.room());
    let found = RULE.found(Confidence::Likely, because, next);
    Some(found.at_most(gain).costs(Cost::Knob))
}
