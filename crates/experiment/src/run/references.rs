//! What counts as right in a run: the bare app server's answers, and files as they are.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::PathBuf;

use record::{App, Plan, Variant};
use stack::{Reference, Remote, Running, StackError};

use crate::error::ExperimentError;
use crate::network;
use crate::run::again::hopeless;
use crate::run::app_times::AppTimes;
use crate::run::bare::bare;
use crate::run::lab::{Lab, News};

/// The references of a run.
pub(crate) struct References {
    /// By the app's folder and name, with what a start and an answer took.
    apps: BTreeMap<(PathBuf, String), (AppTimes, Reference)>,
    /// By the variant's name.
    files: BTreeMap<String, Reference>,
    /// By the app's, of apps that only servers elsewhere serve: the answers of the first of them that was asked.
    elsewhere: BTreeMap<(PathBuf, String), Reference>,
    /// By the variant's name: why its server did not come up, where it would not in its trial either.
    failures: BTreeMap<String, StackError>,
}

impl References {
    /// Starts, for each app of the plan, its first app server alone, and takes its answers.
    ///
    /// # Errors
    /// When it cannot be started; with `plan.keep_going` the next app server is taken instead, and
    /// only the last one's failure counts.
    pub(crate) fn take(
        lab: &Lab,
        plan: &Plan,
        news: &mut dyn FnMut(&News),
    ) -> Result<Self, ExperimentError> {
        let (mut apps, mut failures) = (BTreeMap::new(), BTreeMap::new());
        for app in plan.apps() {
            let serving = plan.variants.iter();
            let serving =
                serving.filter(|variant| variant.server.is_some() && plan.app_of(variant) == app);
            if let Some(reference) = first(lab, plan, serving, &mut failures, news)? {
                apps.insert(known_as(app), reference);
            }
        }
        Ok(Self {
            apps,
            files: BTreeMap::new(),
            elsewhere: BTreeMap::new(),
            failures,
        })
    }

    /// Why a variant's server did not come up when its answers were to be taken, where it would not now either; told once.
    pub(crate) fn failure(&mut self, variant: &Variant) -> Option<StackError> {
        self.failures.remove(&variant.name)
    }

    /// What a start and an answer of this app took.
    pub(crate) fn app_times(&self, app: &App) -> Option<AppTimes> {
        self.apps
            .get(&known_as(app))
            .map(|(app_times, _)| app_times.clone())
    }

    /// What the answers of a server elsewhere are compared with: those of the app as weir serves it, if it does, or
    /// those of the first such server.
    ///
    /// # Errors
    /// That server's answer is not what its route declares.
    pub(crate) fn elsewhere(
        &mut self,
        app: &App,
        variant: &Variant,
        remote: &Remote,
    ) -> Result<&Reference, StackError> {
        let app = known_as(app);
        if let Some((_, reference)) = self.apps.get(&app) {
            return Ok(reference);
        }
        match self.elsewhere.entry(app) {
            Entry::Occupied(known) => Ok(known.into_mut()),
            Entry::Vacant(unknown) => {
                let reference = remote.reference(&format!("`{}`", variant.name))?;
                Ok(unknown.insert(reference))
            }
        }
    }

    /// What this variant's answers are compared with.
    ///
    /// # Errors
    /// A file of the app that cannot be read.
    pub(crate) fn of(
        &mut self,
        app: &App,
        variant: &Variant,
        running: &Running,
    ) -> Result<&Reference, StackError> {
        match self.apps.get(&known_as(app)) {
            Some((_, reference)) if variant.server.is_some() => Ok(reference),
            _ => {
                let reference = running.reference()?;
                Ok(self
                    .files
                    .entry(variant.name.clone())
                    .insert_entry(reference)
                    .into_mut())
            }
        }
    }
}

/// A folder may have several apps: an `app.toml`, and others beside it.
fn known_as(app: &App) -> (PathBuf, String) {
    (app.dir.clone(), app.name.clone())
}

/// The answers of the first of these variants' app servers that can be had. Why others cannot is kept where it stays so.
fn first<'a>(
    lab: &Lab,
    plan: &Plan,
    variants: impl Iterator<Item = &'a Variant>,
    failures: &mut BTreeMap<String, StackError>,
    news: &mut dyn FnMut(&News),
) -> Result<Option<(AppTimes, Reference)>, ExperimentError> {
    let mut failed: Vec<(&Variant, StackError)> = Vec::new();
    for variant in variants {
        match alone(lab, plan, variant, news) {
            Ok(reference) => {
                failed.retain(|(variant, error)| !hopeless(plan, variant, error).is_empty());
                let named = |(variant, error): (&Variant, _)| (variant.name.clone(), error);
                failures.extend(failed.into_iter().map(named));
                return Ok(Some(reference));
            }
            Err(StackError::Interrupted) => return Err(StackError::Interrupted.into()),
            // what an app answers it answers behind every server
            Err(error @ (StackError::WrongAnswer { .. } | StackError::Prepare { .. })) => {
                return Err(ExperimentError::of(variant)(error));
            }
            Err(error) => failed.push((variant, error)),
        }
        if !plan.keep_going {
            break;
        }
    }
    let Some((variant, error)) = failed.pop() else {
        return Ok(None);
    };
    Err(ExperimentError::Variant {
        variant: variant.name.clone(),
        error: Box::new(error),
    })
}

fn alone(
    lab: &Lab,
    plan: &Plan,
    variant: &Variant,
    news: &mut dyn FnMut(&News),
) -> Result<(AppTimes, Reference), StackError> {
    news(&News::reference(lab, variant));
    let composition = bare(lab, plan, variant)?;
    let _network = network::of(plan)?;
    AppTimes::and_reference(lab, &composition, None, news)
}
