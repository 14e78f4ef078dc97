use super::*;

fn entry(path: &str, seconds: Option<f64>) -> Entry<'_> {
    Entry {
        seconds,
        ..Entry::once().of("GET", path)
    }
}

#[test]
fn the_largest_sum_comes_first_and_not_the_slowest() {
    let mut endpoints = Endpoints::default();
    endpoints.add(&entry("/slow", Some(2.0)), false);
    for number in 0..100 {
        endpoints.add(&entry(&format!("/often/{number}"), Some(0.05)), false);
    }
    let sorted = endpoints.sorted(Sort::Sum);
    let first = &sorted[0];
    assert_eq!((first.route.as_str(), first.now.count), ("/often/{}", 100));
    assert!((first.now.sum - 5.0).abs() < 1e-9 && (first.now.mean.unwrap() - 0.05).abs() < 1e-9);
    assert!((first.now.share.unwrap() - 5.0 / 7.0).abs() < 1e-9);
    assert_eq!(first.example, "/often/0");
    assert_eq!(first.before, None);
    assert_eq!(sorted[1].now.max, Some(2.0));
}

#[test]
fn without_times_the_most_frequent_comes_first() {
    let mut endpoints = Endpoints::default();
    for path in ["/a", "/b", "/b"] {
        endpoints.add(&entry(path, None), false);
    }
    let sorted = endpoints.sorted(Sort::Sum);
    assert_eq!(sorted[0].route, "/b");
    assert_eq!((sorted[0].now.mean, sorted[0].now.share), (None, None));
}

#[test]
fn another_figure_can_decide_the_order() {
    let mut endpoints = Endpoints::default();
    endpoints.add(&entry("/slow", Some(1.0)), false);
    for _ in 0..9 {
        endpoints.add(&entry("/often", Some(0.5)), false);
    }
    let first = |sort| endpoints.sorted(sort)[0].route.clone();
    assert_eq!(first(Sort::Sum), "/often");
    assert_eq!(first(Sort::Requests), "/often");
    assert_eq!(first(Sort::Mean), "/slow");
    assert_eq!(first(Sort::P99), "/slow");
    assert_eq!(first(Sort::Endpoint), "/often");
}

/// As one who is asked knows: a tail of a few requests is none.
#[test]
fn a_quantile_is_given_where_there_are_enough_requests() {
    let mut endpoints = Endpoints::default().giving(|q, requests| q < 0.95 || requests >= 10);
    for _ in 0..10 {
        endpoints.add(&entry("/often", Some(0.5)), false);
        endpoints.add(&entry("/bare", None), false);
    }
    endpoints.add(&entry("/once", Some(9.0)), false);
    let sorted = endpoints.sorted(Sort::P99);
    let of = |route: &str| &sorted.iter().find(|of| of.route == route).unwrap().now;
    let [often, once] = ["/often", "/once"].map(of);
    assert_eq!((often.p90, often.p99), (Some(0.5), Some(0.5)));
    assert_eq!((once.p90, once.p95, once.p99), (Some(9.0), None, None));
    assert_eq!(of("/bare").p90, None);
    assert_eq!(
        sorted[0].route, "/often",
        "what is not known decides nothing"
    );
    let all = endpoints.together().now.p99.unwrap();
    assert!((all - 9.0).abs() < 5e-3, "{all}");
}

#[test]
fn all_together_have_figures_too() {
    let mut endpoints = Endpoints::default();
    endpoints.add(&entry("/a", Some(1.0)), false);
    endpoints.add(&entry("/b", None), false);
    let failed = Entry {
        status: Some(404),
        bytes: Some(7),
        ..entry("/b", Some(3.0))
    };
    endpoints.add(&failed, false);
    let left = Entry {
        unanswered: true,
        ..entry("/b", None)
    };
    endpoints.add(&left, false);
    let now = endpoints.together().now;
    assert_eq!((now.count, now.timed, now.share), (4, 2, Some(1.0)));
    assert_eq!((now.client_errors, now.errors, now.unanswered), (1, 0, 1));
    assert_eq!((now.successes, now.redirects), (0, 0), "nobody says");
    assert_eq!(
        (now.mean, now.max, now.bytes),
        (Some(2.0), Some(3.0), Some(7))
    );
    assert_eq!(endpoints.sorted(Sort::Endpoint)[0].now.bytes, None);
    assert_eq!(endpoints.together().before, None);
}

#[test]
fn a_pattern_that_fits_nothing_is_known() {
    let rules = ["/a/{x}", "/b"].map(|of| of.parse().unwrap()).to_vec();
    let mut endpoints = Endpoints::new(rules);
    endpoints.add(&entry("/a/1", None), false);
    let unused: Vec<_> = endpoints.unused().map(Pattern::text).collect();
    assert_eq!(unused, ["/b"]);
}

#[test]
fn two_logs_are_grouped_alike_and_kept_apart() {
    let rule = "/files/**".parse().unwrap();
    let mut endpoints = Endpoints::new(vec![rule]);
    endpoints.add(&entry("/files/a/b", Some(1.0)), true);
    endpoints.add(&entry("/files/c", Some(0.5)), false);
    endpoints.add(&entry("/gone", Some(0.1)), true);
    let sorted = endpoints.sorted(Sort::Sum);
    assert_eq!(sorted[0].route, "/files/**");
    assert_eq!(sorted[0].example, "/files/a/b", "and not the rule");
    let before = sorted[0].before.as_ref().unwrap();
    assert_eq!((before.mean, sorted[0].now.mean), (Some(1.0), Some(0.5)));
    assert_eq!(
        (
            sorted[1].now.count,
            sorted[1].before.as_ref().unwrap().count
        ),
        (0, 1)
    );
}
