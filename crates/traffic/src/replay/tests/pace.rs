use std::fs;
use std::io::Write as _;
use std::time::Duration;

use flate2::write::GzEncoder;
use load::{RequestSource as _, What};
use testkit::temp_dir;

use super::super::{Pace, Replay, ReplayPlan};
use super::{asked, line, paths, plan, read, text};

#[test]
fn requests_of_a_second_are_spread_over_it_and_scaled() {
    let log: String = [
        (0, "/a"),
        (0, "/b"),
        (0, "/c"),
        (0, "/d"),
        (2, "/e"),
        (1, "/late"),
    ]
    .iter()
    .map(|(second, path)| line(*second, &format!("GET {path} HTTP/1.1"), "200 1"))
    .collect();
    let (_folder, path) = text(&log);
    let replay = read(&plan(&path));
    let millis = |replay: &Replay| -> Vec<u64> {
        let times = replay.times().unwrap();
        times.iter().map(|time| time / 1_000_000).collect()
    };
    assert_eq!(millis(&replay), [0, 250, 500, 750, 1000, 2000]);
    assert_eq!(paths(&replay)[4..], ["GET /late", "GET /e"]);
    assert_eq!(replay.length(), Some(2_000_000_000));
    let pace = |pace| ReplayPlan {
        pace,
        ..plan(&path)
    };
    let fast = read(&pace(Pace::Scaled(2.0)));
    assert_eq!(millis(&fast), [0, 125, 250, 375, 500, 1000]);
    assert_eq!(fast.summary().length, Duration::from_secs(2));
    let asap = read(&pace(Pace::Asap));
    assert!(asap.times().is_none() && asap.length().is_none());
}

#[test]
fn a_request_that_took_long_began_early() {
    let long = line(2, "GET /long HTTP/1.1", "200 1 \"-\" \"-\" 1.900");
    let short = line(1, "GET /short HTTP/1.1", "200 1 \"-\" \"-\" 0.001");
    let (_folder, path) = text(&(short + &long));
    let replay = read(&plan(&path));
    assert_eq!(paths(&replay), ["GET /long", "GET /short"]);
    assert_eq!(replay.length(), Some(899_000_000));
}

#[test]
fn packed_logs_and_many_paths_and_several_threads() {
    let log: String = (0..25_000)
        .map(|n| {
            line(
                n / 5000,
                &format!("GET /item/{} HTTP/1.1", n % 20_000),
                "200 1",
            )
        })
        .collect();
    let folder = temp_dir();
    let path = folder.path().join("access.log.gz");
    let mut packer = GzEncoder::new(
        fs::File::create(&path).unwrap(),
        flate2::Compression::fast(),
    );
    packer.write_all(log.as_bytes()).unwrap();
    packer.finish().unwrap();
    let replay = read(&plan(&path));
    assert_eq!(
        (replay.summary().requests, replay.summary().distinct),
        (25_000, 20_000)
    );
    assert_eq!(
        replay.prepared().len(),
        10_000,
        "the others are made when they are asked"
    );
    let path = |n: usize| format!("/item/{}", n % 20_000);
    for worker in 0..3usize {
        // One more than its share: then it begins anew.
        let share = (25_000 - worker).div_ceil(3);
        let asked = asked(&replay, worker, 3, share + 1);
        for (number, request) in asked[..share].iter().enumerate() {
            assert_eq!(request.path, path(worker + 3 * number));
        }
        assert_eq!(asked[share].path, path(worker));
    }
}

#[test]
fn what_was_dropped_is_passed_over() {
    let log: String = (0..8)
        .map(|n| line(n, &format!("GET /{n} HTTP/1.1"), "200 1"))
        .collect();
    let (_folder, path) = text(&log);
    let replay = read(&plan(&path));
    let prepared = replay.prepared();
    let mut stream = replay.stream(1, 2, 1).unwrap();
    let mut at = |due: u64| match stream.begin(0, due).unwrap().what {
        What::Prepared(number) => prepared[number as usize].path.clone(),
        other => panic!("{other:?}"),
    };
    let opened = 77_000_000_000;
    let due = |second: u64| opened + second * 1_000_000_000;
    assert_eq!(at(due(1)), "/1");
    assert_eq!(at(due(5)), "/5", "3 was dropped");
    assert_eq!(at(due(7)), "/7");
    stream.restart();
    let mut first = |due: u64| match stream.begin(0, due).unwrap().what {
        What::Prepared(number) => prepared[number as usize].path.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(first(due(100)), "/1", "a new phase begins at the start");
}
