//! Which trials of a block are up at the same time, where not all of them fit.
//!
//! What takes turns shares the noise of the machine. So each group has an instance of the baseline: a variant is compared
//! with the one of its own group, and with variants of other groups by way of both groups' instances.

use crate::{Plan, Variant};

/// Most trials of a block that are up at the same time. More would wait for their turn for longer than a fast noise lasts.
pub const AT_ONCE: u32 = 8;

impl Plan {
    /// Whether the windows of a variant may be cut into slices.
    pub fn can_be_cut(&self, variant: &Variant) -> bool {
        let whole = self.whole.contains(&variant.name);
        self.slice > 0.0 && !whole && self.load_of(variant).can_be_cut()
    }

    /// Into how many groups with the baseline so many other trials are divided: 0 where there are none, or where the
    /// baseline takes no turns.
    pub fn groups_of(&self, others: usize) -> u32 {
        let baseline = self.variant(&self.baseline);
        let takes_turns = baseline.is_some_and(|of| self.can_be_cut(of));
        if takes_turns {
            (others as u32).div_ceil(AT_ONCE - 1)
        } else {
            0
        }
    }

    /// How many instances of the baseline a plan's first so many blocks have beside the usual one: one for each further
    /// group.
    pub fn more_baselines_in(&self, blocks: u32) -> u32 {
        let other = |of: &&Variant| of.name != self.baseline && self.can_be_cut(of);
        let others: Vec<&Variant> = self.variants.iter().filter(other).collect();
        let is_added = |of: &&&Variant| of.sweep.as_ref().is_some_and(|sweep| sweep.added);
        let added = others.iter().filter(is_added).count();
        let others = others.len();
        let twin = self.noise_floor.as_deref();
        let twin = twin.and_then(|name| self.variant(name));
        let twin = usize::from(twin.is_some_and(|of| self.can_be_cut(of)));
        let further = |others: usize| self.groups_of(others).saturating_sub(1);
        let Some(later) = blocks.checked_sub(1) else {
            return 0;
        };
        // what was added comes behind the groups of the first block, which has the pair if any has
        let first = further(others - added + twin) + self.groups_of(added);
        let pairs = self.pairs_in(blocks).saturating_sub(1);
        let with_pair = pairs.saturating_mul(further(others + twin));
        let without = (later - pairs).saturating_mul(further(others));
        first.saturating_add(with_pair).saturating_add(without)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Amount, Load, Sweep};

    /// So many variants, of which `v0` is the baseline and one of the A/A pair.
    fn plan(variants: usize) -> Plan {
        let named = |number: usize| Variant {
            name: format!("v{number}"),
            ..Variant::default()
        };
        Plan {
            blocks: 6,
            slice: 0.1,
            load: Load {
                amount: Amount::Seconds(1.0),
                ..Load::default()
            },
            variants: (0..variants).map(named).collect(),
            baseline: "v0".to_owned(),
            noise_floor: Some("v0".to_owned()),
            ..Plan::default()
        }
    }

    #[test]
    fn each_group_beside_the_first_has_one_baseline_more() {
        // with the pair eight are eight beside the baseline: five of six blocks have it
        let more = |plan: &Plan| plan.more_baselines_in(plan.blocks);
        assert_eq!(
            [7, 8, 9, 15, 16].map(|of| more(&plan(of))),
            [0, 5, 6, 11, 12]
        );
        assert_eq!(plan(9).more_baselines_in(0), 0);
        assert_eq!(plan(9).trials(), 6 * 9 + 5 + 6);
        let mut alone = plan(16);
        alone.noise_floor = None;
        assert_eq!(more(&alone), 12);
        alone.variants.pop();
        assert_eq!(more(&alone), 6);
    }

    #[test]
    fn there_are_no_groups_where_the_baseline_takes_no_turns() {
        let mut whole = plan(20);
        assert_eq!(whole.more_baselines_in(1), 2);
        whole.whole.insert("v0".to_owned());
        assert_eq!(whole.more_baselines_in(1), 0);
        let alone = Plan {
            slice: 0.0,
            ..plan(20)
        };
        assert_eq!(alone.more_baselines_in(6), 0);
        // others that take no turns need no room
        let mut few = plan(20);
        few.whole = (1..14).map(|number| format!("v{number}")).collect();
        assert_eq!(few.more_baselines_in(6), 0);
    }

    #[test]
    fn no_number_of_a_stored_plan_is_too_large_and_no_baseline_is_added() {
        let mut odd = plan(16);
        odd.blocks = u32::MAX;
        odd.stress = vec![crate::Stress::TwiceTheLoad];
        assert_eq!(odd.more_baselines_in(odd.blocks), u32::MAX);
        assert!(odd.trials() > 16 * u64::from(u32::MAX));
        assert_eq!(odd.all_blocks(), u32::MAX);
        odd.variants.truncate(1);
        odd.variants[0].sweep = Some(Sweep {
            family: "v".to_owned(),
            levels: Vec::new(),
            added: true,
        });
        assert_eq!(odd.more_baselines_in(1), 0);
    }

    /// It was not known when the others ran.
    #[test]
    fn what_a_run_added_has_a_group_of_its_own_in_the_first_block() {
        let mut refined = plan(10);
        for variant in &mut refined.variants[7..] {
            variant.sweep = Some(Sweep {
                family: "v".to_owned(),
                levels: Vec::new(),
                added: true,
            });
        }
        assert_eq!(refined.more_baselines_in(1), 1);
        assert_eq!(refined.more_baselines_in(3), 3);
        refined.variants.truncate(8);
        assert_eq!(refined.more_baselines_in(1), 1);
    }
}
