//! What other variants of the run say of a finding: what it advises was measured there, or what it denies.

use super::changed;
use crate::lab;
use crate::lab::stage::{RATE, process, server, slots};
use crate::lab::sweep::loaded;
use judge::{FindingKind, Found};
use record::{
    Choice, Knob, Load, Measured, ProcessCost, RUN_QUEUE_WAIT, Run, Runtime, Trial, Variant,
};

/// How many times as fast a neighbour is, block by block.
const FASTER: [f64; 6] = [1.82, 1.84, 1.86, 1.83, 1.85, 1.84];
const AS_FAST: [f64; 6] = [0.998, 1.002, 1.0, 0.999, 1.001, 1.0];
const PERHAPS: [f64; 6] = [0.8, 1.3, 1.0, 0.9, 1.4, 1.1];

/// A variant with so many workers, and as many clients.
fn variant(name: &str, workers: i64, clients: u32) -> Variant {
    let knobs = [("workers".to_owned(), Knob::Number(workers))];
    Variant {
        name: name.to_owned(),
        title: format!("{workers} workers"),
        server: Some(Choice::of("gunicorn").with(knobs.into())),
        route: "/".to_owned(),
        load: Some(Load {
            connections: clients,
            ..lab::run(&[name]).plan.load
        }),
        ..Variant::default()
    }
}

fn run(variants: &[Variant]) -> Run {
    let names: Vec<&str> = variants.iter().map(|of| of.name.as_str()).collect();
    let mut run = lab::run(&names);
    run.plan.variants = variants.to_vec();
    run
}

/// A block for each of these speeds, as times that of the stage.
fn blocks(of: &Variant, times: &[f64], spoil: impl Fn(&mut Measured)) -> Vec<Trial> {
    let clients = of.load.as_ref().unwrap().connections;
    let Knob::Number(workers) = of.server.as_ref().unwrap().knobs["workers"] else {
        panic!("{of:?}");
    };
    let block = |(block, times): (u32, &f64)| {
        let mut trial = loaded(block, &of.name, f64::from(clients), RATE * times);
        let facts = lab::facts(&mut trial);
        facts.load.service = facts.load.response.clone();
        facts.load.kept_busy = Some(u64::from(clients));
        facts.stack.servers = vec![server("gunicorn", &[("workers", workers)])];
        spoil(facts);
        trial
    };
    (0..).zip(times).map(block).collect()
}

/// Of the first variant, the second being so many times as fast.
fn found(variants: &[Variant; 2], times: &[f64], spoil: impl Fn(&mut Measured)) -> Vec<Found> {
    let [own, other] = variants;
    let trials = [
        blocks(own, &vec![1.0; times.len()], spoil),
        blocks(other, times, |_| {}),
    ];
    judge::judge(&run(variants), &trials.concat()).variants[0]
        .findings
        .clone()
}

fn kinds(found: &[Found]) -> Vec<FindingKind> {
    found.iter().map(|of| of.finding.kind).collect()
}

/// The app server used so many cores, for which so many of its threads waited.
fn uses(facts: &mut Measured, cores: f64, waiting: f64) {
    let seconds = facts.load.seconds;
    let waited = (waiting * seconds * 1e6) as u64;
    facts.processes[0] = ProcessCost {
        cpu_user: cores * seconds,
        counts: [(RUN_QUEUE_WAIT.to_owned(), waited)].into(),
        ..process("gunicorn", 0.0)
    };
}

