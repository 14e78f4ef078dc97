use super::*;

/// It sleeps for 50 ms in each answer, and works for one.
const SLEEPER: AppTimes = AppTimes {
    variant: String::new(),
    around: 1.0,
    answer: 0.05,
    cpu: 0.001,
    before: 0.0,
    loaded: None,
};

fn of_two_cores(requests: Option<f64>) -> AtOnce {
    AtOnce { requests, cores: 2 }
}

fn load() -> Load {
    Load {
        connections: 100,
        amount: Amount::Requests(1_000),
        warm_up: WarmUpPlan::Requests(200),
        ..crate::run::order::tests::plan(1, None, 6).load
    }
}

/// Predictions of a server that waits for one hundred at once, and what such loads took.
#[test]
fn an_app_that_waits_takes_as_long_as_its_server_lets_it_wait_at_once() {
    let near = |slots: Option<f64>, took: f64| {
        let thought = SLEEPER.of_load(&load(), of_two_cores(slots), None, None);
        assert!(
            (took / 1.5..took * 1.5).contains(&thought),
            "{slots:?}: {thought} s, and not {took} s"
        );
    };
    // 1,200 answers, 100 at once, each 50 ms: 0.6 s; the work of one core: 1.2 s
    near(None, 1.6);
    // four threads: 1,200 x 50 ms / 4
    near(Some(4.0), 16.0);
    // one at a time
    near(Some(1.0), 61.0);
    let few = Load {
        connections: 2,
        ..load()
    };
    let thought = SLEEPER.of_load(&few, of_two_cores(None), None, None);
    assert!(
        (30.0..33.0).contains(&thought),
        "its clients ask no faster: {thought} s"
    );
}

#[test]
fn an_app_that_works_is_no_faster_for_many_at_once() {
    let worker = AppTimes {
        cpu: 0.05,
        ..SLEEPER
    };
    let thought = worker.of_load(&load(), of_two_cores(None), None, None);
    assert!(thought > 60.0, "{thought} s");
}

/// A server that serves some connections and holds the others back answers the last of them when the others are through:
/// after the warm-up, and after the window or each of its slices.
#[test]
fn what_waits_for_long_is_waited_for_at_each_end() {
    let window = Load {
        amount: Amount::Seconds(2.0),
        warm_up: WarmUpPlan::Seconds(0.5),
        timeout: 5.0,
        ..load()
    };
    let thought = |longest, slice, load: &Load| {
        let cost = Cost {
            each: 0.001,
            cpu: 0.001,
            longest,
        };
        SLEEPER.of_load(load, of_two_cores(None), Some(cost), slice)
    };
    let near = |of: f64, seconds: f64| assert!((of - seconds).abs() < 1e-9, "{of} s");
    let without = BESIDES + 2.5;
    near(thought(0.4, None, &window), without + 2.0 * 0.4);
    near(thought(0.4, Some(0.1), &window), without + 5.0 * 0.4);
    // too long for slices, and then for anybody
    near(thought(1.5, Some(0.1), &window), without + 2.0 * 1.5);
    near(thought(9.0, Some(0.1), &window), without + 2.0 * 5.0);
    // a hundred come one after the other, whatever was seen
    near(thought(0.01, None, &window), without + 2.0 * 0.1);
    let cold = Load {
        warm_up: WarmUpPlan::None,
        ..window
    };
    near(thought(0.4, None, &cold), BESIDES + 2.0 + 0.4);
}

/// What was seen of a server under load is what its trials take, and no other's; its work is.
#[test]
fn what_was_seen_under_load_says_how_long_a_load_takes() {
    let mut plan = crate::run::order::tests::plan(1, None, 1);
    plan.load = load();
    plan.variants[0].server = Some(record::Choice::of("gunicorn"));
    let cost = Cost {
        each: 0.01,
        cpu: 0.0001,
        longest: 0.8,
    };
    let seen = AppTimes {
        variant: "a".to_owned(),
        loaded: Some((100, cost)),
        cpu: 0.0001,
        before: 7.0,
        ..SLEEPER
    };
    let slots = |_: &Variant| of_two_cores(None);
    let of = |name: &str| seen.of_variant(&plan, plan.variant(name).unwrap(), &slots);
    // 1,200 responses, and the last hundred twice
    assert!((14.0..17.0).contains(&of("a")), "{} s", of("a"));
    assert!((1.9..2.5).contains(&of("b")), "{} s", of("b"));
    let whole = seen.of_run(&plan, &slots);
    let trials: f64 = ["a", "b", "c", "d"].map(of).iter().sum();
    assert!((whole - trials - 7.0).abs() < 1e-9, "{whole} s");
    plan.load.connections = 10;
    let few = seen.of_variant(&plan, plan.variant("a").unwrap(), &slots);
    assert!((6.0..10.0).contains(&few), "{few} s");
}

