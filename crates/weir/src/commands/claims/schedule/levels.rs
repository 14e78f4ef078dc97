//! Fewer levels of the curves of long plans, where a budget is too short for all of them.

use experiment::{Estimate, ExperimentError};
use record::Plan;

use super::{Job, Take};
use crate::error::Result;
use crate::output::note;

/// Takes levels from the sweeps of plans that are begun anew, of each the same share: as many as it needs for all plans to come
/// to verdicts in this budget (seconds).
pub(super) fn fit(
    jobs: &mut [Job],
    budget: f64,
    estimate: impl Fn(&Plan) -> std::result::Result<Estimate, ExperimentError>,
) -> Result<()> {
    let (mut whole, mut swept) = (0.0, 0.0);
    for job in &*jobs {
        let can = job.take == Take::Fresh && experiment::fewer(&job.plan, 0.0).is_some();
        let of = if can { &mut swept } else { &mut whole };
        *of += job.for_verdicts();
    }
    let share = (budget - whole) / swept;
    for job in jobs.iter_mut().filter(|job| job.take == Take::Fresh) {
        if let Some(fewer) = experiment::fewer(&job.plan, share) {
            job.estimate = estimate(&fewer.plan)?;
            (job.plan, job.levels) = (fewer.plan, Some(fewer.levels));
        }
    }
    Ok(())
}

/// Says which levels there is time for, and how to have the others.
pub(super) fn tell(jobs: &[Job]) {
    for job in jobs {
        if let Some(levels) = &job.levels {
            note(format!(
                "{} with {levels}; it takes all without `--budget`, and goes on with `--resume` when it was interrupted",
                job.plan.name
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use experiment::Basis;
    use record::{Level, Sweep, Variant};

    use super::super::share_out;
    use super::*;

    /// A plan of six blocks whose variant is swept over so many levels.
    fn plan(levels: u32) -> Plan {
        let variant = |number: u32| Variant {
            name: format!("app@connections={number}"),
            sweep: Some(Sweep {
                family: "app".to_owned(),
                levels: vec![Level {
                    factor: "connections".to_owned(),
                    level: number.to_string(),
                    number: Some(f64::from(number)),
                }],
                added: false,
            }),
            ..Variant::default()
        };
        Plan {
            blocks: 6,
            variants: (1..=levels).map(variant).collect(),
            ..Plan::default()
        }
    }

    /// A second for each trial.
    fn estimate(plan: &Plan) -> Estimate {
        Estimate {
            trials: plan.trials(),
            seconds: plan.trials() as f64,
            block: plan.variants.len() as f64,
            basis: Basis::Windows,
        }
    }

    fn job(levels: u32, take: Take) -> Job {
        let plan = plan(levels);
        Job {
            blocks: plan.blocks,
            estimate: estimate(&plan),
            plan,
            take,
            levels: None,
        }
    }

    /// Trials that are planned for each in so many seconds, and whether levels are missing.
    fn fitted(mut jobs: Vec<Job>, budget: f64) -> Vec<(u64, bool)> {
        fit(&mut jobs, budget, |plan| Ok(estimate(plan))).unwrap();
        share_out(&mut jobs, budget);
        let planned = jobs.iter();
        planned
            .map(|job| (job.trials(), job.levels.is_some()))
            .collect()
    }

    #[test]
    fn a_budget_leaves_levels_out_before_it_leaves_blocks_out() {
        // 6 × 20 trials of a curve, and 6 × 2 of what has no levels to spare
        let jobs = || vec![job(20, Take::Fresh), job(2, Take::Fresh)];
        assert_eq!(fitted(jobs(), 132.0), [(120, false), (12, false)]);
        assert_eq!(fitted(jobs(), 72.0), [(60, true), (12, false)]);
        // three levels are the fewest; then blocks are left out
        assert_eq!(fitted(jobs(), 30.0), [(18, true), (12, false)]);
        assert_eq!(fitted(jobs(), 1.0), [(3, true), (2, false)]);
    }

    #[test]
    fn what_was_begun_keeps_its_levels() {
        let left = Take::GoOn { run: 1, done: 0 };
        let jobs = vec![job(20, left), job(20, Take::Fresh)];
        assert_eq!(fitted(jobs, 180.0), [(120, false), (60, true)]);
    }
}
