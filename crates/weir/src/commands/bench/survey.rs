//! `weir bench URL`: how much it can, and how fast it is below that.
//!
//! A closed loop with 1, 2, 4, … connections finds the capacity, four open loops at shares of it
//! tell what users would wait. (Capacity from closed, latency from open: Schroeder, Wierman,
//! Harchol-Balter, "Open Versus Closed", NSDI 2006.) It keeps to its length however slow the server is
//! ([`Budget`]), and says what was left out for it.

use judge::Figure;
use load::Job;
use record::{Amount, Arrivals, LoadFacts, Process, Shape, Target, WarmUpPlan};
use report::bench;
use report::terminal::survey_name;
use report::units;
use report::words::Computed;

use super::budget::{Budget, OPEN_WARM_UP};
use super::points::{Points, Summary, Whole};
use super::preflight;
use crate::args::BenchArgs;
use crate::error::Result;
use crate::exit::Exit;
use crate::session::Session;

/// Most connections of the sweep.
const MOST: u32 = 1_024;
/// A step that gains less than this over the best before it gains nothing.
const GAIN: f64 = 1.02;
/// So many steps in a row that gain nothing end the sweep: one may be noise.
const FLAT: u32 = 2;
/// Shares of the capacity at which latency is looked at.
const SHARES: [f64; 4] = [0.3, 0.5, 0.7, 0.9];
/// What the closed loops can do.
#[derive(Clone, Copy, Debug)]
struct Capacity {
    rate: Figure,
    connections: u32,
}

pub(super) fn run(args: &BenchArgs, job: &Job, session: &Session) -> Result<Exit> {
    let most = preflight::room(MOST, matches!(job.target, Target::Tcp { .. }), job.cores);
    let mut notes = preflight::look(most, job.cores);
    if most < MOST {
        notes.push(format!(
            "there is room for {most} connections, and no more are tried"
        ));
    }
    let mut points = Points::new(args, job, session);
    let mut budget = Budget::new(args.survey_seconds);
    let capacity = closed(&mut points, &mut budget, job, most);
    if let Some(capacity) = capacity {
        let seed = args.load.seed.unwrap_or_else(experiment::seed);
        open_loops(&mut points, &mut budget, |share, length| {
            open(job, &capacity, share, most, length, seed)
        });
    }
    notes.extend(budget.left_out());
    if points.is_empty() && budget.is_over() {
        return Err(budget.nothing());
    }
    let rate = capacity.map(|capacity| capacity.rate);
    let known = rate.map_or(0.0, |rate| rate.value);
    let loads = points.done.iter().map(|point| &point.load);
    let summary = Summary {
        verdict: verdict(capacity.as_ref(), loads.clone()),
        kept_as: loads
            .clone()
            .map(|load| (kept_as(load, known), None))
            .collect(),
        names: loads.map(|load| survey_name(load, known)).collect(),
        legend: "closed: connections kept busy; the rates: Poisson arrivals.",
        notes: &notes,
        computed: computed(capacity.as_ref()),
    };
    points.tell(summary, |verdict, points| {
        Whole::Survey(bench::Survey {
            schema: "weir/survey/1",
            verdict,
            capacity: rate.map(|rate| rate.value),
            capacity_interval: rate.and_then(|rate| rate.interval),
            notes: notes.clone(),
            points,
        })
    })
}

/// Twice the connections again and again, until that gains nothing any more or requests fail. With a
/// server that takes long each load does, so that there are fewer of them.
fn closed(points: &mut Points, budget: &mut Budget, job: &Job, most: u32) -> Option<Capacity> {
    let mut best: Option<Capacity> = None;
    let (mut connections, mut flat) = (1, 0);
    while connections <= most && flat < FLAT {
        let Some(length) = budget.step(connections) else {
            break;
        };
        let mut step = job.clone();
        step.load.connections = connections;
        step.load.amount = Amount::Seconds(length);
        // what the first steps do warms up the later ones
        step.load.warm_up = match connections {
            1 => WarmUpPlan::Stationary(budget.warm_up()),
            _ => WarmUpPlan::None,
        };
        let Some(load) = points.apply_until(Some(budget.until(length)), &step, false) else {
            break;
        };
        let rate = judge::throughput(load);
        if load.failures() + load.timed_out > 0 {
            break;
        }
        let too_slow = load.completed == 0;
        budget.answered_within(load.response.max());
        if too_slow {
            // nothing came in the window, and what came after it says how long the next must be
            points.done.pop();
            if budget.slow() <= length {
                break;
            }
        }
        let before = best.map_or(0.0, |best| best.rate.value);
        flat = if rate.value > before * GAIN || too_slow {
            0
        } else {
            flat + 1
        };
        if rate.value > before {
            best = Some(Capacity { rate, connections });
        }
        connections *= budget.factor();
    }
    best
}

