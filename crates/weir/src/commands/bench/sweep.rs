//! `weir bench URL --sweep`: the same load at several numbers of connections, or rates.

use load::Job;
use record::{Arrivals, Shape, WarmUpPlan};
use report::bench;
use report::units;
use report::words::Computed;

use super::points::{Points, Telling, Whole};
use crate::args::{BenchArgs, Sweep, Swept};
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::session::Session;

/// Longest warm-up of a point that is to last until the load is stationary, in seconds.
const WARM_UP: f64 = 2.0;

pub(super) fn run(args: &BenchArgs, sweep: &Sweep, job: &Job, session: &Session) -> Result<Exit> {
    let twice = match sweep.swept {
        Swept::Connections => args.connections.map(|_| "--connections"),
        Swept::Rate => {
            (args.rate.is_some() || args.ramp.is_some() || args.steps.is_some()).then_some("--rate")
        }
    };
    if let Some(option) = twice {
        let message = format!("`{option}` and `--sweep {}` say the same", sweep.swept);
        return Err(Error::new(Exit::Usage, message).hint(format!("leave out `{option}`")));
    }
    let mut points = Points::new(args, session);
    for &value in &sweep.values {
        if points.apply(&at(job, sweep.swept, value), true).is_none() {
            break;
        }
    }
    let names = sweep.values.iter().map(|value| name(sweep.swept, *value));
    let names: Vec<_> = names.take(points.done.len()).collect();
    let telling = Telling {
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
    points.tell(telling, |verdict, points| {
        Whole::Sweep(bench::Sweep {
            schema: "weir/sweep/1",
            verdict,
            swept: sweep.swept.to_string(),
            values: sweep.values[..points.len()].to_vec(),
            points,
        })
    })
}

/// The load at one of the values.
fn at(job: &Job, swept: Swept, value: f64) -> Job {
    let mut job = job.clone();
    if let WarmUpPlan::Stationary(most) = job.load.warm_up {
        job.load.warm_up = WarmUpPlan::Stationary(most.min(WARM_UP));
    }
    if swept == Swept::Connections {
        job.load.connections = value as u32;
    }
    if let Shape::Open(arrivals) = &mut job.load.shape {
        if swept == Swept::Rate {
            arrivals.legs = Arrivals::steady(value);
        }
        arrivals.max_outstanding = arrivals.max_outstanding.max(job.load.connections);
    }
    job
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
