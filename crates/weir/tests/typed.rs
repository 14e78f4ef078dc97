//! What is typed first: nothing, a wish for help, a server's name.

use crate::support::{APP, Place};
use testkit::Nginx;

#[test]
fn nothing_typed_lists_the_commands() {
    let place = Place::new();
    for typed in [&[][..], &["--json"]] {
        let said = place.run(typed);
        assert_eq!((said.code, said.out.as_str()), (2, ""), "{}", said.err);
        let helped = place.run(&["-h"]);
        assert_eq!(said.err.trim_end(), helped.succeeds().out.trim_end());
        for command in ["try", "bench", "doctor", "help"] {
            let line = format!("\n  {command} ");
            assert!(said.err.contains(&line), "`{command}`: {}", said.err);
        }
        assert!(!said.err.contains("guard"), "{}", said.err);
    }
    for wrong in ["guar", "gaurd"] {
        let said = place.run(&[wrong]);
        assert_eq!(said.code, 2);
        assert!(!said.err.contains("guard"), "{}", said.err);
    }
}

#[test]
fn help_on_a_command_is_its_own_help() {
    let place = Place::new();
    for command in [&["try"][..], &["bench"], &["catalogue", "explain"]] {
        for width in ["80", "200"] {
            let run = |args: &[&str]| {
                let mut weir = place.weir(args);
                weir.env("COLUMNS", width);
                crate::support::said(weir)
            };
            let helped = run(&[&["help"], command].concat());
            let own = run(&[command, &["--help"]].concat());
            assert_eq!(
                helped.succeeds().out.trim_end(),
                own.succeeds().out.trim_end()
            );
            assert!(own.out.contains("Usage: weir "), "{}", own.out);
        }
    }
    place
        .run(&["help", "guard"])
        .fails(2, &["no help on `guard`"]);
    place
        .run(&["help", "catalogue", "explode"])
        .fails(2, &["no help on `catalogue explode`"]);
}

#[test]
fn a_url_in_place_of_an_app_or_a_plan_is_told_with_the_command_that_loads_it() {
    let place = Place::new();
    let bench = "hint: `weir bench URL` loads what runs already";
    let url = "http://localhost:8000";
    for (args, but) in [
        (&["try", url][..], "`weir try` starts an app by itself"),
        (
            &["try", "localhost:8000"],
            "`weir try` starts an app by itself",
        ),
        (&["doctor", url], "`weir doctor` looks at an app's files"),
        (&["run", url], "`weir run` takes a plan file"),
        (&["up", url, "one"], "`weir up` takes a plan file"),
        (
            &["stack", "one", "--plan", url],
            "`weir stack` takes a plan file",
        ),
    ] {
        let text = args.iter().find(|of| of.contains("localhost")).unwrap();
        let told = format!("`{text}` is a URL, and {but}");
        place.run(args).fails(2, &[&told, bench]);
    }
    let said = place.run(&["profile", url]);
    said.fails(2, &["is a URL, and `weir profile`", "--pid PID"]);
    place.assert_clean();
}

#[test]
fn options_that_mean_the_same_have_the_names_that_they_have_elsewhere() {
    let place = Place::new();
    let listens = ["endpoints", "--udp", "127.0.0.1:0"];
    for (args, known) in [
        (
            &["profile", "--pid", "1", "--duration", "x"][..],
            "--seconds <TIME>",
        ),
        (&["profile", "--pid", "1", "-d", "x"], "--seconds <TIME>"),
        (
            &[&listens[..], &["--duration", "x"]].concat(),
            "--seconds <TIME>",
        ),
        (
            &["endpoints", "log", "--log-format", "x"],
            "--format <FORMAT>",
        ),
        (&["claims", "--dry-run", "--stored"], "--estimate"),
    ] {
        let said = place.run(args);
        said.fails_with(2);
        assert!(said.err.contains(known), "{args:?}: {}", said.err);
    }
}

#[test]
fn a_slip_in_a_command_is_told_however_short_it_is() {
    let place = Place::new();
    for (slip, command) in [
        ("wkr", "wrk"),
        ("tyr", "try"),
        ("lsit", "list"),
        ("explian", "explain"),
    ] {
        let said = place.run(&[slip]);
        said.fails_with(2);
        let told = format!("'{command}'");
        assert!(said.err.contains(&told), "{slip}: {}", said.err);
    }
}

#[test]
fn a_knob_is_named_with_a_point_or_a_space() {
    let place = Place::new();
    let explain = |typed: &[&str]| {
        let said = place.run(&[&["catalogue", "explain"], typed].concat());
        said.succeeds().out.clone()
    };
    let spaced = explain(&["gunicorn", "workers"]);
    assert!(spaced.contains("workers of gunicorn"), "{spaced}");
    assert_eq!(explain(&["gunicorn.workers"]), spaced);
}

#[test]
fn a_list_says_what_was_served_and_nothing_of_what_is_best_where_the_run_does_not() {
    let nginx = Nginx::start("location / { return 200 hello; }");
    let address = nginx.address().to_string();
    let place = Place::new();
    // a host and a port mean HTTP
    let load = ["bench", &address, "-n", "400", "-c", "2", "--warm-up", "0s"];
    place.run(&load).measured();
    place.app(APP);
    let plan = place.plan(
        "[[variant]]\nname = \"a\"\nserver = \"gunicorn\"\n[[variant]]\nname = \"b\"\nserver = { entry = \"gunicorn\", workers = 2 }\n",
    );
    place.run(&["run", plan.to_str().unwrap()]).measured();
    let printed = place.run(&["stack", "last:b"]);
    let command = &printed.succeeds().out;
    assert!(command.contains("--workers 2"), "{command}");
    place
        .run(&["stack", "last:c"])
        .fails(5, &["no variant `c`", "`a`, `b`"]);
    place
        .run(&["stack", "last:b", "--set", "workers=3"])
        .fails(2, &["`--set`"]);
    let said = place.run(&["list", "--json"]);
    let json = said.json();
    let folder = place.path("app").canonicalize().unwrap();
    let folder = folder.to_str().unwrap();
    assert_eq!(json[0]["app"], folder);
    assert!(json[0]["best"].is_null(), "a block decides nothing: {json}");
    assert_eq!(
        (json[0]["name"].as_str(), json[0]["done"].as_u64()),
        (Some("plan"), Some(2))
    );
    assert_eq!(json[1]["app"], address);
    let table = place
        .run(&["list", "--width", "400"])
        .succeeds()
        .out
        .clone();
    for word in [folder, &address] {
        assert!(table.contains(word), "`{word}`: {table}");
    }
}

#[test]
fn a_path_without_its_slash_is_told_with_it() {
    let place = Place::new();
    place.write("app.py", APP);
    for (typed, told) in [
        ("health", "a path begins with `/`: did you mean `/health`?"),
        ("http://localhost/health", "leave out what stands before"),
        ("/a b", "a path has no spaces"),
    ] {
        let said = place.run(&["try", "--path", typed]);
        said.fails_with(2);
        let text = said.err.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(told), "{text}");
    }
}
