//! Which loads are applied: the one that was asked for, those of a sweep, or a survey's.

use experiment::{Goal, Listed, Pooled, Proposal, Strategy, Survey};
use judge::Threshold;
use load::Job;
use record::{Level, Sweep as Point, Target, WarmUpPlan};
use report::units;
use report::words::counted;

use super::{job, plan, preflight};
use crate::args::{BenchArgs, SweepArg, as_options};
use crate::error::{Error, Result};
use crate::exit::Exit;

/// Most connections of a survey.
const MOST: u32 = 1_024;
/// Fewest connections of an open loop, and most, where the user does not say how many.
const POOL: (u32, u32) = (10, 1_000);
/// Seconds that a response is presumed to take where it is not looked how long it does.
const PRESUMED: f64 = 0.1;
/// Longest warm-up of a point of a sweep that is to last until the load is stationary, in seconds.
const WARM_UP: f64 = 2.0;

/// How the loads are chosen.
pub(super) enum Chosen {
    Listed(Listed),
    /// Open loops, over as many connections as they need.
    Pooled(Box<Pooled<Listed>>),
    /// The highest rate at which goals hold.
    Goal(Box<Goal>),
    /// With what was noticed before it began.
    Survey(Box<Survey>, Vec<String>),
}

impl Chosen {
    pub(super) fn new(args: &BenchArgs, job: &Job, seed: u64) -> Result<Self> {
        plan::check(args)?;
        if args.is_survey() {
            return Ok(survey(args, job, seed));
        }
        preflight::ports_for(&job.load, &job.target)?;
        if !args.points.goal.is_empty() {
            let wished = args.load.connections.unwrap_or(MOST);
            let most = room(wished, job);
            let goals = args.points.goals().cloned().collect();
            let goal = Goal::new(&job.load, goals, args.seeks_for(), most, seed);
            return Ok(Self::Goal(Box::new(goal)));
        }
        let listed = match &args.points.sweep {
            Some(sweep) => swept(args, sweep, job, seed)?,
            None => alone(args, job),
        };
        Ok(Self::of(listed, args, job))
    }

    /// These loads, over as many connections as their rates need where nothing says how many. Requests that are asked
    /// in an order are asked from the first one on, so that nothing is asked before; visitors have their own number.
    fn of(listed: Listed, args: &BenchArgs, job: &Job) -> Self {
        let load = &job.load;
        let ordered = args.script.script.is_some() || args.traffic.replay.is_some();
        let said = args.first_load().connections.is_some() || load.page.is_some();
        if said || ordered || !load.crowd.is_none() {
            return Self::Listed(listed);
        }
        let most = room(POOL.1, job);
        let pooled = Pooled::new(listed, POOL.0.min(most), most);
        Self::Pooled(Box::new(if args.is_exact() {
            pooled.presuming(PRESUMED)
        } else {
            pooled
        }))
    }

    pub(super) fn strategy(&mut self) -> &mut dyn Strategy {
        match self {
            Self::Listed(listed) => listed,
            Self::Pooled(pooled) => pooled.as_mut(),
            Self::Goal(goal) => goal.as_mut(),
            Self::Survey(survey, _) => survey.as_mut(),
        }
    }

    /// What is to be told before the first load: to find the capacity of a server takes all that it has, and of one on
    /// another machine there may be others who want it.
    pub(super) fn warning(&self, job: &Job) -> Option<String> {
        let searches = matches!(self, Self::Survey(..)) && is_elsewhere(&job.target);
        searches.then(|| {
            format!(
                "looking for the capacity of {} with up to {}; `-c 10 -d 10s` is a gentle load",
                job.host,
                counted(room(MOST, job).into(), "connection")
            )
        })
    }

    /// What was noticed before and meanwhile.
    pub(super) fn notes(&self) -> Vec<String> {
        let Self::Survey(survey, notes) = self else {
            return Vec::new();
        };
        let left_out = survey.left_out().map(|of| {
            format!(
                "a response took up to {}, and in {} there was no time for {}; --survey-seconds gives more",
                units::duration(of.slowest),
                units::duration(of.whole),
                of.what
            )
        });
        let rising = survey.rising().map(|connections| {
            format!(
                "the throughput still rose with {connections} connections, and a survey tries no more: `-c {} -d 10s` does",
                connections.saturating_mul(2)
            )
        });
        notes
            .iter()
            .cloned()
            .chain(left_out)
            .chain(rising)
            .collect()
    }

    /// There was no response in all its time.
    pub(super) fn no_answer(&self) -> Error {
        let passed = match self {
            Self::Survey(survey, _) => format!(" ({})", units::duration(survey.passed())),
            Self::Listed(_) | Self::Pooled(_) | Self::Goal(_) => String::new(),
        };
        let what = match self {
            Self::Goal(_) => "search",
            _ => "survey",
        };
        let message = format!("no response during the {what}{passed}");
        Error::new(Exit::Target, message).hint(
            "give it more time with `--survey-seconds 5m`, or one load: `-c 10 -d 1m --timeout 2m`"
                .to_owned(),
        )
    }
}

