//! The capacity that the rates of a plan are shares of: the throughput of a closed loop before the first block.

use std::slice;

use record::{Amount, Load, LoadFacts, Plan, Run, Shape, Trial, WarmUpPlan, units};

use crate::error::ExperimentError;
use crate::run::active::ActiveRun;
use crate::run::again::{AGAIN, may_pass};
use crate::run::app_times::AppTimes;
use crate::run::lab::News;
use crate::run::order::Slot;
use crate::run::progress::Again;
use crate::run::trials::{Taken, Trials};

/// Connections of the loop, if the plan's load has as many.
const CONNECTIONS: u32 = 32;
/// Seconds of its window.
const WINDOW: f64 = 2.0;
/// Most seconds that lead in to it, where nothing leads in to the plan's windows.
const WARM_UP: f64 = 10.0;
/// What a capacity is taken for before it is known, in requests per second: an estimate needs one for loads that count requests.
pub(crate) const GUESS: f64 = 1_000.0;

/// Seconds that this takes, about; 0 where there is nothing to measure.
pub(crate) fn seconds(plan: &Plan) -> f64 {
    match plan.open_capacity() {
        Some(_) => AppTimes::GUESS.of_start() + WINDOW,
        None => 0.0,
    }
}

impl<T: Trials> ActiveRun<'_, '_, T> {
    /// Measures what the rates of the plan are shares of, if that is not known yet, and goes on with the rates that it makes.
    ///
    /// # Errors
    /// The variant cannot be started, or loaded; what was measured is no capacity; a store that cannot be written.
    pub(super) fn know_capacity(
        &mut self,
        news: &mut dyn FnMut(&News),
    ) -> Result<(), ExperimentError> {
        let Some(variant) = self.run.plan.open_capacity().map(str::to_owned) else {
            return Ok(());
        };
        self.wait_for_quiet(news)?;
        news(&News::Capacity {
            variant: variant.clone(),
        });
        let closed = Run {
            plan: closed(&self.run.plan, &variant),
            ..Run::clone(&self.run)
        };
        let rate = self.capacity(&closed, &variant, news)?;
        self.replan(self.run.plan.at_capacity(rate))?;
        news(&News::Rates { variant, rate });
        Ok(())
    }

    /// The throughput of the one variant of this run. What may pass is taken again.
    fn capacity(
        &mut self,
        run: &Run,
        variant: &str,
        news: &mut dyn FnMut(&News),
    ) -> Result<f64, ExperimentError> {
        // it is no trial of the run
        let mut told = |of: &News| {
            if !matches!(of, News::Trial { .. }) {
                news(of);
            }
        };
        let mut what = Again {
            block: 0,
            position: 0,
            slot: Slot {
                variant: variant.to_owned(),
                again: false,
                group: 0,
            },
            attempt: 0,
        };
        loop {
            self.check_interrupted()?;
            let (place, alone) = (&self.lab.place, slice::from_ref(&what));
            let mut taken = self.trials.take(place, run, alone, &mut told);
            self.check_interrupted()?;
            let Taken { trial, error, .. } = taken.pop().expect("one that is alone is taken");
            let passes = match &error {
                Some(error) => may_pass(error, false),
                None => judge::transient(run, &trial).is_some(),
            };
            if passes && what.attempt < AGAIN {
                what.attempt += 1;
                continue;
            }
            return match error {
                Some(error) => Err(ExperimentError::Capacity {
                    variant: variant.to_owned(),
                    error: Box::new(error),
                }),
                None => throughput(&trial, passes),
            };
        }
    }
}

/// The plan with this variant alone, in a closed loop.
fn closed(plan: &Plan, variant: &str) -> Plan {
    let mut closed = Plan {
        baseline: variant.to_owned(),
        ..plan.unasked()
    };
    closed.variants.retain(|of| of.name == variant);
    for of in &mut closed.variants {
        of.load = Some(closed_loop(plan.load_of(of)));
    }
    closed
}

/// The closed loop with the clients of this load.
fn closed_loop(load: &Load) -> Load {
    // a page's connections are those of whole visitors
    let most = match load.page {
        Some(_) => load.connections,
        None => CONNECTIONS,
    };
    Load {
        connections: load.connections.min(most),
        amount: Amount::Seconds(WINDOW),
        warm_up: match load.warm_up {
            WarmUpPlan::None => WarmUpPlan::Stationary(WARM_UP),
            some => some,
        },
        shape: Shape::default(),
        faults: Vec::new(),
        profile: None,
        ..load.clone()
    }
}

/// What a trial in a closed loop says of the capacity. A disturbance that did not pass is borne: on such a machine nothing is more
/// exact.
fn throughput(trial: &Trial, disturbed: bool) -> Result<f64, ExperimentError> {
    let load = trial.measured().map(|of| &of.load);
    let rate = load.map_or(0.0, LoadFacts::throughput);
    let doubts = load.map_or_else(Vec::new, judge::doubts);
    let mut grave = doubts.into_iter().filter(|doubt| doubt.disqualifies);
    let (because, advice) = match grave.next() {
        Some(doubt) if !disturbed => (doubt.because, doubt.advice),
        _ if rate > 0.0 => return Ok(rate),
        _ => (
            format!("no correct response came in {}", units::duration(WINDOW)),
            "name a variant that responds faster".to_owned(),
        ),
    };
    Err(ExperimentError::NoCapacity {
        variant: trial.variant.clone(),
        because,
        advice,
    })
}

#[cfg(test)]
mod tests {
    use record::{Arrivals, Process, Visitors, Visits};

    use super::*;
    use crate::run::active::tests::measured;

    fn open(connections: u32) -> Load {
        Load {
            connections,
            shape: Shape::Open(Arrivals {
                process: Process::Poisson,
                segments: Arrivals::steady(0.5),
                max_outstanding: Arrivals::MAX_OUTSTANDING,
                seed: 1,
            }),
            ..Load::default()
        }
    }

    #[test]
    fn the_loop_has_the_clients_of_the_plan_and_no_more_than_it_needs() {
        let closed = closed_loop(&open(500));
        assert_eq!((closed.connections, closed.is_open()), (CONNECTIONS, false));
        assert_eq!(closed.warm_up, WarmUpPlan::Stationary(WARM_UP));
        assert_eq!(closed_loop(&open(4)).connections, 4);
        let paged = Load {
            page: Some(Visitors {
                connections: 6,
                visits: Visits::Both,
            }),
            warm_up: WarmUpPlan::Requests(9),
            ..open(60)
        };
        let closed = closed_loop(&paged);
        assert_eq!((closed.connections, closed.warm_up), (60, paged.warm_up));
    }

    #[test]
    fn a_loop_without_a_response_is_no_capacity() {
        let trial = |load: LoadFacts| Trial {
            run: 1,
            block: 0,
            position: 0,
            variant: "a".to_owned(),
            again: false,
            group: 0,
            attempt: 0,
            started: record::now(),
            outcome: measured(load, 0.0),
        };
        let none = LoadFacts {
            seconds: 2.0,
            ..LoadFacts::default()
        };
        let error = throughput(&trial(none), true).unwrap_err();
        assert!(error.to_string().contains("capacity of `a`"), "{error}");
        let hint = error.hint().unwrap();
        assert!(hint.contains("`of-capacity`"), "{hint}");
    }
}
