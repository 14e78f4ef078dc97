//! Reasons not to trust figures, those that disqualify first.

use judge::{DoubtKind, VariantOpinion};
use minijinja::Environment;
use record::Metric;
use serde::Serialize;

use crate::JudgedRun;
use crate::html::{Drawn, drawn};
use crate::judged_run::is_of;
use crate::terminal::paragraph::{DEEPER, FLUSH, INSIDE, Page};
use crate::terminal::style::{BAD, PLAIN, STRONG, UNSURE};
use crate::words::{counted, list};

/// One reason for doubt, with every variant that gives it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Doubt {
    /// The reason in a few words.
    pub title: &'static str,
    /// Whether it keeps trials out of figures and verdicts.
    pub disqualifies: bool,
    /// What it does to the result; nothing when it is a caution only.
    pub effect: Option<&'static str>,
    /// The facts: ``in 2 trials of `static`: 93 % busy``.
    pub seen: Vec<String>,
    /// What to do about it.
    pub advice: String,
}

impl Doubt {
    /// Every doubt about a run's variants, each once, in the order in which the variants show them; those that
    /// disqualify first.
    fn all(of: &JudgedRun) -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        for variant in &of.judged.variants {
            for (about, trials) in &variant.doubts {
                let trials = counted(u64::from(*trials), "trial");
                let seen = format!("in {trials} of `{}`: {}", variant.name, about.because);
                let mut doubt = Self::new(about, "left out of figures and verdicts", seen);
                doubt.seen.extend(logged(of, &variant.name, about.kind));
                doubt.seen.extend(together(of, variant, about.kind));
                match all.iter_mut().find(|known| known.is(&doubt)) {
                    Some(known) => known.seen.extend(doubt.seen),
                    None => all.push(doubt),
                }
            }
        }
        all.sort_by_key(|about| !about.disqualifies); // stable: the worst first, else as seen
        all
    }

    /// A doubt about a load that belongs to no variant.
    pub fn of_one_load(about: &judge::Doubt) -> Self {
        Self::new(about, "do not trust these figures", about.because.clone())
    }

    fn new(about: &judge::Doubt, effect: &'static str, seen: String) -> Self {
        Self {
            title: about.kind.rule().title(about.disqualifies),
            disqualifies: about.disqualifies,
            effect: about.disqualifies.then_some(effect),
            seen: vec![seen],
            advice: about.advice.clone(),
        }
    }

    fn is(&self, other: &Self) -> bool {
        let what = |of: &Self| (of.title, of.disqualifies, of.advice.clone());
        what(self) == what(other)
    }
}

/// Which quantiles the tables have all the same, as all trials of a variant together have enough responses for them.
fn together(of: &JudgedRun, variant: &VariantOpinion, kind: DoubtKind) -> Option<String> {
    let lacks = |metric: &Metric| {
        let trials = of.judged.trials.iter();
        let mut own = trials.filter(|of| of.counts && of.variant == variant.name);
        own.any(|of| !of.figures.contains_key(metric))
    };
    let given = Metric::columns().filter(|of| of.quantile().is_some());
    let given = given.filter(|of| variant.figures.contains_key(of) && lacks(of));
    let names: Vec<String> = given.map(|of| of.name().to_owned()).collect();
    let told = || format!("the tables have {} of all trials together", list(&names));
    (kind == DoubtKind::TooFewSamples && !names.is_empty()).then(told)
}

/// What a server of a variant logged in a trial with a doubt that is about its failures: the app server's own words
/// before a front end's.
fn logged(of: &JudgedRun, variant: &str, kind: DoubtKind) -> Option<String> {
    let mut doubted = of.judged.trials.iter().filter(|opinion| {
        let about = opinion.doubts.iter().any(|doubt| doubt.kind == kind);
        about && kind.rule().errors_decide && opinion.variant == variant
    });
    doubted.find_map(|opinion| {
        let trial = of.trials.iter().find(|trial| is_of(opinion, trial))?;
        let mut servers = trial.measured()?.stack.servers.iter().rev();
        servers.find_map(|server| {
            let line = server.complaint.as_ref()?;
            Some(format!("`{}` logged `{line}`", server.entry))
        })
    })
}

pub(super) fn page(environment: &Environment, of: &JudgedRun) -> Drawn {
    let doubts = Doubt::all(of);
    drawn(environment, include_str!("../html/doubts.html"), doubts)
}

pub(super) fn draw(page: &mut Page, of: &JudgedRun) {
    doubts(page, &Doubt::all(of));
}

/// Doubts under their heading, each once, with advice; nothing when there are none.
pub(crate) fn doubts(page: &mut Page, all: &[Doubt]) {
    if all.is_empty() {
        return;
    }
    page.space();
    page.say(STRONG, FLUSH, "Doubts");
    for doubt in all {
        let (style, mark) = if doubt.disqualifies {
            (BAD, "✗")
        } else {
            (UNSURE, "!")
        };
        let effect = doubt
            .effect
            .map_or_else(String::new, |effect| format!(": {effect}"));
        page.say(style, INSIDE, &format!("{mark} {}{effect}", doubt.title));
        for seen in &doubt.seen {
            page.say(PLAIN, DEEPER, seen);
        }
        page.say(PLAIN, DEEPER, &format!("→ {}", doubt.advice));
    }
}
