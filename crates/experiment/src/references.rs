//! What counts as right in a run: the bare app server's answers, and files as they are.

use std::collections::BTreeMap;

use record::{Choice, Plan, Stage};
use stack::{Reference, Running, StackError};

use crate::error::ExperimentError;
use crate::run::{Lab, News};

/// The references of a run.
pub(crate) struct References {
    app: Option<Reference>,
    files: BTreeMap<String, Reference>,
}

impl References {
    /// Starts the first app server of the plan alone, and takes its answers.
    ///
    /// # Errors
    /// When it cannot be started; with `plan.keep_going` the next app server is taken instead, and
    /// only the last one's failure counts.
    pub(crate) fn take(
        lab: &Lab,
        plan: &Plan,
        news: &mut dyn FnMut(&News),
    ) -> Result<Self, ExperimentError> {
        let mut app = None;
        let mut failure = None;
        for stage in plan.stages.iter().filter(|stage| stage.server.is_some()) {
            match alone(lab, plan, stage, news) {
                Ok(reference) => app = Some(reference),
                Err(StackError::Interrupted) => return Err(StackError::Interrupted.into()),
                Err(error) => {
                    failure = Some(ExperimentError::Stage {
                        stage: stage.name.clone(),
                        error: Box::new(error),
                    });
                }
            }
            if app.is_some() || !plan.keep_going {
                break;
            }
        }
        match (app, failure) {
            (None, Some(failure)) => Err(failure),
            (app, _) => Ok(Self {
                app,
                files: BTreeMap::new(),
            }),
        }
    }

    /// What this stage's answers are compared with.
    ///
    /// # Errors
    /// A file of the app that cannot be read.
    pub(crate) fn of(
        &mut self,
        stage: &Stage,
        running: &Running,
    ) -> Result<&Reference, StackError> {
        match &self.app {
            Some(reference) if stage.server.is_some() => Ok(reference),
            _ => {
                let reference = running.reference()?;
                Ok(self
                    .files
                    .entry(stage.name.clone())
                    .insert_entry(reference)
                    .into_mut())
            }
        }
    }
}

fn alone(
    lab: &Lab,
    plan: &Plan,
    stage: &Stage,
    news: &mut dyn FnMut(&News),
) -> Result<Reference, StackError> {
    news(&News::Reference(stage.title.clone()));
    let composition = stack::compose(&bare(stage), &plan.app, lab.catalogue)?;
    let running = stack::start(&composition, &lab.options())?;
    let reference = running.reference()?;
    running.stop()?;
    Ok(reference)
}

/// The stage's app server alone.
pub(crate) fn bare(stage: &Stage) -> Stage {
    Stage {
        fronts: Vec::new(),
        server: stage.server.clone().map(|server| Choice {
            instances: 1,
            ..server
        }),
        ..stage.clone()
    }
}
