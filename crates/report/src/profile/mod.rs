//! A profile becomes something to read: shares with their intervals, functions, flame graphs, files for other tools.
//!
//! Names of functions and files are text of others: they are made one harmless line wherever they leave.

mod change;
mod cut;
mod files;
mod flame;
mod folded;
mod pprof;
mod shares;

use record::{Doing, Function, Measured, ProfileFacts, Stacks, Stress, Trial};

use crate::JudgedRun;
use crate::harmless::one_line;

pub use change::{Changes, FunctionChange};
pub use files::{flame_graph, speedscope};
pub use flame::Flames;
pub use folded::{Folded, difference};
pub use pprof::pprof;
pub use shares::{ClassShare, FunctionShare, Share, Shares};

/// What was sampled of one program, in one window or in several.
#[derive(Clone, Debug, Default)]
pub struct Profiled {
    /// What it is of: a variant, a process.
    pub name: String,
    /// Windows in which it was sampled.
    pub windows: u32,
    /// Seconds of them all.
    pub seconds: f64,
    /// Seconds in which it was sampled: with what led in to slices, and their ends, which are in no window.
    pub sampled: f64,
    /// Correct responses per second in these windows, and under the same load in others, where both are known.
    pub throughput: Option<[f64; 2]>,
    /// The samples of all, by their kinds.
    pub facts: ProfileFacts,
    /// Their stacks.
    pub stacks: Stacks,
}

impl Profiled {
    /// Of one window.
    pub fn new(name: &str, seconds: f64, facts: ProfileFacts, stacks: Stacks) -> Self {
        Self {
            name: name.to_owned(),
            windows: 1,
            seconds,
            sampled: seconds,
            throughput: None,
            facts,
            stacks,
        }
    }

    fn add(&mut self, measured: &Measured) {
        let Some(facts) = &measured.load.profile else {
            return;
        };
        self.windows += 1;
        let load = &measured.load;
        self.seconds += load.seconds;
        self.sampled += load.seconds / load.counted_share().max(f64::MIN_POSITIVE);
        self.facts.rate = facts.rate;
        self.facts.processes = self.facts.processes.max(facts.processes);
        self.facts.errors += facts.errors;
        self.facts.late += facts.late;
        self.facts.cpu += facts.cpu;
        self.facts.problem = self.facts.problem.take().or(facts.problem.clone());
        for count in &facts.counts {
            let kind = |of: &record::ProfileCount| (of.doing, of.class, of.own);
            let mut known = self.facts.counts.iter_mut();
            match known.find(|of| kind(of) == kind(count)) {
                Some(known) => known.samples += count.samples,
                None => self.facts.counts.push(*count),
            }
        }
        self.stacks.add(&measured.observed.stacks);
    }

    /// Samples of threads that do this.
    pub fn samples(&self, doing: Doing) -> u64 {
        self.facts.samples(|of| of.doing == doing)
    }
}

impl JudgedRun<'_> {
    /// What was sampled of a variant: in its trials that count, or in all where none does, since a window in which
    /// other programs took the cores still shows what the threads did. `None` where nothing was.
    pub fn profiled(&self, variant: &str) -> Option<Profiled> {
        let own = |of: &&Trial| of.variant == variant && is_profiled(of);
        let counted = |of: &&Trial| own(of) && self.counts(of);
        let trials = self.trials.iter();
        let some_count = trials.clone().any(|of| counted(&of));
        let wanted = |of: &&Trial| if some_count { counted(of) } else { own(of) };
        let trials: Vec<_> = trials.filter(wanted).collect();
        let mut all = Profiled {
            name: variant.to_owned(),
            throughput: self.profiled_throughput(variant),
            ..Profiled::default()
        };
        for measured in trials.into_iter().filter_map(Trial::measured) {
            all.add(measured);
        }
        (all.windows > 0).then_some(all)
    }

    /// The throughput of a variant that is profiled in a trial of its own: in that, and in the others.
    fn profiled_throughput(&self, variant: &str) -> Option<[f64; 2]> {
        let plan = &self.run.plan;
        let usual = plan.load_of(plan.variant(variant)?);
        let mut stress = self.judged.stress.iter();
        let own = stress.find(|of| of.stress == Stress::Profiled && of.variant == variant)?;
        let ratio = own
            .ratio
            .filter(|ratio| ratio.is_finite() && *ratio > 0.0)?;
        let others = own.throughput / ratio;
        usual.profile.is_none().then_some([own.throughput, others])
    }
}

fn is_profiled(trial: &Trial) -> bool {
    let measured = trial.measured();
    measured.is_some_and(|of| of.load.profile.is_some())
}

/// A function as people read it: `hello (rpc.py:9)`.
pub(crate) fn words(of: &Function) -> String {
    let line = match of.line {
        0 => String::new(),
        line => format!(":{line}"),
    };
    one_line(&format!("{} ({}{line})", of.name, of.file)).into_owned()
}
