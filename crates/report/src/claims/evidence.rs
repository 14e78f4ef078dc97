use std::collections::BTreeSet;

use jiff::Timestamp;
use record::Trial;

use super::Claims;
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
    /// When each of its trials began, those that were put aside too.
    pub starts: Vec<Timestamp>,
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
            starts: trials.iter().map(|trial| trial.started).collect(),
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

impl Claims {
    /// When they were decided, on what, and with which weir: each thing once.
    pub(crate) fn conditions(&self) -> Vec<(&'static str, String)> {
        let each = |of: &dyn Fn(&Evidence) -> String| {
            let all: BTreeSet<String> = self.evidence.iter().map(of).collect();
            all.into_iter().collect::<Vec<_>>().join("; ")
        };
        let moments = self.evidence.iter().map(|of| of.started);
        let (Some(first), Some(last)) = (moments.clone().min(), moments.max()) else {
            return Vec::new();
        };
        let (first, last) = (words::moment(first), words::moment(last));
        let when = if first == last {
            format!("{first} UTC")
        } else {
            format!("{first} to {last} UTC")
        };
        vec![
            ("Runs begun", when),
            ("Machine", each(&|of| of.host.clone())),
            ("weir", each(&|of| of.weir.clone())),
        ]
    }

    /// Every program that took part, with its versions.
    pub(crate) fn versions(&self) -> Vec<(String, String)> {
        let all: BTreeSet<_> = self.evidence.iter().flat_map(|of| &of.versions).collect();
        let mut programs: Vec<(String, String)> = Vec::new();
        for (entry, version) in all {
            match programs.last_mut().filter(|(known, _)| known == entry) {
                Some((_, versions)) => *versions = format!("{versions}, {version}"),
                None => programs.push((entry.clone(), version.clone())),
            }
        }
        programs
    }
}
