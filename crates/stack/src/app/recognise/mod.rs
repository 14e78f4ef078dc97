//! What an app is, by a look into its folder: which files say so, and what they say.

mod aiohttp;
mod bundle;
mod command;
mod compose;
mod container;
mod declared;
mod django;
mod fixed;
mod folders;
mod go;
mod gradle;
mod help;
mod installed;
mod java;
mod missed;
mod modules;
mod needs;
mod node;
mod package;
mod php;
mod python;
mod rack;
mod run_alone;
mod rust;
mod script;
mod site;
mod source;
mod start;
mod today;
mod typed;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use record::{App, Interface, Link, Route, Transport};

use self::folders::{by_files, deeper};
use self::missed::Missed;
use crate::app::interpreter::nameable;
use crate::entry::Catalogue;
use crate::error::{AppError, Result, StackError};

pub use declared::declared;
pub use needs::{defaulted, needs};
pub use today::Today;

/// What the user says about an app, and what is to be found out.
#[derive(Clone, Copy, Debug)]
pub struct Wish<'a> {
    /// The app's folder.
    pub dir: &'a Path,
    /// What to load, in the words of its interface.
    pub entry: Option<&'a str>,
    /// What it is, where its folder would say otherwise.
    pub interface: Option<Interface>,
    /// What its program speaks, and where, if that is not for its server to say.
    pub speaks: Option<Link>,
    /// The command that serves it.
    pub command: Option<&'a str>,
    /// The interpreter of a Python app.
    pub python: Option<&'a Path>,
    /// Where programs are built that are compiled.
    pub builds: &'a Path,
    /// The longest time that an import of its module may take.
    pub patience: Duration,
}

impl Wish<'_> {
    /// What an import may take where nobody says for how long an app is waited for.
    pub const PATIENCE: Duration = Duration::from_mins(1);
}

/// An app that weir found out about by itself.
#[derive(Clone, Debug)]
pub struct Recognised {
    /// The app, with `/` as its one route.
    pub app: App,
    /// What it is written with, and the version if it is known.
    pub framework: Option<(String, Option<String>)>,
    /// What said so, one clue after the other, and what to know about it.
    pub because: Vec<String>,
    /// How it is run as it stands, if something in its folder says so.
    pub today: Option<Today>,
    /// Where its framework has no page for `/`, the paths that it has pages for; those that can be typed as they are come first.
    pub elsewhere: Option<Vec<String>>,
}

