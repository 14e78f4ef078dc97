//! Whether a program takes more and more memory.

use std::collections::BTreeMap;

use record::{ProcessCost, Series};

use super::FindingKind;
use super::facts::Facts;
use super::rule::{About, Confidence, Cost, Finding, FindingRule};
use crate::words::number;

/// How many times the memory at the first third's middle that of the last third is.
const GROWN: f64 = 1.1;

/// Bytes below which it is nothing: buffers, caches, the first requests.
const LEAST: f64 = 20e6;

pub(super) const RULE: FindingRule = FindingRule {
    kind: FindingKind::MemoryGrows,
    title: "memory grows",
    rule: "the resident memory of a program, of its processes that live then, grows by 10 % and by 20 MB and more from the middle \
           of the window's first third to that of its last, and does so in its second half too",
    source: "VmRSS of /proc/PID/status, five times a second",
    about: About::Beside,
    look,
};

fn look(facts: &Facts) -> Option<Finding> {
    let growth = growth(facts)?;
    let grown = growth.late - growth.early;
    let still = growth.late - growth.middle >= grown / 4.0;
    if grown < LEAST || growth.late < GROWN * growth.early || !still {
        return None;
    }
    // from the middle of the first third to that of the last
    let responses = facts.load.completed as f64 * 2.0 / 3.0;
    let each = grown / responses;
    let because = format!(
        "memory of `{}` grew from {} to {} MB in {} s, by {} kB for each response",
        growth.owner,
        number(growth.early / 1e6),
        number(growth.late / 1e6),
        number(growth.seconds),
        number(each / 1e3)
    );
    let next = format!(
        "load `{}` for longer (`seconds`, `-d`) to see whether it ends: a cache does, a leak does not. Against a leak servers \
         can end workers after some requests (`max-requests` and the like)",
        growth.owner
    );
    let found = RULE.found(Confidence::Counted, because, next);
    Some(found.costs(Cost::Measurement))
}

/// Memory of a program over the window, in bytes.
struct Growth {
    owner: String,
    /// At the middle of the first third, of the window, and of the last third.
    early: f64,
    middle: f64,
    late: f64,
    /// From the first of these to the last.
    seconds: f64,
}

/// Of the program that grew most, its processes together.
fn growth(facts: &Facts) -> Option<Growth> {
    let series = facts.measured.observed.series.iter();
    let series = series.filter(|of| of.name == "rss" && of.of != ProcessCost::OWN);
    let ends = series.clone().filter_map(|of| of.at.last().copied());
    let window = ends.fold(0.0, f64::max);
    let moments = [window / 6.0, window / 2.0, window * 5.0 / 6.0];
    let mut programs: BTreeMap<&str, [f64; 3]> = BTreeMap::new();
    for one in series {
        let sums = programs.entry(&one.of).or_default();
        for (sum, moment) in sums.iter_mut().zip(moments) {
            *sum += at(one, moment);
        }
    }
    let most = programs.into_iter().max_by(|(_, one), (_, other)| {
        let grown = |of: &[f64; 3]| of[2] - of[0];
        grown(one).total_cmp(&grown(other))
    });
    let (owner, [early, middle, late]) = most?;
    Some(Growth {
        owner: owner.to_owned(),
        early,
        middle,
        late,
        seconds: moments[2] - moments[0],
    })
}

/// The last value before a moment; 0 of a process that had not begun, or was not seen after it: one that is started for a
/// request has ended.
fn at(series: &Series, moment: f64) -> f64 {
    let after = series.at.partition_point(|at| *at <= moment);
    let lives = after < series.at.len();
    match after.checked_sub(1) {
        Some(place) if lives => series.values[place],
        _ => 0.0,
    }
}
