//! Every doubt is raised by its fact, on its own side of its edge, and by nothing else.

use judge::DoubtKind::{
    Accounting, AnswersDiffered, Crowd, Errors, GeneratorSaturated, Late, LittlesLaw,
    NotStationary, RateNotHeld, ShortWindow, StolenCpu, TooFewSamples, WarmUp,
};
use lab::{doubts, facts, kinds, trial, trial_of};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use record::{
    Arrivals, Cause, CrowdFacts, CrowdFigures, Distribution, Habit, Measured, Process, Shape, Trial,
};

mod lab;

fn spoiled(spoil: impl Fn(&mut Measured)) -> Trial {
    let mut trial = trial(0, "a", 400.0);
    spoil(facts(&mut trial));
    trial
}

/// Turns completed requests into failed ones, so that everything still adds up.
fn failing(cause: Cause, count: u64) -> Trial {
    spoiled(|facts| {
        facts.load.completed -= count;
        facts.load.failed.insert(cause, count);
    })
}

#[test]
fn sound_facts_raise_none() {
    assert_eq!(kinds(&trial(0, "a", 400.0)), []);
}

#[test]
fn a_wrong_body_disqualifies() {
    let trial = failing(Cause::Body, 1);
    assert_eq!(kinds(&trial), [(AnswersDiffered, true), (Errors, false)]);
    assert_eq!(
        doubts(&trial)[0].because,
        "1 of 1000 compared bodies differed"
    );
}

#[test]
fn a_wrong_status_is_told_with_the_status() {
    let mut trial = failing(Cause::Status, 3);
    facts(&mut trial).load.statuses = [(200, 997), (502, 2), (503, 1)].into();
    assert_eq!(kinds(&trial), [(AnswersDiffered, false), (Errors, false)]);
    let because = &doubts(&trial)[0].because;
    assert_eq!(
        because,
        "3 answers had an unexpected status (502: 2, 503: 1)"
    );
}

#[test]
fn errors_are_told_and_above_one_percent_disqualify() {
    assert_eq!(kinds(&failing(Cause::Refused, 10)), [(Errors, false)]);
    let mut worse = failing(Cause::Refused, 4);
    facts(&mut worse).load.timed_out = 7;
    facts(&mut worse).load.completed -= 7;
    assert_eq!(kinds(&worse), [(Errors, true)]);
    let because = &doubts(&worse)[0].because;
    assert_eq!(
        because,
        "11 of 1000 requests (1.10 %): timed out 7, connection refused 4"
    );
}

