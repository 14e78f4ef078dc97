//! What the checks of an entry share: the machine, how plans are run on it, and what is said of faults.

use std::path::PathBuf;
use std::time::Duration;

use experiment::{Allowance, ExperimentError, Lab, News, Place};
use record::{Amount, Load, Plan, Trial, WarmUpPlan};
use report::terminal::Fault;
use stack::{GuardCommand, Machine, Options, Rehearsal};
use store::Store;

use crate::args::CheckArgs;
use crate::error::{Error, Result};
use crate::invocation::{Invocation, VERSION};

/// Connections that a way is loaded over: more than small servers have workers.
const CONNECTIONS: u32 = 10;
/// Longest time from the start of a program to its first correct response.
pub(super) const READY: Duration = Duration::from_mins(2);

/// What happened, or what is wrong about it; none where it cannot happen to this entry.
pub(super) type Befallen = std::result::Result<Option<Fault>, String>;

/// What entries are checked with.
pub(super) struct Tester<'a> {
    pub(super) rehearsal: Rehearsal<'a>,
    pub(super) machine: &'a Machine,
    pub(super) args: &'a CheckArgs,
    pub(super) invocation: &'a Invocation,
    pub(super) store: PathBuf,
}

impl Tester<'_> {
    /// Runs a plan: its trials, and how it ended.
    pub(super) fn run(
        &self,
        plan: &Plan,
        news: &mut dyn FnMut(&News),
    ) -> Result<(Vec<Trial>, std::result::Result<(), ExperimentError>)> {
        let mut store = Store::open(&self.store)?;
        let run = store.begin_run(plan, self.invocation.host(), VERSION)?;
        let mut lab = Lab {
            store: &mut store,
            place: Place {
                machine: self.machine,
                guard: GuardCommand::default(),
                ready_timeout: READY,
                ring_costs: Vec::new(),
                interrupted: self.invocation.interrupted(),
            },
            time: Allowance::default(),
        };
        let ended = experiment::run(&mut lab, &run, news);
        Ok((store.trials(run.id)?, ended))
    }

    pub(super) fn plan(
        app: record::App,
        variants: Vec<record::Variant>,
        baseline: String,
        amount: Amount,
    ) -> Plan {
        Plan {
            name: app.name.clone(),
            title: "weir catalogue check".to_owned(),
            shared: true, // whether it serves is asked, not how fast
            app,
            load: Load {
                connections: CONNECTIONS,
                amount,
                warm_up: WarmUpPlan::Requests(u64::from(CONNECTIONS)),
                keep_alive: true,
                timeout: 30.0,
                ..Load::default()
            },
            blocks: 1,
            seed: 1,
            variants,
            baseline,
            keep_going: true,
            ..Plan::default()
        }
    }

    pub(super) fn options(&self, ready_timeout: Duration) -> Options<'_> {
        Options {
            ready_timeout,
            ..Options::new(self.invocation.interrupted())
        }
    }
}

/// What weir said of a fault, and how it ended.
pub(super) fn told(error: ExperimentError) -> Fault {
    let said = error.to_string();
    Fault {
        what: String::new(),
        exit: Error::from(error).exit().code(),
        said,
    }
}

/// An error with the end of the log.
pub(super) fn words(error: &stack::StackError) -> String {
    with_log(&error.to_string(), error.log_tail())
}

/// The same of a load.
pub(super) fn load_words(error: &ExperimentError) -> String {
    with_log(&error.to_string(), error.log_tail())
}

fn with_log(error: &str, log: &[String]) -> String {
    let log = log.join("\n    ");
    format!("{error}\n    {log}").trim_end().to_owned()
}
