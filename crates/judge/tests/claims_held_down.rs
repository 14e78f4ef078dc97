//! Claims about what the load itself held down: the ceiling of a closed loop, a generator that was outrun, and its share of cores
//! that had none to spare.

use crate::claims::{decide, faster, holds};
use crate::lab::{claim, facts, run, saturated, trials, variant_of};
use judge::{ClaimVerdict, Holds, judge};
use record::{Arrivals, Cause, Method, Metric, Others, Process, Route, Run, Shape, Trial};

/// What is measured at the ceiling of a load says nothing of what the server could do.
#[test]
fn a_rate_at_its_ceiling_is_a_lower_limit() {
    let mut run = run(&["a", "b"]);
    // ten connections, 20 ms each: 500 per second at most
    run.plan.app.routes[0].wait = Some(0.02);
    let of = |rates: [f64; 2], expect: &str| {
        let mut run = run.clone();
        run.plan.claims = vec![claim(&[expect])];
        let all = [trials("a", &[rates[0]; 6]), trials("b", &[rates[1]; 6])];
        judge(&run, &all.concat()).claims.remove(0)
    };
    let ratio = "throughput of `b` / throughput of `a`";
    let one = [100.0, 495.0];
    for (expect, holds) in [
        (format!("{ratio} >= 4"), Holds::Holds),
        (format!("{ratio} < 4"), Holds::DoesNotHold),
        (format!("{ratio} within 4 .. 16"), Holds::CannotTell),
        (format!("{ratio} as loaded within 4 .. 16"), Holds::Holds),
        (format!("{ratio} >= 6"), Holds::CannotTell),
        (
            "throughput of `a` / throughput of `b` <= 0.25".into(),
            Holds::Holds,
        ),
        ("throughput of `b` within 450 .. 500".into(), Holds::Holds),
        ("mean of `b` / mean of `a` < 0.3".into(), Holds::Holds),
    ] {
        assert_eq!(of(one, &expect).holds, holds, "{expect}");
    }
    let because = of(one, &format!("{ratio} >= 6")).reason.unwrap();
    assert_eq!(
        because,
        "`b` stands at the ceiling that the load sets: the true ratio is at least this"
    );
    let both = of([490.0, 495.0], &format!("{ratio} within 0.9 .. 1.1"));
    assert_eq!(both.holds, Holds::CannotTell);
    assert!(both.reason.unwrap().contains("only more load would"));
}

/// Only the route that is loaded says how long it waits, and only a load with so many connections has a ceiling.
#[test]
fn a_ceiling_is_that_of_the_route_and_the_load() {
    let of = |change: fn(&mut Run)| {
        let mut run = run(&["a", "b"]);
        // ten connections, 20 ms each: 500 per second at most
        run.plan.app.routes.push(Route {
            method: Method::Post,
            wait: Some(0.02),
            ..Route::get("/")
        });
        run.plan.claims = vec![claim(&[
            "throughput of `b` / throughput of `a` within 4 .. 16",
        ])];
        change(&mut run);
        let all = [trials("a", &[100.0; 6]), trials("b", &[495.0; 6])];
        judge(&run, &all.concat()).claims.remove(0).holds
    };
    let post: fn(&mut Run) = |run| {
        let variants = run.plan.variants.iter_mut();
        variants.for_each(|of| "POST /".clone_into(&mut of.route));
    };
    assert_eq!(of(|_| ()), Holds::Holds, "the GET waits for nothing");
    assert_eq!(of(post), Holds::CannotTell);
    let searched: fn(&mut Run) = |run| {
        run.plan.app.routes[0].wait = Some(0.02);
        run.plan.load.goal = Some("p99 < 1s".to_owned());
    };
    assert_eq!(of(searched), Holds::Holds, "it takes as many as it needs");
}

