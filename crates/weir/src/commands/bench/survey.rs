//! `weir bench URL`: how much it can, and how fast it is below that.
//!
//! A closed loop with 1, 2, 4, … connections finds the capacity, four open loops at shares of it
//! tell what users would wait. (Capacity from closed, latency from open: Schroeder, Wierman,
//! Harchol-Balter, "Open Versus Closed", NSDI 2006.)

use std::sync::atomic::Ordering;

use judge::Doubt;
use load::{Job, LoadError};
use record::{Amount, Arrivals, LoadFacts, Process, Shape, WarmUpPlan};
use report::bench::{Bench, Survey, document};
use report::terminal::{SurveyPoint, survey_name};
use report::units;

use super::preflight;
use crate::args::{BenchArgs, Format};
use crate::commands::print_json;
use crate::error::Result;
use crate::exit::Exit;
use crate::progress::Progress;
use crate::session::{Session, width};

/// Most connections of the sweep.
const MOST: u32 = 1_024;
/// A step that gains less than this over the best before it is the last.
const GAIN: f64 = 1.02;
/// Shares of the capacity at which latency is looked at.
const SHARES: [f64; 4] = [0.3, 0.5, 0.7, 0.9];
/// Of the survey's length, what a step of the sweep and an open loop take: eleven steps at most.
const STEP: f64 = 0.036;
const OPEN: f64 = 0.14;

/// What was measured so far.
struct Points {
    done: Vec<LoadFacts>,
    capacity: f64,
    connections: u32,
}

pub(super) fn run(args: &BenchArgs, job: &Job, session: &Session) -> Result<Exit> {
    let notes = preflight::look(MOST);
    let mut points = Points {
        done: Vec::new(),
        capacity: 0.0,
        connections: 1,
    };
    let mut progress = session.progress();
    let ended = points.measure(args, job, session, &mut progress);
    progress.end();
    if points.done.is_empty() {
        ended?;
    } else if let Err(error) = ended
        && !matches!(error, LoadError::Interrupted)
    {
        anstream::eprintln!("weir: the survey was cut short: {error}");
    }
    points.tell(args, &notes, session)
}

impl Points {
    fn measure(
        &mut self,
        args: &BenchArgs,
        job: &Job,
        session: &Session,
        progress: &mut Progress,
    ) -> std::result::Result<(), LoadError> {
        let mut apply = |job: &Job| {
            load::run(job, session.interrupted(), &mut |event| {
                progress.load(&event);
            })
        };
        let stopped = || session.interrupted().load(Ordering::Relaxed);
        let mut connections = 1;
        while connections <= MOST && !stopped() {
            let mut step = job.clone();
            step.load.connections = connections;
            step.load.amount = Amount::Seconds(args.survey_seconds * STEP);
            // what the first steps do warms up the later ones
            if connections > 1 {
                step.load.warm_up = WarmUpPlan::None;
            }
            let facts = apply(&step)?;
            let (rate, failed) = (facts.throughput(), facts.failures() + facts.timed_out);
            self.done.push(facts);
            let gained = rate > self.capacity * GAIN;
            if rate > self.capacity && failed == 0 {
                (self.capacity, self.connections) = (rate, connections);
            }
            if !gained || failed > 0 {
                break;
            }
            connections *= 2;
        }
        for share in SHARES {
            if stopped() || self.capacity <= 0.0 {
                break;
            }
            let mut open = job.clone();
            // room for what chance piles up: several times what keeps it busy
            open.load.connections = (self.connections * 4).clamp(16, MOST);
            open.load.amount = Amount::Seconds(args.survey_seconds * OPEN);
            open.load.warm_up = WarmUpPlan::Seconds(args.survey_seconds / 120.0);
            open.load.shape = Shape::Open(Arrivals {
                process: Process::Poisson,
                legs: Arrivals::steady(share * self.capacity),
                max_outstanding: 100_000,
                seed: args.seed.unwrap_or_else(experiment::seed),
            });
            self.done.push(apply(&open)?);
        }
        Ok(())
    }

    fn verdict(&self, interrupted: bool) -> String {
        let half = self
            .done
            .iter()
            .filter(|load| load.shape.arrivals().is_some())
            .nth(1);
        let latency = half.map(|load| {
            let p99 = judge::quantile(&load.response, 0.99);
            let (name, figure) = match p99 {
                Some(figure) => ("p99", Some(figure.value)),
                None => ("mean", load.response.mean()),
            };
            let time = figure.map_or(units::NOTHING.to_owned(), units::duration);
            format!("; at half of that, {name} {time}")
        });
        let ended = if interrupted {
            "; ended by you before it was over"
        } else {
            ""
        };
        if self.capacity <= 0.0 {
            return format!("no capacity found: every load had errors{ended}");
        }
        format!(
            "capacity {} with {} {}{}{ended}",
            units::rate(self.capacity),
            self.connections,
            if self.connections == 1 {
                "connection"
            } else {
                "connections"
            },
            latency.unwrap_or_default()
        )
    }

    fn tell(&self, args: &BenchArgs, notes: &[String], session: &Session) -> Result<Exit> {
        let interrupted = session.interrupted().load(Ordering::Relaxed);
        let doubts: Vec<_> = self.done.iter().map(judge::doubts).collect();
        let bad = doubts.iter().filter(|doubts| disqualified(doubts)).count();
        let mut verdict = self.verdict(interrupted);
        if bad > 0 {
            let all = doubts.len();
            verdict = format!("{verdict}; {bad} of {all} loads are doubted");
        }
        if super::output::format(args, session) == Format::Json {
            let points = self.done.iter().zip(&doubts).map(|(load, doubts)| {
                document(&Bench {
                    url: &args.url,
                    load,
                    doubts,
                    gates: &[],
                    slices: &[],
                    standing: None,
                    interrupted,
                })
            });
            print_json(&Survey {
                schema: "weir/survey/1",
                verdict: &verdict,
                capacity: (self.capacity > 0.0).then_some(self.capacity),
                notes,
                points: points.collect(),
            })?;
        } else {
            let table = self.table(&verdict, &doubts, notes);
            anstream::print!("{table}");
        }
        Ok(if interrupted {
            Exit::Interrupted
        } else if bad == doubts.len() {
            Exit::Invalid
        } else {
            Exit::Done
        })
    }

    fn table(&self, verdict: &str, doubts: &[Vec<Doubt>], notes: &[String]) -> String {
        let name = |load| survey_name(load, self.capacity);
        let names: Vec<_> = self.done.iter().map(name).collect();
        let points = self.done.iter().zip(&names).zip(doubts);
        let points: Vec<_> = points
            .map(|((load, name), doubts)| SurveyPoint {
                name,
                load,
                doubted: disqualified(doubts),
            })
            .collect();
        let grave = doubts.iter().flatten().filter(|doubt| doubt.disqualifies);
        let grave = grave.map(|doubt| format!("?: {}", doubt.because));
        let mut told: Vec<_> = notes.iter().cloned().chain(grave).collect();
        told.dedup();
        report::terminal::survey(verdict, &points, &told, width())
    }
}

fn disqualified(doubts: &[Doubt]) -> bool {
    doubts.iter().any(|doubt| doubt.disqualifies)
}
