//! Throughput and response times that contradict each other.

mod engine;

use judge::DoubtKind::{Errors, LittlesLaw, TimeInFailures, Unanswered};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use record::{Cause, Distribution, Shape, Trial};

use super::{failing, spoiled};
use crate::lab::{self, doubts, facts, kinds};
use engine::{Seen, Server, by_count, by_time};

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
        because.starts_with("5.00 requests were in progress"),
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

fn breaks_the_law(trial: &Trial) -> bool {
    kinds(trial).contains(&(LittlesLaw, true))
}

#[test]
fn one_hanging_of_two_keeps_the_law_if_it_is_counted_and_breaks_it_if_it_is_not() {
    // 2 s, answers in 3 ms, and one connection whose first request is never answered
    let mut times = Seen {
        seconds: 2.0,
        ..Seen::default()
    };
    (0..666).for_each(|_| times.keep(0.003));
    times.keep(0.003);
    times.slot_time.beyond = 0.001;
    times.cut(2.0, 1.0);
    let counted = times.trial(2, false);
    let told = [(TimeInFailures, true), (Unanswered, false)];
    assert_eq!(kinds(&counted), told, "it kept a connection of two");
    let forgotten = times.trial(2, true);
    assert!(breaks_the_law(&forgotten), "{:?}", doubts(&forgotten));
    let all = doubts(&forgotten);
    let because = &all.iter().find(|of| of.kind == LittlesLaw).unwrap().because;
    let wanted = "requests were in progress on average, 2.00 were expected (within 0.100)";
    assert!(because.starts_with("1.00"), "{because}");
    assert!(because.ends_with(wanted), "{because}");
}

#[test]
fn windows_of_right_engines_keep_the_law_whatever_the_server_does() {
    let mut random = ChaCha8Rng::seed_from_u64(12);
    let mut broken = 0;
    for round in 0..400 {
        let connections = [1, 2, 10, 100][round % 4];
        let mut times = ChaCha8Rng::seed_from_u64(round as u64);
        let mut uniform = move || 1.0 - times.random::<f64>();
        let mut exponential = || -0.02 * uniform().ln();
        // most take a millisecond, and few a thousand times as long
        let mut tail = {
            let mut times = ChaCha8Rng::seed_from_u64(round as u64);
            move || 0.001 / (1.0 - times.random::<f64>() * 0.9999).powf(1.5)
        };
        let service: &mut dyn FnMut() -> f64 = if round % 3 == 0 {
            &mut tail
        } else {
            &mut exponential
        };
        let mut server = Server {
            service,
            hangs: [0.0, 0.0, 0.001, 0.02][(round / 4) % 4],
            fails: [0.0, 0.05][(round / 16) % 2],
        };
        let seen = if round % 2 == 0 {
            by_time(connections, 2.0, &mut server, &mut random)
        } else {
            by_count(connections, 500, &mut server, &mut random)
        };
        let trial = seen.trial(connections, false);
        assert!(!breaks_the_law(&trial), "{round}: {:?}", doubts(&trial));
        if !seen.times.is_empty() && seen.hung_share(connections) > 0.06 {
            broken += 1;
            let forgotten = seen.trial(connections, true);
            assert!(
                breaks_the_law(&forgotten),
                "{round}: {:?}",
                doubts(&forgotten)
            );
        }
    }
    assert!(broken > 20, "only {broken} rounds had something to forget");
}

#[test]
fn a_law_that_could_not_fail_is_not_passed() {
    // of an older record nobody knows the edges, and one answer is nearly as long as the window
    let old = spoiled(|facts| {
        facts.load.response.record(2_000_000_000);
        facts.load.slot_time = None;
    });
    let law = judge::held(&facts(&mut old.clone()).load);
    let law = law.iter().find(|held| held.kind == LittlesLaw).unwrap();
    assert_eq!(law.outcome, judge::Outcome::DoesNotApply, "{}", law.seen);
}
