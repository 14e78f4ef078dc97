//! Everything that can be concluded from a run.

use std::collections::BTreeSet;

use record::{Run, Trial};
use serde::Serialize;

use crate::change::{self, Effect};
use crate::curves::{self, Curve, VariantCeiling};
use crate::decision::{self, Decision};
use crate::faulted::{self, Faulted};
use crate::goal::{self, Reached};
use crate::opinion::{ClaimVerdict, Comparison, Lead, NoiseFloor, TrialOpinion, VariantOpinion};
use crate::pace::{self, Pace};
use crate::peak::{self, Peak};
use crate::revised::{self, Revised};
use crate::scatter::{self, Scatter};
use crate::seen_run::SeenRun;
use crate::stress::{self, Stressed};
use crate::{claim, compare, lead, matrix, ranking, variant};

/// The looks at a run that ends as soon as what is asked of it is decided. Chance has a try at each of them, so each
/// interval is surer than 95 %, and all together are so sure ([`stats::Looks`]).
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Looks {
    /// Blocks before the first look.
    pub at_least: u32,
    /// Blocks after which it ends whatever is open.
    pub at_most: u32,
    /// How sure an interval over the blocks so far is: 0.99 for 99 %.
    pub confidence: f64,
}

impl Looks {
    fn at(seen_run: &SeenRun) -> Option<Self> {
        let plan = &seen_run.run.plan;
        let last = seen_run.trials.iter().map(|seen| &seen.trial.block).max();
        Some(Self {
            at_least: plan.looks()?,
            at_most: plan.blocks,
            confidence: seen_run.confidence(last).share(),
        })
    }
}

/// Everything that can be concluded from a run.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct Judged {
    /// The run's number.
    pub run: i64,
    /// How many blocks have at least one finished trial.
    pub blocks: u32,
    /// How sure its intervals are, where the run ends as soon as what is asked of it is decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub looks: Option<Looks>,
    /// The variant that others are compared with; not the plan's if no trial of that one counts.
    pub baseline: String,
    /// Variants in the plan's order.
    pub variants: Vec<VariantOpinion>,
    /// Which of them serves the baseline's route best.
    pub lead: Lead,
    /// What each change between two variants does to that.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Effect>,
    /// What becomes of each variant under stress, kind by kind.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stress: Vec<Stressed>,
    /// What faults cost each variant that was struck.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub faulted: Vec<Faulted>,
    /// What became of the app from one version to another, where that and nothing else differs between the variants.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub revised: Vec<Revised>,
    /// What to deploy, where that can be said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<Decision>,
    /// What keeps the run from saying what to deploy: the variant that is surely cheaper than the baseline against that, where it
    /// may be slower by more than a tenth, or faster.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub too_wide: Option<Comparison>,
    /// How far apart two equal things lay in this run; absent without an A/A pair.
    pub noise_floor: Option<NoiseFloor>,
    /// How far equal measurements lay apart, from start to start and within one; absent with too few.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scatter: Option<Scatter>,
    /// How even the machine's own speed was from trial to trial; absent with too few.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pace: Option<Pace>,
    /// The most that was got out of the one URL that all variants load.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peak: Option<Peak>,
    /// How far goals hold as the rate grows, where the run looked for that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reached: Option<Reached>,
    /// The plan's claims in order.
    pub claims: Vec<ClaimVerdict>,
    /// The curves of the plan's sweeps.
    pub curves: Vec<Curve>,
    /// What the workload itself allows, of the variants of which it is known.
    pub ceilings: Vec<VariantCeiling>,
    /// The plan's rankings, and those of matrices that no ranking is about.
    pub rankings: Vec<crate::Ranking>,
    /// Families with two factors or more.
    pub matrices: Vec<crate::Matrix>,
    /// One row per trial, in the order in which they ran.
    pub trials: Vec<TrialOpinion>,
}

/// Everything that can be concluded from a run and its trials (in the order in which they ran; a
/// run under way or cut short has fewer than planned).
pub fn judge(run: &Run, trials: &[Trial]) -> Judged {
    let seen_run = SeenRun::new(run, trials);
    let blocks = seen_run.trials.iter().map(|seen| seen.trial.block);
    let blocks: BTreeSet<u32> = blocks.collect();
    let variants = run.plan.variants.iter();
    let variants: Vec<_> = variants.map(|of| variant::opinion(&seen_run, of)).collect();
    let rankings = ranking::all(&seen_run);
    let lead = lead::lead(&seen_run, &variants);
    let decided = decision::decided(&seen_run, &lead);
    Judged {
        run: run.id,
        blocks: blocks.len() as u32,
        looks: Looks::at(&seen_run),
        baseline: seen_run.baseline().to_owned(),
        claims: claim::verdicts(&seen_run, &rankings),
        rankings,
        changes: change::effects(&seen_run, lead.metric),
        revised: revised::revised(&seen_run, lead.metric),
        decision: decided.decision,
        too_wide: decided.too_wide,
        lead,
        peak: peak::peak(&run.plan, trials),
        reached: goal::reached(run, trials),
        matrices: matrix::all(&seen_run, &variants),
        stress: stress::stressed(run, trials, &variants),
        faulted: faulted::faulted(run, trials),
        variants,
        noise_floor: compare::noise_floor(&seen_run),
        scatter: scatter::scatter(&seen_run),
        pace: pace::pace(trials),
        curves: curves::curves(&seen_run),
        ceilings: curves::ceilings(&seen_run),
        trials: seen_run
            .trials
            .into_iter()
            .map(|seen| seen.opinion)
            .collect(),
    }
}
