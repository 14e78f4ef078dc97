//! How a time is shared among several plans. No clock in here, and nothing that runs.

use judge::FEWEST;
use record::Plan;

/// What a plan takes, in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Need {
    /// Before its first block.
    pub before: f64,
    /// One block.
    pub block: f64,
    /// Blocks that it has, at least 1.
    pub blocks: u32,
    /// Blocks from which on it comes to verdicts.
    pub enough: u32,
    /// Claims that it decides: what its time is worth.
    pub claims: u32,
}

impl Need {
    /// Seconds that so many of its blocks take.
    pub fn of(&self, blocks: u32) -> f64 {
        self.before + self.block * f64::from(blocks)
    }

    /// Seconds of a block for each claim; nothing is dearer than what decides none.
    fn price(&self) -> f64 {
        self.block / f64::from(self.claims)
    }
}

/// Blocks from which on a plan comes to verdicts: as many as before its first look, or as an interval without an
/// assumption needs.
pub fn enough(plan: &Plan) -> u32 {
    plan.looks().unwrap_or(FEWEST as u32).min(plan.blocks)
}

/// How many blocks of each plan are run within a budget (seconds). Each gets one, whether it fits or not; then
/// those that are cheapest for each claim get as many as an interval needs, so that as many claims as possible come
/// to a verdict; and then all that they have, the cheapest first again.
pub fn shares(needs: &[Need], budget: f64) -> Vec<u32> {
    let mut blocks = vec![1; needs.len()];
    let mut left = budget - needs.iter().map(|need| need.of(1)).sum::<f64>();
    let mut cheapest: Vec<usize> = (0..needs.len()).collect();
    cheapest.sort_by(|one, other| needs[*one].price().total_cmp(&needs[*other].price()));
    for whole in [false, true] {
        for &plan in &cheapest {
            let most = if whole { u32::MAX } else { needs[plan].enough };
            let wanted = needs[plan].blocks.min(most).max(blocks[plan]);
            let more = needs[plan].block * f64::from(wanted - blocks[plan]);
            if more <= left {
                left -= more;
                blocks[plan] = wanted;
            }
        }
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn needs(plans: &[(f64, u32)]) -> Vec<Need> {
        let need = |&(block, blocks)| Need {
            before: 1.0,
            block,
            blocks,
            enough: 6,
            claims: 1,
        };
        plans.iter().map(need).collect()
    }

    #[test]
    fn cheap_plans_come_to_verdicts_and_dear_ones_to_figures() {
        let needs = needs(&[(10.0, 6), (100.0, 6), (20.0, 8)]);
        // everything takes 60 + 600 + 160 + 3
        assert_eq!(shares(&needs, 823.0), [6, 6, 8]);
        assert_eq!(shares(&needs, 822.0), [6, 6, 6]);
        assert_eq!(shares(&needs, 782.0), [6, 1, 8]);
        assert_eq!(shares(&needs, 300.0), [6, 1, 6]);
        assert_eq!(shares(&needs, 200.0), [6, 1, 1]);
        assert_eq!(shares(&needs, 150.0), [1, 1, 1]);
    }

    #[test]
    fn who_may_end_early_needs_less_for_a_verdict() {
        let mut needs = needs(&[(10.0, 6), (100.0, 8)]);
        needs[1].enough = 4;
        assert_eq!(shares(&needs, 462.0), [6, 4]);
        let plan = |at_least, blocks| Plan {
            at_least,
            blocks,
            ..Plan::default()
        };
        let each = [plan(Some(4), 9), plan(None, 9), plan(None, 3)];
        assert_eq!(each.each_ref().map(enough), [4, 6, 3]);
    }

    #[test]
    fn a_dear_plan_that_decides_much_is_cheap() {
        let mut needs = needs(&[(10.0, 6), (40.0, 6)]);
        assert_eq!(shares(&needs, 255.0), [6, 1]);
        needs[1].claims = 5;
        assert_eq!(shares(&needs, 255.0), [1, 6]);
    }

    #[test]
    fn each_gets_one_block_even_where_there_is_no_time() {
        assert_eq!(shares(&needs(&[(10.0, 6), (5.0, 1)]), 0.0), [1, 1]);
        assert_eq!(shares(&[], 100.0), [0; 0]);
    }
}
