//! What other programs took of the time of several runs.

use std::collections::BTreeMap;

use record::{Run, Trial, joined};

use crate::words::counted;

/// Share of all trials from which on it is told: fewer leave the others the time that they had.
const TOLD: f64 = 0.01;

/// Programs that are named, those first that took most.
const NAMED: usize = 3;

/// Trials of several runs, and those of them that were taken again as other programs disturbed them.
#[derive(Clone, Debug, Default)]
pub struct TakenTwice {
    trials: u64,
    again: u64,
    /// CPU seconds of each program beside these.
    programs: BTreeMap<String, f64>,
}

impl TakenTwice {
    /// Counts those of a run.
    pub fn add(&mut self, run: &Run, trials: &[Trial]) {
        self.trials += trials.len() as u64;
        let again = trials
            .iter()
            .filter(|trial| crate::is_taken_again(trial, trials));
        let of_others = |trial: &&Trial| {
            let doubt = crate::transient(run, trial);
            doubt.is_some_and(|doubt| doubt.kind.is_of_others())
        };
        for trial in again.filter(of_others) {
            self.again += 1;
            let facts = trial.measured();
            let others = facts.and_then(|facts| facts.observed.others.as_ref());
            let programs = others.map(|others| others.each(|of| format!("`{}`", of.name)));
            for (name, seconds) in programs.into_iter().flatten() {
                *self.programs.entry(name).or_default() += seconds;
            }
        }
    }

    /// How many they are and what disturbed them; nothing of few.
    pub fn words(&self) -> Option<String> {
        if self.again == 0 || (self.again as f64) < TOLD * self.trials as f64 {
            return None;
        }
        let mut programs: Vec<(&str, f64)> = self
            .programs
            .iter()
            .map(|(name, seconds)| (name.as_str(), *seconds))
            .collect();
        programs.sort_by(|a, b| b.1.total_cmp(&a.1));
        let names = programs.iter().take(NAMED).map(|(name, _)| *name);
        let names: Vec<&str> = names.collect();
        let by = if names.is_empty() {
            "other programs".to_owned()
        } else {
            joined(&names, "and")
        };
        Some(format!(
            "{} of {} of all plans had to be repeated beside {by}: that time is missing here",
            self.again,
            counted(self.trials, "trial")
        ))
    }
}
