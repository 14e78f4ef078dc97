use std::collections::BTreeMap;

use judge::{
    ClaimVerdict, Comparison, ConditionVerdict, Confidence, Decision, Doubt, DoubtKind, Figure,
    Finding, FindingKind, Found, Holds, Judged, Lead, NoiseFloor, Parts, Stressed, TrialOpinion,
    VariantOpinion, Verdict,
};
use record::{Distribution, Measured, Metric, Outcome, ProcessCost, Run, Stress, Trial};

const TIMES: [Metric; 6] = [
    Metric::Mean,
    Metric::P50,
    Metric::P90,
    Metric::P95,
    Metric::P99,
    Metric::Max,
];

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
        decision: Some(decision()),
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
        over: Some("flask-dev".into()),
        brings: vec![better(Metric::Throughput, 2.07, Verdict::Better)],
        costs: vec![better(Metric::PeakMemory, 1.54, Verdict::Worse)],
        as_good: vec!["nginx-in-front".into()],
        alone: false,
    }
}

/// One that is felled, one that stands, and one that failed.
fn stress() -> Vec<Stressed> {
    let line = |variant: &str, throughput, ratio| Stressed {
        recovery: None,
        back: None,
        stress: Stress::SlowClients,
        variant: variant.into(),
        throughput,
        ratio: Some(ratio),
        p99: Some(Figure {
            value: 0.4 / ratio,
            interval: None,
        }),
        errors: 0.0,
        p99_at_least: None,
        failure: None,
        felled: ratio < 0.5,
    };
    vec![
        line("two-workers", 4.2, 0.01),
        line("nginx-in-front", 376.0, 0.95),
        Stressed {
            errors: 1.0,
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

fn time(metric: Metric, times: &Distribution) -> Option<f64> {
    match metric {
        Metric::Mean => times.mean(),
        Metric::Max => times.max(),
        _ => times.quantile(metric.quantile()?),
    }
}

fn missing(figures: &BTreeMap<Metric, Figure>) -> Vec<Metric> {
    let quantiles = Metric::ALL.iter().copied();
    let quantiles = quantiles.filter(|metric| metric.quantile().is_some());
    quantiles.filter(|of| !figures.contains_key(of)).collect()
}

fn parts() -> Parts {
    Parts {
        front: "nginx".into(),
        behind: "gunicorn".into(),
        all: 0.0251,
        outside: 0.0012,
        inside: Some(0.0004),
        queue: None,
        server: 0.0235,
    }
}

fn variant_opinion(name: &str, title: &str, trials: &[Trial]) -> VariantOpinion {
    let own = |trial: &&Trial| trial.variant == name && !trial.again;
    let measured: Vec<&Measured> = trials.iter().filter(own).filter_map(facts).collect();
    let mut response = Distribution::default();
    for of in &measured {
        response.merge(&of.load.response);
    }
    let spoilt = u32::from(name == "static");
    let figures = figures(&measured);
    VariantOpinion {
        findings: findings(),
        parts: (name == "nginx-in-front").then(parts),
        name: name.into(),
        title: title.into(),
        counted: measured.len() as u32 - spoilt,
        left_out: super::BLOCKS - measured.len() as u32 + spoilt,
        against_baseline: against_baseline(name, figures[&Metric::Throughput].value),
        too_few: missing(&figures),
        figures,
        response,
        doubts: match name {
            "static" => vec![(doubts()[0].clone(), 1)],
            "nginx-in-front" => vec![(doubts()[1].clone(), 5)],
            _ => vec![],
        },
        talked: None,
        taken_again: Vec::new(),
        failure: None,
    }
}

fn facts(trial: &Trial) -> Option<&Measured> {
    match &trial.outcome {
        Outcome::Measured(measured) => Some(measured),
        Outcome::Failed(_) => None,
    }
}

fn figures(measured: &[&Measured]) -> BTreeMap<Metric, Figure> {
    let middle = |of: &dyn Fn(&Measured) -> Option<f64>| {
        let mut values: Vec<f64> = measured.iter().filter_map(|facts| of(facts)).collect();
        values.sort_by(f64::total_cmp);
        let interval = Some((values[0], values[values.len() - 1]));
        Figure {
            value: values[values.len() / 2],
            interval,
        }
    };
    let mut figures = BTreeMap::from([
        (Metric::Throughput, middle(&|of| Some(of.load.throughput()))),
        (
            Metric::CpuPerRequest,
            middle(&|of| Some(cpu(of) / of.load.completed as f64)),
        ),
        (
            Metric::PeakMemory,
            middle(&|of| Some(31.4e6 * (of.processes.len() - 1) as f64)),
        ),
        (
            Metric::Errors,
            middle(&|of| Some(of.load.failures() as f64 / 1_000.0)),
        ),
    ]);
    for metric in TIMES {
        figures.insert(metric, middle(&|of| time(metric, &of.load.response)));
    }
    figures
}

fn cpu(measured: &Measured) -> f64 {
    let own = measured
        .processes
        .iter()
        .filter(|process| process.owner != "weir");
    own.map(ProcessCost::cpu).sum()
}

fn against_baseline(name: &str, rate: f64) -> Vec<Comparison> {
    let ratio = rate / 203.6;
    if name == "flask-dev" {
        return vec![];
    }
    vec![
        comparison(
            Metric::Throughput,
            name,
            "flask-dev",
            ratio,
            Verdict::Better,
        ),
        comparison(
            Metric::Mean,
            name,
            "flask-dev",
            1.0 / ratio,
            Verdict::Better,
        ),
        comparison(
            Metric::P50,
            name,
            "flask-dev",
            1.01 / ratio,
            Verdict::Better,
        ),
    ]
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
        verdict,
    }
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

fn condition(text: &str, value: f64, holds: Holds) -> ConditionVerdict {
    let interval = Some((value * 0.97, value * 1.03));
    ConditionVerdict {
        text: text.into(),
        about: record::Condition::read(text).means.ok(),
        value: Some(value),
        interval,
        holds,
        own_share: None,
    }
}

fn claims() -> Vec<ClaimVerdict> {
    vec![
        ClaimVerdict {
            id: "A1".into(),
            text: "One gunicorn sync worker is hardly faster than Flask's development server"
                .into(),
            reported: "203.6 -> 223.8 requests/s (1.10 x); mean 491 -> 447 ms".into(),
            required: false,
            conditions: vec![condition(
                "throughput of `one-worker` / throughput of `flask-dev` within 0.95 .. 1.33",
                1.101,
                Holds::Holds,
            )],
            since: Vec::new(),
            holds: Holds::Holds,
            reason: None,
        },
        ClaimVerdict {
            id: "A3".into(),
            text: "nginx alone, serving a static page, is an order of magnitude above".into(),
            reported: "4,663 requests/s (11.1 x the two workers)".into(),
            required: false,
            conditions: vec![condition(
                "throughput of `static` / throughput of `two-workers` >= 8",
                4.2,
                Holds::DoesNotHold,
            )],
            since: Vec::new(),
            holds: Holds::DoesNotHold,
            reason: None,
        },
        undecided(),
    ]
}

fn undecided() -> ClaimVerdict {
    ClaimVerdict {
        id: "A5".into(),
        text: "From the first variant to the last, the time a user waits is about halved".into(),
        reported: "mean 467 -> 253 ms (0.542 x), median 489 -> 264 ms (0.540 x)".into(),
        required: false,
        conditions: vec![
            condition(
                "mean of `nginx-in-front` / mean of `flask-dev` within 0.40 .. 0.65",
                0.645,
                Holds::CannotTell,
            ),
            condition(
                "p50 of `nginx-in-front` / p50 of `flask-dev` within 0.40 .. 0.65",
                0.528,
                Holds::Holds,
            ),
        ],
        since: Vec::new(),
        holds: Holds::CannotTell,
        reason: Some("the interval reaches over 0.65: more blocks would narrow it".into()),
    }
}

/// The same about every variant.
fn findings() -> Vec<Found> {
    vec![Found {
        finding: Finding {
            kind: FindingKind::OneCore,
            because: "one process of `gunicorn` had all of a core, and 0.946 of 2 cores were idle"
                .into(),
            confidence: Confidence::Counted,
            next: "raise `workers` of `gunicorn` from 1 to 2: a process for each core".into(),
            gain: Some(1.9),
            change: Some(record::Setting {
                key: "server.workers".into(),
                value: 2,
            }),
        },
        in_trials: 5,
        of_trials: 6,
    }]
}
