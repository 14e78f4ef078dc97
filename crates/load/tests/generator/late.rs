//! Who was late, and who was busy.

use std::io::{BufRead as _, BufReader, Read as _};
use std::net::SocketAddr;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use judge::DoubtKind;
use load::{Event, Job, NullServer, Traffic};
use record::{Amount, Distribution, LoadFacts, Target, WarmUpPlan};
use rustix::process::{Pid, Signal, kill_process};
use testkit::{Origin, Speech, Turn, eventually};

use crate::common::{job, run, run_until};
use crate::{Busy, PATIENCE, steady};

/// Those that took at least so many seconds.
fn beyond(times: &Distribution, least: f64) -> u64 {
    let long = times.cells().filter(|(seconds, _)| *seconds >= least);
    long.map(|(_, count)| count).sum()
}

/// So many requests a second, with a connection for each that falls due while the engine is held up:
/// none ever has to wait for the server, however slow the machine makes that.
fn ahead(server: SocketAddr, rate: f64, requests: u64) -> Job {
    let mut job = job(Target::Tcp(server));
    job.load.connections = 900;
    job.load.warm_up = WarmUpPlan::Seconds(0.5);
    job.load.shape = steady(rate);
    job.load.amount = Amount::Requests(requests);
    job
}

#[test]
fn what_falls_due_while_the_engine_is_busy_is_late_and_told() {
    // vegeta sends in a burst what it could not send in time, and each begins when it leaves.
    let server = NullServer::start().unwrap();
    let mut job = ahead(server.address(), 700.0, 1_050);
    job.traffic = Traffic::Made(Arc::new(Busy {
        every: Some((175, Duration::from_millis(200))),
        ..Busy::default()
    }));
    let facts = run(&job).unwrap();
    assert_eq!(facts.scheduled, 1_050);
    // 6 times 140 fell due while the thread did something else: half of them in the first half.
    let late = beyond(&facts.lateness, 0.1);
    assert!(late >= 300, "{late} are told to be late by the engine");
    let slow = beyond(&facts.response, 0.1);
    assert!(slow >= late, "{slow} of {late} have it in their times");
    let because = doubt(&facts, DoubtKind::Late).unwrap();
    assert!(because.contains("sent late by the engine"), "{because}");
}

#[test]
fn who_waits_awake_is_not_woken_late_and_what_it_waits_is_no_work() {
    let server = NullServer::start().unwrap();
    let [asleep, awake] = [false, true].map(|busy_wait| {
        // less lies between two than the time for which it stays awake
        let mut job = ahead(server.address(), 20_000.0, 10_000);
        job.busy_wait = busy_wait;
        let facts = run(&job).unwrap();
        assert_eq!(facts.scheduled, 10_000);
        facts
    });
    assert_eq!(asleep.engine.busy_waited, None);
    let waited = awake.engine.busy_waited.unwrap();
    assert!((0.0..=awake.seconds).contains(&waited), "{waited} s");
    // beside other programs some are late all the same: those whose thread had no core
    let [before, after] = [&asleep, &awake].map(|of| of.woken.count());
    assert!(
        before > 10 * after,
        "{before} were due while it slept, and {after}"
    );
    let share = awake.engine.busiest + waited / awake.seconds;
    assert!(share < 1.2, "what it waits is taken for work, too: {share}");
}

/// Where the process that is to be held up finds its server.
const HELD_UP: &str = "WEIR_TEST_HELD_UP";

#[test]
fn what_the_kernel_woke_late_is_told_as_the_kernels() {
    if let Ok(address) = std::env::var(HELD_UP) {
        return held_up(address.parse().unwrap());
    }
    let server = NullServer::start().unwrap();
    // Only another process can be stopped: this very test once more.
    let name = "late::what_the_kernel_woke_late_is_told_as_the_kernels";
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", name, "--nocapture"])
        .env(HELD_UP, server.address().to_string())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let pid = Pid::from_child(&child);
    let mut said = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    while !line.contains("the window is open") {
        line.clear();
        assert!(said.read_line(&mut line).unwrap() > 0, "it has ended");
    }
    // 750 of 3,900 fall due meanwhile, if that is soon enough for the last of them: it has 5.3 s.
    kill_process(pid, Signal::STOP).unwrap();
    let began = Instant::now();
    let over = eventually(PATIENCE, || began.elapsed() >= Duration::from_millis(1_500));
    kill_process(pid, Signal::CONT).unwrap();
    assert!(over && child.wait().unwrap().success());
    let mut rest = String::new();
    said.read_to_string(&mut rest).unwrap();
    assert!(rest.contains("woken late by the kernel"), "{rest}");
}

