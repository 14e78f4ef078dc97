//! Throughput and response times that contradict each other.

use judge::DoubtKind::{Errors, LittlesLaw};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use record::{Cause, Distribution, Shape, Trial};

use super::{failing, spoiled};
use crate::lab::{self, doubts, facts, kinds};

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
