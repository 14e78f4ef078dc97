use super::*;

/// A plan of four variants.
fn plan(blocks: u32) -> Plan {
    crate::run::order::tests::plan(1, None, blocks)
}

fn blocks(plan: &Plan) -> Vec<Block> {
    let slots = |number| (0..).zip(crate::run::order::order(plan, number)).collect();
    (0..plan.all_blocks())
        .map(|number| Block {
            number,
            slots: slots(number),
            stress: plan.stress_in(number),
            for_reasons: false,
        })
        .collect()
}

/// Four variants, each of which is thought to take so many seconds.
fn course(budget: f64, each: f64) -> Course {
    let variants = ["a", "b", "c", "d"].map(|name| (name.to_owned(), each));
    Course {
        budget: Some(budget),
        beyond: 0.0,
        until: None,
        without_reasons: false,
        forecast: Forecast::new(variants),
    }
}

/// The trials of a block, in their order.
fn slots(block: &Block) -> Vec<Slot> {
    block.slots.iter().map(|(_, slot)| slot.clone()).collect()
}

#[test]
fn as_many_blocks_are_run_as_fit_and_no_more_than_the_plan_has() {
    let plan = plan(8);
    let all = blocks(&plan);
    for (budget, fit) in [
        (100.0, 8),
        (32.0, 8),
        (31.9, 7),
        (24.0, 6),
        (8.5, 2),
        (4.0, 1),
        (1.0, 1),
    ] {
        let outlook = course(budget, 1.0).outlook(&plan, &all, &[], 0.0);
        assert_eq!((outlook.blocks, outlook.of), (fit, 8), "{budget}");
        assert_eq!(outlook.trials, u64::from(fit) * 4, "{budget}");
        assert!(
            (outlook.left - f64::from(fit) * 4.0).abs() < 1e-9,
            "{outlook:?}"
        );
    }
    let unlimited = Course {
        budget: None,
        ..course(0.0, 1.0)
    };
    let outlook = unlimited.outlook(&plan, &all, &[], 1e6);
    assert_eq!((outlook.blocks, outlook.budget), (8, None));
    assert!((outlook.left - 32.0).abs() < 1e-9);
}

/// A number of trials that grows smaller on the way is told as the most that there may be.
#[test]
fn what_may_not_fit_in_the_end_is_an_upper_limit() {
    let plan = plan(8);
    let all = blocks(&plan);
    let at_most = |budget: f64, left: &[Block], spent| {
        let outlook = course(budget, 1.0).outlook(&plan, left, &[], spent);
        assert!((outlook.all - 32.0).abs() < 1e-9, "{outlook:?}");
        outlook.at_most
    };
    assert!(at_most(31.0, &all, 0.0), "a block is left out");
    assert!(at_most(63.0, &all, 0.0), "all fit if they take 32 s");
    assert!(!at_most(64.0, &all, 0.0));
    // two blocks are left
    assert!(!at_most(40.0, &all[6..], 24.0) && at_most(39.0, &all[6..], 24.0));
    let unlimited = Course {
        budget: None,
        ..course(0.0, 1.0)
    };
    assert!(!unlimited.outlook(&plan, &all, &[], 1e6).at_most);
}

#[test]
fn a_run_that_is_gone_on_with_later_ends_after_the_blocks_that_it_is_wanted_for() {
    let plan = plan(8);
    let all = blocks(&plan);
    let course = Course {
        until: Some(4),
        ..course(100.0, 1.0)
    };
    let outlook = course.outlook(&plan, &all, &[], 0.0);
    assert_eq!((outlook.blocks, outlook.of, outlook.trials), (4, 4, 16));
    let after = course.outlook(&plan, &all[4..], &[], 16.0);
    assert_eq!((after.blocks, after.of, after.trials), (4, 4, 0));
    assert!(course.begins(&plan, &all[3..], 12.0));
    assert!(!course.begins(&plan, &all[4..], 16.0));
    let whole = crate::run::order::order(&plan, 4);
    let cut = course.cut(&plan, &all[4..], &whole, 16.0);
    assert_eq!(cut.map(|cut| (cut.blocks, cut.budget)), Some((4, 100.0)));
    let unlimited = Course {
        budget: None,
        ..course
    };
    let cut = unlimited.cut(&plan, &all[4..], &whole, 16.0);
    assert_eq!(cut.map(|cut| (cut.blocks, cut.budget)), Some((4, 16.0)));
}

