use std::cmp::Reverse;

use judge::{Judged, Standing, TrialOpinion};
use record::{Calibration, Distribution, LoadFacts, Measured, Run, Trial};

use crate::load::Extras;
use crate::words;

/// A run with its facts and the opinions on them.
#[derive(Clone, Copy, Debug)]
pub struct JudgedRun<'a> {
    /// The run.
    pub run: &'a Run,
    /// Its trials, in the order in which they ran.
    pub trials: &'a [Trial],
    /// The opinions on them.
    pub judged: &'a Judged,
    /// What the load engine can do on the run's machine, if that was calibrated.
    pub calibration: Option<&'a Calibration>,
    /// What this invocation knows beside.
    pub extras: &'a Extras,
}

/// What the load of a variant's counted trials was like, beyond the figures that are compared. Means
/// over trials, of those that have the fact; `None` where none has.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct VariantLoad {
    /// Requests per second that fell due (open loop).
    pub(crate) offered: Option<f64>,
    /// Throughput over `offered`.
    pub(crate) achieved: Option<f64>,
    /// Median time of a page, of all trials together; seconds.
    pub(crate) page: Option<f64>,
    /// Attempts per request of clients that try again.
    pub(crate) attempts: Option<f64>,
    /// Share of the load engine's calibrated ceiling.
    pub(crate) of_ceiling: Option<f64>,
}

impl<'a> JudgedRun<'a> {
    /// The loads of a variant's trials that count, those of both halves of the A/A pair.
    pub(crate) fn loads(&self, variant: &str) -> impl Iterator<Item = &'a LoadFacts> {
        let own = |of: &&Trial| of.variant == variant && self.counts(of);
        let own: Vec<&Trial> = self.trials.iter().filter(own).collect();
        let measured = own.into_iter().filter_map(Trial::measured);
        measured.map(|measured| &measured.load)
    }

    pub(crate) fn counts(&self, trial: &Trial) -> bool {
        let mut opinions = self.judged.trials.iter();
        opinions.any(|of| of.counts && is_of(of, trial))
    }

    /// The trial whose programs are shown of a variant: the first one that counts, if any does.
    pub(crate) fn shown(&self, variant: &str) -> Option<(&'a Trial, &'a Measured)> {
        let of_variant = self.trials.iter().filter(|trial| trial.variant == variant);
        let measured = of_variant.filter_map(|trial| Some((trial, trial.measured()?)));
        measured.max_by_key(|(trial, _)| (self.counts(trial), Reverse(trial.block)))
    }

    /// What was timed in a variant's counted trials, each time of all of them together.
    pub(crate) fn times(&self, variant: &str) -> Vec<(&'static str, Distribution, &'static str)> {
        let mut merged: Vec<(&'static str, Distribution, &'static str)> = Vec::new();
        for timed in self.loads(variant).flat_map(words::timed) {
            match merged.iter_mut().find(|(name, ..)| *name == timed.name) {
                Some((_, times, _)) => times.merge(timed.times),
                None => merged.push((timed.name, timed.times.clone(), timed.means)),
            }
        }
        merged
    }

    pub(crate) fn variant_load(&self, variant: &str) -> VariantLoad {
        let mean =
            |of: &dyn Fn(&LoadFacts) -> Option<f64>| mean(self.loads(variant).filter_map(of));
        let achieved = |load: &LoadFacts| {
            let offered = load.offered.filter(|offered| *offered > 0.0)?;
            Some(load.throughput() / offered)
        };
        let standing = |load: &LoadFacts| Some(Standing::of(load, self.calibration?)?.share);
        let mut pages = Distribution::default();
        self.loads(variant)
            .for_each(|load| pages.merge(&load.pages));
        VariantLoad {
            offered: mean(&|load| load.offered.filter(|offered| *offered > 0.0)),
            achieved: mean(&achieved),
            page: judge::quantile(&pages, 0.5).map(|figure| figure.value),
            attempts: mean(&words::amplification),
            of_ceiling: mean(&standing),
        }
    }
}

/// Whether an opinion is about this trial.
pub(crate) fn is_of(opinion: &TrialOpinion, trial: &Trial) -> bool {
    let place = (trial.block, trial.again, trial.group, trial.attempt);
    let own = (opinion.block, opinion.again, opinion.group, opinion.attempt);
    opinion.variant == trial.variant && own == place
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0_u32), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}
