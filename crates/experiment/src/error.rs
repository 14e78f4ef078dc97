use load::LoadError;
use record::condition::ExpectError;
use record::{Failure, Step, Variant};
use stack::StackError;
use store::StoreError;
use traffic::TrafficError;

use crate::plan::error::PlanError;

/// Why a plan was not run, or not to its end.
#[derive(Debug, thiserror::Error)]
pub enum ExperimentError {
    /// The plan file is wrong.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The app is wrong, or something about a stack that belongs to no variant.
    #[error(transparent)]
    Stack(#[from] StackError),
    /// A variant could not be composed, started, verified or stopped.
    #[error("variant `{variant}`: {error}")]
    Variant {
        /// The variant.
        variant: String,
        /// What happened.
        error: Box<StackError>,
    },
    /// Several app servers alike did not get the app ready, so that no other one was tried.
    #[error(
        "the app gets ready under no server ({} were tried): {error}",
        record::joined(variants, "and")
    )]
    NeverReady {
        /// The variants that were tried.
        variants: Vec<String>,
        /// What happened to the last one.
        error: Box<StackError>,
    },
    /// A variant's URL leads nowhere.
    #[error("variant `{variant}`: its `url` cannot be loaded: {problem}")]
    Url {
        /// The variant.
        variant: String,
        /// Why.
        problem: String,
    },
    /// A variant could not be loaded.
    #[error("variant `{variant}`: {error}")]
    Load {
        /// The variant.
        variant: String,
        /// What happened.
        error: Box<LoadError>,
    },
    /// The program of a client did not do what it is measured by.
    #[error("variant `{variant}`: `{command}` {problem}")]
    Client {
        /// The variant.
        variant: String,
        /// The program and its arguments.
        command: String,
        /// What it did.
        problem: String,
        /// The last lines that it printed.
        said: Vec<String>,
    },
    /// The program of a client is not there.
    #[error("variant `{variant}`: `{program}` is no program that can be run")]
    NoClient {
        /// The variant.
        variant: String,
        /// The first word of its command.
        program: String,
    },
    /// There is no rate at which a variant does what its load asks for, or it was not found.
    #[error(
        "variant `{variant}`: the highest rate at which `{goal}` holds was not found: {because}"
    )]
    NoRate {
        /// The variant.
        variant: String,
        /// The conditions.
        goal: String,
        /// Why not.
        because: String,
    },
    /// The variant whose capacity rates are shares of was not measured.
    #[error("rates are shares of the capacity of `{variant}`, which was not measured: {error}")]
    Capacity {
        /// The variant.
        variant: String,
        /// What happened.
        error: Box<Self>,
    },
    /// What was measured of the variant whose capacity rates are shares of is no capacity.
    #[error(
        "rates are shares of the capacity of `{variant}`, which a closed loop did not show: {because}"
    )]
    NoCapacity {
        /// The variant.
        variant: String,
        /// Why not.
        because: String,
        /// What to do about it.
        advice: String,
    },
    /// What a variant is asked could not be read.
    #[error("variant `{variant}`: {error}")]
    Requests {
        /// The variant.
        variant: String,
        /// What happened.
        error: Box<TrafficError>,
    },
    /// Results could not be kept.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A condition that a run must meet is none, or names a variant that the plan does not have.
    #[error(transparent)]
    Condition(ExpectError),
    /// The user ended it; finished trials are kept.
    #[error("interrupted; {done} of {planned} trials are kept")]
    Interrupted {
        /// The run.
        run: i64,
        /// Trials stored.
        done: u64,
        /// Trials planned.
        planned: u64,
    },
}

impl ExperimentError {
    /// An error of a stack as an error of this variant.
    pub(crate) fn of(variant: &Variant) -> impl FnOnce(StackError) -> Self {
        let variant = variant.name.clone();
        move |error| match error {
            // it says so itself
            StackError::Refused { .. } => error.into(),
            _ => Self::Variant {
                variant,
                error: Box::new(error),
            },
        }
    }

    /// What to do next.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Plan(error) => error.hint(),
            Self::Stack(error) => error.hint(),
            Self::Variant { error, .. } | Self::NeverReady { error, .. } => error.hint(),
            Self::Url { problem, .. } if problem.contains("certificate") => {
                Some("`insecure = true` in the variant accepts any certificate".into())
            }
            Self::Url { .. } => {
                Some("check `url` in the plan, and that its server can be reached from here".into())
            }
            Self::Load { error, .. } => error.hint(),
            Self::Client { command, .. } => Some(format!(
                "try it alone: `weir client -- {command}`, in the folder of the plan"
            )),
            Self::NoClient { .. } => Some(
                "name a program on your PATH, or by its path from the folder of the plan on".into(),
            ),
            Self::NoRate { .. } => Some(
                "give the search more `seconds`, or the load generator a core of its own (`cpus = { load = 1 }`) where it set the limit, or \
                 ask for less in `goal`; `weir bench URL --goal` shows each rate"
                    .into(),
            ),
            Self::Capacity { error, .. } => error.hint(),
            Self::NoCapacity { advice, .. } => Some(format!(
                "{advice}; or write rates in requests per second in place of `of-capacity`"
            )),
            Self::Requests { error, .. } => error.hint(),
            Self::Store(error) => error.hint(),
            Self::Condition(error) => error.hint(),
            Self::Interrupted { run, .. } => Some(format!("go on with `weir run --resume {run}`")),
        }
    }

    /// Last log lines of the process concerned.
    pub fn log_tail(&self) -> &[String] {
        match self {
            Self::Stack(error) => error.log_tail(),
            Self::Variant { error, .. } | Self::NeverReady { error, .. } => error.log_tail(),
            Self::Capacity { error, .. } => error.log_tail(),
            Self::Client { said, .. } => said,
            _ => &[],
        }
    }

    /// The error as a trial records it; whether it is the machine's is left to say.
    pub(crate) fn failure(&self) -> Failure {
        match self {
            Self::Variant { error, .. } => error.failure(),
            other => Failure {
                step: Step::Load,
                error: other.to_string(),
                log_tail: other.log_tail().to_vec(),
                machine: false,
            },
        }
    }
}
