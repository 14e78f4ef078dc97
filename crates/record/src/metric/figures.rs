//! Figures that take more than a line to compute from the facts of a trial.

use crate::{Measured, NetworkFacts, ProcessCost};

pub(super) fn cpu_per_request(of: &Measured) -> Option<f64> {
    let cpu: f64 = of.stack_processes().map(ProcessCost::cpu).sum();
    // the processes are watched to the end of the drain, so its answers count here
    let answers = of.load.completed + of.load.drained;
    (cpu > 0.0 && answers > 0).then(|| cpu / answers as f64)
}

pub(super) fn peak_memory(of: &Measured) -> Option<f64> {
    let peak: u64 = of.stack_processes().map(ProcessCost::memory).sum();
    (peak > 0).then_some(peak as f64)
}

/// Of the processes of these entries; `None` where there are none.
pub(super) fn memory(of: &Measured, entries: &[&str]) -> Option<f64> {
    let all = of.stack_processes();
    let own = all.filter(|process| entries.contains(&process.owner.as_str()));
    let bytes: u64 = own.map(ProcessCost::memory).sum();
    (bytes > 0).then_some(bytes as f64)
}

pub(super) fn process_memory(of: &Measured) -> Option<f64> {
    let entry = &of.stack.innermost()?.entry;
    let own = of
        .stack_processes()
        .filter(|process| process.owner == *entry);
    let most = own.map(ProcessCost::memory).max();
    most.filter(|bytes| *bytes > 0).map(|bytes| bytes as f64)
}

pub(super) fn memory_growth(of: &Measured) -> Option<f64> {
    let entry = &of.stack.innermost()?.entry;
    let own = of
        .stack_processes()
        .filter(|process| process.owner == *entry);
    let [before, after] = own
        .filter_map(|process| process.resident)
        .fold([0, 0], |sums, of| [sums[0] + of[0], sums[1] + of[1]]);
    (before > 0).then(|| after as f64 / before as f64)
}

/// A count that older records do not have: they have no bytes either.
pub(super) fn per_response(of: &Measured, count: fn(NetworkFacts) -> u64) -> Option<f64> {
    let network = of.load.network.filter(|network| network.bytes > 0)?;
    of.load.per_response(count(network))
}

/// weir's own process against it and the stack's together: all of them are watched over the same time, by
/// the same clock. `None` where one of the two took no time that the clock could tell.
pub(super) fn generator_share(of: &Measured) -> Option<f64> {
    let stack: f64 = of.stack_processes().map(ProcessCost::cpu).sum();
    let all: f64 = of.processes.iter().map(ProcessCost::cpu).sum();
    (stack > 0.0 && all > stack).then(|| (all - stack) / all)
}
