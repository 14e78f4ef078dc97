//! Figures of which one end is known only: requests without a response, a generator that was the bottleneck in some blocks,
//! a stack that never came back.

use crate::claims::{decide, holds};
use crate::lab::{again, claim, facts, run, saturated, trial_of, trials, variant_of};
use judge::{Holds, Judged, Verdict, judge};
use record::{Blow, DrainFacts, Fault, Interval, Metric, Struck, Trial, Victim};

/// The generator was the bottleneck where `b` was at its best: in two of six blocks.
fn partly_saturated() -> Vec<Trial> {
    let rates = [800.0, 800.0, 800.0, 800.0, 1_000.0, 1_000.0];
    let mut all = trials("b", &rates);
    let best = all.split_off(4).into_iter().map(saturated);
    all.extend(best);
    [trials("a", &[400.0; 6]), all].concat()
}

fn verdict(judged: &Judged, metric: Metric) -> Verdict {
    let mut all = variant_of(judged, "b").against_baseline.iter();
    all.find(|of| of.metric == metric).unwrap().verdict
}

#[test]
fn blocks_that_are_left_out_for_the_generator_are_the_best_ones() {
    let all = partly_saturated();
    let ratio = "throughput of `b` / throughput of `a`";
    assert_eq!(holds(&format!("{ratio} >= 1.9"), &all), Holds::Holds);
    assert_eq!(holds(&format!("{ratio} < 1.5"), &all), Holds::DoesNotHold);
    // the four that count are all at 2.00
    for open in ["<= 2.1", "within 1.9 .. 2.1"] {
        let decided = decide(&[&format!("{ratio} {open}")], &all);
        assert_eq!(decided.holds, Holds::CannotTell, "{open}");
        assert!(decided.reason.unwrap().contains("was the bottleneck"));
    }
    // the generator's pace says nothing of memory
    let memory = "peak-memory of `b` / peak-memory of `a` within 0.9 .. 1.1";
    assert_eq!(holds(memory, &all), Holds::Holds);
}

#[test]
fn what_may_be_better_than_it_was_measured_is_neither_worse_nor_the_same() {
    let of = |rate: f64, fast: bool| {
        let mut b = trials("b", &[rate; 6]);
        if fast {
            b[5] = saturated(b[5].clone());
        }
        let all = [trials("a", &[400.0; 6]), b].concat();
        verdict(&judge(&run(&["a", "b"]), &all), Metric::Throughput)
    };
    let one_ended = |fast: bool| {
        let mut b = trials("b", &[200.0; 6]);
        if fast {
            b[5] = saturated(b[5].clone());
        }
        let all = [trials("a", &[400.0; 6]), b].concat();
        let judged = judge(&run(&["a", "b"]), &all);
        judged.lead.comparisons[0].one_ended
    };
    assert_eq!((one_ended(false), one_ended(true)), (false, true));
    assert_eq!(of(200.0, false), Verdict::Worse);
    assert_eq!(of(200.0, true), Verdict::CannotTell);
    assert_eq!(of(400.0, false), Verdict::Same);
    assert_eq!(of(400.0, true), Verdict::CannotTell);
    assert_eq!(of(800.0, true), Verdict::Better);
}

#[test]
fn nothing_is_deployed_beside_what_outran_the_generator() {
    let of = |spoil: fn(Trial) -> Trial| {
        let fast = trials("b", &[4_000.0; 6]).into_iter().map(spoil);
        let all: Vec<Trial> = trials("a", &[400.0; 6]).into_iter().chain(fast).collect();
        judge(&run(&["a", "b"]), &all)
    };
    let known = of(|trial| trial);
    assert!(known.lead.outran.is_empty());
    assert_eq!(known.decision.unwrap().variant, "b");
    let unknown = of(saturated);
    let [(name, least)] = &unknown.lead.outran[..] else {
        panic!("{:?}", unknown.lead);
    };
    assert_eq!((name.as_str(), least.round()), ("b", 4_000.0));
    assert_eq!(unknown.decision, None);
}

/// In each trial of `b` one request hung: nobody knows how long it would have taken.
fn hanging() -> Vec<Trial> {
    let mut all = [trials("a", &[400.0; 6]), trials("b", &[800.0; 6])].concat();
    for trial in &mut all[6..] {
        let load = &mut facts(trial).load;
        load.completed -= 1;
        load.in_flight = 1;
        load.drain = Some(DrainFacts {
            seconds: 1.0,
            unanswered: 1,
            cut_off: 1,
            ..DrainFacts::default()
        });
    }
    all
}

