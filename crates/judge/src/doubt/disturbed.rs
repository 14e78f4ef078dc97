use record::{OtherProgram, Others, ProcessCost, RUN_QUEUE_WAIT, Trial, joined};

use super::{DoubtKind, Evidence, Held, Lasts, Outcome, Rule, starved};
use crate::words::{counted, number, percent};

/// Share of the machine's CPU time that other programs may take unmentioned.
const TOLD: f64 = 0.05;

/// Share from which figures are not to be trusted. A machine that is saturated does less by as much, and what needs more
/// cores than others loses more than they: that is a bias, which no number of trials takes away.
const SPOILT: f64 = 0.2;

/// CPU seconds below which nothing is told: the kernel counts those of processes in ticks of 10 ms, which is a large
/// share of a short window.
pub(super) const SECONDS: f64 = 0.05;

/// Time that the programs under load and weir waited for a core, as a share of the time that they had one. Below that
/// there were cores enough for all.
const WAITED: f64 = 0.1;

pub(super) const RULE: Rule = Rule {
    title: "other programs disturbed it",
    rule: "other programs take at most 5 % of the machine's CPU time",
    disqualifies: "from 20 % on, where the programs under load and weir waited for a core, for a tenth of the time in which they had one; \
                   never with `--shared`, nor where weir did not start what is loaded",
    lasts: Lasts::Passes,
    ..Rule::of(DoubtKind::Disturbed, look)
};

/// Programs that are neither the stack nor weir, by name, and what they kept the stack from: told once, here unless that alone
/// disqualifies.
fn look(evidence: &Evidence) -> Held {
    let Some(others) = evidence.others else {
        return RULE.silent(
            "weir does not know which program is loaded, so that it cannot tell others from it",
        );
    };
    let waited = waited(evidence.processes.iter());
    let waiting = waited.map(|seconds| {
        let seconds = number(seconds);
        format!("the programs under load and weir waited {seconds} s for a core")
    });
    let partners = evidence.partners.map(took);
    let partners = partners.map(|took| format!("for the stack {took}, which disturbs nothing"));
    let found = outcome(evidence, others);
    let kept = starved::kept(evidence).filter(|kept| kept.outcome != Outcome::Passed);
    let graver = kept.as_ref().is_some_and(|kept| kept.outcome > found);
    let kept = kept.map(|kept| kept.words);
    let parts = [Some(took(others)), waiting, kept, partners];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    let because = parts.join("; ");
    if found == Outcome::Passed {
        return RULE.passed(because);
    }
    if graver {
        return RULE.told_elsewhere(false, because); // by `starved.rs`
    }
    RULE.doubted(found == Outcome::Disqualified, because, &advice(evidence))
}

/// How what others took stands to the rule.
pub(super) fn outcome(evidence: &Evidence, others: &Others) -> Outcome {
    if !is_told(others) {
        return Outcome::Passed;
    }
    let used: f64 = evidence.processes.iter().map(ProcessCost::cpu).sum();
    let waited = waited(evidence.processes.iter());
    let had_to_wait = waited.is_none_or(|seconds| seconds >= WAITED * used);
    if others.share >= SPOILT && had_to_wait && spoils(evidence) {
        Outcome::Disqualified
    } else {
        Outcome::Doubted
    }
}

/// Whether what others take may keep a trial out. Beside a server that weir did not start they may work for it in a way that
/// weir does not see, and a URL's figures are told with what was amiss.
pub(super) fn spoils(evidence: &Evidence) -> bool {
    !evidence.theirs && !evidence.shared
}

fn is_told(others: &Others) -> bool {
    others.share > TOLD && others.seconds >= SECONDS
}

/// What to do about other programs that took too much.
pub(super) fn advice(evidence: &Evidence) -> String {
    let words = if evidence.shared {
        "it counts nevertheless, as the machine is shared: figures scatter for it, and more blocks narrow their intervals"
    } else if evidence.theirs {
        "end these programs, if they do not work for the one that is loaded in a way that weir does not see, or measure on a \
         machine that is quiet"
    } else {
        return beside_others(None);
    };
    words.to_owned()
}

/// What to do about other programs that disturb trials, with the command that ends those that run now, where one is known.
pub fn beside_others(ends: Option<&str>) -> String {
    let ends = ends.map_or_else(String::new, |command| format!(" ({command})"));
    format!(
        "end these programs{ends}; on a machine that is never quiet, a new run with `--shared` counts trials beside them; one \
         that the app uses can be a service of it (`[services.NAME]` in its app.toml), which counts with the stack"
    )
}

/// What programs that weir did not start took of the machine, by the names of those that took most and where these are found.
pub fn took(others: &Others) -> String {
    format!(
        "{} took {} of the machine's CPU time ({} core seconds)",
        named(others, OtherProgram::located),
        percent(others.share),
        number(others.seconds)
    )
}

/// How many of these trials other programs disturbed, and the names of those that took most in the worst of them; nothing
/// where they disturbed none.
pub(crate) fn of_trials<'a>(trials: impl Iterator<Item = &'a Trial>) -> Option<String> {
    let (mut all, mut disturbed) = (0, Vec::new());
    for trial in trials {
        all += 1;
        let facts = trial.measured();
        let others = facts.and_then(|facts| facts.observed.others.as_ref());
        disturbed.extend(others.filter(|others| is_told(others)));
    }
    let worst = disturbed
        .iter()
        .max_by(|a, b| a.share.total_cmp(&b.share))?;
    let count = disturbed.len();
    // of trials that are over: the processes may be gone
    let name = |of: &OtherProgram| format!("`{}`", of.name);
    Some(format!(
        "{} disturbed {count} of {}",
        named(worst, name),
        counted(all, "trial")
    ))
}

/// Those that took most, the greatest first, each in these words.
fn named(others: &Others, words: impl Fn(&OtherProgram) -> String) -> String {
    let names = others.each(words).into_iter().map(|(name, _)| name);
    let names: Vec<String> = names.collect();
    if names.is_empty() {
        return "other programs".to_owned();
    }
    joined(&names, "and")
}

/// Seconds in which threads of these processes were ready to run and had no core, if the kernel counts that.
pub(super) fn waited<'a>(processes: impl Iterator<Item = &'a ProcessCost>) -> Option<f64> {
    let counts = processes.filter_map(|process| process.counts.get(RUN_QUEUE_WAIT));
    let waited = counts.copied().reduce(|sum, waited| sum + waited)?;
    Some(waited as f64 / 1e6)
}
