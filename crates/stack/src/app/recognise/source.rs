//! A program's own text: what it says about where the program listens.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use record::{Protocol, Transport};
use regex::{Captures, Regex};

use super::Recognised;

/// Folders that hold no program: other people's code, tests, pages.
const OTHERS: [&str; 12] = [
    "node_modules",
    "site-packages",
    "venv",
    "vendor",
    "testdata",
    "test",
    "tests",
    "examples",
    "public",
    "static",
    "docs",
    "target",
];
/// Enough for an app; a repository of many is no app.
const FILES: usize = 2_000;
const DEPTH: usize = 6;
const LENGTH: u64 = 1 << 20;

/// Files of a folder by their path below it, the shallow ones first.
pub(super) struct SourceFiles {
    files: Vec<(PathBuf, String)>,
}

impl SourceFiles {
    /// Reads the files whose names satisfy `wanted`.
    pub(super) fn read(dir: &Path, wanted: fn(&str) -> bool) -> Self {
        let mut files = Vec::new();
        let mut folders = vec![dir.to_owned()];
        for _ in 0..DEPTH {
            let mut below = Vec::new();
            for folder in &folders {
                for (path, name) in listed(folder) {
                    let folder = path.is_dir() && !path.is_symlink();
                    if folder && !name.starts_with('.') && !holds_others(&name) {
                        below.push(path);
                    } else if wanted(&name) && files.len() < FILES {
                        files.extend(short(&path).map(|text| (path, text)));
                    }
                }
            }
            folders = below;
        }
        let inside = |path: PathBuf| path.strip_prefix(dir).map_or(path.clone(), Path::to_owned);
        Self {
            files: files
                .into_iter()
                .map(|(path, text)| (inside(path), text))
                .collect(),
        }
    }

    /// What they say.
    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        self.files().map(|(_, text)| text)
    }

    /// Their paths, and what they say.
    pub(super) fn files(&self) -> impl Iterator<Item = (&Path, &str)> {
        let files = self.files.iter();
        files.map(|(path, text)| (path.as_path(), text.as_str()))
    }

    /// The first place where a pattern is met.
    pub(super) fn find(&self, pattern: &str) -> Option<(String, Captures<'_>)> {
        let pattern = Regex::new(pattern).expect("written here");
        self.files.iter().find_map(|(path, text)| {
            let found = pattern.captures(text)?;
            Some((path.display().to_string(), found))
        })
    }
}

/// Names of the folders in a folder, without those that are hidden, and links.
pub(super) fn folders_in(folder: &Path) -> Vec<String> {
    let folders = listed(folder).into_iter();
    let folders = folders
        .filter(|(path, name)| !name.starts_with('.') && path.is_dir() && !path.is_symlink());
    folders.map(|(_, name)| name).collect()
}

/// Whether a folder of this name holds no program of the project's own.
pub(super) fn holds_others(name: &str) -> bool {
    OTHERS.contains(&name)
}

fn listed(folder: &Path) -> Vec<(PathBuf, String)> {
    let Ok(listing) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let named = |item: std::fs::DirEntry| Some((item.path(), item.file_name().into_string().ok()?));
    let mut items: Vec<_> = listing.filter_map(Result::ok).filter_map(named).collect();
    items.sort();
    items
}

fn short(path: &Path) -> Option<String> {
    let file = path.metadata().ok()?;
    let short = file.is_file() && file.len() <= LENGTH;
    short.then(|| std::fs::read_to_string(path).ok())?
}

/// A program that is told a port has no Unix socket to listen to.
pub(super) fn takes_a_port(found: &mut Recognised, clue: String) {
    found.app.listens = BTreeMap::from([(Protocol::Http1, vec![Transport::Tcp])]);
    found.because.push(clue);
}
