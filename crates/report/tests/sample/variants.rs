//! What is thought of each variant of the sample.

use std::collections::BTreeMap;

use judge::{
    Comparison, Confidence, Cost, Figure, Finding, FindingKind, Found, Parts, VariantOpinion,
    Verdict,
};
use record::{Distribution, Measured, Metric, Outcome, ProcessCost, Trial};

use super::{comparison, doubts};

pub(super) const TIMES: [Metric; 6] = [
    Metric::Mean,
    Metric::P50,
    Metric::P90,
    Metric::P95,
    Metric::P99,
    Metric::Max,
];

pub(super) fn variant_opinion(name: &str, title: &str, trials: &[Trial]) -> VariantOpinion {
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
        states: None,
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

pub(super) fn time(metric: Metric, times: &Distribution) -> Option<f64> {
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

fn parts() -> Parts {
    Parts {
        front: Some("nginx".into()),
        behind: "gunicorn".into(),
        all: 0.0251,
        outside: 0.0012,
        inside: Some(0.0004),
        queue: None,
        server: 0.0235,
        unread: None,
        together: false,
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
            source: FindingKind::OneCore.rule().source,
            next: "raise `workers` of `gunicorn` from 1 to 2: a process for each core".into(),
            cost: Cost::Knob,
            gain: Some(1.9),
            change: Some(record::Setting {
                key: "server.workers".into(),
                value: 2,
            }),
            measured: None,
        },
        in_trials: 5,
        of_trials: 6,
    }]
}
