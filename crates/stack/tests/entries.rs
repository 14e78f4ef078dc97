//! Entries of the catalogue, weir's and the users', and what is installed of them.

use std::path::{Path, PathBuf};

use crate::support::{HELLO, built_in, catalogue_with, machine, python, variant, wsgi};
use record::Choice;
use stack::{Catalogue, StackError, State};

const MINIMAL: &str = r#"
name = "mine"
kind = "app-server"
title = "mine"
home = "none"
runs = ["wsgi"]
listens = { http1 = ["tcp"] }
argv = ["serve", "{{ listen.address }}"]
stop = { signal = "TERM", grace = 1 }
find = { version = { argv = ["serve", "--version"], pattern = '(\d+)' } }
"#;

#[test]
fn a_users_entry_is_added_or_replaces() {
    let catalogue = catalogue_with("mine.toml", MINIMAL).unwrap();
    assert!(catalogue.entry("mine").is_some() && catalogue.entry("gunicorn").is_some());
    assert_eq!(catalogue.overriding("mine"), None);
    let own = MINIMAL.replace("\"mine\"", "\"gunicorn\"");
    let catalogue = catalogue_with("gunicorn.toml", &own).unwrap();
    assert!(
        catalogue
            .overriding("gunicorn")
            .unwrap()
            .ends_with("gunicorn.toml")
    );
    assert_eq!(catalogue.entry("gunicorn").unwrap().title, "gunicorn");
    assert!(Catalogue::load(&[PathBuf::from("/no/such/folder")]).is_err());
}

#[test]
fn a_wrong_entry_is_named_with_its_line_or_key() {
    let cases = [
        ("colour = 1\n", "unknown field `colour`"),
        (
            "[knobs.size]\ntype = \"integer\"\ndefault = 1\nhelp = \"h\"\nsource = \"s\"\n",
            "knob `size`: an integer needs `min`, `max` and `unit`",
        ),
        (
            "[knobs.on]\ntype = \"boolean\"\ndefault = true\nhelp = \"h\"\nsource = \"s\"\n",
            "knob `on` is used in no template",
        ),
        (
            "env = { A = \"{{ knobs.off }}\" }\n",
            "env: there is no knob `off`",
        ),
        ("env = { A = \"{{ app.name\" }\n", "env: "),
        ("recycles = \"limit\"\n", "there is no knob `limit`"),
        ("address-in-use = \"(\"\n", "`address-in-use`"),
        (
            "files = [{ path = \"../x\", template = \"\" }]\n",
            "file `../x` must be a plain name",
        ),
        (
            "candidates = [{ name = \"r\", title = \"t\", rank = 1, knobs = { x = 1 } }]\n",
            "candidate `r`: knob `x`",
        ),
        (
            "candidates = [{ name = \"r\", title = \"t\", rank = 1, instances = 2 }]\n",
            "candidate `r`: `instances` is for app servers that are tried `behind`",
        ),
        (
            "candidates = [{ name = \"r\", title = \"t\", rank = 1, behind = true, instances = \"cores-1\" }]\n",
            "candidate `r`: `instances`: 0 is no count",
        ),
        (
            "check = \"argv\"\n",
            "`check = \"argv\"` needs an argument that depends on `checking`",
        ),
        ("check = \"start\"\n", "expected templates, or \"argv\""),
        ("rungs = []\n", "`rungs` is called `candidates` now"),
        (
            "speaks = { http1 = [\"tcp\"] }\n",
            "`speaks` is for front ends",
        ),
        (
            "typed = { program = \"mine\", options = { off = [\"-o\"] } }\n",
            "`typed`: there is no knob `off`",
        ),
    ];
    for (addition, expected) in cases {
        // Keys go before the tables; the minimal entry has none.
        let error = catalogue_with("mine.toml", &format!("{MINIMAL}{addition}"))
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("mine.toml`") && error.contains(expected),
            "{addition}: {error}"
        );
        assert!(!error.contains('\n'), "{error}");
    }
}

