//! What a look at a run, after some whole blocks, leaves to those that follow.

use std::collections::BTreeSet;

use record::condition::select;
use record::{Metric, Plan, Run, Trial};
use stats::Estimate;

use crate::compare::{self, floor_share, paired};
use crate::opinion::{Comparison, Lead, Verdict};
use crate::ranking::Ranking;
use crate::seen_run::SeenRun;
use crate::{claim, lead, ranking, variant};

/// What later blocks of a run are for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// Variants on which a question hangs that is open, and can be decided; none where the run has come to its end.
    pub needed: BTreeSet<String>,
    /// Whether such a question needs the A/A pair.
    pub noise_floor: bool,
}

/// A look at a run whose trials (in the order in which they ran) make whole blocks. It asks for the plan's claims and
/// the leaders of its rankings (who is surely beaten is left out), and where it has neither, or says so, for the variant
/// to deploy.
/// What will most likely be open after
/// the last block too is not waited for.
pub fn look(run: &Run, trials: &[Trial]) -> Look {
    let seen_run = SeenRun::new(run, trials);
    let rankings = ranking::all(&seen_run);
    let plan = &run.plan;
    let nothing_else = plan.claims.is_empty() && plan.rankings.is_empty();
    let mut look = if plan.to_deploy || nothing_else {
        contest(&seen_run)
    } else {
        Look::default()
    };
    let open = claim::open(&seen_run, &rankings).into_iter();
    let claimed = open.flat_map(|about| about.variants(plan));
    let ranked = plan
        .rankings
        .iter()
        .flat_map(|of| contested(plan, of, &rankings));
    look.needed.extend(claimed.chain(ranked));
    look
}

/// Of each claim of a run that is open and may be decided by the blocks that its plan has left, how many blocks it most
/// likely takes in all.
pub fn wanted(run: &Run, trials: &[Trial]) -> Vec<u32> {
    let seen_run = SeenRun::new(run, trials);
    claim::wanted(&seen_run, &ranking::all(&seen_run))
}

/// The variants of those that may still come first in a ranking; none once that is one.
fn contested(plan: &Plan, of: &record::Ranking, rankings: &[Ranking]) -> Vec<String> {
    let Some(left) = ranking::contenders(rankings, &of.name) else {
        return of.rivals(plan);
    };
    if left.len() == 1 {
        return Vec::new();
    }
    let meant = left
        .iter()
        .flat_map(|rival| select(&plan.variants, rival).unwrap_or_default());
    meant.map(|variant| variant.name.clone()).collect()
}

/// Who leads: each that may still come first, or be as good as that, against the first.
fn contest(seen_run: &SeenRun) -> Look {
    let plan = &seen_run.run.plan;
    let variants = plan.variants.iter();
    let variants: Vec<_> = variants.map(|of| variant::opinion(seen_run, of)).collect();
    let lead = lead::lead(seen_run, &variants);
    let is_open = |of: &Comparison| is_open(seen_run, of);
    let mut needed: BTreeSet<String> = lead
        .comparisons
        .iter()
        .filter(|of| is_open(of))
        .flat_map(|of| [of.of.clone(), of.over.clone()])
        .collect();
    let baseline = seen_run.baseline();
    let beside = plan.variants.iter().map(|of| of.name.as_str());
    let beside = beside.filter(|name| *name != baseline && !is_beaten(&lead, name));
    let against = |name: &str| paired(seen_run, name, baseline, lead.metric);
    let open = beside.filter(|name| against(name).is_some_and(|of| is_open(&of)));
    needed.extend(open.map(str::to_owned));
    // nothing is known of those that something else disturbed each time
    let counts = |name: &str| seen_run.of(name).any(|seen| seen.opinion.counts);
    let disturbed = |name: &str| seen_run.of(name).any(|seen| seen.transient().is_some());
    let unknown = plan.variants.iter().map(|of| of.name.as_str());
    let unknown = unknown.filter(|name| !counts(name) && disturbed(name));
    needed.extend(unknown.map(str::to_owned));
    if !needed.is_empty() {
        needed.insert(baseline.to_owned());
    }
    Look {
        noise_floor: !needed.is_empty(),
        needed,
    }
}

fn is_beaten(lead: &Lead, name: &str) -> bool {
    let mut comparisons = lead.comparisons.iter();
    comparisons.any(|of| of.over == name && of.verdict == Verdict::Better)
}

/// Whether a comparison cannot be told yet, and may be.
fn is_open(seen_run: &SeenRun, of: &Comparison) -> bool {
    if of.verdict != Verdict::CannotTell {
        return false;
    }
    let Some((low, high)) = of.interval else {
        return true;
    };
    let noise = noise(seen_run, of.metric);
    let figures = Estimate {
        value: of.ratio,
        interval: of.interval,
    };
    // further blocks would tell no more where one end of a figure is known only
    if compare::verdict(of.metric, figures, Some(noise)) != Verdict::CannotTell {
        return false;
    }
    let same = noise.min(compare::SAME_AT_MOST).ln_1p();
    let (off, half) = (of.ratio.ln().abs(), 0.5 * (high / low).ln());
    // by so many times the interval has to shrink to lie on one side of 1, or beside it
    let apart = if off > noise.ln_1p() {
        half / off
    } else {
        f64::INFINITY
    };
    let alike = if off < same {
        half / (same - off)
    } else {
        f64::INFINITY
    };
    !seen_run.is_hopeless(of.pairs as usize, apart.min(alike))
}

fn noise(seen_run: &SeenRun, metric: Metric) -> f64 {
    floor_share(seen_run, metric)
        .unwrap_or(0.0)
        .max(compare::NEGLIGIBLE)
}
