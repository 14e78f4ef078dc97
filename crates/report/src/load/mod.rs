//! One load of a run, and what is thought of it, in every form but the terminal's. `docs/bench-output.md` documents
//! them.

mod csv;
mod figures;
mod markdown;

use std::collections::BTreeMap;

use judge::{Apart, Doubt, Held, Machines, Standing, ThresholdResult};
use record::{Amount, Distribution, LoadFacts, Outcome, RunStatus, Timestamp, Trial};
use serde::Serialize;

use crate::judged_run::is_of;
use crate::words::{self, Computed};
use crate::{JudgedRun, terminal, view};

pub use csv::csv;
pub use figures::{Calibrated, Figures, Line, calibration, ndjson};

/// What one invocation knows beside a run's facts; variants by name.
#[derive(Clone, Debug, Default)]
pub struct Extras {
    /// Thresholds that were asked for.
    pub thresholds: BTreeMap<String, Vec<ThresholdResult>>,
    /// The window in pieces of about a second.
    pub slices: BTreeMap<String, Vec<Slice>>,
    /// Whether it is to be told how each figure came about.
    pub explain: bool,
    /// An earlier load beside it.
    pub against: Option<Against>,
    /// The machines that a demand needs, where that was asked for.
    pub machines: Option<Machines>,
    /// What was noticed before and meanwhile.
    pub notes: Vec<String>,
}

/// One load and what is thought of it.
#[derive(Clone, Debug)]
pub struct Loaded<'a> {
    /// Its variant.
    pub variant: &'a str,
    /// The trial that it was loaded in.
    pub trial: &'a Trial,
    /// Whether that enters figures and comparisons of its run.
    pub counts: bool,
    /// What was loaded, as it was typed; the variant where weir served it.
    pub url: &'a str,
    /// The facts.
    pub load: &'a LoadFacts,
    /// Reasons not to trust them.
    pub doubts: &'a [Doubt],
    /// Thresholds that were asked for.
    pub thresholds: &'a [ThresholdResult],
    /// Where it stood under this machine's calibrated ceiling.
    pub standing: Option<Standing>,
    /// The window in pieces of about a second; may be empty.
    pub slices: &'a [Slice],
    /// The user ended it early.
    pub interrupted: bool,
    /// When the window was to end.
    pub planned: Amount,
    /// How its figures came about, where that was asked for.
    pub explained: Option<Explained>,
}

/// What can be said of a load and an earlier one, which did not take turns.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct Against {
    /// The earlier one's run.
    pub run: i64,
    /// When it began.
    pub started: Timestamp,
    /// This load's figures over that one's; never a verdict.
    pub figures: Vec<Apart>,
    /// What else differs between the two: reasons to read the ratios with care.
    pub differences: Vec<String>,
}

/// How the figures of a load came about, and what they were held to.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct Explained {
    /// Every printed figure with its formula.
    pub figures: Vec<Computed>,
    /// Every rule, and how the load stood to it.
    pub held_to: Vec<Held>,
}

/// A piece of the window. Together the pieces hold every response time of the load.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Slice {
    /// Begin, seconds since the window opened.
    pub from: f64,
    /// End, seconds since the window opened.
    pub until: f64,
    /// Answered rightly in it.
    pub completed: u64,
    /// Response times, those of the drain in the last piece.
    pub response: Distribution,
}

impl<'a> JudgedRun<'a> {
    /// The loads of its trials, in the order in which they ran.
    pub fn all_loads(&self) -> Vec<Loaded<'a>> {
        let trials = self.trials.iter();
        trials.filter_map(|trial| self.loaded(trial)).collect()
    }

    /// The load of a trial; nothing where it failed before that.
    pub(crate) fn loaded(&self, trial: &'a Trial) -> Option<Loaded<'a>> {
        let Outcome::Measured(measured) = &trial.outcome else {
            return None;
        };
        let (load, plan) = (&measured.load, &self.run.plan);
        let variant = plan.variant(&trial.variant)?;
        let mut opinions = self.judged.trials.iter();
        let opinion = opinions.find(|opinion| is_of(opinion, trial));
        let standing = self.calibration.and_then(|of| Standing::of(load, of));
        Some(Loaded {
            variant: &variant.name,
            trial,
            counts: opinion.is_some_and(|opinion| opinion.counts),
            url: variant.url.as_ref().unwrap_or(&variant.name),
            load,
            doubts: opinion.map_or(&[], |opinion| &opinion.doubts),
            thresholds: self
                .extras
                .thresholds
                .get(&variant.name)
                .map_or(&[], |of| of),
            slices: self.extras.slices.get(&variant.name).map_or(&[], |of| of),
            interrupted: variant.url.is_some() && self.run.status == RunStatus::Stopped,
            planned: plan.load_of(variant).amount,
            explained: self.extras.explain.then(|| Explained {
                figures: words::computed(load, standing.as_ref()),
                held_to: judge::held_in(self.run, &variant.name, measured),
            }),
            standing,
        })
    }

    /// As Markdown for a page or a pull request: one load of a URL with all its figures, several in a table, and of other
    /// runs the variants in one.
    pub fn markdown(&self) -> String {
        let plan = &self.run.plan;
        if plan.search.is_none() && plan.one_load().is_none() {
            return view::markdown(self);
        }
        let loads = self.all_loads();
        let found = terminal::told(self);
        let found = found.map(|told| view::findings::first_markdown(self, told));
        let found = found.unwrap_or_default();
        if let (None, [load]) = (plan.search, loads.as_slice()) {
            return markdown::markdown(load) + &found;
        }
        let headline = words::headline(self.run, self.judged);
        let tried = self.judged.reached.as_ref().and_then(words::tried);
        let below = tried.into_iter().chain(self.machines());
        let below = below.map(|told| format!("\n{told}\n"));
        terminal::loads_markdown(&headline, &loads) + &below.collect::<String>() + &found
    }

    /// How many machines a demand needs, where that was asked for and goals hold at a rate.
    pub fn machines(&self) -> Option<String> {
        let reached = self.judged.reached.as_ref()?;
        let machines = self.extras.machines.as_ref()?;
        Some(words::machines(machines, &reached.goals))
    }
}

impl Loaded<'_> {
    /// That it was ended early, and after how much of what was planned.
    pub(crate) fn cut(&self) -> Option<String> {
        self.interrupted
            .then(|| words::interrupted(self.load, self.planned))
    }

    /// Whether a doubt forbids to trust it.
    pub fn is_doubted(&self) -> bool {
        self.doubts.iter().any(|doubt| doubt.disqualifies)
    }

    /// `trusted`, or why not: the first line of every form.
    pub(crate) fn verdict(&self) -> String {
        let worst = self.doubts.iter().filter(|doubt| doubt.disqualifies);
        let worst: Vec<_> = worst.map(|doubt| doubt.because.as_str()).collect();
        match (worst.is_empty(), self.doubts.len()) {
            (false, _) => format!("do not trust these figures: {}", worst.join("; ")),
            (true, 0) => "trusted: no doubt".to_owned(),
            (true, 1) => "trusted, with one doubt".to_owned(),
            (true, doubts) => format!("trusted, with {doubts} doubts"),
        }
    }
}
