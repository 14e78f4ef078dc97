use judge::{ClaimVerdict, Holds};
use record::Run;
use serde::Serialize;

use super::style::{DIM, STRONG, of_holds};
use super::table::{Cell, Column, Table};
use crate::words;

/// A claim, and what is known of it.
#[derive(Clone, Debug, Serialize)]
pub struct ClaimRow {
    /// Identifier (`A1`).
    pub id: String,
    /// The statement in words.
    pub text: String,
    /// The figure that the field report gave.
    pub reported: String,
    /// How it stands.
    pub standing: Standing,
}

/// How a claim stands.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// A run decided it, or could not.
    Judged {
        /// The run's number.
        run: i64,
        /// When it began, and on what.
        when: String,
        /// The verdict.
        verdict: Box<ClaimVerdict>,
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
    /// A claim as a run of it was judged.
    pub fn judged(run: &Run, verdict: &ClaimVerdict) -> Self {
        let when = format!("{} UTC, {}", words::moment(run.started), words::host(run));
        Self {
            id: verdict.id.clone(),
            text: verdict.text.clone(),
            reported: verdict.reported.clone(),
            standing: Standing::Judged {
                run: run.id,
                when,
                verdict: Box::new(verdict.clone()),
            },
        }
    }

    fn verdict(&self) -> &'static str {
        match &self.standing {
            Standing::Judged { verdict, .. } => words::holds(verdict.holds),
            Standing::NotRun { .. } => "not run",
            Standing::Failed { .. } => "failed",
            Standing::NotYet { .. } => "not yet",
        }
    }

    /// What was measured, condition by condition, and why that is no verdict.
    fn measured(&self) -> Vec<String> {
        match &self.standing {
            Standing::Judged { verdict, .. } => {
                let conditions = verdict.conditions.iter();
                let told = |of| format!("{}, wanted {}", words::measured(of), words::expected(of));
                let reason = verdict.reason.clone();
                conditions.map(told).chain(reason).collect()
            }
            Standing::NotRun { plan } => {
                vec![format!("`weir claims {}` runs it ({plan})", self.id)]
            }
            Standing::Failed { why, .. } => vec![why.clone()],
            Standing::NotYet { missing } => vec![format!("missing: {missing}")],
        }
    }

    fn style(&self) -> anstyle::Style {
        match &self.standing {
            Standing::Judged { verdict, .. } => of_holds(verdict.holds),
            Standing::Failed { .. } => of_holds(Holds::DoesNotHold),
            Standing::NotRun { .. } | Standing::NotYet { .. } => DIM,
        }
    }
}

/// Claims for a terminal of so many columns.
pub fn claims(rows: &[ClaimRow], width: usize) -> String {
    let mut table = Table::new(vec![
        Column::left(""),
        Column::left(""),
        Column::wrapping(""),
    ]);
    for row in rows {
        table.row(vec![
            Cell::styled(&row.id, STRONG),
            Cell::styled(row.verdict(), row.style()),
            Cell::new(&row.text),
        ]);
        let reported = format!("reported  {}", row.reported);
        let measured = row.measured();
        let measured = measured.iter().map(|line| format!("here      {line}"));
        for line in std::iter::once(reported).chain(measured) {
            table.row(vec![Cell::new(""), Cell::new(""), Cell::new(line)]);
        }
    }
    format!("{}{}\n", table.fit(width).0, summary(rows))
}

/// How many there are of each verdict.
fn summary(rows: &[ClaimRow]) -> String {
    let verdicts = [
        "holds",
        "does not hold",
        "cannot tell",
        "failed",
        "not run",
        "not yet",
    ];
    let counts = verdicts.map(|word| {
        let count = rows.iter().filter(|row| row.verdict() == word).count();
        (count > 0).then(|| format!("{word}: {count}"))
    });
    counts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

/// Claims as a table of a Markdown document.
pub fn claims_markdown(rows: &[ClaimRow]) -> String {
    let cell = |text: &str| text.replace('|', "\\|");
    let mut lines = vec![
        "| claim | | the report | here | verdict |".to_owned(),
        "|---|---|---|---|---|".to_owned(),
    ];
    lines.extend(rows.iter().map(|row| {
        let measured: Vec<_> = row.measured().iter().map(|line| cell(line)).collect();
        format!(
            "| {} | {} | {} | {} | {} |",
            row.id,
            cell(&row.text),
            cell(&row.reported),
            measured.join("<br>"),
            row.verdict()
        )
    }));
    let mut runs: Vec<String> = Vec::new();
    for row in rows {
        if let Standing::Judged { when, .. } = &row.standing
            && !runs.contains(when)
        {
            runs.push(when.clone());
        }
    }
    lines.push(String::new());
    lines.extend(runs.iter().map(|run| format!("* {run}")));
    lines.join("\n") + "\n"
}
