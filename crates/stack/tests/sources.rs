//! What is held of the sources rather than of what they do.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use stack::Catalogue;

/// What every room may use.
const FOUNDATION: [&str; 2] = ["error", "path"];

/// The lines of code of every source, tests and comments left out.
fn sources() -> Vec<(PathBuf, Vec<String>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut folders, mut sources) = (vec![root.clone()], Vec::new());
    while let Some(folder) = folders.pop() {
        for file in fs::read_dir(folder).unwrap() {
            let file = file.unwrap().path();
            if file.is_dir() {
                folders.push(file);
            } else if file.extension().is_some_and(|end| end == "rs") {
                let text = fs::read_to_string(&file).unwrap();
                let code = text.lines().take_while(|line| *line != "#[cfg(test)]");
                let code = code.filter(|line| !line.trim_start().starts_with("//"));
                let code = code.map(str::to_owned).collect();
                sources.push((file.strip_prefix(&root).unwrap().to_owned(), code));
            }
        }
    }
    sources
}

#[test]
fn no_server_is_named_in_rust() {
    let catalogue = Catalogue::load(&[]).unwrap();
    let names: Vec<_> = catalogue.entries().map(|it| &it.name).collect();
    // What an app is written in carries the name of its language, as its server's entry may.
    let general = |file: &Path| !file.starts_with("app/recognise");
    for (file, code) in sources().into_iter().filter(|(file, _)| general(file)) {
        for line in code {
            let quoted = |name: &&&String| line.contains(&format!("\"{name}\""));
            let guilty = names.iter().find(quoted);
            assert!(guilty.is_none(), "{}: {line}", file.display());
        }
    }
}

#[test]
fn rooms_use_those_below_them_as_written() {
    let text = include_str!("../src/lib.rs");
    let arrows = text.lines().filter_map(|line| {
        let (room, below) = line.strip_prefix("//! * `")?.split_once(" → ")?;
        Some((room, below.trim_end_matches('`').split(", ")))
    });
    let (mut rooms, mut allowed) = (Vec::new(), BTreeSet::new());
    for (room, below) in arrows {
        rooms.push(room);
        allowed.extend(below.map(|below| (room, below)));
    }
    for (room, below) in allowed.iter().filter(|(_, below)| *below != "nothing") {
        let place = |wanted| rooms.iter().position(|room| room == wanted);
        assert!(
            place(below) > place(room),
            "`{below}` is not below `{room}`"
        );
    }
    for (file, code) in sources()
        .iter()
        .filter(|(file, _)| file.components().count() > 1)
    {
        let room = file.iter().next().unwrap().to_str().unwrap();
        assert!(
            room == "error" || rooms.contains(&room),
            "`{room}` has no arrows in lib.rs"
        );
        let paths = code.iter().flat_map(|line| line.split("crate::").skip(1));
        for path in paths {
            let used = path
                .split(|c: char| !c.is_alphanumeric() && c != '_')
                .next()
                .unwrap();
            let known = used == room || FOUNDATION.contains(&used);
            assert!(
                known || allowed.contains(&(room, used)),
                "{} uses `{used}`: lib.rs has no arrow from `{room}` to it",
                file.display()
            );
        }
    }
}
