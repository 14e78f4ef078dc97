//! Every entry of the catalogue, for real: found, rendered, served over everything it offers under load,
//! broken, and gone afterwards. What is not installed is a failure here: `make deps` installs it all.

mod support;

use std::path::PathBuf;
use std::sync::Mutex;

use serde_json::Value;
use support::{Place, repository};

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

/// Does the same for each name, a few at a time; the failures.
fn for_each(names: Vec<String>, check: impl Fn(&str) -> Result<(), String> + Sync) {
    let threads = std::thread::available_parallelism().map_or(2, |cores| cores.get().min(4));
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

#[test]
fn every_entry_serves_in_every_way_it_offers() {
    let names = names(&Place::new());
    assert!(names.len() > 3, "{names:?}");
    for_each(names, |name| {
        let place = Place::new();
        let said = place.run(&[
            "-q",
            "--json",
            "catalogue",
            "check",
            name,
            "--all",
            "--python",
            &python(),
        ]);
        let checked: Vec<Value> = serde_json::from_str(&said.out).map_err(|_| said.err.clone())?;
        let entry = &checked[0];
        if said.code != 0 {
            return Err(serde_json::to_string_pretty(entry).unwrap());
        }
        let served = entry["served"].as_array().unwrap();
        if served.is_empty() || entry["configurations"] == 0 {
            return Err(format!("nothing was tried: {entry}"));
        }
        match place.leftovers() {
            left if left.is_empty() => Ok(()),
            left => Err(format!("left behind: {left:?}")),
        }
    });
}

#[test]
fn the_table_in_the_documentation_is_the_catalogue() {
    let page = std::fs::read_to_string(repository().join("docs/catalogue.md")).unwrap();
    let place = Place::new();
    let said = place.run(&["catalogue", "list", "--markdown", "--python", &python()]);
    // versions are of the machine that wrote the page
    let without_version = |line: &str| {
        let mut cells: Vec<_> = line.split('|').map(str::to_owned).collect();
        cells.remove(2);
        cells.join("|")
    };
    let written: Vec<_> = page
        .lines()
        .filter(|line| line.starts_with("| `"))
        .map(without_version)
        .collect();
    let now: Vec<_> = said
        .out
        .lines()
        .filter(|line| line.starts_with("| `"))
        .map(without_version)
        .collect();
    assert_eq!(
        written, now,
        "write it anew: weir catalogue list --markdown"
    );
}

/// The file of a built-in entry.
fn file_of(name: &str) -> PathBuf {
    let folders =
        ["app-servers", "front-ends"].map(|folder| repository().join("catalogue").join(folder));
    let files = folders.map(|folder| folder.join(format!("{name}.toml")));
    files.into_iter().find(|file| file.exists()).unwrap()
}

/// Whoever tests its own configuration refuses nonsense before anything is started, and says why.
#[test]
fn a_broken_configuration_is_refused_by_the_server_itself() {
    let place = Place::new();
    let testing = names(&place).into_iter().filter(|name| {
        let entry: toml::Table = std::fs::read_to_string(file_of(name))
            .unwrap()
            .parse()
            .unwrap();
        entry.contains_key("check")
    });
    for_each(testing.collect(), |name| {
        let place = Place::new();
        let mut entry: toml::Table = std::fs::read_to_string(file_of(name))
            .unwrap()
            .parse()
            .unwrap();
        let files = entry["files"].as_array_mut().unwrap();
        let first = files[0].as_table_mut().unwrap();
        let text = first["template"].as_str().unwrap().to_owned();
        first.insert(
            "template".into(),
            format!("}}{{ no such thing\n{text}").into(),
        );
        let file = place.write(&format!("{name}.toml"), &toml::to_string(&entry).unwrap());
        let file = file.display().to_string();
        let said = place.run(&[
            "-q",
            "catalogue",
            "check",
            &file,
            "--texts",
            "--all",
            "--python",
            &python(),
        ]);
        let words = format!("{}{}", said.out, said.err);
        if said.code != 5 || !words.contains("refuses its configuration") {
            return Err(format!("ended with {}: {words}", said.code));
        }
        Ok(())
    });
}
