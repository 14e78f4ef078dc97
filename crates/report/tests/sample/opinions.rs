use std::collections::BTreeMap;

use judge::{
    Comparison, Decision, Doubt, DoubtKind, Figure, Judged, Lead, NoiseFloor, Stressed,
    TrialOpinion, VariantOpinion, Verdict,
};
use record::{Metric, Outcome, Run, Stress, Trial};
use report::terminal::Compared;

use super::claims::claims;
use super::variants::{TIMES, time, variant_opinion};

pub(crate) fn judged(run: &Run, trials: &[Trial]) -> Judged {
    let variants: Vec<VariantOpinion> = run
        .plan
        .variants
        .iter()
        .map(|variant| variant_opinion(&variant.name, &variant.title, trials))
        .collect();
    Judged {
        faulted: Vec::new(),
        reached: None,
        lead: lead(run, &variants, Metric::Throughput),
        changes: Vec::new(),
        revised: Vec::new(),
        decision: Some(decision()),
        too_wide: None,
        stress: stress(),
        run: run.id,
        blocks: run.plan.blocks,
        looks: None,
        baseline: run.plan.baseline.clone(),
        variants,
        noise_floor: Some(noise_floor()),
        scatter: Some(judge::Scatter {
            between: 0.031,
            within: 0.008,
        }),
        pace: Some(judge::Pace {
            lowest: 0.72,
            trials: 27,
        }),
        peak: None,
        claims: claims(),
        curves: Vec::new(),
        ceilings: Vec::new(),
        rankings: Vec::new(),
        matrices: Vec::new(),
        trials: trials.iter().map(trial_opinion).collect(),
    }
}

fn decision() -> Decision {
    let better =
        |metric, ratio, verdict| comparison(metric, "two-workers", "flask-dev", ratio, verdict);
    Decision {
        variant: "two-workers".into(),
        simpler_than: None,
        saves: Vec::new(),
        over: Some("flask-dev".into()),
        brings: vec![better(Metric::Throughput, 2.07, Verdict::Better)],
        costs: vec![better(Metric::PeakMemory, 1.54, Verdict::Worse)],
        may_cost: Vec::new(),
        as_good: vec!["nginx-in-front".into()],
        development: Vec::new(),
        alone: false,
    }
}

/// One that is felled, one that stands, and one that failed.
fn stress() -> Vec<Stressed> {
    let line = |variant: &str, throughput, ratio| Stressed {
        recovery: None,
        back: None,
        gone: false,
        stress: Stress::SlowClients,
        variant: variant.into(),
        throughput,
        ratio: Some(ratio),
        p99: Some(Figure {
            value: 0.4 / ratio,
            interval: None,
        }),
        errors: Some(0.0),
        wrong: 0,
        p99_at_least: None,
        failure: None,
        felled: ratio < 0.5,
    };
    vec![
        line("two-workers", 4.2, 0.01),
        line("nginx-in-front", 376.0, 0.95),
        Stressed {
            errors: None,
            failure: Some("`flask-dev` ended with code 1".into()),
            p99: None,
            p99_at_least: Some(2.0),
            felled: true,
            ..line("flask-dev", 0.0, 0.0)
        },
    ]
}

/// The best variant of the baseline's route, surely better than each of the others.
pub(crate) fn lead(run: &Run, variants: &[VariantOpinion], metric: Metric) -> Lead {
    let route = |name: &str| {
        &run.plan
            .variant(name)
            .expect("a variant of the sample")
            .route
    };
    let entered = variants
        .iter()
        .filter(|of| route(&of.name) == route(&run.plan.baseline));
    let figures = entered
        .clone()
        .filter_map(|of| Some((of.name.clone(), of.figures.get(&metric)?.value)));
    let mut rivals: Vec<(String, f64)> = figures.collect();
    rivals.sort_by(|a, b| a.1.total_cmp(&b.1));
    if metric.larger_is_better() {
        rivals.reverse();
    }
    let (names, values): (Vec<_>, Vec<_>) = rivals.into_iter().unzip();
    let others = names.iter().zip(&values).skip(1);
    let first = variants.iter().find(|of| Some(&of.name) == names.first());
    let sure = first.is_some_and(|of| of.figures[&metric].interval.is_some());
    Lead {
        route: route(&run.plan.baseline).clone(),
        metric,
        entered: entered.count() as u32,
        leaders: names.iter().take(1).cloned().collect(),
        beaten: Vec::new(),
        development: Vec::new(),
        outran: Vec::new(),
        own_share: None,
        comparisons: others
            .map(|(other, value)| Comparison {
                metric,
                of: names[0].clone(),
                over: other.clone(),
                ratio: values[0] / value,
                interval: sure.then_some((values[0] / value * 0.96, values[0] / value * 1.04)),
                pairs: super::BLOCKS,
                paired: true,
                one_ended: false,
                elsewhere: None,
                wanted: None,
                verdict: Verdict::Better,
            })
            .collect(),
        rivals: names,
    }
}

pub(crate) fn doubts() -> Vec<Doubt> {
    vec![
        Doubt {
            kind: DoubtKind::GeneratorSaturated,
            disqualifies: true,
            because: "the busiest worker thread was busy 97 % of the time".into(),
            advice: "give the engine more threads, or pin the stack to fewer cores".into(),
        },
        Doubt {
            kind: DoubtKind::Errors,
            disqualifies: false,
            because: "3 of 1,000 requests failed: 3 reset before the response".into(),
            advice: "look at the server's log, which is kept with the trial".into(),
        },
    ]
}

fn trial_opinion(trial: &Trial) -> TrialOpinion {
    let mut figures = BTreeMap::new();
    let mut failure = None;
    match &trial.outcome {
        Outcome::Measured(measured) => {
            figures.insert(Metric::Throughput, measured.load.throughput());
            for metric in TIMES {
                figures.extend(time(metric, &measured.load.response).map(|value| (metric, value)));
            }
        }
        Outcome::Failed(failed) => failure = Some(failed.error.clone()),
    }
    let saturated = trial.variant == "static" && trial.block == 2;
    TrialOpinion {
        block: trial.block,
        variant: trial.variant.clone(),
        again: trial.again,
        group: trial.group,
        attempt: trial.attempt,
        taken_again: false,
        counts: failure.is_none() && !saturated,
        figures,
        doubts: if saturated {
            doubts()[..1].to_vec()
        } else {
            vec![]
        },
        failure,
    }
}

pub(crate) fn comparison(
    metric: Metric,
    of: &str,
    over: &str,
    ratio: f64,
    verdict: Verdict,
) -> Comparison {
    Comparison {
        metric,
        of: of.into(),
        over: over.into(),
        ratio,
        interval: Some((ratio * 0.96, ratio * 1.035)),
        pairs: 6,
        paired: true,
        one_ended: false,
        elsewhere: None,
        wanted: (verdict == Verdict::CannotTell).then_some(31),
        verdict,
    }
}

/// The same of variants whose commits are not known.
pub(crate) fn compared(all: &[Comparison]) -> Vec<Compared<'_>> {
    let row = |comparison| Compared {
        comparison,
        of_commit: None,
        over_commit: None,
        differences: &[],
    };
    all.iter().map(row).collect()
}

fn noise_floor() -> NoiseFloor {
    NoiseFloor {
        variant: "one-worker".into(),
        comparison: comparison(
            Metric::Throughput,
            "one-worker",
            "one-worker",
            1.003,
            Verdict::Same,
        ),
        share: Some(0.038),
        by_metric: BTreeMap::from([(Metric::Throughput, 0.038)]),
    }
}
