use record::metric::Of;
use serde::Serialize;

use super::{DoubtKind, Evidence};

/// What every load is held to, and the doubt about one that does not keep it.
pub struct Rule {
    /// Which doubt it raises.
    pub kind: DoubtKind,
    /// The doubt in a few words.
    pub title: &'static str,
    /// The same where it disqualifies, if that reads otherwise.
    pub(super) grave_title: Option<&'static str>,
    /// What is required, with its limits and where they come from.
    pub rule: &'static str,
    /// From where on the figures are not to be trusted: `never`, `always`, or a limit.
    pub disqualifies: &'static str,
    /// Whether a trial that it disqualifies may be better when it is repeated.
    pub lasts: Lasts,
    /// The figures that a disqualified trial enters nevertheless, because they are about what was wrong.
    pub(crate) spares: Option<Of>,
    /// Whether a threshold on errors is decided nevertheless: the server's failures are what it is about.
    pub errors_decide: bool,
    /// Whether it is about how the server answers, and so is worth a word beside many loads too, where what one window was too
    /// short for is not.
    pub of_server: bool,
    pub(super) look: fn(&Evidence) -> Held,
}

/// What a rule says of the next window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lasts {
    /// Nothing.
    Unknown,
    /// It is about what the machine or the generator did in one window, and need not do in the next: detected from facts that
    /// are independent of the stack's figures.
    Passes,
    /// A trial that it disqualifies would be disqualified as often as it was repeated: a wrong response, or none, is the
    /// stack's finding, a generator that is too slow stays so, connections that are too few are the plan's, and a broken
    /// account is a bug.
    Recurs,
}

/// A reason not to trust a trial.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Doubt {
    /// Which reason.
    pub kind: DoubtKind,
    /// Whether it keeps the trial out of figures and verdicts.
    pub disqualifies: bool,
    /// The facts that raised it, one line with numbers.
    pub because: String,
    /// What to do about it, one line.
    pub advice: String,
}

/// A rule, and how one load stood to it.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Held {
    /// The doubt that the rule would raise.
    pub kind: DoubtKind,
    /// The rule in words, with its limits and where they come from.
    pub rule: String,
    /// The load's own figures, or why the rule does not apply to it.
    pub seen: String,
    /// What came of it.
    pub outcome: Outcome,
    /// The doubt, if there is one.
    #[serde(skip)]
    pub doubt: Option<Doubt>,
}

/// How a load stood to a rule, the gravest last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, JsonSchema, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// The rule says nothing about such a load.
    DoesNotApply,
    /// It holds.
    Passed,
    /// It does not hold, which is told.
    Doubted,
    /// It does not hold, and the figures are not to be trusted.
    Disqualified,
}

impl Rule {
    /// A rule without its words, which says nothing of the next window.
    pub(super) const fn of(kind: DoubtKind, look: fn(&Evidence) -> Held) -> Self {
        Self {
            kind,
            title: "",
            grave_title: None,
            rule: "",
            disqualifies: "",
            lasts: Lasts::Unknown,
            spares: None,
            errors_decide: false,
            of_server: false,
            look,
        }
    }

    /// The doubt in a few words: of one that disqualifies, or of one that is only shown.
    pub fn title(&self, disqualifies: bool) -> &'static str {
        let grave = self.grave_title.filter(|_| disqualifies);
        grave.unwrap_or(self.title)
    }

    pub(super) fn passed(&self, seen: String) -> Held {
        self.held(seen, Outcome::Passed, None)
    }

    pub(super) fn silent(&self, why: &str) -> Held {
        self.held(why.to_owned(), Outcome::DoesNotApply, None)
    }

    /// A doubt that keeps the trial out of figures and verdicts if it `disqualifies`.
    pub(super) fn doubted(&self, disqualifies: bool, because: String, advice: &str) -> Held {
        let doubt = Doubt {
            kind: self.kind,
            disqualifies,
            because: because.clone(),
            advice: advice.to_owned(),
        };
        self.held(because, broken(disqualifies), Some(doubt))
    }

    /// It does not hold, for what another rule raises its doubt for: that is told once.
    pub(super) fn told_elsewhere(&self, disqualifies: bool, because: String) -> Held {
        self.held(because, broken(disqualifies), None)
    }

    fn held(&self, seen: String, outcome: Outcome, doubt: Option<Doubt>) -> Held {
        Held {
            kind: self.kind,
            rule: self.words(),
            seen,
            outcome,
            doubt,
        }
    }

    fn words(&self) -> String {
        match self.disqualifies {
            "never" => self.rule.to_owned(),
            limit => format!("{}; disqualifies: {limit}", self.rule),
        }
    }
}

fn broken(disqualifies: bool) -> Outcome {
    if disqualifies {
        Outcome::Disqualified
    } else {
        Outcome::Doubted
    }
}
