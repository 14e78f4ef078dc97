//! `weir write`: a variant of a run as files that deploy it, and that repeat its trial.

mod about;
mod development;
mod docker;
mod found;
mod place;
mod reach;
mod readme;
mod requests;
mod script;
mod secret;
mod unit;

use std::path::{Path, PathBuf};

use record::units::counted;
use record::{Plan, StackFacts, Variant};
use report::{JudgedRun, words};
use stack::{Composition, Deployed};
use store::Store;

use crate::args::Side;
use crate::commands::known::Known;
use crate::commands::stack::no_such_variant;
use crate::error::{Error, Exit, Result};
use crate::files;
use crate::invocation::{Invocation, named};
use crate::output::{note, print, print_json};
use about::{about, commented};
pub(crate) use place::is_free;
use place::{emptied, made};

/// Where a stack listens, unless the user says otherwise.
pub(crate) const PORT: u16 = 8000;

/// What is written, as the files that explain and start it are told of it.
struct Written<'a> {
    deployed: &'a Deployed,
    composition: &'a Composition,
    /// The folder, in full.
    place: &'a Path,
    /// What it is, line by line; its name and title first.
    about: &'a [String],
    /// What its user must know of it.
    heeds: &'a [String],
    /// The files that its commands run.
    runs: &'a [PathBuf],
    /// How a container starts it, where the app has a Dockerfile.
    docker: Option<&'a docker::Docker>,
    /// Whether a plan beside it repeats the trial.
    repeats: bool,
}

pub(crate) fn run(side: &Side, folder: &Path, port: u16, invocation: &Invocation) -> Result<Exit> {
    let store = invocation.store_to_read()?;
    let run = named(&store, side.run)?;
    let known = Known::read(run.id, &store)?;
    let findings = known.judged();
    let name = match (&side.variant, &findings.judged.decision) {
        (Some(name), _) => name,
        (None, Some(decision)) => &decision.variant,
        (None, None) => {
            let (problem, hint) = undecided(&findings);
            return Err(Error::new(Exit::Invalid, problem).hint(hint));
        }
    };
    let variant = run.plan.variant(name);
    let variant = variant.ok_or_else(|| no_such_variant(&run.plan, name))?;
    let files = write(&findings, variant, folder, port, invocation)?;
    if invocation.json() {
        print_json(&files)?;
    } else {
        for file in files {
            print(&format!("{}\n", file.display()))?;
        }
    }
    Ok(Exit::Done)
}

/// Writes the variant that a run says to deploy, and names the files. Where it says none it was not in vain: that is said,
/// and what to type next.
pub(crate) fn best(
    run: i64,
    store: &Store,
    folder: &Path,
    invocation: &Invocation,
) -> Result<Exit> {
    let known = Known::read(run, store)?;
    let findings = known.judged();
    let run = findings.run;
    let decision = findings.judged.decision.as_ref();
    let Some(variant) = decision.and_then(|of| run.plan.variant(&of.variant)) else {
        let (problem, hint) = undecided(&findings);
        note(format!("{problem}\n{hint}"));
        return Ok(Exit::Invalid);
    };
    let files = write(&findings, variant, folder, PORT, invocation)?;
    if !invocation.json() {
        print(&format!("deploy  {}\n", files[0].display()))?;
    }
    Ok(Exit::Done)
}

/// Why nothing is written of a run that does not say which variant is best, and what to type next.
fn undecided(of: &JudgedRun) -> (String, String) {
    let id = of.run.id;
    let problem = format!("run {id} does not say which variant is best, so nothing is written");
    let why = words::too_wide(of.judged).into_iter();
    let mut hints: Vec<String> = why.chain(words::undecided(of.run, of.judged)).collect();
    if hints.is_empty() {
        hints.push(format!(
            "name one, as in `weir write {id}:VARIANT DIR`; `weir show {id}` lists them"
        ));
    }
    (problem, hints.join("\n"))
}

/// Writes a variant of a run into a new folder: the files of its programs, a script that starts them, and an
/// `app.toml` and a `plan.toml` that repeat its trial beside the baseline's. The files that a person reads first.
pub(crate) fn write(
    of: &JudgedRun,
    variant: &Variant,
    folder: &Path,
    port: u16,
    invocation: &Invocation,
) -> Result<Vec<PathBuf>> {
    if !variant.is_stack() {
        let problem = format!("weir does not start what serves `{}`", variant.name);
        return Err(
            Error::new(Exit::Usage, problem).hint("name a variant with a server".to_owned())
        );
    }
    let was_there = folder.is_dir();
    let place = made(folder)?;
    let files = filled(of, variant, (folder, &place), port, invocation);
    if files.is_err() {
        emptied(&place, was_there);
    }
    files
}

