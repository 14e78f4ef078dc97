//! Which trials of a block are taken at the same time.

use std::collections::BTreeSet;

use record::Plan;

use crate::run::progress::Again;

/// Most trials at the same time. More would wait for their turn for longer than a fast noise lasts.
const MOST: usize = 8;

/// Those of the trials left of a block that are taken next: the first, and with it those whose windows can be cut into
/// slices as its can, before others those with which it or one of them is compared, and others only with all that is compared
/// with them. Variants that are `whole` were seen not to be quick enough for it. None where none is left.
pub(crate) fn next(plan: &Plan, left: &[Again], whole: &BTreeSet<String>) -> Vec<Again> {
    let can = |what: &&Again| can_be_cut(plan, what) && !whole.contains(&what.slot.variant);
    let Some(first) = left.first().filter(can) else {
        return left.first().cloned().into_iter().collect();
    };
    let compared = compared(plan);
    let mut rest: Vec<&Again> = left[1..].iter().filter(can).collect();
    let mut group = vec![first.clone()];
    while group.len() < MOST && !rest.is_empty() {
        let with_it = |what: &&Again| is_compared(&what.slot.variant, &group, &compared);
        let room = MOST - group.len();
        let fits = |what: &&Again| related(what, &rest, &compared) <= room;
        let next = rest.iter().position(with_it);
        let Some(at) = next.or_else(|| rest.iter().position(fits)) else {
            break;
        };
        group.push(rest.remove(at).clone());
    }
    group
}

/// The variants that are compared with each other, a set for each question: those of a claim's conditions; and without
/// claims, or where one is to be deployed, each with the baseline.
fn compared(plan: &Plan) -> Vec<BTreeSet<String>> {
    let with_baseline = plan.claims.is_empty() || plan.to_deploy;
    let each = plan.variants.iter().filter(|_| with_baseline);
    let each = each.map(|variant| BTreeSet::from([variant.name.clone(), plan.baseline.clone()]));
    let claims = plan.claims.iter();
    let conditions = claims.flat_map(|claim| claim.expect.iter().chain(&claim.since_expect));
    let means = conditions.filter_map(|condition| condition.means.as_ref().ok());
    let claimed = means.map(|means| means.variants(plan).into_iter().collect());
    each.chain(claimed).collect()
}

/// How many of the rest are compared with one of them or with each other, itself among them.
fn related(of: &Again, rest: &[&Again], compared: &[BTreeSet<String>]) -> usize {
    let mut found = vec![of.clone()];
    let mut others: Vec<&Again> = rest.iter().copied().filter(|what| *what != of).collect();
    let next = |found: &[Again], others: &[&Again]| {
        let is_one = |what: &&Again| is_compared(&what.slot.variant, found, compared);
        others.iter().position(is_one)
    };
    while let Some(at) = next(&found, &others) {
        found.push(others.remove(at).clone());
    }
    found.len()
}

/// Whether a variant is compared with one of a group, or is one of it: the other half of the A/A pair.
fn is_compared(variant: &str, group: &[Again], compared: &[BTreeSet<String>]) -> bool {
    let mut members = group.iter().map(|of| &of.slot.variant);
    members.any(|member| {
        let both = |of: &BTreeSet<String>| of.contains(member) && of.contains(variant);
        member == variant || compared.iter().any(both)
    })
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

    /// Of twelve variants and an A/A pair eight are up at once: what a claim compares is among the same eight.
    #[test]
    fn what_is_compared_is_taken_together() {
        let mut plan = plan(3, Some("v0"), 1);
        plan.slice = 0.1;
        plan.load.amount = record::Amount::Seconds(1.0);
        let named = |number: usize| record::Variant {
            name: format!("v{number}"),
            ..plan.variants[0].clone()
        };
        plan.variants = (0..12).map(named).collect();
        let condition = |of: &str| record::Condition::read(of);
        let claim = |expect: Vec<record::Condition>| record::Claim {
            id: "X1".into(),
            text: String::new(),
            reported: String::new(),
            required: false,
            expect,
            since: None,
            differs: Vec::new(),
            since_expect: Vec::new(),
        };
        plan.claims = vec![
            claim(vec![
                condition("throughput of `v0` / throughput of `v7` > 1"),
                condition("throughput of `v7` / throughput of `v11` > 1"),
            ]),
            claim(vec![condition("mean of `v3` / mean of `v9` > 1")]),
        ];
        for block in 0..20 {
            plan.seed = block;
            let mut rest = left(&plan);
            let mut groups = Vec::new();
            while !rest.is_empty() {
                let group = next(&plan, &rest, &BTreeSet::new());
                assert!(group.len() <= MOST);
                rest.retain(|what| !group.contains(what));
                groups.push(group);
            }
            assert_eq!(groups.len(), 2);
            for together in [&["v0", "v7", "v11"][..], &["v3", "v9"]] {
                let is_there = |group: &Vec<Again>| {
                    let members = names(group);
                    together.iter().all(|name| members.contains(name))
                };
                assert_eq!(
                    groups.iter().filter(|group| is_there(group)).count(),
                    1,
                    "{block}"
                );
            }
        }
    }

    /// What is required beside the question which variant to deploy takes nothing from that.
    #[test]
    fn where_one_is_to_be_deployed_each_is_compared_with_the_baseline() {
        let mut plan = plan(3, Some("a"), 1);
        let ratio = "throughput of `b` / throughput of `c` > 1";
        plan.claims = vec![record::Claim {
            id: "required 1".into(),
            text: ratio.into(),
            reported: String::new(),
            required: true,
            expect: vec![record::Condition::read(ratio)],
            since: None,
            differs: Vec::new(),
            since_expect: Vec::new(),
        }];
        let pair = |one: &str, other: &str| BTreeSet::from([one.to_owned(), other.to_owned()]);
        assert_eq!(compared(&plan), [pair("b", "c")]);
        plan.to_deploy = true;
        let all = compared(&plan);
        for names in [("b", "a"), ("d", "a"), ("b", "c")] {
            assert!(all.contains(&pair(names.0, names.1)), "{names:?}: {all:?}");
        }
        assert!(!all.contains(&pair("b", "d")));
    }
}
