//! `weir stack NAME`: every entry of the catalogue, and no version that is made up.

use crate::support::{Place, repository};

#[test]
fn every_front_end_is_printed() {
    let place = Place::new();
    let said = place.run(&["catalogue", "--json"]);
    let entries = said.succeeds().json();
    let entries = entries.as_array().unwrap().iter();
    let fronts: Vec<_> = entries
        .filter(|entry| entry["kind"] == "front end")
        .map(|entry| entry["name"].as_str().unwrap())
        .collect();
    assert!(fronts.len() > 5, "{fronts:?}");
    for front in fronts {
        let said = place.run(&["stack", front, "--print"]);
        let first = said.succeeds().out.lines().next().unwrap();
        assert_eq!(first.split(' ').next(), Some(front), "{}", said.out);
        assert!(said.out.contains("command"), "{}", said.out);
        assert!(!said.out.contains("999"), "{}", said.out);
    }
}

#[test]
fn what_is_no_entry_is_told_with_what_was_meant() {
    let place = Place::new();
    for (name, meant) in [
        ("gunicron", "did you mean `gunicorn`?"),
        ("today", "`weir stack last:today`"),
    ] {
        let said = place.run(&["stack", name]);
        said.fails(5, &[name, meant]);
        assert!(!said.err.contains("`waitress`"), "no list: {}", said.err);
    }
}

#[test]
fn print_need_not_be_said() {
    let place = Place::new();
    let with = place.run(&["stack", "gunicorn", "--print"]);
    let without = place.run(&["stack", "gunicorn"]);
    assert_eq!(with.succeeds().out, without.succeeds().out);
}

#[test]
fn what_is_not_installed_is_said_to_be_so() {
    let place = Place::new();
    for (name, defaults) in [("nginx", "versions before "), ("haproxy", "")] {
        let file = repository().join(format!("catalogue/front-ends/{name}.toml"));
        let text = std::fs::read_to_string(file).unwrap();
        let program = format!("program = \"{name}\"");
        assert!(text.contains(&program));
        let text = text.replace(&program, "program = \"no-such-program\"");
        place.write(&format!("own/{name}.toml"), &text);
        let own = ["stack", name, "--catalogue", "own"];
        let said = place.run(&own);
        let mut lines = said.succeeds().out.lines();
        assert_eq!(lines.next(), Some(name));
        let note = format!("it is not installed: shown with the defaults of {defaults}");
        assert!(lines.next().unwrap().starts_with(&note), "{}", said.out);
        let said = place.run(&[&own[..], &["--json"]].concat());
        let stack = said.succeeds().json();
        assert!(stack[0]["version"].is_null(), "{stack}");
        assert!(
            stack[0]["shown_as"].as_str().unwrap().starts_with(defaults),
            "{stack}"
        );
    }
}
