//! Doubts about the machine and who else is on it.

use judge::DoubtKind::{
    ClockChanged, Disturbed, GeneratorSaturated, ShortOfMemory, Starved, StolenCpu,
};
use record::{ClockFacts, Measured, OtherProgram, Others, Pressure, Run, Stolen, Trial};

use super::{in_slices, spoiled};
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
            let program = |name: &str, seconds, processes, pid| OtherProgram {
                name: name.to_owned(),
                seconds,
                processes,
                pid,
            };
            facts.observed.others = Some(Others {
                seconds,
                share,
                programs: vec![
                    program("dpkg", 0.8 * seconds, 1, Some(4711)),
                    program("cc1", 0.2 * seconds, 12, None),
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
        "`dpkg` (PID 4711) and `cc1` (12 processes) took 41.0 % of the machine's CPU time (0.820 core seconds); the \
         programs under load and weir waited 0.310 s for a core; the stack waited 0.310 s for a core, about 0.167 s of it for \
         theirs (11.8 % of the time in which it could have had one)"
    );
}

/// What ends them is first, then what counts trials beside them, and a service last.
#[test]
fn what_to_do_about_other_programs_begins_with_what_ends_them() {
    let words = judge::beside_others(Some("`kill 12 13`"));
    assert!(
        words.starts_with("end these programs (`kill 12 13`); "),
        "{words}"
    );
    let past = judge::beside_others(None);
    assert!(past.starts_with("end these programs; "), "{past}");
    let (shared, service) = (words.find("`--shared`"), words.find("`[services.NAME]`"));
    assert!(shared.is_some() && shared < service, "{words}");
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
                    ..OtherProgram::default() // stored when processes were not counted
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
    assert_eq!(kinds(&beside(0.4, 0.3)), [(Disturbed, true)]);
}

/// Beside programs that took this share of two cores, the stack waited for one for so many seconds. It had one for 1.25 s, of
/// 2.5 s, and weir for half a second.
fn waits(share: f64, seconds: f64, more: impl Fn(&mut Measured)) -> Trial {
    spoiled(|facts| {
        let program = OtherProgram {
            name: "dpkg".to_owned(),
            seconds: 5.0 * share,
            processes: 1,
            pid: Some(4711),
        };
        facts.observed.others = Some(Others {
            seconds: 5.0 * share,
            share,
            programs: vec![program],
            unseen: 0.0,
        });
        let waited = (seconds * 1e6) as u64;
        facts.processes[0].counts = [(record::RUN_QUEUE_WAIT.to_owned(), waited)].into();
        more(facts);
    })
}

#[test]
fn a_stack_that_waits_for_cores_that_others_have_is_starved() {
    let kinds_of = |seconds| kinds(&waits(0.15, seconds, |_| {}));
    // less than others take of the machine may be much of what the stack had
    assert_eq!(kinds_of(1.2), [(Starved, true)]);
    assert_eq!(kinds_of(0.5), [(Disturbed, false)]);
    assert_eq!(kinds_of(0.3), [(Disturbed, false)]);
    // the same programs are told once
    assert_eq!(kinds(&waits(0.45, 1.2, |_| {})), [(Disturbed, true)]);
    assert_eq!(
        doubts(&waits(0.15, 1.2, |_| {}))[0].because,
        "`dpkg` (PID 4711) took 15.0 % of the machine's CPU time (0.750 core seconds); the stack waited 1.20 s for a core, \
         about 0.360 s of it for theirs (22.4 % of the time in which it could have had one)"
    );
    // the generator's waiting is not the stack's
    let generator = waits(0.15, 1.2, |facts| {
        facts.processes[2].counts = std::mem::take(&mut facts.processes[0].counts);
    });
    assert_eq!(kinds(&generator), [(Disturbed, false)]);
}

/// A database of the system, which took this share of two cores for the stack.
fn database(share: f64) -> Others {
    Others {
        seconds: 5.0 * share,
        share,
        programs: vec![OtherProgram {
            name: "postgres".to_owned(),
            seconds: 5.0 * share,
            processes: 1,
            pid: Some(812),
        }],
        unseen: 0.0,
    }
}

#[test]
fn a_database_that_the_stack_uses_neither_disturbs_nor_starves_it() {
    let beside = |share| {
        waits(share, 1.2, |facts| {
            facts.observed.partners = Some(database(0.5));
        })
    };
    assert_eq!(kinds(&beside(0.0)), []);
    // most of the time in which it waited for a core its database had that
    assert_eq!(kinds(&beside(0.15)), [(Disturbed, false)]);
    let because = &doubts(&beside(0.15))[0].because;
    let told = "; for the stack `postgres` (PID 812) took 50.0 % of the machine's CPU time (2.50 core seconds), which disturbs \
                nothing";
    assert!(because.ends_with(told), "{because}");
}

/// However long its threads wait: others did not keep it from more than they took.
#[test]
fn a_stack_with_more_workers_than_cores_waits_for_itself() {
    let crowded = |share| {
        kinds(&waits(share, 30.0, |facts| {
            facts.processes[0].cpu_user = 3.0;
        }))
    };
    assert_eq!(crowded(0.0), []);
    assert_eq!(crowded(0.04), []);
}

#[test]
fn on_a_shared_machine_a_starved_trial_counts() {
    let mut run = lab::run(&["a"]);
    let starved = waits(0.15, 1.2, |_| {});
    let transient = |run: &Run| judge::transient(run, &starved).map(|doubt| doubt.kind);
    assert_eq!(transient(&run), Some(Starved));
    run.plan.shared = true;
    assert_eq!(transient(&run), None);
}

/// They may work for it in a way that weir does not see.
#[test]
fn programs_beside_a_server_of_others_are_told_and_keep_nothing_out() {
    let mut run = lab::run(&["a"]);
    run.plan.variants[0].url = Some("http://localhost:8000/".to_owned());
    let told = |trial: Trial| {
        let judged = judge::judge(&run, &[trial]);
        judged.trials[0].doubts.clone()
    };
    for share in [0.45, 0.15] {
        let all = told(waits(share, 1.2, |_| {}));
        let kinds: Vec<_> = all.iter().map(|of| (of.kind, of.disqualifies)).collect();
        assert_eq!(kinds, [(Disturbed, false)], "{all:?}");
        let advice = &all[0].advice;
        assert!(
            advice.starts_with("end these programs, if they do not work for"),
            "{advice}"
        );
    }
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
    assert_eq!(kinds(&in_slices(held(Some(0.015 * window)))), []);
    assert_eq!(kinds(&in_slices(starved)), [(Starved, false)]);
    // and others apart from it
    let both = waits(0.15, 0.5, |facts| {
        facts.load.throttled = Some(0.25 * facts.load.seconds);
    });
    assert_eq!(kinds(&both), [(Disturbed, false), (Starved, false)]);
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
    assert_eq!(kinds(&held(Some(0.015), 0.0)), [(ShortOfMemory, false)]);
    assert_eq!(kinds(&in_slices(held(Some(0.015), 0.0))), []);
    assert_eq!(kinds(&in_slices(held(None, 15.0))), []);
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