/// Says when its window is well open, and why it doubts what it measured. What stops it before the connections
/// have begun is no lateness: it puts the window off.
fn held_up(server: SocketAddr) {
    let mut said = false;
    let facts = run_until(
        &ahead(server, 500.0, 3_900),
        &AtomicBool::new(false),
        &mut |event| {
            let well = matches!(event, Event::Tick(tick) if tick.completed >= 500);
            if well && !std::mem::replace(&mut said, true) {
                println!("\nthe window is open");
            }
        },
    );
    let facts = facts.unwrap();
    let [woken, late] =
        [&facts.woken, &facts.lateness].map(|times| (times.count(), beyond(times, 0.1)));
    println!("{:?}", doubt(&facts, DoubtKind::Late));
    println!("woken late {woken:?}, sent late {late:?} (all, and beyond 0.1 s)");
}

/// Why there is such a doubt.
fn doubt(facts: &LoadFacts, kind: DoubtKind) -> Option<String> {
    let mut doubts = judge::doubts(facts).into_iter();
    let doubt = doubts.find(|doubt| doubt.kind == kind);
    doubt.map(|doubt| doubt.because)
}

#[test]
fn a_thread_that_is_busy_all_the_time_is_told() {
    // Most generators say nothing when they are the bottleneck.
    let origin = Origin::start(Speech::Http1, |_| Turn::Answer(Duration::ZERO));
    let busy = Busy {
        before_each: Duration::from_micros(500),
        ..Busy::default()
    };
    let mut job = job(Target::Tcp(origin.address()));
    job.traffic = Traffic::Made(Arc::new(busy.clone()));
    job.load.amount = Amount::Seconds(0.5);
    let facts = run(&job).unwrap();
    // How much of a core the machine left for it is the machine's affair; all of it is told.
    let burned = busy.seen.burned.load(Ordering::Relaxed) as f64 / 1e9;
    let (busiest, spent) = (facts.engine.busiest, facts.engine.cpu());
    assert!(burned > 0.0 && spent >= 0.98 * burned, "{spent} {burned}");
    let share = (burned / facts.seconds).min(1.0);
    assert!(
        (0.98 * share..=1.0).contains(&busiest),
        "{busiest} of {share}"
    );
    let told = doubt(&facts, DoubtKind::GeneratorSaturated);
    assert_eq!(told.is_some(), busiest >= 0.7, "{busiest}: {told:?}");
}

#[test]
fn responses_that_wait_until_the_loop_looks_at_them_are_told() {
    let told = |after_each: Duration, served: Duration| {
        let origin = Origin::start(Speech::Http1, move |_| Turn::Answer(served));
        let mut job = job(Target::Tcp(origin.address()));
        job.traffic = Traffic::Made(Arc::new(Busy {
            after_each,
            ..Busy::default()
        }));
        job.load.amount = Amount::Requests(500);
        let facts = run(&job).unwrap();
        let long = beyond(&facts.turns, 0.99 * after_each.as_secs_f64());
        (long, doubt(&facts, DoubtKind::LongTurns))
    };
    let time = Duration::from_millis(5);
    let (long, because) = told(time, Duration::ZERO);
    // over two connections: a turn has two responses at most
    assert!(long >= 250, "{long} turns");
    let because = because.unwrap();
    assert!(because.contains("until it was looked at"), "{because}");
    // the server takes as long for each, and the loop does not
    let (_, because) = told(Duration::ZERO, time);
    assert_eq!(because, None);
}
