//! What the looks at a run have left out of its later blocks. It follows from stored trials, so a run that is resumed
//! goes on as it was begun.

use std::collections::{BTreeMap, BTreeSet};

use judge::Look;
use record::{Plan, Run, Trial};

use crate::run::order::Slot;
use crate::run::progress::RunProgress;

/// The looks that were taken, each by the number of whole blocks before it.
#[derive(Debug, Default)]
pub(crate) struct Looks {
    taken: BTreeMap<u32, Look>,
}

/// What a look changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Looked {
    /// Whole blocks.
    pub blocks: u32,
    /// Variants that later blocks leave out from here on.
    pub without: BTreeSet<String>,
    /// Whether there are no later blocks, but for those of stress.
    pub settled: bool,
}

impl Looks {
    /// Whether a block needs a trial that its plan has there.
    pub(crate) fn need(&self, plan: &Plan, block: u32, slot: &Slot) -> bool {
        let needs =
            |look: &Look| look.needed.contains(&slot.variant) && (look.noise_floor || !slot.again);
        let mut before = self.taken.range(..=block).map(|(_, look)| look);
        plan.stress_in(block).is_some() || before.all(needs)
    }

    fn still_needed(&self, plan: &Plan, block: u32) -> BTreeSet<String> {
        let names = plan.variants.iter().map(|variant| variant.name.clone());
        let slot = |variant: &String| Slot {
            variant: variant.clone(),
            again: false,
        };
        names
            .filter(|of| self.need(plan, block, &slot(of)))
            .collect()
    }
}

impl RunProgress {
    /// The number of whole blocks after which the next look is due, if it is due now.
    pub(crate) fn look_is_due(&self, plan: &Plan) -> Option<u32> {
        let last = self.looks.taken.keys().next_back();
        let next = last.map_or(plan.looks()?, |last| last + 1);
        let mut left = self.left(plan).into_iter().map(|block| block.number);
        let whole = left.next().unwrap_or_else(|| plan.all_blocks());
        let over = last.is_some_and(|last| self.looks.still_needed(plan, *last).is_empty());
        (next < plan.blocks && next <= whole && !over).then_some(next)
    }

    /// Looks at the run's trials as they were after so many blocks.
    pub(crate) fn look(&mut self, run: &Run, trials: &[Trial], blocks: u32) -> Looked {
        let plan = &run.plan;
        let before = self.looks.still_needed(plan, blocks);
        let earlier = trials.iter().filter(|trial| trial.block < blocks);
        let earlier: Vec<Trial> = earlier.cloned().collect();
        self.looks.taken.insert(blocks, judge::look(run, &earlier));
        let needed = self.looks.still_needed(plan, blocks);
        Looked {
            blocks,
            settled: needed.is_empty(),
            without: before.difference(&needed).cloned().collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use record::{Claim, Condition, Host, LoadFacts, RunStatus};

    use super::*;
    use crate::run::active::tests::measured;
    use crate::run::order::order;

    fn run(claims: &[&str]) -> Run {
        let claim = |expect: &&str| Claim {
            id: (*expect).to_owned(),
            text: String::new(),
            reported: String::new(),
            required: false,
            expect: vec![Condition::read(expect)],
            since: None,
            differs: Vec::new(),
            since_expect: Vec::new(),
        };
        let mut plan = crate::run::order::tests::plan(1, Some("a"), 8);
        plan.at_least = Some(4);
        plan.claims = claims.iter().map(claim).collect();
        Run {
            id: 1,
            started: record::now(),
            plan,
            host: Host::default(),
            weir: "0".to_owned(),
            status: RunStatus::Begun,
            cut: None,
        }
    }

    /// `c` does three times as much as the others, of which `b` scatters.
    fn trial(block: u32, slot: &Slot) -> Trial {
        let seconds = match slot.variant.as_str() {
            "c" => 3.0,
            "b" => 9.0 + f64::from(block % 3),
            _ => 9.5,
        };
        let mut load = LoadFacts {
            seconds,
            scheduled: 5_000,
            completed: 5_000,
            connections: 1,
            ..LoadFacts::default()
        };
        (0..5_000).for_each(|_| load.response.record((seconds * 200_000.0) as u64));
        load.statuses.insert(200, 5_000);
        Trial {
            run: 1,
            block,
            position: 0,
            variant: slot.variant.clone(),
            again: slot.again,
            attempt: 0,
            started: record::now(),
            outcome: measured(load, 0.0),
        }
    }

    /// Runs what is left, block by block, and looks after each; what was taken.
    fn go(run: &Run) -> Vec<Trial> {
        let mut progress = RunProgress::default();
        let mut taken: Vec<Trial> = Vec::new();
        loop {
            if let Some(blocks) = progress.look_is_due(&run.plan) {
                progress.look(run, &taken, blocks);
                continue;
            }
            let Some(block) = progress.left(&run.plan).into_iter().next() else {
                return taken;
            };
            for (_, slot) in &block.slots {
                let trial = trial(block.number, slot);
                progress.note(&trial, false);
                taken.push(trial);
            }
        }
    }

    fn blocks(taken: &[Trial], variant: &str, again: bool) -> usize {
        let own = taken.iter();
        own.filter(|of| of.variant == variant && of.again == again)
            .count()
    }

    #[test]
    fn a_run_ends_when_its_claims_are_decided() {
        let taken = go(&run(&["throughput of `c` / throughput of `a` >= 2"]));
        assert_eq!(taken.len(), 4 * 5);
    }

    #[test]
    fn what_no_open_claim_needs_is_left_out_of_later_blocks() {
        let run = run(&[
            "throughput of `c` / throughput of `a` >= 2",
            "throughput of `b` / throughput of `d` >= 0.88",
        ]);
        let taken = go(&run);
        let of = |variant| blocks(&taken, variant, false);
        assert_eq!((of("a"), of("c"), blocks(&taken, "a", true)), (4, 4, 4));
        assert!(of("b") > 4 && of("b") == of("d"), "{}", of("b"));
    }

    #[test]
    fn stress_comes_after_whatever_blocks_there_were() {
        let mut run = run(&["throughput of `c` / throughput of `a` >= 2"]);
        run.plan.stress = vec![record::Stress::TwiceTheLoad];
        let taken = go(&run);
        let stressed: Vec<_> = taken.iter().filter(|of| of.block == 8).collect();
        assert_eq!(stressed.len(), 4);
        assert_eq!(taken.len(), 4 * 5 + 4);
    }

    #[test]
    fn a_run_that_is_taken_up_again_leaves_out_the_same() {
        let run = run(&[
            "throughput of `c` / throughput of `a` >= 2",
            "throughput of `b` / throughput of `d` >= 0.88",
        ]);
        let taken = go(&run);
        let mut progress = RunProgress::default();
        for trial in &taken {
            progress.note(trial, false);
        }
        while let Some(blocks) = progress.look_is_due(&run.plan) {
            progress.look(&run, &taken, blocks);
        }
        assert!(progress.left(&run.plan).is_empty());
        let whole = order(&run.plan, 5).len();
        assert!(taken.iter().filter(|of| of.block == 5).count() < whole);
    }
}