#[test]
fn a_stack_that_outran_the_generator_is_at_least_that_fast() {
    let all: Vec<Trial> = [
        trials("a", &[400.0; 6]),
        trials("b", &[4_000.0; 6])
            .into_iter()
            .map(saturated)
            .collect(),
    ]
    .concat();
    let limit = |expect: &str| {
        let decided = decide(&[expect], &all);
        (decided.holds, decided.reason.unwrap_or_default())
    };
    let (holds, why) = limit("throughput of `b` / throughput of `a` >= 8");
    assert_eq!(holds, Holds::Holds);
    assert_eq!(
        why,
        "the load generator, not `b`, was the bottleneck: the true value is at least this"
    );
    assert_eq!(
        limit("throughput of `a` / throughput of `b` < 0.2").0,
        Holds::Holds
    );
    assert_eq!(limit("mean of `b` < 0.1").0, Holds::Holds);
    assert!(limit("mean of `b` < 0.1").1.contains("at most"));
    assert_eq!(limit("throughput of `b` < 1000").0, Holds::DoesNotHold);
    // the other end stays open
    for open in [
        "throughput of `b` / throughput of `a` >= 12",
        "throughput of `b` / throughput of `a` within 8 .. 12",
        "mean of `b` > 0.001",
    ] {
        let (holds, why) = limit(open);
        assert_eq!(holds, Holds::CannotTell, "{open}");
        assert!(why.contains("was the bottleneck: the true value"), "{why}");
    }
    // what a busy generator says nothing about
    let (holds, why) = limit("cpu-per-request of `b` < 1");
    assert_eq!(holds, Holds::CannotTell);
    assert!(why.contains("no trial of `b` counts"), "{why}");
    // two limits against each other say nothing
    let both: Vec<Trial> = all.into_iter().map(saturated).collect();
    let decided = decide(&["throughput of `b` / throughput of `a` >= 8"], &both);
    assert_eq!(decided.holds, Holds::CannotTell);
    assert!(
        decided
            .reason
            .unwrap()
            .contains("says nothing about the ratio")
    );
}

#[test]
fn nothing_else_makes_a_disqualified_trial_count() {
    let mut all = faster(6);
    for trial in &mut all[6..] {
        facts(trial).load.engine.busiest = 0.99;
        facts(trial).load.failed.insert(Cause::Refused, 100);
        facts(trial).load.completed -= 100;
    }
    assert_eq!(
        holds("throughput of `b` / throughput of `a` >= 1.01", &all),
        Holds::CannotTell
    );
    // errors are the one figure that errors do not spoil, but saturation does
    assert_eq!(holds("errors of `b` > 0.05", &all), Holds::CannotTell);
    for trial in &mut all[6..] {
        facts(trial).load.engine.busiest = 0.2;
    }
    assert_eq!(holds("errors of `b` > 0.05", &all), Holds::Holds);
    assert_eq!(
        holds("throughput of `b` / throughput of `a` >= 1.01", &all),
        Holds::CannotTell
    );
}

/// Twice as fast from `a`, whose cores are half idle, to `b`, of whose CPU time the generator takes two fifths.
pub(crate) fn trials_beside(busy: f64) -> Vec<Trial> {
    let mut all = [trials("a", &[400.0; 6]), trials("b", &[800.0; 6])].concat();
    for trial in &mut all {
        let (own, stack) = match trial.variant.as_str() {
            "a" => (0.1, 0.4),
            _ => (0.4 * busy, 0.6 * busy),
        };
        let facts = facts(trial);
        let cores = 2.0 * facts.load.seconds;
        for of in &mut facts.processes {
            // two programs make the stack
            let share = if of.owner == "weir" { own } else { stack / 2.0 };
            (of.cpu_user, of.cpu_system) = (share * cores, 0.0);
        }
    }
    all
}

fn beside(busy: f64) -> ClaimVerdict {
    decide(
        &[
            "throughput of `b` / throughput of `a` within 1.5 .. 2.5",
            "mean of `b` / mean of `a` <= 0.6",
            "throughput of `b` > 1",
            "cpu-per-request of `b` / cpu-per-request of `a` > 0.1",
        ],
        &trials_beside(busy),
    )
}

pub(crate) fn close(told: (f64, f64), wanted: (f64, f64)) {
    let near = |one: f64, other: f64| (one - other).abs() < 1e-6;
    assert!(near(told.0, wanted.0) && near(told.1, wanted.1), "{told:?}");
}

