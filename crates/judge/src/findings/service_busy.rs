//! Whether a service that the app uses does most of the work, whoever started it.

use record::OtherProgram;

use super::FindingKind;
use super::facts::Facts;
use super::rule::{About, Confidence, Cost, Finding, FindingRule};
use crate::words::{duration, number, percent};

/// Share of the CPU time of the stack and of what it uses.
const MOST: f64 = 0.5;

/// Cores below which it holds nobody back.
const CORES: f64 = 0.3;

pub(super) const RULE: FindingRule = FindingRule {
    kind: FindingKind::ServiceBusy,
    title: "a service does most of the work",
    rule: "the app's services use half of the stack's CPU time and more, and 0.3 cores and more; programs that weir did not \
           start and that the stack is connected to are among both",
    source: "CPU time by program (/proc/PID/task/*/schedstat, and /proc/PID/stat of those that weir did not start)",
    about: About::Beside,
    look,
};

/// A service by its short name and in words, with the cores that it had.
type Service<'a> = (&'a str, String, f64);

fn look(facts: &Facts) -> Option<Finding> {
    let own = facts.services().map(|(name, entry)| {
        let told = format!("`{entry}` (the app's `{name}`)");
        (entry, told, facts.cores_of_all(entry))
    });
    let partners = facts.partners();
    let partners = partners.map(|(of, cores)| (of.name.as_str(), of.located(), cores));
    let services: Vec<Service<'_>> = own.chain(partners).collect();
    let all: f64 = services.iter().map(|(_, _, cores)| cores).sum();
    let busiest = services
        .iter()
        .max_by(|one, other| one.2.total_cmp(&other.2));
    let (short, told, _) = busiest?;
    let share = all / facts.cores_with_partners().max(f64::MIN_POSITIVE);
    if share < MOST || all < CORES {
        return None;
    }
    let more = match services.len() - 1 {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let because = format!(
        "{told}{more} used {} of {} cores, {} of what the stack used: {} for each response",
        number(all),
        facts.cores,
        percent(share),
        duration(all / facts.load.throughput())
    );
    let next = format!(
        "ask `{short}` less often or for less (an index, one query instead of many, a cache before it), or give it a \
         machine of its own"
    );
    let gain = 1.0 / (1.0 - share).max(0.01);
    let found = RULE.found(Confidence::Counted, because, next);
    let found = found.costs(Cost::Machine);
    Some(if facts.every_core_is_busy() {
        found.at_most(gain)
    } else {
        found
    })
}

impl<'a> Facts<'a> {
    /// Of the stack's cores, how many programs had that weir did not start and the stack uses.
    pub(super) fn partner_cores(&self) -> f64 {
        let partners = self.measured.observed.partners.as_ref();
        let partners = partners.filter(|_| !self.apart);
        partners.map_or(0.0, |of| of.share * self.cores)
    }

    /// The same with those of the stack itself: all that answering requests took.
    pub(super) fn cores_with_partners(&self) -> f64 {
        self.stack_cores() + self.partner_cores()
    }

    /// Each of them that had most, with the cores that it had.
    pub(super) fn partners(&self) -> impl Iterator<Item = (&'a OtherProgram, f64)> {
        let all = self.partner_cores();
        let partners = self.measured.observed.partners.iter();
        partners.flat_map(move |of| {
            let each = all / of.seconds.max(f64::MIN_POSITIVE);
            let programs = of.programs.iter();
            programs.map(move |program| (program, each * program.seconds))
        })
    }
}
