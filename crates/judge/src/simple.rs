//! Which of the variants that lead is the simplest.

use std::collections::BTreeSet;

use record::{Load, Metric};

use crate::compare::paired;
use crate::doubt::Lasts;
use crate::opinion::Verdict;
use crate::seen_run::SeenRun;

/// What a variant is made of, the less the better: programs, their processes, and what is doubted of its trials that
/// does not pass by itself.
type Parts = (usize, usize, usize);

/// The simplest of the variants that lead, of these rivals, the best first: of the fewest programs and processes, then
/// of the fewest doubts, then surely better in the slowest hundredth of its responses; the first where nothing of
/// that differs. It cannot be told apart from the first, is surely worse than none, and is surely better than the
/// baseline where the first one is: what is simple and does not do more than what runs today is no gain.
pub(crate) fn simplest<'a>(seen_run: &SeenRun, metric: Metric, rivals: &[&'a str]) -> &'a str {
    let plan = &seen_run.run.plan;
    let leader = rivals[0];
    let verdict = |of: &str, over: &str, metric| -> Option<Verdict> {
        let compared = paired(seen_run, of, over, metric)?;
        compared.interval.map(|_| compared.verdict)
    };
    let baseline = seen_run.baseline();
    let gains = |of: &str| of != baseline && verdict(of, baseline, metric) == Some(Verdict::Better);
    let load = |of: &str| -> Option<&Load> { Some(plan.load_of(plan.variant(of)?)) };
    let leads = |of: &&&str| {
        let unbeaten = rivals
            .iter()
            .all(|over| over == *of || verdict(of, over, metric) != Some(Verdict::Worse));
        let as_good = verdict(leader, of, metric).is_some_and(|it| it != Verdict::Better);
        let alike = load(of) == load(leader);
        as_good && unbeaten && alike && (gains(of) || !gains(leader))
    };
    let mut best = (leader, parts(seen_run, leader));
    for name in rivals[1..].iter().filter(leads) {
        let own = parts(seen_run, name);
        let sooner = || verdict(name, best.0, Metric::P99) == Some(Verdict::Better);
        if own < best.1 || (own == best.1 && sooner()) {
            best = (name, own);
        }
    }
    best.0
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