/// Open loops at those shares of the capacity for which there is time, from the lowest.
fn open_loops(points: &mut Points, budget: &mut Budget, job: impl Fn(f64, f64) -> Job) {
    let (shares, length) = budget.shares(&SHARES);
    for share in shares {
        let until = budget.until(length);
        if points
            .apply_until(Some(until), &job(share, length), true)
            .is_none()
        {
            break;
        }
    }
}

/// An open loop at a share of the capacity.
fn open(job: &Job, capacity: &Capacity, share: f64, most: u32, length: f64, seed: u64) -> Job {
    let mut open = job.clone();
    // room for what chance piles up: several times what keeps it busy
    open.load.connections = capacity.connections.saturating_mul(4).max(16).min(most);
    open.load.amount = Amount::Seconds(length);
    open.load.warm_up = WarmUpPlan::Seconds(length * OPEN_WARM_UP);
    open.load.shape = Shape::Open(Arrivals {
        process: Process::Poisson,
        segments: Arrivals::steady(share * capacity.rate.value),
        max_outstanding: Arrivals::MAX_OUTSTANDING,
        seed,
    });
    open.load.make_room();
    open
}

/// What a load is called among those of its survey.
fn kept_as(load: &LoadFacts, capacity: f64) -> String {
    if load.shape.is_open() {
        survey_name(load, capacity)
    } else {
        format!("{} connections", units::count(load.connections.into()))
    }
}

/// How the capacity was found.
fn computed(capacity: Option<&Capacity>) -> Vec<Computed> {
    let found = match capacity {
        Some(Capacity { rate, connections }) => format!(
            "{} with {connections} connections, the most of all closed loops without an error; its \
             interval is that of the median of the window's tenths",
            units::rate(rate.value)
        ),
        None => "no closed loop was without errors".to_owned(),
    };
    vec![
        Computed {
            figure: "capacity".to_owned(),
            formula: found,
        },
        Computed {
            figure: "sweep".to_owned(),
            formula: format!(
                "connections are doubled from 1 until {FLAT} steps in a row gain less than {} over the \
                 best, or requests fail; open loops then at {} of the capacity (capacity from closed, \
                 latency from open: Schroeder, Wierman, Harchol-Balter, NSDI 2006)",
                units::percent(GAIN - 1.0),
                SHARES.map(units::percent).join(", ")
            ),
        },
    ]
}

fn verdict<'a>(capacity: Option<&Capacity>, loads: impl Iterator<Item = &'a LoadFacts>) -> String {
    let Some(Capacity { rate, connections }) = capacity else {
        return "no capacity found: no load was without errors".to_owned();
    };
    let around = units::uncertainty(rate).map_or(String::new(), |around| format!(" {around}"));
    let plural = if *connections == 1 { "" } else { "s" };
    let half = loads.filter(|load| load.shape.arrivals().is_some()).nth(1);
    let latency = half.map_or(String::new(), |load| {
        let (name, figure) = match judge::quantile(&load.response, 0.99) {
            Some(figure) => ("p99", Some(figure.value)),
            None => ("mean", load.response.mean()),
        };
        let time = figure.map_or(units::NOTHING.to_owned(), units::duration);
        format!("; at half of that, {name} {time}")
    });
    format!(
        "capacity {}{around} with {connections} connection{plural}{latency}",
        units::rate(rate.value)
    )
}
