//! What is handed over and is no file, has no end, or asks for more than there can be: refused by name at once.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{APP, Place};
use testkit::Nginx;

const VARIANT: &str = "[[variant]]\nname = \"one\"\nserver = \"gunicorn\"\n";

/// A named pipe that nobody writes to: whoever opens it waits.
fn pipe(place: &Place, name: &str) -> PathBuf {
    let path = place.path(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    assert!(
        Command::new("mkfifo")
            .arg(&path)
            .status()
            .unwrap()
            .success()
    );
    path
}

#[test]
fn devices_and_pipes_are_no_files() {
    let place = Place::new();
    place.app(APP);
    pipe(&place, "pipe");
    pipe(&place, "piped/app.toml");
    place.write("piped.toml", &format!("app = \"piped\"\n{VARIANT}"));
    let url = "http://127.0.0.1:9/";
    for (args, code) in [
        (&["run", "/dev/zero"][..], 5),
        (&["run", "pipe"], 5),
        (&["run", "piped.toml"], 5),
        (&["bench", url, "-n", "1", "--script", "/dev/zero"], 5),
        (&["bench", url, "-n", "1", "--script", "pipe"], 5),
        (&["bench", url, "-n", "1", "--replay", "/dev/zero"], 5),
        (&["bench", url, "-n", "1", "--replay", "pipe"], 5),
        (&["bench", url, "-n", "1", "--mix", "/dev/zero"], 5),
        (&["bench", url, "-n", "1", "--mix", "pipe"], 5),
        (&["bench", url, "-n", "1", "--body-file", "/dev/zero"], 2),
        (&["bench", url, "-n", "1", "--equals", "pipe"], 2),
        (
            &["ab", "-n", "1", "-p", "/dev/zero", "-T", "text/plain", url],
            22, // what ab ends with for a file that it cannot read
        ),
    ] {
        let said = place.run(args);
        assert!(
            said.err.contains("not a regular file"),
            "{args:?}: {}",
            said.err
        );
        assert!(said.err.contains("hint: "), "{args:?}: {}", said.err);
        assert_eq!(said.code, code, "{args:?}: {}", said.err);
    }
    place.assert_clean();
}

#[test]
fn a_pipe_in_a_catalogue_folder() {
    let place = Place::new();
    pipe(&place, "entries/pipe.toml");
    let said = place.run(&["catalogue", "list", "--catalogue", "entries"]);
    assert!(said.err.contains("not a regular file"), "{}", said.err);
    assert_ne!(said.code, 0);
}

fn refused(plan: &str, words: &[&str]) {
    let place = Place::new();
    place.app(APP);
    place.write("plan.toml", plan);
    place.run(&["run", "plan.toml"]).fails(5, words);
    place.assert_clean();
    assert!(!Path::new(&place.path("tmp/weir")).exists());
}

#[test]
fn plans_of_counts_and_times_beyond_any_use() {
    let plan = |head: &str, load: &str| format!("app = \"app\"\n{head}\n[load]\n{load}\n{VARIANT}");
    refused(
        &plan("blocks = 4294967295", ""),
        &["`blocks`", "at most 1000"],
    );
    refused(
        &plan("", "connections = 4294967295"),
        &["connections", "1,000,000"],
    );
    refused(
        &plan("", "seconds = 1e308"),
        &["seconds", "at most 86,400 seconds"],
    );
    // before its stack is up, which would take its time
    refused(
        &plan("", "seconds = 100000\ntimeout = 7200"),
        &["seconds", "at most 86,400 seconds", "write `seconds = 10`"],
    );
    refused(
        &plan("", "timeout = 7200"),
        &["timeout", "at most 3,600 seconds", "write `timeout = 30`"],
    );
    let variant = VARIANT.replace(
        "\"gunicorn\"",
        "{ entry = \"gunicorn\", instances = 4294967295 }",
    );
    refused(
        &format!("app = \"app\"\n{variant}"),
        &["instances", "at most 256"],
    );
}

#[test]
fn plans_of_expressions_without_end() {
    let nots = "not ".repeat(50_000);
    refused(
        &format!(
            "app = \"app\"\n{VARIANT}vary.\"server.workers\" = [1, 2]\nwhere = \"{nots}true\"\n"
        ),
        &["1024 are the most"],
    );
    let minus = "-".repeat(100_000);
    let variant = VARIANT.replace(
        "\"gunicorn\"",
        &format!("{{ entry = \"gunicorn\", workers = \"{minus}1\" }}"),
    );
    refused(&format!("app = \"app\"\n{variant}"), &["1024 are the most"]);
}

#[test]
fn loads_of_counts_beyond_any_machine() {
    let place = Place::new();
    let url = "http://127.0.0.1:9/";
    let script = place.write("script.lua", "");
    let script = script.to_str().unwrap();
    for args in [
        &["bench", url, "-n", "1", "-c", "4294967295"][..],
        &["bench", url, "-n", "1", "-t", "4294967295"],
        &["bench", url, "-n", "1", "--idle", "4294967295"],
        &[
            "bench",
            url,
            "-n",
            "1",
            "-c",
            "100000",
            "--pipeline",
            "1000",
        ],
        &["bench", url, "-d", "1e308s"],
        &[
            "wrk",
            "-c",
            "4294967295",
            "-t",
            "4294967295",
            "-d",
            "1s",
            "-s",
            script,
            url,
        ],
        &["ab", "-n", "4294967295", "-c", "4294967295", url],
    ] {
        let said = place.run(args);
        assert_ne!(said.code, 0, "{args:?}: {}", said.err);
        // and not that nothing listens there: nothing was asked
        let named = ["1,000,000", "1..=1000000", "0 and 1,024", "give a duration"];
        let named = named.iter().any(|words| said.err.contains(words));
        assert!(named, "{args:?}: {}", said.err);
    }
}

#[test]
fn a_script_that_ends_the_process_in_done_loses_no_result() {
    let nginx = Nginx::start("location / { return 200 'it is ok'; }");
    let place = Place::new();
    let script = place.write("script.lua", "function done() os.exit(0) end");
    let url = format!("http://{}/", nginx.address());
    let script = script.to_str().unwrap();
    let said = place.run(&["bench", &url, "-c", "2", "-n", "50", "--script", script]);
    let result = "50 scheduled = 50 completed";
    assert!(
        said.out.contains(result),
        "the result is told: {}",
        said.out
    );
    assert!(
        said.err.contains("os.exit()") && said.err.contains("hint: "),
        "{}",
        said.err
    );
    assert_ne!(said.code, 0);
}

#[test]
fn a_script_that_never_comes_back_is_ended() {
    let nginx = Nginx::start("location / { return 200 'it is ok'; }");
    let place = Place::new();
    let url = format!("http://{}/", nginx.address());
    let text = "n = 0\nfunction request() n = n + 1 while n > 20 do end return wrk.format() end";
    let script = place.write("script.lua", text);
    let script = script.to_str().unwrap();
    let args = [
        "bench", &url, "-c", "2", "-t", "1", "-n", "1000", "--script", script,
    ];
    let said = place.run(&args);
    let all = said.out + &said.err;
    assert!(all.contains("has not come back after"), "{all}");
}
