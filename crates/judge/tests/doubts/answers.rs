//! Doubts about the answers.

use judge::DoubtKind::{
    Accounting, AnswersDiffered, Errors, LengthsDiffered, TooFewSamples, Unanswered, WarmUp,
};
use record::{Cause, DrainFacts, Lengths, NamedFacts, Trial};

use super::{failing, spoiled};
use crate::lab::{self, doubts, facts, kinds, trial_of};

#[test]
fn a_wrong_body_disqualifies() {
    let trial = failing(Cause::Body, 1);
    assert_eq!(kinds(&trial), [(AnswersDiffered, true)]);
    assert_eq!(
        doubts(&trial)[0].because,
        "1 of 1000 compared bodies differed"
    );
    // with other failures these are told too
    let mut more = failing(Cause::Body, 1);
    let load = &mut facts(&mut more).load;
    load.completed -= 2;
    load.timed_out = 2;
    assert_eq!(kinds(&more), [(AnswersDiffered, true), (Errors, false)]);
}

/// Wrong bodies in the warm-up, in the window and after it.
#[test]
fn what_one_rule_tells_no_other_tells_again() {
    let mut wrong = failing(Cause::Body, 20);
    let load = &mut facts(&mut wrong).load;
    load.warm_up.failed = 50;
    load.completed -= 10;
    load.in_flight = 10;
    load.drained = 9;
    load.drain = Some(DrainFacts {
        wrong: [(Cause::Body, 1)].into(),
        ..DrainFacts::default()
    });
    assert_eq!(kinds(&wrong), [(AnswersDiffered, true)]);
    let held = judge::held(&facts(&mut wrong).load);
    let broken = |of: &&judge::Held| of.outcome >= judge::Outcome::Doubted;
    let broken: Vec<_> = held.iter().filter(broken).map(|of| of.kind).collect();
    assert_eq!(broken, [AnswersDiffered, Errors, Unanswered, WarmUp]);
}

#[test]
fn a_wrong_status_is_told_with_the_status() {
    let mut trial = failing(Cause::Status, 3);
    facts(&mut trial).load.statuses = [(200, 997), (502, 2), (503, 1)].into();
    assert_eq!(kinds(&trial), [(Errors, false)], "it is told once");
    let doubt = &doubts(&trial)[0];
    assert_eq!(
        doubt.because,
        "3 of 1,000 requests (0.300 %): 3 × unexpected status (502: 2, 503: 1)"
    );
    let pressed = "where fewer connections bring none of them, it was overloaded";
    assert!(doubt.advice.contains(pressed), "{doubt:?}");
    // where any success is right, others of them are no part of it
    facts(&mut trial).load.statuses = [(200, 500), (201, 497), (502, 3)].into();
    assert_eq!(
        doubts(&trial)[0].because,
        "3 of 1,000 requests (0.300 %): 3 × unexpected status (502: 3)"
    );
    // a recording expects a status of each request: one that is wrong here is right there
    facts(&mut trial).load.statuses = [(200, 989), (404, 10), (500, 1)].into();
    let doubt = &doubts(&trial)[0];
    assert_eq!(
        doubt.because,
        "3 of 1,000 requests (0.300 %): 3 × unexpected status; of all responses, the expected ones among them: \
         200: 989, 404: 10, 500: 1"
    );
    assert!(doubt.advice.contains("`--replay-check none`"), "{doubt:?}");
}

#[test]
fn the_requests_that_failed_are_told_by_name_and_404_is_no_overload() {
    let mut trial = failing(Cause::Status, 9);
    let load = &mut facts(&mut trial).load;
    load.statuses = [(200, 991), (404, 9)].into();
    // names are of others, as those of a recording
    let names = [("/a", 1), ("/`b`", 5), ("/c", 2), ("/d", 0), ("/e", 1)];
    load.named = names
        .map(|(name, failed)| NamedFacts {
            name: name.to_owned(),
            failed,
            ..NamedFacts::default()
        })
        .into();
    let doubt = &doubts(&trial)[0];
    assert_eq!(
        doubt.because,
        "9 of 1,000 requests (0.900 %): 9 × unexpected status (404: 9): `/'b'` 5, `/c` 2, `/a` 1, and 1 more"
    );
    assert!(!doubt.advice.contains("overloaded"), "{doubt:?}");
}

#[test]
fn responses_of_less_than_half_the_length_are_told_where_no_body_was_compared() {
    let of = |compared, shortest, longest| {
        spoiled(move |facts| {
            facts.load.bodies.compared = compared;
            facts.load.bodies.lengths = Some(Lengths {
                shortest,
                longest,
                short: 31,
            });
        })
    };
    let short = of(0, 49, 99);
    assert_eq!(kinds(&short), [(LengthsDiffered, false)]);
    let doubt = &doubts(&short)[0];
    assert_eq!(
        doubt.because,
        "31 of 1000 responses (3.10 %): 49 bytes, where the longest has 99"
    );
    assert!(doubt.advice.contains("`--contains TEXT`"), "{doubt:?}");
    for sound in [of(0, 50, 99), of(0, 99, 99), of(1, 0, 99)] {
        assert_eq!(kinds(&sound), []);
    }
}

