//! Waiting for the machine to be quiet, before a block and within bounds.

use record::{Others, Plan, Run, Trial, Variant};

use crate::error::ExperimentError;
use crate::run::active::ActiveRun;
use crate::run::lab::News;
use crate::run::trials::Trials;

/// Seconds of a look at what other programs take.
const LOOK: f64 = 0.5;
/// Share of the machine that they may take when a block begins.
const BEARABLE: f64 = 0.1;
/// Seconds that each is put off at most, and all of a run.
const BLOCK: f64 = 20.0;
const RUN: f64 = 60.0;
/// Share of a budget that is spent on it at most.
const OF_BUDGET: f64 = 0.05;

/// How quiet the machine is, as far as a look before the first trial, or the last trial, has shown it.
#[derive(Debug, Default)]
pub(crate) struct Quiet {
    /// The names of the programs that took too much of it; none where it was quiet.
    pub(crate) by: Vec<String>,
    /// Seconds that were waited.
    waited: f64,
}

impl Quiet {
    /// As a look has shown it.
    pub(crate) fn seen(others: Option<&Others>) -> Self {
        Self {
            by: names(others.filter(|others| is_loud(others))),
            waited: 0.0,
        }
    }

    /// Notes how a trial was disturbed.
    pub(crate) fn note(&mut self, run: &Run, trial: &Trial) {
        let doubt = judge::transient(run, trial);
        let disturbed = doubt.is_some_and(|doubt| doubt.kind.is_of_others());
        let facts = trial.measured().filter(|_| disturbed);
        self.by = names(facts.and_then(|facts| facts.observed.others.as_ref()));
    }
}

/// Does this, and looks meanwhile at what other programs take, so that a quiet machine loses half a second at most. Not where
/// such are always there, and not where weir starts nothing, as it cannot tell them from what is loaded.
pub(crate) fn meanwhile<R>(
    plan: &Plan,
    look: fn(f64) -> Option<Others>,
    work: impl FnOnce() -> R,
) -> (R, Quiet) {
    if plan.shared || !plan.variants.iter().any(Variant::is_stack) {
        return (work(), Quiet::default());
    }
    std::thread::scope(|scope| {
        let looking = std::thread::Builder::new().spawn_scoped(scope, move || look(LOOK));
        let done = work();
        let others = looking.ok().and_then(|looking| looking.join().ok()?);
        (done, Quiet::seen(others.as_ref()))
    })
}

impl<T: Trials> ActiveRun<'_, '_, T> {
    /// Puts a block, or a trial that is taken again, off while other programs take more than it bears, where they did so
    /// when that was seen last.
    pub(crate) fn wait_for_quiet(
        &mut self,
        news: &mut dyn FnMut(&News),
    ) -> Result<(), ExperimentError> {
        if self.run.plan.shared || self.quiet.by.is_empty() {
            return Ok(());
        }
        let most = self
            .course
            .budget
            .map_or(RUN, |budget| OF_BUDGET * budget)
            .min(RUN);
        let until = (self.quiet.waited + BLOCK).min(most);
        while self.quiet.waited + LOOK <= until {
            self.check_interrupted()?;
            let Some(others) = self.trials.others(LOOK).filter(is_loud) else {
                self.quiet.by.clear();
                break;
            };
            self.quiet.waited += LOOK;
            let at_most = until - self.quiet.waited;
            news(&News::Waiting { others, at_most });
        }
        Ok(())
    }
}

/// Whether they take more than what is to be measured bears.
pub(crate) fn is_loud(others: &Others) -> bool {
    others.share > BEARABLE
}

/// What took it, by name.
fn names(others: Option<&Others>) -> Vec<String> {
    let others = others.into_iter();
    let all = others.flat_map(|others| others.each(|of| of.name.clone()));
    all.map(|(name, _)| name).collect()
}

#[cfg(test)]
mod tests {
    use record::OtherProgram;

    use super::*;

    fn taken(share: f64) -> Others {
        Others {
            seconds: 2.0 * share * LOOK,
            share,
            programs: vec![OtherProgram {
                name: "hog".to_owned(),
                seconds: 0.1,
                ..OtherProgram::default()
            }],
            unseen: 0.0,
        }
    }

    #[test]
    fn the_machine_is_looked_at_meanwhile_where_others_can_disturb_what_is_measured() {
        let plan = crate::run::order::tests::plan(1, None, 1);
        let by = |plan: &Plan, look: fn(f64) -> Option<Others>| {
            let (done, quiet) = meanwhile(plan, look, || 7);
            assert_eq!(done, 7);
            quiet.by
        };
        let loud: fn(f64) -> Option<Others> = |_| Some(taken(0.4));
        assert_eq!(by(&plan, loud), ["hog"]);
        assert_eq!(by(&plan, |_| Some(taken(0.1))), [""; 0]);
        assert_eq!(by(&plan, |_| None), [""; 0]);
        let shared = Plan {
            shared: true,
            ..plan.clone()
        };
        assert_eq!(by(&shared, loud), [""; 0]);
        let mut elsewhere = plan;
        for variant in &mut elsewhere.variants {
            variant.url = Some("http://127.0.0.1:8000/".into());
        }
        assert_eq!(by(&elsewhere, loud), [""; 0]);
    }

    #[test]
    fn what_weir_cannot_see_is_waited_for_too() {
        let hidden = Others {
            programs: Vec::new(),
            unseen: 0.4,
            ..taken(0.4)
        };
        let quiet = Quiet::seen(Some(&hidden));
        assert_eq!(quiet.by, ["programs that weir cannot see"]);
    }
}
