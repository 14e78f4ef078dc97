//! What a run says to deploy, and the files that do it.

use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, TcpStream};
use std::path::Path;

use crate::support::started::Started;
use crate::support::{Place, Said, machine_is_doubted, two_free_ports, wait_until};
use serde_json::Value;

/// Waits for a while before it answers: two workers do surely more than one.
const APP: &str = "import time\ndef app(environ, start):\n    time.sleep(0.002)\n    \
                   start('200 OK', [('Content-Type', 'text/plain')])\n    \
                   return [b'hello ' + environ['HTTP_HOST'].encode()]\n";

/// A run of two variants, often enough for intervals.
fn tried(place: &Place, variants: &str, more: &[&str]) -> Said {
    place.write("app.py", APP);
    let small = [
        "try",
        "-n",
        "200",
        "-c",
        "4",
        "--variants",
        variants,
        "-H",
        "Host: shop",
    ];
    place.run(&[&small[..], more].concat())
}

fn get(port: u16) -> Option<String> {
    let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).ok()?;
    let request = "GET / HTTP/1.0\r\nHost: shop\r\n\r\n";
    stream.write_all(request.as_bytes()).ok()?;
    let mut text = String::new();
    stream.read_to_string(&mut text).ok()?;
    text.contains("200 OK").then_some(text)
}

#[test]
fn what_is_written_starts_as_it_is_and_repeats_the_trial() {
    let place = Place::new();
    tried(
        &place,
        "gunicorn-1,nginx+gunicorn-cores",
        &["--keep-alive=true"],
    )
    .fails_with(2);
    tried(&place, "gunicorn-1,nginx+gunicorn-cores", &["--quick"]).measured();
    let (port, folder) = (two_free_ports(), place.path("deploy"));
    let (at, of) = (port.to_string(), "last:nginx+gunicorn-cores");
    let full = place.run(&["write", of, "deploy", "--port", "65535"]);
    full.fails(2, &["no port for each of 2 programs", "from 1 to 65534"]);
    assert!(!folder.exists());
    let said = place.run(&["write", of, "deploy", "--port", &at]);
    let files = &said.succeeds().out;
    for file in [
        "start.sh",
        "README.md",
        "systemd.unit",
        "app.toml",
        "plan.toml",
        "nginx/nginx.conf",
        "nginx/nginx.conf.template",
    ] {
        assert!(
            files.contains(&format!("deploy/{file}\n")),
            "{file}: {files}"
        );
        assert!(folder.join(file).is_file(), "{file}");
    }
    explains(&folder, port);
    let server = Started::script(&folder.join("start.sh"), &[]);
    wait_until("the script serves", || {
        get(port).is_some_and(|said| said.ends_with("hello shop"))
    });
    server.terminate();
    assert_eq!(server.ended().0, Some(143));
    wait_until("its programs have gone", || {
        get(port).is_none() && get(port + 1).is_none()
    });
    let again = place.run(&["run", "deploy/plan.toml", "--quick", "--json"]);
    let document = again.measured().json();
    let variants = document["run"]["plan"]["variants"].as_array().unwrap();
    assert_eq!(variants[1]["name"], "nginx+gunicorn-cores");
    assert_eq!(variants[1]["fronts"][0]["entry"], "nginx");
    place.assert_clean();
}

