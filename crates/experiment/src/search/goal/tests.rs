use record::{Amount, Arrivals, EngineCost};

use super::*;

/// A server whose responses take 10 ms up to a rate, and 100 ms beyond it.
fn answered(load: &Load, most: f64) -> LoadFacts {
    let rate = load.shape.arrivals().map(Arrivals::highest_rate);
    let slow = rate.is_some_and(|rate| rate > most);
    let seconds = match load.amount {
        Amount::Seconds(seconds) => seconds,
        Amount::Requests(_) => panic!("a window of time"),
    };
    let completed = (rate.unwrap_or(2.0 * most) * seconds) as u64;
    let mut facts = LoadFacts {
        seconds,
        scheduled: completed,
        completed,
        connections: load.connections,
        offered: rate,
        shape: load.shape.clone(),
        statuses: [(200, completed)].into(),
        ..LoadFacts::default()
    };
    for _ in 0..completed {
        let time = if slow { 100_000_000 } else { 10_000_000 };
        facts.response.record(time);
        facts.service.record(time);
    }
    facts
}

fn goals(text: &str) -> Vec<Threshold> {
    judge::thresholds(text).unwrap()
}

/// The rates that are tried, and between which the search ends. `disturbed` says of which loads everything is late.
fn searched_with(
    goal: &str,
    most: f64,
    disturbed: impl Fn(usize) -> bool,
) -> (Vec<f64>, (Option<f64>, Option<f64>)) {
    let mut search = Goal::new(&Load::default(), goals(goal), 1e6, 1_000, 1);
    let (mut rates, mut names) = (Vec::new(), std::collections::BTreeSet::new());
    while let Some(next) = search.next() {
        let is_open = next.load.shape.is_open();
        let most = if is_open && disturbed(rates.len()) {
            0.0
        } else {
            most
        };
        rates.extend(next.load.shape.arrivals().map(Arrivals::highest_rate));
        let facts = answered(&next.load, most);
        assert_eq!(search.learn(Some(&facts)), is_open);
        assert!(rates.len() < 80, "{rates:?}");
        assert!(names.insert(next.name.clone()), "{}", next.name);
    }
    (rates, search.between())
}

fn searched(most: f64, goal: &str) -> (Vec<f64>, (Option<f64>, Option<f64>)) {
    searched_with(goal, most, |_| false)
}

fn times(rates: &[f64], rate: f64) -> usize {
    let same = |of: &&f64| (**of - rate).abs() < 1e-9;
    rates.iter().filter(same).count()
}

#[test]
fn it_ends_near_the_rate_beyond_which_the_goal_is_missed() {
    for most in [30.0, 300.0, 4_000.0] {
        let (rates, (held, missed)) = searched(most, "p99 < 50ms");
        let (held, missed) = (held.unwrap(), missed.unwrap());
        assert!(
            held <= most && most < missed && missed / held <= NEAR,
            "{most}: {rates:?}"
        );
        assert_eq!((times(&rates, held), times(&rates, missed)), (2, 2));
    }
}

#[test]
fn it_grows_as_long_as_the_goal_holds_whatever_the_closed_loop_got() {
    let mut search = Goal::new(&Load::default(), goals("p99 < 50ms"), 1e6, 1_000, 1);
    let look = search.next().unwrap();
    // a server that waits: 32 connections get a fraction of what it can
    search.learn(Some(&answered(&look.load, 150.0)));
    let mut next = || {
        let load = search.next().unwrap().load;
        search.learn(Some(&answered(&load, 1e4)));
        load.shape.arrivals().unwrap().highest_rate()
    };
    let mut before = next();
    assert!(before <= 300.0, "{before}");
    while before < 5e3 {
        let rate = next();
        assert!((rate / before - UP).abs() < 1e-9, "{before} {rate}");
        before = rate;
    }
}

/// A search that has little time comes to a rate that holds, where one is not far.
#[test]
fn as_long_as_none_holds_each_rate_is_half_of_the_one_before() {
    let (rates, _) = searched(30.0, "p99 < 5ms");
    let (last, others) = rates.split_last().unwrap();
    for pair in others.windows(2) {
        assert!((pair[0] / pair[1] - 2.0).abs() < 1e-9, "{rates:?}");
    }
    // the lowest is what has to fail twice
    assert_eq!(Some(last), others.last(), "{rates:?}");
}

