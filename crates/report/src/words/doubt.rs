use judge::{Doubt, Judged};

use super::counted;

/// One reason for doubt, with every stage that gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DoubtWords {
    /// The reason in a few words.
    pub title: &'static str,
    /// Whether it keeps trials out of figures and verdicts.
    pub disqualifies: bool,
    /// What to do about it.
    pub advice: String,
    /// Stage, the facts, and how many of its trials show it.
    pub seen: Vec<(String, String, u32)>,
}

/// A reason for doubt in a few words.
pub fn doubt(about: &Doubt) -> &'static str {
    about.kind.rule().title(about.disqualifies)
}

/// Every doubt about a run's stages, each once, in the order in which the stages show them.
pub fn doubts(judged: &Judged) -> Vec<DoubtWords> {
    let mut all: Vec<DoubtWords> = Vec::new();
    for stage in &judged.stages {
        for (about, trials) in &stage.doubts {
            let seen = (stage.name.clone(), about.because.clone(), *trials);
            match all.iter_mut().find(|known| known.is(about)) {
                Some(known) => known.seen.push(seen),
                None => all.push(DoubtWords {
                    title: doubt(about),
                    disqualifies: about.disqualifies,
                    advice: about.advice.clone(),
                    seen: vec![seen],
                }),
            }
        }
    }
    all.sort_by_key(|about| !about.disqualifies); // stable: the worst first, else as seen
    all
}

impl DoubtWords {
    /// A doubt about a load that belongs to no stage.
    pub fn of_one_load(about: &Doubt) -> Self {
        Self {
            title: doubt(about),
            disqualifies: about.disqualifies,
            advice: about.advice.clone(),
            seen: vec![(String::new(), about.because.clone(), 1)],
        }
    }

    /// What it does to the result; nothing when it is a caution only.
    pub fn effect(&self) -> Option<&'static str> {
        match self.seen.first() {
            _ if !self.disqualifies => None,
            Some((stage, ..)) if stage.is_empty() => Some("do not trust these figures"),
            _ => Some("left out of figures and verdicts"),
        }
    }

    fn is(&self, about: &Doubt) -> bool {
        self.title == doubt(about)
            && self.disqualifies == about.disqualifies
            && self.advice == about.advice
    }
}

/// Where a doubt was seen: ``in 2 trials of `static`: 93 % busy``; the facts alone without a stage.
pub fn seen_in((stage, because, trials): &(String, String, u32)) -> String {
    if stage.is_empty() {
        return because.clone();
    }
    format!(
        "in {} of `{stage}`: {because}",
        counted(u64::from(*trials), "trial")
    )
}
