//! How an app is run as it stands: by a `Procfile`, a server's configuration, a systemd unit, or in a container,
//! and behind which front end.

use std::path::{Path, PathBuf};

use minijinja::context;
use minijinja::value::Serde;
use record::{App, Choice, Link, Transport};

use super::command::{absent, addressed, runnable, serving};
use super::{container, text, typed};
use crate::app::interpreter::of_folder;
use crate::entry::{Catalogue, Configured, Entry, Fronted, expression, knob};

/// How an app is run, and the files that say so.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Today {
    /// A shell's command line that serves it on `$HOST:$PORT`, or on the Unix socket `$SOCKET`; none
    /// where only the front end before it is known.
    pub command: Option<String>,
    /// The program that the command runs, where it is not on this machine.
    pub missing: Option<String>,
    /// The server of the catalogue that the command is, with the knobs that it sets; none where that cannot be read.
    pub server: Option<Choice>,
    /// The front end before it, with the settings that were carried over.
    pub front: Option<Choice>,
    /// How the app is reached: by the front end, or by clients.
    pub link: Link,
    /// The files.
    pub from: Vec<String>,
    /// What of them was carried over, and what was not.
    pub notes: Vec<String>,
}

/// Programs and commands of them that do an app's work besides what it answers.
const WORKERS: [&str; 7] = [
    "worker",
    "celery",
    "beat",
    "scheduler",
    "sidekiq",
    "rqworker",
    "qcluster",
];

struct Said {
    command: String,
    from: String,
    notes: Vec<String>,
}

/// How the app in a folder is run; without an app, whose interpreter would be known, by the environment in that folder,
/// of which a `given` interpreter may be.
pub(super) fn find(
    dir: &Path,
    app: Option<&App>,
    given: Option<&Path>,
    catalogue: &Catalogue,
) -> Option<Today> {
    let front = front(dir, catalogue);
    let unix = front.as_ref().is_some_and(|(_, _, said)| said.unix);
    let python = app.map_or_else(|| of_folder(dir, given), |app| app.python.clone());
    let python = python.as_deref();
    let said = procfile(dir, python, unix)
        .or_else(|| configured(dir, app?, catalogue))
        .or_else(|| unit(dir, python, unix))
        .or_else(|| contained(dir, python, unix));
    let mut today = Today::default();
    if said.is_none() && front.is_none() {
        return None;
    }
    let mut transport = unix.then_some(Transport::Unix);
    if let Some(said) = said {
        if !said.command.contains("$SOCKET") {
            transport = Some(Transport::Tcp);
        }
        today.from.push(said.from);
        today.notes.extend(said.notes);
        today.missing = absent(&said.command, dir, python);
        today.server = typed::server(&said.command, dir, catalogue);
        today.notes.extend(today.server.as_ref().map(typed::told));
        today.command = Some(said.command);
    }
    if let Some((entry, file, said)) = front {
        today.notes.push(carried(entry, &file, &said));
        today.from.push(file);
        today.link = Link {
            protocol: Some(said.protocol),
            transport,
            ..Link::default()
        };
        today.front = Some(Choice::of(&entry.name).with(said.knobs));
    }
    Some(today)
}

/// The first front end of whose configuration something lies in the folder.
fn front<'a>(dir: &Path, catalogue: &'a Catalogue) -> Option<(&'a Entry, String, Fronted)> {
    catalogue.entries().find_map(|entry| {
        let Some(Configured::Front(front)) = &entry.today else {
            return None;
        };
        let mut files = front.files.iter().flat_map(|it| matching(dir, it));
        files.find_map(|file| {
            let said = front.read(&text(dir, &file)?, entry)?;
            Some((entry, file, said))
        })
    })
}

/// Files whose path is like a pattern with at most one `*` in its last part.
fn matching(dir: &Path, pattern: &str) -> Vec<String> {
    let Some((before, after)) = pattern.split_once('*') else {
        return vec![pattern.to_owned()];
    };
    let (folder, start) = before.rsplit_once('/').unwrap_or(("", before));
    let Ok(listing) = std::fs::read_dir(dir.join(folder)) else {
        return Vec::new();
    };
    let mut files: Vec<_> = listing
        .filter_map(|item| item.ok()?.file_name().into_string().ok())
        .filter(|name| {
            name.strip_prefix(start)
                .is_some_and(|rest| rest.ends_with(after))
        })
        .map(|name| PathBuf::from(folder).join(name).display().to_string())
        .collect();
    files.sort();
    files
}

