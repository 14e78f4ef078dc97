//! `weir catalogue check`: an entry is rendered at both ends of every knob, and serves a small app in
//! every way it offers, under load, before anybody believes it.

mod faults;
mod kill;
mod recycle;
mod service;
mod supervisor;
mod tester;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use experiment::ExperimentError;
use record::{Amount, Measured, Outcome, Plan, Trial};
use report::terminal::Checked;
use stack::{Catalogue, Entry, GuardCommand, KeptFolder, Kind, Rehearsal, Scene};

use crate::args::CheckArgs;
use crate::error::{Error, Exit, Result};
use crate::invocation::Invocation;
use crate::output::{print, print_json};
use tester::{Tester, words};

/// How often a way is loaded at most until its counters are read.
const TRIES: u32 = 3;

pub(crate) fn run(
    args: &CheckArgs,
    python: Option<&Path>,
    invocation: &Invocation,
) -> Result<Exit> {
    let is_file = |text: &&String| Path::new(text.as_str()).extension().is_some();
    let (files, names): (Vec<_>, Vec<_>) = args.entries.iter().partition(is_file);
    let files: Vec<PathBuf> = files.into_iter().map(PathBuf::from).collect();
    let machine = invocation.machine_with(&files)?;
    let stems = files.iter();
    let stems = stems.filter_map(|file| Some(file.file_stem()?.to_str()?.to_owned()));
    let wanted: Vec<String> = names.into_iter().cloned().chain(stems).collect();
    let folder = KeptFolder::new(&GuardCommand::default(), "check")?;
    stack::write_samples(folder.path())?;
    let python = python.unwrap_or(Path::new("python3"));
    let tester = Tester {
        rehearsal: Rehearsal::new(&machine, folder.path(), python),
        machine: &machine,
        args,
        invocation,
        store: folder.path().join("check.db"),
    };
    let mut checked = Vec::new();
    for entry in chosen(machine.catalogue(), &wanted)? {
        let found = tester.check(entry)?;
        if !invocation.json() {
            print(&report::terminal::checked(&found, invocation.width()))?;
        }
        checked.push(found);
    }
    if invocation.json() {
        print_json(&checked)?;
    }
    let wrong = checked.iter().filter(|entry| entry.is_wrong());
    let wrong: Vec<_> = wrong.map(|entry| &entry.name).collect();
    if wrong.is_empty() {
        return Ok(Exit::Done);
    }
    let message = format!("not as they should be: {}", record::listed(wrong));
    Err(Error::new(Exit::File, message))
}

/// The named entries, or all.
fn chosen<'a>(catalogue: &'a Catalogue, names: &[String]) -> Result<Vec<&'a Entry>> {
    if names.is_empty() {
        return Ok(catalogue.entries().collect());
    }
    let find = |name: &String| {
        catalogue.entry(name).ok_or_else(|| {
            let hint = "`weir catalogue list` shows them; a file of your own ends with .toml";
            Error::new(Exit::File, format!("the catalogue has no entry `{name}`"))
                .hint(hint.to_owned())
        })
    };
    names.iter().map(find).collect()
}

