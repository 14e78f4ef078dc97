//! Why a variant is to be deployed, and what is not told apart from it.

use std::fmt::Display;

use judge::{Comparison, Decision, Verdict};
use record::Trial;

use super::{TOLD, ratios};
use crate::JudgedRun;

/// Why the baseline is to be deployed.
const BASELINE: &str =
    "the others are compared with it, and none is surely better, nor as fast and surely cheaper";
/// The same where one that is for development only may be.
const BASELINE_FOR_USE: &str = "the others are compared with it, and none that is for production is surely better, nor as fast \
                                and surely cheaper";
const BEST: &str = "it is surely better than each of the others";
/// Why one that did not come first is.
const SIMPLEST: &str = "it is the simplest of those that lead and cannot be told apart: fewest programs and processes, then \
                        fewest doubts, then a better p99";
const ALONE: &str = "no other variant could be measured, so that nothing says how good it is";

/// Why this one, the best reason first.
pub(super) fn because(of: &JudgedRun, decision: &Decision) -> Vec<String> {
    if decision.alone {
        return vec![ALONE.to_owned()];
    }
    if is_only(of, &decision.variant) {
        let others = names(&of.judged.lead.development);
        let why = format!("there was none to choose from but those made for development: {others}");
        return vec![why];
    }
    let first = decision.simpler_than.as_ref();
    let why = cheaper(decision).or_else(|| Some(preferred(of, decision, first?)));
    let usual = if leads_alone(of, &decision.variant) {
        BEST
    } else if decision.development.is_empty() {
        BASELINE
    } else {
        BASELINE_FOR_USE
    };
    let usual = decision.over.is_none().then(|| usual.to_owned());
    why.into_iter().chain(usual).collect()
}

/// Which others are as good, and which lead beside it and are dearer; nothing where there was no other to choose from.
pub(super) fn as_good(of: &JudgedRun, decision: &Decision) -> Option<String> {
    if decision.alone || is_only(of, &decision.variant) {
        return None;
    }
    let as_good = match &decision.as_good[..] {
        [] => None,
        some => {
            let would = wanted(of, decision);
            let would = would.map(|blocks| format!(", about {blocks} blocks most likely would"));
            Some(format!(
                "{}: this run cannot tell them apart from it{}",
                names(some),
                would.unwrap_or_default()
            ))
        }
    };
    let dearer = dearer(of, decision);
    let dearer = (!dearer.is_empty()).then(|| {
        format!(
            "not told apart by {}, and surely dearer: {}",
            of.judged.lead.metric.row().noun,
            names(&dearer)
        )
    });
    let told: Vec<String> = as_good.into_iter().chain(dearer).collect();
    Some(match &told[..] {
        [] => "no other variant".to_owned(),
        some => some.join("; "),
    })
}

/// How many blocks most likely tell a variant from all that are as good; `None` where that is not known of each.
fn wanted(of: &JudgedRun, decision: &Decision) -> Option<u32> {
    let judged = of.judged;
    let beside = judged.variants.iter().flat_map(|of| &of.against_baseline);
    let all = judged.lead.comparisons.iter().chain(beside);
    let all: Vec<&Comparison> = all.filter(|of| of.metric == judged.lead.metric).collect();
    let blocks = decision.as_good.iter().map(|name| {
        let both = [&decision.variant, name];
        let mut found = all.iter();
        let found = found.find(|of| both == [&of.of, &of.over] || both == [&of.over, &of.of]);
        found?.wanted
    });
    blocks.collect::<Option<Vec<u32>>>()?.into_iter().max()
}

/// That nothing is decided between a variant and others, for the end of a heading; empty where it is.
pub(super) fn undecided(of: &JudgedRun, decision: &Decision) -> String {
    let mut open = decision.as_good.clone();
    open.extend(dearer(of, decision));
    match &open[..] {
        [] => String::new(),
        [one] => format!(", not told apart from `{one}`"),
        [one, rest @ ..] => format!(", not told apart from `{one}` and {} more", rest.len()),
    }
}

