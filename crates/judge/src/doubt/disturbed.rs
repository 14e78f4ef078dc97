use record::{Others, RUN_QUEUE_WAIT, Trial, joined};

use super::{Doubt, DoubtKind, Evidence, Held, Lasts, Rule};
use crate::words::{counted, number, percent};

/// Share of the machine's CPU time that other programs may take unmentioned.
const TOLD: f64 = 0.05;

/// Share from which figures are not to be trusted. A machine that is saturated does less by as much, and what needs more
/// cores than others loses more than they: that is a bias, which no number of trials takes away.
const SPOILT: f64 = 0.2;

/// CPU seconds below which nothing is told: the kernel counts those of processes in ticks of 10 ms, which is a large
/// share of a short window.
const SECONDS: f64 = 0.05;

/// Time that the programs under load and weir waited for a core, as a share of the time that they had one. Below that
/// there were cores enough for all.
const WAITED: f64 = 0.1;

pub(super) const RULE: Rule = Rule {
    title: "other programs disturbed it",
    rule: "other programs take at most 5 % of the machine's CPU time",
    disqualifies: "from 20 % on by programs that weir can see, where the programs under load and weir waited for a core, for a tenth of the time in \
                   which they had one; never with `--shared`",
    lasts: Lasts::Passes,
    ..Rule::of(DoubtKind::Disturbed, look)
};

/// Programs that are neither the stack nor weir, by name.
fn look(evidence: &Evidence) -> Held {
    let Some(others) = evidence.others else {
        return RULE
            .silent("weir did not start what is loaded, so that it cannot tell others from it");
    };
    let waited = waited(evidence);
    let because = match waited {
        Some(seconds) => format!(
            "{}; the programs under load and weir waited {} s for a core",
            took(others),
            number(seconds)
        ),
        None => took(others),
    };
    if others.share <= TOLD || others.seconds < SECONDS {
        return RULE.passed(because);
    }
    let used: f64 = evidence
        .processes
        .iter()
        .map(record::ProcessCost::cpu)
        .sum();
    let had_to_wait = waited.is_none_or(|seconds| seconds >= WAITED * used);
    // what cannot be seen may be the stack's own: short programs that it starts and does not wait for
    let others_own = others.share * (1.0 - others.unseen / others.seconds);
    let spoilt = others_own >= SPOILT && had_to_wait && !evidence.shared;
    let advice = if evidence.shared {
        "it counts nevertheless, as the machine is shared: figures scatter for it, and more blocks narrow their intervals"
    } else {
        "end these programs and run again; on a machine that is never quiet, `--shared` counts it nevertheless"
    };
    RULE.doubted(spoilt, because, advice)
}

/// What other programs took of the machine, by the names of those that took most.
pub fn took(others: &Others) -> String {
    format!(
        "{} took {} of the machine's CPU time ({} core seconds)",
        named(others),
        percent(others.share),
        number(others.seconds)
    )
}

/// How many of these trials other programs disturbed, and the names of those that took most in the worst of them; nothing
/// where they disturbed none.
pub(crate) fn of_trials<'a>(
    trials: impl Iterator<Item = (&'a Trial, &'a [Doubt])>,
) -> Option<String> {
    let (mut all, mut disturbed) = (0, Vec::new());
    for (trial, doubts) in trials {
        all += 1;
        let others = trial
            .measured()
            .and_then(|facts| facts.observed.others.as_ref());
        if doubts
            .iter()
            .any(|doubt| doubt.kind == DoubtKind::Disturbed)
        {
            disturbed.extend(others);
        }
    }
    let worst = disturbed
        .iter()
        .max_by(|a, b| a.share.total_cmp(&b.share))?;
    let count = disturbed.len();
    Some(format!(
        "{} disturbed {count} of {}",
        named(worst),
        counted(all, "trial")
    ))
}

/// Those that took most, the greatest first; what weir cannot see is one of them.
fn named(others: &Others) -> String {
    let mut all: Vec<(f64, String)> = others
        .programs
        .iter()
        .map(|of| (of.seconds, format!("`{}`", of.name)))
        .collect();
    if others.unseen > 0.0 {
        all.push((others.unseen, "programs that weir cannot see".to_owned()));
        all.sort_by(|a, b| b.0.total_cmp(&a.0));
    }
    if all.is_empty() {
        return "other programs".to_owned();
    }
    let names: Vec<String> = all.into_iter().map(|(_, name)| name).collect();
    joined(&names, "and")
}

/// Seconds in which the programs under load and weir were ready to run and had no core, if the kernel counts that.
fn waited(evidence: &Evidence) -> Option<f64> {
    let counts = evidence.processes.iter();
    let counts = counts.filter_map(|process| process.counts.get(RUN_QUEUE_WAIT));
    let waited = counts.copied().reduce(|sum, waited| sum + waited)?;
    Some(waited as f64 / 1e6)
}