/// What is written for people and for systemd.
fn explains(folder: &Path, port: u16) {
    let read = |file: &str| std::fs::read_to_string(folder.join(file)).unwrap();
    let (readme, unit) = (read("README.md"), read("systemd.unit"));
    let script = folder.canonicalize().unwrap().join("start.sh");
    let script = script.display();
    for words in [
        format!("HOST=0.0.0.0 PORT=8080 {script}"),
        format!("--header 'Host: shop' http://127.0.0.1:{port}/\n"),
        "It prints 200 when everything serves".to_owned(),
        "sudo systemctl restart ".to_owned(),
        format!("listen at PORT+1 of this machine alone, where PORT is {port} unless"),
        "| 75 | something is in its way".to_owned(),
        "`nginx/nginx.conf.template`: change this one".to_owned(),
    ] {
        assert!(readme.contains(&words), "{words}: {readme}");
    }
    let user = rustix::process::geteuid();
    let user_is_root = user.is_root();
    let user = if user_is_root {
        "NAME-IT".to_owned()
    } else {
        user.as_raw().to_string()
    };
    for line in [
        format!("ExecStart={script}"),
        format!("User={user}"),
        format!("Environment=HOST=127.0.0.1 PORT={port}"),
        "Restart=always".to_owned(),
        "Type=exec".to_owned(),
        "RestartPreventExitStatus=78 217".to_owned(),
        "TimeoutStopSec=70".to_owned(),
        "SuccessExitStatus=143".to_owned(),
    ] {
        assert!(unit.lines().any(|of| of == line), "{line}: {unit}");
    }
    // another user finds the system's programs, and is sent to none of root's folders
    let path = unit
        .lines()
        .find_map(|of| of.strip_prefix("Environment=\"PATH="));
    let path = path.unwrap();
    assert!(path.ends_with("/usr/sbin:/usr/bin:/sbin:/bin\""), "{path}");
    let of_root = path.split(':').any(|folder| folder.starts_with("/root"));
    assert!(!user_is_root || !of_root, "{path}");
    let template = read("nginx/nginx.conf.template");
    assert!(template.contains("listen @HOST@:@PORT@ "), "{template}");
    assert!(template.contains("server 127.0.0.1:@PORT1@"), "{template}");
    let made = read("nginx/nginx.conf");
    let behind = format!("server 127.0.0.1:{}", port + 1);
    assert!(made.contains(&behind), "{made}");
}

#[test]
fn the_end_says_what_to_run_and_what_it_changes() {
    let place = Place::new();
    let said = tried(
        &place,
        "gunicorn-1,gunicorn-cores,uvicorn-1",
        &["--no-stress", "--write", "deploy"],
    );
    let unfit = "`uvicorn-1` cannot serve this app: `uvicorn` is not for apps of its kind";
    said.fails(2, &[unfit, "choose of "]);
    assert!(!place.path("deploy").exists());
    let said = tried(
        &place,
        "gunicorn-1,gunicorn-cores",
        &["--no-stress", "--write", "deploy"],
    );
    let text = &said.measured().out;
    for words in [
        "`workers` 1 → ",
        "gunicorn-1 → gunicorn-cores",
        "\nRun `gunicorn-",
        "-m gunicorn --config DIR/",
    ] {
        assert!(text.contains(words), "`{words}`: {text}");
    }
    assert!(text.ends_with("deploy  deploy/start.sh\n"), "{text}");
    let readme = std::fs::read_to_string(place.path("deploy/README.md")).unwrap();
    let shown = place.run(&["--json", "show", "last"]).succeeds().json();
    let decision = &shown["judged"]["decision"];
    let is_over = decision["over"] == "gunicorn-1" || observe::cores() < 2;
    assert!(is_over || machine_is_doubted(&shown), "{decision:#}");
    weighs(text, &readme, decision);
    assert!(
        text.contains(&format!("Run {}", decision["variant"]).replace('"', "`")),
        "{decision}"
    );
    assert_eq!(shown["to_run"][0]["entry"], "gunicorn");
    // what is not tried was said before the run, and whoever looks at it later is told
    let untried = shown["run"]["plan"]["not_tried"].as_array();
    let untried = untried.is_some_and(|of| !of.is_empty());
    assert!(!text.contains("\n  not tried "), "{text}");
    let later = &place.run(&["show", "last"]).out;
    assert_eq!(later.contains("\n  not tried "), untried, "{later}");
    let listed = place.run(&["list", "--json"]).succeeds().json();
    // of one that alone could be measured, as beside busy neighbours, nothing is said
    let best = listed[0]["best"].as_str();
    assert_eq!(best.is_none(), decision["alone"] == true, "{listed:#}");
    if let Some(best) = best {
        let mut ways = best.split(" or ");
        assert_eq!(ways.next(), decision["variant"].as_str(), "{best}");
        assert!(place.run(&["list"]).out.contains(best));
    }
    let taken = place.run(&["write", "last", "deploy"]);
    taken.fails(2, &["`deploy` is not an empty folder", "name a new folder"]);
    // a shell would run what is in it
    for odd in ["x'$(touch pwned)'", "my shop"] {
        let refused = place.run(&["write", "last", odd]);
        refused.fails(2, &["has letters in its path", "name a folder whose"]);
        assert!(!place.path(odd).exists());
    }
    place.assert_clean();
}