#[test]
fn what_the_generator_took_of_full_cores_is_told_beside_a_ratio() {
    let told = beside(1.0);
    assert_eq!(told.holds, Holds::Holds);
    let of = |at: usize| told.conditions[at].own_share.as_ref();
    let rate = of(0).unwrap();
    close(rate.between, (2.0, 2.0 / 0.6));
    assert!(!rate.same);
    assert_eq!(
        rate.because,
        "no core was idle, and of the CPU time the load generator took 40.0 % beside `b`: with it elsewhere the ratio lies \
         between 2.00 × and 3.33 ×, beyond the edge: with a core more, `--load-cpus 1` measures that"
    );
    let time = of(1).unwrap();
    close(time.between, (0.5 * 0.6, 0.5));
    assert!(time.same);
    assert!(of(2).is_none(), "it is no ratio");
    assert!(
        of(3).is_none(),
        "a request costs as much wherever its load comes from"
    );
    assert_eq!(told.notes().count(), 2);
    // cores that were idle could have served more
    assert_eq!(beside(0.9).notes().count(), 0);
    // and those were not which the stack's database had
    let mut all = trials_beside(0.8);
    for trial in &mut all[6..] {
        facts(trial).observed.partners = Some(Others {
            share: 0.2,
            ..Others::default()
        });
    }
    let ratio = "throughput of `b` / throughput of `a` > 1";
    assert_eq!(decide(&[ratio], &all).notes().count(), 1);
}

#[test]
fn a_comparison_says_between_what_it_lies_with_the_generator_elsewhere() {
    let compared = |busy: f64| {
        let judged = judge(&run(&["a", "b"]), &trials_beside(busy));
        variant_of(&judged, "b").against_baseline.clone()
    };
    let full = compared(1.0);
    let elsewhere = |metric: Metric| {
        let mut all = full.iter();
        all.find(|of| of.metric == metric).unwrap().elsewhere
    };
    close(elsewhere(Metric::Throughput).unwrap(), (2.0, 2.0 / 0.6));
    close(elsewhere(Metric::Mean).unwrap(), (0.5 * 0.6, 0.5));
    assert!(compared(0.9).iter().all(|of| of.elsewhere.is_none()));
}

#[test]
fn a_rate_that_was_asked_for_is_no_larger_with_the_generator_elsewhere() {
    let mut run = run(&["a", "b"]);
    run.plan.load.shape = Shape::Open(Arrivals {
        process: Process::Poisson,
        segments: Arrivals::steady(400.0),
        max_outstanding: Arrivals::MAX_OUTSTANDING,
        seed: 1,
    });
    let judged = judge(&run, &trials_beside(1.0));
    let compared = |metric: Metric| {
        let mut all = variant_of(&judged, "b").against_baseline.iter();
        all.find(|of| of.metric == metric).unwrap()
    };
    assert_eq!(compared(Metric::Throughput).elsewhere, None);
    assert!(compared(Metric::Mean).elsewhere.is_some());
}

#[test]
fn a_verdict_that_may_be_another_one_with_the_generator_elsewhere_is_as_measured() {
    let said = |expect: &[&str]| {
        let told = decide(expect, &trials_beside(1.0));
        (told.holds, told.as_measured)
    };
    // 2.00 to 3.33 times the rate in 0.5 to 0.3 times the time
    let below = "throughput of `b` / throughput of `a` < 2.5";
    let above = "throughput of `b` / throughput of `a` >= 1.5";
    let beyond = "throughput of `b` / throughput of `a` >= 3";
    let shorter = "mean of `b` / mean of `a` <= 0.6";
    let longer = "mean of `b` / mean of `a` > 0.6";
    assert_eq!(said(&[below]), (Holds::Holds, true));
    assert_eq!(said(&[above]), (Holds::Holds, false), "on the same side");
    assert_eq!(said(&[above, shorter, below]), (Holds::Holds, true));
    assert_eq!(said(&[beyond]), (Holds::DoesNotHold, true));
    // one condition is surely missed
    assert_eq!(said(&[beyond, longer]), (Holds::DoesNotHold, false));
    let spared = decide(&[below], &trials_beside(0.9));
    assert!(!spared.as_measured, "cores were idle");
}
