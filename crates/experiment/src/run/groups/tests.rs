use record::{Level, Load, Shape, Sweep};

use super::*;
use crate::run::order::tests::plan;
use crate::run::progress::{Done, RunProgress};

/// What is left of a block beside these.
fn left(plan: &Plan, block: u32, done: &Done) -> Vec<Again> {
    let slots = RunProgress::default().slots(plan, block, done);
    let first = |(position, slot)| Again {
        block,
        position,
        slot,
        attempt: 0,
    };
    slots.into_iter().map(first).collect()
}

fn add(done: &mut Done, taken: &[Again]) {
    done.extend(taken.iter().map(|of| (of.block, of.slot.clone())));
}

/// The trials of a block as they are taken.
fn taken(plan: &Plan, block: u32, whole: &[&str]) -> Vec<Vec<Again>> {
    let whole = whole.iter().map(|name| (*name).to_owned()).collect();
    let (mut done, mut groups) = (Done::new(), Vec::new());
    loop {
        let group = next(plan, &left(plan, block, &done), &whole);
        if group.is_empty() {
            return groups;
        }
        assert!(group.len() <= MOST);
        add(&mut done, &group);
        groups.push(group);
    }
}

fn names(group: &[Again]) -> Vec<&str> {
    let mut names: Vec<_> = group.iter().map(|of| of.slot.variant.as_str()).collect();
    names.sort_unstable();
    names
}

/// So many variants whose windows can be cut, the first of which is the baseline.
fn many(variants: usize, noise_floor: &str) -> Plan {
    let mut plan = plan(3, Some(noise_floor), 8);
    plan.slice = 0.1;
    plan.load.amount = record::Amount::Seconds(1.0);
    let named = |number: usize| record::Variant {
        name: format!("v{number}"),
        ..plan.variants[0].clone()
    };
    plan.variants = (0..variants).map(named).collect();
    plan.baseline = "v0".to_owned();
    plan
}

/// The baselines of a group.
fn baselines(plan: &Plan, group: &[Again]) -> usize {
    let own = group.iter().filter(|of| of.slot.is_baseline(plan));
    own.count()
}

#[test]
fn what_can_be_cut_is_taken_together_and_the_rest_alone() {
    let mut plan = plan(3, Some("a"), 1);
    let first = next(&plan, &left(&plan, 0, &Done::new()), &BTreeSet::new());
    assert_eq!(first.len(), 1, "no slices");
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
    for seed in 0..20 {
        plan.seed = seed;
        let mut groups = taken(&plan, 0, &["b"]);
        groups.sort_by_key(Vec::len);
        assert_eq!(groups.len(), 3);
        assert_eq!(names(&groups[2]), ["a", "a", "d"]);
    }
    assert_eq!(next(&plan, &[], &BTreeSet::new()), []);
}

