//! The run loop without a server: trials come from a table.

mod left_open;
mod scripted;

use load::LoadError;
use record::{Arrivals, Level, OfCapacity, Process, Refine, Shape, Sweep};

use super::*;
pub(crate) use scripted::measured;
use scripted::{Says, beside, failed, of_plan, on_machine, others, run, sound};

#[test]
fn every_block_has_every_variant_once_and_each_is_stored() {
    let came = run(3, false, None, sound);
    assert_eq!(came.outcome.unwrap(), None);
    assert_eq!(came.stored, 12);
    for block in 0..3 {
        let of_block = came.taken.iter().filter(|of| of.0 == block);
        let mut variants: Vec<_> = of_block.map(|of| of.1.as_str()).collect();
        variants.sort_unstable();
        assert_eq!(variants, ["a", "b", "c", "d"]);
    }
}

/// Ten variants whose windows can be cut.
fn ten() -> Plan {
    let mut plan = crate::run::order::tests::plan(1, None, 2);
    plan.slice = 0.1;
    plan.load.amount = record::Amount::Seconds(2.0);
    let more = ["e", "f", "g", "h", "i", "j"].map(|name| record::Variant {
        name: name.to_owned(),
        ..plan.variants[0].clone()
    });
    plan.variants.extend(more);
    plan
}

#[test]
fn each_of_several_groups_has_the_baseline_and_what_is_lost_is_taken_again_in_its_own() {
    let in_slices = |variant: &str, block: u32, attempt: u32| {
        if (variant, block, attempt) == ("a", 1, 0) {
            return Err(failed(variant));
        }
        let mut load = sound(variant, block, attempt)?;
        load.slices = Some(record::SliceFacts {
            count: 20,
            lead: 0.02,
            led: 10,
        });
        Ok(load)
    };
    let came = of_plan(&ten(), None, in_slices, (&[], &[]));
    assert_eq!(came.outcome.unwrap(), None);
    let baselines = |block, attempt| {
        let own = came.taken.iter();
        own.filter(|of| **of == (block, "a".to_owned(), attempt))
            .count()
    };
    assert_eq!(
        (baselines(0, 0), baselines(1, 0), baselines(1, 1)),
        (2, 2, 2)
    );
    assert_eq!(came.stored as u64, came.plan.trials() + 2);
}

/// Nothing is gained by a further baseline where its window is whole.
#[test]
fn a_baseline_that_is_too_slow_for_slices_runs_once_in_a_block() {
    let came = of_plan(&ten(), None, sound, (&[], &[]));
    assert_eq!(came.outcome.unwrap(), None);
    let baselines = came.taken.iter().filter(|of| of.1 == "a").count();
    assert_eq!((baselines, came.stored), (2, 20));
}

#[test]
fn what_is_lost_once_is_taken_again_when_its_block_is_through() {
    let came = run(2, false, None, |variant, block, attempt| match attempt {
        0 if variant == "c" && block == 0 => Err(failed(variant)),
        _ => sound(variant, block, attempt),
    });
    assert_eq!(came.outcome.unwrap(), None);
    assert_eq!(came.taken[4], (0, "c".to_owned(), 1));
    assert_eq!((came.taken.len(), came.stored), (9, 9));
    assert_eq!(came.aside, [Vec::<String>::new()], "nothing disturbed it");
}

#[test]
fn what_is_lost_three_times_ends_the_run_unless_it_keeps_going() {
    let says: Says = |variant, block, attempt| match variant {
        "c" => Err(failed(variant)),
        _ => sound(variant, block, attempt),
    };
    let came = run(2, false, None, says);
    assert!(matches!(came.outcome, Err(ExperimentError::Variant { .. })));
    assert_eq!(came.taken.iter().filter(|of| of.1 == "c").count(), 3);
    assert_eq!(came.stored, came.taken.len());

    let came = run(2, true, None, says);
    assert_eq!(came.outcome.unwrap(), None);
    let second: Vec<_> = came.taken.iter().filter(|of| of.0 == 1).collect();
    assert_eq!(second.len(), 3, "it is left out: {second:?}");
    assert_eq!(came.hints.len(), 1, "{:?}", came.hints);
}

#[test]
fn what_will_not_pass_is_not_tried_again() {
    let came = run(2, false, None, |variant, _, _| {
        Err(ExperimentError::Load {
            variant: variant.to_owned(),
            error: Box::new(LoadError::Interrupted),
        })
    });
    assert!(came.outcome.is_err());
    assert_eq!(came.taken.len(), 1);
}

#[test]
fn blocks_that_do_not_fit_are_left_out_and_the_first_is_whole() {
    let came = run(6, false, Some(9.0), sound);
    let cut = came.outcome.unwrap().unwrap();
    assert_eq!((cut.blocks, cut.trials), (2, 0), "{cut:?}");
    assert_eq!(came.taken.len(), 8);
    let came = run(6, false, Some(0.1), sound);
    assert_eq!(came.outcome.unwrap().unwrap().blocks, 1);
    assert_eq!(came.taken.len(), 4);
}