#[test]
fn trials_that_take_longer_leave_room_for_fewer_blocks() {
    let plan = plan(8);
    let all = blocks(&plan);
    let mut course = course(32.0, 1.0);
    assert_eq!(course.outlook(&plan, &all, &[], 0.0).blocks, 8);
    for variant in ["a", "b", "c", "d"] {
        course.forecast.ended(variant, 2.0);
    }
    // the first block took eight seconds instead of four, and so will the others
    assert_eq!(course.outlook(&plan, &all[1..], &[], 8.0).blocks, 4);
    assert!(course.begins(&plan, &all[3..], 24.0));
    assert!(!course.begins(&plan, &all[4..], 32.0));
}

#[test]
fn a_run_ends_with_a_block_and_inside_one_where_the_next_trials_would_end_too_late() {
    let plan = plan(6);
    let all = blocks(&plan);
    let course = course(10.0, 1.0);
    let trials = slots(&all[1]);
    let goes_on = |left: &[Block], group: usize, spent| {
        course.has_time_for(&plan, left, trials[..group].iter(), spent)
    };
    assert!(course.begins(&plan, &all, 9.0), "something is to be seen");
    assert!(goes_on(&all, 4, 20.0), "and to be compared");
    let rest = &all[1..];
    assert!(!course.begins(&plan, rest, 9.0), "it would not end in time");
    // a tenth of the budget for the rest of what was begun
    assert!(goes_on(rest, 1, 9.9) && !goes_on(rest, 1, 10.1));
    assert!(goes_on(rest, 2, 8.9) && !goes_on(rest, 2, 9.1));
    let unlimited = Course {
        budget: None,
        ..course.clone()
    };
    assert!(unlimited.has_time_for(&plan, rest, trials.iter(), 1e6));
}

/// Points that are added to a sweep are no reason to take more time than there is.
#[test]
fn trials_that_the_plan_does_not_have_yet_have_to_fit_even_after_the_first_block() {
    let like: Vec<Slot> = slots(&blocks(&plan(6))[0]).split_off(2);
    let course = course(10.0, 1.0);
    assert!(course.has_time_for_more(&like, 8.0));
    assert!(!course.has_time_for_more(&like, 8.1));
    assert!(course.has_time_for_more(&[], 10.0));
}

/// A slow trial at the end takes no block away, and what was spent is told as it was.
#[test]
fn a_run_may_go_beyond_its_budget_by_what_it_is_allowed() {
    let plan = plan(6);
    let all = blocks(&plan);
    let strict = course(20.0, 1.0);
    let course = Course {
        beyond: 2.0,
        ..strict.clone()
    };
    assert!(!strict.begins(&plan, &all[4..], 17.5) && course.begins(&plan, &all[4..], 17.5));
    assert!(!course.begins(&plan, &all[4..], 18.5));
    let trial = slots(&all[4]);
    let goes_on = |spent| course.has_time_for(&plan, &all[4..], trial[..1].iter(), spent);
    assert!(goes_on(21.0) && !goes_on(21.1));
    let outlook = course.outlook(&plan, &all[4..], &[], 17.5);
    assert_eq!((outlook.blocks, outlook.budget), (5, Some(20.0)));
    assert!((outlook.left - 4.0).abs() < 1e-9, "{outlook:?}");
    let cut = course.cut(&plan, &all[5..], &trial, 21.5);
    let told = cut.map(|cut| (cut.budget, cut.spent));
    assert_eq!(told, Some((20.0, 21.5)), "the true times");
}

