use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use minijinja::Value;
use minijinja::value::Serde;
use record::{Interface, Knob, RenderedFile, Target};
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use crate::compose::{Composition, Part};
use crate::entry::{Argument, Entry, Stop};
use crate::error::StackError;
use crate::expression;
use crate::workspace::{Seat, Workspace};

/// A program as a value: everything that decides how it runs, nothing started yet.
#[derive(Clone, Debug)]
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
    pub(crate) needs: Vec<Prerequisite>,
    pub(crate) stop: Stop,
    pub(crate) address_in_use: String,
}

/// A need of an entry that applies here.
#[derive(Clone, Debug)]
pub(crate) struct Prerequisite {
    pub(crate) what: String,
    pub(crate) check: Vec<String>,
    pub(crate) install: String,
}

/// The names that templates may use; `gunicorn.toml` explains them.
#[derive(Serialize)]
struct Words<'a> {
    app: AppWords<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    python: Option<&'a Path>,
    knobs: BTreeMap<String, &'a Knob>,
    cores: u32,
    superuser: bool,
    site: Option<SiteWords>,
    #[serde(flatten)]
    seat: Option<SeatWords>,
}

#[derive(Serialize)]
struct AppWords<'a> {
    name: &'a str,
    dir: &'a Path,
    entry: &'a str,
    interface: Interface,
}

#[derive(Serialize)]
struct SiteWords {
    dir: String,
    url: String,
}

/// What is known only once a workspace was chosen.
#[derive(Serialize)]
struct SeatWords {
    listen: AddressWords,
    upstream: Option<AddressWords>,
    folder: PathBuf,
    #[serde(skip_serializing_if = "Option::is_none")]
    program: Option<PathBuf>,
    version: String,
}

#[derive(Serialize)]
#[serde(untagged)]
enum AddressWords {
    Tcp {
        transport: &'static str,
        address: String,
        host: String,
        port: u16,
    },
    Unix {
        transport: &'static str,
        address: String,
        path: PathBuf,
    },
}

impl AddressWords {
    fn of(target: &Target) -> Self {
        match target {
            Target::Tcp(address) => Self::Tcp {
                transport: "tcp",
                address: address.to_string(),
                host: address.ip().to_string(),
                port: address.port(),
            },
            Target::Unix(path) => Self::Unix {
                transport: "unix",
                address: format!("unix:{}", path.display()),
                path: path.clone(),
            },
        }
    }
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

/// An entry's texts with the words they may use.
struct Template<'a> {
    entry: &'a Entry,
    words: Value,
}

impl<'a> Template<'a> {
    fn new(composition: &'a Composition, part: &'a Part, seat: Option<SeatWords>) -> Self {
        let app = &composition.app;
        let words = Words {
            app: AppWords {
                name: &app.name,
                dir: &app.dir,
                entry: &app.entry,
                interface: app.interface,
            },
            python: app.python.as_deref(),
            knobs: part
                .knobs
                .iter()
                .map(|(name, value)| (name.replace('-', "_"), value))
                .collect(),
            cores: composition.cores,
            superuser: rustix::process::geteuid().is_root(),
            site: app.site.as_ref().map(|site| SiteWords {
                dir: site
                    .dir
                    .display()
                    .to_string()
                    .trim_end_matches('/')
                    .to_owned(),
                url: site.url.clone(),
            }),
            seat,
        };
        Self {
            entry: &part.entry,
            words: Value::from(Serde(&words)),
        }
    }

    fn problem(&self, place: &str, problem: String) -> StackError {
        StackError::Template {
            entry: self.entry.name.clone(),
            place: place.to_owned(),
            problem,
        }
    }

    fn render(&self, place: &str, text: &str) -> Result<String, StackError> {
        expression::render(text, &self.words).map_err(|problem| self.problem(place, problem))
    }

    fn holds(&self, place: &str, condition: &str) -> Result<bool, StackError> {
        expression::holds(condition, &self.words).map_err(|problem| self.problem(place, problem))
    }

    fn list(&self, place: &str, texts: &[String]) -> Result<Vec<String>, StackError> {
        texts.iter().map(|text| self.render(place, text)).collect()
    }

    fn argv(&self, arguments: &[Argument]) -> Result<Vec<String>, StackError> {
        let mut argv = Vec::new();
        for argument in arguments {
            match argument {
                Argument::Always(text) => argv.push(self.render("argv", text)?),
                Argument::When(some) if self.holds("argv", &some.when)? => {
                    argv.extend(self.list("argv", &some.argv)?);
                }
                Argument::When(_) => {}
            }
        }
        Ok(argv)
    }

    fn files(&self) -> Result<Vec<RenderedFile>, StackError> {
        let file = |file: &crate::entry::FileTemplate| {
            let content = self.render(&format!("files.{}", file.path), &file.template)?;
            Ok(RenderedFile {
                path: format!("{}/{}", self.entry.name, file.path),
                sha256: hexadecimal(&Sha256::digest(content.as_bytes())),
                content,
            })
        };
        self.entry.files.iter().map(file).collect()
    }

    fn needs(&self) -> Result<Vec<Prerequisite>, StackError> {
        let mut needs = Vec::new();
        for need in &self.entry.needs {
            if self.holds("needs", &need.when)? {
                needs.push(Prerequisite {
                    what: need.what.clone(),
                    check: self.list("needs", &need.check)?,
                    install: self.render("needs", &need.install)?,
                });
            }
        }
        Ok(needs)
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
