//! What more clients may bring.

use super::changed;
use crate::lab::stage::{first, process, server, slots, times};
use judge::FindingKind;
use record::{Measured, Runtime, Spoken};

/// The gain that is told, and the change.
fn may_bring(spoil: impl Fn(&mut Measured)) -> (Option<f64>, String) {
    let found = first(|facts| {
        slots(facts, None, 0.09);
        spoil(facts);
    });
    assert_eq!(found.finding.kind, FindingKind::FewClients, "{found:?}");
    (found.finding.gain, changed(&found))
}

fn is_about(told: &(Option<f64>, String), gain: f64, change: &str) {
    let (known, changed) = told;
    let off = known.map(|known| (known - gain).abs());
    assert!(off.is_some_and(|off| off < 0.01), "{told:?}, not {gain}");
    assert_eq!(changed, change);
}

#[test]
fn more_clients_bring_no_more_than_processes_can_use_that_run_one_thread_at_a_time() {
    let worker = |facts: &mut Measured| facts.processes[0] = process("gunicorn", 0.4);
    is_about(&may_bring(worker), 2.5, "load.connections = 25");
    // 0.7 of both cores are used, and four workers could have all of them
    let workers = may_bring(|facts| {
        worker(facts);
        facts.stack.servers[1] = server("gunicorn", &[("workers", 4)]);
    });
    is_about(&workers, 2.0 / 0.7, "load.connections = 29");
    // one that starts the others is none that serves
    let forks = may_bring(|facts| {
        worker(facts);
        facts.stack.servers[1] = server("gunicorn", &[]);
        facts.processes.push(process("gunicorn", 0.01));
    });
    is_about(&forks, 1.0 / 0.41, "load.connections = 25");
    let threads = may_bring(|facts| {
        worker(facts);
        facts.processes[0].runtime = Some(Runtime {
            name: "known".to_owned(),
            one_thread: None,
        });
    });
    is_about(&threads, 2.0 / 0.7, "load.connections = 29");
}

/// Sixteen times as many clients that wait for as long as these bring sixteen times as much.
#[test]
fn more_clients_bring_no_more_than_so_many_ask_for() {
    let idle = may_bring(|facts| {
        facts.processes = vec![process("gunicorn", 0.01), process("weir", 0.02)];
    });
    is_about(&idle, 16.0, "load.connections = 160");
}

/// Whether what a single client waits for serves several at once nobody has seen.
#[test]
fn what_one_client_alone_shows_is_no_prediction() {
    let one = may_bring(|facts| {
        facts.load.connections = 1;
        facts.load.kept_busy = Some(1);
        facts.load.response = times(0.01);
        facts.load.service = times(0.01);
    });
    assert_eq!(one.0, None);
    assert!(one.1.starts_with("load.connections = "), "{one:?}");
}

#[test]
fn no_more_clients_are_advised_than_find_slots() {
    let found = first(|facts| slots(facts, Some(10.0), 0.09));
    assert_eq!(found.finding.kind, FindingKind::FewClients);
    assert_eq!((found.finding.gain, &*changed(&found)), (None, ""));
}

/// One request at a time, which is slower than the one that was asked for before the load.
#[test]
fn a_single_client_waits_for_no_other() {
    let one = first(|facts| {
        slots(facts, None, 0.002);
        facts.load.connections = 1;
        facts.load.kept_busy = Some(1);
        facts.load.response = times(0.01);
        facts.load.service = times(0.01);
    });
    assert_eq!(one.finding.kind, FindingKind::FewClients);
}

/// Of HTTP/2, and of pipelines.
#[test]
fn clients_with_several_requests_at_once_on_a_connection_ask_for_as_many_times_more() {
    let found = first(|facts| {
        slots(facts, Some(640.0), 0.7);
        facts.load.kept_busy = Some(80);
        facts.load.spoken = Some(Spoken {
            streams: 8,
            ..Spoken::default()
        });
        facts.load.response = times(0.79);
        facts.load.service = times(0.79);
    });
    assert_eq!(found.finding.kind, FindingKind::FewClients, "{found:?}");
    let because = "each of 80 requests at once, over 10 connections, waits for its own response (790 ms): together they ask \
                   for no more than 101 requests/s";
    assert!(found.finding.because.contains(because), "{found:?}");
}
