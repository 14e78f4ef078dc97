//! A plan with fewer levels of its longest sweep, where there is no time for all of them.

use std::collections::{BTreeMap, BTreeSet};

use record::condition::{Expectation, select};
use record::{Plan, Variant};

/// Levels that a curve has at least.
const FEWEST: usize = 3;

/// A plan with fewer levels than its file has.
#[derive(Clone, Debug, PartialEq)]
pub struct Fewer {
    /// The plan; its last `differs` tells of the levels.
    pub plan: Plan,
    /// Which levels: ``4 of 10 levels of `connections`: 1, 31, 61, 91``.
    pub levels: String,
}

/// The plan with about this share (0 to 1) of the levels of its longest sweep: the first, the last, and others evenly between
/// them, three at least, the same ones in all families. A level stays as well where a name would mean no variant without it:
/// one in a claim or a ranking, the baseline's, the A/A variant's, that of the variant whose capacity rates are shares of. None
/// where nothing is left out so.
pub fn fewer(plan: &Plan, share: f64) -> Option<Fewer> {
    let (factor, levels) = longest(plan)?;
    let number = ((levels.len() as f64 * share) as usize).max(FEWEST);
    if number >= levels.len() {
        return None;
    }
    let spread = |at: usize| levels[at * (levels.len() - 1) / (number - 1)];
    let mut kept: BTreeSet<&str> = (0..number).map(spread).collect();
    for name in names(plan) {
        let meant = select(&plan.variants, &name).unwrap_or_default();
        let own = meant
            .into_iter()
            .filter_map(|variant| level_of(variant, factor));
        let own: Vec<&str> = own.collect();
        if !own.is_empty() && !own.iter().any(|level| kept.contains(level)) {
            kept.insert(own[own.len() / 2]);
        }
    }
    (kept.len() < levels.len()).then(|| with(plan, factor, &levels, &kept))
}

/// The plan with the levels that a run of it had, by the plan of that run; none where it had all, or is one of something else.
pub fn levels_of(plan: &Plan, run: &Plan) -> Option<Fewer> {
    let (factor, levels) = longest(plan)?;
    let own = run.variants.iter();
    let kept: BTreeSet<&str> = own
        .filter_map(|variant| level_of(variant, factor))
        .collect();
    let fewer = with(plan, factor, &levels, &kept);
    let told = fewer.plan.differs.last()?;
    run.differs.contains(told).then_some(fewer)
}

/// The factor with the most levels that are numbers, and these in their order.
fn longest(plan: &Plan) -> Option<(&str, Vec<&str>)> {
    let mut factors: BTreeMap<&str, Vec<(f64, &str)>> = BTreeMap::new();
    let sweeps = plan
        .variants
        .iter()
        .filter_map(|variant| variant.sweep.as_ref());
    for level in sweeps.flat_map(|sweep| &sweep.levels) {
        let Some(number) = level.number else { continue };
        let levels = factors.entry(&level.factor).or_default();
        if !levels.iter().any(|(_, known)| *known == level.level) {
            levels.push((number, level.level.as_str()));
        }
    }
    let (factor, mut levels) = factors.into_iter().max_by_key(|(_, levels)| levels.len())?;
    levels.sort_by(|one, other| one.0.total_cmp(&other.0));
    Some((factor, levels.into_iter().map(|(_, level)| level).collect()))
}

fn level_of<'a>(variant: &'a Variant, factor: &str) -> Option<&'a str> {
    let mut levels = variant.sweep.as_ref()?.levels.iter();
    let own = levels.find(|level| level.factor == factor)?;
    Some(&own.level)
}

/// Every name by which something in the plan means variants, and that of each family.
fn names(plan: &Plan) -> BTreeSet<String> {
    let own = [&plan.baseline].into_iter().chain(&plan.noise_floor);
    let own = own.chain(plan.of_capacity.iter().map(|of| &of.variant));
    let mut names: BTreeSet<String> = own.cloned().collect();
    let sweeps = plan
        .variants
        .iter()
        .filter_map(|variant| variant.sweep.as_ref());
    names.extend(sweeps.map(|sweep| sweep.family.clone()));
    for claim in &plan.claims {
        for condition in claim.expect.iter().chain(&claim.since_expect) {
            if let Ok(Expectation::Figures(of)) = &condition.means {
                names.extend(of.figures().map(|figure| figure.variant.clone()));
            }
        }
    }
    for ranking in &plan.rankings {
        for rival in &ranking.of {
            names.extend(ranking.by.iter().map(|by| rival.at(by)));
        }
    }
    names
}

/// The plan with these of the factor's levels.
fn with(plan: &Plan, factor: &str, levels: &[&str], kept: &BTreeSet<&str>) -> Fewer {
    let stays =
        |variant: &Variant| level_of(variant, factor).is_none_or(|level| kept.contains(level));
    let listed = levels.iter().copied();
    let listed: Vec<&str> = listed.filter(|level| kept.contains(level)).collect();
    let (number, all) = (listed.len(), levels.len());
    let told = format!(
        "{number} of {all} levels of `{factor}`: {}",
        listed.join(", ")
    );
    let mut fewer = plan.clone();
    fewer.variants.retain(stays);
    fewer
        .whole
        .retain(|name| plan.variant(name).is_some_and(stays));
    fewer.differs.push(format!("for want of time {told}"));
    Fewer {
        plan: fewer,
        levels: told,
    }
}

#[cfg(test)]
mod tests {
    use record::{Claim, Condition, Level, Sweep};

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
    fn a_run_with_fewer_levels_is_told_from_one_of_some_variants() {
        let whole = curves();
        let less = fewer(&whole, 0.3).unwrap();
        assert_eq!(levels_of(&whole, &less.plan), Some(less));
        assert_eq!(levels_of(&whole, &whole), None);
        let mut some = whole.clone();
        only(&mut some, &["x@connections=1..41".to_owned()]).unwrap();
        assert_eq!(levels_of(&whole, &some), None);
    }
}