/// What the variant brings and costs is told where there is another one to weigh it against, and else why it is the variant;
/// the files say the same.
fn weighs(text: &str, readme: &str, decision: &Value) {
    let rows = |what: &str| -> Vec<String> {
        let row = format!("  {what:<9} ");
        let told = text.lines().filter_map(|of| of.strip_prefix(&row));
        let told: Vec<_> = told.map(str::to_owned).collect();
        for words in &told {
            let said = format!("{what}: {words}");
            assert!(readme.contains(&said), "{said}: {readme}");
        }
        told
    };
    let over = decision["over"].as_str();
    for (what, none) in [
        ("brings", "nothing is surely better than "),
        ("costs", "nothing is surely worse than "),
    ] {
        let told = rows(what);
        assert_eq!(told.len(), usize::from(over.is_some()), "{what}: {text}");
        let all = decision[what].as_array().unwrap();
        let is_none = told.iter().any(|words| words.starts_with(none));
        assert_eq!(is_none, over.is_some() && all.is_empty(), "{decision:#}");
    }
    let reasons = rows("because");
    assert!(over.is_some() || !reasons.is_empty(), "{text}");
}

#[test]
fn an_app_with_a_dockerfile_is_told_the_line_for_it() {
    let place = Place::new();
    place.write(
        "Dockerfile",
        "FROM python:3\nCOPY . .\nCMD [\"gunicorn\", \"app:app\"]\n",
    );
    tried(&place, "gunicorn-1,gevent", &["--quick"]).measured();
    // its address, and what it runs, stand in a program of its own
    let said = place.run(&["write", "last:gevent", "other"]);
    assert!(!said.succeeds().err.contains("CMD"), "{}", said.err);
    let said = place.run(&["write", "last:gunicorn-1", "deploy"]);
    said.succeeds();
    let mut lines = said.err.lines();
    let line = lines.find_map(|of| of.strip_prefix("for your Dockerfile: "));
    let line = line.unwrap();
    let words = "\"-m\",\"gunicorn\",\"--bind\",\"0.0.0.0:8000\",\"--workers\",\"1\"";
    assert!(
        line.starts_with("CMD [\"python") && line.contains(words),
        "{line}"
    );
    assert!(!line.contains("--config"), "it is in no container: {line}");
    let readme = std::fs::read_to_string(place.path("deploy/README.md")).unwrap();
    for words in [
        line,
        "a path of this machine: `--config`",
        "`gunicorn/gunicorn.conf.py`",
        "environment is not in that line",
    ] {
        assert!(readme.contains(words), "{words}: {readme}");
    }
    place.assert_clean();
}

#[test]
fn nothing_is_written_where_nothing_is_decided() {
    let place = Place::new();
    tried(&place, "gunicorn-1,gunicorn-cores", &["--quick"]).measured();
    let said = place.run(&["write", "last", "deploy"]);
    said.fails(
        4,
        &[
            "run 1 does not say which variant is best",
            "weir write 1:VARIANT DIR",
        ],
    );
    let said = place.run(&["write", "last:gunicorn", "deploy"]);
    said.fails(5, &["has no variant `gunicorn`", "`gunicorn-1`"]);
    // what was measured is shown, and it is no error that nothing is written
    let said = tried(
        &place,
        "gunicorn-1,gunicorn-cores",
        &["--quick", "--write", "deploy"],
    );
    let Said { code, out, err } = said;
    assert_eq!(code, 4, "{out}{err}");
    assert!(out.contains("gunicorn-cores"), "{out}");
    let told = "run 2 does not say which variant is best, so nothing is written\n";
    assert!(err.contains(told), "{err}");
    assert!(err.contains("weir write 2:VARIANT DIR"), "{err}");
    assert!(!err.contains("error: "), "{err}");
    assert!(!place.path("deploy").exists());
}
