//! An entry's texts, and the words they may use.

use std::collections::BTreeMap;
use std::path::PathBuf;

use minijinja::value::Serde;
use minijinja::{Value, context};
use record::{CounterAsk, CounterSource, NotedSource, Protocol, RenderedFile, hexadecimal};
use sha2::{Digest as _, Sha256};

use super::{Prerequisite, words};
use crate::compose::composition::{Composition, Part};
use crate::compose::site::among_scripts;
use crate::compose::workspace::Workspace;
use crate::entry::{
    self, Argument, Entry, FileTemplate, OwnTest, Preparation, Question, expression, words_of,
};
use crate::error::{Result, StackError};
use crate::path::ENDS;

/// An entry's texts with the words they may use.
pub(super) struct Template<'a> {
    entry: &'a Entry,
    words: Value,
}

/// Folders of the app, as a part sees them.
struct Folders {
    app: PathBuf,
    site: Option<PathBuf>,
    python: Option<PathBuf>,
}

impl<'a> Template<'a> {
    /// What can be said of a part without a workspace.
    pub(super) fn early(composition: &'a Composition, part: &'a Part) -> Self {
        let app = &composition.app;
        let folders = Folders {
            app: app.dir.clone(),
            site: app.site.as_ref().map(|site| site.dir.clone()),
            python: app.python.clone(),
        };
        Self::new(composition, part, None, folders)
    }

    /// What can be said of a part with its place, and those of the servers behind it.
    ///
    /// # Errors
    /// A parameter of these servers that names something undefined.
    pub(super) fn placed(
        composition: &'a Composition,
        part: &'a Part,
        own: Value,
        servers: Vec<Value>,
        workspace: &Workspace,
    ) -> Result<Self> {
        let folders = || Folders {
            app: workspace.app_dir(composition),
            site: workspace.site_dir(composition),
            python: workspace.python(composition),
        };
        let params = match composition.behind(part) {
            Some(inner) => Self::new(composition, inner, None, folders()).params(inner)?,
            None => BTreeMap::new(),
        };
        let place = Some((own, words::Behind { servers, params }));
        Ok(Self::new(composition, part, place, folders()))
    }

    fn new(
        composition: &'a Composition,
        part: &'a Part,
        place: Option<(Value, words::Behind)>,
        folders: Folders,
    ) -> Self {
        let app = &composition.app;
        let (own, behind) = place.unzip();
        let protocol = Serde(part.spoken.protocol);
        let transport = Serde(part.spoken.transport);
        let site = app.site.as_ref().zip(folders.site).map(|(site, dir)| {
            let dir = dir.display().to_string();
            let ends = among_scripts(app, site).then_some(ENDS);
            context! { dir => dir.trim_end_matches('/'), url => &site.url, ends }
        });
        let upstream = composition.behind(part);
        let words = context! {
            app => context! {
                name => &app.name,
                dir => Serde(folders.app),
                entry => &app.entry,
                interface => Serde(app.interface),
                others => composition.others,
                front_controller => app.front_controller.unwrap_or(true),
            },
            python => words::defined(folders.python.as_ref()),
            knobs => Serde(words_of(&part.knobs)),
            cores => composition.cores,
            link => context! { protocol, transport, tls => part.spoken.tls },
            superuser => rustix::process::geteuid().is_root(),
            deployed => composition.deployed,
            checking => false,
            site,
            upstream => upstream.map(|inner| words::upstream(inner, behind)),
        };
        Self {
            entry: &part.entry,
            words: match own {
                Some(own) => context! { ..own, ..words },
                None => words,
            },
        }
    }

    fn problem(&self, place: &str, problem: String) -> StackError {
        StackError::Template {
            entry: self.entry.name.clone(),
            place: place.to_owned(),
            problem,
        }
    }

    pub(super) fn render(&self, place: &str, text: &str) -> Result<String> {
        expression::render(text, &self.words).map_err(|problem| self.problem(place, problem))
    }

    pub(super) fn holds(&self, place: &str, condition: &str) -> Result<bool> {
        expression::holds(condition, &self.words).map_err(|problem| self.problem(place, problem))
    }

    /// What an expression gives, if the entry has it and it is not `none`.
    pub(super) fn number(&self, place: &str, text: Option<&String>) -> Result<Option<f64>> {
        let Some(text) = text else {
            return Ok(None);
        };
        expression::number(text, &self.words).map_err(|problem| self.problem(place, problem))
    }

    pub(super) fn list(&self, place: &str, texts: &[String]) -> Result<Vec<String>> {
        texts.iter().map(|text| self.render(place, text)).collect()
    }

