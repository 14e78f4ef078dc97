use serde::Serialize;

use crate::costs::Together;
use crate::entry::Entry;
use crate::figures::{Enough, Figures};
use crate::route::Pattern;
use crate::sample::Asked;
use crate::totals::Totals;
use crate::tree::{LOGS, Tree};

/// Endpoints of one log, or of two that are compared.
#[derive(Debug, Default)]
pub struct Endpoints {
    patterns: Vec<Pattern>,
    /// Whether a path has fitted each of them.
    used: Vec<bool>,
    tree: Tree,
    /// Whether so many requests are enough for a quantile; without it any number is.
    enough: Option<Enough>,
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
    /// What was asked for, where [`Endpoints::draw`] wants to know.
    #[serde(skip)]
    pub asked: Asked,
}

macro_rules! sorts {
    ($($(#[$doc:meta])* $sort:ident = $name:literal;)+) => {
        /// Which endpoint comes first.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub enum Sort {
            $($(#[$doc])* $sort,)+
        }

        impl Sort {
            /// Every order, with its name.
            pub const ALL: &[(Self, &'static str)] = &[$((Self::$sort, $name)),+];
        }
    };
}

sorts! {
    /// The one with the largest sum of times.
    #[default]
    Sum = "sum";
    /// The most frequent.
    Requests = "requests";
    /// The one with the largest mean time.
    Mean = "mean";
    /// With the largest median.
    P50 = "p50";
    /// With the largest 90th percentile.
    P90 = "p90";
    /// With the largest 95th percentile.
    P95 = "p95";
    /// With the largest 99th percentile.
    P99 = "p99";
    /// With the longest time.
    Max = "max";
    /// With the most responses from 200 to 299.
    Successes = "2xx";
    /// With the most responses from 300 to 399.
    Redirects = "3xx";
    /// With the most responses from 400 to 499.
    ClientErrors = "4xx";
    /// With the most responses from 500 on.
    Errors = "5xx";
    /// With the most bytes.
    Bytes = "bytes";
    /// By the name of the route.
    Endpoint = "endpoint";
}

impl Sort {
    /// What decides, the largest first.
    fn weight(self, of: &Figures) -> f64 {
        let known = |value: Option<f64>| value.unwrap_or(-1.0);
        match self {
            Self::Sum => of.sum,
            Self::Requests => of.count as f64,
            Self::Mean => known(of.mean),
            Self::P50 => known(of.p50),
            Self::P90 => known(of.p90),
            Self::P95 => known(of.p95),
            Self::P99 => known(of.p99),
            Self::Max => known(of.max),
            Self::Successes => of.successes as f64,
            Self::Redirects => of.redirects as f64,
            Self::Errors => of.errors as f64,
            Self::ClientErrors => of.client_errors as f64,
            Self::Bytes => known(of.bytes.map(|bytes| bytes as f64)),
            Self::Endpoint => 0.0,
        }
    }
}

impl Endpoints {
    /// None yet; requests of paths that fit a pattern are of its route, the first that fits.
    pub fn new(patterns: Vec<Pattern>) -> Self {
        Self {
            used: vec![false; patterns.len()],
            patterns,
            tree: Tree::default(),
            enough: None,
        }
    }

    /// Gives a quantile (0 to 1) only where this says of the requests whose time is known that they are enough for it.
    #[must_use]
    pub fn giving(mut self, enough: fn(f64, u64) -> bool) -> Self {
        self.enough = Some(enough);
        self
    }

    /// Keeps a sample of what is asked for, for [`Endpoint::asked`].
    #[must_use]
    pub fn draw(mut self) -> Self {
        self.tree.draw();
        self
    }

    /// Counts a request; of an `earlier` log, if there are two.
    pub fn add(&mut self, entry: &Entry, earlier: bool) {
        let mut patterns = self.patterns.iter();
        let place = patterns.position(|of| !entry.is_route && of.fits(&entry.path));
        if let Some(place) = place {
            self.used[place] = true;
        }
        let route = place.map(|place| self.patterns[place].text());
        self.tree.add(usize::from(earlier), entry, route);
    }

    /// Patterns of which no request was.
    pub fn unused(&self) -> impl Iterator<Item = &Pattern> {
        let all = self.patterns.iter().zip(&self.used);
        all.filter(|(_, used)| !**used).map(|(pattern, _)| pattern)
    }

    /// All requests together.
    pub fn together(&self) -> Together {
        let all = self.tree.endpoints();
        let mut totals = <[Totals; LOGS]>::default();
        for (_, leaf) in &all {
            for (sum, of) in totals.iter_mut().zip(&leaf.totals) {
                sum.merge(of);
            }
        }
        let [now, before] = totals;
        let compared = before.count > 0;
        Together {
            now: Figures::of(&now, now.sum, self.enough),
            before: compared.then(|| Figures::of(&before, before.sum, self.enough)),
        }
    }

    /// Every endpoint in this order, of those that are equal the most frequent first. Of two logs it is the larger figure of
    /// both.
    pub fn sorted(&self, sort: Sort) -> Vec<Endpoint> {
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
            .map(|(route, leaf)| {
                let figures = |log: usize| Figures::of(&leaf.totals[log], sums[log], self.enough);
                Endpoint {
                    method: leaf.method.to_string(),
                    example: leaf.example.to_string(),
                    now: figures(0),
                    before: compared.then(|| figures(1)),
                    asked: leaf.sample.asked(),
                    route,
                }
            })
            .collect();
        let weight = |of: &Endpoint| {
            let all = [Some(&of.now), of.before.as_ref()];
            let all = || all.iter().copied().flatten();
            let count = match sort {
                Sort::Endpoint => 0,
                _ => all().map(|of| of.count).max().unwrap_or_default(),
            };
            let weight = all().map(|of| sort.weight(of)).fold(-1.0, f64::max);
            (weight, count)
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

#[cfg(test)]
mod tests;