#[test]
fn what_is_left_out_is_told() {
    let plan = plan(6);
    let mut left = blocks(&plan).split_off(2);
    let whole = crate::run::order::order(&plan, 2);
    let course = course(10.0, 1.0);
    let cut = course.cut(&plan, &left, &whole, 8.2).unwrap();
    assert_eq!((cut.blocks, cut.trials), (2, 0));
    assert!((cut.block - 4.0).abs() < 1e-9 && (cut.spent - 8.2).abs() < 1e-9);
    left[0].slots.remove(0);
    assert_eq!(course.cut(&plan, &left, &whole, 10.1).unwrap().trials, 1);
    assert_eq!(course.cut(&plan, &[], &whole, 8.2), None, "nothing is");
}

/// A block that is left out voids more verdicts than a trial that is missing.
#[test]
fn a_trial_is_taken_again_where_as_many_blocks_fit_as_without_it() {
    let plan = plan(6);
    let all = blocks(&plan);
    let slot = crate::run::order::order(&plan, 0).remove(0);
    let has_time =
        |budget, left: &[Block], spent| course(budget, 1.0).has_time_besides(left, [&slot], spent);
    assert!(has_time(25.0, &all[1..], 4.0));
    assert!(
        !has_time(24.0, &all[1..], 4.0),
        "the sixth block would not fit"
    );
    // no block fits what is left of the time, and a trial does
    assert!(has_time(22.5, &all[5..], 20.0));
    assert!(!has_time(20.5, &all[5..], 20.0));
    assert!(has_time(25.0, &[], 24.0));
    let unlimited = Course {
        budget: None,
        ..course(0.0, 1.0)
    };
    assert!(unlimited.has_time_besides(&all, [&slot], 1e6));
}

/// The verdicts come first: stress has what they leave, and a run without it is not cut short.
#[test]
fn stress_takes_the_time_that_blocks_leave() {
    let stressed = Plan {
        stress: vec![record::Stress::IdleConnections],
        ..plan(6)
    };
    let all = blocks(&stressed);
    assert_eq!(all.len(), 7);
    let only = course(30.0, 1.0);
    assert!(only.begins(&stressed, &all[5..], 20.0));
    assert!(
        !only.begins(&stressed, &all[6..], 24.0),
        "it would take longer than 6 s"
    );
    let trial = slots(&all[6]);
    let goes_on = |spent| only.has_time_for(&stressed, &all[6..], trial[..1].iter(), spent);
    let each = only
        .forecast
        .under_stress(record::Stress::IdleConnections, 1);
    assert!(goes_on(32.9 - each) && !goes_on(33.1 - each));
    assert_eq!(only.cut(&stressed, &all[6..], &[], 24.0), None);
    let cut = only.cut(&stressed, &all[5..], &[], 29.0).unwrap();
    assert_eq!(cut.blocks, 5);
    let outlook = only.outlook(&stressed, &all, &[], 0.0);
    assert_eq!((outlook.blocks, outlook.of), (6, 6));
    assert_eq!(
        (outlook.trials, outlook.most),
        (24, 28),
        "stress is thought not to fit, and may"
    );
    let few = course(12.0, 1.0).outlook(&stressed, &all, &[], 0.0);
    assert_eq!((few.blocks, few.trials, few.most), (3, 12, 12));
    let ample = course(100.0, 1.0).outlook(&stressed, &all, &[], 0.0);
    assert_eq!((ample.trials, ample.most), (28, 28));
}

/// Claims come first, those of other plans too: reasons have the time that they leave.
#[test]
fn blocks_that_are_for_reasons_may_be_left_for_later() {
    let plan = plan(8);
    let mut all = blocks(&plan);
    for block in &mut all[5..] {
        block.for_reasons = true;
    }
    let course = Course {
        without_reasons: true,
        ..course(100.0, 1.0)
    };
    assert!(course.begins(&plan, &all[4..], 16.0));
    assert!(!course.begins(&plan, &all[5..], 20.0));
    let outlook = course.outlook(&plan, &all[4..], &[], 16.0);
    assert_eq!((outlook.blocks, outlook.trials), (5, 4));
    let whole = crate::run::order::order(&plan, 5);
    let cut = course.cut(&plan, &all[5..], &whole, 20.0);
    assert_eq!(cut.map(|cut| (cut.blocks, cut.trials)), Some((5, 0)));
    let later = Course {
        without_reasons: false,
        ..course
    };
    assert!(later.begins(&plan, &all[5..], 20.0));
}