/// Points that are added where curves turn are no part of the first block that is run whatever it takes.
#[test]
fn points_that_do_not_fit_are_left_to_whoever_resumes_the_run() {
    let mut plan = crate::run::order::tests::plan(1, None, 1);
    for (variant, level) in plan.variants.iter_mut().zip(1_u32..) {
        variant.sweep = Some(Sweep {
            family: "x".to_owned(),
            levels: vec![Level {
                factor: "connections".to_owned(),
                level: level.to_string(),
                number: Some(f64::from(level)),
            }],
            added: false,
        });
    }
    plan.refine = vec![Refine {
        family: "x".to_owned(),
        factor: "connections".to_owned(),
        path: "load.connections".to_owned(),
        points: 2,
        decided: false,
    }];
    let came = of_plan(&plan, Some(5.0), sound, (&[], &[]));
    assert_eq!(came.outcome.unwrap(), None);
    assert!(is_open(&came.plan), "two more would take until 6.0 s");
    assert_eq!(came.taken.len(), 4);
    let came = of_plan(&plan, Some(6.0), sound, (&[], &[]));
    assert!(!is_open(&came.plan));
}

#[test]
fn ctrl_c_ends_it_before_the_next_trial_and_is_told_as_such() {
    let came = run(30, false, None, sound);
    let Err(ExperimentError::Interrupted { done, planned, .. }) = came.outcome else {
        panic!("{:?}", came.outcome);
    };
    // the trial that was under way is no result
    assert_eq!((done, planned), (99, 120));
    assert_eq!((came.taken.len(), came.stored), (100, 99));
}

#[test]
fn a_disturbed_trial_is_taken_again_once_the_machine_is_quiet() {
    // the last of the four trials of the first block; then two looks until it is quiet
    let came = beside(
        2,
        false,
        None,
        sound,
        (false, &[0.0, 0.0, 0.0, 0.3], &[0.4, 0.4]),
    );
    assert_eq!(came.outcome.unwrap(), None);
    let again: Vec<_> = came.taken.iter().filter(|of| of.2 == 1).collect();
    assert_eq!(again, [&(0, came.taken[3].1.clone(), 1)]);
    assert_eq!(came.taken.len(), 9);
    assert_eq!(came.waits.len(), 2, "{:?}", came.waits);
    assert_eq!(came.aside, [["hog"]]);
}

#[test]
fn a_machine_that_is_loud_at_first_is_waited_for_before_the_first_trial() {
    let plan = crate::run::order::tests::plan(1, None, 1);
    let begun = |share, now: &[f64]| {
        let quiet = Quiet::seen(Some(&others(share)));
        on_machine(quiet, &plan, None, sound, (&[], now))
    };
    // two looks until it is quiet, and the one that shows it
    let came = begun(0.4, &[0.4, 0.4]);
    assert_eq!(came.outcome.unwrap(), None);
    assert_eq!((came.waits.len(), came.taken.len()), (2, 4));
    assert!(
        (came.seconds - 5.5).abs() < 1e-9,
        "four trials and three looks: {}",
        came.seconds
    );
    let came = begun(0.05, &[0.4, 0.4]);
    assert_eq!((came.waits.len(), came.taken.len()), (0, 4));
}

#[test]
fn quiet_is_not_waited_for_without_end() {
    let (always, half) = ([0.5; 200], [0.5; 200]);
    let came = beside(9, false, None, sound, (false, &always, &half));
    assert_eq!(came.outcome.unwrap(), None);
    // each variant is taken again twice, once; and of each block 20 s are waited, of the run 60
    assert_eq!(came.taken.len(), 9 * 4 + 2 * 4);
    assert!(
        (came.seconds - came.taken.len() as f64 - 60.0).abs() < 1.0,
        "{}",
        came.seconds
    );

    let came = beside(9, false, Some(40.0), sound, (false, &always, &half));
    assert_eq!(came.waits.len(), 4, "5 % of the budget: {:?}", came.waits);
}

#[test]
fn on_a_shared_machine_others_are_nothing_that_passes() {
    let came = beside(2, false, None, sound, (true, &[0.5; 8], &[0.5; 200]));
    assert_eq!((came.taken.len(), came.waits.len()), (8, 0));
}

/// At half of the capacity of `b`.
fn at_half() -> Plan {
    let mut plan = crate::run::order::tests::plan(1, None, 1);
    plan.load.shape = Shape::Open(Arrivals {
        process: Process::Poisson,
        segments: Arrivals::steady(0.5),
        max_outstanding: Arrivals::MAX_OUTSTANDING,
        seed: 1,
    });
    plan.of_capacity = Some(OfCapacity::of("b".to_owned()));
    plan
}

#[test]
fn rates_are_known_before_the_first_block_by_a_loop_that_is_no_trial() {
    let came = of_plan(&at_half(), None, sound, (&[], &[]));
    assert_eq!(came.outcome.unwrap(), None);
    assert_eq!(came.taken[0], (0, "b".to_owned(), 0));
    assert_eq!((came.taken.len(), came.stored), (5, 4));
    // 5,000 responses in 10 s
    assert_eq!(came.plan, at_half().at_capacity(500.0));
    let arrivals = came.plan.load.shape.arrivals();
    assert!((arrivals.unwrap().highest_rate() - 250.0).abs() < 1e-9);
    let again = of_plan(&came.plan, None, sound, (&[], &[]));
    assert_eq!((again.taken.len(), again.stored), (4, 4));
}

#[test]
fn a_capacity_that_cannot_be_measured_ends_the_run_whatever_goes_on() {
    let plan = Plan {
        keep_going: true,
        ..at_half()
    };
    let says: Says = |variant, _, _| Err(failed(variant));
    let came = of_plan(&plan, None, says, (&[], &[]));
    let Err(error @ ExperimentError::Capacity { .. }) = came.outcome else {
        panic!("{:?}", came.outcome);
    };
    assert!(error.to_string().contains("the capacity of `b`"), "{error}");
    assert_eq!((came.taken.len(), came.stored), (3, 0));
    assert_eq!(came.plan, plan);
}