#[test]
fn one_disturbed_window_does_not_end_it() {
    let (_, undisturbed) = searched(300.0, "p99 < 50ms");
    for at in 0..12 {
        let (rates, found) = searched_with("p99 < 50ms", 300.0, |load| load == at);
        assert_eq!(found, undisturbed, "load {at}: {rates:?}");
    }
}

#[test]
fn a_goal_that_never_holds_or_always_does_ends_the_search() {
    let (rates, found) = searched(100.0, "p99 < 1ms");
    assert_eq!(found.0, None);
    assert!(rates.last().unwrap() / 2.0 < LEAST, "{rates:?}");
    let mut search = Goal::new(&Load::default(), goals("p99 < 1s"), 0.0, 1_000, 1);
    let look = search.next().unwrap();
    search.learn(Some(&answered(&look.load, 100.0)));
    let first = search.next().unwrap();
    search.learn(Some(&answered(&first.load, 100.0)));
    assert!(search.next().is_none(), "its time is over");
    let rate = first.load.shape.arrivals().map(Arrivals::highest_rate);
    assert_eq!(search.between(), (rate, None));
}

#[test]
fn where_the_generator_sets_the_limit_no_higher_rate_is_known() {
    let mut search = Goal::new(&Load::default(), goals("p99 < 50ms"), 1e6, 1_000, 1);
    let mut rates = Vec::new();
    while let Some(next) = search.next() {
        // the server is fast far beyond 300 req/s, from where on weir's own thread is too busy
        let mut facts = answered(&next.load, 5_000.0);
        let rate = next.load.shape.arrivals().map(Arrivals::highest_rate);
        let busy = rate.is_some_and(|rate| rate > 300.0);
        facts.engine = EngineCost {
            busiest: if busy { 0.95 } else { 0.3 },
            ..EngineCost::default()
        };
        rates.extend(rate);
        search.learn(Some(&facts));
        assert!(rates.len() < 80, "{rates:?}");
    }
    let (held, missed) = search.between();
    assert!(!search.is_bracketed() && missed.is_none(), "{rates:?}");
    let held = held.unwrap();
    let limit = goal::limit(&search.rates).unwrap();
    assert!(
        held <= 300.0 && 300.0 < limit && limit / held <= NEAR,
        "{held} {limit}: {rates:?}"
    );
    assert_eq!((times(&rates, held), times(&rates, limit)), (2, 2));
    let why = search.why_not();
    assert!(
        why.contains("the load generator was the bottleneck"),
        "{why}"
    );
}

#[test]
fn a_closed_loop_without_a_response_is_done_again_for_longer() {
    let mut search = Goal::new(&Load::default(), goals("p50 < 30s"), 60.0, 1_000, 1);
    let length = |load: &Load| match load.amount {
        Amount::Seconds(seconds) => seconds,
        Amount::Requests(_) => panic!("a window of time"),
    };
    // responses of 5 s: the first window waits for none, and the second for all of them
    let first = search.next().unwrap();
    assert!(first.may_break && first.load.drain.is_none());
    let nothing = |load: &Load, drained| {
        let mut facts = LoadFacts {
            seconds: length(load),
            scheduled: 32,
            in_flight: 32,
            drained,
            ..LoadFacts::default()
        };
        (0..drained).for_each(|_| facts.service.record(5_000_000_000));
        facts
    };
    search.learn(Some(&nothing(&first.load, 0)));
    let second = search.next().unwrap();
    assert!(length(&second.load) > length(&first.load) && second.load.drain.is_some());
    assert!(!second.may_break, "what goes wrong is told");
    search.learn(Some(&nothing(&second.load, 32)));
    let third = search.next().unwrap().load;
    assert!((length(&third) - 10.0).abs() < 0.1, "{third:?}");
    let facts = LoadFacts {
        completed: 32,
        service: nothing(&third, 32).service,
        ..nothing(&third, 0)
    };
    search.learn(Some(&facts));
    assert!(search.next().unwrap().load.shape.is_open());
    // of one that never answers the search has an end
    let mut dead = Goal::new(&Load::default(), goals("p50 < 30s"), 60.0, 1_000, 1);
    for _ in 0..2 {
        let load = dead.next().unwrap().load;
        dead.learn(Some(&nothing(&load, 0)));
    }
    assert!(dead.next().is_none());
}
