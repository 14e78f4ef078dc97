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

/// An entry names the command by which its program tells its defaults, and a check compares.
#[test]
fn defaults_are_what_the_programs_say() {
    let place = Place::new();
    let texts = ["-q", "--json", "catalogue", "check", "--texts"];
    let said = place.run(&[&texts[..], &["waitress", "--python", &python()]].concat());
    assert_eq!(said.code, 0, "{}", said.err);
    let checked: Vec<Value> = serde_json::from_str(&said.out).unwrap();
    let confirmed = checked[0]["confirmed"].as_array().unwrap();
    assert!(confirmed.len() >= 12, "{confirmed:?}");
    let wrong = std::fs::read_to_string(file_of("waitress"))
        .unwrap()
        .replace("default = 1024", "default = 1025");
    let file = place.write("waitress.toml", &wrong).display().to_string();
    let said = place.run(&[
        "-q",
        "catalogue",
        "check",
        "--texts",
        &file,
        "--python",
        &python(),
    ]);
    let words = said.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(said.code, 5, "{words}");
    assert!(
        words.contains("says that the default of `backlog` is `1024`, and the entry says `1025`"),
        "{words}"
    );
}

#[test]
fn a_knob_is_found_and_explained_with_its_default_here() {
    let place = Place::new();
    let python = python();
    let run = |words: &[&str]| {
        let said = place.run(&[&["catalogue", "--python", &python], words].concat());
        assert_eq!(said.code, 0, "{}", said.err);
        said.out.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let keepalive = run(&["explain", "nginx", "upstream-keepalive"]);
    let here = keepalive.split("default here (").nth(1).unwrap();
    let (version, rest) = here.split_once("): ").unwrap();
    assert!(version.starts_with("1."), "{keepalive}");
    assert!(
        rest.contains("32") && rest.contains("1.29.7"),
        "{keepalive}"
    );
    let class = run(&["explain", "gunicorn", "worker-class"]);
    assert!(
        class.contains("): sync; asgi for asgi apps range: one of sync, gthread"),
        "{class}"
    );
    let everywhere = run(&["explain", "maxconn"]);
    assert!(
        everywhere.contains("maxconn of haproxy")
            && everywhere.contains("server-maxconn of haproxy"),
        "{everywhere}"
    );
    let found = run(&["search", "queue", "503"]);
    for (knob, entry) in [
        ("timeout-queue", "haproxy"),
        ("max-request-queue-size", "passenger"),
    ] {
        assert!(found.contains(&format!("{knob} of {entry}")), "{found}");
    }
    assert!(!found.contains("worker-class"), "{found}");
    assert!(run(&["search", "no-such-word"]).starts_with("No knob has these words"));
    let said = place.run(&["catalogue", "explain", "maxcon-n"]);
    assert!(
        said.err.contains("weir catalogue search maxcon-n"),
        "{}",
        said.err
    );
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