/// Writes the files of a variant into a folder, which is named first as the user did and then in full.
fn filled(
    of: &JudgedRun,
    variant: &Variant,
    (folder, place): (&Path, &Path),
    port: u16,
    invocation: &Invocation,
) -> Result<Vec<PathBuf>> {
    let cannot = |error: std::io::Error| unwritten(folder, &error);
    let run = of.run;
    let app = run.plan.app_of(variant);
    let composition = invocation.machine()?.compose(variant, app)?;
    fits(port, composition.programs())?;
    let deployed = ::stack::deploy(&composition, place, port)?;
    let (plan, requests) = requests::brought(&run.plan, place);
    let warning = development::warning(of, &composition);
    let mut about = about(of, variant);
    about.extend(warning.clone());
    let runs = found::files(&deployed);
    let mut heeds = reach::heeds(&deployed, &composition, seen(of, variant), &runs);
    heeds.extend(secret::heed(app));
    let docker = docker::of(&deployed, &composition, place);
    if !invocation.quiet() {
        warning.iter().chain(&heeds).for_each(note);
        let docker = docker.iter();
        docker.for_each(|of| note(format!("for your Dockerfile: {}", of.line)));
    }
    let plan = plan_of(&plan, variant);
    let written = Written {
        deployed: &deployed,
        composition: &composition,
        place,
        about: &about,
        heeds: &heeds,
        runs: &runs,
        docker: docker.as_ref(),
        repeats: plan.is_some(),
    };
    let app = ::stack::app::written(&secret::withheld(app))?;
    let app = commented(&about, "The app.", &app);
    let mut texts = vec![
        (script::FILE, script::of(&written)),
        ("README.md", readme::of(&written)),
        (unit::FILE, unit::of(&written)),
        ("app.toml", app),
    ];
    texts.extend(plan.map(|keys| {
        let what = "Repeats the trial: weir run plan.toml";
        ("plan.toml", commented(&about, what, &keys))
    }));
    for (name, text) in &texts {
        let path = place.join(name);
        files::write_private(&path, text.as_bytes()).map_err(cannot)?;
    }
    script::executable(&place.join(script::FILE)).map_err(cannot)?;
    let own = texts.into_iter().map(|(name, _)| folder.join(name));
    let requests = requests.into_iter().map(|path| folder.join(path));
    let all = own.chain(requests);
    Ok(all.chain(of_programs(&deployed, folder)).collect())
}

/// Refuses a port after which there are too few for the other programs.
fn fits(port: u16, programs: usize) -> Result<()> {
    let last = usize::from(u16::MAX) + 1 - programs;
    if (1..=last).contains(&usize::from(port)) {
        return Ok(());
    }
    let programs = counted(programs as u64, "program");
    let problem = format!("`--port {port}` leaves no port for each of {programs}");
    Err(Error::new(Exit::Usage, problem).hint(format!("give it a port from 1 to {last}")))
}

fn unwritten(folder: &Path, error: &std::io::Error) -> Error {
    let what = format!("to `{}`", folder.display());
    Error::unwritten(
        &what,
        error,
        Exit::Store,
        "name a folder that you may write to",
    )
}

/// What was seen of a variant's programs in the last trial that was measured.
fn seen<'a>(of: &'a JudgedRun, variant: &Variant) -> Option<&'a StackFacts> {
    let mut trials = of.trials.iter().rev();
    trials.find_map(|trial| {
        let measured = trial.measured().filter(|_| trial.variant == variant.name);
        measured.map(|measured| &measured.stack)
    })
}

fn of_programs(deployed: &Deployed, folder: &Path) -> Vec<PathBuf> {
    let files = deployed.programs.iter().flat_map(|program| &program.files);
    let files = files.map(|file| file.path.clone());
    let templates = deployed.templates.iter();
    let all = files.chain(templates.map(|file| Deployed::template(file)));
    all.map(|file| folder.join(file)).collect()
}

/// The keys of a plan with the variant and the baseline; none where they cannot say its load.
fn plan_of(plan: &Plan, variant: &Variant) -> Option<String> {
    let baseline = plan.variant(&plan.baseline);
    let variant = plan.variant(&variant.name)?;
    let other = baseline.filter(|of| of.name != variant.name && of.app.is_none());
    let variants: Vec<&Variant> = other.into_iter().chain([variant]).collect();
    experiment::written(plan, &variants, "app.toml")
}
