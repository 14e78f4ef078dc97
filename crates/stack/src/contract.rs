//! What every entry of the catalogue must do: render at its defaults and at both ends of every
//! knob's range, with a configuration that the server itself accepts.

use std::collections::BTreeMap;
use std::path::PathBuf;

use record::{App, Choice, Interface, Knob, Route, Stage, StaticSite};

use crate::catalogue::Catalogue;
use crate::compose::compose_for;
use crate::entry::{Entry, Kind};
use crate::error::StackError;
use crate::probe::{Identity, identify};
use crate::render::render;
use crate::start::{check, write};
use crate::{ports, workspace::Workspace};

fn python() -> PathBuf {
    let own = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../apps/guestbook/.venv/bin/python"
    );
    let python = std::env::var_os("WEIR_TEST_PYTHON").map_or_else(|| own.into(), PathBuf::from);
    assert!(
        python.exists(),
        "`{}` is missing: run `make deps`",
        python.display()
    );
    python
}

fn app(interface: Interface) -> App {
    App {
        name: "app".into(),
        dir: std::env::temp_dir(),
        interface,
        entry: "app:app".into(),
        listens: BTreeMap::new(),
        frameworks: vec!["flask".into()],
        python: Some(python()),
        setup: Vec::new(),
        env: BTreeMap::new(),
        routes: vec![Route::get("/static/a.css")],
        site: Some(StaticSite {
            dir: "/tmp/a folder with \"quotes\"".into(),
            url: "/static/".into(),
        }),
    }
}

/// Every way in which an entry can stand in a stage with these knobs.
fn stages(entry: &Entry, knobs: BTreeMap<String, Knob>) -> Vec<Stage> {
    let own = Choice::of(&entry.name).with(knobs);
    let stage = |server, fronts| Stage {
        name: "contract".into(),
        title: String::new(),
        server,
        fronts,
        route: "/static/a.css".into(),
        load: None,
    };
    let other = |name: &str, link: &str| Choice {
        link: link.parse().unwrap(),
        ..Choice::of(name)
    };
    match entry.kind {
        Kind::AppServer => vec![
            stage(Some(own.clone()), vec![]),
            stage(Some(Choice { link: "unix".parse().unwrap(), ..own }), vec![other("nginx", "")]),
        ],
        Kind::FrontEnd => vec![
            stage(None, vec![own.clone()]),
            stage(Some(other("gunicorn", "")), vec![own.clone()]),
            stage(Some(other("gunicorn", "unix")), vec![own]),
        ],
    }
}

/// Renders and checks; a refusal with a reason is an answer too.
fn holds(
    entry: &Entry,
    knobs: &BTreeMap<String, Knob>,
    identities: &BTreeMap<String, Identity>,
) -> u32 {
    let catalogue = Catalogue::load(&[]).unwrap();
    let mut rendered = 0;
    let interfaces = entry
        .runs
        .iter()
        .filter(|interface| **interface != Interface::Static);
    let interfaces: Vec<_> = interfaces.copied().collect();
    let interfaces = if interfaces.is_empty() {
        vec![Interface::Wsgi]
    } else {
        interfaces
    };
    for interface in interfaces {
        for stage in stages(entry, knobs.clone()) {
            let composition = match compose_for(&stage, &app(interface), &catalogue, 2) {
                Ok(composition) => composition,
                Err(StackError::Refused { .. }) => continue,
                Err(error) => panic!("`{}` with {knobs:?}: {error}", entry.name),
            };
            let folder = tempfile::tempdir().unwrap();
            let parts = composition.parts.iter();
            let identities: Vec<_> = parts
                .map(|part| identities[&part.entry.name].clone())
                .collect();
            let addresses = ports::free(composition.programs()).unwrap();
            let workspace = Workspace::place(&composition, folder.path(), &identities, &addresses);
            for program in
                render(&composition, &workspace).unwrap_or_else(|error| panic!("{error}"))
            {
                write(&program, folder.path()).unwrap();
                check(&program)
                    .unwrap_or_else(|error| panic!("{knobs:?}: {error}\n{:#?}", error.log_tail()));
            }
            rendered += 1;
        }
    }
    rendered
}

#[test]
fn every_entry_renders_at_its_defaults_and_at_both_ends_of_every_knob() {
    let catalogue = Catalogue::load(&[]).unwrap();
    let identities: BTreeMap<_, _> = catalogue
        .entries()
        .map(|entry| {
            (
                entry.name.clone(),
                identify(entry, Some(&python())).unwrap_or_else(|error| panic!("{error}")),
            )
        })
        .collect();
    for entry in catalogue.entries() {
        assert!(
            holds(entry, &BTreeMap::new(), &identities) > 0,
            "`{}` renders nowhere",
            entry.name
        );
        for (name, spec) in &entry.knobs {
            for value in spec.extremes() {
                let rendered = holds(
                    entry,
                    &BTreeMap::from([(name.clone(), value.clone())]),
                    &identities,
                );
                assert!(
                    rendered > 0,
                    "`{}` is refused everywhere with {name} = {value:?}",
                    entry.name
                );
            }
        }
    }
}

#[test]
fn no_server_is_named_in_rust() {
    let names: Vec<_> = Catalogue::load(&[])
        .unwrap()
        .entries()
        .map(|entry| entry.name.clone())
        .collect();
    let sources = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/src"));
    let mut folders = vec![sources];
    while let Some(folder) = folders.pop() {
        for file in std::fs::read_dir(folder)
            .unwrap()
            .map(|file| file.unwrap().path())
        {
            if file.is_dir() {
                folders.push(file);
                continue;
            }
            // Comments may give examples, and this file tests the catalogue itself.
            let text = std::fs::read_to_string(&file).unwrap();
            let code = text
                .lines()
                .filter(|line| !line.trim_start().starts_with("//"));
            let code = code.take_while(|line| *line != "#[cfg(test)]");
            for line in code.filter(|_| !file.ends_with("contract.rs")) {
                let guilty = names
                    .iter()
                    .find(|name| line.contains(&format!("\"{name}\"")));
                assert!(guilty.is_none(), "{}: {line}", file.display());
            }
        }
    }
}