impl Tester<'_> {
    fn check(&self, entry: &Entry) -> Result<Checked> {
        let mut checked = Checked {
            name: entry.name.clone(),
            ..Checked::default()
        };
        match self.rehearsal.version(entry) {
            Ok(version) => checked.version = Some(version),
            Err(error) => {
                let hint = error.hint().map(|hint| format!("; {hint}"));
                let why = format!("{error}{}", hint.unwrap_or_default());
                if self.args.all {
                    checked.problems.push(why);
                } else {
                    checked.left_out.push(why);
                }
                return Ok(checked);
            }
        }
        if !self.args.faults {
            self.texts(entry, &mut checked);
            if !(self.args.texts || checked.is_wrong()) {
                self.served(entry, &mut checked)?;
            }
        }
        if !(self.args.texts || checked.is_wrong()) {
            faults::befall(self, entry, &mut checked)?;
        }
        Ok(checked)
    }

    fn texts(&self, entry: &Entry, checked: &mut Checked) {
        match self.rehearsal.contract(entry) {
            Ok(configurations) => checked.configurations = configurations,
            Err(error) => return checked.problems.push(words(&error)),
        }
        match self.rehearsal.confirmed(entry) {
            Ok(knobs) => checked.confirmed = knobs,
            Err(error) => checked.problems.push(words(&error)),
        }
    }

    fn served(&self, entry: &Entry, checked: &mut Checked) -> Result<()> {
        if entry.kind == Kind::Service {
            return service::start(self, entry, checked);
        }
        for link in self.rehearsal.without_partner(entry) {
            let partner = if entry.kind == Kind::FrontEnd {
                "no app server that is here is reached this way"
            } else {
                "no front end that is here is dialled this way"
            };
            checked.left_out.push(format!("{link}: {partner}"));
        }
        for scene in self.rehearsal.scenes(entry, &BTreeMap::new())? {
            self.serve(scene, checked)?;
        }
        if checked.served.is_empty() && !checked.is_wrong() {
            let problem = "it was not served in any way";
            checked.problems.push(problem.to_owned());
        }
        Ok(())
    }

    /// Runs every variant of a scene once, as a plan of its own.
    fn serve(&self, scene: Scene, checked: &mut Checked) -> Result<()> {
        let Scene { app, mut variants } = scene;
        variants.retain(|variant| match self.machine.compose(variant, &app) {
            Ok(_) => true,
            Err(error) => {
                let why = format!("{}: {}", app.name, reason(&error));
                if !checked.left_out.contains(&why) {
                    checked.left_out.push(why);
                }
                false
            }
        });
        let Some(baseline) = variants.first().map(|variant| variant.name.clone()) else {
            return Ok(());
        };
        let requests = Amount::Requests(self.args.requests);
        let plan = Self::plan(app, variants, baseline, requests);
        let (trials, ended) = self.counted(&plan)?;
        match ended {
            // No trial: the app server did not even start for its reference.
            Err(ExperimentError::Variant { variant, error }) if trials.is_empty() => {
                checked
                    .problems
                    .push(format!("{variant}: {}", words(&error)));
            }
            Err(error) if trials.is_empty() => return Err(error.into()),
            _ => {} // what failed is in the trials
        }
        for trial in judge::standing(&trials) {
            match &trial.outcome {
                Outcome::Measured(measured) => judge(&trial.variant, measured, checked),
                Outcome::Failed(failure) => {
                    let (error, log) = (&failure.error, failure.log_tail.join("\n    "));
                    let problem = format!("{}: {error}\n    {log}", trial.variant);
                    checked.problems.push(problem);
                }
            }
        }
        Ok(())
    }

    /// Runs a plan, and again where a counter was not read: on a busy machine a program may not tell it in its time.
    fn counted(
        &self,
        plan: &Plan,
    ) -> Result<(Vec<Trial>, std::result::Result<(), ExperimentError>)> {
        let mut progress = self.invocation.progress();
        let mut tries = 1;
        let ran = loop {
            let ran = self.run(plan, &mut |news| progress.tell(news))?;
            if tries == TRIES || judge::standing(&ran.0).all(is_counted) {
                break ran;
            }
            tries += 1;
        };
        progress.end();
        Ok(ran)
    }
}

/// Whether all counters of a trial were read.
fn is_counted(trial: &Trial) -> bool {
    let counters = trial.measured().map(|of| &of.observed.counters);
    counters.is_none_or(|all| all.iter().all(|of| of.problem.is_none()))
}

/// A way in which every request was answered correctly is one in which it serves; its counters are to be read in it.
fn judge(way: &str, measured: &Measured, checked: &mut Checked) {
    let load = &measured.load;
    let failed: u64 = load.failed.values().sum();
    if failed + load.timed_out > 0 {
        checked.problems.push(format!(
            "{way}: {failed} of {} requests failed, {} timed out",
            load.scheduled, load.timed_out
        ));
    } else {
        checked.served.push((way.to_owned(), load.completed));
    }
    for of in &measured.observed.counters {
        let problem = of.problem.iter();
        let problem = problem.map(|why| format!("{way}: counters of `{}`: {why}", of.program));
        checked.problems.extend(problem);
    }
}

/// Why a variant is refused, without its name.
fn reason(error: &stack::StackError) -> String {
    match error {
        stack::StackError::Refused { why, .. } => why.clone(),
        other => words(other),
    }
}
