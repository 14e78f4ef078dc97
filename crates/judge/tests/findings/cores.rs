//! Cores that are busy: one of them, or all, whose they are, and what else had them.

use super::changed;
use crate::lab;
use crate::lab::stage::{RATE, SECONDS, first, found, kinds, process, server, slots};
use judge::{Confidence, FindingKind};
use record::{
    BUSIEST_THREAD, Choice, CounterKind, Measured, ProcessCost, RUN_QUEUE_WAIT, Runtime, Series,
};

#[test]
fn a_whole_core_is_a_limit_only_while_others_are_idle() {
    let one = first(|facts| facts.processes[0] = process("gunicorn", 0.98));
    assert_eq!(one.finding.kind, FindingKind::OneCore);
    let next = &one.finding.next;
    assert!(
        next.contains("raise `workers` of `gunicorn` from 1 to 2"),
        "{next}"
    );
    assert_eq!(changed(&one), "server.workers = 2");
    assert!(one.finding.because.contains("a Python process"), "{one:?}");
    let two = kinds(|facts| {
        facts.processes[0] = process("gunicorn", 0.95);
        facts.processes.push(process("gunicorn", 0.9));
    });
    assert_eq!(two, [FindingKind::EveryCoreBusy]);
    // a program with threads that used more than a core can use another, unless its language has a lock
    let threads = |cores| {
        kinds(move |facts| {
            facts.processes[0] = process("gunicorn", cores);
            slots(facts, Some(64.0), 0.09);
        })
    };
    assert_eq!(threads(1.3), [FindingKind::OneCore]);
    assert_eq!(threads(1.49), [FindingKind::OneCore]);
    let front = kinds(|facts| {
        facts.processes[1] = process("nginx", 1.15);
        slots(facts, Some(64.0), 0.09);
    });
    assert_eq!(front, [FindingKind::FewClients]);
}

#[test]
fn a_thread_that_has_all_of_a_core_is_told_from_others_of_its_process() {
    // seconds of its busiest thread, and in which threads waited for a core
    let threads = |busiest: u64, waited: u64| {
        kinds(move |facts| {
            facts.processes = vec![process("gunicorn", 0.1), process("nginx", 1.2)];
            let counts = [(BUSIEST_THREAD, busiest), (RUN_QUEUE_WAIT, waited)];
            let counts = counts.map(|(name, tenths)| (name.to_owned(), tenths * 1_000_000));
            facts.processes[1].counts = counts.into();
            slots(facts, None, 0.02);
        })
    };
    assert_eq!(threads(9, 0), [FindingKind::OneCore]);
    assert_eq!(threads(8, 2), [FindingKind::OneCore]);
    // two threads that share the work, and one that waits for something else
    assert_eq!(threads(6, 4), [FindingKind::AppWaits]);
    assert_eq!(threads(8, 0), [FindingKind::AppWaits]);
}

#[test]
fn cores_that_threads_wait_for_are_busy_though_they_are_idle_at_times() {
    let waited = |cores: f64, seconds: u64| {
        kinds(move |facts| {
            facts.processes = vec![process("gunicorn", cores / 2.0); 2];
            let waited = seconds * 1_000_000;
            facts.processes[0].counts = [(RUN_QUEUE_WAIT.to_owned(), waited)].into();
            slots(facts, None, 0.04);
        })
    };
    // of two cores 0.3 are idle, three seconds in ten
    assert_eq!(waited(1.7, 4), [FindingKind::EveryCoreBusy]);
    assert_eq!(waited(1.7, 2), [FindingKind::AppWaits]);
    assert_eq!(waited(1.4, 8), [FindingKind::AppWaits]);
}

/// A process that used so many cores, and whose runtime was recognised.
fn runs(owner: &str, cores: f64, one_thread: Option<&str>) -> ProcessCost {
    ProcessCost {
        runtime: Some(Runtime {
            name: "known".to_owned(),
            one_thread: one_thread.map(str::to_owned),
        }),
        ..process(owner, cores)
    }
}

