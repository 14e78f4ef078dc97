use super::*;
use crate::Interval;

/// Ten seconds at so many responses in each half second.
fn facts(rates: &[u64], at: &[f64]) -> LoadFacts {
    let interval = |(index, completed): (usize, &u64)| Interval {
        until: (index + 1) as f64 / 2.0,
        completed: *completed,
    };
    let struck = |at: &f64| Struck {
        fault: Fault {
            at: *at,
            blow: Blow::Kill(Victim::Worker),
        },
        at: *at,
        processes: 1,
        connections: 0,
        pid_files: 0,
        gone: false,
    };
    LoadFacts {
        seconds: rates.len() as f64 / 2.0,
        intervals: rates.iter().enumerate().map(interval).collect(),
        struck: at.iter().map(struck).collect(),
        ..LoadFacts::default()
    }
}

#[test]
fn who_never_fell_was_back_at_once_and_who_never_rose_takes_the_rest() {
    let steady = facts(&[50; 20], &[2.0]);
    let of = |facts: &LoadFacts| facts.recovery().map(|of| (of.seconds, of.back));
    assert_eq!(of(&steady), Some((0.0, true)));
    let mut dead = [50; 20];
    dead[4..].fill(0);
    assert_eq!(of(&facts(&dead, &[2.0])), Some((8.0, false)));
    let mut back = [50; 20];
    back[4..7].fill(0);
    assert_eq!(of(&facts(&back, &[2.0])), Some((1.5, true)));
    assert_eq!(facts(&back, &[]).recovery(), None);
    assert_eq!(facts(&[0; 20], &[2.0]).recovery(), None);
}

/// The second after it had as many responses as usual, nearly.
#[test]
fn a_pause_within_the_first_second_is_told() {
    let at_twenty = |rates: &[u64]| {
        let mut all = facts(rates, &[1.0]);
        for of in &mut all.intervals {
            of.until /= 10.0;
        }
        all.seconds /= 10.0;
        all.recovery().map(|of| (of.seconds, of.back))
    };
    let mut paused = [50; 80];
    paused[21..23].fill(0);
    let (seconds, back) = at_twenty(&paused).unwrap();
    assert!(back && (seconds - 0.15).abs() < 1e-9, "{seconds}");
    let few = paused.map(|responses| responses / 10);
    assert_eq!(at_twenty(&few), Some((0.0, true)), "by chance none came");
}

#[test]
fn what_befell_nobody_was_not_got_over() {
    let mut missed = facts(&[50; 20], &[2.0, 4.0]);
    missed.struck[0].processes = 0;
    assert!(missed.was_struck() && missed.recovery().is_some());
    missed.struck[1].processes = 0;
    assert_eq!((missed.was_struck(), missed.recovery()), (false, None));
    // nor is a dead server's fault the end of that before
    let mut dead = [50; 20];
    dead[4..].fill(0);
    let mut dead = facts(&dead, &[2.0, 5.0]);
    dead.struck[1].processes = 0;
    let recovery = dead.recovery().unwrap();
    assert_eq!((recovery.seconds, recovery.back), (8.0, false));
}

#[test]
fn the_longest_of_several_counts() {
    let mut rates = [50; 20];
    rates[4..5].fill(0);
    rates[10..14].fill(0);
    let slowest = facts(&rates, &[2.0, 5.0]).recovery().unwrap();
    assert_eq!((slowest.seconds, slowest.back), (2.0, true));
    // back after 3 s, and the second time never in the 2 s that were left
    let mut rates = [50; 20];
    rates[4..10].fill(0);
    rates[16..].fill(0);
    let slowest = facts(&rates, &[2.0, 8.0]).recovery().unwrap();
    assert_eq!((slowest.seconds, slowest.back), (2.0, false));
}

#[test]
fn a_fault_is_at_work_until_it_is_over_and_the_stack_is_back() {
    let mut back = [50; 20];
    back[4..7].fill(0);
    let mut load = facts(&back, &[2.0]);
    assert_eq!(load.under_faults(), [[2.0, 4.5]]);
    load.struck[0].fault.blow = Blow::Connect {
        connections: 200,
        held: 3.0,
    };
    assert_eq!(load.under_faults(), [[2.0, 6.0]]);
    load.struck[0].processes = 0;
    assert!(load.under_faults().is_empty(), "it befell nothing");
    assert!(facts(&[0; 20], &[2.0]).under_faults().is_empty());
}

#[test]
fn plans_write_it_in_a_line() {
    let read = |text: &str| serde_json::from_str::<Fault>(text);
    let fault = read(r#"{"at": 3, "kill": "worker"}"#).unwrap();
    assert_eq!((&*fault.words(), fault.at), ("a worker is killed", 3.0));
    let written = serde_json::to_string(&fault).unwrap();
    assert_eq!(written, r#"{"at":3.0,"kill":"worker"}"#);
    let stale = r#"{"at":3.0,"stale-pid":"main"}"#;
    let fault = read(stale).unwrap();
    assert_eq!(
        fault.words(),
        "the main process is killed and a stale pid file is left"
    );
    assert_eq!(serde_json::to_string(&fault).unwrap(), stale);
    for wrong in [
        r#"{"at": 3}"#,
        r#"{"at": 3, "kill": "worker", "hang": "all"}"#,
        r#"{"at": 3, "kill": "main", "stale-pid": "main"}"#,
        r#"{"at": 3, "kill": "nobody"}"#,
        r#"{"at": 3, "kill": "worker", "then": 1}"#,
        r#"{"at": 3, "kill": "worker", "held": 1}"#,
        r#"{"at": 3, "kill": "worker", "connections": 5}"#,
        r#"{"at": 3, "held": 1}"#,
    ] {
        assert!(read(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn connections_are_a_burst_or_fill_the_queue() {
    for (text, words, until) in [
        (
            r#"{"at":3.0,"connections":500}"#,
            "500 connections are opened and closed",
            3.0,
        ),
        (
            r#"{"at":3.0,"connections":1,"held":2.5}"#,
            "1 connection is held open (2.5 s)",
            5.5,
        ),
    ] {
        let fault: Fault = serde_json::from_str(text).unwrap();
        assert_eq!((fault.words(), fault.until()), (words.to_owned(), until));
        assert_eq!(serde_json::to_string(&fault).unwrap(), text);
    }
    let mut load = facts(&[50; 20], &[2.0]);
    load.struck[0].processes = 0;
    assert!(!load.was_struck(), "none could be opened");
    load.struck[0].connections = 499;
    assert!(load.was_struck() && load.recovery().is_some());
}
