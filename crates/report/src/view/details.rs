use std::borrow::Cow;

use judge::{StageOpinion, TrialOpinion};
use record::{Measured, Metric, Outcome, ProcessCost, RenderedFile, ServerFacts, Trial};
use serde::Serialize;

use super::{Load, Times};
use crate::judged_run::is_of;
use crate::{JudgedRun, units, words};

/// Everything needed to repeat a stage and to check its figures.
#[derive(Clone, Debug, Serialize)]
pub struct Detail<'a> {
    /// The stage.
    pub name: String,
    /// One line for people.
    pub title: String,
    /// The block of the trial that programs and costs are shown of; 1-based.
    pub block: Option<u32>,
    /// What was verified before the load.
    pub verified: String,
    /// How long it took to become ready.
    pub ready: String,
    /// Its programs.
    pub servers: Vec<Server>,
    /// The load of that trial.
    pub load: Option<Load>,
    /// What the loads of its trials were like, beyond the figures that are compared: `offered`, `499 req/s`.
    pub beyond: Vec<(&'static str, String)>,
    /// All that was timed.
    pub times: Vec<Times<'a>>,
    /// What each process cost.
    pub processes: Vec<Process>,
    /// What each program counted itself, in one line.
    pub counters: Vec<(String, String)>,
    /// Its trials.
    pub trials: Vec<TrialRow>,
}

/// A program of a stage.
#[derive(Clone, Debug, Serialize)]
pub struct Server {
    /// The entry of the catalogue.
    pub entry: String,
    /// Which service of the app it is, if it is one.
    pub service: Option<String>,
    /// Its version.
    pub version: String,
    /// Its command as a shell takes it.
    pub command: String,
    /// Its environment: `NAME=value`.
    pub env: Vec<String>,
    /// Its knobs.
    pub knobs: Vec<(String, String)>,
    /// The files that were written for it.
    pub files: Vec<RenderedFile>,
    /// The last lines of its log.
    pub log: String,
}

/// What a process cost.
#[derive(Clone, Debug, Serialize)]
pub struct Process {
    /// The program it belongs to.
    pub owner: String,
    /// Its command.
    pub command: String,
    /// Its number.
    pub pid: u32,
    /// CPU time in user mode.
    pub user: String,
    /// CPU time in the kernel.
    pub system: String,
    /// CPU time per request.
    pub each: String,
    /// Peak memory.
    pub memory: String,
}

/// A trial of a stage.
#[derive(Clone, Debug, Serialize)]
pub struct TrialRow {
    /// Its block, 1-based.
    pub block: u32,
    /// Its place in the block, 1-based.
    pub place: u32,
    /// Whether it is the second half of the A/A pair.
    pub again: bool,
    /// The number of the attempt, where it was not the first.
    pub attempt: Option<u32>,
    /// Throughput.
    pub rate: String,
    /// Mean response time.
    pub mean: String,
    /// What became of each request.
    pub accounting: String,
    /// What the load engine cost.
    pub engine: String,
    /// Failures and doubts.
    pub remarks: Vec<String>,
    /// The last lines of the log, if it failed.
    pub log: String,
}

/// The details of every stage.
pub(super) fn all<'a>(of: &JudgedRun<'a>) -> Vec<Detail<'a>> {
    let stages = of.judged.stages.iter();
    stages.map(|stage| detail(stage, of)).collect()
}

/// What a stage's load was like, as far as there is anything to tell.
fn load(run: &JudgedRun, stage: &str) -> Vec<(&'static str, String)> {
    let of = run.stage_load(stage);
    [
        ("offered", of.offered.map(units::rate)),
        ("achieved", of.achieved.map(units::percent)),
        ("median time of a page", of.page.map(units::duration)),
        ("attempts per request", of.attempts.map(units::number)),
        (
            "share of the load engine's ceiling",
            of.of_ceiling.map(units::about),
        ),
    ]
    .into_iter()
    .filter_map(|(name, text)| Some((name, text?)))
    .collect()
}

fn times<'a>(of: &JudgedRun, stage: &str) -> Vec<Times<'a>> {
    let times = of.times(stage).into_iter();
    times
        .map(|(name, times, means)| Times::new(name.into(), means.into(), Cow::Owned(times)))
        .collect()
}

