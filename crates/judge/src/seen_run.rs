mod by_block;
mod seen;

use std::collections::BTreeMap;

use record::condition::Expectation;
use record::{Distribution, Metric, Outcome, Run, Trial};
use stats::{Confidence, Looks};

use crate::doubt::{self, Evidence};
use crate::figures;
use crate::opinion::TrialOpinion;
pub(crate) use seen::Seen;

/// Times that an interval would still be too wide after the last block, where a question is not waited for.
const HOPELESS: f64 = 2.0;

/// A run's trials with an opinion on each: what every further conclusion rests on. Those under stress are none of them.
pub(crate) struct SeenRun<'a> {
    pub(crate) run: &'a Run,
    pub(crate) trials: Vec<Seen<'a>>,
    /// How sure intervals are after each look; of a fixed number of blocks they are so as usual.
    looks: Option<Looks>,
    /// Whether a block of it has several groups, each with the baseline.
    has_groups: bool,
    /// Two variants whose trials stand for each other's.
    exchanged: Option<[String; 2]>,
}

impl<'a> SeenRun<'a> {
    pub(crate) fn new(run: &'a Run, trials: &'a [Trial]) -> Self {
        let conditions = run
            .plan
            .claims
            .iter()
            .flat_map(|claim| claim.expect.iter().chain(&claim.since_expect));
        let asked = quantiles_asked(conditions.filter_map(|of| of.means.as_ref().ok()));
        let retaken = trials.iter().any(|trial| trial.attempt > 0);
        let is_taken_again = |trial: &Trial| retaken && crate::is_taken_again(trial, trials);
        let seen = |trial| Seen {
            trial,
            opinion: opinion(run, trial, &asked).taken_again(is_taken_again(trial)),
        };
        let usual = trials.iter();
        let usual = usual.filter(|trial| run.plan.stress_in(trial.block).is_none());
        Self {
            run,
            trials: usual.map(seen).collect(),
            looks: run
                .plan
                .looks()
                .map(|at_least| Looks::new(at_least, run.plan.blocks)),
            has_groups: trials.iter().any(|trial| trial.group > 0),
            exchanged: None,
        }
    }

    /// Lets the trials of two variants stand for each other's from now on.
    pub(crate) fn exchange(&mut self, two: [&str; 2]) {
        self.exchanged = Some(two.map(str::to_owned));
    }

    /// The variant whose trials stand for this one's.
    fn stand_in<'b>(&'b self, variant: &'b str) -> &'b str {
        match &self.exchanged {
            Some([one, other]) if one == variant => other,
            Some([one, other]) if other == variant => one,
            _ => variant,
        }
    }

