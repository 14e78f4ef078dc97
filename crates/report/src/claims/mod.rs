//! What became of claims: rows, what they rest on, and a document of both.

mod before;
mod evidence;
mod head;
mod markdown;
mod reason;

use judge::{ClaimVerdict, ConditionVerdict, Exchange, Holds};
use record::{Claim, Plan, Run};
use serde::Serialize;

pub use before::Before;
pub use evidence::Evidence;
pub(crate) use head::{cautions, counts, summary};
pub use markdown::{digest, markdown};
pub(crate) use reason::reasons;

use crate::words;

/// Claims, what decided them, and where they are from.
#[derive(Clone, Debug, Default)]
pub struct Claims {
    /// In the order in which they are shown.
    pub rows: Vec<ClaimRow>,
    /// The runs that decided them.
    pub evidence: Vec<Evidence>,
    /// The reports that they are from, by the first letters of their claims.
    pub reports: Vec<FieldReport>,
    /// What they are compared with, if anything.
    pub before: Option<Before>,
}

/// A report that claims are from.
#[derive(Clone, Debug, Default, JsonSchema, Serialize)]
pub struct FieldReport {
    /// What the claims' identifiers begin with.
    pub id: String,
    /// What it is called; may be empty.
    pub title: String,
    /// What was measured in it, and on what; may be empty.
    pub about: String,
    /// Programs of it that cannot be had, each with the reason and what stands for it.
    pub absent: Vec<(String, String)>,
}

/// A claim, and what is known of it.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct ClaimRow {
    /// Identifier (`A1`).
    pub id: String,
    /// The statement in words.
    pub text: String,
    /// The figure that the field report gave.
    pub reported: String,
    /// What has changed since, to be read only where the claim does not hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
    /// Where its measurement departs from the report's: what stands in for what, what was scaled.
    pub differs: Vec<String>,
    /// Whether its plan is a long one, which `weir claims` runs with `--long` alone.
    #[serde(skip)]
    pub long: bool,
    /// How it stands.
    pub standing: ClaimStanding,
}

/// How a claim stands.
#[derive(Clone, Debug, JsonSchema, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClaimStanding {
    /// A run decided it, or could not.
    Judged {
        /// The run's number.
        run: i64,
        /// When it began, and on what.
        when: String,
        /// How much of the plan that run left out, if it did.
        #[serde(skip_serializing_if = "Option::is_none")]
        short: Option<String>,
        /// The verdict.
        verdict: Box<ClaimVerdict>,
        /// What becomes of it when the trials of two variants are exchanged: whether it can fail.
        #[serde(skip_serializing_if = "Option::is_none")]
        exchanged: Option<String>,
        /// Whether such exchanges were tried, and none changes it.
        #[serde(skip)]
        never_turned: bool,
        /// What other programs cost all plans, where it is open for want of time.
        #[serde(skip_serializing_if = "Option::is_none")]
        lost: Option<String>,
    },
    /// A plan decides it that has not run.
    NotRun {
        /// The plan's name.
        plan: String,
    },
    /// Its plan could not be run to its end.
    Failed {
        /// The plan's name.
        plan: String,
        /// Why.
        why: String,
    },
    /// No plan decides it.
    NotYet {
        /// What is missing.
        missing: String,
    },
}

impl ClaimRow {
    /// A claim of a plan, as a run of it was judged.
    pub fn judged(run: &Run, verdict: &ClaimVerdict, claim: &Claim, plan: &Plan) -> Self {
        let when = format!("{} UTC, {}", words::moment(run.started), words::host(run));
        Self {
            id: verdict.id.clone(),
            text: verdict.text.clone(),
            reported: verdict.reported.clone(),
            since: claim.since.clone(),
            differs: words::differs(plan, claim),
            long: false,
            standing: ClaimStanding::Judged {
                run: run.id,
                when,
                short: words::short(run, plan.blocks),
                verdict: Box::new(verdict.clone()),
                exchanged: None,
                never_turned: false,
                lost: None,
            },
        }
    }

    /// The same with what an exchange of two variants' trials makes of its verdict.
    #[must_use]
    pub fn with_exchange(mut self, found: &Exchange) -> Self {
        if let ClaimStanding::Judged {
            exchanged,
            never_turned,
            ..
        } = &mut self.standing
        {
            *exchanged = Some(words::exchanged(found));
            *never_turned = found.of.is_none();
        }
        self
    }

