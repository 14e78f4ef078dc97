//! These claims beside those of an earlier store: what both took, and each verdict that is another one.

use std::collections::BTreeMap;

use jiff::Timestamp;
use judge::ConditionVerdict;
use record::Plan;
use serde::Serialize;

use super::{ClaimRow, ClaimStanding, Claims, Evidence};
use crate::units;

/// Seconds from one start to the next that are a pause, in which nobody measured.
const PAUSE: f64 = 900.0;

/// What is said where both runs are alike, or one of them is missing.
const UNKNOWN: &str = "nothing that is known of both";

/// What an earlier store has of the same claims.
#[derive(Clone, Debug)]
pub struct Before {
    /// The store's file.
    pub store: String,
    /// Its claims, as this weir judges them.
    pub rows: Vec<ClaimRow>,
    /// The runs that decided them.
    pub evidence: Vec<Evidence>,
    /// Whether two plans try the same things in the same way.
    pub same: fn(&Plan, &Plan) -> bool,
}

/// Both, in words.
#[derive(Serialize)]
pub(super) struct SideBySide<'a> {
    store: &'a str,
    /// What is counted, before and here.
    totals: Vec<(&'static str, String, String)>,
    /// Claims with another verdict: the identifier, what became of it before, and here, and what may explain it.
    changed: Vec<(&'a str, String, String, String)>,
}

impl<'a> SideBySide<'a> {
    /// `None` where there is nothing to compare with.
    pub(super) fn of(claims: &'a Claims) -> Option<Self> {
        let before = claims.before.as_ref()?;
        let then = totals(&before.rows, &before.evidence);
        let now = totals(&claims.rows, &claims.evidence);
        let both = then.into_iter().zip(now);
        let changed = claims.rows.iter().filter_map(|row| {
            let known = before.rows.iter().find(|of| of.id == row.id)?;
            let differs = known.kind() != row.kind();
            differs.then(|| {
                let why = why(before, claims, [known, row]);
                (row.id.as_str(), told(known), told(row), why)
            })
        });
        Some(Self {
            store: &before.store,
            totals: both
                .map(|((what, then), (_, now))| (what, then, now))
                .collect(),
            changed: changed.collect(),
        })
    }
}

/// What claims took, and how many of them are decided.
fn totals(rows: &[ClaimRow], evidence: &[Evidence]) -> [(&'static str, String); 4] {
    let starts = evidence.iter().flat_map(|of| &of.starts);
    let mut starts: Vec<Timestamp> = starts.copied().collect();
    starts.sort_unstable();
    let gaps = starts
        .windows(2)
        .map(|two| two[1].duration_since(two[0]).as_secs_f64());
    let seconds: f64 = gaps.filter(|gap| *gap < PAUSE).sum();
    let count = |verdicts: &[&str]| {
        let rows = rows.iter();
        let these = rows.filter(|row| verdicts.contains(&row.kind()));
        these.count().to_string()
    };
    [
        ("trials", units::count(starts.len() as u64)),
        ("time", units::duration(seconds)),
        ("decided", count(&["holds", "does not hold"])),
        ("open", count(&["cannot tell"])),
    ]
}

/// A verdict with what was measured.
fn told(row: &ClaimRow) -> String {
    let verdict = row.verdict().to_owned();
    match row.measured() {
        none if none.is_empty() => verdict,
        measured => format!("{verdict}: {}", measured.join("; ")),
    }
}

/// What is known of two runs, the earlier one first, by which they differ beside their figures.
fn why(before: &Before, claims: &Claims, rows: [&ClaimRow; 2]) -> String {
    let [then, now] = rows;
    let runs = decided_by(&before.evidence, then).zip(decided_by(&claims.evidence, now));
    let Some((then, now)) = runs else {
        return UNKNOWN.to_owned();
    };
    let mut all = of_runs(before.same, then, now);
    let [widths_then, widths_now] = rows.map(widths);
    if !widths_then.keys().eq(widths_now.keys()) {
        all.push("other conditions were decided".to_owned());
    }
    all.extend(widths_now.iter().filter_map(|(text, now)| {
        let (then, now) = (widths_then.get(text).copied()??, (*now)?);
        let (then, now) = (units::about(then), units::about(now));
        let told = || format!("the interval was {then} of its figure wide, and is {now}: {text}");
        (then != now).then(told)
    }));
    if all.is_empty() {
        return UNKNOWN.to_owned();
    }
    all.join("; ")
}

/// The run that decided a claim.
fn decided_by<'a>(evidence: &'a [Evidence], row: &ClaimRow) -> Option<&'a Evidence> {
    evidence.iter().find(|of| row.run() == Some(of.run))
}

fn of_runs(same: fn(&Plan, &Plan) -> bool, then: &Evidence, now: &Evidence) -> Vec<String> {
    let mut all = Vec::new();
    if then.plan != now.plan {
        all.push(format!("another plan: `{}` before", then.plan));
    } else if !same(&then.as_run, &now.as_run) {
        all.push("the plan was another one".to_owned());
    }
    if then.host != now.host {
        all.push(format!("another machine or kernel: {} before", then.host));
    }
    if then.weir != now.weir {
        all.push(format!("another weir: {} before", then.weir));
    }
    all
}

/// How wide the interval of each condition is, as a share of its figure, by the condition's text.
fn widths(row: &ClaimRow) -> BTreeMap<&str, Option<f64>> {
    let conditions: &[ConditionVerdict] = match &row.standing {
        ClaimStanding::Judged { verdict, .. } => &verdict.conditions,
        _ => &[],
    };
    let width = |of: &ConditionVerdict| {
        let ((low, high), value) = (of.interval?, of.value?);
        (value > 0.0).then(|| (high - low) / value)
    };
    let each = conditions.iter();
    each.map(|of| (of.text.as_str(), width(of))).collect()
}
