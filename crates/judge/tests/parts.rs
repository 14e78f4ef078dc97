//! Where the time of a response is spent.

use crate::lab;
use crate::lab::stage::{RATE, server, times};
use judge::Parts;
use record::{Counted, CounterKind, ProgramCounters};

/// What is told of a stage with nginx or HAProxy in front of gunicorn, of responses of 100 ms, with these times in ms.
fn told(front: &str, timed: &[(&str, f64)]) -> Option<Parts> {
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
    assert_eq!((&*parts.front, &*parts.behind), ("nginx", "gunicorn"));
    near(parts.all, 0.1);
    near(parts.outside, 0.008);
    near(parts.inside.unwrap(), 0.002);
    near(parts.server, 0.09);
    assert_eq!(parts.queue, None);
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
fn what_is_not_told_is_no_part() {
    assert_eq!(told("nginx", &[]), None);
    assert_eq!(told("nginx", &[("request-time", 92.0)]), None);
    // means of some requests and of all: a part is never less than nothing
    let parts = told("nginx", &[("request-time", 120.0), ("server-time", 130.0)]).unwrap();
    near(parts.outside, 0.0);
    near(parts.inside.unwrap(), 0.0);
}
