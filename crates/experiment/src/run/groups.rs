//! Which trials of a block are taken at the same time.

use std::collections::BTreeSet;

use record::Plan;

use crate::run::progress::Again;

/// Most trials at the same time. More would wait for their turn for longer than a fast noise lasts.
const MOST: usize = 8;

/// Those of the trials left of a block that are taken next: the first, and with it those whose windows can be cut into
/// slices as its can. Variants that are `whole` were seen not to be quick enough for it. None where none is left.
pub(crate) fn next(plan: &Plan, left: &[Again], whole: &BTreeSet<String>) -> Vec<Again> {
    let can = |what: &&Again| can_be_cut(plan, what) && !whole.contains(&what.slot.variant);
    match left.first() {
        Some(first) if can(&first) => left.iter().filter(can).take(MOST).cloned().collect(),
        first => first.cloned().into_iter().collect(),
    }
}

/// Whether the plan wants slices, and what is loaded allows them.
fn can_be_cut(plan: &Plan, what: &Again) -> bool {
    let stressed = plan.stress_in(what.block).is_some();
    let variant = plan.variant(&what.slot.variant);
    let load = variant.and_then(|variant| plan.load_in(what.block, variant));
    let whole = plan.whole.contains(&what.slot.variant);
    plan.slice > 0.0 && !stressed && !whole && load.is_some_and(|load| load.can_be_cut())
}

#[cfg(test)]
mod tests {
    use record::{Load, Shape};

    use super::*;
    use crate::run::order::{order, tests::plan};

    fn left(plan: &Plan) -> Vec<Again> {
        let slots = (0..).zip(order(plan, 0));
        slots
            .map(|(position, slot)| Again {
                block: 0,
                position,
                slot,
                attempt: 0,
            })
            .collect()
    }

    fn names(group: &[Again]) -> Vec<&str> {
        let mut names: Vec<_> = group.iter().map(|of| of.slot.variant.as_str()).collect();
        names.sort_unstable();
        names
    }

    #[test]
    fn what_can_be_cut_is_taken_together_and_the_rest_alone() {
        let mut plan = plan(3, Some("a"), 1);
        let whole = BTreeSet::from(["b".to_owned()]);
        assert_eq!(next(&plan, &left(&plan), &whole).len(), 1, "no slices");
        plan.slice = 0.1;
        plan.load.amount = record::Amount::Seconds(1.0);
        let think = Shape::Closed {
            think: 1.0,
            spread: record::Spread::Fixed,
        };
        plan.variants[2].load = Some(Load {
            shape: think,
            ..plan.load.clone()
        });
        let mut rest = left(&plan);
        let mut groups = Vec::new();
        while !rest.is_empty() {
            let group = next(&plan, &rest, &whole);
            rest.retain(|what| !group.contains(what));
            groups.push(group);
        }
        groups.sort_by_key(Vec::len);
        assert_eq!(groups.len(), 3);
        assert_eq!(names(&groups[2]), ["a", "a", "d"]);
        assert_eq!(next(&plan, &[], &whole), []);
    }
}