#[test]
fn variants_fit_by_what_each_takes_with_time_to_take_one_again() {
    let mut plan = crate::run::order::tests::plan(1, Some("a"), 6);
    plan.load = load();
    let variants: Vec<&Variant> = plan.variants.iter().collect();
    let slots = |variant: &Variant| of_two_cores((variant.name == "c").then_some(1.0));
    // a and b: 2.8 s each, a twice in five of six blocks; c: 63 s
    let fitting = |budget| SLEEPER.fitting(&plan, &variants, &slots, budget);
    assert_eq!(
        fitting(36.0),
        0,
        "no time for its own eleven trials and two more"
    );
    assert_eq!(fitting(40.0), 1);
    assert_eq!(fitting(60.0), 2);
    assert_eq!(fitting(400.0), 2, "the third takes six minutes");
    assert_eq!(fitting(1_000.0), 4);
    let all = SLEEPER.of_run(&plan, &slots);
    assert!((400.0..450.0).contains(&all), "{all} s");
}

/// Three blocks of three variants decide nothing, and four blocks of two do.
#[test]
fn a_small_budget_has_a_comparison_that_comes_to_a_verdict() {
    let mut plan = crate::run::order::tests::plan(1, Some("a"), 6);
    (plan.load, plan.at_least) = (load(), Some(4));
    let slots = |_: &Variant| of_two_cores(None);
    let compared = |plan: &Plan, budget| {
        let variants: Vec<&Variant> = plan.variants.iter().collect();
        SLEEPER.compared(plan, &variants, &slots, budget)
    };
    // 2.8 s each: six blocks of three, five A/A pairs, and time for two more
    assert_eq!(compared(&plan, 70.1), (3, true));
    plan.stress = vec![Stress::SlowClients, Stress::TwiceTheLoad];
    // four blocks of three and an A/A pair: 44.8 s
    assert_eq!(compared(&plan, 45.0), (3, true));
    // of two: 33.6 s, and 22.4 s without the pair
    assert_eq!(compared(&plan, 44.0), (2, true));
    assert_eq!(compared(&plan, 33.0), (2, false));
    assert_eq!(compared(&plan, 22.0), (3, true), "nothing is decided");
    // one block of three and the pair: 11.2 s, of two: 8.4 s, and 5.6 s without the pair
    assert_eq!(compared(&plan, 11.0), (2, true));
    assert_eq!(compared(&plan, 8.0), (2, false));
    assert_eq!(compared(&plan, 5.0), (3, true), "no block fits");
    // all four blocks are wanted: 14 s each
    plan.blocks = 4;
    let within = |seconds| SLEEPER.blocks_within(&plan, &slots, seconds);
    assert_eq!([5.0, 29.0, 1_000.0].map(within), [1, 2, 4]);
}

#[test]
fn stress_has_time_from_where_on_a_choice_of_variants_fits_with_it() {
    let mut plan = crate::run::order::tests::plan(1, Some("a"), 6);
    (plan.load, plan.stress) = (load(), vec![Stress::SlowClients]);
    let variants: Vec<&Variant> = plan.variants.iter().collect();
    let slots = |_: &Variant| of_two_cores(None);
    let enough = SLEEPER.of_choice(&plan, &variants, &slots);
    let fitting = |budget| SLEEPER.fitting(&plan, &variants, &slots, budget);
    assert_eq!((fitting(enough), fitting(enough - 0.01)), (3, 2));
    let first = AppTimes::of_first_stress(&plan);
    assert!(first > 4.0 * Stress::SECONDS, "of four variants: {first} s");
}

/// What comes before the blocks, stress and a trial that is taken again have their time, too.
#[test]
fn as_many_blocks_as_fit_keep_to_the_budget() {
    let mut plan = crate::run::order::tests::plan(1, Some("a"), 6);
    plan.load = load();
    plan.stress = vec![Stress::SlowClients];
    let slots = |_: &Variant| of_two_cores(None);
    let seen = AppTimes {
        before: 5.0,
        ..SLEEPER
    };
    for (budget, fewest) in [(60.0, 1), (100.0, 3), (300.0, 15)] {
        plan.blocks = seen.blocks_in(&plan, &slots, budget);
        let takes = seen.of_run(&plan, &slots);
        assert!(plan.blocks >= fewest, "{} in {budget} s", plan.blocks);
        assert!(takes <= budget, "{takes} s of {budget} s");
    }
}
