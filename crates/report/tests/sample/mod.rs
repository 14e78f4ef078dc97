//! A run of five variants and six blocks as it might come out of the store, with opinions to match:
//! made up, reproducible, and with something of everything that a report must show.

mod claims;
mod curves;
mod dice;
mod opinions;
mod plan;
mod variants;

use std::collections::BTreeMap;

use record::{
    Cause, Distribution, EngineCost, Failure, Interval, Knob, LoadFacts, Measured, Outcome,
    ProcessCost, RenderedFile, Run, ServerFacts, StackFacts, Step, Target, Trial, Verified, WarmUp,
};

use report::load::Extras;

pub(crate) use curves::curves;
pub(crate) use dice::Dice;
pub(crate) use opinions::{compared, comparison, doubts, judged, lead};
pub(crate) use plan::{VARIANTS, VariantSample, run};

pub(crate) const BLOCKS: u32 = 6;

pub(crate) fn trials(run: &Run) -> Vec<Trial> {
    let mut trials = Vec::new();
    for block in 0..BLOCKS {
        for (place, variant) in VARIANTS.iter().enumerate() {
            trials.push(trial(run, variant, block, place as u32, false));
        }
        trials.push(trial(run, &VARIANTS[1], block, 5, true));
    }
    let failed = trials
        .iter_mut()
        .find(|trial| trial.variant == "nginx-in-front" && trial.block == 4);
    failed.expect("block 4 is there").outcome = Outcome::Failed(Failure {
        step: Step::Ready,
        error: "`nginx` did not answer `/` with 200 within 10 s".into(),
        log_tail: vec![
            "[emerg] bind() to 127.0.0.1:40123 failed (98: Address already in use)".into(),
        ],
        machine: false,
    });
    trials
}

fn trial(run: &Run, variant: &VariantSample, block: u32, position: u32, again: bool) -> Trial {
    let mut dice = Dice::new(u64::from(block) * 100 + u64::from(position) + 7);
    let load = load(variant, &mut dice);
    Trial {
        run: run.id,
        block,
        position,
        variant: variant.name.into(),
        again,
        group: 0,
        attempt: 0,
        started: run.started,
        outcome: Outcome::Measured(Box::new(Measured {
            stack: stack(variant, block),
            processes: processes(variant, &load),
            load,
            stolen: 0.002,
            observed: record::Observed::default(),
        })),
    }
}

pub(crate) fn load(variant: &VariantSample, dice: &mut Dice) -> LoadFacts {
    let failed = variant.failed;
    let completed = 1_000 - failed;
    let seconds = completed as f64 / (variant.rate * (1.0 + 0.02 * dice.normal()));
    let mut facts = LoadFacts {
        seconds,
        scheduled: 1_000,
        completed,
        failed: BTreeMap::from([(Cause::ResetBeforeAnswer, failed)]),
        examples: BTreeMap::from([(
            Cause::ResetBeforeAnswer,
            "Connection reset by peer (os error 104)".into(),
        )]),
        statuses: BTreeMap::from([(200, completed)]),
        bytes_sent: 76_000,
        bytes_received: completed * variant.bytes,
        connections: 100,
        connects: 1_000,
        warm_up: WarmUp {
            stationary: None,
            requests: 200,
            failed: 0,
            seconds: 0.6,
            alone: None,
        },
        engine: EngineCost {
            threads: 2,
            cpu_user: 0.006,
            cpu_system: 0.015,
            busiest: 0.04,
            ..EngineCost::default()
        },
        intervals: (1..=4)
            .map(|slice| Interval {
                until: seconds * f64::from(slice) / 4.0,
                completed: completed / 4,
            })
            .collect(),
        ..LoadFacts::default()
    };
    if failed == 0 {
        facts.failed.clear();
        facts.examples.clear();
    }
    times(variant, completed, dice, &mut facts);
    facts
}

fn times(variant: &VariantSample, completed: u64, dice: &mut Dice, facts: &mut LoadFacts) {
    for _ in 0..completed {
        let slow = if dice.roll() < variant.tail { 2.6 } else { 1.0 };
        let response = variant.median * (variant.spread * dice.normal()).exp() * slow;
        let connect = 0.000_08 * (0.3 * dice.normal()).exp();
        for (kept, seconds) in [
            (&mut facts.response, response),
            (&mut facts.service, response - connect),
            (&mut facts.first_byte, response * 0.98),
            (&mut facts.connect, connect),
            (&mut facts.lateness, 0.000_004),
        ] {
            kept.record((seconds * 1e9) as u64);
        }
    }
}