#[test]
fn advice_about_a_server_that_was_there_is_not_about_one_that_weir_started() {
    let mut wrong = failing(Cause::Body, 5);
    facts(&mut wrong).load.warm_up.failed = 50;
    let there = judge::doubts(&facts(&mut wrong).load);
    let started = doubts(&wrong);
    assert_eq!(there.len(), started.len());
    for (words, about) in [("--dynamic", AnswersDiffered), ("readiness", WarmUp)] {
        let advice = |all: &[judge::Doubt]| {
            let of = all.iter().find(|doubt| doubt.kind == about);
            of.unwrap().advice.clone()
        };
        assert!(advice(&started).contains(words), "{about:?}");
        assert!(!advice(&there).contains(words), "{about:?}");
    }
}

#[test]
fn requests_that_do_not_add_up_are_a_bug() {
    let lost = spoiled(|facts| facts.load.completed -= 1);
    assert_eq!(kinds(&lost), [(Accounting, true)]);
    assert!(doubts(&lost)[0].because.contains("999 completed"));
    let conjured = spoiled(|facts| facts.load.drained = 1);
    assert_eq!(kinds(&conjured), [(Accounting, true)]);
}

#[test]
fn a_warm_up_that_only_failed_disqualifies() {
    let warm_up = |requests, failed| {
        spoiled(move |facts| {
            facts.load.warm_up.requests = requests;
            facts.load.warm_up.failed = failed;
        })
    };
    assert_eq!(kinds(&warm_up(0, 100)), [(WarmUp, true)]);
    assert_eq!(kinds(&warm_up(90, 10)), [(WarmUp, false)]);
    assert_eq!(kinds(&warm_up(99, 1)), []);
    assert_eq!(
        doubts(&warm_up(90, 10))[0].because,
        "10 of 100 warm-up requests failed"
    );
}

#[test]
fn too_few_answers_for_what_is_asked_are_told() {
    assert_eq!(kinds(&trial_of(0, "a", 30.0, 19)), [(TooFewSamples, false)]);
    let mut run = lab::run(&["a"]);
    run.plan.claims = vec![lab::claim(&["p99 of `a` < 1"])];
    let judged = judge::judge(&run, &[trial_of(0, "a", 400.0, 999)]);
    let because = &judged.trials[0].doubts[0].because;
    assert_eq!(because, "999 responses: p99 needs 1,000");
}

/// So many of the requests were in flight at the end of the window, and this became of them.
fn in_flight(count: u64, drain: &DrainFacts) -> Trial {
    spoiled(|facts| {
        facts.load.completed -= count;
        facts.load.in_flight = count;
        facts.load.drained = count - drain.unanswered - drain.wrong_answers();
        facts.load.drain = Some(drain.clone());
    })
}

#[test]
fn what_is_not_answered_by_the_end_is_told_and_above_one_percent_disqualifies() {
    assert_eq!(kinds(&in_flight(10, &DrainFacts::default())), []);
    let some = |unanswered, cut_off| DrainFacts {
        seconds: 1.25,
        unanswered,
        cut_off,
        lost: [(Cause::ResetBeforeAnswer, 2)].into(),
        ..DrainFacts::default()
    };
    let few = in_flight(10, &some(4, 1));
    assert_eq!(kinds(&few), [(Unanswered, false)]);
    assert_eq!(
        doubts(&few)[0].because,
        "4 of 10 requests in flight at the end of the window got no correct response in 1.25 s: cut off 1, \
         timed out 1, reset before the response 2, in the times as at least that long"
    );
    assert_eq!(kinds(&in_flight(20, &some(11, 9))), [(Unanswered, true)]);
}

#[test]
fn what_was_let_go_by_whoever_interrupted_the_load_does_not_hang() {
    let let_go = |lost: u64| DrainFacts {
        unanswered: 20 + lost,
        cut_off: 20,
        lost: [(Cause::ResetBeforeAnswer, lost)].into(),
        interrupted: true,
        ..DrainFacts::default()
    };
    assert_eq!(kinds(&in_flight(20, &let_go(0))), []);
    let lost = in_flight(24, &let_go(2));
    assert_eq!(kinds(&lost), [(Unanswered, false)]);
    let because = &doubts(&lost)[0].because;
    assert!(because.starts_with("2 of 24 requests"), "{because}");
    assert!(!because.contains("cut off"), "{because}");
}

#[test]
fn a_wrong_body_after_the_window_disqualifies_too() {
    let wrong = |cause| DrainFacts {
        wrong: [(cause, 1)].into(),
        ..DrainFacts::default()
    };
    assert_eq!(
        kinds(&in_flight(10, &wrong(Cause::Status))),
        [(Unanswered, false)]
    );
    assert_eq!(
        kinds(&in_flight(10, &wrong(Cause::Body))),
        [(Unanswered, true)]
    );
}

#[test]
fn what_was_in_flight_must_add_up_too() {
    let mut lost = in_flight(10, &DrainFacts::default());
    facts(&mut lost).load.drained = 9;
    assert_eq!(kinds(&lost), [(Accounting, true)]);
}
