//! What is held of the sources rather than of what they do.

use std::path::PathBuf;

use crate::entry::catalogue::Catalogue;

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
            // What an app is written in carries the name of its language, as its server's entry may.
            if file.ends_with("recognise") {
                continue;
            }
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
