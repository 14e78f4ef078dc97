//! What a fault costs: how long until a stack is back, and what is lost until then.

use record::{LoadFacts, Recovery, Run, Struck, Trial};
use serde::Serialize;

/// A variant whose load has faults, over its trials that were struck; where none was, over all in which one was due.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Faulted {
    /// The variant.
    pub variant: String,
    /// The faults of a trial, in order.
    pub faults: Vec<Struck>,
    /// Trials in which a fault befell some process, or opened a connection; 0 where none did in any.
    pub trials: u32,
    /// Median of the seconds until correct responses came as before, and the least and most; absent where nothing was
    /// answered before the fault.
    pub recovery: Option<[f64; 3]>,
    /// Trials in which they never did: their seconds are what was left of the window.
    pub never: u32,
    /// Median share of requests that failed or were not answered in time, and the least and most; 0 to 1.
    pub lost: [f64; 3],
    /// Responses with another body than they should have, of all trials.
    pub wrong: u64,
}

/// Each variant that was struck, in the plan's order.
pub(crate) fn faulted(run: &Run, trials: &[Trial]) -> Vec<Faulted> {
    let variants = run.plan.variants.iter();
    variants
        .filter_map(|variant| {
            let own = crate::standing(trials).filter(|of| of.variant == variant.name);
            let own = own.filter(|of| run.plan.stress_in(of.block).is_none());
            let loads = own.filter_map(|of| Some(&of.measured()?.load));
            let loads: Vec<_> = loads.filter(|load| !load.struck.is_empty()).collect();
            of_variant(&variant.name, &loads)
        })
        .collect()
}

fn of_variant(variant: &str, due: &[&LoadFacts]) -> Option<Faulted> {
    let struck = due.iter().copied().filter(|load| load.was_struck());
    let struck: Vec<&LoadFacts> = struck.collect();
    let loads: &[&LoadFacts] = if struck.is_empty() { due } else { &struck };
    let faults = loads.first()?.struck.clone();
    let lost: Vec<f64> = loads.iter().filter_map(|load| load.error_share()).collect();
    let recoveries: Vec<Recovery> = loads.iter().filter_map(|load| load.recovery()).collect();
    let seconds: Vec<f64> = recoveries.iter().map(|of| of.seconds).collect();
    Some(Faulted {
        variant: variant.to_owned(),
        faults,
        trials: struck.len() as u32,
        recovery: spread(&seconds),
        never: recoveries.iter().filter(|of| !of.back).count() as u32,
        lost: spread(&lost)?,
        wrong: loads.iter().map(|load| load.wrong_bodies()).sum(),
    })
}

/// Median, least and most.
fn spread(values: &[f64]) -> Option<[f64; 3]> {
    let least = values.iter().copied().reduce(f64::min)?;
    let most = values.iter().copied().reduce(f64::max)?;
    Some([stats::median(values)?, least, most])
}

#[cfg(test)]
mod tests {
    use record::{Blow, Fault, Interval, Victim};

    use super::*;

    /// Ten seconds at one rate, with a fault after two.
    fn load(processes: u32) -> LoadFacts {
        let interval = |second: u32| Interval {
            until: f64::from(second),
            completed: 10,
        };
        let fault = Fault {
            at: 2.0,
            blow: Blow::Kill(Victim::Worker),
        };
        LoadFacts {
            seconds: 10.0,
            scheduled: 100,
            completed: 100,
            intervals: (1..=10).map(interval).collect(),
            struck: vec![Struck {
                fault,
                at: 2.1,
                processes,
                connections: 0,
                pid_files: 0,
                gone: false,
            }],
            ..LoadFacts::default()
        }
    }

    #[test]
    fn nobody_gets_over_a_fault_that_befell_nobody() {
        let (missed, struck) = (load(0), load(1));
        let none = of_variant("one", &[&missed, &missed]).unwrap();
        assert_eq!((none.trials, none.recovery, none.never), (0, None, 0));
        let one = of_variant("one", &[&missed, &struck]).unwrap();
        assert_eq!((one.trials, one.recovery), (1, Some([0.0; 3])));
        assert_eq!(one.faults[0].processes, 1);
    }
}
