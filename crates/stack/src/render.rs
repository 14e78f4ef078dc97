mod template;

use std::path::{Path, PathBuf};

use record::{Knob, RenderedFile, Target};
use serde::Serialize;

use crate::compose::{Composition, Part};
use crate::entry::Stop;
use crate::error::StackError;
use crate::workspace::{Seat, Workspace};
use template::{AddressWords, SeatWords, Template};

/// A program as a value: everything that decides how it runs, nothing started yet.
#[derive(Clone, Debug, Serialize)]
pub struct Program {
    /// Name of its catalogue entry.
    pub entry: String,
    /// The version it reports of itself.
    pub version: String,
    /// Argument vector.
    pub argv: Vec<String>,
    /// Environment added to weir's own.
    pub env: Vec<(String, String)>,
    /// Names taken out of weir's own environment.
    pub unset: Vec<String>,
    /// Working folder.
    pub cwd: PathBuf,
    /// Where it will listen.
    pub listen: Target,
    /// Every knob with its value, defaults included.
    pub knobs: Vec<(String, Knob)>,
    /// Files to be written, paths below the workspace's folder.
    pub files: Vec<RenderedFile>,
    /// Its own test of its configuration.
    pub check: Option<Vec<String>>,
    /// File for its standard output and error.
    pub log: PathBuf,
    #[serde(skip)]
    pub(crate) needs: Vec<Prerequisite>,
    #[serde(skip)]
    pub(crate) stop: Stop,
    #[serde(skip)]
    pub(crate) address_in_use: String,
}

/// A need of an entry that applies here.
#[derive(Clone, Debug)]
pub(crate) struct Prerequisite {
    pub(crate) what: String,
    pub(crate) check: Vec<String>,
    pub(crate) install: String,
}

/// Turns a composition into programs, from the one that clients speak to inwards.
///
/// # Errors
/// A template of an entry that names something undefined.
pub fn render(
    composition: &Composition,
    workspace: &Workspace,
) -> Result<Vec<Program>, StackError> {
    let seats = &workspace.seats;
    let parts = composition.parts.iter().zip(seats).enumerate();
    parts
        .map(|(at, (part, seat))| {
            let folder = workspace.folder.join(&part.entry.name);
            let seat_words = SeatWords {
                listen: AddressWords::of(&seat.listen),
                upstream: seats
                    .get(at + 1)
                    .map(|inner| AddressWords::of(&inner.listen)),
                folder,
                program: seat.identity.program.clone(),
                version: seat.identity.version.clone(),
            };
            let template = Template::new(composition, part, Some(seat_words));
            program(composition, part, seat, &template, &workspace.folder)
        })
        .collect()
}

fn program(
    composition: &Composition,
    part: &Part,
    seat: &Seat,
    template: &Template<'_>,
    folder: &Path,
) -> Result<Program, StackError> {
    let entry = &part.entry;
    let mut env = composition.app.env.clone();
    for (name, text) in &entry.env {
        env.insert(name.clone(), template.render("env", text)?);
    }
    Ok(Program {
        entry: entry.name.clone(),
        version: seat.identity.version.clone(),
        argv: template.argv(&entry.argv)?,
        env: env.into_iter().collect(),
        unset: entry.unset.clone(),
        cwd: composition.app.dir.clone(),
        listen: seat.listen.clone(),
        knobs: part.knobs.clone().into_iter().collect(),
        files: template.files()?,
        check: entry
            .check
            .as_ref()
            .map(|argv| template.list("check", argv))
            .transpose()?,
        log: folder.join(format!("{}.log", entry.name)),
        needs: template.needs()?,
        stop: entry.stop,
        address_in_use: entry.address_in_use.clone(),
    })
}

/// The first rule of an entry that forbids the composition.
pub(crate) fn refusal(composition: &Composition) -> Result<Option<StackError>, StackError> {
    for part in &composition.parts {
        let template = Template::new(composition, part, None);
        for rule in &part.entry.refuse {
            if template.holds("refuse", &rule.when)? {
                return Ok(Some(StackError::Refused {
                    stage: composition.stage.clone(),
                    why: template.render("refuse", &rule.why)?,
                    hint: template.render("refuse", &rule.hint)?,
                }));
            }
        }
    }
    Ok(None)
}