    /// How sure an interval over these blocks is. In a run with looks that goes by the last of them, so that what was
    /// decided when a variant was left out of later blocks stays as it was.
    pub(crate) fn confidence<'b>(&self, blocks: impl IntoIterator<Item = &'b u32>) -> Confidence {
        let last = blocks.into_iter().max();
        match &self.looks {
            Some(looks) => looks.after(last.map_or(0, |block| block + 1)),
            None => Confidence::USUAL,
        }
    }

    /// How many blocks have begun.
    pub(crate) fn blocks(&self) -> usize {
        let last = self.trials.iter().map(|seen| seen.trial.block + 1).max();
        last.unwrap_or(0) as usize
    }

    /// What so many more blocks of so many variants would take: ` (about 3 min more)`. Nothing where the run has no looks.
    pub(crate) fn time(&self, blocks: u32, variants: usize) -> String {
        let trials = f64::from(blocks) * variants as f64;
        let Some(seconds) = self.trial_seconds().map(|each| each * trials) else {
            return String::new();
        };
        let (time, unit) = match seconds {
            of if of < 100.0 => (of, "s"),
            of if of < 6_000.0 => (of / 60.0, "min"),
            of => (of / 3_600.0, "h"),
        };
        format!(" (about {time:.0} {unit} more)")
    }

    /// Seconds from the first start of a block to that of the next, for each of its trials, several of which may be up at the same
    /// time: the median, which a pause does not move. Of runs that are looked at, and `None` without two blocks.
    fn trial_seconds(&self) -> Option<f64> {
        self.looks.as_ref()?;
        let mut blocks = BTreeMap::new();
        for trial in self.trials.iter().map(|seen| seen.trial) {
            if trial.attempt == 0 {
                let (_, trials) = blocks.entry(trial.block).or_insert((trial.started, 0_u32));
                *trials += 1;
            }
        }
        let blocks: Vec<_> = blocks.into_values().collect();
        let each = blocks.windows(2).filter_map(|two| {
            let ((began, trials), (next, _)) = (two[0], two[1]);
            let apart = next.duration_since(began).as_secs_f64();
            (apart > 0.0).then_some(apart / f64::from(trials))
        });
        stats::median(&each.collect::<Vec<_>>())
    }

    /// How many times as wide as it is an interval over so many blocks would be, had it the confidence of the last look,
    /// and as many blocks to know their scatter from; 1 where their number is fixed.
    pub(crate) fn narrower(&self, blocks: usize) -> f64 {
        let looks = self.looks.as_ref();
        looks.map_or(1.0, |looks| looks.narrower(blocks as u32))
    }

    /// Whether what has to `shrink` so many times to be decided will most likely not be so after the plan's last block:
    /// from half of the blocks on, where its interval will be more than [`HOPELESS`] times too wide.
    pub(crate) fn is_hopeless(&self, blocks: usize, shrink: f64) -> bool {
        let most = f64::from(self.run.plan.blocks);
        let at_last = shrink * self.narrower(blocks) * (blocks as f64 / most).sqrt();
        self.looks.is_some() && 2.0 * blocks as f64 >= most && at_last > HOPELESS
    }

    /// The trials of a variant that stand, those of the A/A half too: what ran twice in a block was looked at twice in it.
    pub(crate) fn of(&self, variant: &str) -> impl Iterator<Item = &Seen<'a>> {
        self.standing(self.stand_in(variant).to_owned())
    }

    /// Those of one half of the A/A pair: they are of one variant, whatever stands for it. Of a variant that is not in
    /// the pair all are of the first half, but for the baseline's in further groups.
    pub(crate) fn half(&self, variant: &str, again: bool) -> impl Iterator<Item = &Seen<'a>> {
        let of = self.standing(variant.to_owned());
        let baseline = &self.run.plan.baseline;
        let is_further = move |of: &Trial| of.group > 0 && of.variant == *baseline;
        of.filter(move |seen| seen.trial.again == again && !is_further(seen.trial))
    }

    /// The trials of the baseline, one or more in each group, whatever stands for it.
    fn instances(&self) -> impl Iterator<Item = &Seen<'a>> {
        self.standing(self.run.plan.baseline.clone())
    }

    fn standing(&self, variant: String) -> impl Iterator<Item = &Seen<'a>> {
        self.trials.iter().filter(move |seen| {
            let Seen { trial, opinion } = seen;
            trial.variant == variant && !opinion.taken_again
        })
    }

    /// The attempts of a variant, the A/A half's included, that others took the place of.
    pub(crate) fn taken_again(&self, variant: &str) -> impl Iterator<Item = &Seen<'a>> {
        let of = move |seen: &&Seen| seen.trial.variant == variant && seen.opinion.taken_again;
        self.trials.iter().filter(of)
    }

    /// The variant that others are compared with: the plan's, or if no trial of that one counts, the
    /// first variant of the same route that has one.
    pub(crate) fn baseline(&self) -> &'a str {
        let plan = &self.run.plan;
        let counts = |variant: &str| self.of(variant).any(|seen| seen.opinion.counts);
        let route = plan.variant(&plan.baseline).map(|variant| &variant.route);
        let rivals = plan.variants.iter().filter(|of| Some(&of.route) == route);
        let names = rivals.map(|variant| variant.name.as_str());
        let mut all = std::iter::once(plan.baseline.as_str()).chain(names);
        all.find(|name| counts(name)).unwrap_or(&plan.baseline)
    }

    /// Response times of a variant's counted trials, merged.
    pub(crate) fn response(&self, variant: &str) -> Distribution {
        let mut merged = Distribution::default();
        let counted = self.of(variant).filter(|seen| seen.opinion.counts);
        for measured in counted.filter_map(|seen| seen.trial.measured()) {
            merged.merge(&measured.load.response);
        }
        merged
    }

    /// Why no trial of a variant counts: its first failure or disqualifying doubt.
    pub(crate) fn why_none_counts(&self, variant: &str) -> String {
        self.of(variant)
            .find_map(Seen::why_out)
            .unwrap_or_else(|| "it has not run".to_owned())
    }
}

/// The median, and the quantile metrics that conditions name.
fn quantiles_asked<'a>(conditions: impl Iterator<Item = &'a Expectation>) -> Vec<Metric> {
    let figures = conditions.flat_map(|condition| match condition {
        Expectation::Figures(of) => of.figures().map(|figure| figure.metric).collect(),
        Expectation::Ranking(_) => Vec::new(),
    });
    let quantiles = figures.filter(|metric| metric.quantile().is_some());
    let mut asked: Vec<Metric> = quantiles.chain([Metric::P50]).collect();
    asked.sort_unstable();
    asked.dedup();
    asked
}

fn opinion(run: &Run, trial: &Trial, asked: &[Metric]) -> TrialOpinion {
    let mut opinion = TrialOpinion {
        block: trial.block,
        variant: trial.variant.clone(),
        again: trial.again,
        group: trial.group,
        attempt: trial.attempt,
        taken_again: false,
        counts: false,
        figures: BTreeMap::new(),
        doubts: Vec::new(),
        failure: None,
    };
    match &trial.outcome {
        Outcome::Failed(failure) => opinion.failure = Some(failure.error.clone()),
        Outcome::Measured(measured) => {
            opinion.doubts = doubt::all(&Evidence::of(run, &trial.variant, measured, asked));
            opinion.counts = !opinion.doubts.iter().any(|doubt| doubt.disqualifies);
            opinion.figures = figures::of_trial(measured);
        }
    }
    opinion
}
