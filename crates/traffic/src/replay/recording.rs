use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use indexmap::IndexSet;
use load::Request;

use super::line::Line;
use super::{LogFormat, ReplayPlan, Summary};
use crate::address;

/// Requests that are made ready once at most; others, when they are asked.
const PREPARED: usize = 10_000;
/// Bytes of an unreadable line that are shown.
const EXCERPT: usize = 120;
/// Names of a recording: each keeps a distribution in every thread.
const MOST_NAMES: usize = 20;
const SECOND: i64 = 1_000_000_000;

/// Requests and their times.
#[derive(Debug)]
pub(super) struct Recording {
    pub(super) entries: Vec<Entry>,
    requests: IndexSet<Recorded>,
    /// Under which requests are counted apart.
    pub(super) names: Vec<String>,
    /// Statuses that count as right; any where there is none.
    pub(super) statuses: Vec<Option<u16>>,
    pub(super) summary: Summary,
    /// What is taken from a recording, and sent with it.
    plan: ReplayPlan,
}

/// One time at which something was asked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// When it began, nanoseconds of the recording's clock; of the first one, in the end.
    pub(super) at: i64,
    /// How much earlier it began than `at` says, until all times are known.
    took: u64,
    pub(super) request: u32,
    pub(super) name: u16,
    pub(super) expected: u16,
}

/// A request as recorded; equal ones are kept once.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct Recorded {
    pub(super) method: Box<str>,
    pub(super) path: Box<str>,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
}

impl Recording {
    pub(super) fn new(plan: &ReplayPlan, format: LogFormat) -> Self {
        Self {
            entries: Vec::new(),
            requests: IndexSet::new(),
            names: Vec::new(),
            statuses: Vec::new(),
            summary: Summary {
                format,
                ..Summary::default()
            },
            plan: plan.clone(),
        }
    }

    /// A line of a log. The original's validators and ranges are not in it, so that an answer to
    /// them (304, 206) is now a whole one; and what a server noted when its client had left
    /// (0, 444, 499) is no answer.
    pub(super) fn log(&mut self, line: &Line<'_>) {
        let status = match line.status {
            206 | 304 => Some(200),
            0..200 | 444 | 499 => None,
            status => Some(status),
        };
        let request = Recorded {
            method: line.method.as_ref().into(),
            path: address::path(&line.path).into(),
            headers: Vec::new(),
            body: Vec::new(),
        };
        self.add(request, status, line.at, line.took);
    }

    pub(super) fn add(&mut self, request: Recorded, status: Option<u16>, at: i64, took: u64) {
        if !self.plan.all_methods && !matches!(&*request.method, "GET" | "HEAD") {
            self.summary.methods += 1;
            return;
        }
        let status = status.filter(|_| self.plan.check);
        let expected = place(&mut self.statuses, &status);
        let (request, _) = self.requests.insert_full(request);
        self.entries.push(Entry {
            at,
            took,
            request: request as u32,
            name: 0, // until all are known
            expected,
        });
    }

    pub(super) fn unread(&mut self, number: u64, text: &str) {
        self.summary.unread += 1;
        self.summary.first_unread.get_or_insert_with(|| {
            let shown: String = text.chars().take(EXCERPT).collect();
            (number, shown.escape_debug().to_string())
        });
    }

    /// Puts the entries in the order in which they began, with times from the first one on.
    pub(super) fn finish(&mut self) {
        let whole = self.entries.iter().all(|entry| entry.at % SECOND == 0);
        self.summary.spread = whole && self.entries.len() > 1;
        if whole {
            self.spread();
        }
        for entry in &mut self.entries {
            entry.at = entry.at.saturating_sub_unsigned(entry.took);
        }
        self.entries.sort_by_key(|entry| entry.at);
        let first = self.entries.first().map_or(0, |entry| entry.at);
        for entry in &mut self.entries {
            entry.at = entry.at.saturating_sub(first);
        }
        let last = self.entries.last().map_or(0, |entry| entry.at);
        self.summary.length = Duration::from_nanos(last.unsigned_abs());
        self.summary.requests = self.entries.len() as u64;
        self.summary.distinct = self.requests.len() as u64;
        self.name();
    }

