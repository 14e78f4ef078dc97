use record::{Load, Metric, Plan, Run, Trial};

use crate::compare::{floor_share, paired, verdict};
use crate::opinion::Comparison;
use crate::session::Session;
use crate::words::{closest, listed};

/// One side of a comparison: a run, its trials, and one of its stages if one is meant.
pub type Side<'a> = (&'a Run, &'a [Trial], Option<&'a str>);

/// Why two sides cannot be compared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CompareError {
    /// The run has no such stage.
    #[error("run {run} has no stage `{stage}`")]
    UnknownStage {
        /// The run.
        run: i64,
        /// The stage asked for.
        stage: String,
        /// The stages it has.
        stages: Vec<String>,
    },
    /// Both sides are the same stage of the same run, or the same run without a stage.
    #[error("both sides are the same: run {run}")]
    Same {
        /// The run.
        run: i64,
        /// The stages it has.
        stages: Vec<String>,
    },
    /// No stage was named, and the runs have none in common.
    #[error("runs {of} and {over} have no stage in common")]
    NothingInCommon {
        /// The run above the line.
        of: i64,
        /// Its stages.
        of_stages: Vec<String>,
        /// The run below the line.
        over: i64,
        /// Its stages.
        over_stages: Vec<String>,
    },
    /// A side has no trial that counts, or (in one run) no block has both.
    #[error("`{of}` and `{over}` cannot be compared: {because}")]
    NothingCounts {
        /// The side above the line.
        of: String,
        /// The side below the line.
        over: String,
        /// What is missing.
        because: String,
        /// The run to look at.
        run: i64,
    },
}

impl CompareError {
    /// What to type or do next.
    pub fn hint(&self) -> Option<String> {
        let all = |names: &[String]| listed(names.iter().map(String::as_str));
        Some(match self {
            Self::UnknownStage { run, stage, stages } => {
                match closest(stage, stages.iter().map(String::as_str)) {
                    Some(name) => format!("did you mean `{run}:{name}`?"),
                    None => format!("it has {}", all(stages)),
                }
            }
            Self::Same { run, stages } => format!(
                "name two different stages, as in `weir compare {run}:STAGE {run}:STAGE`; it has {}",
                all(stages)
            ),
            Self::NothingInCommon {
                of,
                of_stages,
                over,
                over_stages,
            } => format!(
                "name one on each side, as in `weir compare {of}:STAGE {over}:STAGE`; run {of} \
                 has {}, run {over} has {}",
                all(of_stages),
                all(over_stages)
            ),
            Self::NothingCounts { run, .. } => {
                format!("`weir show {run}` tells which trials were left out, and why")
            }
        })
    }
}

/// Compares two stages: of one run paired by block, of two runs as two samples (`paired` is false;
/// what drifted between the sessions is then in no interval). Two runs without stages are compared
/// stage by stage by name; where one side names a stage, the other is taken by the same name.
/// Metrics that one of the sides does not have are left out.
///
/// # Errors
/// A stage is unknown, both sides are the same, or nothing is left to compare.
pub fn compare(of: Side, over: Side) -> Result<Vec<Comparison>, CompareError> {
    let (above, below) = (Session::new(of.0, of.1), Session::new(over.0, over.1));
    let within_one = of.0.id == over.0.id;
    let mut found = Vec::new();
    let pairs = stages(of, over)?;
    for (of, over) in &pairs {
        found.extend(Metric::columns().filter_map(|metric| {
            if within_one {
                paired(&above, of, over, metric)
            } else {
                unpaired((&above, of), (&below, over), metric)
            }
        }));
    }
    if found.is_empty() {
        let (of, over) = &pairs[0];
        return Err(nothing_counts((&above, of), (&below, over)));
    }
    Ok(found)
}

