//! The load engine against app servers without a front end: the same app, asked in every protocol.

use crate::common::peers::{self, Peer};
use crate::common::{self, job, run};
use load::{Body, Job};
use record::{Amount, Cause, LoadFacts, Protocol, Target};

fn to(target: &Target, protocol: Protocol) -> Job {
    let mut job = job(target.clone());
    job.protocol = protocol;
    job.host = "example:8080".into();
    job.load.connections = 4;
    job
}

/// The load, of which every answer must be right.
fn right(job: &Job, body: &str) -> LoadFacts {
    let mut job = job.clone();
    common::part(&mut job).expected.body = Body::Exact(body.into());
    let facts = run(&job).unwrap_or_else(|error| panic!("{job:?}: {error}"));
    let Amount::Requests(requests) = job.load.amount else {
        panic!()
    };
    assert_eq!(facts.completed, requests, "{job:?}: {:?}", facts.examples);
    assert_eq!(facts.bodies.compared, requests);
    facts
}

/// Greets `count` times; the app must have counted as many as weir, and no more.
fn greet(job: &Job, before: u64, count: u64) -> LoadFacts {
    let mut job = job.clone();
    job.load.amount = Amount::Requests(count);
    let facts = right(&job, "hello, world\n");
    job.load.amount = Amount::Requests(1);
    common::part(&mut job).request.path = "/count".into();
    right(&job, &format!("{} greeted\n", before + count));
    facts
}

/// All the other pages; each once or twice.
fn look_around(job: &Job) {
    let mut job = job.clone();
    job.load.connections = 2;
    job.load.amount = Amount::Requests(2);
    let asked = |path: &str| {
        let mut job = job.clone();
        common::part(&mut job).request.path = path.into();
        job
    };
    let large = "0123456789abcdef".repeat(20_000);
    right(&asked("/large"), &large);
    right(&asked("/large?until-the-end"), &large);
    let mut missing = asked("/missing");
    common::part(&mut missing).expected.status = load::Status::Is(404);
    right(&missing, "none\n");
    let mut echo = asked("/echo%20it?q=1&r=%20");
    common::part(&mut echo)
        .request
        .headers
        .push(("X-Answer".to_owned(), "42".to_owned()));
    common::part(&mut echo).expected.body = Body::Contains(
        [
            "REQUEST_METHOD=GET\nSCRIPT_NAME=\nPATH_INFO=/echo",
            "\nQUERY_STRING=q=1&r=%20\nSERVER_PROTOCOL=HTTP/1.1\n",
            "HTTP_HOST=example:8080\nHTTP_USER_AGENT=weir\nHTTP_X_ANSWER=42\n",
        ]
        .map(|part| part.as_bytes().to_vec())
        .into(),
    );
    if job.protocol != Protocol::Http1 {
        let server = b"\nSERVER_NAME=example\nSERVER_PORT=8080\nREMOTE_ADDR=127.0.0.1\n".to_vec();
        let Body::Contains(parts) = &mut common::part(&mut echo).expected.body else {
            panic!()
        };
        parts.push(server);
    }
    assert_eq!(run(&echo).unwrap().completed, 2, "{echo:?}");
    for length in [1, 8_186, 8_187, 100_000] {
        let mut mirror = asked("/mirror");
        let request = &mut common::part(&mut mirror).request;
        request.method = "POST".into();
        request.body = (0..length).map(|at| b'a' + (at % 23) as u8).collect();
        let body = String::from_utf8(request.body.clone()).unwrap();
        right(&mirror, &body);
    }
    if job.protocol.has_variables() {
        let mut origin = asked("/origin");
        let param = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        origin.cgi.params = vec![param("APP_ENV", "prod")];
        if matches!(job.target, Target::Unix(_)) {
            right(&origin, "0"); // there is no port
            origin.cgi.params.push(param("REMOTE_PORT", "2000"));
        }
        right(&origin, "real prod\n");
    }
    let mut head = asked("/");
    common::part(&mut head).request.method = "HEAD".into();
    assert_eq!(run(&head).unwrap().completed, 2, "{head:?}");
}

