//! Claims of a plan, and conditions that a command line adds.

use std::path::Path;

use record::condition::Expectation;
use record::{Claim, Condition, Plan, Ranking, Variant};

use crate::error::ExperimentError;
use crate::plan::error::{PlanError, wrong};

/// Checks the conditions of claims against the variants of their plan.
pub(crate) fn check(
    path: &Path,
    claims: &[Claim],
    variants: &[Variant],
    rankings: &[Ranking],
) -> Result<(), PlanError> {
    for (index, claim) in claims.iter().enumerate() {
        let same = |other: &Claim| other.id == claim.id;
        let problem = if claim.id.trim().is_empty() {
            Some("a claim is shown by its `id`, and this one is empty")
        } else if claims[..index].iter().any(same) {
            Some("another claim of this plan has the same one")
        } else {
            None
        };
        if let Some(problem) = problem {
            let key = format!("claim[{index}].id");
            let hint = "give each claim an `id` of its own, such as `\"A1\"`";
            return Err(wrong(path, &key, problem, hint));
        }
        for (key, conditions) in [
            ("expect", &claim.expect),
            ("since-expect", &claim.since_expect),
        ] {
            for (place, condition) in conditions.iter().enumerate() {
                let checked = condition.check(variants, rankings);
                checked.map_err(|error| PlanError::Meaning {
                    path: path.to_owned(),
                    key: format!("claim[{index}].{key}[{place}]"),
                    problem: error.to_string(),
                    hint: error.hint(),
                })?;
            }
        }
        if claim.since.is_none() && !claim.since_expect.is_empty() {
            let key = format!("claim[{index}].since-expect");
            let problem = "there is no `since` that these conditions test";
            return Err(wrong(path, &key, problem, "write the text as `since`"));
        }
        if let Some([name, problem, hint]) = wrong_demand(claim) {
            let key = format!("claim[{index}].{name}");
            return Err(wrong(path, &key, problem, hint));
        }
        if claim.expect.is_empty() {
            let key = format!("claim[{index}].expect");
            let hint = "write ``expect = [\"throughput of `b` / throughput of `a` >= 1.6\"]``";
            let problem = "a claim needs at least one condition";
            return Err(wrong(path, &key, problem, hint));
        }
    }
    Ok(())
}

/// What is wrong with what a claim's machines are to carry: the key, the problem, and what to write.
fn wrong_demand(claim: &Claim) -> Option<[&'static str; 3]> {
    let Some(demand) = &claim.demand else {
        let problem = "there is no `demand` of which it is the busiest moment";
        return claim.peak.map(|_| {
            [
                "peak",
                problem,
                "write `demand = \"3M/day\"` too, or leave it out",
            ]
        });
    };
    let mean = record::per_second(demand);
    if mean.is_none_or(|mean| !(mean.is_finite() && mean > 0.0)) {
        let problem = "it is no number of requests in a time";
        return Some([
            "demand",
            problem,
            "write `demand = \"3M/day\"`, or `\"500/s\"`",
        ]);
    }
    if claim
        .peak
        .is_some_and(|peak| !record::PEAKS.contains(&peak))
    {
        let problem = "it is no number from 1 to 1,000,000";
        let hint =
            "write how many times the mean falls due in the busiest moment, as in `peak = 3`";
        return Some(["peak", problem, hint]);
    }
    let compares = |of: &Condition| match &of.means {
        Ok(Expectation::Figures(of)) => of.carried().is_some(),
        Ok(Expectation::Ranking(_)) | Err(_) => false,
    };
    let told = claim.expect.iter().any(compares);
    (!told).then_some([
        "demand",
        "machines are told by what one carries, and no condition compares throughputs",
        "leave it out, or write ``expect = [\"throughput of `b` / throughput of `a` >= 1.6\"]``",
    ])
}

/// Adds a condition that a run of this plan must meet.
///
/// # Errors
/// It is no condition, or names a variant that the plan does not have.
pub fn require(plan: &mut Plan, text: &str) -> Result<(), ExperimentError> {
    let condition = Condition::read(text);
    condition
        .check(&plan.variants, &plan.rankings)
        .map_err(ExperimentError::Condition)?;
    let mut numbers = 1..;
    let free = |id: &String| plan.claims.iter().all(|claim| claim.id != *id);
    let id = numbers.find_map(|number| Some(format!("required {number}")).filter(free));
    plan.claims.push(Claim {
        id: id.unwrap_or_default(),
        text: text.to_owned(),
        reported: String::new(),
        required: true,
        expect: vec![condition],
        since: None,
        demand: None,
        peak: None,
        differs: Vec::new(),
        since_expect: Vec::new(),
    });
    Ok(())
}
