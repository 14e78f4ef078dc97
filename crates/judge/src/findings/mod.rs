//! Why a variant is as fast as it is, and what to try next: each reason computed from the facts of its trials.
//!
//! A doubt says that a figure is not what it seems; a finding says where the time of a figure goes. The rules are fixed
//! here, before any result is seen. A new finding is a file with its `RULE`, and its lines below; `make docs` writes it
//! into the table of `docs/findings.md`. What other variants of the run say of one is the same for all, in `neighbours.rs`.

mod accept_queue;
mod app_waits;
mod connection_churn;
mod connection_turns;
mod cores;
mod delayed_acknowledgements;
mod every_core_busy;
mod facts;
mod few_clients;
mod framework_heavy;
mod front_heavier;
mod front_queues;
mod generator_busy;
mod generator_ports;
mod idle_connections;
mod lacking;
mod limits_out_of_order;
mod local_ports;
mod lock;
mod lock_contention;
mod memory_grows;
mod memory_short;
mod neighbours;
mod off_cpu;
mod one_core;
mod other_programs;
mod own_words;
mod pauses;
mod queue_overflow;
mod rule;
mod service_busy;
mod slots_full;
mod spawn_churn;
mod storage_wait;
mod store_wait;
mod syn_retries;
mod uneven_workers;
mod waits;
mod workload_ceiling;

use serde::Serialize;

use crate::compare::NEGLIGIBLE;
use crate::seen_run::{Seen, SeenRun};
use facts::Facts;
pub use rule::{About, Confidence, Cost, Finding, FindingRule, Found};

macro_rules! findings {
    ($($kind:ident = $file:ident,)+) => {
        /// Reasons why a variant is as fast as it is.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, JsonSchema, Serialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum FindingKind {
            $(#[doc = concat!("See `findings/", stringify!($file), ".rs`.")] $kind,)+
        }

        impl FindingKind {
            /// Every kind: what is wrong with the measurement first, then what holds a variant back, then what else it
            /// suffers from.
            pub const ALL: &[Self] = &[$(Self::$kind),+];

            /// The rule that finds it.
            pub const fn rule(self) -> &'static FindingRule {
                match self {
                    $(Self::$kind => &$file::RULE,)+
                }
            }
        }
    };
}

findings! {
    GeneratorBusy = generator_busy,
    GeneratorPorts = generator_ports,
    OtherPrograms = other_programs,
    MemoryShort = memory_short,
    EveryCoreBusy = every_core_busy,
    OneCore = one_core,
    DelayedAcknowledgements = delayed_acknowledgements,
    FrontQueues = front_queues,
    IdleConnections = idle_connections,
    SlotsFull = slots_full,
    LockContention = lock_contention,
    AppWaits = app_waits,
    FewClients = few_clients,
    StorageWait = storage_wait,
    QueueOverflow = queue_overflow,
    SynRetries = syn_retries,
    LocalPorts = local_ports,
    Pauses = pauses,
    UnevenWorkers = uneven_workers,
    WorkloadCeiling = workload_ceiling,
    ServiceBusy = service_busy,
    StoreWait = store_wait,
    FrontHeavier = front_heavier,
    FrameworkHeavy = framework_heavy,
    LimitsOutOfOrder = limits_out_of_order,
    AcceptQueue = accept_queue,
    ConnectionTurns = connection_turns,
    ConnectionChurn = connection_churn,
    SpawnChurn = spawn_churn,
    MemoryGrows = memory_grows,
}

/// What is found in most of a variant's trials that count, in the order in which it is worth a try: what is wrong with the
/// measurement first, then what brings most for what it costs, then of what is worth as much what costs least.
pub(crate) fn of_variant(seen_run: &SeenRun, variant: &str) -> Vec<Found> {
    let trials = seen_run.of(variant);
    // what was struck is as fast as its faults let it be
    let struck = |seen: &&Seen| seen.trial.measured().is_some_and(|of| of.load.was_struck());
    let counted = trials.filter(|seen| seen.opinion.tells_of_the_stack() && !struck(seen));
    let mut trials: Vec<Facts> = counted
        .filter_map(|seen| facts_of(seen_run, seen))
        .collect();
    let neighbours = neighbours::of(seen_run, variant, trials.first());
    let more_workers = neighbours::more_workers(&neighbours);
    let behind = neighbours::slower_behind(seen_run, variant);
    for facts in &mut trials {
        facts.more_workers = more_workers;
        facts.behind.clone_from(&behind);
    }
    let kinds = FindingKind::ALL.iter();
    let found = kinds.filter_map(|kind| found(*kind, &trials));
    let checked = found.filter_map(|found| neighbours::checked(found, &neighbours));
    let mut found: Vec<Found> = checked.collect();
    // gains in the same step are not told apart
    let steps = |of: &Found| (of.finding.gain.unwrap_or(1.0).ln() / NEGLIGIBLE.ln_1p()).round();
    let worth = |of: &Found| steps(of) / of.finding.cost.weight();
    // stable: what brings and costs as much stays in the order of the kinds
    found.sort_by(|one, other| {
        let about = |of: &Found| of.finding.kind.rule().about;
        about(one)
            .cmp(&about(other))
            .then(worth(other).total_cmp(&worth(one)))
            .then(one.finding.cost.cmp(&other.finding.cost))
    });
    found
}

fn facts_of<'a>(seen_run: &SeenRun<'a>, seen: &Seen<'a>) -> Option<Facts<'a>> {
    let (run, trial) = (seen_run.run, seen.trial);
    Facts::of(run, run.plan.variant(&trial.variant)?, trial.measured()?)
}

/// A finding with no more to gain than is asked for; more clients ask for more.
fn asked_for(finding: Finding, facts: &Facts) -> Finding {
    let asks = finding.kind == FindingKind::FewClients && !facts.is_at_a_rate();
    match finding.gain.filter(|_| !asks) {
        Some(gain) => finding.at_most(gain.min(facts.room_of_what_is_asked())),
        None => finding,
    }
}

/// A finding of more than half of the trials, as the middle one of them has it.
fn found(kind: FindingKind, trials: &[Facts]) -> Option<Found> {
    let look = kind.rule().look;
    let look = |facts: &Facts| Some(asked_for(look(facts)?, facts).in_own_words(facts));
    let mut findings: Vec<Finding> = trials.iter().filter_map(look).collect();
    let count = findings.len();
    if 2 * count <= trials.len() {
        return None;
    }
    let finding = findings.swap_remove(count / 2);
    Some(Found {
        finding,
        in_trials: count as u32,
        of_trials: trials.len() as u32,
    })
}
