//! What an app is, by a look into its folder: which files say so, and what they say.

mod bundle;
mod command;
mod go;
mod java;
mod node;
mod python;
mod rack;
mod source;
mod today;

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use record::{App, Interface, Route};

use crate::app::interpreter::nameable;
use crate::entry::Catalogue;
use crate::error::{Result, StackError};

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
    /// The command that serves it.
    pub command: Option<&'a str>,
    /// The interpreter of a Python app.
    pub python: Option<&'a Path>,
    /// Where programs are built that are compiled.
    pub builds: &'a Path,
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
}

/// What frameworks put into a page anew for each answer, against forged requests: patterns of what
/// cannot be compared.
const TOKENS: [&str; 3] = [
    r#"name="csrf-token" content="[^"]*""#,
    r#"name="(?:csrfmiddlewaretoken|authenticity_token)" value="[^"]*""#,
    r#"nonce="[^"]*""#,
];

/// What files of a folder can say without the app being loaded: a kind of app, or nothing.
type Clue = fn(&Wish<'_>) -> Result<Option<Recognised>>;

const CLUES: [Clue; 7] = [
    // A Python app often has a `package.json` for its pages, not the other way round.
    python::django,
    python::module,
    rack::find,
    go::find,
    node::find,
    |wish| Ok(java::maven(wish)),
    |wish| Ok(java::folder(wish)),
];

/// Finds out what an app is.
///
/// # Errors
/// An app that does not load, or a folder in which nothing says what it is.
pub fn recognise(wish: &Wish<'_>, catalogue: &Catalogue) -> Result<Recognised> {
    let dir = wish.dir.canonicalize();
    nameable(dir.as_deref().unwrap_or(wish.dir))?;
    let mut found = by_name(wish)?;
    let fits = |found: &Recognised| {
        let wanted = wish.interface;
        wanted.is_none_or(|wanted| wanted == found.app.interface)
    };
    for clue in CLUES {
        if found.is_none() {
            found = clue(wish)?.filter(fits);
        }
    }
    let today = today::find(wish.dir, found.as_ref().map(|found| &found.app), catalogue);
    if let Some(found) = found {
        return Ok(Recognised { today, ..found });
    }
    let run = today.and_then(|today| Some((today.command?, today.from)));
    let (command, from) = run.ok_or_else(|| StackError::Unrecognised {
        dir: wish.dir.to_owned(),
    })?;
    Ok(Recognised {
        because: vec![format!("`{}` says how it is run", from[0])],
        ..program(wish, &command, &[])
    })
}

/// What the user has said decides.
fn by_name(wish: &Wish<'_>) -> Result<Option<Recognised>> {
    match (wish.command, wish.entry, wish.interface) {
        (Some(command), ..) => Ok(Some(Recognised {
            because: vec!["you gave its command".to_owned()],
            ..program(wish, command, &[])
        })),
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
    Route {
        dynamic: TOKENS.map(str::to_owned).to_vec(),
        ..Route::get("/")
    }
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
    StackError::Unprepared {
        dir: wish.dir.to_owned(),
        lacking: lacking.to_owned(),
        hint: hint.to_owned(),
    }
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
