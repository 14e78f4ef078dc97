use std::collections::BTreeSet;

use jiff::Timestamp;
use record::condition::Expectation;
use record::{Condition, Plan, Trial};

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
    /// First digits of the digest of the plan's file, where that says what was run and what was asked; absent where it was changed
    /// since, or nobody looked.
    pub digest: Option<String>,
    /// The plan, as it was run.
    pub as_run: Plan,
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
    /// That the plan has no such, and whether its claims need them, where it has none.
    pub no_pair: Option<String>,
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
            digest: None,
            as_run: run.plan.clone(),
            started: run.started,
            starts: trials.iter().map(|trial| trial.started).collect(),
            host: words::host(run),
            weir: run.weir.clone(),
            blocks: words::blocks(run, trials),
            noise: judged.noise_floor.as_ref().map(words::noise_floor),
            no_pair: no_pair(&run.plan),
            pace: judged.pace.as_ref().and_then(words::pace),
            versions: servers
                .map(|of| (of.entry.clone(), of.version.clone()))
                .collect(),
        }
    }
}

/// Of a plan without an A/A pair, whether its claims need one: what compares is held against it, and nothing else is.
fn no_pair(plan: &Plan) -> Option<String> {
    if plan.noise_floor.is_some() {
        return None;
    }
    let claims = plan.claims.iter();
    let mut conditions = claims.flat_map(|claim| claim.expect.iter().chain(&claim.since_expect));
    let compares = |of: &Condition| match &of.means {
        Ok(Expectation::Figures(of)) => of.over.is_some(),
        Ok(Expectation::Ranking(_)) | Err(_) => false,
    };
    let why = if conditions.any(compares) {
        "how far apart two equal variants lie was not measured here"
    } else {
        "no claim of this plan is about a ratio, and nothing else is held against one"
    };
    Some(format!(
        "Noise floor: none, as the plan has no A/A pair: {why}"
    ))
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
        let mut conditions = vec![
            ("Runs begun", when),
            ("Machine", each(&|of| of.host.clone())),
            ("weir", each(&|of| of.weir.clone())),
        ];
        let older = self.evidence.iter().filter(|of| of.digest.is_none());
        let older: Vec<&str> = older.map(|of| of.plan.as_str()).collect();
        if !older.is_empty() {
            conditions.push(("Of older plans", older.join(", ")));
        }
        conditions
    }

    /// The plans whose files still say what was run, each with the first digits of the digest of its file.
    pub(crate) fn plans(&self) -> Vec<(&str, &str)> {
        let plans = self.evidence.iter();
        plans
            .filter_map(|of| Some((of.plan.as_str(), of.digest.as_deref()?)))
            .collect()
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