#[test]
fn uwsgi_in_its_four_protocols() {
    let sockets = [
        ("http-socket", Protocol::Http1),
        ("uwsgi-socket", Protocol::Uwsgi),
        ("fastcgi-socket", Protocol::FastCgi),
        ("scgi-socket", Protocol::Scgi),
    ];
    let peer = Peer::uwsgi(&sockets.map(|(option, _)| option));
    let mut greeted = 0;
    for (targets, (_, protocol)) in peer.targets().chunks(2).zip(sockets) {
        for target in targets {
            let job = to(target, protocol);
            greet(&job, greeted, 200);
            greeted += 200;
            look_around(&job);
            greeted += 2; // the HEAD requests
            let mut job = job;
            job.load.keep_alive = false;
            let facts = greet(&job, greeted, 50);
            greeted += 50;
            assert_eq!(facts.connects, 50, "{protocol:?}");
        }
    }
}

#[test]
fn flup_in_its_three_protocols() {
    for (name, protocol, unix, kept) in [
        ("fcgi", Protocol::FastCgi, false, true),
        ("fcgi", Protocol::FastCgi, true, true),
        ("scgi", Protocol::Scgi, false, false),
        ("scgi", Protocol::Scgi, true, false),
        ("ajp", Protocol::Ajp, false, true), // flup's AJP has no Unix sockets
    ] {
        let peer = Peer::flup(name, unix);
        let mut job = to(&peer.targets()[0], protocol);
        let facts = greet(&job, 0, 100);
        assert_eq!(facts.connects, if kept { 4 } else { 100 }, "{name}");
        look_around(&job);
        job.load.keep_alive = false;
        let facts = greet(&job, 102, 50);
        assert_eq!(facts.connects, 50, "{name}");
    }
}

#[test]
fn php_runs_the_script_that_the_path_names() {
    let peer = Peer::php();
    let root = peers::folder().to_str().unwrap().to_owned();
    let mut job = to(&peer.targets()[0], Protocol::FastCgi);
    job.cgi.document_root = Some(root.clone());
    job.cgi.params = vec![("APP_ENV".to_owned(), "prod".to_owned())];
    let request = &mut common::part(&mut job).request;
    request.method = "POST".into();
    request.path = "/told.php?a=b".into();
    request.body = vec![b'x'; 100_000];
    let told = format!(
        "DOCUMENT_ROOT={root}\nSCRIPT_NAME=/told.php\nPHP_SELF=/told.php\nQUERY_STRING=a=b\n\
         APP_ENV=prod\nREMOTE_ADDR=127.0.0.1\ntold.php 100000\n"
    );
    let facts = right(&job, &told);
    assert_eq!(facts.connects, 4, "PHP-FPM keeps connections");
    job.load.keep_alive = false;
    assert_eq!(right(&job, &told).connects, 20);
    // A front controller: whatever the path, this script.
    let script = ("SCRIPT_FILENAME".to_owned(), format!("{root}/told.php"));
    let name = ("SCRIPT_NAME".to_owned(), "/told.php".to_owned());
    job.cgi.params.extend([script, name]);
    common::part(&mut job).request.path = "/some/page?a=b".into();
    right(&job, &told);
    job.cgi = load::Cgi::default();
    let error = run(&job).unwrap_err().to_string();
    assert!(
        error.contains("File not found") || error.contains("status"),
        "{error}"
    );
}

#[test]
fn what_an_application_complains_about_stands_in_the_example() {
    let peer = Peer::flup("fcgi", true);
    let mut job = to(&peer.targets()[0], Protocol::FastCgi);
    common::part(&mut job).request.path = "/fail".to_owned();
    let error = run(&job).unwrap_err().to_string();
    assert!(
        error.contains(Cause::Status.words())
            && error.ends_with("`sorry`; stderr: `out of cheese\\n`"),
        "{error}"
    );
}

/// The wrong protocol for the port is told as such, or at least ends in good time.
#[test]
fn asked_in_the_wrong_protocol() {
    let peer = Peer::uwsgi(&["http-socket"]);
    for protocol in [Protocol::FastCgi, Protocol::Ajp] {
        let mut job = to(&peer.targets()[0], protocol);
        job.load.timeout = 2.0;
        run(&job).unwrap_err();
    }
}
