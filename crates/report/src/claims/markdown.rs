use minijinja::value::Serde;
use minijinja::{AutoEscape, context};
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use super::before::SideBySide;
use super::{ClaimRow, ClaimStanding, Claims, FieldReport, cautions, reasons, summary};
use crate::{html, words};

const SIGNED: &str = "<!-- written by weir claims --markdown · sha256 of the text above: ";

/// Digits of a plan's digest that are told: enough to know one file from another.
const DIGITS: usize = 12;

/// The first digits of the digest (SHA-256) of a plan's file, by which a document says of which plans it is.
pub fn digest(text: &str) -> String {
    let mut digest = record::hexadecimal(&Sha256::digest(text));
    digest.truncate(DIGITS);
    digest
}

/// Claims as a document: what it was measured on, a short table, and each claim in detail. Its last
/// line is the digest of all above, by which an edit is seen.
///
/// # Panics
/// If the template, which is part of the program, does not fit its data.
pub fn markdown(claims: &Claims) -> String {
    let text = drawn(claims).expect("the built-in template fits its data");
    let mut text = format!("{}\n\n", text.trim_end());
    let digest = record::hexadecimal(&Sha256::digest(&text));
    text.extend([SIGNED, &digest, " -->\n"]);
    text
}

fn drawn(claims: &Claims) -> html::Drawn {
    let mut environment = html::environment()?;
    environment.set_auto_escape_callback(|_| AutoEscape::None);
    environment.add_filter("escaped", escaped);
    let rows = claims.rows.iter();
    let rows: Vec<_> = rows
        .map(|row| (&row.id, &row.text, row.verdict(), row.reason()))
        .collect();
    let detail = |row| Row::new(row, claims);
    let reports = claims.by_report().into_iter();
    let reports = reports.map(|(of, rows)| (of, rows.into_iter().map(detail).collect()));
    let reports: Vec<(FieldReport, Vec<Row>)> = reports.collect();
    let context = context! {
        conditions => claims.conditions(),
        summary => summary(&claims.rows),
        cautions => Serde(cautions(&claims.rows)),
        reasons => reasons(&claims.rows),
        rows => Serde(rows),
        reports => Serde(reports),
        versions => claims.versions(),
        plans => Serde(claims.plans()),
        before => Serde(SideBySide::of(claims)),
    };
    environment.render_str(include_str!("document.md"), context)
}

/// Text between marks that Markdown would take for its own.
fn escaped(text: &str) -> String {
    let text = text.replace('<', "&lt;").replace('|', "\\|");
    text.replace('\n', " ")
}

#[derive(Serialize)]
struct Row<'a> {
    #[serde(flatten)]
    of: &'a ClaimRow,
    verdict: &'static str,
    /// Each with what was measured, and whether it holds.
    conditions: Vec<(&'a str, String, &'static str)>,
    because: Vec<String>,
    changed: Option<&'a str>,
    reason: Option<&'static str>,
    tested: Vec<String>,
    exchanged: Option<&'a str>,
    /// What decided it: a run, its plan, when it began and its blocks.
    run: Option<(i64, &'a str, String, &'a str)>,
    /// That run's noise floor, or that there is none, and the machine's pace.
    noise: Option<&'a str>,
    no_pair: Option<&'a str>,
    pace: Option<&'a str>,
}

impl<'a> Row<'a> {
    fn new(row: &'a ClaimRow, claims: &'a Claims) -> Self {
        let conditions = match &row.standing {
            ClaimStanding::Judged { verdict, .. } => verdict.conditions.as_slice(),
            _ => &[],
        };
        let told = |of: &'a judge::ConditionVerdict| {
            let measured = words::measured(of);
            (of.text.as_str(), measured, words::condition_verdict(of))
        };
        let evidence = claims.evidence.iter().find(|of| row.run() == Some(of.run));
        let run = evidence.map(|of| {
            let (plan, began) = (of.plan.as_str(), words::moment(of.started));
            (of.run, plan, began, of.blocks.as_str())
        });
        Self {
            verdict: row.verdict(),
            conditions: conditions.iter().map(told).collect(),
            because: row.because(),
            changed: row.changed(),
            reason: row.reason(),
            tested: row.tested(),
            exchanged: row.exchanged(),
            run,
            noise: evidence.and_then(|of| of.noise.as_deref()),
            no_pair: evidence.and_then(|of| of.no_pair.as_deref()),
            pace: evidence.and_then(|of| of.pace.as_deref()),
            of: row,
        }
    }
}