#[test]
fn the_longest_time_is_not_known_where_a_request_had_no_response() {
    let all = hanging();
    assert_eq!(holds("max of `b` < 5s", &all), Holds::CannotTell);
    assert_eq!(holds("max of `b` > 1ms", &all), Holds::Holds);
    assert_eq!(holds("mean of `b` < 5s", &all), Holds::CannotTell);
    assert_eq!(holds("p50 of `b` < 5s", &all), Holds::Holds);
    let why = decide(&["max of `b` < 5s"], &all).reason.unwrap();
    assert_eq!(
        why,
        "requests had no response in 6 trials of `b`: the true value is at least this"
    );
    assert_eq!(holds("max of `a` < 5s", &all), Holds::Holds);
}

#[test]
fn a_request_without_a_response_is_an_error_in_a_closed_loop() {
    let mut all = hanging();
    assert_eq!(holds("errors of `b` <= 0", &all), Holds::DoesNotHold);
    for trial in &mut all[6..] {
        let drain = facts(trial).load.drain.as_mut().unwrap();
        drain.interrupted = true;
    }
    assert_eq!(holds("errors of `b` <= 0", &all), Holds::Holds);
}

/// Seven seconds at 100 requests per second, and at 2 s a fault after which nothing comes for so many seconds.
fn struck(block: u32, seconds: f64) -> Trial {
    let mut trial = trial_of(block, "a", 100.0, 700);
    let load = &mut facts(&mut trial).load;
    load.struck = vec![Struck {
        fault: Fault {
            at: 2.0,
            blow: Blow::Kill(Victim::Main),
        },
        at: 2.0,
        processes: 1,
        connections: 0,
        pid_files: 0,
        gone: false,
    }];
    load.intervals = (1..=70)
        .map(|at| {
            let until = f64::from(at) / 10.0;
            let dead = until > 2.0 && until <= 2.0 + seconds;
            Interval {
                until,
                completed: if dead { 0 } else { 10 },
            }
        })
        .collect();
    trial
}

#[test]
fn what_never_came_back_did_not_within_any_time() {
    let said = |seconds: f64| {
        let all: Vec<Trial> = (0..6).map(|block| struck(block, seconds)).collect();
        let mut run = run(&["a"]);
        run.plan.claims = vec![claim(&["recovery of `a` < 5.1 s"])];
        judge(&run, &all).claims.remove(0)
    };
    assert_eq!(said(1.0).holds, Holds::Holds);
    let never = said(5.0);
    assert_eq!(never.holds, Holds::CannotTell);
    let why = never.reason.unwrap();
    assert!(
        why.contains("never came as before again in 6 trials of `a`"),
        "{why}"
    );
}

#[test]
fn a_quantile_that_only_quick_blocks_have_is_in_no_ratio() {
    let of = |slow: u64| -> Vec<Trial> {
        let requests = |block| if block % 3 == 0 { slow } else { 1_000 };
        let b = (0..6).map(|block| trial_of(block, "b", 800.0, requests(block)));
        trials("a", &[400.0; 6]).into_iter().chain(b).collect()
    };
    let ratio = "p99 of `b` / p99 of `a` < 0.9";
    assert_eq!(holds(ratio, &of(1_000)), Holds::Holds);
    let decided = decide(&[ratio], &of(900));
    assert_eq!(decided.holds, Holds::CannotTell);
    assert_eq!(
        decided.reason.unwrap(),
        "too few responses for p99 of `b`: each trial needs 1,000"
    );
}

#[test]
fn shares_of_two_halves_add_up() {
    let mut all = trials("a", &[400.0; 6]);
    for trial in &mut all {
        let load = &mut facts(trial).load;
        load.completed -= 8;
        load.timed_out = 8;
    }
    let mut second = again("a", &[400.0; 6]);
    for trial in &mut second {
        let load = &mut facts(trial).load;
        load.completed -= 2;
        load.timed_out = 2;
    }
    let mut run = run(&["a"]);
    run.plan.noise_floor = Some("a".to_owned());
    let judged = judge(&run, &[all, second].concat());
    let errors = variant_of(&judged, "a").figures[&Metric::Errors].value;
    assert!((errors - 0.005).abs() < 1e-9, "{errors}");
}
