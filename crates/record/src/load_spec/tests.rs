use super::*;
use crate::{Amount, Arrivals, Flaw, Load, Retry, Segment, Shape, WarmUpPlan, as_keys};

fn read(text: &str) -> LoadSpec {
    toml::from_str(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn resolved(text: &str) -> Result<Load, Flaw> {
    read(text).over(&LoadSpec::of_plans()).resolve(2, 1)
}

fn of(text: &str) -> Load {
    resolved(text).unwrap_or_else(|flaw| panic!("{text}: {}", flaw.told(as_keys)))
}

#[test]
fn a_load_is_written_as_the_keys_that_ask_for_it() {
    for text in [
        "",
        "requests = 1000\nconnections = 7\nkeep-alive = false\nwarm-up = { requests = 200 }",
        "warm-up = { seconds = 0 }\nthink = 0.1\nthink-spread = \"uniform\"\nthreads = 1\nstreams = 2",
        "warm-up = { until = \"stationary\", seconds = 4 }\nseconds = 5\ndrain = 1\nper-connection = 3",
        "rate = 500\narrivals = \"constant\"\nseconds = 2\ncrowd = { idle = 10, slow-readers = 2 }",
        "retries = 3\nretry-after = 2\nbackoff = 0.5\npage = true\npage-connections = 2",
        "seconds = 9\nfaults = [{ at = 2, kill = \"worker\" }, { at = 4, hang = \"all\" }]",
        "seconds = 9\nfaults = [{ at = 2, connections = 500, held = 2.5 }, { at = 4, connections = 1 }]",
        "profile = 50",
        "profile = 0",
        "observe = false",
        "goal = \"p99 < 200ms\"\nseconds = 30",
        "mix = \"/a/mix.toml\"",
        "replay = \"/var/log/nginx/access.log\"",
    ] {
        let load = of(text);
        let keys = LoadSpec::of(&load).unwrap_or_else(|| panic!("{text}: no keys"));
        let again = of(&toml::to_string(&keys).unwrap());
        assert_eq!(again, load, "{text}");
    }
    assert_eq!(LoadSpec::of(&of("ramp = [10, 20]")), None);
}

#[test]
fn every_key_of_clients_comes_through() {
    let load = of(
        "timeout = 20\ndrain = 7\nconnect-timeout = 1\nfirst-byte-timeout = 2\nstreams = 3\n\
        per-connection = 4\nretries = 5\nretry-after = 6\nbackoff = 0.5\n\
        warm-up = { until = \"stationary\" }\nthink = 0.1\nthink-spread = \"uniform\"\n\
        sources = [\"127.0.0.2\"]\n\
        crowd = { idle = 1, slow-readers = 2, slow-writers = 3, slow-rate = 4, resets = 5 }",
    );
    assert_eq!(
        (load.connect_timeout, load.first_byte_timeout),
        (Some(1.0), Some(2.0))
    );
    assert_eq!((load.drain, of("").drain), (Some(7.0), None));
    assert_eq!((load.streams, load.per_connection), (3, Some(4)));
    assert_eq!(load.sources, [IpAddr::from([127, 0, 0, 2])]);
    let retry = Retry {
        times: 5,
        after: Some(6.0),
        backoff: 0.5,
    };
    assert_eq!(load.retry, Some(retry));
    assert_eq!(load.warm_up, WarmUpPlan::Stationary(10.0));
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
    assert_eq!((visitors.connections, visitors.visits), (6, Visits::Fresh));
}

#[test]
fn a_variant_has_the_last_word_and_leaves_what_it_excludes() {
    let plan = read("requests = 100\nrate = 5\nretries = 2\nretry-after = 1");
    let variant = read("seconds = 3\nthink = 0.5\nretries = 0");
    let load = variant.over(&plan).resolve(2, 1).unwrap();
    assert_eq!(load.amount, Amount::Seconds(3.0));
    assert!(!load.shape.is_open());
    assert_eq!(load.retry, None);
    let (mix, replay) = (read("mix = 'a'"), read("replay = 'b'"));
    assert_eq!(replay.over(&mix), replay);
    assert_eq!(LoadSpec::default().over(&plan), plan);
}

#[test]
fn nothing_is_a_closed_loop_and_a_rate_an_open_one() {
    assert_eq!(of("").shape, Shape::default());
    let open = of("rate = 500");
    let arrivals = open.shape.arrivals().unwrap();
    assert_eq!(arrivals.process, Process::Poisson);
    assert_eq!(arrivals.max_outstanding, Arrivals::MAX_OUTSTANDING);
}

#[test]
fn all_that_connections_carry_at_once_may_be_outstanding() {
    for (text, most) in [
        ("connections = 200000", 200_000),
        ("connections = 20000\nstreams = 10", 200_000),
        ("connections = 20\nstreams = 10", Arrivals::MAX_OUTSTANDING),
    ] {
        let load = of(&format!("rate = 1000\n{text}"));
        assert_eq!(
            load.shape.arrivals().unwrap().max_outstanding,
            most,
            "{text}"
        );
    }
}

#[test]
fn a_spike_is_a_tenth_of_the_window_in_its_middle() {
    let load = of("spike = [100, 1000]\nseconds = 10");
    let segments = &load.shape.arrivals().unwrap().segments;
    let seen: Vec<_> = segments
        .iter()
        .map(|segment| (segment.from, segment.seconds))
        .collect();
    assert_eq!(seen, [(100.0, 4.5), (1_000.0, 1.0), (100.0, 4.5)]);
    assert!(segments.iter().all(Segment::is_steady));
}

/// A key, and a load in which it makes no sense.
#[rustfmt::skip]
const NONSENSE: &[(&str, &str)] = &[
    ("connections", "connections = 0"),
    ("connections", "connections = 4294967295"),
    ("requests", "requests = 0"),
    ("seconds", "seconds = nan"),
    ("seconds", "seconds = 0"),
    ("seconds", "seconds = 100000"),
    ("seconds", "requests = 5\nseconds = 5"),
    ("replay", "mix = 'a'\nreplay = 'b'"),
    ("page", "mix = 'a'\npage = true"),
    ("timeout", "timeout = 0"),
    ("timeout", "timeout = 7200"),
    ("connect-timeout", "connect-timeout = 31"),
    ("first-byte-timeout", "first-byte-timeout = -1"),
    ("drain", "drain = -1"),
    ("drain", "drain = nan"),
    ("streams", "streams = 0"),
    ("streams", "streams = 1001"),
    ("streams", "connections = 100000\nstreams = 1000"),
    ("threads", "threads = 4294967295"),
    ("per-connection", "per-connection = 0"),
    ("per-connection", "per-connection = 2\nkeep-alive = false"),
    ("streams", "streams = 2\nkeep-alive = false"),
    ("retry-after", "retry-after = 1"),
    ("retry-after", "retries = 1\nretry-after = 0"),
    ("backoff", "backoff = 1"),
    ("backoff", "retries = 1\nbackoff = -1"),
    ("backoff", "retries = 1\nbackoff = 30"),
    ("retry-after", "retries = 1\nretry-after = 30"),
    ("retry-after", "retries = 1\nretry-after = 2\nbackoff = 1\ntimeout = 3"),
    ("page-connections", "page-connections = 6"),
    ("page-connections", "page = true\npage-connections = 0"),
    ("page-connections", "page = true\npage-connections = 4294967295"),
    ("page-visits", "page = false\npage-visits = \"both\""),
    ("crowd", "crowd = { idle = 4294967295, slow-readers = 4294967295 }"),
    ("crowd.slow-rate", "crowd = { slow-rate = 0 }"),
    ("crowd.resets", "crowd = { resets = inf }"),
    ("faults", "seconds = 2\nfaults = [{ at = 2, kill = \"main\" }]"),
    ("faults", "requests = 5\nfaults = [{ at = 1, kill = \"main\" }]"),
    ("faults", "faults = [{ at = 0, kill = \"main\" }]"),
    ("faults", "faults = [{ at = nan, hang = \"all\" }]"),
    ("faults", "faults = [{ at = 2, kill = \"main\" }, { at = 1, hang = \"all\" }]"),
    ("faults", "seconds = 5\nfaults = [{ at = 4.8, kill = \"main\" }]"),
    ("faults", "seconds = 5\nfaults = [{ at = 1, connections = 9, held = 4 }]"),
    ("faults", "faults = [{ at = 1, connections = 0 }]"),
    ("faults", "faults = [{ at = 1, connections = 10001 }]"),
    ("faults", "faults = [{ at = 1, connections = 9, held = -1 }]"),
    ("faults", "faults = [{ at = 1, connections = 9, held = nan }]"),
    ("faults", "seconds = 1001\nfaults = [{ at = 3, kill = \"main\" }]"),
    ("faults", "goal = \"p99 < 1s\"\nfaults = [{ at = 3, kill = \"main\" }]"),
    ("faults", "ramp = [10, 20]\nfaults = [{ at = 3, kill = \"main\" }]"),
    ("faults", "steps = [10, 20]\nfaults = [{ at = 3, kill = \"main\" }]"),
    ("warm-up", "warm-up = { until = \"stationary\", requests = 5 }"),
    ("warm-up.seconds", "warm-up = { seconds = 1e308 }"),
    ("warm-up.seconds", "warm-up = { until = \"stationary\", seconds = 0 }"),
    ("profile", "profile = -1"),
    ("profile", "profile = 1001"),
    ("profile", "profile = nan"),
    ("think", "think = -1"),
    ("think", "think = 0.01\nrate = 5"),
    ("think-spread", "think-spread = \"uniform\""),
    ("rate", "rate = 0"),
    ("rate", "rate = -1"),
    ("rate", "rate = nan"),
    ("rate", "rate = inf"),
    ("ramp", "rate = 5\nramp = [100, 1000]"),
    ("steps", "steps = [100, 1000]\nramp = [100, 1000]"),
    ("ramp", "ramp = [100, 1000]\nrequests = 5"),
    ("ramp", "ramp = [100]"),
    ("steps", "steps = []"),
    ("spike", "spike = [100]"),
    ("spike", "spike = [1, 2]\nrequests = 5"),
    ("spike", "spike = [1, 2]\nrate = 5"),
    ("arrivals", "arrivals = \"constant\""),
    ("max-outstanding", "max-outstanding = 5"),
    ("max-outstanding", "rate = 5\nmax-outstanding = 5"),
    ("max-outstanding", "rate = 5\nmax-outstanding = 100\nstreams = 2"),
    ("max-outstanding", "rate = 5\nmax-outstanding = 4294967295"),
];

#[test]
fn nonsense_names_its_key() {
    for &(key, text) in NONSENSE {
        let flaw = resolved(text).expect_err(text);
        assert_eq!(flaw.key, key, "{text}");
        let (problem, hint) = (flaw.problem(as_keys), flaw.hint(as_keys));
        for text in [problem, hint] {
            assert!(!text.is_empty() && !text.contains(['{', '}']), "{text}");
        }
    }
}

#[test]
fn a_retry_that_comes_too_late_says_when() {
    let flaw = resolved("retries = 3\nretry-after = 20\nbackoff = 15").unwrap_err();
    let told = "`retry-after`: a retry would begin 35 seconds after the attempt, and `timeout` ends the request after 30";
    assert_eq!(flaw.told(as_keys), told);
    assert_eq!(
        flaw.hint(as_keys),
        "lower it or `backoff`, or raise `timeout`"
    );
}

#[test]
fn a_load_from_elsewhere_meets_the_same_rules() {
    let open = |arrivals: fn(&mut Arrivals)| {
        let mut load = of("rate = 5");
        if let Shape::Open(open) = &mut load.shape {
            arrivals(open);
        }
        load.check().map_err(|flaw| flaw.key)
    };
    assert_eq!(open(|_| ()), Ok(()));
    assert_eq!(
        open(|open| open.max_outstanding = 99),
        Err("max-outstanding")
    );
    assert_eq!(open(|open| open.segments[0].to = 0.0 - 1.0), Err("rate"));
    assert_eq!(
        open(|open| open.segments[0].seconds = f64::NAN),
        Err("seconds")
    );
    let mut load = of("ramp = [1, 2]");
    load.amount = Amount::Requests(5);
    assert_eq!(load.check().map_err(|flaw| flaw.key), Err("rate"));
}

#[test]
fn what_no_table_has_is_refused_as_it_is_read() {
    for text in [
        "retrys = 1",
        "page = 6",
        "crowd = { ideal = 1 }",
        "warm-up = { until = \"x\" }",
    ] {
        assert!(toml::from_str::<LoadSpec>(text).is_err(), "{text}");
    }
}
