//! Every entry of the catalogue, for real: found, rendered, served over everything it offers under load,
//! broken, and gone afterwards. What is not installed is a failure here: `make deps` installs it all.

mod broken;
mod serves;
mod told;
mod unharmed;

use std::path::PathBuf;
use std::sync::Mutex;

use crate::support::{Place, repository};
use serde_json::Value;

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

fn listed(place: &Place) -> Vec<Value> {
    let said = place.run(&["catalogue", "list", "--json", "--python", &python()]);
    serde_json::from_str(&said.out).unwrap_or_else(|error| panic!("{error}: {}", said.err))
}

fn names(place: &Place) -> Vec<String> {
    let names = listed(place)
        .into_iter()
        .map(|entry| entry["name"].as_str().unwrap().to_owned());
    names.collect()
}

/// Does the same for each name, a few at a time, and fails with all that failed.
fn for_each(names: Vec<String>, check: impl Fn(&str) -> Result<(), String> + Sync) {
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
    let folders = ["app-servers", "front-ends", "services", "supervisors"];
    let folders = folders.map(|folder| repository().join("catalogue").join(folder));
    let files = folders.map(|folder| folder.join(format!("{name}.toml")));
    files.into_iter().find(|file| file.exists()).unwrap()
}

fn table_of(name: &str) -> toml::Table {
    let text = std::fs::read_to_string(file_of(name)).unwrap();
    text.parse().unwrap()
}
