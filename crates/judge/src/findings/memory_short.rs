//! Whether programs wait for memory, so that they go at the pace of storage.

use std::collections::BTreeMap;

use super::FindingKind;
use super::facts::{Facts, knob};
use super::rule::{About, Confidence, Cost, Finding, FindingRule};
use crate::words::{counted, number, percent};

/// Share of the window in which some program waited for memory.
const WAITED: f64 = 0.1;

pub(super) const RULE: FindingRule = FindingRule {
    kind: FindingKind::MemoryShort,
    title: "memory is short",
    rule: "for 10 % of the window and more some program of the machine waited for memory (pressure stall information)",
    source: "Linux, Documentation/accounting/psi.rst",
    about: About::Limit,
    look,
};

impl<'a> Facts<'a> {
    /// Share of the window in which some program waited for memory, 0 to 1, where that is much.
    pub(super) fn share_without_memory(&self) -> Option<f64> {
        // of a window in slices that of their lead-ins is among it, and the drain's of each
        let waited = self.load.pressure?.memory? * self.load.counted_share();
        let share = (waited / self.load.seconds).min(1.0);
        (share >= WAITED).then_some(share)
    }

    /// Which program of the stack had most memory, and how many bytes.
    fn most_memory(&self) -> Option<(&'a str, u64)> {
        let mut owners: BTreeMap<&str, u64> = BTreeMap::new();
        for process in self.measured.stack_processes() {
            *owners.entry(&process.owner).or_default() += process.memory();
        }
        owners.into_iter().max_by_key(|(_, memory)| *memory)
    }
}

fn look(facts: &Facts) -> Option<Finding> {
    let share = facts.share_without_memory()?;
    let pressure = facts.load.pressure?;
    let (owner, memory) = facts.most_memory()?;
    let processes = facts.measured.stack_processes();
    let faults = processes.filter_map(|of| of.counts.get("major-faults"));
    let own: u64 = faults.sum();
    let because = format!(
        "for {} of the window some program waited for memory: {} came back from storage as programs touched them, {own} of \
         them as the stack did, and {} went through swap; `{owner}` had {} MB at most",
        percent(share),
        counted(pressure.major_faults, "page"),
        counted(pressure.swapped, "page"),
        number(memory as f64 / 1e6)
    );
    let fewer = facts.app_server().and_then(|server| {
        let (name, now) = knob(server, server.scale.processes.as_ref())?;
        (now > 1.0).then(|| format!("lower `{name}` of `{}` from {now}, ", server.entry))
    });
    let next = format!(
        "{}end what else has memory (`ps -eo rss,args --sort=-rss`), or add memory (or raise the limit of the control group)",
        fewer.as_deref().unwrap_or_default()
    );
    // it may be others' memory that is short, in a control group of theirs
    let is_own = own > 0 && 2 * own >= pressure.major_faults;
    let confidence = if is_own {
        Confidence::Counted
    } else {
        Confidence::Likely
    };
    let cost = if fewer.is_some() {
        Cost::Knob
    } else {
        Cost::Machine
    };
    let found = RULE.found(confidence, because, next).costs(cost);
    Some(if is_own && !facts.every_core_is_busy() {
        found.at_most(facts.room())
    } else {
        found
    })
}