#[test]
fn threads_that_queue_in_a_process_which_runs_one_at_a_time_lack_no_core() {
    let queue = |of: &[ProcessCost]| {
        let of = of.to_vec();
        first(move |facts| {
            facts.processes.clone_from(&of);
            for process in &mut facts.processes {
                // ten threads on average
                process.counts = [(RUN_QUEUE_WAIT.to_owned(), 100_000_000)].into();
            }
            facts.processes.push(process("weir", 0.3));
            slots(facts, None, 0.09);
        })
    };
    let python = Some("a Python process");
    let locked = queue(&[runs("gunicorn", 1.3, python)]);
    assert_eq!(locked.finding.kind, FindingKind::OneCore);
    let because = &locked.finding.because;
    let lock = " (a Python process runs one thread at a time), and 0.400 of 2 cores were idle";
    assert!(because.contains(lock), "{because}");
    // where nobody looked at its runtime, what the app needs tells
    let stored = queue(&[process("gunicorn", 1.3)]);
    assert_eq!(stored.finding.kind, FindingKind::OneCore);
    let because = &stored.finding.because;
    assert!(because.contains("unless it is built without"), "{because}");
    // threads that run beside each other, and two processes each of which lacks some of a core
    let free = queue(&[runs("gunicorn", 1.3, None)]);
    assert_eq!(free.finding.kind, FindingKind::EveryCoreBusy);
    let two = [0.7; 2].map(|cores| runs("gunicorn", cores, python));
    assert_eq!(queue(&two).finding.kind, FindingKind::EveryCoreBusy);
}

#[test]
fn whether_a_process_runs_one_thread_at_a_time_is_its_runtimes_to_say() {
    let kinds_of = |of: ProcessCost| {
        kinds(move |facts| {
            facts.processes[0] = of.clone();
            slots(facts, Some(64.0), 0.09);
        })
    };
    // an app for one language's interface whose server runs it on another runtime, or is built without the lock
    assert_eq!(
        kinds_of(runs("gunicorn", 1.3, None)),
        [FindingKind::FewClients]
    );
    let front = runs("nginx", 1.15, Some("a process of CRuby"));
    let front = kinds(move |facts| {
        facts.processes[1] = front.clone();
        slots(facts, Some(64.0), 0.09);
    });
    assert_eq!(front, [FindingKind::OneCore]);
}

/// A thread for each connection, which is opened for each request: four wait for one that runs, and not for more clients.
#[test]
fn a_server_of_others_that_runs_one_thread_at_a_time_does_not_lack_clients() {
    let listener = |of: ProcessCost| {
        first(move |facts| {
            facts.stack.servers.clear();
            facts.load.kept_busy = Some(4);
            facts.processes = vec![of.clone(), process("weir", 0.2)];
        })
    };
    let known = listener(runs("python3", 1.16, Some("a Python process")));
    assert_eq!(known.finding.kind, FindingKind::OneCore);
    let next = &known.finding.next;
    assert!(next.starts_with("give `python3` less to do"), "{next}");
    assert_eq!(known.finding.change, None);
    // of one whose runtime nobody could see nothing else is known
    let unknown = listener(process("python3", 1.16));
    assert_eq!(unknown.finding.kind, FindingKind::FewClients);
}

#[test]
fn busy_cores_say_whose_they_are_and_where() {
    let busy = |user: f64| {
        let found = first(move |facts| {
            facts.processes[0] = process("gunicorn", 1.6);
            facts.processes[0].cpu_user *= user;
            facts.processes[0].cpu_system = 16.0 * (1.0 - user);
        });
        assert_eq!(found.finding.kind, FindingKind::EveryCoreBusy);
        found.finding
    };
    let own = busy(0.9);
    assert!(own.because.contains("`gunicorn` 1.60"), "{}", own.because);
    assert!(own.next.contains("16.0 ms of CPU"), "{}", own.next);
    assert!(
        busy(0.2).next.contains("80.0 % of its time in the kernel"),
        "{}",
        busy(0.2).next
    );
}

/// What a program of others serves, as `weir bench` sees it: what else ran is known by what was idle.
#[test]
fn beside_a_server_of_others_idle_cores_tell_what_else_ran() {
    let idle = |cores: f64| {
        move |facts: &mut Measured| {
            facts.stack.servers.clear();
            facts.processes = vec![process("python3", 0.74), process("weir", 0.34)];
            facts.observed.others = None;
            facts.load.kept_busy = Some(4);
            facts.observed.series = ["core 0", "core 1"]
                .map(|of| idle_core(of, cores / 2.0))
                .into();
        }
    };
    let found = found(idle(0.04));
    let kinds_of: Vec<_> = found.iter().map(|of| of.finding.kind).collect();
    // they had more than the server, so that busy cores are no second reason
    assert_eq!(kinds_of, [FindingKind::OtherPrograms]);
    assert_eq!(found[0].finding.confidence, Confidence::Likely);
    assert!(
        found[0].finding.because.contains("0.880 of 2 cores"),
        "{found:?}"
    );
    // a database that it asks is one of them
    let next = &found[0].finding.next;
    assert!(
        next.starts_with("if they are not what that program hands its requests to, end them"),
        "{next}"
    );
    assert_eq!(kinds(idle(0.9)), [FindingKind::FewClients]);
}