    fn name(&mut self) {
        let mut asked = vec![0; self.requests.len()];
        for entry in &self.entries {
            asked[entry.request as usize] += 1;
        }
        let (names, of) = names(self.requests.iter(), &asked);
        self.names = names;
        for entry in &mut self.entries {
            entry.name = of[entry.request as usize];
        }
    }

    /// The requests of a second, evenly over it in the order of the log.
    fn spread(&mut self) {
        let mut seconds: HashMap<i64, (i64, i64)> = HashMap::new();
        for entry in &self.entries {
            seconds.entry(entry.at).or_default().0 += 1;
        }
        for entry in &mut self.entries {
            if let Some((all, seen)) = seconds.get_mut(&entry.at) {
                entry.at = entry.at.saturating_add(SECOND / *all * *seen);
                *seen += 1;
            }
        }
    }

    /// When each falls due, so many times as fast as recorded.
    pub(super) fn times(&self, factor: f64) -> Arc<[u64]> {
        let entries = self.entries.iter();
        let times = entries.map(|entry| (entry.at as f64 / factor) as u64);
        times.collect()
    }

    /// The first requests, which are made ready once.
    pub(super) fn prepared(&self) -> Vec<Request> {
        let requests = self.requests.iter().take(PREPARED);
        requests.map(|recorded| self.whole(recorded)).collect()
    }

    /// The request of a number, if it is not a prepared one.
    pub(super) fn unprepared(&self, number: u32) -> Option<Request> {
        if (number as usize) < PREPARED {
            return None;
        }
        let recorded = self.requests.get_index(number as usize)?;
        Some(self.whole(recorded))
    }

    /// A request with the headers that are sent with each.
    pub(super) fn whole(&self, recorded: &Recorded) -> Request {
        let own = &recorded.headers;
        let common = self.plan.headers.iter();
        let missing = common.filter(|(name, _)| {
            let mut own = own.iter();
            !own.any(|(known, _)| known.eq_ignore_ascii_case(name))
        });
        Request {
            method: recorded.method.to_string(),
            path: recorded.path.to_string(),
            headers: own.iter().chain(missing).cloned().collect(),
            body: recorded.body.clone(),
        }
    }
}

/// The number of a thing in a short list, to which it is added if it is new.
fn place<T: Clone + PartialEq>(list: &mut Vec<T>, thing: &T) -> u16 {
    let place = list.iter().position(|known| known == thing);
    let place = place.unwrap_or_else(|| {
        list.push(thing.clone());
        list.len() - 1
    });
    place as u16
}

/// What a request is called, among others with the same path and another query.
fn called(request: &Recorded) -> String {
    let path = request.path.split('?').next().unwrap_or_default();
    format!("{} {path}", request.method)
}

/// Names for requests that were asked so often each, and the number of each request's name: method and
/// path of those asked most, the others by their method.
fn names<'r>(
    requests: impl Iterator<Item = &'r Recorded> + Clone,
    asked: &[u64],
) -> (Vec<String>, Vec<u16>) {
    let mut counts: HashMap<String, u64> = HashMap::new();
    for (request, asked) in requests.clone().zip(asked) {
        *counts.entry(called(request)).or_default() += asked;
    }
    let mut all: Vec<_> = counts.into_iter().collect();
    all.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    all.truncate(MOST_NAMES);
    let mut names: Vec<String> = all.into_iter().map(|(name, _)| name).collect();
    let known: HashMap<String, usize> = names.iter().cloned().zip(0..).collect();
    let of = requests.map(|request| match known.get(&called(request)) {
        Some(number) => *number as u16,
        None => place(&mut names, &format!("{}, other paths", request.method)),
    });
    let of = of.collect();
    (names, of)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_paths_are_told_apart_as_far_as_there_are_names() {
        let recorded = |number: usize| Recorded {
            method: "GET".into(),
            path: format!("/{}?page={number}", number / 2).into(),
            headers: Vec::new(),
            body: Vec::new(),
        };
        let requests: Vec<_> = (0..60).map(recorded).collect();
        let asked: Vec<u64> = (0..60).collect();
        let (names, of) = names(requests.iter(), &asked);
        assert_eq!(names.len(), MOST_NAMES + 1);
        assert_eq!(
            (&*names[0], &*names[MOST_NAMES]),
            ("GET /29", "GET, other paths")
        );
        assert_eq!((of[58], of[59], of[0]), (0, 0, MOST_NAMES as u16));
    }
}
