//! A plan with fewer levels of its longest sweep, where there is no time for all of them.

use std::collections::{BTreeMap, BTreeSet};

use record::condition::{Expectation, select};
use record::{Plan, Variant};

/// Levels that a curve has at least.
const FEWEST: usize = 3;

/// What the line begins with by which a plan tells of its levels.
const BECAUSE: &str = "for want of time ";

/// A plan with fewer levels than its file has.
#[derive(Clone, Debug, PartialEq)]
pub struct Fewer {
    /// The plan; its last `differs` tells of the levels, unless it has all.
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
    let wanted = number_of(&levels, share).max(FEWEST);
    let spread = |number: usize| -> BTreeSet<&str> {
        let at = |place: usize| levels[place * (levels.len() - 1) / (number - 1)];
        named(plan, factor, (0..number).map(at).collect())
    };
    // those that a name needs are of the share
    let mut numbers = (FEWEST..=wanted.min(levels.len())).rev();
    let kept = numbers.find_map(|number| Some(spread(number)).filter(|of| of.len() <= wanted));
    let kept = kept.unwrap_or_else(|| spread(FEWEST));
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
    let told = format!("{BECAUSE}{}", fewer.levels);
    run.differs.contains(&told).then_some(fewer)
}

/// The plan with about this share of its levels, those among them that `had` has, which is the plan with fewer: each other one
/// lies in the middle of the widest gap. None where that is no more than it had.
pub fn more(plan: &Plan, had: &Plan, share: f64) -> Option<Fewer> {
    let (factor, levels) = longest(plan)?;
    let is_had = |at: &usize| {
        let mut own = had.variants.iter();
        own.any(|variant| level_of(variant, factor) == Some(levels[*at]))
    };
    let had: BTreeSet<usize> = (0..levels.len()).filter(is_had).collect();
    let kept = filled(had.clone(), number_of(&levels, share));
    (kept.len() > had.len()).then(|| {
        let kept: BTreeSet<&str> = kept.into_iter().map(|at| levels[at]).collect();
        with(plan, factor, &levels, &kept)
    })
}

/// The plan of a run with the variants that it lacks of its plan with more levels, at the capacity that the run has measured;
/// none where it lacks none.
pub fn grown(run: &Plan, plan: &Plan) -> Option<Plan> {
    let plan = &plan.at_capacity_of(run);
    let lacks = |of: &Variant| run.variant(&of.name).is_none();
    plan.variants.iter().any(lacks).then(|| {
        let own = |of: &Variant| run.variant(&of.name).unwrap_or(of).clone();
        let tells = |line: &&String| line.starts_with(BECAUSE);
        let others = run.differs.iter().filter(|line| !tells(line));
        let differs = others.chain(plan.differs.iter().filter(tells));
        Plan {
            variants: plan.variants.iter().map(own).collect(),
            whole: plan.whole.clone(),
            differs: differs.cloned().collect(),
            ..run.clone()
        }
    })
}

/// How many of these levels are this share of them.
fn number_of(levels: &[&str], share: f64) -> usize {
    (levels.len() as f64 * share) as usize
}

/// These places with others between them, until there are so many.
fn filled(mut places: BTreeSet<usize>, number: usize) -> BTreeSet<usize> {
    while places.len() < number {
        let all: Vec<usize> = places.iter().copied().collect();
        let widest = all.windows(2).max_by_key(|two| two[1] - two[0]);
        let between = widest.filter(|two| two[1] - two[0] > 1);
        let Some(two) = between else { break };
        places.insert(usize::midpoint(two[0], two[1]));
    }
    places
}

/// These levels of a factor, and one for each name that would mean no variant without it.
fn named<'a>(plan: &'a Plan, factor: &str, mut kept: BTreeSet<&'a str>) -> BTreeSet<&'a str> {
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
    kept
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
    if number < all {
        fewer.differs.push(format!("{BECAUSE}{told}"));
    }
    Fewer {
        plan: fewer,
        levels: told,
    }
}

#[cfg(test)]
mod tests;