/// The same of one that hardly needs a core: what others have is no reason for what its requests wait for.
#[test]
fn what_others_had_and_nobody_lacked_is_no_reason() {
    // cores that the server had and its busiest thread had, and how many of its threads waited for one
    let spoil = |cores: f64, busiest: f64, waited: f64| {
        move |facts: &mut Measured| {
            facts.stack.servers.clear();
            facts.processes = vec![process("python3", cores), process("weir", 0.02)];
            let counts = [(BUSIEST_THREAD, busiest), (RUN_QUEUE_WAIT, waited)];
            let counted = |(name, of): (&str, f64)| (name.to_owned(), (of * SECONDS * 1e6) as u64);
            facts.processes[0].counts = counts.map(counted).into();
            facts.observed.series = ["core 0", "core 1"].map(|of| idle_core(of, 0.01)).into();
            facts.load.kept_busy = Some(4);
        }
    };
    let beside = |cores, busiest, waited| kinds(spoil(cores, busiest, waited));
    let few = first(spoil(0.02, 0.005, 0.2)).finding;
    assert!(few.next.starts_with("end the programs"), "{few:?}");
    assert_eq!((few.gain, few.change), (None, None));
    let lacked = [FindingKind::OtherPrograms];
    assert_eq!(beside(0.02, 0.005, 0.2), [FindingKind::FewClients]);
    assert_eq!(beside(0.02, 0.005, 0.9), [FindingKind::FewClients]);
    // a quarter of the time of the four requests under way
    assert_eq!(beside(0.02, 0.005, 1.1), lacked);
    // a thread that would have run all the time
    assert_eq!(beside(0.35, 0.35, 0.6), lacked);
    assert_eq!(beside(0.35, 0.1, 0.6), [FindingKind::FewClients]);
    // half of the cores that nobody left idle, and the server hardly more
    let half = found(spoil(1.0, 0.2, 0.1));
    let kinds_of: Vec<_> = half.iter().map(|of| of.finding.kind).collect();
    assert_eq!(
        kinds_of,
        [FindingKind::OtherPrograms, FindingKind::EveryCoreBusy]
    );
    let because = &half[1].finding.because;
    assert!(because.contains("other programs 0.9"), "{because}");
}

fn idle_core(of: &str, idle: f64) -> Series {
    Series {
        of: of.to_owned(),
        pid: None,
        name: "idle".to_owned(),
        kind: CounterKind::Total,
        unit: "seconds".to_owned(),
        at: vec![-0.1, 5.0, 9.9],
        values: vec![700.0, 700.0, 700.0 + idle * 10.0],
    }
}

#[test]
fn a_request_that_computes_for_long_sets_the_ceiling_of_every_server() {
    let computes = |alone: f64, app: f64, front: f64| {
        kinds(move |facts| {
            facts.processes[0] = process("gunicorn", app);
            facts.processes[1] = process("nginx", front);
            slots(facts, Some(4.0), alone);
        })
        .contains(&FindingKind::WorkloadCeiling)
    };
    assert!(computes(0.018, 1.8, 0.05));
    assert!(!computes(0.004, 1.8, 0.05), "a server may be a part of it");
    assert!(!computes(0.1, 1.8, 0.05), "it waits, too");
    assert!(!computes(0.018, 1.0, 0.8), "the front end has the cores");
    assert!(!computes(0.018, 0.8, 0.05), "cores are idle");
}

/// The app that it stands for is one of Python's, and does not run.
#[test]
fn a_front_end_that_serves_files_alone_has_no_lock_of_the_app() {
    let mut run = lab::run(&["one"]);
    run.plan.variants[0].fronts = vec![Choice::of("nginx")];
    let mut trial = lab::trial(0, "one", RATE);
    let facts = lab::facts(&mut trial);
    facts.stack.servers = vec![server("nginx", &[("workers", 1)])];
    facts.processes = vec![process("nginx", 0.98), process("weir", 0.2)];
    let judged = judge::judge(&run, &[trial]);
    let one = &judged.variants[0].findings[0].finding;
    assert_eq!(one.kind, FindingKind::OneCore);
    let because = "one process of `nginx` had all of a core, and 0.820 of 2 cores";
    assert!(one.because.starts_with(because), "{one:?}");
}
