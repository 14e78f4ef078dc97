//! How long a comparison will take, and what is said where that is more than its budget.

use std::time::Duration;

use experiment::{AppTimes, Slots};
use record::{Plan, Stress};
use report::units;
use report::words::{counted, too_few_blocks};

use super::choosing::required;
use crate::args::BudgetArgs;

/// Share of a run from which on its stress is worth a word.
const MUCH: f64 = 0.2;

/// How far a run may go beyond its budget, so that a slow trial at its end does not take the verdicts away.
pub(super) const BEYOND: f64 = 1.1;

/// How long a run takes, as is thought: one variant was looked at, and others may hold connections back or answer more slowly.
#[derive(Clone, Copy, Debug)]
pub(super) struct Time {
    /// Seconds that it may take, and that it is given; none where the user chose what is tried.
    limit: Option<f64>,
    /// Seconds of all of it.
    all: f64,
    /// Seconds without the stress that nobody asked for by an option.
    calm: f64,
    /// Seconds until its first block has ended.
    first: f64,
    /// Seconds that the first of its stress takes.
    trouble: f64,
    /// Seconds of a budget in which there is time for its stress.
    enough: f64,
    /// Blocks that fit.
    blocks: u32,
}

impl Time {
    /// Of a plan. Where variants were left out, a larger budget has them first, and time for stress from `choice` seconds on.
    pub(super) fn of(
        plan: &Plan,
        spent: Duration,
        budget: &BudgetArgs,
        (pace, choice): (&AppTimes, Option<f64>),
        slots: Slots,
    ) -> Self {
        let spent = spent.as_secs_f64();
        let mut calm = plan.clone();
        let asked = |of: &Stress| of.is_fault() || *of == Stress::Profiled;
        calm.stress.retain(asked);
        let first = one_block(plan);
        let limit = budget.limit();
        let blocks = |limit: f64| pace.blocks_within(plan, slots, limit * BEYOND - spent);
        let all = spent + pace.of_run(plan, slots);
        Self {
            limit,
            all,
            calm: spent + pace.of_run(&calm, slots),
            first: spent + pace.of_run(&first, slots),
            trouble: AppTimes::of_first_stress(plan),
            enough: all.max(spent + choice.unwrap_or_default()),
            blocks: limit.map_or(plan.blocks, blocks),
        }
    }

    /// Whether so many seconds are no more than the run is given.
    fn fits(&self, seconds: f64) -> bool {
        self.limit.is_none_or(|limit| seconds <= limit * BEYOND)
    }

    /// Whether all that counts fits, and not all of the stress that comes last.
    fn lacks_stress(&self) -> bool {
        !self.fits(self.all) && self.fits(self.calm)
    }

    /// Whether the first block, which is always run whole, takes longer than the run is given.
    fn runs_over(&self) -> bool {
        self.limit.is_some_and(|limit| self.first > limit * BEYOND)
    }

    pub(super) fn has_too_few(&self, plan: &Plan) -> bool {
        self.blocks < plan.blocks && too_few_blocks(self.blocks).is_some()
    }

    /// `about 2 min at most, 50 s of it under stress (…)`.
    pub(super) fn about(&self, plan: &Plan) -> String {
        let at_most = plan.looks().map_or("", |_| " at most");
        let about = |seconds| format!("about {}{at_most}", units::round_duration(seconds));
        let stress = self.all - self.calm;
        if stress > 0.0 && !self.fits(self.all) {
            return about(self.calm) + &self.without_stress();
        }
        if stress < MUCH * self.all {
            return about(self.all);
        }
        format!(
            "{}, {} of it under stress (`--no-stress` leaves that out)",
            about(self.all),
            units::round_duration(stress)
        )
    }

    /// What is said of stress for all of which there is no time.
    fn without_stress(&self) -> String {
        if self.fits(self.calm + self.trouble) {
            return ", and stress as far as there is time".to_owned();
        }
        let enough = if self.lacks_stress() {
            let needed = rounded_up(self.enough);
            format!(": `--budget {needed:.0}s` is enough for it")
        } else {
            String::new()
        };
        format!(", and no time for stress{enough}")
    }

    /// What is said where the run needs more than it is given.
    pub(super) fn beyond(&self, plan: &Plan, looked_at: &str) -> Option<String> {
        let limit = self.limit.filter(|limit| self.all > limit * BEYOND);
        let limit = limit.filter(|_| !self.lacks_stress())?;
        let needed = rounded_up(self.all);
        let few = too_few_blocks(self.blocks).map_or_else(String::new, |few| format!(": {few}"));
        let enough = match plan.blocks {
            1 if self.runs_over() => ", and is run whole".to_owned(),
            all if self.blocks >= all && !self.runs_over() => {
                ", and leaves no time for all that was asked for beside it".to_owned()
            }
            all if self.runs_over() => format!(
                ", and so is the first of {}: it takes about {}, and is run whole{few}",
                counted(all.into(), "block"),
                units::round_duration(self.first)
            ),
            all => format!(
                ", which is enough for {} of {}{few}",
                self.blocks,
                counted(all.into(), "block")
            ),
        };
        Some(format!(
            "  that is more than the budget of {}{enough}; `--budget {needed:.0}s` is enough for all of it if every \
             server answers as `{looked_at}` did",
            units::round_duration(limit)
        ))
    }

