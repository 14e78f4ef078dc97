use record::{Arrivals, Claim, Condition, Level, Load, OfCapacity, Process, Shape, Sweep};

use super::*;
use crate::plan::only::only;
use crate::run::order::tests::plan;

/// Four variants that are no sweep's, and two families with 1, 11, … 91 connections.
fn curves() -> Plan {
    let mut plan = plan(1, Some("a"), 6);
    let like = plan.variants[0].clone();
    for family in ["x", "y"] {
        for connections in (1..=91_u32).step_by(10) {
            let level = Level {
                factor: "connections".to_owned(),
                level: connections.to_string(),
                number: Some(f64::from(connections)),
            };
            plan.variants.push(Variant {
                name: format!("{family}@connections={connections}"),
                sweep: Some(Sweep {
                    family: family.to_owned(),
                    levels: vec![level],
                    added: false,
                }),
                ..like.clone()
            });
        }
    }
    plan
}

fn of_family<'a>(plan: &'a Plan, family: &str) -> Vec<&'a str> {
    let variants = select(&plan.variants, family).unwrap().into_iter();
    variants
        .filter_map(|variant| level_of(variant, "connections"))
        .collect()
}

#[test]
fn the_ends_stay_and_others_evenly_between_them() {
    let whole = curves();
    let less = fewer(&whole, 0.45).unwrap();
    assert_eq!(
        less.levels,
        "4 of 10 levels of `connections`: 1, 31, 61, 91"
    );
    assert_eq!(less.plan.variants.len(), 4 + 2 * 4);
    for family in ["x", "y"] {
        assert_eq!(of_family(&less.plan, family), ["1", "31", "61", "91"]);
    }
    let told = less.plan.differs.last().unwrap();
    assert!(told.ends_with(&less.levels), "{told}");
    let least = fewer(&whole, 0.0).unwrap();
    assert_eq!(of_family(&least.plan, "x"), ["1", "41", "91"]);
    assert_eq!(fewer(&whole, 1.0), None);
    assert_eq!(fewer(&plan(1, None, 6), 0.0), None, "nothing is varied");
}

#[test]
fn what_is_named_means_something_as_before() {
    let mut whole = curves();
    whole.noise_floor = Some("y@connections=51".to_owned());
    let asked = "throughput of `x@connections=11..21` / throughput of `a` > 1";
    whole.claims = vec![Claim {
        id: "A1".to_owned(),
        text: String::new(),
        reported: String::new(),
        required: false,
        expect: vec![Condition::read(asked)],
        since: None,
        demand: None,
        peak: None,
        since_expect: Vec::new(),
        differs: Vec::new(),
    }];
    let less = fewer(&whole, 0.0).unwrap().plan;
    for family in ["x", "y"] {
        assert_eq!(of_family(&less, family), ["1", "21", "41", "51", "91"]);
    }
    let means = less.claims[0].expect[0].check(&less.variants, &[]);
    assert!(means.is_ok(), "{means:?}");
}

#[test]
fn a_level_for_a_name_is_one_of_its_share() {
    let mut whole = curves();
    whole.noise_floor = Some("y@connections=51".to_owned());
    let less = fewer(&whole, 0.45).unwrap().plan;
    assert_eq!(of_family(&less, "x"), ["1", "41", "51", "91"]);
}

#[test]
fn levels_are_added_in_the_widest_gaps_to_those_that_a_run_has() {
    let whole = curves();
    let had = fewer(&whole, 0.0).unwrap().plan;
    assert_eq!(more(&whole, &had, 0.39), None);
    let next = more(&whole, &had, 0.5).unwrap();
    let levels = "5 of 10 levels of `connections`: 1, 21, 41, 61, 91";
    assert_eq!(next.levels, levels);
    // the run keeps what is its own
    let run = Plan {
        seed: 7,
        differs: [&["its app is older".to_owned()][..], &had.differs[..]].concat(),
        ..had.clone()
    };
    let plan = grown(&run, &next.plan).unwrap();
    assert_eq!(of_family(&plan, "y"), ["1", "21", "41", "61", "91"]);
    let told = format!("for want of time {levels}");
    assert_eq!(plan.differs, ["its app is older", &told]);
    assert_eq!(plan.seed, 7);
    assert_eq!(levels_of(&whole, &plan), Some(next.clone()));
    assert_eq!(grown(&plan, &next.plan), None);
    let all = more(&whole, &plan, 1.0).unwrap().plan;
    assert_eq!(grown(&plan, &all).unwrap().differs, ["its app is older"]);
    assert_eq!(all, whole);
}

#[test]
fn an_added_level_has_a_rate_of_the_capacity_that_its_run_has_measured() {
    let mut whole = curves();
    for variant in &mut whole.variants {
        variant.load = Some(Load {
            shape: Shape::Open(Arrivals {
                process: Process::Poisson,
                segments: Arrivals::steady(0.3),
                max_outstanding: 100,
                seed: 1,
            }),
            ..Load::default()
        });
    }
    whole.of_capacity = Some(OfCapacity::of("x@connections=1".to_owned()));
    let run = fewer(&whole, 0.0).unwrap().plan.at_capacity(200.0);
    assert_eq!(grown(&run, &whole), Some(whole.at_capacity(200.0)));
}

#[test]
fn a_run_with_fewer_levels_is_told_from_one_of_some_variants() {
    let whole = curves();
    let less = fewer(&whole, 0.3).unwrap();
    assert_eq!(levels_of(&whole, &less.plan), Some(less));
    assert_eq!(levels_of(&whole, &whole), None);
    let mut some = whole.clone();
    only(&mut some, &["x@connections=1..41".to_owned()]).unwrap();
    assert_eq!(levels_of(&whole, &some), None);
}
