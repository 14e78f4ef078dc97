//! Which of the variants that lead is the simplest, and which is as fast and surely cheaper than that.

use std::collections::BTreeSet;

use record::{Load, Metric};

use crate::compare::paired;
use crate::doubt::Lasts;
use crate::opinion::{Comparison, Verdict};
use crate::seen_run::SeenRun;

/// What a variant is made of, the less the better: programs, their processes, and what is doubted of its trials that
/// does not pass by itself.
type Parts = (usize, usize, usize);

/// What is paid for beside the speed: by those who wait, and by those who rent the machines.
const PAID: [Metric; 3] = [Metric::P99, Metric::CpuPerRequest, Metric::PeakMemory];

/// The simplest of the variants that lead, the best first, at least one: of the fewest programs and processes, then of the
/// fewest doubts, then surely better in the slowest hundredth of its responses; the first where nothing of that differs.
/// Where any of them is surely better than the baseline it is one of these: what does not do more than what runs today is
/// no gain.
pub(crate) fn simplest<'a>(seen_run: &SeenRun, metric: Metric, leaders: &[&'a str]) -> &'a str {
    let baseline = seen_run.baseline();
    let gains = |of: &str| beats(seen_run, of, baseline, metric);
    let alike = leaders.iter().copied();
    let alike = alike.filter(|of| load(seen_run, of) == load(seen_run, leaders[0]));
    let (gaining, others): (Vec<&str>, Vec<&str>) = alike.partition(|of| gains(of));
    let chosen = if gaining.is_empty() { others } else { gaining };
    let mut best = (chosen[0], parts(seen_run, chosen[0]));
    for name in chosen.iter().copied().skip(1) {
        let own = parts(seen_run, name);
        let sooner = || beats(seen_run, name, best.0, Metric::P99);
        if own < best.1 || (own == best.1 && sooner()) {
            best = (name, own);
        }
    }
    best.0
}

/// What to run instead of a variant, of those that none surely beats: one that is surely cheaper, of several the simplest, with
/// in what it is; the variant itself where there is none. What gains on the baseline is given up for nothing that may not.
pub(crate) fn cheaper<'a>(
    seen_run: &SeenRun,
    metric: Metric,
    usual: &'a str,
    unbeaten: &[&'a str],
) -> (&'a str, Vec<Comparison>) {
    let baseline = seen_run.baseline();
    let gains = |of: &str| beats(seen_run, of, baseline, metric);
    let gaining = gains(usual);
    let others = unbeaten.iter().copied().filter(|of| *of != usual);
    let same = |of: &str| load(seen_run, of) == load(seen_run, usual);
    let alike = others.filter(|of| same(of) && (!gaining || gains(of)));
    let mut alike: Vec<&str> = alike.collect();
    alike.sort_by_key(|of| parts(seen_run, of));
    let mut best = (usual, Vec::new());
    for name in alike {
        let saves = saved(seen_run, name, usual);
        let first = || best.0 == usual || !saved(seen_run, name, best.0).is_empty();
        if !saves.is_empty() && first() {
            best = (name, saves);
        }
    }
    best
}

/// In what of that which is paid for a variant is surely better than another; nothing where it is surely worse in anything, or
/// has more doubts that do not pass.
pub(crate) fn saved(seen_run: &SeenRun, of: &str, over: &str) -> Vec<Comparison> {
    let compared = Metric::columns().filter_map(|metric| paired(seen_run, of, over, metric));
    let mut compared: Vec<Comparison> = compared.collect();
    let doubts = |of: &str| parts(seen_run, of).2;
    let worse = compared.iter().any(|of| of.verdict == Verdict::Worse);
    if worse || doubts(of) > doubts(over) {
        return Vec::new();
    }
    compared.retain(|of| of.verdict == Verdict::Better && PAID.contains(&of.metric));
    compared
}

fn load<'a>(seen_run: &'a SeenRun, of: &str) -> Option<&'a Load> {
    let plan = &seen_run.run.plan;
    Some(plan.load_of(plan.variant(of)?))
}

fn beats(seen_run: &SeenRun, of: &str, over: &str, metric: Metric) -> bool {
    let compared = paired(seen_run, of, over, metric);
    of != over && compared.is_some_and(|of| of.verdict == Verdict::Better)
}

fn parts(seen_run: &SeenRun, variant: &str) -> Parts {
    let trials: Vec<_> = seen_run.of(variant).collect();
    let measured = trials.iter().filter_map(|seen| seen.trial.measured());
    let programs = measured.clone().map(|of| of.stack.servers.len()).max();
    let mut processes: Vec<_> = measured.map(|of| of.stack_processes().count()).collect();
    processes.sort_unstable();
    let processes = processes.get(processes.len() / 2).copied();
    let doubts = trials.iter().flat_map(|seen| &seen.opinion.doubts);
    let doubts = doubts.map(|doubt| doubt.kind);
    let doubts: BTreeSet<_> = doubts
        .filter(|kind| kind.rule().lasts != Lasts::Passes)
        .collect();
    let (programs, processes) = (programs.unwrap_or(0), processes.unwrap_or(0));
    (programs, processes, doubts.len())
}
