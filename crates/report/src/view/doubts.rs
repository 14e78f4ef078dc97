use judge::Judged;
use serde::Serialize;

use crate::words::counted;

/// One reason for doubt, with every stage that gives it.
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
    /// Every doubt about a run's stages, each once, in the order in which the stages show them; those that
    /// disqualify first.
    pub fn all(judged: &Judged) -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        for stage in &judged.stages {
            for (about, trials) in &stage.doubts {
                let trials = counted(u64::from(*trials), "trial");
                let seen = format!("in {trials} of `{}`: {}", stage.name, about.because);
                let doubt = Self::new(about, "left out of figures and verdicts", seen);
                match all.iter_mut().find(|known| known.is(&doubt)) {
                    Some(known) => known.seen.extend(doubt.seen),
                    None => all.push(doubt),
                }
            }
        }
        all.sort_by_key(|about| !about.disqualifies); // stable: the worst first, else as seen
        all
    }

    /// A doubt about a load that belongs to no stage.
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
