//! `weir bench URL --sweep`: the same load at several numbers of connections, or rates.

use load::Job;
use record::{Level, Load, LoadSpec, Sweep as Levels, WarmUpPlan};
use report::bench;
use report::units;
use report::words::Computed;

use super::job::resolved;
use super::points::{Points, Summary, Whole};
use crate::args::{BenchArgs, Sweep, Swept};
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::session::Session;

/// Longest warm-up of a point that is to last until the load is stationary, in seconds.
const WARM_UP: f64 = 2.0;

pub(super) fn run(
    args: &BenchArgs,
    sweep: &Sweep,
    job: &Job,
    seed: u64,
    session: &Session,
) -> Result<Exit> {
    let spec = args.load_spec();
    let changing = args.load.changing.0.first().map(|(shape, _)| shape.key);
    let twice = match sweep.swept {
        Swept::Connections => args.load.connections.map(|_| "connections"),
        Swept::Rate => args.load.rate.map(|_| "rate").or(changing),
    };
    if let Some(option) = twice {
        let message = format!("`--{option}` and `--sweep {}` say the same", sweep.swept);
        return Err(Error::new(Exit::Usage, message).hint(format!("leave out `--{option}`")));
    }
    let loads = sweep
        .values
        .iter()
        .map(|value| at(&spec, sweep.swept, *value, (job.cores, seed)));
    let loads: Vec<Load> = loads.collect::<Result<_>>()?;
    let mut points = Points::new(args, job, session);
    for load in loads {
        let tls = job.load.tls.clone();
        let job = Job {
            load: Load { tls, ..load },
            ..job.clone()
        };
        if points.apply(&job, true).is_none() {
            break;
        }
    }
    let names = sweep.values.iter().map(|value| name(sweep.swept, *value));
    let names: Vec<_> = names.take(points.done.len()).collect();
    let summary = Summary {
        kept_as: names
            .iter()
            .cloned()
            .zip(levels(args, sweep).map(Some))
            .collect(),
        verdict: verdict(&points, &names),
        names,
        legend: "",
        notes: &[],
        computed: vec![Computed {
            figure: "most".to_owned(),
            formula:
                "the load with the most right answers per second; its interval is that of the \
                      median of its window's tenths"
                    .to_owned(),
        }],
    };
    points.tell(summary, |verdict, points| {
        Whole::Sweep(bench::Sweep {
            schema: "weir/sweep/1",
            verdict,
            swept: sweep.swept.to_string(),
            values: sweep.values[..points.len()].to_vec(),
            points,
        })
    })
}

/// Where each load stands in the sweep.
fn levels(args: &BenchArgs, sweep: &Sweep) -> impl Iterator<Item = Levels> {
    sweep.values.iter().map(|value| Levels {
        family: args.url.clone(),
        levels: vec![Level {
            factor: sweep.swept.to_string(),
            level: match sweep.swept {
                Swept::Connections => units::count(*value as u64),
                Swept::Rate => units::number(*value),
            },
            number: Some(*value),
        }],
        added: false,
    })
}

/// The load at one of the values.
fn at(spec: &LoadSpec, swept: Swept, value: f64, (cores, seed): (u32, u64)) -> Result<Load> {
    let point = match swept {
        Swept::Connections => LoadSpec {
            connections: Some(value as u32),
            ..LoadSpec::default()
        },
        Swept::Rate => LoadSpec {
            rate: Some(value),
            ..LoadSpec::default()
        },
    };
    let mut load = resolved(&point.over(spec), cores, seed)?;
    if let WarmUpPlan::Stationary(most) = load.warm_up {
        load.warm_up = WarmUpPlan::Stationary(most.min(WARM_UP));
    }
    Ok(load)
}

fn name(swept: Swept, value: f64) -> String {
    match swept {
        Swept::Connections if value > 1.0 => {
            format!("{} connections", units::count(value as u64))
        }
        Swept::Connections => "1 connection".to_owned(),
        Swept::Rate => units::rate(value),
    }
}

/// The point with the highest throughput.
fn verdict(points: &Points, names: &[String]) -> String {
    let figures = points
        .done
        .iter()
        .map(|point| judge::throughput(&point.load));
    let best = figures
        .zip(names)
        .max_by(|(a, _), (b, _)| a.value.total_cmp(&b.value));
    best.map_or_else(
        || "nothing was measured".to_owned(),
        |(figure, name)| {
            let around = units::uncertainty(&figure).unwrap_or_default();
            let rate = format!("{} {around}", units::rate(figure.value));
            format!("most was {} at {name}", rate.trim_end())
        },
    )
}
