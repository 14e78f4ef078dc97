//! These claims beside those of an earlier store: what both took, and each verdict that is another one.

use jiff::Timestamp;
use serde::Serialize;

use super::{ClaimRow, Claims, Evidence};
use crate::units;

/// Seconds from one start to the next that are a pause, in which nobody measured.
const PAUSE: f64 = 900.0;

/// What an earlier store has of the same plans.
#[derive(Clone, Debug)]
pub struct Before {
    /// The store's file.
    pub store: String,
    /// Its claims, as this weir judges them.
    pub rows: Vec<ClaimRow>,
    /// The runs that decided them.
    pub evidence: Vec<Evidence>,
}

/// Both, in words.
#[derive(Serialize)]
pub(super) struct SideBySide<'a> {
    store: &'a str,
    /// What is counted, before and here.
    totals: Vec<(&'static str, String, String)>,
    /// Claims with another verdict: the identifier, what became of it before, and here.
    changed: Vec<(&'a str, String, String)>,
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
            let differs = known.verdict() != row.verdict();
            differs.then(|| (row.id.as_str(), told(known), told(row)))
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
        let these = rows.filter(|row| verdicts.contains(&row.verdict()));
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
