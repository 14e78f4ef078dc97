//! Throughput and response times that contradict each other.

use judge::DoubtKind::{Errors, LittlesLaw, TimeInFailures, Unanswered};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use record::{Cause, Distribution, DrainFacts, Shape, SlotTime, Trial};

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

/// What happens to requests of a closed loop: how long an answer takes, and which share hangs or fails.
struct Server<'a> {
    service: &'a mut dyn FnMut() -> f64,
    hangs: f64,
    fails: f64,
}

/// What became of one request that a connection sent at `due`.
enum End {
    Kept(f64),
    Failed(f64),
    Hangs,
}

impl Server<'_> {
    fn answer(&mut self, random: &mut ChaCha8Rng) -> End {
        let time = (self.service)();
        if random.random_bool(self.hangs) {
            End::Hangs
        } else if random.random_bool(self.fails) {
            End::Failed(time)
        } else {
            End::Kept(time)
        }
    }
}

/// What a load engine writes down that does its work.
#[derive(Default)]
struct Seen {
    seconds: f64,
    times: Vec<f64>,
    /// Of `times`, those of requests that hung.
    hung: Vec<f64>,
    failures: u64,
    cut_off: u64,
    timed_out: u64,
    slot_time: SlotTime,
    /// Of its `beyond`, what is of requests that hung.
    hung_beyond: f64,
}

impl Seen {
    fn keep(&mut self, time: f64) {
        self.times.push(time);
    }

    /// A request that was under way for so long when the window closed, and was waited for.
    fn cut(&mut self, inside: f64, waited: f64) {
        self.hung.push(inside + waited);
        self.cut_off += 1;
        self.slot_time.beyond += waited;
        self.hung_beyond += waited;
    }

    /// The facts; `forgets` leaves out what hung, as engines do that stop when time is up.
    fn trial(&self, connections: u64, forgets: bool) -> Trial {
        let mut response = Distribution::default();
        let hung: &[f64] = if forgets { &[] } else { &self.hung };
        for time in self.times.iter().chain(hung) {
            response.record((time * 1e9) as u64);
        }
        let cut_off = if forgets { 0 } else { self.cut_off };
        spoiled(|facts| {
            let load = &mut facts.load;
            load.seconds = self.seconds;
            load.connections = connections as u32;
            load.kept_busy = Some(connections);
            load.completed = self.times.len() as u64;
            load.timed_out = self.timed_out;
            load.failed.insert(Cause::Status, self.failures);
            load.in_flight = cut_off;
            load.drain = Some(DrainFacts {
                seconds: 1.0,
                unanswered: cut_off,
                cut_off,
                ..DrainFacts::default()
            });
            load.scheduled = load.accounted();
            load.response = response.clone();
            let time = load.slot_time.insert(self.slot_time);
            if forgets {
                time.beyond -= self.hung_beyond;
            }
        })
    }

    /// Share of all slots' time that hung requests took.
    fn hung_share(&self, connections: u64) -> f64 {
        let inside: f64 = self.hung.iter().sum::<f64>() - self.hung_beyond;
        inside / (connections as f64 * self.seconds)
    }
}

/// A window of so many seconds, after which answers are waited for a second.
fn by_time(connections: u64, seconds: f64, server: &mut Server, random: &mut ChaCha8Rng) -> Seen {
    let mut seen = Seen {
        seconds,
        ..Seen::default()
    };
    for _ in 0..connections {
        let mut due = 0.0;
        while due < seconds {
            let inside = seconds - due;
            match server.answer(random) {
                End::Hangs => {
                    seen.cut(inside, 1.0);
                    due = seconds;
                }
                End::Kept(time) if time > inside + 1.0 => {
                    seen.cut(inside, 1.0);
                    due = seconds;
                }
                End::Kept(time) => {
                    seen.keep(time);
                    seen.slot_time.beyond += (time - inside).max(0.0);
                    due += time;
                }
                End::Failed(time) => {
                    seen.failures += 1;
                    seen.slot_time.failed += time.min(inside);
                    due += time;
                }
            }
        }
    }
    seen
}

/// A window of so many requests, with a time limit of 30 s.
fn by_count(connections: u64, requests: u64, server: &mut Server, random: &mut ChaCha8Rng) -> Seen {
    let mut seen = Seen::default();
    let mut free = vec![0.0f64; connections as usize];
    let mut late = Vec::new();
    let mut end = 0.0f64;
    for _ in 0..requests {
        let slot = free.iter_mut().min_by(|a, b| a.total_cmp(b)).unwrap();
        let due = *slot;
        end = end.max(due); // a request is begun
        match server.answer(random) {
            End::Hangs => {
                seen.hung.push(30.0);
                seen.timed_out += 1;
                late.push(due);
                *slot = due + 30.0;
                continue;
            }
            End::Kept(time) => {
                seen.keep(time);
                *slot = due + time;
            }
            End::Failed(time) => {
                seen.failures += 1;
                seen.slot_time.failed += time;
                *slot = due + time;
            }
        }
        end = end.max(*slot);
    }
    seen.seconds = end;
    seen.slot_time.idle = free.iter().map(|free| (end - free).max(0.0)).sum();
    let beyond = late.iter().map(|due| (due + 30.0 - end).clamp(0.0, 30.0));
    seen.hung_beyond = beyond.sum();
    seen.slot_time.beyond = seen.hung_beyond;
    seen
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
