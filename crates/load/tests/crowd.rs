//! Connections beside the measured ones, against nginx and against peers that look closely.

mod looked;

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::common::{self, job, run, run_until, to};
use load::{Event, LoadError};
use record::{Amount, Crowd, CrowdFigures, Habit, LoadFacts, Target};
use testkit::{Nginx, ScriptedPeer, Step, answer, eventually};

fn figures(facts: &LoadFacts, habit: Habit) -> &CrowdFigures {
    &facts.crowd.as_ref().unwrap().habits[&habit]
}

/// What nginx says about its connections: reading, writing, waiting.
fn status(address: SocketAddr) -> (u64, u64, u64) {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(b"GET /status HTTP/1.0\r\n\r\n").unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    let number = |name: &str| {
        let rest = text.split(name).nth(1).unwrap();
        rest.split_whitespace().next().unwrap().parse().unwrap()
    };
    // Writing counts the question itself.
    (
        number("Reading:"),
        number("Writing:") - 1_u64,
        number("Waiting:"),
    )
}

#[test]
fn nginx_sees_each_kind_for_what_it_is() {
    let site = testkit::temp_dir();
    fs::write(site.path().join("big"), vec![b'x'; 1 << 20]).unwrap();
    let nginx = Nginx::start(&format!(
        "root {}; location = /status {{ stub_status; }}",
        site.path().display()
    ));
    let mut job = job(Target::Tcp(nginx.address()));
    common::part(&mut job).request.path = "/big".to_owned();
    job.load.crowd = Crowd {
        idle: 5,
        slow_readers: 3,
        slow_writers: 4,
        slow_rate: 10.0,
        resets: 0.0,
    };
    let mut seen = Vec::new();
    let facts = run_until(&job, &AtomicBool::new(false), &mut |event| {
        if matches!(event, Event::Opened(_) | Event::Closed(_)) {
            seen.push(status(nginx.address()));
        }
    })
    .unwrap();
    // The measured connections, of which there are two, rest when the window has closed.
    assert_eq!(seen, [(4, 3, 5), (4, 3, 7)], "reading, writing, waiting");
    assert_eq!(
        (facts.completed, facts.connects),
        (20, 2),
        "the crowd is not measured"
    );
    let crowd = facts.crowd.as_ref().unwrap();
    assert!(crowd.complete && crowd.seconds > 0.0 && crowd.cpu > 0.0);
    let idle = figures(&facts, Habit::Idle);
    assert_eq!((idle.wanted, idle.opened, idle.answered()), (5, 5, 5));
    assert!(idle.bytes_received > 5 << 20, "{}", idle.bytes_received);
    let readers = figures(&facts, Habit::SlowReader);
    assert_eq!(
        (readers.wanted, readers.opened, readers.answered()),
        (3, 3, 0)
    );
    let writers = figures(&facts, Habit::SlowWriter);
    assert_eq!(
        (writers.wanted, writers.opened, writers.answered()),
        (4, 4, 0)
    );
    for slow in [readers.bytes_received, writers.bytes_sent] {
        // One byte in a tenth of a second, the first at once.
        let most = 4.0 * (10.0 * crowd.seconds + 1.0);
        assert!(slow >= 3 && slow as f64 <= most, "{slow} of {most}");
    }
    assert_eq!(crowd.habits.len(), 3, "nobody was to be reset");
}

#[test]
fn resets_stand_in_the_servers_log() {
    let nginx = Nginx::start("error_log resets.log info; location / { return 200 \"ok\\n\"; }");
    let mut job = job(Target::Tcp(nginx.address()));
    job.load.amount = Amount::Seconds(1.0);
    job.load.crowd.resets = 100.0;
    let facts = run(&job).unwrap();
    assert_eq!(facts.failures(), 0);
    let resets = figures(&facts, Habit::Reset);
    let crowd = facts.crowd.as_ref().unwrap();
    let due = crowd.seconds * 100.0;
    assert!(
        (resets.wanted as f64 - due).abs() <= 20.0,
        "{} of {due}",
        resets.wanted
    );
    let tried = resets.opened + resets.failures() + resets.skipped;
    assert!(
        resets.wanted - tried <= 1,
        "all but one that is being opened: {resets:?}"
    );
    assert!(resets.opened > 10, "{resets:?}");
    let log = nginx.path().with_file_name("resets.log");
    let logged = || {
        let text = fs::read_to_string(&log).unwrap();
        text.matches("reset by peer").count() as u64
    };
    // The last ones are open when the load ends, and are closed in good order.
    assert!(
        eventually(Duration::from_mins(1), || logged() + 3 >= resets.opened),
        "{} of {} resets are in the log",
        logged(),
        resets.opened
    );
}

