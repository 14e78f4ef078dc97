use judge::{Judged, StageOpinion, TrialOpinion};
use record::{Measured, Metric, Outcome, ProcessCost, RenderedFile, ServerFacts, Trial};
use serde::Serialize;

use crate::{units, words};

/// Everything needed to repeat a stage and to check its figures.
#[derive(Serialize)]
pub(super) struct Detail {
    name: String,
    title: String,
    /// The block of the trial that programs and costs are shown of; 1-based.
    block: Option<u32>,
    verified: String,
    ready: String,
    servers: Vec<Server>,
    processes: Vec<Process>,
    trials: Vec<TrialRow>,
}

#[derive(Serialize)]
struct Server {
    entry: String,
    version: String,
    command: String,
    env: Vec<String>,
    knobs: Vec<(String, String)>,
    files: Vec<RenderedFile>,
    log: String,
}

#[derive(Serialize)]
struct Process {
    owner: String,
    command: String,
    pid: u32,
    user: String,
    system: String,
    each: String,
    memory: String,
}

#[derive(Serialize)]
struct TrialRow {
    block: u32,
    place: u32,
    again: bool,
    rate: String,
    mean: String,
    accounting: String,
    engine: String,
    remarks: Vec<String>,
    log: String,
}

/// The details of every stage.
pub(super) fn all(trials: &[Trial], judged: &Judged) -> Vec<Detail> {
    judged
        .stages
        .iter()
        .map(|stage| detail(stage, trials, judged))
        .collect()
}

fn detail(stage: &StageOpinion, trials: &[Trial], judged: &Judged) -> Detail {
    let rows: Vec<(&Trial, Option<&TrialOpinion>)> = trials
        .iter()
        .filter(|trial| trial.stage == stage.name)
        .map(|trial| {
            (
                trial,
                judged.trials.iter().find(|opinion| is(opinion, trial)),
            )
        })
        .collect();
    let shown = rows
        .iter()
        .filter_map(|(trial, opinion)| {
            Some((*trial, facts(trial)?, opinion.is_some_and(|of| of.counts)))
        })
        .max_by_key(|(trial, _, counts)| (*counts, std::cmp::Reverse(trial.block)));
    let facts = shown.map(|(_, facts, _)| facts);
    Detail {
        name: stage.name.clone(),
        title: stage.title.clone(),
        block: shown.map(|(trial, ..)| trial.block + 1),
        verified: facts.map_or_else(String::new, verified),
        ready: facts.map_or_else(String::new, |of| units::duration(of.stack.ready_after)),
        servers: facts.map_or_else(Vec::new, |of| of.stack.servers.iter().map(server).collect()),
        processes: facts.map_or_else(Vec::new, processes),
        trials: rows
            .iter()
            .map(|(trial, opinion)| row(trial, *opinion))
            .collect(),
    }
}

fn is(opinion: &TrialOpinion, trial: &Trial) -> bool {
    (opinion.block, &opinion.stage, opinion.again) == (trial.block, &trial.stage, trial.again)
}

fn facts(trial: &Trial) -> Option<&Measured> {
    match &trial.outcome {
        Outcome::Measured(measured) => Some(measured),
        Outcome::Failed(_) => None,
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
    let facts = facts(trial);
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
    remarks
}
