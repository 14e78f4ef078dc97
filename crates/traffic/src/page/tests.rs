mod engine;

use std::collections::BTreeMap;
use std::sync::Arc;

use load::{Body, Expected, Heard, Status};
use record::Visits;
use url::Url;

use super::found::Reader;
use super::visit::Visitor;
use super::{Counts, Kind, Page, PagePlan, Tally};
use engine::{Engine, Seen};

/// A site: path to status, header lines, body.
type Site = BTreeMap<&'static str, (u16, &'static str, &'static str)>;

const HTML: &str = "<link rel=stylesheet href=/s.css><script src=/j.js></script><img src=/1.png><img src=/2.png>\
                    <img src=/1.png><img src=http://elsewhere/x.png>";

fn site() -> Site {
    Site::from([
        ("/", (200, "", HTML)),
        (
            "/s.css",
            (
                200,
                "ETag: \"s\"",
                "@import 't.css'; a { background: url(3.png) }",
            ),
        ),
        (
            "/t.css",
            (
                200,
                "Cache-Control: max-age=1000",
                "b { background: url(4.png) }",
            ),
        ),
        ("/j.js", (200, "Cache-Control: max-age=1000", "")),
        (
            "/1.png",
            (200, "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT", ""),
        ),
        (
            "/2.png",
            (200, "Cache-Control: no-store\r\nETag: \"2\"", ""),
        ),
        ("/3.png", (200, "", "")),
        ("/4.png", (200, "Cache-Control: max-age=1000", "")),
    ])
}

const FIRST: [&str; 8] = [
    "/", "/1.png", "/2.png", "/3.png", "/4.png", "/j.js", "/s.css", "/t.css",
];

fn page(visits: Visits, connections: usize) -> Page {
    Page::new(PagePlan {
        url: Url::parse("http://h/").unwrap(),
        connections,
        visits,
        expected: Expected::new(Status::Is(200), Body::Any),
        headers: Vec::new(),
    })
}

fn paths(seen: &Seen) -> Vec<&str> {
    seen.iter().map(|(path, _)| path.as_str()).collect()
}

#[test]
fn every_asset_is_fetched_once_over_at_most_so_many_connections() {
    let site = site();
    for each in 1..=7 {
        for seed in 0..20 {
            let page = page(Visits::Fresh, each);
            let mut engine = Engine::new(&page, &site, each, each, seed);
            for _ in 0..3 {
                let (seen, ended) = engine.visit();
                assert_eq!(paths(&seen), FIRST);
                assert!(seen.iter().all(|(_, validator)| validator.is_none()));
                assert!(ended.is_some());
            }
            assert!(engine.most <= each);
            assert!(
                engine.most == each || each > 4,
                "{} of {each} at once",
                engine.most
            );
            let counts = page.counts();
            assert_eq!(
                (counts.visits, counts.fetched, counts.elsewhere),
                (3, 21, 3)
            );
        }
    }
}

#[test]
fn a_returning_visitor_asks_what_has_changed_and_nothing_that_is_fresh() {
    let site = site();
    let page = page(Visits::Both, 6);
    let mut engine = Engine::new(&page, &site, 6, 6, 1);
    assert_eq!(paths(&engine.visit().0), FIRST);
    let (seen, ended) = engine.visit();
    let seen: Vec<_> = seen
        .iter()
        .map(|(path, validator)| (path.as_str(), validator.as_deref()))
        .collect();
    let wanted = [
        ("/", None),
        ("/1.png", Some("If-Modified-Since")),
        ("/2.png", None),
        ("/3.png", None),
        ("/s.css", Some("If-None-Match")),
    ];
    assert_eq!(seen, wanted, "the rest is fresh, or was never to be kept");
    assert!(ended.is_some());
    assert_eq!(page.counts().cached, 3);
    assert_eq!(paths(&engine.visit().0), FIRST, "then somebody new comes");
}