#[test]
fn our_own_exhaustion_has_its_own_advice() {
    let (theirs, ours) = (failing(Cause::Refused, 20), failing(Cause::Exhausted, 20));
    assert!(doubts(&ours)[0].advice.contains("this machine"));
    assert!(!doubts(&theirs)[0].advice.contains("this machine"));
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
fn a_busy_generator_is_told_and_a_saturated_one_disqualifies() {
    let busy = |share| spoiled(|facts| facts.load.engine.busiest = share);
    assert_eq!(kinds(&busy(0.69)), []);
    assert_eq!(kinds(&busy(0.70)), [(GeneratorSaturated, false)]);
    assert_eq!(kinds(&busy(0.89)), [(GeneratorSaturated, false)]);
    assert_eq!(kinds(&busy(0.90)), [(GeneratorSaturated, true)]);
    let because = &doubts(&busy(0.97))[0].because;
    // 0.2 s of CPU a second at 400 requests a second
    assert!(
        because.contains("97.0 %") && because.contains("500 us"),
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
const REQUESTS_IN_120_MS: f64 = lab::REQUESTS as f64 / 0.12;

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
fn a_short_window_is_told() {
    assert_eq!(kinds(&trial(0, "a", 9_999.0)), []);
    assert_eq!(kinds(&trial(0, "a", 20_000.0)), [(ShortWindow, false)]);
    assert_eq!(
        doubts(&trial(0, "a", 20_000.0))[0].because,
        "the window lasted 50.0 ms"
    );
}

#[test]
fn a_window_without_an_answer_disqualifies() {
    let empty = spoiled(|facts| {
        facts.load.completed = 0;
        facts.load.in_flight = facts.load.scheduled;
        facts.load.drained = facts.load.scheduled;
    });
    assert_eq!(kinds(&empty), [(ShortWindow, true)]);
    let because = &doubts(&empty)[0].because;
    assert!(
        because.ends_with("no request was answered in it"),
        "{because}"
    );
}

#[test]
fn a_load_by_itself_is_doubted_by_the_same_rules() {
    let of = |mut trial: Trial| judge::doubts(&facts(&mut trial).load);
    assert_eq!(of(trial(0, "a", 400.0)), []);
    let refused = failing(Cause::Refused, 20);
    assert_eq!(of(refused.clone()), doubts(&refused));
    let mut busy = trial(0, "a", 20_000.0);
    facts(&mut busy).load.engine.busiest = 0.95;
    assert_eq!(of(busy.clone()), doubts(&busy));
}

#[test]
fn too_few_answers_for_what_is_asked_are_told() {
    assert_eq!(
        kinds(&trial_of(0, "a", 400.0, 199)),
        [(TooFewSamples, false)]
    );
    let mut run = lab::run(&["a"]);
    run.plan.claims = vec![lab::claim(&["p99 of `a` < 1"])];
    let judged = judge::judge(&run, &[trial(0, "a", 400.0)]);
    let because = &judged.trials[0].doubts[0].because;
    assert_eq!(because, "1000 answers: p99 needs 10000");
}

#[test]
fn idle_connections_break_littles_law() {
    let idle = spoiled(|facts| {
        // half of the connections never carried a request: times halve, the rate stays
        let mut response = Distribution::default();
        (0..lab::REQUESTS).for_each(|_| response.record(12_500_000));
        facts.load.response = response;
    });
    assert_eq!(kinds(&idle), [(LittlesLaw, true)]);
    let because = &doubts(&idle)[0].because;
    assert!(
        because.starts_with("5.00 requests were under way"),
        "{because}"
    );
}

#[test]
fn times_that_were_kept_explain_nothing_away() {
    // a hundred timeouts whose times are there, on connections of which half were idle
    let idle = spoiled(|facts| {
        let mut response = Distribution::default();
        (0..lab::REQUESTS).for_each(|_| response.record(12_500_000));
        facts.load.response = response;
        facts.load.completed -= 100;
        facts.load.timed_out = 100;
    });
    assert_eq!(kinds(&idle), [(Errors, true), (LittlesLaw, true)]);
}

#[test]
fn failures_without_a_time_may_have_kept_their_connection_busy() {
    let mut stuck = failing(Cause::ResetInAnswer, 5);
    facts(&mut stuck).load.response = {
        let mut response = Distribution::default();
        (0..lab::REQUESTS - 5).for_each(|_| response.record(12_500_000));
        response
    };
    assert_eq!(kinds(&stuck), [(Errors, false)]);
}

/// An open loop that kept its schedule: 1,000 requests at 400/s, each answered after 2 ms.
fn open_loop(spoil: impl Fn(&mut Measured)) -> Trial {
    spoiled(|facts| {
        facts.load.shape = Shape::Open(Arrivals {
            process: Process::Poisson,
            legs: Arrivals::steady(400.0),
            max_outstanding: 1_000,
            seed: 1,
        });
        facts.load.offered = Some(400.0);
        let same = |nanoseconds| {
            let mut times = Distribution::default();
            (0..lab::REQUESTS).for_each(|_| times.record(nanoseconds));
            times
        };
        facts.load.response = same(2_000_000);
        facts.load.lateness = same(2_000);
        facts.load.woken = same(30_000);
        spoil(facts);
    })
}

#[test]
fn an_open_loop_need_not_keep_its_connections_busy() {
    // 10 connections, 0.8 requests under way: no closed loop, and no doubt
    assert_eq!(kinds(&open_loop(|_| ())), []);
}

#[test]
fn what_was_shed_is_accounted_for() {
    let shed = open_loop(|facts| {
        facts.load.completed -= 5;
        facts.load.shed = 5;
    });
    assert_eq!(kinds(&shed), [], "5 of 1,000 are within a percent");
    let forgotten = open_loop(|facts| facts.load.completed -= 5);
    assert_eq!(kinds(&forgotten), [(Accounting, true)]);
}

#[test]
fn a_server_that_does_not_keep_up_is_told() {
    let slow = |waiting: u64| {
        open_loop(move |facts| {
            facts.load.completed -= waiting + 10;
            facts.load.in_flight = waiting + 10; // ten are on their connections
            facts.load.waited.record(800_000_000);
        })
    };
    assert_eq!(kinds(&slow(10)), []);
    assert_eq!(kinds(&slow(11)), [(RateNotHeld, false)]);
    let because = &doubts(&slow(300))[0].because;
    assert!(
        because.contains("400 requests/s were offered and 276 answered (69.0 %)")
            && because
                .contains("300 still waiting; 1 request waited for a connection (at most 800"),
        "{because}"
    );
}

#[test]
fn a_generator_that_does_not_keep_up_disqualifies() {
    let shed = |facts: &mut Measured| {
        facts.load.completed -= 100;
        facts.load.shed = 100;
    };
    // nothing waited for a connection: it was not the server
    assert_eq!(kinds(&open_loop(shed)), [(RateNotHeld, true)]);
    let busy = open_loop(|facts| {
        shed(facts);
        facts.load.waited.record(800_000_000);
        facts.load.engine.busiest = 0.95;
    });
    assert_eq!(
        kinds(&busy),
        [(GeneratorSaturated, true), (RateNotHeld, true)]
    );
}

#[test]
fn whoever_gave_up_on_the_server_is_not_the_generators_doing() {
    let given_up = |shed: u64| {
        open_loop(move |facts| {
            facts.load.completed -= 100 + shed;
            facts.load.timed_out = 100;
            facts.load.shed = shed;
        })
    };
    // every request had its connection and left: the server let them wait
    assert_eq!(kinds(&given_up(0)), [(Errors, true), (RateNotHeld, false)]);
    // time limits do not explain what was never sent
    assert_eq!(kinds(&given_up(50)), [(Errors, true), (RateNotHeld, true)]);
}

#[test]
fn lateness_is_told_by_whose_it_is() {
    let late = |times: fn(&mut Measured) -> &mut Distribution, nanoseconds, samples| {
        open_loop(move |facts| {
            let times = times(facts);
            times.clear();
            (0..samples).for_each(|_| times.record(nanoseconds));
        })
    };
    // a tenth of the median of 2 ms
    assert_eq!(
        kinds(&late(|facts| &mut facts.load.woken, 190_000, 10_000)),
        []
    );
    let few = late(|facts| &mut facts.load.woken, 300_000, 199);
    assert_eq!(kinds(&few), [], "too few for any quantile");
    for (samples, name) in [(200, "p50"), (1_000, "p90"), (9_999, "p90")] {
        let because = &doubts(&late(|facts| &mut facts.load.woken, 300_000, samples))[0].because;
        assert!(
            because.contains(&format!("kernel, {name} 300 us")),
            "{because}"
        );
    }
    let kernel = late(|facts| &mut facts.load.woken, 300_000, 10_000);
    assert_eq!(kinds(&kernel), [(Late, false)]);
    assert!(
        doubts(&kernel)[0]
            .because
            .starts_with("woken late by the kernel, p99 300 us")
    );
    let engine = late(|facts| &mut facts.load.lateness, 300_000, 10_000);
    assert!(
        doubts(&engine)[0]
            .because
            .starts_with("sent late by the engine, p99 300 us")
    );
}

#[test]
fn a_load_that_was_never_stationary_is_told() {
    let warm_up = |stationary| spoiled(move |facts| facts.load.warm_up.stationary = stationary);
    assert_eq!(kinds(&warm_up(None)), []);
    assert_eq!(kinds(&warm_up(Some(true))), []);
    let never = warm_up(Some(false));
    assert_eq!(kinds(&never), [(NotStationary, false)]);
    let because = &doubts(&never)[0].because;
    assert!(because.ends_with("in a warm-up of 0.100 s"), "{because}");
}

#[test]
fn a_crowd_that_is_not_all_there_is_told() {
    let beside = |complete| {
        spoiled(move |facts| {
            let figures = |wanted| CrowdFigures {
                wanted,
                failed: [(Cause::Refused, 7)].into(),
                ..CrowdFigures::default()
            };
            facts.load.crowd = Some(CrowdFacts {
                complete,
                habits: [(Habit::Idle, figures(50)), (Habit::Reset, figures(900))].into(),
                ..CrowdFacts::default()
            });
        })
    };
    assert_eq!(kinds(&beside(true)), []);
    let lacking = beside(false);
    assert_eq!(kinds(&lacking), [(Crowd, false)]);
    let because = &doubts(&lacking)[0].because;
    assert!(because.contains("50 connections"), "{because}");
    assert!(because.contains("(7 failed)"), "{because}");
}

#[test]
fn where_nothing_holds_the_number_under_way_littles_law_is_silent() {
    let apart = |kept_busy| {
        spoiled(move |facts| {
            facts.load.kept_busy = kept_busy;
            facts.load.connections = 30; // three times what was under way
        })
    };
    assert_eq!(kinds(&apart(None)), [(LittlesLaw, true)]);
    assert_eq!(kinds(&apart(Some(0))), [], "pages and scripts");
}

#[test]
fn a_think_time_is_part_of_the_round() {
    // 10 connections, 12.5 ms in the server and 12.5 ms of thought: Little's law holds
    let thinking = |think| {
        spoiled(move |facts| {
            let mut response = Distribution::default();
            (0..lab::REQUESTS).for_each(|_| response.record(12_500_000));
            facts.load.response = response;
            facts.load.shape = Shape::Closed {
                think,
                spread: record::Spread::Fixed,
            };
        })
    };
    assert_eq!(kinds(&thinking(0.0125)), []);
    assert_eq!(kinds(&thinking(0.0)), [(LittlesLaw, true)]);
}

/// A closed loop in front of `servers` that each serve one request at a time: what an honest
/// generator would write down.
fn closed_loop(servers: usize, service: &mut impl FnMut() -> f64) -> Trial {
    let mut free = vec![0.0f64; servers];
    let mut due = [0.0f64; lab::CONNECTIONS as usize];
    let mut response = Distribution::default();
    let mut end = 0.0f64;
    for _ in 0..lab::REQUESTS {
        let first = |times: &[f64]| {
            let order = times.iter().enumerate();
            order.min_by(|a, b| a.1.total_cmp(b.1)).unwrap().0
        };
        let (connection, server) = (first(&due), first(&free));
        let done = due[connection].max(free[server]) + service();
        response.record(((done - due[connection]) * 1e9) as u64);
        (due[connection], free[server]) = (done, done);
        end = end.max(done);
    }
    spoiled(|facts| {
        facts.load.seconds = end;
        facts.load.response = response.clone();
    })
}

#[test]
fn honest_closed_loops_keep_littles_law_whatever_the_service_times() {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    for servers in [1, 2, 10, 50] {
        for _ in 0..50 {
            let exponential =
                closed_loop(servers, &mut || -0.01 * (1.0 - random.random::<f64>()).ln());
            assert_eq!(kinds(&exponential), [], "{servers} servers");
            let mut heavy = || if random.random_bool(0.01) { 0.5 } else { 0.01 };
            assert_eq!(
                kinds(&closed_loop(servers, &mut heavy)),
                [],
                "{servers} servers"
            );
        }
    }
}

#[test]
fn the_worst_comes_first_and_each_says_what_to_do() {
    let mut trial = failing(Cause::Body, 20);
    facts(&mut trial).load.engine.busiest = 0.8;
    facts(&mut trial).stolen = 0.3;
    let all = doubts(&trial);
    assert_eq!(all.len(), 4);
    assert!(all.is_sorted_by_key(|doubt| !doubt.disqualifies));
    for doubt in all {
        assert!(
            doubt.because.chars().any(|c| c.is_ascii_digit()),
            "{doubt:?}"
        );
        assert!(
            !doubt.advice.is_empty() && !doubt.advice.contains('\n'),
            "{doubt:?}"
        );
    }
}
