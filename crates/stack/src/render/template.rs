//! An entry's texts, and the words they may use.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use minijinja::Value;
use minijinja::value::Serde;
use record::{Interface, Knob, Protocol, RenderedFile, Target, Transport};
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use super::Prerequisite;
use crate::certificate::{CERTIFICATE, KEY};
use crate::compose::{Composition, Part};
use crate::entry::{Argument, Entry, FileTemplate};
use crate::error::StackError;
use crate::expression;
use crate::knob::words_of;
use crate::offers::Spoken;

/// The names that templates may use; `gunicorn.toml` explains them.
#[derive(Serialize)]
struct Words<'a> {
    app: AppWords<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    python: Option<&'a Path>,
    knobs: BTreeMap<String, &'a Knob>,
    cores: u32,
    link: LinkWords,
    superuser: bool,
    site: Option<SiteWords>,
    upstream: Option<UpstreamWords>,
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

/// How a part is spoken to, as a plan decides it.
#[derive(Serialize)]
struct LinkWords {
    protocol: Protocol,
    transport: Transport,
    tls: bool,
}

#[derive(Serialize)]
struct SiteWords {
    dir: String,
    url: String,
}

/// What is known only once a workspace was chosen.
#[derive(Serialize)]
pub(super) struct SeatWords {
    pub(super) listen: ListenWords,
    pub(super) folder: PathBuf,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) program: Option<PathBuf>,
    pub(super) version: String,
    /// None outside TLS.
    pub(super) tls: Option<TlsWords>,
}

/// The certificate that was made for the run, and its key, as PEM files.
#[derive(Serialize)]
pub(super) struct TlsWords {
    certificate: PathBuf,
    key: PathBuf,
}

impl TlsWords {
    pub(super) fn below(folder: &Path) -> Self {
        Self {
            certificate: folder.join(CERTIFICATE),
            key: folder.join(KEY),
        }
    }
}

#[derive(Serialize)]
pub(super) struct ListenWords {
    protocol: Protocol,
    #[serde(flatten)]
    address: AddressWords,
}

impl ListenWords {
    pub(super) fn new(spoken: Spoken, target: &Target) -> Self {
        Self {
            protocol: spoken.protocol,
            address: AddressWords::of(target),
        }
    }
}

/// The servers behind a front end: the same protocol and transport for all of them. Their addresses are
/// known with the workspace.
#[derive(Serialize)]
struct UpstreamWords {
    protocol: Protocol,
    transport: Transport,
    instances: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    servers: Option<Vec<AddressWords>>,
}

impl UpstreamWords {
    fn of(part: &Part, servers: Option<Vec<AddressWords>>) -> Self {
        Self {
            protocol: part.spoken.protocol,
            transport: part.spoken.transport,
            instances: part.instances,
            servers,
        }
    }
}

#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum AddressWords {
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
    pub(super) fn of(target: &Target) -> Self {
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

/// An entry's texts with the words they may use.
pub(super) struct Template<'a> {
    entry: &'a Entry,
    words: Value,
}

impl<'a> Template<'a> {
    /// What can be said of a part without a workspace.
    pub(super) fn early(composition: &'a Composition, part: &'a Part) -> Self {
        Self::new(composition, part, None, None)
    }

    /// What can be said of a part with its place, and those of the servers behind it.
    pub(super) fn placed(
        composition: &'a Composition,
        part: &'a Part,
        seat: SeatWords,
        behind: Vec<AddressWords>,
    ) -> Self {
        Self::new(composition, part, Some(seat), Some(behind))
    }

    fn new(
        composition: &'a Composition,
        part: &'a Part,
        seat: Option<SeatWords>,
        behind: Option<Vec<AddressWords>>,
    ) -> Self {
        let app = &composition.app;
        let inner = composition.behind(part);
        let words = Words {
            app: AppWords {
                name: &app.name,
                dir: &app.dir,
                entry: &app.entry,
                interface: app.interface,
            },
            python: app.python.as_deref(),
            knobs: words_of(&part.knobs),
            cores: composition.cores,
            link: LinkWords {
                protocol: part.spoken.protocol,
                transport: part.spoken.transport,
                tls: part.spoken.tls,
            },
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
            upstream: inner.map(|inner| UpstreamWords::of(inner, behind)),
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

    pub(super) fn render(&self, place: &str, text: &str) -> Result<String, StackError> {
        expression::render(text, &self.words).map_err(|problem| self.problem(place, problem))
    }

    pub(super) fn holds(&self, place: &str, condition: &str) -> Result<bool, StackError> {
        expression::holds(condition, &self.words).map_err(|problem| self.problem(place, problem))
    }

    /// What an expression gives, if the entry has it and it is not `none`.
    pub(super) fn number(
        &self,
        place: &str,
        text: Option<&String>,
    ) -> Result<Option<f64>, StackError> {
        let Some(text) = text else {
            return Ok(None);
        };
        expression::number(text, &self.words).map_err(|problem| self.problem(place, problem))
    }

    pub(super) fn list(&self, place: &str, texts: &[String]) -> Result<Vec<String>, StackError> {
        texts.iter().map(|text| self.render(place, text)).collect()
    }

    pub(super) fn argv(&self, arguments: &[Argument]) -> Result<Vec<String>, StackError> {
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

    pub(super) fn files(&self, name: &str) -> Result<Vec<RenderedFile>, StackError> {
        let file = |file: &FileTemplate| {
            let content = self.render(&format!("files.{}", file.path), &file.template)?;
            Ok(RenderedFile {
                path: format!("{name}/{}", file.path),
                sha256: hexadecimal(&Sha256::digest(content.as_bytes())),
                content,
            })
        };
        self.entry.files.iter().map(file).collect()
    }

    pub(super) fn needs(&self) -> Result<Vec<Prerequisite>, StackError> {
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
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}"); // a String takes everything
        text
    })
}
