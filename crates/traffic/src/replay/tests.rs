mod flaws;
mod formats;
mod pace;

use std::fs;
use std::path::{Path, PathBuf};

use load::{Request, RequestSource as _, What};
use testkit::temp_dir;
use url::Url;

use super::{LogFormat, Pace, Replay, ReplayPlan};

fn plan(path: &Path) -> ReplayPlan {
    ReplayPlan {
        path: path.to_owned(),
        format: LogFormat::Auto,
        pace: Pace::Scaled(1.0),
        all_methods: false,
        check: true,
        headers: vec![("X-Replay".into(), "1".into())],
        origin: Url::parse("http://127.0.0.1:8000/").unwrap().origin(),
    }
}

fn read(plan: &ReplayPlan) -> Replay {
    Replay::read(plan).unwrap_or_else(|error| panic!("{error}"))
}

fn text(text: &str) -> (testkit::TempDir, PathBuf) {
    let folder = temp_dir();
    let path = folder.path().join("log");
    fs::write(&path, text).unwrap();
    (folder, path)
}

/// What one thread asks first.
fn asked(replay: &Replay, worker: usize, workers: usize, times: usize) -> Vec<Request> {
    let prepared = replay.prepared();
    let mut stream = replay.stream(worker, workers, 1).unwrap();
    (0..times)
        .map(|_| match stream.begin(0, 0).unwrap().what {
            What::Prepared(number) => prepared[number as usize].clone(),
            What::Request(request) => *request,
            What::Verbatim(_) => panic!("a replay writes no bytes"),
        })
        .collect()
}

fn paths(replay: &Replay) -> Vec<String> {
    let count = replay.summary().requests as usize;
    let requests = asked(replay, 0, 1, count).into_iter();
    requests
        .map(|request| format!("{} {}", request.method, request.path))
        .collect()
}

fn line(second: u32, request: &str, rest: &str) -> String {
    format!("1.2.3.4 - - [20/Nov/2026:21:10:{second:02} +0000] \"{request}\" {rest}\n")
}
