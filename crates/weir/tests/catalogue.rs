//! Every entry of the catalogue, for real: found, rendered, served over everything it offers under load,
//! broken, and gone afterwards. What is not installed is a failure here: `make deps` installs it all.

mod broken;
mod serves;
mod told;
mod unharmed;

use std::path::PathBuf;
use std::sync::Mutex;

use crate::support::repository;

/// The Python that has every Python server in it.
fn python() -> String {
    let python = repository().join(".deps/catalogue/bin/python");
    assert!(
        python.exists(),
        "{} is missing: run `make deps`",
        python.display()
    );
    python.display().to_string()
}

const FOLDERS: [&str; 4] = ["app-servers", "front-ends", "services", "supervisors"];

/// The files of all built-in entries.
fn files() -> impl Iterator<Item = PathBuf> {
    let folders = FOLDERS.map(|folder| repository().join("catalogue").join(folder));
    let files = folders
        .into_iter()
        .flat_map(|of| std::fs::read_dir(of).unwrap());
    files.map(|file| file.unwrap().path())
}

fn names() -> Vec<String> {
    let stem = |file: PathBuf| file.file_stem().unwrap().to_str().unwrap().to_owned();
    let mut names: Vec<_> = files().map(stem).collect();
    names.sort();
    names
}

/// Does the same for each name, a few at a time, and fails with all that failed.
fn for_each(names: Vec<String>, check: impl Fn(&str) -> Result<(), String> + Sync) {
    assert!(!names.is_empty(), "it would be true of nothing");
    let threads = observe::cores().min(4);
    let (todo, failures) = (Mutex::new(names), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let Some(name) = todo.lock().unwrap().pop() else {
                        return;
                    };
                    if let Err(why) = check(&name) {
                        failures.lock().unwrap().push(format!("`{name}`: {why}"));
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().unwrap();
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

/// The file of a built-in entry.
fn file_of(name: &str) -> PathBuf {
    let is_it = |file: &PathBuf| file.file_stem().is_some_and(|stem| stem == name);
    files().find(is_it).unwrap()
}

fn table_of(name: &str) -> toml::Table {
    let text = std::fs::read_to_string(file_of(name)).unwrap();
    text.parse().unwrap()
}
