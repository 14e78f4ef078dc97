//! Every entry is rendered and served in every way that it offers, and faults are injected.

use serde_json::Value;

use super::{for_each, names, python, table_of};
use crate::support::{Place, Said, repository};

#[test]
fn every_entry_serves_in_every_way_it_offers() {
    let names = names();
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
        // all that there is to know of it: it may never come to pass again
        let told = |why: String| {
            let Said { code, out, err } = &said;
            format!("{why}\nended with {code}\n{err}\n{out}")
        };
        serves(name, &said).map_err(told)?;
        match place.left_behind() {
            left if left.is_empty() => Ok(()),
            left => Err(told(format!("left behind: {left:#?}"))),
        }
    });
}

/// An entry that was checked served in every way, and faults were told; or what is wrong with it.
fn serves(name: &str, said: &Said) -> Result<(), String> {
    let checked: Vec<Value> =
        serde_json::from_str(&said.out).map_err(|error| format!("no document: {error}"))?;
    let entry = checked.first().ok_or("nothing was checked")?;
    let all = |key: &str| entry[key].as_array().cloned().unwrap_or_default();
    if said.code != 0 {
        let problems = all("problems");
        let problems: Vec<_> = problems.iter().filter_map(Value::as_str).collect();
        return Err(problems.join("\n"));
    }
    let ways = all("served").len() + all("started").len();
    if ways == 0 || entry["configurations"] == 0 {
        return Err("nothing was tried".to_owned());
    }
    faults(name, &all("faults"))
}

/// What befell an entry was told with the right words and exit code.
fn faults(name: &str, happened: &[Value]) -> Result<(), String> {
    let told = |what: &str, exit: u64, words: &str| {
        let as_told = happened.iter().any(|one| {
            let text = |key: &str| one[key].as_str().unwrap().to_owned();
            text("what").contains(what) && text("said").contains(words) && one["exit"] == exit
        });
        let missing = || format!("`{what}` was not told with `{words}` and code {exit}");
        as_told.then_some(()).ok_or_else(missing)
    };
    if table_of(name)["kind"].as_str() == Some("supervisor") {
        return told(
            "the server below it is killed",
            0,
            "correct responses came again",
        );
    }
    let killed = format!("`{name}` was ended by signal 9 while it should have served");
    told(&format!("`{name}` is killed"), 7, &killed)?;
    told("its port is taken", 0, "another one chosen")?;
    if table_of(name)["kind"].as_str() == Some("app-server") {
        // some do not start, and others start and answer with an error
        let exit = if stands(happened) { 8 } else { 7 };
        told("does not load", exit, "broken on purpose")?;
    }
    if table_of(name).contains_key("recycles") {
        told("a worker restarts after", 0, "requests failed")?;
    }
    Ok(())
}

/// Whether a server whose app does not load starts nevertheless, and answers with an error.
fn stands(happened: &[Value]) -> bool {
    let text = |one: &Value, key: &str| one[key].as_str().unwrap().to_owned();
    happened.iter().any(|one| {
        text(one, "what").contains("does not load") && text(one, "said").contains("answers `GET /`")
    })
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
