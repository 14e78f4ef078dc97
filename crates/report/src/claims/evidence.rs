use std::collections::BTreeSet;

use jiff::Timestamp;
use record::Trial;

use crate::JudgedRun;
use crate::words;

/// A run on which verdicts rest.
#[derive(Clone, Debug)]
pub struct Evidence {
    /// Its number.
    pub run: i64,
    /// The plan's name.
    pub plan: String,
    /// What the plan is called.
    pub title: String,
    /// When it began.
    pub started: Timestamp,
    /// The machine.
    pub host: String,
    /// weir's version.
    pub weir: String,
    /// How often each variant was run.
    pub blocks: String,
    /// How far apart two equal variants came out, where the plan has such.
    pub noise: Option<String>,
    /// That the machine's own speed changed from trial to trial, where it did.
    pub pace: Option<String>,
    /// Every program that took part, with the version that it told.
    pub versions: BTreeSet<(String, String)>,
}

impl Evidence {
    /// What a run was.
    pub fn of(findings: &JudgedRun) -> Self {
        let JudgedRun {
            run,
            trials,
            judged,
            ..
        } = *findings;
        let measured = trials.iter().filter_map(Trial::measured);
        let servers = measured.flat_map(|measured| &measured.stack.servers);
        Self {
            run: run.id,
            plan: run.plan.name.clone(),
            title: run.plan.title.clone(),
            started: run.started,
            host: words::host(run),
            weir: run.weir.clone(),
            blocks: words::blocks(run, trials),
            noise: judged.noise_floor.as_ref().map(words::noise_floor),
            pace: judged.pace.as_ref().and_then(words::pace),
            versions: servers
                .map(|of| (of.entry.clone(), of.version.clone()))
                .collect(),
        }
    }
}
