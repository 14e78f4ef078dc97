//! Which variant is tied to which, and by what.

use record::{Choice, Interface, Knob, Route};
use stack::Catalogue;

use super::*;

fn variant(name: &str, front: &[&str], entry: &str, workers: (&str, &str)) -> Variant {
    let knobs = [(workers.0.to_owned(), Knob::Text(workers.1.to_owned()))];
    Variant {
        name: name.to_owned(),
        server: Some(Choice::of(entry).with(knobs.into())),
        fronts: front.iter().map(|entry| Choice::of(*entry)).collect(),
        route: "/".to_owned(),
        ..Variant::default()
    }
}

fn designed(variants: &[&Variant]) -> Vec<(String, String, Vec<String>)> {
    let app = App {
        interface: Interface::Wsgi,
        entry: "app:app".to_owned(),
        routes: vec![Route::get("/")],
        python: Some("/usr/bin/python3".into()),
        ..App::default()
    };
    let machine = Machine::new(Catalogue::load(&[]).unwrap(), 2);
    let meant = Choice::of("gunicorn").with([("workers".to_owned(), Knob::Number(3))].into());
    let designed = design(variants, &app, &machine, Some(&meant)).into_iter();
    designed
        .map(|variant| {
            let change = variant.change.unwrap_or(Change {
                from: String::new(),
                what: Vec::new(),
            });
            (variant.name, change.from, change.what)
        })
        .collect()
}

#[test]
fn what_lies_between_two_variants_is_tried_before_the_second() {
    let one = variant("one", &[], "gunicorn", ("workers", "1"));
    let cores = variant("cores", &[], "gunicorn", ("workers", "cores"));
    let front = variant("front", &["nginx"], "gunicorn", ("workers", "cores"));
    let other = variant("other", &["haproxy"], "gunicorn", ("workers", "cores"));
    let told = |words: &[&str]| {
        words
            .iter()
            .map(|word| (*word).to_owned())
            .collect::<Vec<_>>()
    };
    let of = |name: &str, from: &str, what: &[&str]| (name.to_owned(), from.to_owned(), told(what));
    assert_eq!(
        designed(&[&one, &front, &other, &cores]),
        [
            of("one", "", &[]),
            of("cores", "one", &["`workers` 1 → 2"]),
            of("front", "cores", &["`nginx` in front"]),
            of("other", "cores", &["`haproxy` in front"]),
        ]
    );
}

#[test]
fn what_grows_with_the_machine_is_told_as_it_is_written() {
    let one = variant("one", &[], "gunicorn", ("workers", "1"));
    let twice = variant("twice", &[], "bjoern", ("workers", "2*cores"));
    assert_eq!(
        designed(&[&one, &twice])[1].2,
        ["`bjoern` instead of `gunicorn`", "`workers` = 2*cores"]
    );
}

#[test]
fn a_command_of_the_users_is_compared_as_the_server_that_it_is() {
    let today = variant(
        "today",
        &[],
        "command",
        ("command", "gunicorn -w 3 app:app"),
    );
    let cores = variant("cores", &[], "gunicorn", ("workers", "cores"));
    let designed = designed(&[&today, &cores]);
    assert_eq!(designed[1].1, "today");
    assert_eq!(designed[1].2, ["`workers` 3 → 2"]);
}

#[test]
fn several_things_at_once_are_all_told() {
    let one = variant("one", &[], "gunicorn", ("workers", "1"));
    let other = variant("other", &["nginx"], "waitress", ("threads", "8"));
    let bjoern = variant("bjoern", &[], "bjoern", ("workers", "cores"));
    let mut file = variant("file", &["nginx"], "gunicorn", ("workers", "1"));
    file.route = "/static/a.css".to_owned();
    let designed = designed(&[&one, &other, &bjoern, &file]);
    assert_eq!(
        designed[1].2,
        ["`nginx` in front", "`waitress` instead of `gunicorn`"]
    );
    assert_eq!(
        designed[2].2,
        ["`bjoern` instead of `gunicorn`", "a process for each core"]
    );
    assert_eq!(
        designed[3].2,
        [] as [&str; 0],
        "another route is another question"
    );
}
