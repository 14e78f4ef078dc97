//! In which order the variants of a block run.

use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;
use rand_chacha::ChaCha8Rng;
use record::{Plan, Variant};

use crate::search::refine::is_added;

/// One place in a block: a variant, or the second half of the A/A pair.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Slot {
    /// Name of the variant.
    pub variant: String,
    /// Whether it is the noise-floor variant's second turn.
    pub again: bool,
    /// The group of its block that it is in (0-based), where not all fit at the same time.
    pub group: u32,
}

impl Slot {
    /// Whether it is the baseline's own turn, in its first group or in a further one.
    pub(crate) fn is_baseline(&self, plan: &Plan) -> bool {
        self.variant == plan.baseline && !self.again
    }
}

/// The order of block `block` (0-based): every variant once, the noise-floor variant twice where the block has the A/A pair
/// ([`Plan::pair_in`]), shuffled. In the first block variants that the run added come after the others, shuffled
/// among themselves, as they were chosen by what the others did. None is in a group yet.
///
/// It depends on nothing but the plan's variants, its seed and the block's number, so a resumed run goes on in
/// the order in which it was begun, unless it has got more variants since.
pub fn order(plan: &Plan, block: u32) -> Vec<Slot> {
    let slot = |variant: &str, again| Slot {
        variant: variant.to_owned(),
        again,
        group: 0,
    };
    let later = |variant: &&Variant| block == 0 && is_added(variant);
    let (added, planned): (Vec<&Variant>, Vec<&Variant>) = plan.variants.iter().partition(later);
    let slots_of = |variants: Vec<&Variant>| -> Vec<Slot> {
        let names = variants.into_iter().map(|variant| &variant.name);
        names.map(|name| slot(name, false)).collect()
    };
    let (mut slots, mut added) = (slots_of(planned), slots_of(added));
    match plan.stress_in(block) {
        Some(_) => slots.retain(|slot| {
            let variant = plan.variant(&slot.variant);
            variant.is_some_and(|variant| plan.load_in(block, variant).is_some())
        }),
        None => slots.extend(plan.pair_in(block).map(|variant| slot(variant, true))),
    }
    let mut random = ChaCha8Rng::seed_from_u64(plan.seed);
    random.set_stream(u64::from(block));
    slots.shuffle(&mut random);
    added.shuffle(&mut random);
    slots.extend(added);
    slots
}

#[cfg(test)]
pub(crate) mod tests {
    use record::{Amount, App, Interface, Level, Load, Sweep, WarmUpPlan};

    use super::*;

    /// Four variants that are never run.
    pub(crate) fn plan(seed: u64, noise_floor: Option<&str>, blocks: u32) -> Plan {
        let variant = |name: &str| Variant {
            name: name.into(),
            title: name.into(),
            server: None,
            fronts: Vec::new(),
            route: "/".into(),
            ..Variant::default()
        };
        Plan {
            name: "plan".into(),
            title: "plan".into(),
            app: App {
                name: "app".into(),
                dir: "/".into(),
                interface: Interface::Static,
                entry: String::new(),
                ..App::default()
            },
            load: Load {
                connections: 1,
                amount: Amount::Requests(1),
                warm_up: WarmUpPlan::None,
                keep_alive: true,
                threads: 0,
                timeout: 1.0,
                ..Load::default()
            },
            blocks,
            seed,
            variants: ["a", "b", "c", "d"].map(variant).into(),
            baseline: "a".into(),
            noise_floor: noise_floor.map(str::to_owned),
            ..Plan::default()
        }
    }

    #[test]
    fn each_block_has_every_variant_once_and_some_the_noise_floor_twice() {
        for block in 0..8 {
            let slots = order(&plan(1, Some("b"), 8), block);
            let (twice, once): (Vec<_>, Vec<_>) = slots.into_iter().partition(|slot| slot.again);
            let names = |slots: &[Slot]| -> Vec<String> {
                let mut names: Vec<_> = slots.iter().map(|slot| slot.variant.clone()).collect();
                names.sort();
                names
            };
            assert_eq!(names(&once), ["a", "b", "c", "d"]);
            let pair: &[&str] = if [4, 6].contains(&block) { &[] } else { &["b"] };
            assert_eq!(names(&twice), pair, "{block}");
        }
        assert_eq!(order(&plan(1, None, 8), 0).len(), 4);
    }

    /// What was chosen when the others had run cannot have run among them, and a run that is resumed
    /// goes on in the order in which it was begun.
    #[test]
    fn what_was_added_comes_last_in_the_first_block_and_anywhere_in_others() {
        let planned = plan(5, Some("b"), 8);
        let mut refined = planned.clone();
        for name in ["x", "y"] {
            refined.variants.insert(
                1,
                Variant {
                    name: name.into(),
                    sweep: Some(Sweep {
                        family: "a".into(),
                        levels: Vec::<Level>::new(),
                        added: true,
                    }),
                    ..refined.variants[0].clone()
                },
            );
        }
        let (before, after) = (order(&planned, 0), order(&refined, 0));
        assert_eq!(after[..5], before[..]);
        assert_eq!(after.len(), 7);
        let last = |block| {
            let tail = order(&refined, block).split_off(5);
            tail.iter().all(|slot| ["x", "y"].contains(&&*slot.variant))
        };
        assert!(!(1..8).all(last));
    }

    #[test]
    fn the_seed_and_the_block_decide_the_order_and_nothing_else_does() {
        let orders = |seed| {
            (0..8)
                .map(|block| order(&plan(seed, None, 8), block))
                .collect::<Vec<_>>()
        };
        assert_eq!(
            orders(7),
            orders(7),
            "a resumed run goes on in the order it was begun in"
        );
        assert_ne!(orders(7), orders(8));
        let blocks = orders(7);
        assert!(
            blocks.iter().any(|block| *block != blocks[0]),
            "blocks differ"
        );
    }
}