/// Connections that there is room for here, `wished` at most.
fn room(wished: u32, job: &Job) -> u32 {
    preflight::room(wished, matches!(job.target, Target::Tcp { .. }), job.cores)
}

/// Whether a target is not on this machine for sure.
fn is_elsewhere(target: &Target) -> bool {
    match target {
        Target::Unix(_) => false,
        Target::Tcp(address) => {
            let address = address.ip().to_canonical();
            !address.is_loopback() && !address.is_unspecified()
        }
    }
}

/// Whether a threshold is about errors, so that what it is about is measured, and not an error.
fn may_break(args: &BenchArgs) -> bool {
    args.output.thresholds().any(Threshold::is_about_errors)
}

fn survey(args: &BenchArgs, job: &Job, seed: u64) -> Chosen {
    let most = room(MOST, job);
    let mut notes = preflight::look(most, job.cores);
    if most < MOST {
        notes.push(format!(
            "there is room for {most} connections, and no more are tried"
        ));
    }
    let base = job.load.clone();
    let survey = Survey::new(base, args.seeks_for(), most, seed, may_break(args));
    Chosen::Survey(Box::new(survey), notes)
}

/// The load that was asked for.
pub(super) fn alone(args: &BenchArgs, job: &Job) -> Listed {
    Listed::new(vec![Proposal {
        name: args.url.clone(),
        sweep: None,
        load: job.load.clone(),
        until: None,
        may_break: may_break(args),
        may_be_empty: true,
    }])
}

/// The same load at several values of one of its numbers.
fn swept(args: &BenchArgs, sweep: &SweepArg, job: &Job, seed: u64) -> Result<Listed> {
    let typed = args.load_spec();
    let points = sweep.specs().map(|(value, spec)| {
        if typed.clone().over(&spec) == typed {
            let changing = args.load.changing.0.first().filter(|_| sweep.key == "rate");
            let option = as_options(changing.map_or(&sweep.key, |(shape, _)| shape.key), None);
            let message = format!("{option} and `--sweep {}` say the same", sweep.key);
            return Err(Error::new(Exit::Usage, message).hint(format!("leave out {option}")));
        }
        let mut load = job::resolved(args, &spec.over(&typed), job.cores, seed)?;
        preflight::ports_for(&load, &job.target)?;
        if let WarmUpPlan::Stationary(most) = load.warm_up {
            load.warm_up = WarmUpPlan::Stationary(most.min(WARM_UP));
        }
        Ok(Proposal {
            name: name(sweep, value),
            sweep: Some(point(args, &sweep.key, value)),
            load,
            until: None,
            may_break: may_break(args),
            may_be_empty: false,
        })
    });
    Ok(Listed::new(points.collect::<Result<_>>()?))
}

/// Where a load stands in the sweep.
fn point(args: &BenchArgs, key: &str, value: f64) -> Point {
    let level = match key {
        "rate" => units::number(value),
        _ if value.fract() == 0.0 => units::count(value as u64),
        _ => value.to_string(),
    };
    Point {
        family: args.url.clone(),
        levels: vec![Level {
            factor: key.to_owned(),
            level,
            number: Some(value),
        }],
        added: false,
    }
}

/// Unique in the sweep: a rate has three digits where these tell it from the others.
fn name(sweep: &SweepArg, value: f64) -> String {
    let rounded = units::rate(value);
    let alike = sweep
        .values
        .iter()
        .filter(|other| units::rate(**other) == rounded);
    match sweep.key.as_str() {
        "connections" => counted(value as u64, "connection"),
        "rate" if alike.count() == 1 => rounded,
        "rate" if value.fract() == 0.0 => format!("{} req/s", units::count(value as u64)),
        "rate" => format!("{value} req/s"),
        key => format!("{key} {value}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_on_this_machine_is_elsewhere() {
        let is_elsewhere = |address: &str| is_elsewhere(&Target::Tcp(address.parse().unwrap()));
        for here in [
            "127.0.0.1:80",
            "127.0.0.2:80",
            "[::1]:80",
            "[::ffff:127.0.0.1]:80",
            "0.0.0.0:80",
        ] {
            assert!(!is_elsewhere(here), "{here}");
        }
        for there in ["192.0.2.1:80", "[2001:db8::1]:80"] {
            assert!(is_elsewhere(there), "{there}");
        }
        assert!(!super::is_elsewhere(&Target::Unix("/run/app.sock".into())));
    }

    #[test]
    fn each_load_of_a_sweep_has_a_name_of_its_own() {
        let names = |values: &[f64]| -> Vec<String> {
            let sweep = SweepArg {
                key: "rate".to_owned(),
                values: values.to_vec(),
            };
            values.iter().map(|value| name(&sweep, *value)).collect()
        };
        assert_eq!(names(&[20.0, 60.0]), ["20.0 req/s", "60.0 req/s"]);
        let close = names(&[10_000.0, 10_010.0, 20_000.0]);
        assert_eq!(close, ["10,000 req/s", "10,010 req/s", "20,000 req/s"]);
    }
}