fn stack(variant: &VariantSample, block: u32) -> StackFacts {
    let port = 40_000 + block;
    StackFacts {
        servers: variant
            .servers
            .iter()
            .map(|entry| server(entry, port))
            .collect(),
        address: Target::Tcp(([127, 0, 0, 1], port as u16).into()),
        ready_after: 0.41,
        verified: Verified {
            requests: 5,
            reference: "the app under gunicorn alone".into(),
            status: 200,
            alone: None,
            body_bytes: variant.bytes,
            body_compared: None,
            times: None,
        },
    }
}

fn server(entry: &str, port: u32) -> ServerFacts {
    let content = format!(
        "# rendered by weir from catalogue/{entry}.toml\nworker_processes auto;\nevents {{ worker_connections 1024; }}\n\
         http {{\n    server {{\n        listen 127.0.0.1:{port};\n        location / {{ proxy_pass http://unix:/run/up.sock; }}\n    }}\n}}\n"
    );
    ServerFacts {
        supervisor: None,
        scale: record::Scale::default(),
        entry: entry.into(),
        service: None,
        link: None,
        keeps: None,
        development: false,
        version: if entry == "nginx" { "1.22.1" } else { "27.0.1" }.into(),
        argv: vec![
            entry.into(),
            "-c".into(),
            "conf/with space.conf".into(),
            format!("127.0.0.1:{port}"),
        ],
        deployed: Vec::new(),
        env: vec![("GUESTBOOK_DATA".into(), "data/lab".into())],
        knobs: vec![
            ("workers".into(), Knob::Number(2)),
            ("worker-class".into(), Knob::Text("sync".into())),
            ("keepalive".into(), Knob::Switch(false)),
        ],
        slots: None,
        files: vec![RenderedFile {
            path: format!("{entry}.conf"),
            sha256: "9f86d081884c7d65".repeat(4),
            content,
        }],
        listened: None,
        log_tail: vec!["[notice] start worker process 4242".into()],
        complaint: None,
    }
}

fn processes(variant: &VariantSample, load: &LoadFacts) -> Vec<ProcessCost> {
    let cpu = variant.cpu * load.completed as f64;
    let mut all: Vec<ProcessCost> = variant
        .servers
        .iter()
        .enumerate()
        .map(|(index, entry)| ProcessCost {
            pid: 4_000 + index as u32,
            command: (*entry).into(),
            owner: (*entry).into(),
            cpu_user: cpu * 0.8 / variant.servers.len() as f64,
            cpu_system: cpu * 0.2 / variant.servers.len() as f64,
            peak_rss: 31_400_000,
            shared: None,
            ..ProcessCost::default()
        })
        .collect();
    all.push(ProcessCost {
        pid: 3_999,
        command: "weir".into(),
        owner: "weir".into(),
        cpu_user: load.engine.cpu_user,
        cpu_system: load.engine.cpu_system,
        peak_rss: 12_000_000,
        shared: None,
        ..ProcessCost::default()
    });
    all
}

/// All there is about a run on a machine that was never calibrated.
pub(crate) fn findings<'a>(
    run: &'a Run,
    trials: &'a [Trial],
    judged: &'a judge::Judged,
) -> report::JudgedRun<'a> {
    report::JudgedRun {
        run,
        trials,
        judged,
        calibration: None,
        extras: &NOTHING_BESIDE,
    }
}

static NOTHING_BESIDE: Extras = Extras {
    thresholds: BTreeMap::new(),
    slices: BTreeMap::new(),
    explain: false,
    against: None,
    machines: None,
    notes: Vec::new(),
};

/// What is done with a run that is one load of one URL, with these doubts.
pub(crate) fn with_one_load<T>(
    load: &LoadFacts,
    doubts: &[judge::Doubt],
    then: impl FnOnce(&report::JudgedRun) -> T,
) -> T {
    let mut run = run();
    let variant = record::Variant {
        name: "url".into(),
        url: Some("https://127.0.0.1:8443/".into()),
        ..record::Variant::default()
    };
    (run.plan.variants, run.plan.blocks, run.plan.noise_floor) = (vec![variant], 1, None);
    run.plan.stress.clear();
    let trial = Trial {
        run: run.id,
        block: 0,
        position: 0,
        variant: "url".into(),
        again: false,
        group: 0,
        attempt: 0,
        started: run.started,
        outcome: Outcome::Measured(Box::new(Measured {
            stack: StackFacts {
                servers: Vec::new(),
                address: Target::Unix("app.sock".into()),
                ready_after: 0.0,
                verified: Verified::default(),
            },
            load: load.clone(),
            processes: Vec::new(),
            stolen: 0.0,
            observed: record::Observed::default(),
        })),
    };
    let trials = [trial];
    let mut judged = judge::judge(&run, &trials);
    judged.trials[0].doubts = doubts.to_vec();
    then(&findings(&run, &trials, &judged))
}

pub(crate) fn empty() -> Distribution {
    Distribution::default()
}
