//! How the crates lie to each other, and what none of them may say: held of the manifests and the sources.

use std::collections::BTreeSet;
use std::fs;

use crate::support::repository;
use toml::{Table, Value};

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

/// Servers of the catalogue whose names mean nothing else.
const SERVERS: [&str; 18] = [
    "bjoern",
    "cheroot",
    "flask",
    "granian",
    "gunicorn",
    "hypercorn",
    "jetty",
    "lighttpd",
    "nginx",
    "passenger",
    "php-fpm",
    "supervisord",
    "tomcat",
    "unicorn",
    "uvicorn",
    "varnish",
    "waitress",
    "webrick",
];

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
                if !tells && SERVERS.iter().any(|server| line.contains(server)) {
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