    /// The same with what other programs cost all plans, where it is open as the time of its run was over.
    #[must_use]
    pub fn with_lost(mut self, run: &Run, by_all: Option<&str>) -> Self {
        if let ClaimStanding::Judged { verdict, lost, .. } = &mut self.standing {
            let is_cut_short = verdict.holds == Holds::CannotTell && run.cut.is_some();
            *lost = by_all.filter(|_| is_cut_short).map(str::to_owned);
        }
        self
    }

    /// What becomes of it when trials are exchanged.
    pub(crate) fn exchanged(&self) -> Option<&str> {
        match &self.standing {
            ClaimStanding::Judged { exchanged, .. } => exchanged.as_deref(),
            _ => None,
        }
    }

    /// The verdict, marked where it is as measured, or what stands in its place.
    pub fn verdict(&self) -> &'static str {
        match &self.standing {
            ClaimStanding::Judged { verdict, .. } => words::claim_verdict(verdict),
            _ => self.kind(),
        }
    }

    /// The same without a mark, as it is counted.
    pub(crate) fn kind(&self) -> &'static str {
        match &self.standing {
            ClaimStanding::Judged { verdict, .. } => words::holds(verdict.holds),
            ClaimStanding::NotRun { .. } => "not run",
            ClaimStanding::Failed { .. } => "failed",
            ClaimStanding::NotYet { .. } => "not yet",
        }
    }

    /// What was measured, condition by condition.
    pub(crate) fn measured(&self) -> Vec<String> {
        match &self.standing {
            ClaimStanding::Judged { verdict, .. } => {
                let told = |of| format!("{}, wanted {}", words::measured(of), words::expected(of));
                verdict.conditions.iter().map(told).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Why there is no verdict, or what must be known to believe it.
    pub(crate) fn because(&self) -> Vec<String> {
        match &self.standing {
            ClaimStanding::Judged {
                verdict,
                short,
                lost,
                ..
            } => {
                let command = self.command();
                let short = short
                    .as_ref()
                    .map(|short| format!("{short}; `{command}` runs all of its plan"));
                let notes = verdict.notes().map(str::to_owned);
                let reason = verdict.reason.iter().cloned();
                let lost = lost.iter().cloned();
                reason.chain(notes).chain(short).chain(lost).collect()
            }
            ClaimStanding::NotRun { plan } => {
                vec![format!("`{}` runs it ({plan})", self.command())]
            }
            ClaimStanding::Failed { why, .. } => vec![why.clone()],
            ClaimStanding::NotYet { missing } => vec![format!("missing: {missing}")],
        }
    }

    /// What runs its plan.
    fn command(&self) -> String {
        let long = if self.long { "--long " } else { "" };
        format!("weir claims {long}{}", self.id)
    }

    /// What has changed since the report was written, if the claim no longer holds.
    pub(crate) fn changed(&self) -> Option<&str> {
        match &self.standing {
            ClaimStanding::Judged { verdict, .. } if verdict.holds == Holds::DoesNotHold => {
                self.since.as_deref()
            }
            _ => None,
        }
    }

    /// What was measured to test [`Self::changed`].
    pub(crate) fn tested(&self) -> Vec<String> {
        match &self.standing {
            ClaimStanding::Judged { verdict, .. } if self.changed().is_some() => {
                let told = |of: &ConditionVerdict| {
                    let (measured, holds) = (words::measured(of), words::condition_verdict(of));
                    format!("{measured}; {}: {holds}", of.text)
                };
                verdict.since.iter().map(told).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The run that decided it.
    pub(crate) fn run(&self) -> Option<i64> {
        match self.standing {
            ClaimStanding::Judged { run, .. } => Some(run),
            _ => None,
        }
    }
}

impl Claims {
    /// The claims report by report; those of a report that nobody named have one of their letters.
    pub(crate) fn by_report(&self) -> Vec<(FieldReport, Vec<&ClaimRow>)> {
        let mut parts: Vec<(FieldReport, Vec<&ClaimRow>)> = Vec::new();
        for row in &self.rows {
            let letters = row.id.trim_end_matches(|c: char| c.is_ascii_digit());
            if let Some((_, rows)) = parts.iter_mut().find(|(source, _)| source.id == letters) {
                rows.push(row);
                continue;
            }
            let named = self.reports.iter().find(|source| source.id == letters);
            let unnamed = || FieldReport {
                id: letters.to_owned(),
                ..FieldReport::default()
            };
            parts.push((named.cloned().unwrap_or_else(unnamed), vec![row]));
        }
        parts
    }
}
