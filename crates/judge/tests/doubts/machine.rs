//! Doubts about the machine and who else is on it.

use judge::DoubtKind::{
    ClockChanged, Disturbed, GeneratorSaturated, ShortOfMemory, Starved, StolenCpu,
};
use record::{ClockFacts, OtherProgram, Others, Pressure, Stolen};

use super::spoiled;
use crate::lab::{self, doubts, facts, kinds, trial};

#[test]
fn a_busy_generator_is_told_and_a_saturated_one_disqualifies() {
    let busy = |share| spoiled(|facts| facts.load.engine.busiest = share);
    assert_eq!(kinds(&busy(0.69)), []);
    assert_eq!(kinds(&busy(0.70)), [(GeneratorSaturated, false)]);
    assert_eq!(kinds(&busy(0.89)), [(GeneratorSaturated, false)]);
    assert_eq!(kinds(&busy(0.90)), [(GeneratorSaturated, true)]);
    let because = &doubts(&busy(0.97))[0].because;
    // 0.2 s of CPU a second at 400 requests a second
    assert!(
        because.contains("97.0 %") && because.contains("500 µs"),
        "{because}"
    );
}

#[test]
fn stolen_time_disqualifies_once_it_is_more_than_a_tick() {
    let stolen = |share| spoiled(|facts| facts.stolen = share);
    assert_eq!(kinds(&stolen(0.05)), []);
    assert_eq!(kinds(&stolen(0.06)), [(StolenCpu, true)]);
    // 0.12 s x 2 cores x 10 % = 24 ms: two ticks
    let mut brief = trial(0, "a", REQUESTS_IN_120_MS);
    facts(&mut brief).stolen = 0.1;
    assert_eq!(kinds(&brief), [(StolenCpu, false)]);
}

#[test]
fn a_load_by_itself_is_watched_too() {
    let alone = |share, seconds| {
        let mut trial = spoiled(|facts| facts.load.stolen = Some(Stolen { share, seconds }));
        let doubts = judge::doubts(&facts(&mut trial).load).into_iter();
        let kinds = doubts.map(|doubt| (doubt.kind, doubt.disqualifies));
        kinds.collect::<Vec<_>>()
    };
    assert_eq!(alone(0.05, 1.0), []);
    assert_eq!(alone(0.06, 0.04), [(StolenCpu, false)]);
    assert_eq!(alone(0.06, 0.05), [(StolenCpu, true)]);
}

const REQUESTS_IN_120_MS: f64 = lab::REQUESTS as f64 / 0.12;

#[test]
fn other_programs_are_named_and_what_they_spoil_is_left_out() {
    let beside = |share: f64, seconds: f64, waited: u64| {
        spoiled(move |facts| {
            let program = |name: &str, seconds| OtherProgram {
                name: name.to_owned(),
                seconds,
            };
            facts.observed.others = Some(Others {
                seconds,
                share,
                programs: vec![
                    program("dpkg", 0.8 * seconds),
                    program("cc1", 0.2 * seconds),
                ],
                unseen: 0.0,
            });
            facts.processes[0].counts = [(record::RUN_QUEUE_WAIT.to_owned(), waited)].into();
        })
    };
    assert_eq!(kinds(&beside(0.05, 1.0, 310_000)), []);
    // less than the kernel's clock can tell
    assert_eq!(kinds(&beside(0.06, 0.04, 310_000)), []);
    assert_eq!(kinds(&beside(0.06, 1.0, 310_000)), [(Disturbed, false)]);
    assert_eq!(kinds(&beside(0.19, 1.0, 310_000)), [(Disturbed, false)]);
    assert_eq!(kinds(&beside(0.2, 1.0, 310_000)), [(Disturbed, true)]);
    // there were cores enough for all
    assert_eq!(kinds(&beside(0.5, 1.0, 1_000)), [(Disturbed, false)]);
    assert_eq!(
        doubts(&beside(0.41, 0.82, 310_000))[0].because,
        "`dpkg` and `cc1` took 41.0 % of the machine's CPU time (0.820 core seconds); the programs under load and weir \
         waited 0.310 s for a core"
    );
}

#[test]
fn what_weir_cannot_see_is_told_in_its_place() {
    let beside = |share: f64, unseen: f64| {
        spoiled(move |facts| {
            facts.observed.others = Some(Others {
                seconds: 0.5,
                share,
                programs: vec![OtherProgram {
                    name: "cc1".to_owned(),
                    seconds: 0.2,
                }],
                unseen,
            });
        })
    };
    let unseen = |unseen: f64| doubts(&beside(0.125, unseen))[0].because.clone();
    assert!(unseen(0.0).starts_with("`cc1` took 12.5 %"));
    assert!(unseen(0.1).starts_with("`cc1` and programs that weir cannot see took 12.5 %"));
    assert!(unseen(0.3).starts_with("programs that weir cannot see and `cc1` took 12.5 %"));
    assert_eq!(kinds(&beside(0.4, 0.1)), [(Disturbed, true)]);
    assert_eq!(kinds(&beside(0.4, 0.3)), [(Disturbed, false)]);
}

#[test]
fn a_quota_that_was_used_up_is_told() {
    let held = |throttled| spoiled(move |facts| facts.load.throttled = throttled);
    let window = facts(&mut held(None)).load.seconds;
    assert_eq!(kinds(&held(None)), []);
    assert_eq!(kinds(&held(Some(0.009 * window))), []);
    let starved = held(Some(0.25 * window));
    assert_eq!(kinds(&starved), [(Starved, false)]);
    let because = &doubts(&starved)[0].because;
    assert!(because.ends_with("s, 25.0 % of the window"), "{because}");
}

#[test]
fn who_waits_for_memory_is_told() {
    let window = facts(&mut spoiled(|_| ())).load.seconds;
    let held = |memory: Option<f64>, swapped: f64| {
        spoiled(move |facts| {
            facts.load.pressure = Some(Pressure {
                memory: memory.map(|share| share * window),
                swapped: (swapped * window) as u64,
                major_faults: 1_000_000,
                ..Pressure::default()
            });
        })
    };
    assert_eq!(kinds(&held(Some(0.009), 1_000.0)), []);
    assert_eq!(kinds(&held(Some(0.02), 0.0)), [(ShortOfMemory, false)]);
    // where nobody is known to have waited
    assert_eq!(kinds(&held(None, 9.0)), []);
    assert_eq!(kinds(&held(None, 20.0)), [(ShortOfMemory, false)]);
    let because = &doubts(&held(Some(0.25), 0.0))[0].because;
    assert!(
        because.contains(", 25.0 % of the window; 0 pages went"),
        "{because}"
    );
}

#[test]
fn a_clock_that_falls_is_told() {
    let held = |slowest: f64, slowed| {
        spoiled(move |facts| {
            facts.load.clock = Some(ClockFacts {
                slowest: slowest * 1e9,
                fastest: 3e9,
                slowed,
            });
        })
    };
    assert_eq!(kinds(&held(2.75, 0)), []);
    assert_eq!(kinds(&held(2.6, 0)), [(ClockChanged, false)]);
    assert_eq!(kinds(&held(3.0, 1)), [(ClockChanged, false)]);
    assert_eq!(
        doubts(&held(1.5, 2))[0].because,
        "the fastest processor's clock ran at 1.50 to 3.00 GHz (50.0 % less), and was slowed down against heat 2 times"
    );
}