#[test]
fn an_entry_is_in_a_file_of_its_name() {
    let error = catalogue_with("other.toml", MINIMAL).unwrap_err();
    let error = error.to_string();
    let told = "the file must be called `mine.toml`";
    assert!(error.contains(told), "{error}");
}

#[test]
fn counters_say_how_they_are_asked_and_read() {
    let entry = |asked: &str, read: &str| {
        let each = format!("each = {{ a = {{ {read}, kind = \"total\", unit = \"x\" }} }}");
        catalogue_with(
            "mine.toml",
            &format!("{MINIMAL}counters = {{ {asked}, {each} }}\n"),
        )
    };
    let (get, pattern) = ("at = \"unix:x\", get = \"/\"", "pattern = \"a (1)\"");
    let run = "run = [\"ask\", { when = \"superuser\", argv = [\"{{ folder }}\"] }]";
    let letters = "pattern = \"a (1)\", letters = \"WK\"";
    let cell = "row = [\"b\"], column = \"c\"";
    for (asked, read) in [
        (get, pattern),
        (get, letters),
        (run, pattern),
        ("at = \"unix:x\", send = \"stat\"", cell),
    ] {
        entry(asked, read).unwrap();
    }
    let both = format!("{run}, {get}");
    let needs = "`counters` needs either `at` with `get` or `send`, or `run` alone";
    let cases = [
        (("at = \"unix:x\"", pattern), needs),
        (("get = \"/\"", pattern), needs),
        (("run = []", pattern), needs),
        ((&both, pattern), needs),
        (
            ("at = \"x\", get = \"/{{ knobs.off }}\"", pattern),
            "counters: there is no knob `off`",
        ),
        (
            ("run = [\"ask\", \"{{ knobs.off }}\"]", pattern),
            "counters: there is no knob `off`",
        ),
        (
            (get, "pattern = \"a 1\""),
            "counter `a`: `pattern` needs one group: the value",
        ),
        (
            (get, "row = [\"b\"]"),
            "counter `a`: it needs either `pattern`, or `row` and `column`",
        ),
        (
            (get, "row = [\"b\"], column = \"c\", letters = \"W\""),
            "counter `a`: `letters` are counted in what `pattern` finds",
        ),
        ((get, "patern = \"(1)\""), "unknown field `patern`"),
    ];
    for ((asked, read), expected) in cases {
        let error = entry(asked, read).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

const SERVICE: &str = r#"
name = "mine"
kind = "service"
title = "mine"
home = "none"
listens = { native = ["unix"] }
argv = ["serve", "{{ listen.path }}"]
gives = { url = "mine:{{ listen.path }}" }
stop = { signal = "TERM", grace = 1 }
find = { version = { argv = ["serve", "--version"], pattern = '(\d+)' } }
"#;

#[test]
fn a_service_is_nothing_else_and_nothing_else_is_a_service() {
    assert!(catalogue_with("mine.toml", SERVICE).is_ok());
    let http = SERVICE.replace("native", "http1");
    let gives = SERVICE.replace("gives = { url = \"mine:{{ listen.path }}\" }\n", "");
    let runs = format!("runs = [\"wsgi\"]\n{SERVICE}");
    let cases = [
        (http, "a service listens to `native`, and nothing else does"),
        (
            MINIMAL.replace("http1", "native"),
            "a service listens to `native`, and nothing else does",
        ),
        (gives, "a service needs `gives`"),
        (runs, "leave `runs` and `speaks` out"),
        (
            format!("ready = [\"true\"]\n{MINIMAL}"),
            "`ready` and `gives` are for services",
        ),
        (
            format!("prepare = [{{ argv = [\"{{{{ knobs.size }}}}\"] }}]\n{SERVICE}"),
            "prepare: there is no knob `size`",
        ),
    ];
    for (entry, expected) in cases {
        let error = catalogue_with("mine.toml", &entry).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn doctor_finds_what_is_there_and_says_how_to_install_the_rest() {
    let state = |catalogue: &Catalogue, name: &str, python: Option<&Path>| {
        let found = stack::probe(catalogue, python, |entry| entry.name == name);
        found
            .into_iter()
            .find(|found| found.entry == name)
            .unwrap()
            .state
    };
    let python = python();
    for name in ["gunicorn", "flask-dev", "nginx"] {
        assert!(
            matches!(
                state(built_in().catalogue(), name, Some(&python)),
                State::Version(_)
            ),
            "{name}"
        );
    }
    let elsewhere = Path::new("/usr/bin/false");
    let State::Missing { install, .. } = state(built_in().catalogue(), "gunicorn", Some(elsewhere))
    else {
        panic!("no gunicorn there")
    };
    assert_eq!(
        install.as_deref(),
        Some("/usr/bin/false -m pip install gunicorn")
    );
    let catalogue = catalogue_with(
        "mine.toml",
        &format!("{MINIMAL}install = {{ a = \"no-such-tool x\", b = \"sh install.sh\" }}\n"),
    )
    .unwrap();
    let State::Missing { why, install } = state(&catalogue, "mine", None) else {
        panic!("there is no `serve`")
    };
    assert!(why.contains("serve --version"), "{why}");
    assert_eq!(install.as_deref(), Some("sh install.sh"));
}

/// One interface for which all is here is enough.
#[test]
fn an_app_server_may_lack_what_it_needs_besides_itself() {
    let needs = |interface: &str, check: &str| {
        format!(
            "[[needs]]\nwhat = \"it\"\nwhen = \"app.interface == '{interface}'\"\ncheck = [\"{check}\"]\n\
             install = \"install it for {interface}\"\n"
        )
    };
    let both = MINIMAL.replace("[\"wsgi\"]", "[\"wsgi\", \"rack\"]");
    let machine = |rack: &str| {
        let entry = [both.clone(), needs("wsgi", "false"), needs("rack", rack)].concat();
        machine(catalogue_with("mine.toml", &entry))
    };
    let install = |lacking: Option<StackError>| match lacking {
        Some(StackError::Missing { install, .. }) => install,
        _ => None,
    };
    let demo = wsgi(HELLO);
    let (half, none) = (machine("true"), machine("false"));
    for machine in [&half, &none] {
        let lacking = stack::lacking_for("mine", &demo.app, machine);
        assert_eq!(install(lacking).as_deref(), Some("install it for wsgi"));
    }
    let any = |machine| install(stack::lacking_for_any("mine", Some(&python()), machine));
    assert_eq!(any(&half), None);
    assert_eq!(any(&none).as_deref(), Some("install it for wsgi"));
    assert!(stack::lacking_for("gunicorn", &demo.app, &built_in()).is_none());
}

#[test]
fn candidates_fit_the_apps_they_are_for() {
    let demo = wsgi(HELLO);
    let machine = built_in();
    let catalogue = machine.catalogue();
    let mut composed = 0;
    for entry in catalogue.entries().filter(|of| of.can_load(&demo.app)) {
        for candidate in entry.candidates.iter().filter(|candidate| {
            candidate.interfaces.is_empty() || candidate.interfaces.contains(&demo.app.interface)
        }) {
            let server = Choice::of(&entry.name).with(candidate.knobs.clone());
            let variant = variant(Some(server), None, "tcp");
            machine.compose(&variant, &demo.app).unwrap();
            composed += 1;
        }
    }
    assert!(composed >= 10, "{composed} ways to serve a WSGI app");
    assert!(
        !catalogue.entry("flask-dev").unwrap().can_load(&demo.app),
        "it is no flask app"
    );
    assert!(!catalogue.entry("nginx").unwrap().can_load(&demo.app));
}
