//! A broken configuration is refused by the server itself, and weir says what the server said.

use std::path::Path;

use super::{for_each, names, python, table_of};
use crate::support::{Place, repository};

/// What is right in no language: shells, INI files and configurations of many kinds read it.
const NONSENSE: &str = "}{ no such thing (\n";

/// An entry's first file begins and ends with nonsense: some ignore what stands before the first section.
fn spoil_file(entry: &mut toml::Table) {
    let first = entry["files"][0].as_table_mut().unwrap();
    let text = first["template"].as_str().unwrap();
    let spoilt = format!("{NONSENSE}{text}\n{NONSENSE}");
    first.insert("template".into(), spoilt.into());
}

/// Whoever tests its own configuration refuses nonsense before anything is started, and says why.
#[test]
fn a_broken_configuration_is_refused_by_the_server_itself() {
    let testing = names()
        .into_iter()
        .filter(|name| table_of(name).contains_key("check"));
    for_each(testing.collect(), |name| {
        let mut entry = table_of(name);
        spoil_file(&mut entry);
        refused(name, &entry)
    });
}

/// What stands on the command line is tested with it, where the server tests the command that starts it.
#[test]
fn a_wrong_value_on_the_command_line_is_refused_by_the_server_itself() {
    let testing = names().into_iter().filter(|name| {
        let entry = table_of(name);
        entry.get("check").and_then(toml::Value::as_str) == Some("argv")
    });
    let testing: Vec<_> = testing.collect();
    assert!(testing.len() > 1, "{testing:?}");
    for_each(testing, |name| {
        let mut entry = table_of(name);
        let argv = entry["argv"].as_array_mut().unwrap();
        let of_a_knob = |argument: &toml::Value| argument.as_str().map(|it| it.contains("knobs."));
        let last = argv
            .iter()
            .rposition(|argument| of_a_knob(argument) == Some(true))
            .unwrap();
        argv[last] = format!("no such thing {}", argv[last].as_str().unwrap()).into();
        refused(name, &entry)
    });
}

/// Whether the entry's server refuses its configuration.
fn refused(name: &str, entry: &toml::Table) -> Result<(), String> {
    let place = Place::new();
    let file = place.write(&format!("{name}.toml"), &toml::to_string(entry).unwrap());
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
}

/// Nonsense where a program reads its configuration: in its first file, and on its command line, as the one
/// or the other is not always read. The app's own command gets another one in front, which is not there.
fn spoil(entry: &mut toml::Table) {
    let has_files = entry.contains_key("files");
    let argv = entry["argv"].as_array_mut().unwrap();
    if let ["sh", "-c"] = argv
        .iter()
        .take(2)
        .filter_map(toml::Value::as_str)
        .collect::<Vec<_>>()[..]
    {
        let command = argv[2].as_str().unwrap();
        argv[2] = format!("no-such-thing || exit; {command}").into();
    } else {
        argv.push("--no-such-thing".into());
        if has_files {
            spoil_file(entry);
        }
    }
}

/// The small app that an entry is rehearsed with.
fn sample(entry: &toml::Table) -> std::path::PathBuf {
    let samples = repository().join("catalogue/samples");
    let frameworks = entry.get("frameworks").and_then(toml::Value::as_array);
    let frameworks = frameworks.into_iter().flatten();
    let mut folders = frameworks
        .chain(
            entry
                .get("runs")
                .and_then(toml::Value::as_array)
                .into_iter()
                .flatten()
                .take(1),
        )
        .map(|name| samples.join(name.as_str().unwrap()));
    let made_for = folders.find(|folder| folder.is_dir());
    made_for.unwrap_or_else(|| samples.join("wsgi"))
}

/// The keys of a variant that runs it; the app learns of a service.
fn used(entry: &toml::Table, place: &Place) -> String {
    let name = entry["name"].as_str().unwrap();
    if entry["kind"].as_str() == Some("service") {
        let file = place.path("app/app.toml");
        let app = std::fs::read_to_string(&file).unwrap();
        std::fs::write(&file, format!("{app}\n[services.used]\n")).unwrap();
        return format!("server = \"gunicorn\"\nservices = {{ used = \"{name}\" }}");
    }
    if entry["kind"].as_str() == Some("supervisor") {
        return format!("server = \"gunicorn\"\nsupervisor = \"{name}\"");
    }
    let speaks_http = entry["listens"].get("http1").is_some();
    let link = if speaks_http { "http" } else { "fastcgi" };
    format!("server = {{ entry = \"{name}\", link = \"{link}\" }}")
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for file in std::fs::read_dir(from).unwrap() {
        let (path, name) = file.map(|file| (file.path(), file.file_name())).unwrap();
        if path.is_dir() {
            copy(&path, &to.join(name));
        } else {
            std::fs::copy(&path, to.join(name)).unwrap();
        }
    }
}

/// Whoever has no such test ends with a complaint as it starts, which is in weir's error.
#[test]
fn a_broken_start_ends_with_the_servers_own_complaint() {
    let starting = names()
        .into_iter()
        .filter(|name| !table_of(name).contains_key("check"));
    for_each(starting.collect(), |name| {
        let place = Place::new();
        let mut entry = table_of(name);
        spoil(&mut entry);
        copy(&sample(&entry), &place.path("app"));
        let text = toml::to_string(&entry).unwrap();
        place.write(&format!("mine/{name}.toml"), &text);
        let plan = place.plan(&format!(
            "[[variant]]\nname = \"broken\"\n{}\n",
            used(&entry, &place)
        ));
        let (plan, mine) = (plan.display().to_string(), place.path("mine"));
        let mine = mine.display().to_string();
        let said = place.run(&[
            "-q",
            "--catalogue",
            &mine,
            "run",
            &plan,
            "--python",
            &python(),
        ]);
        let named = format!("`{name}` ended with code");
        let log = said.err.lines().filter(|line| line.starts_with("  | "));
        let log = log.collect::<String>().to_lowercase();
        let complains = [
            "no-such-thing",
            "no such thing",
            "syntax",
            "error:",
            "prolog",
        ]
        .iter()
        .any(|words| log.contains(words));
        if said.code != 7 || !said.err.contains(&named) || !complains {
            return Err(format!("ended with {}: {}", said.code, said.err));
        }
        match place.left_behind() {
            left if left.is_empty() => Ok(()),
            left => Err(format!("left behind: {left:?}")),
        }
    });
}
