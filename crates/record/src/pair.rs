//! In which blocks one variant runs twice (A/A).
//!
//! A second trial in each block would cost a run of three variants a quarter of its time. An interval needs three blocks, and what
//! comes after four narrows it by little: so later blocks have the pair in turn.

use crate::Plan;

/// Blocks, from the first on, that all have the pair: one more than an interval needs, which is half as wide then.
const FIRST: u32 = 4;

impl Plan {
    /// The variant that runs a second time in a block (0-based): in each of the first four, and in every second one after
    /// these. None in a block of stress, and where the plan has no A/A pair.
    pub fn pair_in(&self, block: u32) -> Option<&str> {
        let has = block < FIRST || block % 2 == 1;
        let usual = self.stress_in(block).is_none();
        self.noise_floor.as_deref().filter(|_| has && usual)
    }

    /// How many of a plan's first so many blocks have the A/A pair.
    pub fn pairs_in(&self, blocks: u32) -> u32 {
        match self.noise_floor {
            Some(_) => blocks.min(FIRST) + blocks.saturating_sub(FIRST) / 2,
            None => 0,
        }
    }

    /// Trials of a plan's first so many blocks: each variant once, the second half of the A/A pair, and the baseline once
    /// more for each further group.
    pub fn trials_in(&self, blocks: u32) -> u64 {
        let variants = u64::from(blocks) * self.variants.len() as u64;
        let more = [self.pairs_in(blocks), self.more_baselines_in(blocks)];
        variants + more.into_iter().map(u64::from).sum::<u64>()
    }

    /// How many trials the plan asks for: those of its blocks, and every variant once for each kind of stress.
    pub fn trials(&self) -> u64 {
        let stressed = self.stress.len() * self.variants.len();
        self.trials_in(self.blocks) + stressed as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Stress, Variant};

    #[test]
    fn the_first_blocks_have_the_pair_and_later_ones_in_turn() {
        let plan = Plan {
            blocks: 9,
            variants: vec![Variant::default(), Variant::default()],
            noise_floor: Some("a".to_owned()),
            stress: vec![Stress::TwiceTheLoad; 3],
            ..Plan::default()
        };
        let has = |block: &u32| plan.pair_in(*block) == Some("a");
        let with: Vec<u32> = (0..plan.all_blocks()).filter(has).collect();
        assert_eq!(with, [0, 1, 2, 3, 5, 7]);
        for blocks in 0..=plan.blocks {
            let counted = (0..blocks).filter(has).count();
            assert_eq!(plan.pairs_in(blocks) as usize, counted, "{blocks}");
        }
        assert_eq!(plan.trials_in(6), 12 + 5);
        assert_eq!(plan.trials(), 18 + 6 + 6);
        let without = Plan {
            noise_floor: None,
            ..plan
        };
        assert_eq!((without.pair_in(0), without.trials()), (None, 18 + 6));
    }
}
