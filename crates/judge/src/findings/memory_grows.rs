//! Whether a program takes more and more memory.

use std::collections::BTreeMap;

use record::{ProcessCost, Series};

use super::FindingKind;
use super::facts::Facts;
use super::rule::{About, Confidence, Cost, Finding, FindingRule};
use crate::words::number;

/// How many times the memory at the first third's middle that of the last third is.
const GROWN: f64 = 1.1;

/// Looks at what is shared that are enough for the moments that are compared.
const LOOKS: usize = 7;

/// Bytes below which it is nothing: buffers, caches, the first requests.
const LEAST: f64 = 20e6;

pub(super) const RULE: FindingRule = FindingRule {
    kind: FindingKind::MemoryGrows,
    title: "memory grows",
    rule: "the resident memory of a program, of its processes that live then, grows by 10 % and by 20 MB and more from the middle \
           of the window's first third to that of its last, and does so in its second half too; what they share counts once, \
           where all of them were looked at for that, and one 7 times and more",
    source: "VmRSS of /proc/PID/status ten times a second, Pss of /proc/PID/smaps_rollup once a second",
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
    let mut programs: BTreeMap<&str, Memory> = BTreeMap::new();
    let series = facts.measured.observed.series.iter();
    for one in series.filter(|of| of.of != ProcessCost::OWN) {
        match one.name.as_str() {
            "rss" => programs.entry(&one.of).or_default().resident.push(one),
            "pss" => programs.entry(&one.of).or_default().proportional.push(one),
            _ => {}
        }
    }
    let all = programs.values().flat_map(|of| &of.resident);
    let ends = all.filter_map(|of| of.at.last().copied());
    let window = ends.fold(0.0, f64::max);
    let moments = [window / 6.0, window / 2.0, window * 5.0 / 6.0];
    let sums = programs.into_iter().map(|(program, of)| {
        let told = of.told();
        let sum = |moment| told.iter().map(|one| at(one, moment)).sum::<f64>();
        (program, moments.map(sum))
    });
    let most = sums.max_by(|(_, one), (_, other)| {
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

/// Memory of the processes of a program.
#[derive(Default)]
struct Memory<'a> {
    resident: Vec<&'a Series>,
    /// Each page divided among those that share it.
    proportional: Vec<&'a Series>,
}

impl<'a> Memory<'a> {
    /// What tells how much it is: proportional memory, unless that was asked of some processes only, or too rarely.
    fn told(self) -> Vec<&'a Series> {
        let often = self.proportional.iter().any(|of| of.at.len() >= LOOKS);
        if often && self.proportional.len() == self.resident.len() {
            self.proportional
        } else {
            self.resident
        }
    }
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