#[test]
fn a_page_of_which_a_part_fails_has_no_time_and_the_next_one_begins() {
    let mut site = site();
    site.insert("/2.png", (500, "", ""));
    let page = page(Visits::Fresh, 2);
    let mut engine = Engine::new(&page, &site, 2, 2, 1);
    for _ in 0..2 {
        let (seen, ended) = engine.visit();
        assert_eq!((paths(&seen), ended), (FIRST.to_vec(), None));
    }
    let wanted = Counts {
        failed: 2,
        fetched: 14,
        elsewhere: 2,
        ..Counts::default()
    };
    assert_eq!(page.counts(), wanted);
    site.insert("/", (0, "", ""));
    let mut engine = Engine::new(&page, &site, 2, 2, 1);
    let (seen, ended) = engine.visit();
    assert_eq!(
        (paths(&seen), ended),
        (vec!["/"], None),
        "no document, no assets"
    );
}

#[test]
fn one_redirect_is_followed_at_the_same_origin() {
    for (location, wanted, ends) in [
        ("Location: /home#top", vec!["/", "/home"], true),
        ("Location: http://elsewhere/", vec!["/"], false),
        ("Location: /loop", vec!["/", "/loop"], false),
        ("X: y", vec!["/"], false),
    ] {
        let site = Site::from([
            ("/", (302, location, "")),
            ("/home", (200, "", "<p>hello")),
            ("/loop", (302, "Location: /", "")),
        ]);
        let page = page(Visits::Fresh, 6);
        let (seen, ended) = Engine::new(&page, &site, 6, 6, 1).visit();
        assert_eq!(
            (paths(&seen), ended.is_some()),
            (wanted, ends),
            "{location}"
        );
    }
}

#[test]
fn visitors_do_not_disturb_each_other_and_restart_frees_them() {
    let site = site();
    let page = page(Visits::Returning, 3);
    let connections = 8; // the last visitor has two
    let mut engine = Engine::new(&page, &site, 3, connections, 5);
    let mut ended = [0; 3];
    for _ in 0..2000 {
        for connection in 0..connections {
            engine.look(connection, true);
        }
        if let Some((visitor, _)) = engine.answer() {
            ended[visitor] += 1;
        }
    }
    assert!(ended.iter().all(|&count| count > 20), "{ended:?}");
    assert!(engine.most <= 3);
    engine.stream.restart();
    engine.open.fill_with(|| None);
    let begins: Vec<usize> = (0..connections)
        .filter(|&connection| engine.stream.begins(connection))
        .collect();
    assert_eq!(begins, [0, 3, 6]);
}

#[test]
fn a_redirect_of_an_asset_is_followed_and_no_failed_request() {
    let mut site = site();
    for status in [301, 302, 303, 307, 308] {
        site.insert("/2.png", (status, "Location: /moved.png", ""));
        site.insert("/moved.png", (200, "", ""));
        let page = page(Visits::Fresh, 2);
        let mut engine = Engine::new(&page, &site, 2, 2, 1);
        let (seen, ended) = engine.visit();
        assert!(paths(&seen).contains(&"/moved.png"), "{status}");
        assert!(ended.is_some(), "{status}");
        assert_eq!((engine.wrong, page.counts().failed), (0, 0), "{status}");
    }
}

/// A page that names other assets each time does not fill the memory.
#[test]
fn a_cache_keeps_what_serves_the_next_visit() {
    let url = Arc::new(Url::parse("http://h/").unwrap());
    let (mut visitor, mut reader, tally) =
        (Visitor::default(), Reader::default(), Tally::default());
    for number in 0..50 {
        let document = format!("<img src=/{number}.png><img src=/plain.png><img src=/same.png>");
        visitor.begin(&url, Visits::Returning, number);
        while let Some(fetch) = visitor.take() {
            let (fields, body) = match (fetch.asset.kind, fetch.asset.url.path()) {
                (Kind::Document, _) => ("", document.as_str()),
                (_, "/plain.png") => ("Cache-Control: no-cache", ""),
                _ => ("Cache-Control: max-age=1000", ""),
            };
            let heard = Heard {
                name: 0,
                status: 200,
                fields: fields.as_bytes(),
                body: body.as_bytes(),
                right: true,
                now: number,
            };
            visitor.settle(&fetch, &heard, &mut reader, &tally);
        }
        visitor.leave();
        let mut kept: Vec<&str> = visitor.cache.keys().map(|url| url.path()).collect();
        kept.sort_unstable();
        let mut wanted = [format!("/{number}.png"), "/same.png".to_owned()];
        wanted.sort_unstable();
        assert_eq!(kept, wanted);
    }
}
