use record::{Crowd, Retry};

use super::*;

fn read(text: &str) -> LoadTable {
    toml::from_str(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn of(text: &str) -> Load {
    load(&read(text), 1).unwrap_or_else(|wrong| panic!("{text}: {}", wrong.problem))
}

#[test]
fn every_key_of_clients_comes_through() {
    let load = of(
        "timeout = 20\ndrain = 7\nconnect-timeout = 1\nfirst-byte-timeout = 2\nstreams = 3\n\
        per-connection = 4\nretries = 5\nretry-after = 6\nbackoff = 0.5\n\
        warm-up = { until = \"stationary\" }\nthink = 0.1\nthink-spread = \"uniform\"\n\
        crowd = { idle = 1, slow-readers = 2, slow-writers = 3, slow-rate = 4, resets = 5 }",
    );
    assert_eq!(
        (load.connect_timeout, load.first_byte_timeout),
        (Some(1.0), Some(2.0))
    );
    assert_eq!((load.drain, of("").drain), (Some(7.0), None));
    assert_eq!((load.streams, load.per_connection), (3, Some(4)));
    let retry = Retry {
        times: 5,
        after: Some(6.0),
        backoff: 0.5,
    };
    assert_eq!(load.retry, Some(retry));
    assert_eq!(load.warm_up, WarmUpPlan::Stationary(UNTIL_STATIONARY));
    let crowd = Crowd {
        idle: 1,
        slow_readers: 2,
        slow_writers: 3,
        slow_rate: 4.0,
        resets: 5.0,
    };
    assert_eq!(load.crowd, crowd);
}

#[test]
fn a_page_has_whole_visitors() {
    let load = of("connections = 7\nthreads = 1\npage = true\npage-visits = \"fresh\"");
    assert_eq!((load.connections, load.threads), (12, 1));
    let visitors = load.page.unwrap();
    assert_eq!(
        (visitors.connections, visitors.visits),
        (6, record::Visits::Fresh)
    );
}

#[test]
fn a_stage_has_the_last_word_and_leaves_what_it_excludes() {
    let plan = read("requests = 100\nrate = 5\nretries = 2\nretry-after = 1");
    let stage = read("seconds = 3\nthink = 0.5\nretries = 0");
    let load = load(&stage.over(&plan), 1).unwrap_or_else(|wrong| panic!("{}", wrong.problem));
    assert_eq!(load.amount, Amount::Seconds(3.0));
    assert!(!load.shape.is_open());
    assert_eq!(load.retry, None);
    let unchanged = LoadTable::default().over(&plan);
    assert_eq!(unchanged, plan);
}

#[test]
fn nonsense_names_its_key() {
    for (key, text) in [
        ("connections", "connections = 0"),
        ("requests", "requests = 0"),
        ("seconds", "seconds = nan"),
        ("timeout", "timeout = 0"),
        ("connect-timeout", "connect-timeout = 31"),
        ("first-byte-timeout", "first-byte-timeout = -1"),
        ("drain", "drain = -1"),
        ("drain", "drain = nan"),
        ("streams", "streams = 0"),
        ("streams", "streams = 1001"),
        ("per-connection", "per-connection = 0"),
        ("per-connection", "per-connection = 2\nkeep-alive = false"),
        ("retry-after", "retry-after = 1"),
        ("retry-after", "retries = 1\nretry-after = 0"),
        ("backoff", "backoff = 1"),
        ("backoff", "retries = 1\nbackoff = -1"),
        ("page-connections", "page-connections = 6"),
        ("page-connections", "page = true\npage-connections = 0"),
        ("page-visits", "page = false\npage-visits = \"both\""),
        ("crowd.slow-rate", "crowd = { slow-rate = 0 }"),
        ("crowd.resets", "crowd = { resets = inf }"),
        ("connections", "connections = 4294967295"),
        ("streams", "streams = 4294967295"),
        ("streams", "connections = 100000\nstreams = 1000"),
        ("threads", "threads = 4294967295"),
        ("max-outstanding", "rate = 5\nmax-outstanding = 4294967295"),
        (
            "crowd",
            "crowd = { idle = 4294967295, slow-readers = 4294967295 }",
        ),
        (
            "page-connections",
            "page = true\npage-connections = 4294967295",
        ),
        ("seconds", "seconds = 1e308"),
        ("timeout", "timeout = 1e308"),
        ("warm-up", "warm-up = { seconds = 1e308 }"),
        (
            "warm-up",
            "warm-up = { until = \"stationary\", requests = 5 }",
        ),
        (
            "warm-up",
            "warm-up = { until = \"stationary\", seconds = 0 }",
        ),
    ] {
        let wrong = load(&read(text), 1)
            .err()
            .unwrap_or_else(|| panic!("{text}"));
        assert_eq!(wrong.key, key, "{text}");
        assert!(wrong.hint.is_some());
    }
}

#[test]
fn what_no_table_has_is_refused_as_it_is_read() {
    for text in [
        "retrys = 1",
        "page = 6",
        "crowd = { ideal = 1 }",
        "warm-up = { until = \"x\" }",
    ] {
        assert!(toml::from_str::<LoadTable>(text).is_err(), "{text}");
    }
}
