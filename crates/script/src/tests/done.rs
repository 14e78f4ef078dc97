use record::{Cause, Interval, LoadFacts};

use super::*;

/// 90 answers at 1 ms, 9 at 2 ms, one at 10 ms, in a window of two seconds.
fn facts() -> LoadFacts {
    let mut facts = LoadFacts {
        seconds: 2.0,
        scheduled: 112,
        completed: 93,
        bytes_received: 12_345,
        timed_out: 2,
        ..LoadFacts::default()
    };
    facts.statuses.extend([(200, 93), (404, 4), (503, 3)]);
    facts.failed.extend([
        (Cause::Status, 7),
        (Cause::Refused, 1),
        (Cause::Backlog, 2),
        (Cause::Truncated, 3),
        (Cause::ResetBeforeAnswer, 4),
    ]);
    for (milliseconds, count) in [(1, 90), (2, 9), (10, 1)] {
        for _ in 0..count {
            facts.response.record(milliseconds * 1_000_000);
        }
    }
    facts.engine.threads = 2;
    facts.intervals = vec![
        Interval {
            until: 1.0,
            completed: 60,
        },
        Interval {
            until: 2.0,
            completed: 40,
        },
    ];
    facts
}

#[test]
fn figures_are_in_microseconds() {
    let script = open("table.lua", 1);
    script.finish(&facts()).unwrap();
    let printed: String = global(script.main(), "printed");
    let lines: Vec<&str> = printed.lines().collect();
    // an HdrHistogram keeps three digits: 10 ms may be told as 10,003 microseconds
    let near = |line: &str, name: &str, wanted: f64| {
        let value: f64 = line.strip_prefix(name).unwrap().parse().unwrap();
        assert!(
            (value - wanted).abs() <= wanted / 1000.0,
            "{line}, not {wanted}"
        );
    };
    near(lines[0], "50%,", 1_000.0);
    near(lines[1], "90%,", 2_000.0); // rank 91 of 100, as wrk rounds it
    near(lines[2], "99%,", 10_000.0);
    near(lines[3], "99.999%,", 10_000.0);
    let row: Vec<f64> = lines[4]
        .split(' ')
        .map(|text| text.parse().unwrap())
        .collect();
    for (value, wanted) in row.iter().zip([1_000.0, 10_000.0, 1_180.0, 3.0]) {
        assert!((value - wanted).abs() <= wanted / 1000.0 + 1.0, "{row:?}");
    }
    assert!(lines[5].ends_with(" x 9"), "{}", lines[5]);
    assert_eq!(lines[6], "100 2000000 12345");
    assert_eq!(lines[7], "3 7 0 7 2");
    assert_eq!(lines[8], "30 2");
    let deviation: f64 = lines[9].parse().unwrap();
    assert!((deviation - 934.7).abs() < 5.0, "{deviation}");
}

#[test]
fn nothing_answered_is_no_crash() {
    let script = open("table.lua", 1);
    script.finish(&LoadFacts::default()).unwrap();
    let printed: String = global(script.main(), "printed");
    assert!(printed.starts_with("50%,0\n"), "{printed}");
}

#[test]
fn values_cross_between_the_states() {
    let script = open("counts.lua", 2);
    let mut first = script.stream(0, 2, 1).unwrap();
    let mut second = script.stream(1, 2, 1).unwrap();
    for _ in 0..2 {
        begin(&mut *first, 0);
        answer(&mut *first, 0, 200, "");
    }
    begin(&mut *second, 0);
    script.finish(&facts()).unwrap();
    let said: String = global(script.main(), "said");
    // one more than the first thread sent: the one that was looked at before the load
    assert_eq!(said, "1: 3 2\n2: 1 0\n");
    assert_eq!(global::<String>(script.main(), "same"), "three");
    assert_eq!(global::<Option<String>>(script.main(), "none"), None);
    let refused: String = global(script.main(), "refused");
    assert!(
        refused.contains("cannot transfer 'function' to thread"),
        "{refused}"
    );
    let state = script.state(1);
    assert_eq!(
        global::<String>(state, "first"),
        "http://127.0.0.1:8000/start?a=b"
    );
    assert_eq!(global::<String>(state, "second"), "one");
    assert_eq!(global::<u32>(state, "how_many"), 2);
}

#[test]
fn answers_are_verified() {
    let mut options = options(ours("verified.lua"), 2);
    options.args = vec!["ok".to_owned()];
    let script = Script::open(&options).unwrap();
    for worker in 0..2 {
        let mut stream = script.stream(worker, 2, 1).unwrap();
        for status in [200, 200, 500, 0] {
            stream.begin(0, 0).unwrap();
            answer(&mut *stream, 0, status, "");
        }
    }
    script.finish(&facts()).unwrap();
    let line: String = global(script.main(), "line");
    assert!(line.starts_with("right=4 wrong=2 of 100 p99=10"), "{line}");
}
