//! What is told of lines that programs append to a file.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::Command;

use record::{CounterKind, CounterSpec};
use tempfile::TempDir;

use super::*;

fn spec(pattern: &str) -> CounterSpec {
    CounterSpec {
        pattern: Some(pattern.to_owned()),
        letters: None,
        row: Vec::new(),
        column: None,
        kind: CounterKind::Average,
        unit: "s".to_owned(),
        own: 0,
    }
}

fn noted(file: PathBuf) -> Noted {
    let each = [
        ("request-time", spec(r"^([0-9.]+)\|")),
        ("server-time", spec(r"(?:\||, )([0-9.]+)")),
    ];
    let each = each.map(|(name, spec)| (name.to_owned(), spec));
    Noted::new(vec![NotedSource {
        program: "front".to_owned(),
        file,
        each: each.into(),
    }])
}

fn write(file: &PathBuf, text: &[u8]) {
    let mut options = File::options();
    let mut file = options.append(true).create(true).open(file).unwrap();
    file.write_all(text).unwrap();
}

fn told(probe: Noted) -> Vec<ProgramCounters> {
    let mut seen = Seen::default();
    Box::new(probe).tell(&mut seen);
    seen.observed.counters
}

#[test]
fn what_is_noted_while_the_window_is_open_counts() {
    let place = TempDir::new().unwrap();
    let file = place.path().join("times.log");
    let (at, mut samples) = (Moment::now(), Samples::default());
    let mut probe = noted(file.clone());
    write(&file, b"9|9\n");
    probe.start(at, &mut samples);
    write(&file, &b"0.2|0.1\n0.4|-\n".repeat(5));
    probe.pause(at, &mut samples);
    write(&file, b"8|8\n");
    probe.resume();
    // two servers were asked, one after the other; and a line that is not whole yet
    write(&file, &b"0.6|0.1, 0.2\n\xff\n".repeat(5));
    write(&file, b"7|7");
    probe.stop(at, &mut samples);
    write(&file, b"\n6|6\n");
    let counters = told(probe);
    let value = |name: &str| counters[0].values[name].value;
    assert!((value("request-time") - 0.4).abs() < 1e-9, "{counters:?}");
    assert!((value("server-time") - 0.2).abs() < 1e-9, "{counters:?}");
    assert_eq!(counters[0].problem, None);
}

#[test]
fn a_few_lines_tell_no_mean() {
    let place = TempDir::new().unwrap();
    let file = place.path().join("times.log");
    let (at, mut samples) = (Moment::now(), Samples::default());
    let mut probe = noted(file.clone());
    probe.start(at, &mut samples);
    write(&file, &b"0.2|-\n".repeat(9));
    write(&file, b"0.2|0.1\n");
    probe.stop(at, &mut samples);
    let counters = told(probe);
    let names: Vec<_> = counters[0].values.keys().collect();
    assert_eq!(names, ["request-time"]);
}

#[test]
fn numbers_whose_sum_is_none_tell_nothing() {
    let place = TempDir::new().unwrap();
    let file = place.path().join("times.log");
    let (at, mut samples) = (Moment::now(), Samples::default());
    let mut probe = noted(file.clone());
    probe.start(at, &mut samples);
    let largest = format!("{}|0.1\n", "9".repeat(308));
    write(&file, largest.repeat(20).as_bytes());
    probe.stop(at, &mut samples);
    assert!(told(probe)[0].values.keys().eq(["server-time"]));
}

#[test]
fn a_pipe_in_the_place_of_a_file_holds_nobody_up() {
    let place = TempDir::new().unwrap();
    let file = place.path().join("times.log");
    let (at, mut samples) = (Moment::now(), Samples::default());
    let mut probe = noted(file.clone());
    probe.start(at, &mut samples);
    let made = Command::new("mkfifo").arg(&file).status().unwrap();
    assert!(made.success());
    probe.stop(at, &mut samples);
    assert!(told(probe)[0].problem.is_some(), "it is no file");
}

#[test]
fn a_program_that_notes_nothing_has_no_figures() {
    let place = TempDir::new().unwrap();
    let (at, mut samples) = (Moment::now(), Samples::default());
    let mut probe = noted(place.path().join("missing"));
    probe.start(at, &mut samples);
    probe.stop(at, &mut samples);
    let counters = told(probe);
    assert!(counters[0].values.is_empty() && counters[0].problem.is_none());
    let mut probe = noted(place.path().to_owned());
    probe.start(at, &mut samples);
    probe.stop(at, &mut samples);
    assert!(told(probe)[0].problem.is_some(), "a folder");
}

#[test]
fn the_last_of_many_lines_are_told() {
    let place = TempDir::new().unwrap();
    let file = place.path().join("times.log");
    let (at, mut samples) = (Moment::now(), Samples::default());
    let mut probe = noted(file.clone());
    probe.start(at, &mut samples);
    write(&file, &b"1|1\n".repeat(2 * 1024 * 1024));
    write(&file, &b"3|3\n".repeat(1024 * 1024));
    // so that the first of the last is not whole
    write(&file, b"5|");
    probe.stop(at, &mut samples);
    let counters = told(probe);
    let value = |name: &str| counters[0].values[name].value;
    assert!((value("request-time") - 3.0).abs() < 1e-9, "{counters:?}");
    assert!((value("server-time") - 3.0).abs() < 1e-9, "{counters:?}");
}

#[test]
fn a_file_without_an_end_is_read_to_a_bound() {
    let place = TempDir::new().unwrap();
    let file = place.path().join("times.log");
    let (at, mut samples) = (Moment::now(), Samples::default());
    let mut probe = noted(file.clone());
    probe.start(at, &mut samples);
    write(&file, &b"1|1\n".repeat(3 * 1024 * 1024));
    probe.pause(at, &mut samples);
    assert_eq!(probe.files[0].read, MOST);
    probe.resume();
    write(&file, b"5|5\n");
    probe.stop(at, &mut samples);
    let counters = told(probe);
    assert!((counters[0].values["request-time"].value - 1.0).abs() < 1e-9);
}
