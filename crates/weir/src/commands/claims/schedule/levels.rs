//! Fewer levels of the curves of long plans, where a budget is too short for all of them, and those that another one adds.

use experiment::{Estimate, ExperimentError, Fewer, enough};
use record::Plan;

use super::{Job, Take};
use crate::error::Result;
use crate::output::note;

/// How long a plan will take.
type Estimated = std::result::Result<Estimate, ExperimentError>;

/// Takes levels from the sweeps of plans that are begun anew, of each the same share: as many as it needs for all plans to come
/// to verdicts in this budget (seconds). Where a run that is gone on with has fewer, levels are added up to that share.
pub(super) fn fit(
    jobs: &mut [Job],
    budget: f64,
    estimate: impl Fn(&Plan) -> Estimated,
) -> Result<()> {
    let share = share_of_all(jobs, budget, &estimate)?;
    for job in jobs {
        if let Some((whole, done)) = job.whole.take() {
            grow(job, (&whole, done), share, &estimate)?;
        } else if let Some(fewer) = fewer(job, share) {
            job.estimate = estimate(&fewer.plan)?;
            (job.plan, job.levels) = (fewer.plan, Some(fewer.levels));
        }
    }
    Ok(())
}

/// The share of their levels for which plans have time. A run that has more of them than that keeps these and gets no others:
/// what it has beyond its share is no time for other plans.
fn share_of_all(
    jobs: &mut [Job],
    budget: f64,
    estimate: &impl Fn(&Plan) -> Estimated,
) -> Result<f64> {
    let (mut left, mut swept) = (budget, 0.0);
    for job in &*jobs {
        if let Some((all, had)) = of_levels(job, estimate)? {
            left += had;
            swept += all;
        } else if job.take == Take::Fresh && experiment::fewer(&job.plan, 0.0).is_some() {
            swept += job.for_verdicts();
        } else {
            left -= job.for_verdicts();
        }
    }
    loop {
        let share = left / swept;
        let has_more = |job: &Job| {
            let whole = job.whole.as_ref();
            whole.is_some_and(|(whole, _)| experiment::more(whole, &job.plan, share).is_none())
        };
        let Some(job) = jobs.iter_mut().find(|job| has_more(job)) else {
            return Ok(share);
        };
        if let Some((all, had)) = of_levels(job, estimate)? {
            left -= had + job.for_verdicts();
            swept -= all;
        }
        job.whole = None;
    }
}

/// Seconds to verdicts with all levels of a plan of which a run has fewer, and those of them that the run has behind it.
fn of_levels(job: &Job, estimate: &impl Fn(&Plan) -> Estimated) -> Result<Option<(f64, f64)>> {
    let Some((whole, done)) = &job.whole else {
        return Ok(None);
    };
    let all = to_verdicts(whole, estimate(whole)?);
    let had = all.seconds * of_use(&job.plan, *done) as f64 / all.trials as f64;
    Ok(Some((all.seconds, had)))
}

/// An estimate of as many blocks of a plan as verdicts need.
fn to_verdicts(plan: &Plan, estimate: Estimate) -> Estimate {
    let need = estimate.need(plan);
    Estimate {
        trials: for_verdicts(plan),
        seconds: need.of(need.enough),
        ..estimate
    }
}

/// Trials of as many blocks of a plan as verdicts need.
fn for_verdicts(plan: &Plan) -> u64 {
    plan.trials_in(enough(plan))
}

/// Trials that a run of a plan has, but for those of blocks beyond the ones that verdicts need: to other levels they are no use.
fn of_use(plan: &Plan, done: u32) -> u64 {
    u64::from(done).min(for_verdicts(plan))
}

fn fewer(job: &Job, share: f64) -> Option<Fewer> {
    let fresh = job.take == Take::Fresh;
    experiment::fewer(&job.plan, share).filter(|_| fresh)
}

/// Goes on with a run of fewer levels than the plan has with this share of them, if that is more than it has, until verdicts.
fn grow(
    job: &mut Job,
    (whole, done): (&Plan, u32),
    share: f64,
    estimate: &impl Fn(&Plan) -> Estimated,
) -> Result<()> {
    let more = experiment::more(whole, &job.plan, share);
    if let (Some(run), Some(more)) = (job.take.run(), more) {
        let lacks = more.plan.variants.len() < whole.variants.len();
        let all = to_verdicts(&more.plan, estimate(&more.plan)?);
        job.estimate = all.rest(of_use(&job.plan, done));
        (job.plan, job.levels) = (more.plan, lacks.then_some(more.levels));
        job.take = Take::GoOn { run, done };
    }
    Ok(())
}

/// Says which levels there is time for, and how to have the others.
pub(super) fn tell(jobs: &[Job]) {
    for job in jobs {
        if let Some(levels) = &job.levels {
            note(format!(
                "{} with {levels}; `--resume` with another `--budget` adds some, and without `--budget` it takes all anew",
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
            whole: None,
        }
    }

    /// A run that has ended, with fewer levels than its plan has.
    fn ended(levels: u32, had: f64) -> Job {
        let whole = plan(levels);
        let plan = experiment::fewer(&whole, had).unwrap().plan;
        let done = plan.trials() as u32;
        Job {
            estimate: estimate(&plan),
            plan,
            whole: Some((whole, done)),
            ..job(levels, Take::Done(1))
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

    #[test]
    fn another_budget_adds_levels_to_a_run_that_has_fewer() {
        // 4 levels of 20 took 24 s, and each other one takes 6 s
        let jobs = || vec![ended(20, 0.2)];
        assert_eq!(fitted(jobs(), 5.0), [(0, false)]);
        assert_eq!(fitted(jobs(), 36.0), [(6 * 6, true)]);
        assert_eq!(fitted(jobs(), 96.0), [(6 * 16, false)]);
        // what is begun anew has its share too: 10 of 20 levels each
        let jobs = vec![ended(20, 0.2), job(20, Take::Fresh)];
        assert_eq!(fitted(jobs, 96.0), [(6 * 6, true), (6 * 10, true)]);
    }

    #[test]
    fn what_a_run_has_beyond_its_share_is_no_time_for_others() {
        let jobs = vec![ended(20, 0.5), job(20, Take::Fresh)];
        assert_eq!(fitted(jobs, 36.0), [(0, false), (6 * 6, true)]);
    }

    #[test]
    fn levels_are_added_to_as_many_blocks_as_verdicts_need() {
        let mut run = ended(20, 0.2);
        let (whole, _) = run.whole.as_mut().unwrap();
        (whole.blocks, run.plan.blocks) = (12, 12);
        let jobs = vec![run, job(20, Take::Fresh)];
        assert_eq!(fitted(jobs, 96.0), [(6 * 6, true), (6 * 10, true)]);
    }
}