/// Of twelve variants and an A/A pair eight are up at once: what a claim compares is among the same ones, whether each group has
/// the baseline, or that is none of them.
#[test]
fn what_is_compared_is_taken_together() {
    let mut plan = many(12, "v0");
    let condition = |of: &str| record::Condition::read(of);
    let claim = |expect: Vec<record::Condition>| record::Claim {
        id: "X1".into(),
        text: String::new(),
        reported: String::new(),
        required: false,
        expect,
        since: None,
        demand: None,
        peak: None,
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
    for seed in 0..20 {
        for baseline in ["a", "v0"] {
            (plan.seed, plan.baseline) = (seed, baseline.to_owned());
            let groups = taken(&plan, 0, &[]);
            assert_eq!(groups.len(), 2);
            for together in [&["v0", "v7", "v11"][..], &["v3", "v9"]] {
                let is_there = |group: &Vec<Again>| {
                    let members = names(group);
                    together.iter().all(|name| members.contains(name))
                };
                assert_eq!(
                    groups.iter().filter(|group| is_there(group)).count(),
                    1,
                    "{baseline} {seed}"
                );
            }
        }
    }
}

#[test]
fn each_group_has_the_baseline_and_the_first_the_pair() {
    for noise_floor in ["v0", "v5"] {
        let plan = many(20, noise_floor);
        let mut trials = 0;
        for block in 0..plan.blocks {
            let groups = taken(&plan, block, &[]);
            assert_eq!(groups.len(), 3);
            for (group, number) in groups.iter().zip(0..) {
                assert!(group.iter().all(|of| of.slot.group == number), "{group:?}");
                assert_eq!(baselines(&plan, group), 1, "{group:?}");
                assert!((7..=MOST).contains(&group.len()), "{group:?}");
                trials += group.len() as u64;
            }
            let again = |group: &[Again]| group.iter().filter(|of| of.slot.again).count();
            let halves =
                |group: &[Again]| names(group).iter().filter(|of| **of == noise_floor).count();
            let pairs = usize::from(plan.pair_in(block).is_some());
            assert_eq!(again(&groups.concat()), pairs);
            assert_eq!(
                (again(&groups[0]), halves(&groups[0]) >= 2 * pairs),
                (pairs, true)
            );
            let all = groups.concat();
            let mut others = names(&all);
            others.retain(|name| *name != "v0" && *name != noise_floor);
            let twice = others.len();
            others.dedup();
            assert_eq!(
                (others.len(), twice),
                (twice, if noise_floor == "v0" { 19 } else { 18 })
            );
            // the packets of each trial have a file by its place
            let places: BTreeSet<u32> = all.iter().map(|of| of.position).collect();
            assert_eq!(places.len(), all.len());
        }
        assert_eq!(trials, plan.trials());
    }
}

#[test]
fn the_baseline_starts_at_any_place_of_its_group_and_others_change() {
    let mut plan = many(20, "v0");
    let (mut places, mut beside) = ([0; MOST], 0);
    for seed in 0..300 {
        plan.seed = seed;
        for group in taken(&plan, 0, &[]) {
            let own = group.iter().position(|of| of.slot.is_baseline(&plan));
            places[own.unwrap()] += 1;
            let has = |name: &str| group.iter().any(|of| of.slot.variant == name);
            beside += u32::from(has("v1") && has("v2"));
        }
    }
    assert!(places.iter().all(|times| *times > 40), "{places:?}");
    assert!((50..150).contains(&beside), "{beside} of 300");
}

#[test]
fn a_block_of_one_group_has_one_baseline() {
    let plan = many(7, "v0");
    let groups = taken(&plan, 0, &[]);
    assert_eq!((groups.len(), groups[0].len()), (1, 8));
    assert_eq!(baselines(&plan, &groups[0]), 1);
}

/// There was no memory for more, or the block was begun by a weir that knew no such groups.
#[test]
fn what_is_left_of_a_group_has_a_baseline_of_its_own() {
    let mut plan = many(7, "v0");
    for seed in 0..20 {
        plan.seed = seed;
        let group = next(&plan, &left(&plan, 0, &Done::new()), &BTreeSet::new());
        let mut done = Done::new();
        add(&mut done, &group[..3]);
        let rest = next(&plan, &left(&plan, 0, &done), &BTreeSet::new());
        let number = baselines(&plan, &group[..3]) as u32;
        assert!(rest.iter().all(|of| of.slot.group == number), "{rest:?}");
        assert_eq!(baselines(&plan, &rest), 1);
        assert_eq!(rest.len(), 5 + number as usize);
        add(&mut done, &rest);
        assert_eq!(left(&plan, 0, &done), []);
    }
}

#[test]
fn what_a_run_added_has_a_group_of_its_own_in_the_first_block() {
    let mut plan = many(10, "v0");
    let added = plan.variants.split_off(7);
    let mut done = Done::new();
    for group in taken(&plan, 0, &[]) {
        add(&mut done, &group);
    }
    plan.variants
        .extend(added.into_iter().map(|of| record::Variant {
            sweep: Some(Sweep {
                family: "v".to_owned(),
                levels: Vec::<Level>::new(),
                added: true,
            }),
            ..of
        }));
    let group = next(&plan, &left(&plan, 0, &done), &BTreeSet::new());
    assert_eq!(names(&group), ["v0", "v7", "v8", "v9"]);
    assert!(group.iter().all(|of| of.slot.group == 1));
    assert_eq!(taken(&plan, 1, &[]).len(), 2);
}

#[test]
fn windows_that_turn_out_to_be_whole_are_in_no_group() {
    let plan = many(12, "v0");
    let slow = taken(&plan, 0, &["v3"]);
    let (alone, groups): (Vec<_>, Vec<_>) = slow.iter().partition(|group| group.len() == 1);
    assert_eq!((alone.len(), names(alone[0])), (1, vec!["v3"]));
    assert!(groups.iter().all(|group| baselines(&plan, group) == 1));
    assert_eq!(groups.len(), 2);
    // without the baseline nothing is gained by groups of it, and it is not started once more
    let slow = taken(&plan, 0, &["v0"]).concat();
    assert_eq!((baselines(&plan, &slow), slow.len()), (1, 13));
    assert!(slow.iter().all(|of| of.slot.group == 0));
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
        demand: None,
        peak: None,
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
