//! Whether the server stood still, which a closed loop hides.

use judge::DoubtKind::{Paused, Stalled};
use record::{Blow, Fault, Interval, Pause, PauseFacts, Shape, Struck, Trial};

use crate::lab::{doubts, facts, kinds, trial};

/// Responses of 10 ms over so many connections, and nothing for so long from second 2 on.
fn silent(connections: u32, longest: f64) -> Trial {
    let mut trial = trial(0, "a", 100.0);
    let load = &mut facts(&mut trial).load;
    load.connections = connections;
    load.kept_busy = Some(connections.into());
    load.shape = Shape::default();
    load.silent = Some(stretch(longest));
    trial
}

fn stretch(length: f64) -> PauseFacts {
    PauseFacts {
        longest: length,
        total: length,
        suspended: 0.0,
        stretches: vec![Pause {
            from: 2.0,
            until: 2.0 + length,
        }],
    }
}

fn told(trial: &Trial) -> bool {
    kinds(trial).contains(&(Stalled, false))
}

#[test]
fn a_silence_of_all_connections_is_told_and_never_disqualifies() {
    assert!(!told(&silent(10, 0.19)));
    let stalled = silent(10, 1.0);
    assert!(told(&stalled), "{:?}", doubts(&stalled));
    let said = doubts(&stalled);
    let said = said.iter().find(|doubt| doubt.kind == Stalled).unwrap();
    assert_eq!(
        said.because,
        "no response came on any of 10 connections for 1.00 s (1 time)"
    );
}

/// Connections that are held for a second are why nobody is answered meanwhile, and not why nobody was before.
#[test]
fn a_silence_under_a_fault_is_that_faults() {
    let struck = |at: f64, connections: u32| {
        let mut trial = silent(10, 1.0);
        let load = &mut facts(&mut trial).load;
        let interval = |second: u32| Interval {
            until: f64::from(second),
            completed: 100,
        };
        load.intervals = (1..=10).map(interval).collect();
        let blow = Blow::Connect {
            connections: 200,
            held: 1.0,
        };
        load.struck = vec![Struck {
            fault: Fault { at, blow },
            at,
            processes: 0,
            connections,
            pid_files: 0,
            gone: false,
        }];
        trial
    };
    assert!(!told(&struck(1.1, 200)));
    assert!(!told(&struck(2.1, 200)), "the last response was before");
    assert!(told(&struck(2.1, 0)), "it befell nobody");
    assert!(told(&struck(4.0, 200)), "it began long before the fault");
}

#[test]
fn slow_responses_of_few_connections_and_pauses_of_weir_are_no_stall() {
    assert!(!told(&silent(3, 1.0)), "each may be a slow one by itself");
    let mut slow = silent(10, 1.0);
    let load = &mut facts(&mut slow).load;
    load.response = record::Distribution::default();
    (0..1_000).for_each(|_| load.response.record(300_000_000));
    assert!(!told(&slow), "an answer takes as long as they are silent");
    let mut own = silent(10, 1.0);
    facts(&mut own).load.paused = Some(stretch(1.0));
    assert!(!told(&own));
    assert!(kinds(&own).iter().any(|(kind, _)| *kind == Paused));
}
