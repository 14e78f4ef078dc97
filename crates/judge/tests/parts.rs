//! Where the time of a response is spent.

use crate::lab;
use crate::lab::stage::{RATE, server, times};
use judge::Parts;
use record::{Counted, CounterKind, Measured, ProgramCounters, QueueFacts, SocketFacts};

/// What is told of a stage with a front end before gunicorn, of responses of 100 ms, with these times in ms.
fn told(front: &str, timed: &[(&str, f64)]) -> Option<Parts> {
    told_of(front, timed, |_| {})
}

/// The same of trials in which this was different.
fn told_of(front: &str, timed: &[(&str, f64)], spoil: impl Fn(&mut Measured)) -> Option<Parts> {
    let run = lab::run(&["one"]);
    let trials: Vec<_> = (0..3)
        .map(|block| {
            let mut trial = lab::trial(block, "one", RATE);
            let facts = lab::facts(&mut trial);
            facts.load.service = times(0.1);
            facts.stack.servers = vec![server(front, &[]), server("gunicorn", &[])];
            let values = timed.iter().map(|(name, value)| {
                let counted = Counted {
                    kind: CounterKind::Average,
                    unit: "ms".to_owned(),
                    value: *value,
                };
                ((*name).to_owned(), counted)
            });
            facts.observed.counters = vec![ProgramCounters {
                program: front.to_owned(),
                values: values.collect(),
                problem: None,
            }];
            spoil(facts);
            trial
        })
        .collect();
    judge::judge(&run, &trials).variants[0].parts.clone()
}

fn near(of: f64, expected: f64) {
    assert!((of - expected).abs() < 1e-3, "{of} is not {expected}");
}

#[test]
fn a_front_end_that_times_requests_and_its_server_tells_three_parts() {
    let parts = told("nginx", &[("request-time", 92.0), ("server-time", 90.0)]).unwrap();
    assert_eq!(parts.front.as_deref(), Some("nginx"));
    assert_eq!(parts.behind, "gunicorn");
    near(parts.all, 0.1);
    near(parts.outside, 0.008);
    near(parts.inside.unwrap(), 0.002);
    near(parts.server, 0.09);
    assert_eq!((parts.queue, parts.together), (None, false));
}

#[test]
fn a_queue_is_a_part_of_its_own() {
    let timed = [
        ("queue-time", 60.0),
        ("connect-time", 1.0),
        ("first-byte-time", 29.0),
    ];
    let parts = told("haproxy", &timed).unwrap();
    near(parts.queue.unwrap(), 0.06);
    near(parts.server, 0.03);
    near(parts.outside, 0.01);
    assert_eq!(parts.inside, None);
}

#[test]
fn a_front_end_that_times_requests_alone_tells_what_is_before_it() {
    let parts = told("apache", &[("request-time", 92.0)]).unwrap();
    near(parts.outside, 0.008);
    near(parts.server, 0.092);
    assert_eq!((parts.inside, parts.together), (None, true));
}

#[test]
fn what_is_not_told_is_no_part() {
    assert_eq!(told("nginx", &[]), None);
    // means of some requests and of all: a part is never less than nothing
    let parts = told("nginx", &[("request-time", 120.0), ("server-time", 130.0)]).unwrap();
    near(parts.outside, 0.0);
    near(parts.inside.unwrap(), 0.0);
}

/// In so many looks this program had not begun to read so many requests, of all looks together.
fn not_read(program: &str, unread: u64, looks: u32) -> impl Fn(&mut Measured) {
    move |facts| {
        facts.observed.sockets = Some(SocketFacts {
            looks,
            ..SocketFacts::default()
        });
        facts.observed.queues = vec![QueueFacts {
            program: program.to_owned(),
            unread: Some(unread),
            ..QueueFacts::default()
        }];
    }
}

/// What a response waits until gunicorn reads the request.
fn until_read(program: &str, unread: u64, looks: u32) -> Option<f64> {
    let timed = [("request-time", 92.0), ("server-time", 90.0)];
    let parts = told_of("nginx", &timed, not_read(program, unread, looks));
    parts.unwrap().unread
}

/// 100 responses a second, in three trials.
#[test]
fn of_the_time_at_the_server_it_is_told_how_long_it_had_not_begun() {
    near(until_read("gunicorn", 20, 4).unwrap(), 0.05);
    near(until_read("gunicorn", 400, 4).unwrap(), 0.09);
    assert_eq!(until_read("gunicorn", 5, 1), None, "too few looks");
    assert_eq!(until_read("gunicorn", 0, 4), None, "none waited");
    assert_eq!(until_read("nginx", 20, 4), None, "they waited elsewhere");
}

#[test]
fn without_a_front_end_it_is_told_where_a_server_lets_requests_wait_for_long() {
    let alone = |unread| {
        told_of("nginx", &[], move |facts| {
            facts.stack.servers.remove(0);
            not_read("gunicorn", unread, 4)(facts);
        })
    };
    let parts = alone(20).unwrap();
    assert_eq!(parts.front, None);
    assert_eq!(parts.behind, "gunicorn");
    near(parts.server, 0.1);
    near(parts.unread.unwrap(), 0.05);
    assert_eq!(alone(2), None, "5 of 100 ms");
}

#[test]
fn a_server_that_somebody_else_started_is_told_by_its_name() {
    let parts = told_of("nginx", &[], |facts| {
        facts.stack.servers.clear();
        not_read("python3", 20, 4)(facts);
    });
    assert_eq!(parts.unwrap().behind, "python3");
}
