//! Databases and caches beside the app: started before it, gone with it, and told of when they fail.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::support::{PATIENCE, Place, repository};
use rustix::process::{Pid, Signal, kill_process};

/// An app that says what it was told of its database, and what was made for it.
const TOLD: &str = "
import os
def app(environ, start):
    start('200 OK', [('Content-Type', 'text/plain')])
    told = [os.environ[name] for name in ('STORE', 'VARIANT')]
    return ['\\n'.join([*told, open(os.environ['MADE']).read().splitlines()[-1]]).encode()]
";

/// It uses a `database`, for which it makes a file before each start.
fn place() -> Place {
    let place = Place::new();
    place.app(TOLD);
    let made = place.path("made").display().to_string();
    place.write(
        "app/app.toml",
        &format!(
            "name = \"mine\"\ninterface = \"wsgi\"\nentry = \"mine:app\"\n\
             env = {{ MADE = \"{made}\", VARIANT = \"plain\" }}\n\
             [[routes]]\npath = \"/\"\nstatus = 200\n\
             contains = [\"database\", \"ran with \"]\ndynamic = [\".+\"]\n\
             [services.database]\nenv = {{ STORE = \"database at {{{{ url }}}}\" }}\n\
             prepare = [[\"sh\", \"-c\", \"echo ran with $STORE >> $MADE\"]]\n"
        ),
    );
    place
}

fn variant(services: &str) -> String {
    format!("[[variant]]\nname = \"one\"\nserver = \"gunicorn\"\nservices = {services}\n")
}

#[test]
fn the_app_is_told_of_its_database_which_is_gone_with_the_trial() {
    let place = place();
    for (entry, address) in [
        ("postgresql", "postgresql://weir@/weir?host=/"),
        ("mariadb", "mysql://weir@localhost/weir?unix_socket=/"),
        ("memcached", "memcached:///"),
        ("redis", "unix:///"),
    ] {
        place.plan(&variant(&format!("{{ database = \"{entry}\" }}")));
        place.run(&["run", "plan.toml"]).measured();
        let made = std::fs::read_to_string(place.path("made")).unwrap();
        std::fs::remove_file(place.path("made")).unwrap();
        let begins = format!("ran with database at {address}");
        // once for the reference, once for each trial, of which the machine may have spoilt some
        let trials = place.exported("last")["trials"].as_array().unwrap().len();
        assert_eq!(made.lines().count(), 1 + trials, "{made}");
        assert!(made.lines().all(|line| line.starts_with(&begins)), "{made}");
        assert_eq!(
            folders(&made).len(),
            1 + trials,
            "each start has a folder of its own: {made}"
        );
        place.assert_clean();
    }
    let exported = place.exported("1");
    let measured = &exported["trials"][0]["outcome"]["measured"];
    let servers = measured["stack"]["servers"].as_array().unwrap();
    let named: Vec<_> = servers.iter().map(|server| &server["entry"]).collect();
    assert_eq!(named, ["gunicorn", "postgresql"]);
    assert_eq!(servers[1]["service"], "database");
    assert!(
        servers[1]["version"]
            .as_str()
            .unwrap()
            .starts_with(char::is_numeric)
    );
    let costs = measured["processes"].as_array().unwrap();
    assert!(
        costs.iter().any(|cost| cost["owner"] == "postgresql"),
        "{costs:?}"
    );
}

/// The run's folder in each line.
fn folders(made: &str) -> BTreeSet<PathBuf> {
    let folder = |line: &str| line.split("weir-").nth(1).map(PathBuf::from);
    made.lines().filter_map(folder).collect()
}

#[test]
fn a_variant_varies_by_its_service_and_by_the_apps_environment() {
    let place = place();
    let file = place.plan(
        "[[variant]]\nname = \"one\"\nserver = \"gunicorn\"\nvary = {
         \"services.database\" = [\"memcached\", { level = \"small\", entry = \"memcached\", memory-limit = 8 }],
         \"env.VARIANT\" = [\"plain\", \"other\"] }\n",
    );
    let print = |variant: &str| {
        let file = file.display().to_string();
        let said = place.run(&["stack", variant, "--plan", &file, "--print"]);
        said.succeeds();
        said.out
    };
    let plain = print("one@database=memcached,VARIANT=plain");
    assert!(
        plain.contains("VARIANT=plain") && plain.contains("-m 64"),
        "{plain}"
    );
    assert!(
        plain.contains("memcached 1") && plain.contains("(`database` of the app)"),
        "{plain}"
    );
    assert!(plain.contains("STORE=database at memcached:///"), "{plain}");
    let other = print("one@database=small,VARIANT=other");
    assert!(
        other.contains("VARIANT=other") && other.contains("-m 8 "),
        "{other}"
    );
    assert!(other.contains("before"), "{other}");
}

#[test]
fn a_service_over_tcp_has_a_port_of_its_own() {
    let place = place();
    place.plan(&variant(
        "{ database = { entry = \"redis\", link = \"tcp\" } }",
    ));
    place.run(&["run", "plan.toml"]).measured();
    let made = std::fs::read_to_string(place.path("made")).unwrap();
    assert!(made.contains("redis://127.0.0.1:"), "{made}");
    place.assert_clean();
}

