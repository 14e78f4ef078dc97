use judge::{Judged, PAIRS};
use record::{Run, RunStatus, Variant};

use super::compared::{more, times_the};
use super::{counted, list};
use crate::units;

/// Variants that are named.
const NAMED: usize = 4;

/// What to type where a run compared stacks and cannot say which of them to deploy; nothing where it says so, and where
/// that was not the question, as of versions of an app.
pub fn undecided(run: &Run, judged: &Judged) -> Vec<String> {
    let plan = &run.plan;
    let stacks = plan.variants.iter().filter(|of| of.is_stack()).count();
    let no_other = plan.claims.is_empty() || plan.to_deploy;
    let stacks_alone = judged.curves.is_empty() && judged.revised.is_empty();
    let asked = plan.search.is_none() && no_other && stacks_alone;
    let compared = stacks > 1 && judged.lead.entered > 1 && judged.faulted.is_empty();
    if judged.decision.is_some() || !asked || !compared {
        return Vec::new();
    }
    let mut lines = remedies(run, judged);
    let wide = judged.too_wide.as_ref().filter(|_| !is_cut(run));
    lines.extend(wide.map(|of| more(of, "blocks")));
    lines.extend(by_hand(run, judged));
    lines
}

/// Why a run does not say what to deploy where a variant is surely cheaper than the baseline, and may be much slower.
pub fn too_wide(judged: &Judged) -> Option<String> {
    let of = judged.too_wide.as_ref()?;
    let slower = units::about(of.worse_at_most()?);
    Some(format!(
        "not decided: `{}` is surely cheaper than `{}`, and may be up to {slower} slower: {}",
        of.of,
        of.over,
        times_the(of)
    ))
}

/// Whether something is left of a run.
pub(super) fn is_cut(run: &Run) -> bool {
    run.cut.is_some() || run.status != RunStatus::Finished
}

/// How what is left of a run is measured; none of one that is whole, which goes on with nothing.
pub(super) fn rest(run: &Run) -> Option<String> {
    let id = run.id;
    is_cut(run).then(|| format!("`weir run --resume {id}` runs what is left of it"))
}

/// What to type where a run cannot tell variants apart, as far as the reason for it is known.
pub(super) fn remedies(run: &Run, judged: &Judged) -> Vec<String> {
    let plan = &run.plan;
    let mut lines = Vec::new();
    let disturbed = judged.variants.iter().flat_map(|of| &of.doubts);
    let disturbed = disturbed
        .into_iter()
        .any(|(doubt, _)| doubt.disqualifies && doubt.kind.is_of_others());
    // what is left of it would be disturbed as well
    if disturbed && !plan.shared {
        lines
            .push("a new run with `--shared` counts trials that other programs disturb".to_owned());
    }
    if let Some(rest) = rest(run) {
        lines.push(rest);
    } else if plan.blocks < PAIRS as u32 {
        let blocks = counted(u64::from(plan.blocks), "block");
        lines.push(format!(
            "it has {blocks}, and an interval needs {PAIRS}: run it without `--quick`, or with `--blocks`"
        ));
    }
    if !judged.lead.outran.is_empty() {
        lines.push(
            "a load generator with a core of its own may keep up: `--load-cpus 1`; or load a dearer route".to_owned(),
        );
    }
    lines
}

/// How one is written that nothing speaks for.
fn by_hand(run: &Run, judged: &Judged) -> Option<String> {
    let plan = &run.plan;
    let not_for_use = judged.lead.not_for_use();
    let stack = |name: &&str| plan.variant(name).is_some_and(Variant::is_stack);
    let measured = judged.lead.rivals.iter().map(String::as_str);
    let measured = measured.filter(|name| !not_for_use.contains(name));
    let mut all: Vec<&str> = measured.filter(stack).collect();
    if all.is_empty() {
        let planned = plan.variants.iter().map(|of| of.name.as_str());
        all = planned.filter(stack).collect();
    }
    let all: Vec<String> = all.iter().map(|name| format!("`{name}`")).collect();
    let names = match all.len() {
        0 => return None,
        of if of > NAMED => record::first_of(&all, NAMED),
        _ => list(&all),
    };
    let id = run.id;
    Some(format!(
        "`weir write {id}:VARIANT DIR` writes the files of one that you choose: {names}"
    ))
}
