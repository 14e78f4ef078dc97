//! Claims of a plan, and conditions that a command line adds.

use std::path::Path;

use record::{Claim, Plan, Ranking, Stage};

use crate::error::ExperimentError;
use crate::plan::error::PlanError;
use crate::plan::file::ClaimTable;

/// The claims of a file, their conditions checked against its stages.
pub(crate) fn resolve(
    path: &Path,
    tables: Vec<ClaimTable>,
    stages: &[Stage],
    rankings: &[Ranking],
) -> Result<Vec<Claim>, PlanError> {
    let wrong = |key: String, problem: String, hint: Option<String>| PlanError::Meaning {
        path: path.to_owned(),
        key,
        problem,
        hint,
    };
    for (index, table) in tables.iter().enumerate() {
        for (place, text) in table.expect.iter().enumerate() {
            let key = || format!("claim[{index}].expect[{place}]");
            judge::check_condition(text, stages, rankings)
                .map_err(|error| wrong(key(), error.to_string(), error.hint()))?;
        }
        if table.expect.is_empty() {
            return Err(wrong(
                format!("claim[{index}].expect"),
                "a claim needs at least one condition".to_owned(),
                Some(
                    "write ``expect = [\"throughput of `b` / throughput of `a` >= 1.6\"]``"
                        .to_owned(),
                ),
            ));
        }
    }
    Ok(tables.into_iter().map(claim).collect())
}

fn claim(table: ClaimTable) -> Claim {
    Claim {
        id: table.id,
        text: table.text,
        reported: table.reported,
        required: table.required,
        expect: table.expect,
        since: table.since,
    }
}

/// Adds a condition that a run of this plan must meet.
///
/// # Errors
/// It is no condition, or names a stage that the plan does not have.
pub fn require(plan: &mut Plan, condition: &str) -> Result<(), ExperimentError> {
    judge::check_condition(condition, &plan.stages, &plan.rankings)
        .map_err(ExperimentError::Condition)?;
    let mut numbers = 1..;
    let free = |id: &String| plan.claims.iter().all(|claim| claim.id != *id);
    let id = numbers.find_map(|number| Some(format!("required {number}")).filter(free));
    plan.claims.push(Claim {
        id: id.unwrap_or_default(),
        text: condition.to_owned(),
        reported: String::new(),
        required: true,
        expect: vec![condition.to_owned()],
        since: None,
    });
    Ok(())
}
