//! Apps and machines that fail once something runs: one clear error each, with the last lines of the
//! log that explains it, and nothing left behind.

use crate::support::through::mounted;
use crate::support::{Place, REQUESTS, Said, said, standing};

const VARIANT: &str = "[[variant]]\nname = \"one\"\nserver = \"gunicorn\"\n";

/// A WSGI app that answers with these lines in its body.
fn app(body: &str) -> String {
    format!("import os, time, signal\ndef app(environ, start):\n{body}\n")
}

/// With time enough for a server to start on a busy machine.
fn runs_into(source: &str, code: i32, words: &[&str]) -> (Place, Said) {
    within("2m", source, code, words)
}

fn within(ready: &str, source: &str, code: i32, words: &[&str]) -> (Place, Said) {
    let place = Place::new();
    place.app(source);
    place.plan(VARIANT);
    let said = place.run(&["run", "plan.toml", "--ready-timeout", ready]);
    said.fails(code, words);
    place.assert_clean();
    (place, said)
}

#[test]
fn an_app_that_does_not_import() {
    runs_into(
        "import no_such_module_here\n",
        7,
        &["variant `one`", "gunicorn", "no_such_module_here"],
    );
}

#[test]
fn an_app_without_its_callable() {
    runs_into("other = 1\n", 7, &["variant `one`", "gunicorn", "app"]);
}

#[test]
fn an_app_that_always_answers_500() {
    let source = app("    start('500 Oops', [])\n    return [b'oops']");
    runs_into(&source, 8, &["variant `one`", "status 500", "expected 200"]);
}

#[test]
fn an_app_that_raises() {
    let source = app("    raise RuntimeError('the cupboard is bare')");
    runs_into(
        &source,
        8,
        &["variant `one`", "status 500", "the cupboard is bare"],
    );
}

#[test]
fn an_app_that_never_becomes_ready() {
    let source = "import time\nwhile True: time.sleep(1)\n";
    within("3s", source, 7, &["variant `one`", "not ready after 3 s"]);
}

#[test]
fn an_app_that_crashes_after_start() {
    // the worker ends its master: after readiness and before the load is over
    let source = "import os, signal\nmaster, count = os.getppid(), 0\ndef app(environ, start):\n    global count\n    \
                  count += 1\n    if count == 8: os.kill(master, signal.SIGKILL)\n    start('200 OK', [])\n    return [b'hi']\n";
    let (place, _) = runs_into(source, 7, &["variant `one`", "gunicorn", "signal 9"]);
    let export = place.exported("1");
    assert_eq!(export["run"]["status"], "stopped");
    assert!(
        export["trials"][0]["outcome"]["failed"]["error"]
            .as_str()
            .unwrap()
            .contains("signal 9"),
        "{export:#}"
    );
}

#[test]
fn a_failure_that_was_mended_is_tried_again_on_resume() {
    let place = Place::new();
    place.app("import no_such_module_here\n");
    place.plan(VARIANT);
    place
        .run(&["run", "plan.toml"])
        .fails(7, &["no_such_module_here"]);
    place.app(&app("    start('200 OK', [])\n    return [b'mended']"));
    place.run(&["run", "--resume", "1"]);
    let export = place.exported("1");
    assert_eq!(export["run"]["status"], "finished");
    let trials = standing(&export);
    let measured = &trials[0]["outcome"]["measured"];
    assert_eq!(measured["load"]["completed"], REQUESTS, "{export:#}");
    assert_eq!(trials.len(), 1);
}

#[test]
fn a_front_end_that_changes_the_answers() {
    let place = Place::new();
    place.app(
        "def app(environ, start):\n    start('200 OK', [('Content-Type', 'text/plain')])\n    \
               return [environ.get('HTTP_X_FORWARDED_FOR', 'direct').split(',')[0].encode()]\n",
    );
    place.plan(&format!(
        "{VARIANT}[[variant]]\nname = \"two\"\nserver = \"gunicorn\"\nfront = \"nginx\"\n"
    ));
    place.run(&["run", "plan.toml"]).fails(
        8,
        &["variant `two`", "GET /", "gets a wrong response", "dynamic"],
    );
    place.assert_clean();
}

#[test]
fn a_server_that_is_not_installed() {
    let place = Place::new();
    place.app("def app(environ, start): pass\n");
    let entry = std::fs::read_to_string(
        crate::support::repository().join("catalogue/front-ends/nginx.toml"),
    )
    .unwrap();
    assert!(entry.contains("program = \"nginx\""));
    place.write(
        "own/front-ends/nginx.toml",
        &entry.replace("program = \"nginx\"", "program = \"nginx-that-nobody-has\""),
    );
    place.plan("[[variant]]\nname = \"one\"\nserver = \"gunicorn\"\nfront = \"nginx\"\n");
    let said = place.run(&["run", "plan.toml", "--catalogue", "own"]);
    said.fails(6, &["variant `one`", "nginx", "missing", "apt-get install"]);
    let doctor = place.run(&["doctor", "--catalogue", "own"]);
    assert!(
        doctor.succeeds().out.contains("apt-get install"),
        "{}",
        doctor.out
    );
    place.assert_clean();
}

#[test]
fn a_python_that_is_not_there() {
    let place = Place::new();
    place.app("def app(environ, start): pass\n");
    place.plan(VARIANT);
    place
        .run(&["run", "plan.toml", "--python", "/no/such/python"])
        .fails(6, &["/no/such/python", "--python"]);
}

#[test]
fn an_app_to_try_that_does_not_import() {
    let place = Place::new();
    place.write("mine.py", "import no_such_module_here\n");
    place
        .run(&["try", "mine:app"])
        .fails(5, &["mine:app", "no_such_module_here"]);
    place
        .run(&["try", "nowhere:app"])
        .fails(5, &["nowhere:app"]);
    place.assert_clean();
}

#[test]
fn a_full_disk_under_the_store() {
    let place = Place::new();
    let body = "x".repeat(200);
    place.app(&app(&format!(
        "    start('200 OK', [])\n    return [b'{body}']"
    )));
    place.plan(&format!("{VARIANT}[[claim]]\nid = \"X\"\ntext = \"t\"\nreported = \"r\"\nexpect = [\"throughput of `one` > 1\"]\n"));
    std::fs::create_dir(place.path("disk")).unwrap();
    // a disk of 200 KiB that nothing of stays
    let disk = "mount -t tmpfs -o size=200k none disk";
    let to_it = [
        "run",
        "plan.toml",
        "--store",
        "disk/weir.db",
        "--blocks",
        "500",
    ];
    said(mounted(&place, disk, &to_it)).fails(11, &["disk/weir.db", "no space left", "--store"]);
    place.assert_clean();
}

#[test]
fn what_an_app_logs_of_its_failures_stands_beside_the_doubt() {
    let place = Place::new();
    place.app(
        "import sqlite3\ncount = 0\ndef app(environ, start):\n    global count\n    count += 1\n    \
         if count > 9 and count % 2: raise sqlite3.OperationalError('database is locked')\n    \
         start('200 OK', [])\n    return [b'hi']\n",
    );
    place.plan(VARIANT);
    let said = place.run(&["run", "plan.toml", "--ready-timeout", "2m"]);
    said.measured();
    let text = said.out.split_whitespace().collect::<Vec<_>>().join(" ");
    let logged = "`gunicorn` logged `sqlite3.OperationalError: database is locked`";
    assert!(text.contains(logged), "{}", said.out);
    place.assert_clean();
}
