//! Which of several variants lead: those that none of the others surely beats.

use record::Metric;

use crate::compare::paired;
use crate::opinion::{Comparison, Lead, Verdict};
use crate::ranking::Beaten;
use crate::seen_run::SeenRun;

/// Variants that do the same work, and which of them lead.
pub(crate) struct Leaders<'a> {
    /// All of them, the best first.
    pub(crate) order: Vec<&'a str>,
    /// The first against each of the others with which it has a block in common, in that order.
    pub(crate) comparisons: Vec<Comparison>,
    /// The first, and each that it is not surely better than and that no other one surely beats. None where each has
    /// another that is surely better in the blocks that both have.
    pub(crate) leading: Vec<&'a str>,
    /// Those that the first is not surely better than, but another one is.
    pub(crate) beaten: Vec<Beaten>,
}

impl<'a> Leaders<'a> {
    /// Of variants with a figure, the best median first. Block by block another one may be surely better than that.
    pub(crate) fn of(seen_run: &SeenRun, metric: Metric, mut order: Vec<&'a str>) -> Self {
        let unbeaten = |name: &&str| better(seen_run, metric, name, &order).is_none();
        if let Some(first) = order.iter().position(unbeaten) {
            order[..=first].rotate_right(1);
        }
        let others = order.iter().skip(1);
        let compared = others.filter_map(|other| paired(seen_run, order[0], other, metric));
        let comparisons: Vec<Comparison> = compared.collect();
        let is_open = |name: &str| {
            let mut comparisons = comparisons.iter();
            let of = comparisons.find(|of| of.over == name);
            of.is_some_and(|of| of.interval.is_some() && of.verdict != Verdict::Better)
        };
        let (mut leaders, mut beaten) = (Vec::new(), Vec::new());
        for (place, name) in order.iter().enumerate() {
            if place > 0 && !is_open(name) {
                continue;
            }
            match better(seen_run, metric, name, &order) {
                None => leaders.push(*name),
                Some(by) => beaten.push(Beaten {
                    rival: (*name).to_owned(),
                    by: by.to_owned(),
                }),
            }
        }
        Self {
            order,
            comparisons,
            leading: leaders,
            beaten,
        }
    }
}

impl Lead {
    /// Whether it hangs on a comparison who leads: no other variant is surely better than one of the two, which could not
    /// be the best then, however it compares with a third.
    pub fn hangs_on(&self, of: &Comparison) -> bool {
        !self.is_beaten(&of.of) && !self.is_beaten(&of.over)
    }

    /// Rivals that nobody is to choose, as they are for development only; none where all are, and there is no other to choose.
    pub fn not_for_use(&self) -> Vec<&str> {
        let rivals = self.rivals.iter().map(String::as_str);
        let is_it = |name: &&str| self.development.iter().any(|of| of == name);
        let (development, others): (Vec<&str>, Vec<&str>) = rivals.partition(is_it);
        if others.is_empty() {
            return Vec::new();
        }
        development
    }

    fn is_beaten(&self, name: &str) -> bool {
        let mut comparisons = self.comparisons.iter();
        let by_first = comparisons.any(|of| of.over == name && of.verdict == Verdict::Better);
        by_first || self.beaten.iter().any(|of| of.rival == name)
    }
}

/// The first of these variants that is surely better than the one of this name.
pub(crate) fn better<'a>(
    seen_run: &SeenRun,
    metric: Metric,
    than: &str,
    all: &[&'a str],
) -> Option<&'a str> {
    let beats = |other: &&str| {
        let compared = paired(seen_run, than, other, metric);
        compared.is_some_and(|of| of.verdict == Verdict::Worse)
    };
    let mut others = all.iter().copied().filter(|other| *other != than);
    others.find(beats)
}
