//! Requests that wait until a program begins to read them.

use crate::lab::stage::{RATE, at_a_rate, found, kinds, process, server, slots, times};
use judge::{Confidence, Cost, Finding, FindingKind};
use record::{Measured, Others, QueueFacts, RUN_QUEUE_WAIT, ServerFacts, SocketFacts};

/// Of so many requests the server had read nothing, in so many looks together.
fn queue(facts: &mut Measured, unread: u64, looks: u32) {
    facts.observed.sockets = Some(SocketFacts {
        looks,
        ..SocketFacts::default()
    });
    facts.observed.queues = vec![QueueFacts {
        program: "gunicorn".to_owned(),
        address: "127.0.0.1:8000".to_owned(),
        unread: Some(unread),
        ..QueueFacts::default()
    }];
}

/// The same at a hundred requests in a second, each answered after 50 ms by a server with one slot that used so many cores.
fn at_random(cores: f64, unread: u64, looks: u32) -> impl Fn(&mut Measured) {
    move |facts| {
        at_a_rate(facts, RATE);
        slots(facts, Some(1.0), 0.01);
        facts.load.service = times(0.05);
        facts.processes[0] = process("gunicorn", cores);
        queue(facts, unread, looks);
    }
}

/// What is said of requests that had not been read, if anything is.
fn told(spoil: impl Fn(&mut Measured)) -> Option<Finding> {
    let mut found = found(spoil).into_iter().map(|of| of.finding);
    found.find(|of| of.kind == FindingKind::AcceptQueue)
}

#[test]
fn requests_that_come_at_random_and_wait_to_be_read_are_told_with_for_how_long() {
    let waits = told(at_random(0.7, 60, 20)).unwrap();
    let because =
        "3.00 requests had not been read by `gunicorn` yet, on average: about 30.0 ms of the";
    assert!(waits.because.starts_with(because), "{waits:?}");
    let raise = "raise `workers` of `gunicorn` from 1 to 2";
    assert!(waits.next.starts_with(raise), "{waits:?}");
    let change = waits.change.as_ref().unwrap().to_string();
    assert_eq!(change, "server.workers = 2");
    assert_eq!(
        (waits.confidence, waits.cost),
        (Confidence::Counted, Cost::Knob)
    );
    assert_eq!(waits.gain, None, "all that is asked is answered");
    assert_eq!(told(at_random(0.7, 19, 20)), None, "less than one");
    assert_eq!(told(at_random(0.7, 15, 5)), None, "too few looks");
}

/// Workers that wait are told with how many requests wait for them, a core that is busy needs no queue to say so, and more workers
/// find no core where others have them all.
#[test]
fn what_holds_the_stack_back_is_told_in_its_place() {
    let at = |cores: f64| kinds(at_random(cores, 60, 20));
    assert_eq!(at(0.7), [FindingKind::AcceptQueue]);
    assert_eq!(at(0.4), [FindingKind::SlotsFull]);
    assert_eq!(at(0.95), [FindingKind::OneCore]);
    let busy = at(1.7);
    assert_eq!(busy[0], FindingKind::EveryCoreBusy);
    assert!(!busy.contains(&FindingKind::AcceptQueue), "{busy:?}");
    let others = kinds(|facts: &mut Measured| {
        // hardly any waiting for a core, or the trial would not count
        facts.processes[0].counts = [(RUN_QUEUE_WAIT.to_owned(), 1_000)].into();
        facts.observed.others = Some(Others {
            seconds: 14.0,
            share: 0.7,
            ..Others::default()
        });
        queue(facts, 60, 20);
    });
    assert!(others.contains(&FindingKind::OtherPrograms), "{others:?}");
    assert!(!others.contains(&FindingKind::AcceptQueue), "{others:?}");
}

#[test]
fn what_waits_for_one_of_several_servers_is_told_as_that() {
    let limit = |handed: i64| {
        kinds(move |facts: &mut Measured| {
            at_random(0.7, 60, 20)(facts);
            let of_one = ServerFacts {
                slots: Some(1.0),
                ..server("gunicorn", &[("workers", 1)])
            };
            let front = server("haproxy", &[("server-maxconn", handed)]);
            facts.stack.servers = vec![front, of_one.clone(), of_one];
            facts.observed.queues[0].waiting = 7;
        })
    };
    assert_eq!(limit(0), [FindingKind::LimitsOutOfOrder]);
    assert_eq!(limit(1), [FindingKind::AcceptQueue]);
}

#[test]
fn a_server_that_weir_did_not_start_is_told_and_a_service_of_the_app_is_not() {
    let own = told(|facts: &mut Measured| {
        at_random(0.7, 60, 20)(facts);
        facts.stack.servers.clear();
        facts.processes = vec![process("python3", 0.7), process("weir", 0.2)];
        facts.observed.queues[0].program = "python3".to_owned();
    });
    let own = own.unwrap();
    assert!(own.next.starts_with("give `python3` more"), "{own:?}");
    assert_eq!(own.change, None);
    let service = told(|facts: &mut Measured| {
        at_random(0.7, 60, 20)(facts);
        facts.stack.servers.push(ServerFacts {
            service: Some("database".to_owned()),
            ..server("postgresql", &[])
        });
        facts.observed.queues[0].program = "postgresql".to_owned();
    });
    assert_eq!(service, None);
}