    /// What tries less than these variants, the best first, where not even the first block fits.
    pub(super) fn less(&self, plan: &Plan, by_worth: &[&String]) -> Option<String> {
        let is_free = by_worth.len() > 2 && required(plan).is_empty();
        let mut others = by_worth.iter().filter(|name| ***name != plan.baseline);
        let best = others.next().filter(|_| is_free && self.runs_over())?;
        let baseline = &plan.baseline;
        Some(format!(
            "  `--variants {baseline},{best}` takes less: it tries those two alone"
        ))
    }
}

/// Seconds of a budget that is enough for so many, with some to spare.
fn rounded_up(seconds: f64) -> f64 {
    (seconds * BEYOND / 10.0).ceil() * 10.0
}

/// The first block of a plan, and no stress.
fn one_block(plan: &Plan) -> Plan {
    Plan {
        blocks: 1,
        stress: Vec::new(),
        ..plan.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(blocks: u32) -> Plan {
        Plan {
            blocks,
            ..Plan::default()
        }
    }

    fn time(limit: Option<f64>, all: f64, calm: f64, blocks: u32) -> Time {
        Time {
            limit,
            all,
            calm,
            first: 0.0,
            trouble: 5.0,
            enough: all + 20.0,
            blocks,
        }
    }

    #[test]
    fn stress_that_takes_much_of_the_time_is_said_with_what_leaves_it_out() {
        let about = |limit, all, calm| time(limit, all, calm, 4).about(&plan(4));
        assert_eq!(
            about(None, 50.0, 30.0),
            "about 50 s, 20 s of it under stress (`--no-stress` leaves that out)"
        );
        assert_eq!(about(None, 50.0, 45.0), "about 50 s");
        assert_eq!(
            about(Some(40.0), 50.0, 30.0),
            "about 30 s, and stress as far as there is time"
        );
    }

    #[test]
    fn stress_of_which_nothing_fits_is_not_promised() {
        let about = |calm| time(Some(30.0), 50.0, calm, 4).about(&plan(4));
        let words = "about 28 s, and stress as far as there is time";
        assert_eq!(about(28.0), words, "33 s are what it is given");
        let words = "about 29 s, and no time for stress: `--budget 80s` is enough for it";
        assert_eq!(about(29.0), words);
        assert_eq!(about(40.0), "about 40 s, and no time for stress");
        assert_eq!(about(50.0), "about 50 s", "none is wanted");
    }

    /// A tenth beyond the budget is for a slow trial, and taken.
    #[test]
    fn what_a_budget_is_enough_for_is_said_with_what_is_enough_for_all() {
        let beyond = |all: f64, blocks, of: u32| {
            let time = Time {
                first: all / f64::from(of),
                ..time(Some(40.0), all, all, blocks)
            };
            (time.beyond(&plan(of), "a"), time.has_too_few(&plan(of)))
        };
        assert_eq!(beyond(43.0, 4, 4), (None, false));
        let words = "  that is more than the budget of 40 s, which is enough for 2 of 4 blocks: no interval, no verdict; \
                     `--budget 60s` is enough for all of it if every server answers as `a` did";
        assert_eq!(beyond(50.0, 2, 4), (Some(words.to_owned()), true));
        let (many, too_few) = beyond(50.0, 5, 6);
        assert!(many.unwrap().contains(" for 5 of 6 blocks; ") && !too_few);
        let (once, too_few) = beyond(50.0, 1, 1);
        let whole = " of 40 s, and is run whole; ";
        assert!(once.unwrap().contains(whole) && !too_few);
        let words = "  that is more than the budget of 40 s, and leaves no time for all that was asked for beside it; \
                     `--budget 60s` is enough for all of it if every server answers as `a` did";
        assert_eq!(beyond(50.0, 4, 4), (Some(words.to_owned()), false));
        let words = "  that is more than the budget of 40 s, and so is the first of 4 blocks: it takes about 75 s, and is run \
                     whole: no interval, no verdict; `--budget 330s` is enough for all of it if every server answers as `a` did";
        assert_eq!(beyond(300.0, 1, 4), (Some(words.to_owned()), true));
    }

    #[test]
    fn what_takes_less_is_said_where_not_even_the_first_block_fits() {
        let plan = Plan {
            baseline: "a".to_owned(),
            ..plan(4)
        };
        let names = ["a", "b", "c"].map(str::to_owned);
        let less = |first, number| {
            let time = Time {
                first,
                ..time(Some(40.0), 300.0, 300.0, 1)
            };
            let names: Vec<&String> = names.iter().take(number).collect();
            time.less(&plan, &names)
        };
        let words = "  `--variants a,b` takes less: it tries those two alone";
        assert_eq!(less(75.0, 3).as_deref(), Some(words));
        assert_eq!(less(75.0, 2), None, "there are no fewer");
        assert_eq!(less(43.0, 3), None, "the first block fits");
    }
}