fn detail<'a>(stage: &StageOpinion, of: &JudgedRun<'a>) -> Detail<'a> {
    let JudgedRun { trials, judged, .. } = *of;
    let rows: Vec<(&Trial, Option<&TrialOpinion>)> = trials
        .iter()
        .filter(|trial| trial.stage == stage.name)
        .map(|trial| {
            (
                trial,
                judged.trials.iter().find(|opinion| is_of(opinion, trial)),
            )
        })
        .collect();
    let shown = of.shown(&stage.name);
    let facts = shown.map(|(_, facts)| facts);
    Detail {
        name: stage.name.clone(),
        title: stage.title.clone(),
        block: shown.map(|(trial, _)| trial.block + 1),
        verified: facts.map_or_else(String::new, verified),
        ready: facts.map_or_else(String::new, |of| units::duration(of.stack.ready_after)),
        servers: facts.map_or_else(Vec::new, |of| of.stack.servers.iter().map(server).collect()),
        load: shown.and_then(|(trial, _)| Some(Load::new(&of.loaded(trial)?))),
        beyond: load(of, &stage.name),
        times: times(of, &stage.name),
        processes: facts.map_or_else(Vec::new, processes),
        counters: facts.map_or_else(Vec::new, words::counters),
        trials: rows
            .iter()
            .map(|(trial, opinion)| row(trial, *opinion))
            .collect(),
    }
}

fn verified(measured: &Measured) -> String {
    let of = &measured.stack.verified;
    let compared = match &of.body_compared {
        None => "bodies compared whole".to_owned(),
        Some(why) => format!("bodies not compared whole: {why}"),
    };
    format!(
        "{} compared with {}; the loaded one answers {} with {} in its body; {compared}",
        words::counted(u64::from(of.requests), "request"),
        of.reference,
        of.status,
        words::counted(of.body_bytes, "byte")
    )
}

fn server(of: &ServerFacts) -> Server {
    Server {
        entry: of.entry.clone(),
        service: of.service.clone(),
        version: of.version.clone(),
        command: words::command(&of.argv),
        env: of
            .env
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect(),
        knobs: of
            .knobs
            .iter()
            .map(|(name, value)| (name.clone(), words::knob(value)))
            .collect(),
        files: of.files.clone(),
        log: of.log_tail.join("\n"),
    }
}

fn processes(measured: &Measured) -> Vec<Process> {
    let completed = measured.load.completed as f64;
    let row = |of: &ProcessCost| Process {
        owner: of.owner.clone(),
        command: of.command.clone(),
        pid: of.pid,
        user: units::duration(of.cpu_user),
        system: units::duration(of.cpu_system),
        each: units::duration(of.cpu() / completed),
        memory: units::bytes(of.peak_rss as f64),
    };
    measured.processes.iter().map(row).collect()
}

fn row(trial: &Trial, opinion: Option<&TrialOpinion>) -> TrialRow {
    let facts = trial.measured();
    let figure = |metric| {
        opinion
            .and_then(|opinion| opinion.figures.get(&metric))
            .map_or_else(
                || units::NOTHING.to_owned(),
                |value| units::metric(metric, *value),
            )
    };
    let nothing = || units::NOTHING.to_owned();
    TrialRow {
        block: trial.block + 1,
        place: trial.position + 1,
        again: trial.again,
        attempt: (trial.attempt > 0).then(|| trial.attempt + 1),
        rate: figure(Metric::Throughput),
        mean: figure(Metric::Mean),
        accounting: facts.map_or_else(nothing, |of| words::accounting(&of.load)),
        engine: facts.map_or_else(nothing, |of| words::engine(&of.load)),
        remarks: remarks(trial, opinion),
        log: match &trial.outcome {
            Outcome::Failed(failure) => failure.log_tail.join("\n"),
            Outcome::Measured(_) => String::new(),
        },
    }
}

fn remarks(trial: &Trial, opinion: Option<&TrialOpinion>) -> Vec<String> {
    let mut remarks = match &trial.outcome {
        Outcome::Failed(failure) => {
            vec![format!(
                "failed {}: {}",
                words::step(failure.step),
                failure.error
            )]
        }
        Outcome::Measured(measured) => words::failures(&measured.load),
    };
    for doubt in opinion.iter().flat_map(|opinion| &opinion.doubts) {
        let out = if doubt.disqualifies { "left out: " } else { "" };
        remarks.push(format!("{out}{}", doubt.because));
    }
    if opinion.is_some_and(|of| of.taken_again) {
        remarks.push("repeated".to_owned());
    }
    remarks
}
