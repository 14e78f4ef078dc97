//! What counts as right in a run: the bare app server's answers, and files as they are.

use std::collections::BTreeMap;

use record::{Choice, Link, Plan, Stage};
use stack::{Composition, Reference, Running, StackError};

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
    let composition = bare(lab, plan, stage)?;
    let running = stack::start(&composition, &lab.options())?;
    let reference = running.reference()?;
    running.stop()?;
    Ok(reference)
}

/// The app server by itself. One that dials in listens instead, if it can, or keeps the front end that it dials.
fn bare(lab: &Lab, plan: &Plan, stage: &Stage) -> Result<Composition, StackError> {
    let compose = |fronts: &[Choice], server: Option<Choice>| {
        let bare = Stage {
            fronts: fronts.to_vec(),
            server,
            ..stage.clone()
        };
        stack::compose(&bare, &plan.app, lab.catalogue)
    };
    let server = stage.server.clone().map(|server| Choice {
        instances: 1,
        ..server
    });
    let listening = server.clone().map(|server| Choice {
        link: match server.link.protocol {
            Some(protocol) if protocol.dials_in() => Link::default(),
            _ => server.link,
        },
        ..server
    });
    compose(&[], listening).or_else(|refused| {
        let innermost = &stage.fronts[stage.fronts.len().saturating_sub(1)..];
        let behind = compose(innermost, server);
        let dials_in = |it: &Composition| {
            let server = it.app_server();
            server.is_some_and(|part| part.spoken.protocol.dials_in())
        };
        behind.ok().filter(dials_in).ok_or(refused)
    })
}
