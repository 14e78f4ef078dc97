//! What the documents say is held against the code.

mod support;

use std::collections::BTreeSet;
use std::fs;

use support::{Place, python, repository};
use toml::{Table, Value};

#[test]
fn the_annotated_plan_is_a_plan() {
    let place = Place::new();
    let plan = repository().join("docs/plan.toml");
    let printed = place.run(&[
        "stack",
        "behind-nginx",
        "--plan",
        plan.to_str().unwrap(),
        "--print",
    ]);
    assert!(
        printed.succeeds().out.contains("gunicorn"),
        "{}",
        printed.out
    );
    let help = place.run(&["help", "plan"]);
    assert_eq!(
        help.succeeds().out.trim(),
        fs::read_to_string(plan).unwrap().trim()
    );
}

#[test]
fn the_annotated_app_is_an_app() {
    let file = repository().join("docs/app.toml");
    let app = stack::app::read(&file, Some(&python())).unwrap();
    let names: Vec<_> = app.routes.iter().map(record::Route::name).collect();
    assert_eq!(names, ["/", "POST /orders"]);
    let help = Place::new().run(&["help", "app"]);
    assert_eq!(
        help.succeeds().out.trim(),
        fs::read_to_string(file).unwrap().trim()
    );
}

/// Every plan that ships means something, and every stage of it can be composed.
#[test]
fn every_plan_that_ships_resolves() {
    let catalogue = stack::Catalogue::load(&[]).unwrap();
    let python = python();
    let shelf = experiment::shelf(&repository().join("claims"), Some(&python)).unwrap();
    let examples = fs::read_dir(repository().join("examples")).unwrap();
    let examples = examples.map(|file| {
        let path = file.unwrap().path();
        experiment::read_plan(&path, Some(&python)).unwrap_or_else(|error| panic!("{error}"))
    });
    let mut seen = 0;
    for plan in shelf.plans.into_iter().chain(examples) {
        for stage in &plan.stages {
            let composed = stack::compose(stage, plan.app_of(stage), &catalogue);
            composed.unwrap_or_else(|error| panic!("{}: {error}", plan.name));
            seen += 1;
        }
    }
    assert!(seen >= 50, "the claims' stages are there: {seen}");
}

/// The arrows of `docs/architecture.md`.
#[test]
fn crates_depend_on_each_other_one_way_as_written() {
    let text = fs::read_to_string(repository().join("docs/architecture.md")).unwrap();
    let arrows = text
        .split("Arrows: ")
        .nth(1)
        .unwrap()
        .split("\n\n")
        .next()
        .unwrap();
    let mut allowed = BTreeSet::new();
    let mut everything = BTreeSet::new();
    for arrow in arrows.split('`').filter(|part| part.contains('→')) {
        let (from, to) = arrow.split_once('→').unwrap();
        let to = to.replace('\n', " ");
        for from in from.split(',').map(str::trim) {
            everything.insert(from.to_owned());
            allowed.extend(
                to.split(',')
                    .map(|to| (from.to_owned(), to.trim().to_owned())),
            );
        }
    }
    let manifests = fs::read_dir(repository().join("crates")).unwrap();
    for manifest in manifests
        .map(|folder| folder.unwrap().path().join("Cargo.toml"))
        .chain([repository().join("catalogue/Cargo.toml")])
    {
        let manifest: Table = fs::read_to_string(manifest).unwrap().parse().unwrap();
        let name = manifest["package"]["name"].as_str().unwrap();
        if ["weir", "testkit"].contains(&name) {
            continue;
        }
        assert!(
            everything.contains(name),
            "`{name}` has no arrow in docs/architecture.md"
        );
        let dependencies = manifest.get("dependencies").and_then(Value::as_table);
        for dependency in dependencies.into_iter().flat_map(Table::keys) {
            let ours = everything.contains(dependency);
            let known = allowed.contains(&(name.to_owned(), dependency.clone()));
            assert!(
                !ours || known,
                "`{name}` depends on `{dependency}`, which docs/architecture.md does not allow"
            );
        }
    }
}

/// Every flaw that weir claims not to have has a test.
#[test]
fn each_flaw_names_a_test_that_is_there() {
    let table = fs::read_to_string(repository().join("docs/flaws.md")).unwrap();
    let mut rows = 0;
    for row in table.lines().filter(|line| line.starts_with("| ")).skip(1) {
        let test = row.split('`').rev().nth(1).unwrap();
        let (file, name) = test.split_once("::").expect(row);
        let source = fs::read_to_string(repository().join(file)).expect(row);
        let lines: Vec<&str> = source.lines().map(str::trim).collect();
        let there = lines
            .windows(2)
            .any(|two| two == ["#[test]", &format!("fn {name}() {{")]);
        assert!(there, "no test `{name}` in {file}");
        rows += 1;
    }
    assert!(rows > 30, "{rows} rows");
}

/// A server's name belongs in the catalogue.
#[test]
fn no_crate_but_the_tests_names_a_server() {
    let mut named = Vec::new();
    for folder in fs::read_dir(repository().join("crates")).unwrap() {
        let folder = folder.unwrap().path();
        if folder.ends_with("testkit") {
            continue; // it starts a real nginx for other crates' tests
        }
        sources(&folder.join("src"), &mut |path, text| {
            let code = text.split("#[cfg(test)]").next().unwrap();
            for (number, line) in code.lines().enumerate() {
                let line = line.split("//").next().unwrap().to_lowercase();
                let tells = line.contains("hint")
                    || line.contains("write `")
                    || line.contains("explains every key");
                if !tells
                    && ["nginx", "gunicorn", "flask"]
                        .iter()
                        .any(|server| line.contains(server))
                {
                    named.push(format!(
                        "{}:{}: {}",
                        path.display(),
                        number + 1,
                        line.trim()
                    ));
                }
            }
        });
    }
    assert!(named.is_empty(), "{named:#?}");
}

fn sources(folder: &std::path::Path, look: &mut dyn FnMut(&std::path::Path, &str)) {
    for file in fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        if ["contract.rs", "tests.rs", "tests"]
            .iter()
            .any(|name| path.ends_with(name))
        {
            continue; // tests alone, beside the code that they test
        }
        if path.is_dir() {
            sources(&path, look);
        } else if path.extension().is_some_and(|kind| kind == "rs") {
            look(&path, &fs::read_to_string(&path).unwrap());
        }
    }
}
