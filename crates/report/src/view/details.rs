//! Everything needed to repeat a variant and to check its figures.

use judge::{TrialOpinion, VariantOpinion};
use minijinja::Environment;
use record::{
    Measured, Metric, Outcome, ProcessCost, RUN_QUEUE_WAIT, RenderedFile, Role, ServerFacts, Trial,
};
use serde::Serialize;

use super::Load;
use crate::html::{Drawn, Percentiles, Strips, drawn};
use crate::judged_run::is_of;
use crate::{JudgedRun, units, words};

#[derive(Serialize)]
struct Detail<'a> {
    name: &'a str,
    title: &'a str,
    /// What is known of a trial that was measured, if one was.
    shown: Option<Shown<'a>>,
    /// What its load was like: `offered`, `499 req/s`.
    load: Vec<(&'static str, String)>,
    /// All that was timed.
    times: Option<Strips>,
    trials: Vec<TrialRow>,
}

/// The trial that programs and costs are shown of.
#[derive(Serialize)]
struct Shown<'a> {
    /// Its block, 1-based.
    block: u32,
    /// What was verified before the load.
    verified: String,
    ready: String,
    servers: Vec<Server<'a>>,
    load: Option<Load>,
    percentiles: Option<Percentiles>,
    processes: Vec<Process<'a>>,
    /// How it talked, where it is a client.
    talked: Vec<(&'static str, String)>,
    /// What each program counted itself, in one line.
    counters: Vec<(String, String)>,
    /// How these lines are read.
    counted: &'static str,
}

#[derive(Serialize)]
struct Server<'a> {
    entry: &'a str,
    /// Which service of the app it is, if it is one.
    service: Option<&'a str>,
    version: &'a str,
    /// As a shell takes it.
    command: String,
    env: &'a [(String, String)],
    knobs: Vec<(&'a str, String)>,
    files: &'a [RenderedFile],
    log: String,
}

#[derive(Serialize)]
struct Process<'a> {
    owner: &'a str,
    command: &'a str,
    pid: u32,
    role: Option<&'static str>,
    /// CPU time in user mode, in the kernel, and in all per request; peak memory; time in which its threads were ready and had
    /// no core, how often they gave one up, and how often it was taken from them; bytes read and written.
    costs: Vec<String>,
}

#[derive(Serialize)]
struct TrialRow {
    /// Its block and its place there, 1-based.
    block: u32,
    place: u32,
    /// Whether it is the second half of the A/A pair.
    again: bool,
    /// The number of its group, where it was not in the first.
    group: Option<u32>,
    /// The number of the attempt, where it was not the first.
    attempt: Option<u32>,
    rate: String,
    mean: String,
    /// What became of each request.
    accounting: String,
    engine: String,
    /// Failures and doubts.
    remarks: Vec<String>,
    /// The last lines of the log, if it failed.
    log: String,
}

pub(super) fn page(environment: &Environment, of: &JudgedRun) -> Drawn {
    let variants = of.judged.variants.iter();
    let said: Vec<_> = variants.map(|variant| detail(variant, of)).collect();
    drawn(environment, include_str!("../html/details.html"), said)
}

fn detail<'a>(variant: &'a VariantOpinion, of: &JudgedRun<'a>) -> Detail<'a> {
    let times = of.times(&variant.name);
    let times = times
        .iter()
        .map(|(name, times, means)| (*name, *means, times));
    let trials = of
        .trials
        .iter()
        .filter(|trial| trial.variant == variant.name)
        .filter(|trial| of.run.plan.stress_in(trial.block).is_none());
    let opinion = |trial: &Trial| {
        of.judged
            .trials
            .iter()
            .find(|opinion| is_of(opinion, trial))
    };
    Detail {
        name: &variant.name,
        title: &variant.title,
        shown: of
            .shown(&variant.name)
            .map(|(trial, facts)| shown(of, trial, facts)),
        load: load(of, &variant.name),
        times: Strips::new(times),
        trials: trials.map(|trial| row(trial, opinion(trial))).collect(),
    }
}