/// A kind of app: a file of this folder, and its lines here.
struct Kind {
    /// The files that say that a folder holds one, as a user is told of them.
    signs: &'static str,
    /// Recognises it by these files. What is there and cannot be served is added to what was missed; an error
    /// ends the search.
    find: fn(&Wish<'_>, &mut Missed) -> Result<Option<Recognised>>,
}

/// Every kind, the surest first.
const KINDS: [Kind; 11] = [
    // A Python app often has a `package.json` for its pages, not the other way round.
    django::KIND,
    python::KIND,
    script::KIND,
    rack::KIND,
    go::KIND,
    rust::KIND,
    php::KIND,
    node::KIND,
    java::MAVEN,
    gradle::KIND,
    java::WEB_APPLICATION,
];

/// Finds out what an app is.
///
/// # Errors
/// A folder that is not there, an app that does not load, or a folder in which nothing says what it is.
pub fn recognise(wish: &Wish<'_>, catalogue: &Catalogue) -> Result<Recognised> {
    let mut found = looked_at(wish, catalogue)?;
    found.because.extend(needs::left_in_file(&found.app));
    Ok(found)
}

/// What the user's words and the folder say.
fn looked_at(wish: &Wish<'_>, catalogue: &Catalogue) -> Result<Recognised> {
    if !wish.dir.is_dir() {
        return Err(StackError::App(AppError::NoFolder {
            folder: wish.dir.to_owned(),
        }));
    }
    let dir = wish.dir.canonicalize();
    nameable(dir.as_deref().unwrap_or(wish.dir))?;
    let mut missed = Missed::default();
    let mut found = match by_name(wish)? {
        Some(found) => Some(found),
        None => by_files(wish, &mut missed)?,
    };
    if let (Some(found), Some(link)) = (&mut found, wish.speaks) {
        speaking(found, link);
    }
    if let Some(found) = found {
        let today = today::find(&found.app.dir, Some(&found.app), None, catalogue);
        return Ok(Recognised { today, ..found });
    }
    let today = today::find(wish.dir, None, wish.python, catalogue);
    if let Some(today) = today.filter(|today| today.command.is_some()) {
        return run_alone::find(wish, today, missed, catalogue);
    }
    // The pages of an app that cannot be loaded are not what its user asked for.
    if missed.failures() > 0 {
        return Err(missed.error(wish.dir));
    }
    if wish.interface.is_none()
        && let Some(site) = site::find(wish)?
    {
        return Ok(site);
    }
    let found = match deeper(wish, &mut missed, catalogue)? {
        Some(found) => Some(found),
        None => installed::find(wish, catalogue, &mut missed)?,
    };
    found.ok_or_else(|| missed.error(wish.dir))
}

/// What the program speaks, in the user's words, and where its command says.
fn speaking(found: &mut Recognised, link: Link) {
    let command = &found.app.entry;
    let told = [("$PORT", Transport::Tcp), ("$SOCKET", Transport::Unix)];
    let told = told.into_iter().filter(|(word, _)| command.contains(word));
    let mut transports: Vec<_> = told.map(|(_, transport)| transport).collect();
    match link.transport {
        Some(transport) => transports = vec![transport],
        None if transports.is_empty() => transports.push(Transport::Tcp),
        None => {}
    }
    let protocol = link.protocol.unwrap_or_default();
    found
        .because
        .push(format!("you said it speaks {}", protocol.name()));
    found.app.listens = BTreeMap::from([(protocol, transports)]);
}

/// What the user has said decides.
fn by_name(wish: &Wish<'_>) -> Result<Option<Recognised>> {
    match (wish.command, wish.entry, wish.interface) {
        (_, _, Some(Interface::Static)) => site::named(wish).map(Some),
        (Some(command), ..) => {
            let (command, clue) = help::told(command, wish.dir, wish.python);
            let because = ["you gave its command".to_owned()].into_iter().chain(clue);
            Ok(Some(Recognised {
                because: because.collect(),
                ..program(wish, &command, &[])
            }))
        }
        (None, Some(entry), None | Some(Interface::Wsgi | Interface::Asgi)) => {
            python::named(wish, entry).map(Some)
        }
        (None, Some(entry), Some(interface)) => Ok(Some(Recognised {
            because: vec![format!("you said it is {}", interface.name())],
            ..bare(wish, interface, entry, &[])
        })),
        (None, None, _) => Ok(None),
    }
}

/// A program that serves by itself.
fn program(wish: &Wish<'_>, command: &str, frameworks: &[&str]) -> Recognised {
    bare(wish, Interface::Program, command, frameworks)
}

fn bare(wish: &Wish<'_>, interface: Interface, entry: &str, frameworks: &[&str]) -> Recognised {
    let (dir, name) = home(wish);
    Recognised {
        app: App {
            name,
            dir,
            interface,
            entry: entry.to_owned(),
            frameworks: argv(frameworks),
            routes: vec![page()],
            ..App::default()
        },
        framework: frameworks.last().map(|&name| (name.to_owned(), None)),
        because: Vec::new(),
        today: None,
        elsewhere: None,
    }
}

/// The app's folder in full, and its name.
fn home(wish: &Wish<'_>) -> (PathBuf, String) {
    let dir = wish.dir.canonicalize();
    let dir = dir.unwrap_or_else(|_| wish.dir.to_owned());
    let name = dir.file_name().map(|name| name.to_string_lossy());
    let name = name.map_or_else(|| "app".to_owned(), Cow::into_owned);
    (dir, name)
}

/// A command of these words.
fn argv(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

/// The page at the app's root.
fn page() -> Route {
    Route::get("/")
}

/// A text file of the folder, if it is there.
fn text(dir: &Path, file: &str) -> Option<String> {
    input::text(&dir.join(file)).ok()
}

/// The part of a text that a pattern's first group finds.
fn found(pattern: &str, text: &str) -> Option<String> {
    let pattern = regex::Regex::new(pattern).expect("written here");
    Some(pattern.captures(text)?.get(1)?.as_str().to_owned())
}

/// What is lacking in the folder, and what to type to have it.
fn unprepared(wish: &Wish<'_>, lacking: &str, hint: &str) -> StackError {
    StackError::App(AppError::Unprepared {
        dir: wish.dir.to_owned(),
        lacking: lacking.to_owned(),
        hint: hint.to_owned(),
    })
}

/// A place for what weir makes of a folder: what is built from it, and what its app is not to write
/// into the folder itself.
fn place_for(wish: &Wish<'_>, what: &str) -> PathBuf {
    use std::hash::{DefaultHasher, Hash as _, Hasher as _};
    let (dir, name) = home(wish);
    let mut hasher = DefaultHasher::new();
    dir.hash(&mut hasher);
    let folder = format!("{name}-{:016x}", hasher.finish());
    wish.builds.join(folder).join(what)
}