/// What was taken over of a configuration, in one line.
fn carried(entry: &Entry, file: &str, said: &Fronted) -> String {
    let knobs = said.knobs.iter();
    let knobs: Vec<_> = knobs
        .map(|(name, value)| format!("{name} {}", knob::text(value)))
        .collect();
    let carried = match knobs.join(", ") {
        knobs if knobs.is_empty() => "none of its settings carried over".to_owned(),
        knobs => format!("carried over: {knobs}"),
    };
    let lost = match said.lost.join("`, `") {
        lost if lost.is_empty() => lost,
        lost => format!("; not carried over: `{lost}`"),
    };
    format!("`{file}` puts `{}` before it; {carried}{lost}", entry.name)
}

fn procfile(dir: &Path, python: Option<&Path>, unix: bool) -> Option<Said> {
    let text = text(dir, "Procfile")?;
    let web = text.lines().find_map(|line| line.strip_prefix("web:"))?;
    let (web, left) = serving(web.trim(), unix);
    Some(Said {
        command: runnable(&web, dir, python),
        from: "Procfile".to_owned(),
        notes: left_out("Procfile", &left),
    })
}

/// What a line does before it serves.
fn left_out(file: &str, commands: &[String]) -> Vec<String> {
    let note = |command| {
        format!("`{command}` of `{file}` is not run: run it yourself where the app needs it")
    };
    commands.iter().map(note).collect()
}

/// A compose file or a `Dockerfile`.
fn contained(dir: &Path, python: Option<&Path>, unix: bool) -> Option<Said> {
    let run = container::find(dir)?;
    let (command, left) = serving(&run.command, unix);
    let mut notes = left_out(&run.file, &left);
    if !run.variables.is_empty() {
        let (names, file) = (run.variables.join(", "), &run.file);
        notes.push(format!("variables of `{file}` are not taken over ({names}): what the app needs of them must be in your environment"));
    }
    Some(Said {
        command: runnable(&command, dir, python),
        from: run.file,
        notes,
    })
}

/// A configuration that a server of the catalogue finds by itself, or by custom.
fn configured(dir: &Path, app: &App, catalogue: &Catalogue) -> Option<Said> {
    let words = context! { python => Serde(&app.python), app => context! { entry => &app.entry } };
    let commands = catalogue.entries().filter(|entry| entry.can_load(app));
    commands
        .filter_map(|entry| match &entry.today {
            Some(Configured::Command(today)) => Some(today),
            _ => None,
        })
        .filter(|today| dir.join(&today.file).is_file())
        .find_map(|today| {
            Some(Said {
                command: expression::render(&today.command, &words).ok()?,
                from: today.file.clone(),
                notes: Vec::new(),
            })
        })
}

/// The first systemd unit of the folder, or of a folder that such units lie in, that names an address;
/// else the first one. Units of what works behind the app are none.
fn unit(dir: &Path, python: Option<&Path>, unix: bool) -> Option<Said> {
    let places = [
        "",
        "deploy/",
        "systemd/",
        "deploy/systemd/",
        "etc/",
        "contrib/",
        "ops/",
    ];
    let files = places.map(|place| matching(dir, &format!("{place}*.service")));
    let said = |file: &String| {
        let written = text(dir, file)?.replace("\\\n", " ");
        let values = |key: &str| -> Vec<String> {
            let lines = written
                .lines()
                .filter_map(|line| line.trim().strip_prefix(key));
            lines.map(|value| value.trim().to_owned()).collect()
        };
        let start = values("ExecStart=").into_iter().next()?;
        let start = start.trim_start_matches(['-', '@', '+', '!', ':']);
        let (command, left) = serving(start, unix);
        let words = addressed(&values("Environment=").join(" "), unix);
        let command = format!("{words} {command}");
        let told = ["$PORT", "${PORT", "$HOST", "${HOST", "$SOCKET", "${SOCKET"];
        let told = told.iter().any(|name| command.contains(name));
        let elsewhere = values("EnvironmentFile=").first().map(|file| {
            format!("variables of `{file}` are not read: what the app needs of them must be in your environment")
        });
        let mut notes = left_out(file, &left);
        notes.extend(elsewhere);
        let said = Said {
            command: runnable(&command, dir, python),
            from: file.clone(),
            notes,
        };
        (!works(start)).then_some((told, said))
    };
    let mut units: Vec<_> = files.iter().flatten().filter_map(said).collect();
    let best = units.iter().position(|(told, _)| *told).unwrap_or(0);
    (!units.is_empty()).then(|| units.swap_remove(best).1)
}

/// Whether a command runs what answers no requests.
fn works(command: &str) -> bool {
    command.split_whitespace().any(|word| {
        let name = word.rsplit('/').next().unwrap_or_default();
        let name = name.trim_matches(['"', '\'']);
        let name = name.split('.').next().unwrap_or_default();
        WORKERS.contains(&name)
    })
}
