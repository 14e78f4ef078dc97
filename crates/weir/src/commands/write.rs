//! `weir write`: a variant of a run as files that deploy it, and that repeat its trial.

mod script;

use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use judge::{Decision, Judged};
use record::{Run, Variant};
use report::{units, words};
use stack::Deployed;
use store::Store;

use crate::args::Side;
use crate::commands::known::Known;
use crate::commands::stack::no_such_variant;
use crate::error::{Error, Exit, Result};
use crate::files;
use crate::invocation::{Invocation, named};
use crate::output::{print, print_json};

/// Where a stack listens, unless the user says otherwise.
pub(crate) const PORT: u16 = 8000;

/// Its user alone: an app's environment may hold secrets.
const OWN: u32 = 0o700;

pub(crate) fn run(side: &Side, folder: &Path, port: u16, invocation: &Invocation) -> Result<Exit> {
    let store = invocation.store_to_read()?;
    let run = named(&store, side.run)?;
    let known = Known::read(run.id, &store)?;
    let findings = known.judged();
    let name = match (&side.variant, &findings.judged.decision) {
        (Some(name), _) => name,
        (None, Some(decision)) => &decision.variant,
        (None, None) => return Err(undecided(&run)),
    };
    let variant = run.plan.variant(name);
    let variant = variant.ok_or_else(|| no_such_variant(&run.plan, name))?;
    let files = write(&run, findings.judged, variant, folder, port, invocation)?;
    if invocation.json() {
        print_json(&files)?;
    } else {
        for file in files {
            print(&format!("{}\n", file.display()))?;
        }
    }
    Ok(Exit::Done)
}

/// Writes the variant that a run says to deploy, and names the files; says so where it says none.
pub(crate) fn best(run: i64, store: &Store, folder: &Path, invocation: &Invocation) -> Result<()> {
    let known = Known::read(run, store)?;
    let findings = known.judged();
    let run = findings.run;
    let decision = findings.judged.decision.as_ref();
    let variant = decision.and_then(|of| run.plan.variant(&of.variant));
    let variant = variant.ok_or_else(|| undecided(run))?;
    let files = write(run, findings.judged, variant, folder, PORT, invocation)?;
    if !invocation.json() {
        print(&format!("deploy  {}\n", files[0].display()))?;
    }
    Ok(())
}

fn undecided(run: &Run) -> Error {
    let id = run.id;
    let problem = format!("run {id} does not say which variant is best");
    let hint =
        format!("name one, as in `weir write {id}:VARIANT DIR`; `weir show {id}` lists them");
    Error::new(Exit::Usage, problem).hint(hint)
}

/// Refuses a folder that has something in it.
pub(crate) fn is_free(folder: &Path) -> Result<()> {
    let taken = match std::fs::read_dir(folder) {
        Ok(mut listing) => listing.next().is_some(),
        Err(error) => error.kind() != std::io::ErrorKind::NotFound,
    };
    if !taken {
        return Ok(());
    }
    let problem = format!("`{}` is not an empty folder", folder.display());
    Err(Error::new(Exit::Usage, problem).hint("name a new folder".to_owned()))
}

/// Writes a variant of a run into a new folder: the files of its programs, a script that starts them, and an
/// `app.toml` and a `plan.toml` that repeat its trial beside the baseline's. The files that a person reads first.
pub(crate) fn write(
    run: &Run,
    judged: &Judged,
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
    is_free(folder)?;
    let cannot = |error: std::io::Error| {
        let what = format!("to `{}`", folder.display());
        Error::unwritten(
            &what,
            &error,
            Exit::Store,
            "name a folder that you may write to",
        )
    };
    let made = if folder.is_dir() {
        Ok(())
    } else {
        DirBuilder::new().mode(OWN).recursive(true).create(folder)
    };
    let place = made.and_then(|()| folder.canonicalize()).map_err(cannot)?;
    let app = run.plan.app_of(variant);
    let composition = invocation.machine()?.compose(variant, app)?;
    let deployed = ::stack::deploy(&composition, &place, port)?;
    let about = about(run, judged, variant);
    let mut texts = vec![
        ("start.sh", script::of(&deployed, &composition, &about)),
        (
            "app.toml",
            commented(&about, "The app.", &::stack::app::written(app)?),
        ),
    ];
    texts.extend(plan(run, variant).map(|keys| {
        let what = "Repeats the trial: weir run plan.toml";
        ("plan.toml", commented(&about, what, &keys))
    }));
    for (name, text) in &texts {
        files::write_bytes(&place.join(name), text.as_bytes()).map_err(cannot)?;
    }
    script::executable(&place.join("start.sh")).map_err(cannot)?;
    let own = texts.into_iter().map(|(name, _)| folder.join(name));
    Ok(own.chain(of_programs(&deployed, folder)).collect())
}

fn of_programs(deployed: &Deployed, folder: &Path) -> Vec<PathBuf> {
    let files = deployed.programs.iter().flat_map(|program| &program.files);
    files.map(|file| folder.join(&file.path)).collect()
}

/// The keys of a plan with the variant and the baseline; none where they cannot say its load.
fn plan(run: &Run, variant: &Variant) -> Option<String> {
    let baseline = run.plan.variant(&run.plan.baseline);
    let other = baseline.filter(|of| of.name != variant.name && of.app.is_none());
    let variants: Vec<&Variant> = other.into_iter().chain([variant]).collect();
    experiment::written(&run.plan, &variants, "app.toml")
}

/// What the files are, line by line.
fn about(run: &Run, judged: &Judged, variant: &Variant) -> Vec<String> {
    let mut lines = vec![format!("{}: {}", variant.name, variant.title)];
    let decision = judged.decision.as_ref();
    let own = decision.filter(|of| of.variant == variant.name);
    lines.extend(own.and_then(brings));
    let when = words::moment(run.started);
    lines.push(format!(
        "Measured {when} UTC, run {} of weir {}.",
        run.id, run.weir
    ));
    lines
}

fn brings(decision: &Decision) -> Option<String> {
    let over = decision.over.as_ref()?;
    let first = decision.brings.first()?;
    let ratio = units::ratio_within(first.ratio, first.interval);
    Some(format!(
        "{ratio} the {} of {over}.",
        first.metric.row().noun
    ))
}

/// A text below comments; each of these in one line.
fn commented(about: &[String], what: &str, text: &str) -> String {
    let lines = about.iter().map(String::as_str).chain([what]);
    let lines = lines.map(|line| format!("# {}\n", script::one_line(line)));
    format!("{}\n{text}", lines.collect::<String>())
}
