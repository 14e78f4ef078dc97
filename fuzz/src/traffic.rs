//! What people hand over to be asked again, looked into or demanded: logs, archives, mixes, pages,
//! checks. Whatever is made of it can be sent.

use std::path::Path;

use ::traffic::{LogFormat, Mix, Pace, Replay, ReplayPlan};
use load::{Check, Demand, Request, RequestSource as _, Text};
use url::Url;
use wire::{Ask, Http1, Session as _};

const LOGS: [LogFormat; 6] = [
    LogFormat::Auto,
    LogFormat::Common,
    LogFormat::Combined,
    LogFormat::CombinedTimed,
    LogFormat::Ltsv,
    LogFormat::Json,
];

pub(crate) fn check_log(data: &[u8]) {
    for format in LOGS {
        replay(data, format);
    }
}

pub(crate) fn check_archive(data: &[u8]) {
    replay(data, LogFormat::Har);
}

/// Reads a recording as this format.
///
/// # Panics
/// When its requests are not in order, or more than there is text for.
fn replay(data: &[u8], format: LogFormat) {
    let plan = ReplayPlan {
        path: "recording".into(),
        format,
        pace: Pace::Scaled(2.0),
        all_methods: true,
        check: true,
        headers: Vec::new(),
        origin: site().origin(),
    };
    let Ok(replay) = Replay::parse(&plan, data) else {
        return;
    };
    let summary = replay.summary();
    assert!(summary.requests > 0 && summary.requests <= data.len() as u64);
    assert!(summary.distinct <= summary.requests);
    let times = replay.times().expect("an open loop");
    assert_eq!(times.len() as u64, summary.requests);
    assert!(times.is_sorted());
    replay.prepared().iter().for_each(send);
}

pub(crate) fn check_mix(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let Ok(mix) = Mix::parse(&text, Path::new("mix.toml"), &[], 1) else {
        return;
    };
    assert!(!mix.names().is_empty());
    mix.prepared().iter().for_each(send);
}

pub(crate) fn check_document(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    same_origin(&::traffic::assets_of_document(&text, &site()));
}

pub(crate) fn check_stylesheet(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    same_origin(&::traffic::assets_of_stylesheet(&text, &site()));
}

/// What a page needs is asked of its own server, once.
fn same_origin(assets: &[Url]) {
    for (number, url) in assets.iter().enumerate() {
        assert_eq!(url.origin(), site().origin());
        assert_eq!(url.fragment(), None);
        assert!(!assets[..number].contains(url), "`{url}` twice");
        send(&Request {
            method: "GET".to_owned(),
            path: url[url::Position::BeforePath..url::Position::AfterQuery].to_owned(),
            ..Request::default()
        });
    }
}

/// Reads the first line as a pattern and as a JSON path, and holds the rest to it.
pub(crate) fn check_demand(data: &[u8]) {
    let at = data.iter().position(|&byte| byte == b'\n');
    let (first, body) = data.split_at(at.unwrap_or(data.len()));
    let text = String::from_utf8_lossy(first).into_owned();
    for demand in [
        Demand::Body(Text::Matches(text.clone())),
        Demand::Json {
            path: text,
            value: None,
        },
    ] {
        let name = String::new();
        if let Ok(Err(why)) = (Check { name, demand }).verdict(&[], body) {
            assert!(!why.is_empty() && !why.contains('\n'), "{why:?}");
        }
    }
}

/// # Panics
/// When the request cannot be put on the wire.
fn send(request: &Request) {
    let headers: Vec<(&str, &str)> = request
        .headers
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect();
    let ask = Ask {
        method: &request.method,
        path: &request.path,
        host: "localhost",
        headers: &headers,
        body: &request.body,
        keep_alive: true,
        cgi: wire::Cgi::default(),
    };
    if let Err(why) = Http1::prepare(&ask) {
        panic!("{why}");
    }
}

fn site() -> Url {
    Url::parse("http://localhost:8000/a/").expect("an address")
}