#[test]
fn what_is_advised_and_was_measured_says_what_it_brought() {
    let two = [variant("one", 1, 10), variant("two", 2, 10)];
    let hot = |facts: &mut Measured| uses(facts, 0.98, 0.0);
    let faster = found(&two, &FASTER, hot).remove(0);
    assert_eq!(faster.finding.kind, FindingKind::OneCore);
    let because = &faster.finding.because;
    let words = "; `two` of this run (`workers` = 2) did 1.84 × [1.8";
    assert!(because.contains(words), "{because}");
    assert_eq!(
        faster.finding.next,
        "use `two` of this run, which has `workers` = 2 and else is the same"
    );
    assert!((faster.finding.gain.unwrap() - 1.84).abs() < 0.01);
    assert_eq!(changed(&faster), "server.workers = 2");
    assert_eq!(faster.finding.measured.unwrap().of, "two");

    let as_fast = found(&two, &AS_FAST, hot).remove(0);
    assert_eq!(as_fast.finding.kind, FindingKind::OneCore);
    let next = &as_fast.finding.next;
    assert!(
        next.ends_with("more of `workers` brought nothing here"),
        "{next}"
    );
    assert_eq!((as_fast.finding.gain, &*changed(&as_fast)), (None, ""));

    let perhaps = found(&two, &PERHAPS, hot).remove(0);
    let (gain, next) = (perhaps.finding.gain.unwrap(), &perhaps.finding.next);
    assert!(next.starts_with("raise `workers`"), "{next}");
    assert!(
        gain > 1.05 && gain < 1.5,
        "no more than its interval: {gain}"
    );
    assert_eq!(perhaps.finding.measured, None);
}

#[test]
fn what_differs_in_more_or_has_no_interval_says_nothing() {
    let hot = |facts: &mut Measured| uses(facts, 0.98, 0.0);
    let alone = |two: &[Variant; 2], times: &[f64]| {
        let found = found(two, times, hot).remove(0);
        assert_eq!(found.finding.measured, None);
        assert!(!found.finding.because.contains("this run"), "{found:?}");
    };
    let two = [variant("one", 1, 10), variant("two", 2, 10)];
    alone(&two, &FASTER[..2]);
    let front = Variant {
        fronts: vec![Choice::of("nginx")],
        ..variant("two", 2, 10)
    };
    alone(&[variant("one", 1, 10), front], &FASTER);
    let mut threads = variant("two", 2, 10);
    let knobs = &mut threads.server.as_mut().unwrap().knobs;
    knobs.insert("threads".to_owned(), Knob::Number(8));
    alone(&[variant("one", 1, 10), threads], &FASTER);
    alone(&[variant("one", 1, 10), variant("two", 2, 20)], &FASTER);
}

/// Clients that open a connection for each request, and a front end that would keep them.
#[test]
fn a_front_end_that_was_slower_is_no_advice_without_that() {
    let own = variant("one", 1, 10);
    let behind = Variant {
        fronts: vec![Choice::of("nginx")],
        ..variant("two", 1, 10)
    };
    let opens = |facts: &mut Measured| facts.load.connects = facts.load.completed;
    let next = |times: &[f64]| {
        let found = found(&[own.clone(), behind.clone()], times, opens);
        let mut found = found.into_iter().map(|of| of.finding);
        let churn = found.find(|of| of.kind == FindingKind::ConnectionChurn);
        churn.unwrap().next
    };
    let slower = next(&[0.75, 0.76, 0.74, 0.75, 0.76, 0.74]);
    assert!(
        slower.contains("but `two` of this run did 0.75"),
        "{slower}"
    );
    let as_fast = next(&AS_FAST);
    assert!(
        as_fast.ends_with("a front end keeps them for a server that cannot"),
        "{as_fast}"
    );
}

#[test]
fn a_likely_reason_that_a_neighbour_refutes_is_not_told() {
    let lacks_slots = |facts: &mut Measured| slots(facts, Some(2.0), 0.02);
    let few = |facts: &mut Measured| slots(facts, Some(64.0), 0.09);
    let workers = [variant("one", 1, 10), variant("five", 5, 10)];
    let clients = [variant("ten", 1, 10), variant("forty", 1, 40)];
    let full = found(&workers, &FASTER, lacks_slots);
    assert_eq!(kinds(&full), [FindingKind::SlotsFull]);
    assert_eq!(changed(&full[0]), "server.workers = 5");
    // more of them wait for the same
    let in_vain = found(&workers, &AS_FAST, lacks_slots);
    assert_eq!(kinds(&in_vain), [FindingKind::AppWaits]);
    let because = &in_vain[0].finding.because;
    assert!(because.contains("; `five` of this run"), "{because}");
    let idle = found(&clients, &FASTER, few);
    assert_eq!(kinds(&idle), [FindingKind::FewClients]);
    assert_eq!(changed(&idle[0]), "load.connections = 40");
    assert_eq!(kinds(&found(&clients, &AS_FAST, few)), []);
    // less than what is advised, which is 25 connections, may be too little
    let fewer = [variant("ten", 1, 10), variant("twenty", 1, 20)];
    let still = found(&fewer, &AS_FAST, few);
    assert_eq!(changed(&still[0]), "load.connections = 25");
}