#[test]
fn what_cannot_be_is_said_with_a_next_step() {
    let place = place();
    let refused = |services: &str, words: &[&str]| {
        place.plan(&variant(services));
        place.run(&["run", "plan.toml"]).fails(5, words);
    };
    refused(
        "{ databse = \"redis\" }",
        &[
            "the app `mine` uses no service `databse`",
            "did you mean `database`?",
        ],
    );
    refused(
        "{ database = \"reddis\" }",
        &["unknown service `reddis`", "`redis`"],
    );
    refused(
        "{ database = \"nginx\" }",
        &["unknown service `nginx`", "known front end"],
    );
    refused(
        "{ database = { entry = \"redis\", link = \"http\" } }",
        &["listens to its own protocol (unix, tcp)", "asks for `http`"],
    );
    refused(
        "{ database = { entry = \"redis\", maxmemorry = 1 } }",
        &["`maxmemorry`", "`maxmemory`"],
    );
    place.assert_clean();
}

#[test]
fn an_app_that_wants_to_know_too_much_is_told_what_there_is() {
    let place = place();
    let app = std::fs::read_to_string(place.path("app/app.toml")).unwrap();
    place.write("app/app.toml", &app.replace("{{ url }}", "{{ password }}"));
    place.plan(&variant("{ database = \"redis\" }"));
    let words = [
        "`services.database.env.STORE`",
        "`redis` gives: host, port, socket, url",
    ];
    place.run(&["run", "plan.toml"]).fails(5, &words);
    place.assert_clean();
}

#[test]
fn a_preparation_that_fails_ends_the_start_in_its_own_words() {
    let place = place();
    let app = std::fs::read_to_string(place.path("app/app.toml")).unwrap();
    let fails = app.replace(
        "echo ran with $STORE >> $MADE",
        "echo no such table; exit 3",
    );
    place.write("app/app.toml", &fails);
    place.plan(&variant("{ database = \"memcached\" }"));
    let words = [
        "`gunicorn` cannot be started",
        "ended with code 3",
        "no such table",
    ];
    place.run(&["run", "plan.toml"]).fails(7, &words);
    place.assert_clean();
}

/// Processes of the place whose command line has this in it.
fn pids(place: &Place, words: &str) -> Vec<Pid> {
    let processes = place.processes();
    let its = processes.iter().filter(|line| line.contains(words));
    its.filter_map(|line| Pid::from_raw(line.split(' ').nth(1)?.parse().ok()?))
        .collect()
}

const LONG: &str = "load = { seconds = 60 }\n";

/// weir, once it has stored nothing yet and this service serves under load.
fn under_load(place: &Place, entry: &str) -> std::process::Child {
    place.plan(&(variant(&format!("{{ database = \"{entry}\" }}")) + LONG));
    let weir = place.weir(&["run", "plan.toml"]);
    let weir = { weir }
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    // the second start is the trial
    let served = || {
        let made = std::fs::read_to_string(place.path("made")).unwrap_or_default();
        made.lines().count() == 2
            && place
                .processes()
                .iter()
                .any(|line| line.contains("mine:app"))
    };
    assert!(
        testkit::eventually(PATIENCE, served),
        "{:#?}",
        place.processes()
    );
    weir
}

fn ends(mut weir: std::process::Child) -> (Option<i32>, String) {
    let mut said = String::new();
    std::io::Read::read_to_string(weir.stderr.as_mut().unwrap(), &mut said).unwrap();
    (weir.wait().unwrap().code(), said)
}

#[test]
fn a_database_that_dies_under_load_ends_the_trial() {
    let place = place();
    let weir = under_load(&place, "postgresql");
    let main = pids(&place, "config_file=");
    assert_eq!(main.len(), 1, "{:#?}", place.processes());
    kill_process(main[0], Signal::KILL).unwrap();
    let (code, said) = ends(weir);
    assert_eq!(code, Some(7), "{said}");
    let words = "`postgresql` was ended by signal 9 while it should have served";
    assert!(said.contains(words), "{said}");
    place.assert_clean();
}

#[test]
fn ctrl_c_and_kill_9_leave_nothing_of_a_database() {
    for (entry, signal, code) in [
        ("mariadb", Signal::INT, Some(130)),
        ("postgresql", Signal::KILL, None),
    ] {
        let place = place();
        let weir = under_load(&place, entry);
        kill_process(Pid::from_child(&weir), signal).unwrap();
        let (ended, said) = ends(weir);
        assert_eq!(ended, code, "{said}");
        place.assert_clean();
    }
}

/// A service is asked whether it serves in the way that its entry says; one that never does has words, too.
#[test]
fn a_service_that_never_serves_is_waited_for_and_no_longer() {
    let place = place();
    let file = repository().join("catalogue/services/redis.toml");
    let entry = std::fs::read_to_string(file).unwrap();
    let never = entry.replace(
        "\"redis-cli\",",
        "\"sh\", \"-c\", \"echo not today; exit 1\",",
    );
    assert_ne!(entry, never);
    place.write("mine/services/redis.toml", &never);
    place.plan(&variant("{ database = \"redis\" }"));
    let mine = place.path("mine").display().to_string();
    let said = place.run(&[
        "--catalogue",
        &mine,
        "run",
        "plan.toml",
        "--ready-timeout",
        "5s",
    ]);
    said.fails(7, &["`redis` was not ready after 5 s", "not today"]);
    place.assert_clean();
}
