//! Whole files that are handed over (plans, entries, descriptions of apps, scripts, recordings), read as weir
//! reads them: nothing may panic, hold the reader or come out beyond its limits.

use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};

use ::traffic::{LogFormat, Pace, Replay, ReplayPlan};
use load::{Body, Expected, Heard, RequestSource as _, Status};
use record::{Target, limits};
use script::{Options, Prints, Script};
use stack::Catalogue;
use testkit::TempDir;

/// An app for plans, without anything to be run.
const APP: &str = "name = \"app\"\ninterface = \"wsgi\"\nentry = \"app:app\"\n\
                   [[routes]]\npath = \"/\"\nstatus = 200\n";
/// For plans and apps: it is named, and not run.
const PYTHON: &str = "/usr/bin/python3";
/// Instructions of a script's call: a loop without end takes a millisecond.
const INSTRUCTIONS: u64 = 100_000;
/// What a script of samples has no business with: it could reach beyond its folder.
const OUTSIDE: [&[u8]; 4] = [b"os", b"io", b"lookup", b"connect"];

thread_local! {
    static PLACE: TempDir = {
        let place = testkit::temp_dir();
        fs::create_dir(place.path().join("app")).expect("a folder");
        fs::write(place.path().join("app/app.toml"), APP).expect("a file");
        place
    };
    static CATALOGUE: RefCell<Catalogue> =
        RefCell::new(Catalogue::load(&[]).expect("the entries that are built in"));
}

/// This thread's file of that name.
fn file(name: &str, data: &[u8]) -> PathBuf {
    PLACE.with(|place| {
        let path = place.path().join(name);
        fs::write(&path, data).expect("room for a file");
        path
    })
}

/// # Panics
/// When a plan that is taken asks for more than there can be, or an error says nothing.
pub(crate) fn check_plan(data: &[u8]) {
    let path = file("plan.toml", data);
    match experiment::read_plan(&path, Some(Path::new(PYTHON)), 2) {
        Ok(plan) => {
            assert!((1..=limits::BLOCKS).contains(&plan.blocks));
            for variant in &plan.variants {
                assert_eq!(plan.load_of(variant).check(), Ok(()));
                let programs = variant.server.iter().chain(&variant.fronts);
                assert!(
                    programs
                        .map(|one| one.instances)
                        .all(|one| one <= limits::INSTANCES)
                );
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// # Panics
/// When an error says nothing.
pub(crate) fn check_entry(data: &[u8]) {
    let path = file("demo.toml", data);
    CATALOGUE.with_borrow_mut(|catalogue| {
        if let Err(error) = catalogue.read(&path) {
            assert!(!error.to_string().is_empty());
        }
    });
}

/// # Panics
/// When an app that is taken answers no route, or an error says nothing.
pub(crate) fn check_app(data: &[u8]) {
    let path = file("app.toml", data);
    if let Err(error) = stack::app::read(&path, Some(Path::new(PYTHON))) {
        assert!(!error.to_string().is_empty());
    }
}

/// Opens a script, and lets it ask and hear.
///
/// # Panics
/// When an error says nothing.
pub(crate) fn check_script(data: &[u8]) {
    let outside = |word: &&[u8]| data.windows(word.len()).any(|piece| piece == *word);
    if OUTSIDE.iter().any(outside) {
        return;
    }
    let options = Options {
        file: file("script.lua", data),
        url: "http://127.0.0.1:9/".to_owned(),
        scheme: "http".to_owned(),
        authority: "127.0.0.1:9".to_owned(),
        path: "/".to_owned(),
        headers: Vec::new(),
        target: Target::Tcp(([127, 0, 0, 1], 9).into()),
        args: Vec::new(),
        threads: 1,
        expected: Expected::new(Status::Any, Body::Any),
        instructions: INSTRUCTIONS,
        prints: Prints::Aside,
    };
    let script = match Script::open(&options) {
        Ok(script) => script,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let Ok(mut stream) = script.stream(0, 1, 2) else {
        return;
    };
    for connection in [0, 1, 0] {
        if stream.begin(connection, 0).is_err() || stream.is_over() {
            break;
        }
        let heard = Heard {
            name: 0,
            status: 200,
            fields: b"A: b\r\n\r\n",
            body: b"hello",
            right: true,
            now: 0,
        };
        let _ = stream.heard(connection, &heard, &mut Vec::new());
    }
    let _ = script.finish(&record::LoadFacts::default());
}

/// Reads a recording of any kind, packed or not.
///
/// # Panics
/// When its requests are not in order, or more than there is text for.
pub(crate) fn check_recording(data: &[u8]) {
    let url = url::Url::parse("http://localhost:8000/a/").expect("an address");
    let plan = ReplayPlan {
        path: file("recording", data),
        format: LogFormat::Auto,
        pace: Pace::Scaled(1.0),
        all_methods: true,
        check: true,
        headers: Vec::new(),
        origin: url.origin(),
    };
    match Replay::read(&plan) {
        Ok(replay) => {
            assert!(replay.summary().distinct <= replay.summary().requests);
            assert!(replay.times().is_none_or(|times| times.is_sorted()));
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