fn shown<'a>(of: &JudgedRun<'a>, trial: &'a Trial, facts: &'a Measured) -> Shown<'a> {
    Shown {
        block: trial.block + 1,
        verified: verified(facts),
        ready: units::duration(facts.stack.ready_after),
        servers: facts.stack.servers.iter().map(server).collect(),
        load: of.loaded(trial).map(|of| Load::new(&of)),
        percentiles: Percentiles::new(&facts.load.response),
        processes: processes(facts),
        talked: facts
            .load
            .talk
            .as_ref()
            .map_or_else(Vec::new, words::client::talked),
        counters: words::counters(facts),
        counted: words::COUNTED,
    }
}

/// What a variant's load was like, as far as there is anything to tell.
fn load(run: &JudgedRun, variant: &str) -> Vec<(&'static str, String)> {
    let of = run.variant_load(variant);
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

fn verified(measured: &Measured) -> String {
    let of = &measured.stack.verified;
    let compared = match (&of.body_compared, &of.times) {
        (None, None) => "bodies compared whole".to_owned(),
        (None, Some(times)) => format!("bodies compared whole but for times and dates ({times})"),
        (Some(why), _) => format!("bodies not compared whole: {why}"),
    };
    format!(
        "{} compared with {}; the loaded one answers {} with {} in its body; {compared}",
        words::counted(u64::from(of.requests), "request"),
        of.reference,
        of.status,
        words::counted(of.body_bytes, "byte")
    )
}

fn server(of: &ServerFacts) -> Server<'_> {
    let knobs = of.knobs.iter();
    let knobs = knobs.map(|(name, value)| (name.as_str(), words::knob(value)));
    Server {
        entry: &of.entry,
        service: of.service.as_deref(),
        version: &of.version,
        command: words::command(&of.argv),
        env: &of.env,
        knobs: knobs.collect(),
        files: &of.files,
        log: of.log_tail.join("\n"),
    }
}

fn processes<'a>(measured: &'a Measured) -> Vec<Process<'a>> {
    let completed = measured.load.completed as f64;
    let row = |of: &'a ProcessCost| {
        let times = [of.cpu_user, of.cpu_system, of.cpu() / completed];
        let times = times.map(units::duration).into_iter();
        let counted = |name: &str| of.counts.get(name).copied();
        let waited = units::known(counted(RUN_QUEUE_WAIT), |micros| {
            units::duration(micros as f64 / 1e6)
        });
        let switches = [
            ProcessCost::VOLUNTARY_SWITCHES,
            ProcessCost::INVOLUNTARY_SWITCHES,
        ];
        let switches = switches.map(|name| units::known(counted(name), units::count));
        let bytes = [ProcessCost::BYTES_READ, ProcessCost::BYTES_WRITTEN];
        let bytes =
            bytes.map(|name| units::known(counted(name), |bytes| units::bytes(bytes as f64)));
        let costs = times
            .chain([units::bytes(of.memory() as f64), waited])
            .chain(switches)
            .chain(bytes);
        Process {
            owner: &of.owner,
            command: &of.command,
            pid: of.pid,
            role: of.role.map(role),
            costs: costs.collect(),
        }
    };
    measured.processes.iter().map(row).collect()
}

fn role(of: Role) -> &'static str {
    match of {
        Role::Main => "main",
        Role::Worker => "worker",
    }
}

fn row(trial: &Trial, opinion: Option<&TrialOpinion>) -> TrialRow {
    let facts = trial.measured();
    let figure = |metric| {
        let value = opinion.and_then(|opinion| opinion.figures.get(&metric));
        units::known(value, |value| units::metric(metric, *value))
    };
    TrialRow {
        block: trial.block + 1,
        place: trial.position + 1,
        again: trial.again,
        group: (trial.group > 0).then(|| trial.group + 1),
        attempt: (trial.attempt > 0).then(|| trial.attempt + 1),
        rate: figure(Metric::Throughput),
        mean: figure(Metric::Mean),
        accounting: units::known(facts, |of| words::accounting(&of.load)),
        engine: units::known(facts, |of| words::engine(&of.load)),
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
            let step = words::step(failure.step);
            vec![format!("failed {step}: {}", failure.error)]
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