/// What differs between two runs besides what is compared: reasons to read the ratio with care.
pub fn differences(of: &Run, over: &Run) -> Vec<String> {
    let (a, b) = (&of.plan, &over.plan);
    let (ours, theirs) = (&of.host, &over.host);
    // each run draws its own arrivals
    let load = |plan: &Plan| Load {
        shape: plan.load.shape.reseeded(0),
        ..plan.load.clone()
    };
    let checks = [
        (a.app.dir != b.app.dir, "the app is another one"),
        (a.app.routes != b.app.routes, "the app's routes differ"),
        (load(a) != load(b), "the load differs"),
        (ours.cores != theirs.cores, "the number of cores differs"),
        (ours.cpu != theirs.cpu, "the processor differs"),
        (ours.kernel != theirs.kernel, "the kernel differs"),
        (of.weir != over.weir, "weir's own version differs"),
    ];
    let differ = checks.into_iter().filter(|(differs, _)| *differs);
    differ.map(|(_, words)| words.to_owned()).collect()
}

/// The pairs of stage names to compare; never empty.
fn stages(of: Side, over: Side) -> Result<Vec<(String, String)>, CompareError> {
    let named = |name: &str| (name.to_owned(), name.to_owned());
    let pairs = match (of.2, over.2) {
        (Some(above), Some(below)) => vec![(above.to_owned(), below.to_owned())],
        (Some(name), None) | (None, Some(name)) => vec![named(name)],
        // what two addresses answered is compared whatever they are called
        (None, None) if [of.0, over.0].map(|run| run.plan.stages.len()) == [1, 1] => {
            vec![(names(of.0).remove(0), names(over.0).remove(0))]
        }
        (None, None) => names(of.0)
            .iter()
            .filter(|name| over.0.plan.stage(name).is_some())
            .map(|name| named(name))
            .collect(),
    };
    for (above, below) in &pairs {
        known(of.0, above)?;
        known(over.0, below)?;
    }
    if of.0.id == over.0.id && pairs.iter().all(|(above, below)| above == below) {
        return Err(CompareError::Same {
            run: of.0.id,
            stages: names(of.0),
        });
    }
    if pairs.is_empty() {
        return Err(CompareError::NothingInCommon {
            of: of.0.id,
            of_stages: names(of.0),
            over: over.0.id,
            over_stages: names(over.0),
        });
    }
    Ok(pairs)
}

fn names(run: &Run) -> Vec<String> {
    let stages = run.plan.stages.iter();
    stages.map(|stage| stage.name.clone()).collect()
}

fn known(run: &Run, stage: &str) -> Result<(), CompareError> {
    if run.plan.stage(stage).is_some() {
        return Ok(());
    }
    Err(CompareError::UnknownStage {
        run: run.id,
        stage: stage.to_owned(),
        stages: names(run),
    })
}

fn unpaired(of: (&Session, &str), over: (&Session, &str), metric: Metric) -> Option<Comparison> {
    let values = |(session, stage): (&Session, &str)| -> Vec<f64> {
        let blocks = session.by_block(stage, false, metric);
        blocks.into_values().collect()
    };
    let (above, below) = (values(of), values(over));
    let ratio = stats::unpaired_ratio(&above, &below, of.0.run.plan.seed)?;
    // the noisier of the two sessions
    let floors = [of.0, over.0].map(|session| floor_share(session, metric));
    let floor = floors.into_iter().flatten().fold(0.0, f64::max);
    let name = |(session, stage): (&Session, &str)| format!("{}:{stage}", session.run.id);
    let (names, pairs) = ((name(of), name(over)), above.len().min(below.len()));
    let verdict = verdict(metric, ratio, Some(floor));
    Some(Comparison {
        paired: false,
        ..Comparison::new(metric, names, ratio, pairs, verdict)
    })
}

fn nothing_counts(of: (&Session, &str), over: (&Session, &str)) -> CompareError {
    let empty = [of, over].into_iter().find(|(session, stage)| {
        let mut trials = session.of(stage, false);
        !trials.any(|seen| seen.opinion.counts)
    });
    let because = match empty {
        Some((session, stage)) => format!(
            "no trial of `{stage}` in run {} counts: {}",
            session.run.id,
            session.why_none_counts(stage)
        ),
        None => "no block has a counted trial of both".to_owned(),
    };
    CompareError::NothingCounts {
        of: of.1.to_owned(),
        over: over.1.to_owned(),
        because,
        run: empty.map_or(of.0.run.id, |(session, _)| session.run.id),
    }
}