#[test]
fn where_more_workers_are_faster_no_core_was_lacking_that_was_idle_at_times() {
    let two = [variant("one", 1, 10), variant("two", 2, 10)];
    let busy = |cores: f64, one_thread: Option<&'static str>| {
        move |facts: &mut Measured| {
            uses(facts, cores, 0.5);
            facts.processes[0].runtime = Some(Runtime {
                name: "known".to_owned(),
                one_thread: one_thread.map(str::to_owned),
            });
            facts.processes.retain(|of| of.owner != "nginx");
        }
    };
    let waited_for = busy(1.45, None);
    let as_fast = found(&two, &AS_FAST, waited_for).remove(0);
    assert_eq!(as_fast.finding.kind, FindingKind::EveryCoreBusy);
    assert!(as_fast.finding.because.contains("did 1.00 ×"));
    let next = &as_fast.finding.next;
    assert!(next.ends_with("More workers bring nothing"), "{next}");
    let faster = kinds(&found(&two, &FASTER, waited_for));
    assert!(!faster.contains(&FindingKind::EveryCoreBusy), "{faster:?}");
    // where none is idle the same cores did more
    let none_idle = busy(1.7, Some("a Python process"));
    let faster = found(&two, &FASTER, none_idle).remove(0).finding;
    assert_eq!(faster.kind, FindingKind::EveryCoreBusy);
    assert!(faster.next.starts_with("use `two` of this run"));
    assert!(!faster.next.contains("bring nothing"), "{}", faster.next);
    let lock = "as many requests/s (a Python process runs one thread at a time)";
    assert!(faster.because.ends_with(lock), "{}", faster.because);
}

/// Processes of the same server, which multiply the threads: they wait for the same as more threads would.
#[test]
fn more_threads_are_no_advice_where_more_processes_were_no_faster() {
    let threads = |name: &str, workers| {
        let mut of = variant(name, workers, 10);
        let knobs = &mut of.server.as_mut().unwrap().knobs;
        knobs.insert("threads".to_owned(), Knob::Number(2));
        of
    };
    let two = [threads("one", 1), threads("five", 5)];
    let trials = |of: &Variant, times: &[f64], workers: i64| {
        blocks(of, times, |facts| {
            facts.stack.servers = vec![server("gunicorn", &[("workers", workers), ("threads", 2)])];
            slots(facts, Some(2.0 * workers as f64), 0.02);
        })
    };
    let first = |times: &[f64]| {
        let trials = [trials(&two[0], &[1.0; 6], 1), trials(&two[1], times, 5)];
        let judged = judge::judge(&run(&two), &trials.concat());
        judged.variants[0].findings[0].finding.clone()
    };
    assert_eq!(first(&AS_FAST).kind, FindingKind::AppWaits);
    let open = first(&PERHAPS);
    assert_eq!(open.kind, FindingKind::SlotsFull);
    assert!(open.next.starts_with("raise `threads`"), "{open:?}");
}

/// Instances are a number of workers, too.
#[test]
fn instances_of_a_server_that_knows_no_workers_are_counted() {
    let instances = |name: &str, instances| Variant {
        server: Some(Choice {
            instances,
            ..Choice::of("command")
        }),
        ..variant(name, 1, 10)
    };
    let two = [instances("one", 1), instances("two", 2)];
    let trials = |of: &Variant, times: &[f64]| {
        let instances = of.server.as_ref().unwrap().instances as usize;
        let own = variant(&of.name, 1, 10);
        blocks(&own, times, |facts| {
            facts.stack.servers = vec![server("command", &[]); instances];
            uses(facts, 0.98, 0.0);
            facts.processes[0].owner = "command".to_owned();
        })
    };
    let trials = [trials(&two[0], &[1.0; 6]), trials(&two[1], &FASTER)];
    let judged = judge::judge(&run(&two), &trials.concat());
    let found = &judged.variants[0].findings[0];
    assert_eq!(found.finding.kind, FindingKind::OneCore);
    assert_eq!(changed(found), "server.instances = 2");
    assert!(found.finding.measured.is_some(), "{found:?}");
}