/// Names as they are listed.
pub(super) fn names<T: Display>(all: &[T]) -> String {
    let names: Vec<String> = all.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

/// Those that lead beside the variant, so that none of them is surely slower, and on which it surely saves.
fn dearer(of: &JudgedRun, decision: &Decision) -> Vec<String> {
    let lead = &of.judged.lead;
    let known = |name: &String| {
        *name == decision.variant
            || decision.as_good.contains(name)
            || lead.development.contains(name)
    };
    let leaders = lead.leaders.iter();
    leaders.filter(|name| !known(name)).cloned().collect()
}

/// Why a variant is to be run instead of one that is as fast, where it is cheaper.
fn cheaper(decision: &Decision) -> Option<String> {
    let than = &decision.saves.first()?.over;
    let saves = ratios(decision.saves.iter());
    let worse = if decision.may_cost.is_empty() {
        "; worse in nothing that it can tell"
    } else {
        ""
    };
    Some(format!(
        "as fast as `{than}`, as far as this run can tell, and surely cheaper: {saves}{worse}"
    ))
}

/// In what it may be much worse than the baseline, which the run cannot tell, for the end of what it costs; empty where there is
/// nothing.
pub(super) fn may_cost(decision: &Decision) -> String {
    let may = decision.may_cost.iter();
    let may = may.filter(|of| TOLD.contains(&of.metric));
    if may.clone().next().is_none() {
        return String::new();
    }
    format!("; this run cannot tell: {}", ratios(may))
}

/// That nobody is served while its only process is started again, where the baseline has more of them.
pub(super) fn alone(of: &JudgedRun, decision: &Decision) -> Option<String> {
    let over = decision.over.as_ref()?;
    let own = processes(of, &decision.variant)?;
    let others = processes(of, over).filter(|others| own == 1 && *others > 1)?;
    Some(format!(
        "it is one process: where that crashes there is no other worker, and nobody is served until it has started again; \
         `{over}` has {others} processes"
    ))
}

/// Processes of the programs of a variant, the most that were seen in a trial.
fn processes(of: &JudgedRun, variant: &str) -> Option<usize> {
    let trials = of.trials.iter();
    let own = trials.filter(|trial| trial.variant == variant);
    let measured = own.filter_map(Trial::measured);
    measured.map(|of| of.stack_processes().count()).max()
}

/// Why another variant than the first is to be run.
fn preferred(of: &JudgedRun, decision: &Decision, first: &str) -> String {
    let metric = of.judged.lead.metric;
    let gains = |all: &[Comparison]| {
        let mut all = all.iter();
        all.any(|of| of.metric == metric && of.verdict == Verdict::Better)
    };
    let mut variants = of.judged.variants.iter();
    let opinion = variants.find(|of| of.name == first);
    let as_much = opinion.is_some_and(|of| gains(&of.against_baseline));
    match &decision.over {
        Some(over) if gains(&decision.brings) && !as_much => {
            format!("it is surely better than `{over}`, and `{first}`, which came first, is not")
        }
        _ => format!("{SIMPLEST}; `{first}` came first"),
    }
}

/// Whether a variant is first, and surely better than each of the others.
fn leads_alone(of: &JudgedRun, variant: &str) -> bool {
    let lead = &of.judged.lead;
    let first = lead.rivals.first().is_some_and(|name| name == variant);
    let beaten = lead.comparisons.iter();
    let all = beaten.filter(|of| of.verdict == Verdict::Better).count();
    first && all > 0 && all + 1 == lead.rivals.len()
}

/// Whether all others are for development only, and none of them to be deployed.
fn is_only(of: &JudgedRun, variant: &str) -> bool {
    let lead = &of.judged.lead;
    let mut others = lead.rivals.iter().filter(|name| *name != variant);
    lead.rivals.len() > 1 && others.all(|name| lead.development.contains(name))
}