    pub(super) fn argv(&self, place: &str, arguments: &[Argument]) -> Result<Vec<String>> {
        let mut argv = Vec::new();
        for argument in arguments {
            match argument {
                Argument::Always(text) => argv.push(self.render(place, text)?),
                Argument::When(some) if self.holds(place, &some.when)? => {
                    argv.extend(self.list(place, &some.argv)?);
                }
                Argument::When(_) => {}
            }
        }
        Ok(argv)
    }

    /// Parameters that whoever speaks FastCGI to this part sends with each request, by name.
    pub(super) fn params(&self, part: &Part) -> Result<BTreeMap<String, String>> {
        if part.spoken.protocol != Protocol::FastCgi {
            return Ok(BTreeMap::new());
        }
        let params = part.entry.params.iter();
        params
            .map(|(name, text)| Ok((name.clone(), self.render("params", text)?)))
            .collect()
    }

    /// The command by which the program tests its own configuration, if it can.
    pub(super) fn own_test(&self) -> Result<Option<Vec<String>>> {
        let command = match &self.entry.check {
            None => return Ok(None),
            Some(OwnTest::Command(command)) => self.list("check", command)?,
            Some(OwnTest::Start(_)) => {
                let checking = Self {
                    entry: self.entry,
                    words: context! { checking => true, ..self.words.clone() },
                };
                checking.argv("check", &self.entry.argv)?
            }
        };
        Ok(Some(command))
    }

    /// The commands whose condition holds.
    pub(super) fn commands(&self, commands: &[Preparation]) -> Result<Vec<Vec<String>>> {
        let mut rendered = Vec::new();
        for command in commands {
            if self.holds("prepare", &command.when)? {
                rendered.push(self.argv("prepare", &command.argv)?);
            }
        }
        Ok(rendered)
    }

    /// What a service tells those who use it.
    pub(super) fn given(&self) -> Result<BTreeMap<&'a str, String>> {
        let gives = self.entry.gives.iter();
        gives
            .map(|(word, text)| Ok((word.as_str(), self.render("gives", text)?)))
            .collect()
    }

    pub(super) fn files(&self, name: &str) -> Result<Vec<RenderedFile>> {
        let file = |file: &FileTemplate| -> Result<Option<RenderedFile>> {
            let place = format!("files.{}", file.path);
            if !self.holds(&place, &file.when)? {
                return Ok(None);
            }
            let content = self.render(&place, &file.template)?;
            Ok(Some(RenderedFile {
                path: format!("{name}/{}", file.path),
                sha256: hexadecimal(&Sha256::digest(content.as_bytes())),
                content,
            }))
        };
        let files = self.entry.files.iter();
        files.filter_map(|it| file(it).transpose()).collect()
    }

    /// Where the program of this name tells what it counts, if it does.
    pub(super) fn counters(&self, name: &str) -> Result<Option<CounterSource>> {
        const PLACE: &str = "counters";
        let Some(counters) = &self.entry.counters else {
            return Ok(None);
        };
        if !self.holds(PLACE, &counters.when)? {
            return Ok(None);
        }
        let at = |text: &str| {
            let text = self.render(PLACE, text)?;
            entry::target(&text).map_err(|problem| self.problem(PLACE, problem))
        };
        let ask = match counters.question() {
            Some(Question::Get { at: place, path }) => CounterAsk::Get {
                at: at(place)?,
                path: self.render(PLACE, path)?,
            },
            Some(Question::Send { at: place, line }) => CounterAsk::Send {
                at: at(place)?,
                line: self.render(PLACE, line)?,
            },
            Some(Question::Run(argv)) => CounterAsk::Run(self.argv(PLACE, argv)?),
            None => return Ok(None), // refused when the entry was read
        };
        Ok(Some(CounterSource {
            program: name.to_owned(),
            ask,
            each: counters.each.clone(),
        }))
    }

    /// Where the program of this name notes single requests, if it does.
    pub(super) fn noted(&self, name: &str) -> Result<Option<NotedSource>> {
        const PLACE: &str = "noted";
        let Some(noted) = &self.entry.noted else {
            return Ok(None);
        };
        if !self.holds(PLACE, &noted.when)? {
            return Ok(None);
        }
        Ok(Some(NotedSource {
            program: name.to_owned(),
            file: self.render(PLACE, &noted.file)?.into(),
            each: noted.each.clone(),
        }))
    }

    pub(super) fn needs(&self) -> Result<Vec<Prerequisite>> {
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