#[test]
fn idle_connections_that_the_server_closes_are_opened_again() {
    let nginx = Nginx::start("keepalive_timeout 300ms; location / { return 200 \"ok\\n\"; }");
    let mut job = job(Target::Tcp(nginx.address()));
    job.load.amount = Amount::Seconds(2.0);
    job.load.crowd.idle = 3;
    let facts = run(&job).unwrap();
    let idle = figures(&facts, Habit::Idle);
    assert!(idle.closed_by_server >= 3, "{idle:?}");
    assert!(idle.opened > idle.wanted && idle.answered() >= idle.closed_by_server);
    assert_eq!(idle.lifetimes.count(), idle.closed_by_server);
    let shortest = idle.lifetimes.quantile(0.0).unwrap();
    assert!(shortest > 0.1, "nginx has waited: {shortest}");
    assert_eq!(idle.failures(), 0);
}

#[test]
fn a_server_that_keeps_nothing_open_meets_no_flood() {
    let closing = answer(200, &[("Connection", "close")], "ok");
    let peer = ScriptedPeer::tcp(move |_| Step::serve_once(closing.clone()));
    let mut job = to(&peer);
    job.load.amount = Amount::Seconds(0.5);
    job.load.crowd.idle = 2;
    let facts = run(&job).unwrap();
    let idle = figures(&facts, Habit::Idle);
    // Pauses of 0.1, 0.2, 0.4 s …
    let most = 2.0 * (1.0 + (facts.crowd.as_ref().unwrap().seconds * 10.0 + 1.0).log2());
    assert!(
        idle.opened >= 2 && idle.opened as f64 <= most,
        "{} of {most}",
        idle.opened
    );
    assert!(idle.opened - idle.closed_by_server <= 2);
}

#[test]
fn a_crowd_lives_on_unix_sockets_and_outlives_wrong_answers() {
    // The crowd comes first: the window opens when its members have been answered, if wrongly.
    let peer = ScriptedPeer::unix(|_| Step::serve(answer(200, &[], "ok")));
    let mut job = job(Target::Unix(peer.path()));
    job.load.crowd = Crowd {
        idle: 2,
        slow_readers: 1,
        slow_writers: 1,
        slow_rate: 1e5,
        resets: 50.0,
    };
    let facts = run(&job).unwrap();
    assert_eq!(facts.completed, 20);
    assert!(facts.crowd.as_ref().unwrap().complete);
    for habit in [Habit::Idle, Habit::SlowReader, Habit::SlowWriter] {
        let figures = figures(&facts, habit);
        assert!(
            figures.opened == figures.wanted && figures.failures() == 0,
            "{figures:?}"
        );
    }
}

#[test]
fn a_crowd_does_not_hide_that_nobody_listens() {
    let nobody = testkit::Refusing::new();
    let mut job = job(Target::Tcp(nobody.address()));
    job.load.crowd.idle = 3;
    let error = run(&job).unwrap_err();
    assert!(matches!(error, LoadError::Unreachable { .. }), "{error}");
}

#[test]
fn crowds_that_make_no_sense_are_refused() {
    let peer = ScriptedPeer::tcp(|_| Step::serve(answer(200, &[], "ok")));
    for spoil in [
        |crowd: &mut Crowd| crowd.resets = -1.0,
        |crowd: &mut Crowd| crowd.resets = f64::NAN,
        |crowd: &mut Crowd| crowd.slow_rate = 0.0,
        |crowd: &mut Crowd| crowd.slow_rate = f64::INFINITY,
    ] {
        let mut job = to(&peer);
        spoil(&mut job.load.crowd);
        let error = run(&job).unwrap_err();
        assert!(matches!(error, LoadError::Load(_)), "{error}");
    }
    let mut job = to(&peer);
    job.load.crowd.idle = 10_000_000;
    let error = run(&job).unwrap_err();
    assert!(matches!(error, LoadError::Load(_)), "{error}");
}
