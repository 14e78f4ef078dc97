use std::fs;
use std::path::Path;

use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use testkit::temp_dir;

use super::super::{Replay, ReplayPlan};
use super::{line, plan, read, text};
use crate::TrafficError;

#[test]
fn what_cannot_be_read_is_counted_and_the_first_is_shown() {
    let log = line(0, "GET / HTTP/1.1", "200 1")
        + "\n"
        + &line(0, "\\x16\\x03\\x01", "400 150")
        + "garbage\n"
        + &line(0, "POST / HTTP/1.1", "200 1")
        + &"x".repeat(200_000)
        + "\n"
        + &line(1, "GET / HTTP/1.1", "200 1");
    let (_folder, path) = text(&log);
    let replay = read(&plan(&path));
    let told = replay.summary().to_string();
    assert!(
        told.starts_with(
            "a common log of 2 requests to ask, 1 of them distinct; 1 left out for their method; 3 could not be read, \
             the first is number 3: `1.2.3.4 - -"
        ),
        "{told}"
    );
}

#[test]
fn a_recording_without_requests_is_an_error_with_a_remedy() {
    for (log, wanted) in [
        (String::new(), "record some requests first"),
        ("a\nb\n".into(), "name its format with `--log-format`"),
        (
            line(0, "POST / HTTP/1.1", "200 1"),
            "use `--replay-methods all`",
        ),
        (
            "{\"log\": {\"entries\": 1}}".into(),
            "save it again from the network panel",
        ),
        (
            "{\"log\": {\"entries\": []}}".into(),
            "record some requests first",
        ),
    ] {
        let (_folder, path) = text(&log);
        let error = Replay::read(&plan(&path)).unwrap_err();
        let hint = error.hint().unwrap();
        assert!(matches!(error, TrafficError::Nothing { .. }), "{error}");
        assert!(hint.starts_with(wanted), "{log}: {hint}");
    }
    let missing = Replay::read(&plan(Path::new("/nowhere/at/all"))).unwrap_err();
    assert!(
        missing
            .to_string()
            .starts_with("cannot read `/nowhere/at/all`: ")
    );
}

/// `weir try` and plans have none.
#[test]
fn without_the_options_of_bench_a_remedy_names_none() {
    for (log, wanted) in [
        ("a\nb\n".to_owned(), "convert it to one of these formats: "),
        (line(0, "POST / HTTP/1.1", "200 1"), "GET and HEAD alone"),
        (String::new(), "record some requests first"),
    ] {
        let (_folder, path) = text(&log);
        let error = Replay::read(&plan(&path)).unwrap_err().without_options();
        let hint = error.hint().unwrap();
        assert!(hint.starts_with(wanted), "{log}: {hint}");
        assert!(!hint.contains("`--"), "{hint}");
    }
}

#[test]
fn what_was_packed_and_ends_in_the_middle_is_not_asked_in_part() {
    let log = line(0, "GET / HTTP/1.1", "200 1").repeat(50_000);
    let packed = compress_to_vec(log.as_bytes(), CompressionLevel::Fastest);
    let folder = temp_dir();
    let path = folder.path().join("access.log.zst");
    fs::write(&path, &packed).unwrap();
    assert_eq!(read(&plan(&path)).summary().requests, 50_000);
    fs::write(&path, &packed[..packed.len() - 2]).unwrap();
    let error = Replay::read(&plan(&path)).unwrap_err();
    assert!(matches!(error, TrafficError::Read { .. }), "{error}");
}

#[test]
fn statuses_of_answers_that_will_not_come_again_are_not_demanded() {
    let log: String = [200, 304, 206, 499, 404]
        .iter()
        .map(|status| line(0, "GET / HTTP/1.1", &format!("{status} 1")))
        .collect();
    let (_folder, path) = text(&log);
    let replay = read(&plan(&path));
    assert_eq!(replay.recording.statuses, [Some(200), None, Some(404)]);
    let unchecked = ReplayPlan {
        check: false,
        ..plan(&path)
    };
    assert_eq!(read(&unchecked).recording.statuses, [None]);
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(64))]
    #[test]
    fn garbage_never_panics(bytes: Vec<u8>, tail in ".*") {
        let folder = temp_dir();
        let path = folder.path().join("log");
        for start in ["", "{\"log\": {", "\u{1f}", "1.2.3.4 - - [20/Nov/2026:21:10:00 +0000] \""] {
            fs::write(&path, [start.as_bytes(), &bytes, tail.as_bytes()].concat()).unwrap();
            let _ = Replay::read(&plan(&path));
        }
    }
}
