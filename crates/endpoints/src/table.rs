use serde::Serialize;

use crate::entry::Entry;
use crate::route::Pattern;
use crate::totals::Totals;
use crate::tree::{LOGS, Leaf, Tree};

/// Endpoints of one log, or of two that are compared.
#[derive(Debug, Default)]
pub struct Endpoints {
    patterns: Vec<Pattern>,
    tree: Tree,
}

/// An endpoint with what it costs.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Endpoint {
    /// The method of its requests; empty where no log says.
    pub method: String,
    /// Its route: `{}` stands for a segment that is a value, `**` for all that follow.
    pub route: String,
    /// The first path that was seen of it.
    pub example: String,
    /// What its requests cost.
    pub now: Figures,
    /// The same in the earlier log; absent without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<Figures>,
}

/// What the requests of an endpoint cost in one log. Times are in seconds.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize)]
pub struct Figures {
    /// Requests.
    pub count: u64,
    /// Responses with a status from 500 on.
    pub errors: u64,
    /// Time of all requests together: what making it faster can save at most.
    pub sum: f64,
    /// The same as a share of the time of all endpoints, 0 to 1; absent where no time is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share: Option<f64>,
    /// Mean time; absent where no time is known, as for the next three.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean: Option<f64>,
    /// Median time, to three digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p50: Option<f64>,
    /// 99th percentile of the time, to three digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p99: Option<f64>,
    /// Longest time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<f64>,
    /// Bytes of all responses.
    pub bytes: u64,
}

impl Endpoints {
    /// None yet; requests of paths that fit a pattern are of its route, the first that fits.
    pub fn new(patterns: Vec<Pattern>) -> Self {
        Self {
            patterns,
            tree: Tree::default(),
        }
    }

    /// Counts a request; of an `earlier` log, if there are two.
    pub fn add(&mut self, entry: &Entry, earlier: bool) {
        let mut patterns = self.patterns.iter();
        let pattern = patterns.find(|of| !entry.is_route && of.fits(&entry.path));
        let route = pattern.map(Pattern::text);
        self.tree.add(usize::from(earlier), entry, route);
    }

    /// Every endpoint, the one with the largest sum first, and where no time is known the most frequent. Of two logs it is
    /// the larger sum of both.
    pub fn sorted(&self) -> Vec<Endpoint> {
        let all = self.tree.endpoints();
        let mut sums = [0.0; LOGS];
        for (_, leaf) in &all {
            for (sum, totals) in sums.iter_mut().zip(&leaf.totals) {
                *sum += totals.sum;
            }
        }
        let compared = all.iter().any(|(_, leaf)| leaf.totals[1].count > 0);
        let mut endpoints: Vec<_> = all
            .into_iter()
            .map(|(route, leaf)| endpoint(route, leaf, sums, compared))
            .collect();
        let weight = |of: &Endpoint| {
            let before = of.before.as_ref();
            let sum = of.now.sum.max(before.map_or(0.0, |before| before.sum));
            (
                sum,
                of.now.count.max(before.map_or(0, |before| before.count)),
            )
        };
        endpoints.sort_by(|one, other| {
            let ((sum, count), (more, times)) = (weight(one), weight(other));
            let equal = || (&one.route, &one.method).cmp(&(&other.route, &other.method));
            more.total_cmp(&sum)
                .then(times.cmp(&count))
                .then_with(equal)
        });
        endpoints
    }
}

fn endpoint(route: String, leaf: &Leaf, [now, before]: [f64; LOGS], compared: bool) -> Endpoint {
    Endpoint {
        method: leaf.method.to_string(),
        route,
        example: leaf.example.to_string(),
        now: Figures::of(&leaf.totals[0], now),
        before: compared.then(|| Figures::of(&leaf.totals[1], before)),
    }
}

impl Figures {
    fn of(totals: &Totals, all: f64) -> Self {
        let timed = |value: f64| (totals.timed > 0).then_some(value);
        Self {
            count: totals.count,
            errors: totals.statuses[5],
            sum: totals.sum,
            share: timed(totals.sum / all).filter(|share| share.is_finite()),
            mean: timed(totals.sum / totals.timed.max(1) as f64),
            p50: totals.quantile(0.5),
            p99: totals.quantile(0.99),
            max: timed(totals.max),
            bytes: totals.bytes,
        }
    }
}

#[cfg(test)]
mod tests {
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
        let sorted = endpoints.sorted();
        let first = &sorted[0];
        assert_eq!((first.route.as_str(), first.now.count), ("/often/{}", 100));
        assert!(
            (first.now.sum - 5.0).abs() < 1e-9 && (first.now.mean.unwrap() - 0.05).abs() < 1e-9
        );
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
        let sorted = endpoints.sorted();
        assert_eq!(sorted[0].route, "/b");
        assert_eq!((sorted[0].now.mean, sorted[0].now.share), (None, None));
    }

    #[test]
    fn two_logs_are_grouped_alike_and_kept_apart() {
        let rule = "/files/**".parse().unwrap();
        let mut endpoints = Endpoints::new(vec![rule]);
        endpoints.add(&entry("/files/a/b", Some(1.0)), true);
        endpoints.add(&entry("/files/c", Some(0.5)), false);
        endpoints.add(&entry("/gone", Some(0.1)), true);
        let sorted = endpoints.sorted();
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
}
