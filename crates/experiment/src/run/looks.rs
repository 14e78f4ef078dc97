//! What the looks at a run have left out of its later blocks. It follows from stored trials, so a run that is resumed
//! goes on as it was begun.

use std::collections::{BTreeMap, BTreeSet};

use judge::{Look, StillOpen};
use record::{Plan, Run, Trial};

use crate::run::order::Slot;
use crate::run::progress::RunProgress;

/// The looks that were taken, each by the number of whole blocks before it.
#[derive(Debug, Default)]
pub(crate) struct Looks {
    taken: BTreeMap<u32, Look>,
}

/// What a look changed, and what it leaves open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Looked {
    /// Whole blocks.
    pub blocks: u32,
    /// Variants that later blocks leave out from here on.
    pub without: BTreeSet<String>,
    /// Whether there are no later blocks, but for those of stress.
    pub settled: bool,
    /// Whether later blocks are for the reasons of claims that do not hold, from here on.
    pub for_reasons: bool,
    /// Questions that are given up, and those that are open and of which is known how many blocks they take.
    pub open: Vec<StillOpen>,
    /// Blocks that the run comes to at most.
    pub of: u32,
}

impl Looks {
    /// Whether a block needs a trial that its plan has there. What was left out stays so, but for this: a variant that no
    /// claim needs may be one that a reason needs, when these have their turn.
    pub(crate) fn need(&self, plan: &Plan, block: u32, slot: &Slot) -> bool {
        let needs =
            |look: &Look| look.needed.contains(&slot.variant) && (look.noise_floor || !slot.again);
        let for_reasons = self.for_reasons(block);
        let before = self.taken.range(..=block).map(|(_, look)| look);
        let mut alike = before.filter(|look| look.for_reasons == for_reasons);
        plan.stress_in(block).is_some() || alike.all(needs)
    }

    /// Whether a block is for nothing but the reasons of claims that do not hold.
    pub(crate) fn for_reasons(&self, block: u32) -> bool {
        let last = self.taken.range(..=block).next_back();
        last.is_some_and(|(_, look)| look.for_reasons)
    }

    fn still_needed(&self, plan: &Plan, block: u32) -> BTreeSet<String> {
        let names = plan.variants.iter().map(|variant| variant.name.clone());
        let slot = |variant: &String| Slot {
            variant: variant.clone(),
            again: false,
            group: 0,
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
        let had_turn = self.looks.for_reasons(blocks);
        let earlier = trials.iter().filter(|trial| trial.block < blocks);
        let earlier: Vec<Trial> = earlier.cloned().collect();
        let look = judge::look(run, &earlier);
        let open = look.open.clone();
        self.looks.taken.insert(blocks, look);
        let needed = self.looks.still_needed(plan, blocks);
        Looked {
            blocks,
            settled: needed.is_empty(),
            without: before.difference(&needed).cloned().collect(),
            for_reasons: self.looks.for_reasons(blocks) && !had_turn,
            open,
            of: plan.blocks,
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
            demand: None,
            peak: None,
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
            group: slot.group,
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

    /// That `c` does so much more than `a` is decided at the first look.
    fn with_reason(reason: &str, claims: &[&str]) -> Run {
        let untrue = "throughput of `c` / throughput of `a` < 2";
        let mut run = run(&[&[untrue][..], claims].concat());
        run.plan.claims[0].since = Some("it was another `c`".to_owned());
        run.plan.claims[0].since_expect = vec![Condition::read(reason)];
        run
    }

    #[test]
    fn why_a_claim_does_not_hold_has_the_blocks_that_claims_leave() {
        let run = with_reason("throughput of `b` / throughput of `d` >= 0.88", &[]);
        let taken = go(&run);
        let of = |variant| blocks(&taken, variant, false);
        assert_eq!((of("a"), of("c"), blocks(&taken, "a", true)), (4, 4, 4));
        assert!(of("b") > 4 && of("b") == of("d"), "{}", of("b"));
    }

    #[test]
    fn what_was_left_out_for_a_claim_comes_back_for_a_reason() {
        let reason = "throughput of `b` / throughput of `c` <= 0.36";
        let run = with_reason(reason, &["throughput of `b` / throughput of `d` >= 0.79"]);
        let taken = go(&run);
        let of = |variant| blocks(&taken, variant, false);
        assert_eq!((of("a"), of("d")), (4, 5), "the claim takes one block more");
        let own = taken.iter().filter(|of| of.variant == "c");
        let own: Vec<u32> = own.map(|of| of.block).collect();
        assert!(!own.contains(&4) && own.contains(&5), "{own:?}");
        assert_eq!(of("b"), of("c") + 1);
    }

    /// It is for all variants, and left for later by no run that ends before reasons have their turn.
    #[test]
    fn stress_is_not_for_reasons() {
        let mut run = with_reason("throughput of `b` / throughput of `d` >= 0.88", &[]);
        run.plan.stress = vec![record::Stress::TwiceTheLoad];
        let taken = go(&run).into_iter();
        let taken: Vec<Trial> = taken.filter(|of| of.block < 4).collect();
        let mut progress = RunProgress::default();
        for trial in &taken {
            progress.note(trial, false);
        }
        assert!(progress.look(&run, &taken, 4).for_reasons);
        let left = progress.left(&run.plan);
        let for_reasons: Vec<bool> = left.iter().map(|of| of.for_reasons).collect();
        assert_eq!(for_reasons, [true, true, true, true, false]);
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
