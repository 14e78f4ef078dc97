//! The requests of a load of weir's own: of a mix, a recording or a page each by its name.

use std::collections::BTreeMap;

use ::endpoints::{Endpoints, Entry};
use record::{Cause, Distribution, LoadFacts, NamedFacts, Trial};

use crate::args::Side;
use crate::commands::stack::served;
use crate::error::{Error, Exit, Result};
use crate::invocation::{Invocation, named};

/// Counts the requests of all trials of a run, or of one of its variants.
pub(super) fn add(side: &Side, endpoints: &mut Endpoints, invocation: &Invocation) -> Result<()> {
    let store = invocation.store_to_read()?;
    let run = named(&store, side.run)?;
    let names = || run.plan.variants.iter().map(|of| &of.name);
    let variant = match (&side.variant, &run.plan.variants[..]) {
        (Some(name), _) => {
            judge::check_variant(&run, name)?;
            name
        }
        (None, [only]) => &only.name,
        (None, _) => {
            let first = names().next().map_or("VARIANT", |name| name);
            let message = format!("run {} has several variants", run.id);
            let typed = format!("{}:{first}", run.id);
            let quoted = shlex::try_quote(&typed);
            let quoted = quoted.unwrap_or(std::borrow::Cow::Borrowed(&typed));
            let hint = format!("name one of them: `weir endpoints --run {quoted}`");
            return Err(Error::new(Exit::Usage, message).hint(hint));
        }
    };
    let route = &served(&run.plan, variant)?.route;
    let trials = store.trials(run.id)?;
    let own = trials.iter().filter(|of| of.variant == *variant);
    let loads = own.filter_map(Trial::measured).map(|of| &of.load);
    let mut any = false;
    for load in loads {
        any = true;
        count(route, load, endpoints);
    }
    if any {
        return Ok(());
    }
    let message = format!("no trial of `{variant}` of run {} was measured", run.id);
    let hint = format!("`weir show {}` says why", run.id);
    Err(Error::new(Exit::Invalid, message).hint(hint))
}

/// Counts the requests of a load, each by its name if they have several.
fn count(route: &str, load: &LoadFacts, endpoints: &mut Endpoints) {
    if load.named.is_empty() {
        One::of_load(route, load).add(endpoints);
    }
    let counted = load.named.iter().any(|of| !of.statuses.is_empty());
    let silent = load.statuses.is_empty() && load.drained == 0;
    for of in &load.named {
        One::of_name(of, counted || silent).add(endpoints);
    }
}

/// Bytes of the bodies of a load that asks the same again and again; absent where they were not all as long.
fn bytes_of_one(load: &LoadFacts) -> Option<u64> {
    let lengths = load.bodies.lengths?;
    let all = load.completed + load.drained;
    (lengths.shortest == lengths.longest).then_some(lengths.longest * all)
}

/// The requests of one name.
struct One<'a> {
    /// `GET /users`, or a path.
    name: &'a str,
    /// Of those whose time is known.
    times: &'a Distribution,
    /// Of all bodies together, where that is known.
    bytes: Option<u64>,
    /// All that came to an end.
    ended: u64,
    /// By status, those that got a response with one.
    statuses: &'a BTreeMap<u16, u64>,
    /// Those that got none.
    unanswered: u64,
}

/// Requests that ended alike.
#[derive(Clone, Copy, Default)]
struct End {
    status: Option<u16>,
    unanswered: bool,
    times: u64,
}

impl<'a> One<'a> {
    /// Of a load that asks the same again and again.
    fn of_load(route: &'a str, load: &'a LoadFacts) -> Self {
        let failed = load.failed.iter();
        let silent = failed.filter(|(cause, _)| !cause.is_answer() && **cause != Cause::Unasked);
        let silent: u64 = silent.map(|(_, count)| count).sum();
        Self {
            name: route,
            times: &load.response,
            bytes: bytes_of_one(load),
            ended: load.scheduled.saturating_sub(load.dropped),
            statuses: &load.statuses,
            unanswered: load.timed_out + silent + load.unanswered(),
        }
    }

    /// `counted` is whether statuses were counted by name, as they were not at first: without, nobody knows what got no response.
    fn of_name(of: &'a NamedFacts, counted: bool) -> Self {
        let ended = of.completed + of.failed;
        let answered: u64 = of.statuses.values().sum();
        Self {
            name: &of.name,
            times: &of.response,
            bytes: of.bytes,
            ended,
            statuses: &of.statuses,
            unanswered: if counted {
                ended.saturating_sub(answered)
            } else {
                0
            },
        }
    }

    /// Counts them. Nobody knows which of them had which size, status and time: these are joined in the order in which they come,
    /// and each for itself adds up.
    fn add(&self, endpoints: &mut Endpoints) {
        let method = |of: &str| of.bytes().all(|byte| byte.is_ascii_uppercase());
        let (method, path) = match self.name.split_once(' ') {
            Some((word, path)) if method(word) => (word, path),
            _ => ("", self.name),
        };
        let cells = self.times.cells();
        let timed = cells.map(|(seconds, count)| (Some(seconds), count));
        let untimed = self.ended.saturating_sub(self.times.count());
        let (mut ends, mut bytes) = (self.ends(), self.bytes);
        for (seconds, mut left) in timed.chain([(None, untimed)]) {
            while left > 0 {
                let end = taken(&mut ends, left);
                left -= end.times;
                let entry = Entry {
                    method: method.into(),
                    path: path.into(),
                    is_route: true,
                    status: end.status,
                    unanswered: end.unanswered,
                    seconds,
                    times: end.times,
                    bytes,
                    ..Entry::default()
                };
                endpoints.add(&entry, false);
                bytes = bytes.map(|_| 0);
            }
        }
    }

    /// How they ended, the last kind first. What was tried again has more responses than ends: its right ones count first.
    fn ends(&self) -> Vec<End> {
        let answered = |(status, times): (&u16, &u64)| End {
            status: Some(*status),
            unanswered: false,
            times: *times,
        };
        let unanswered = End {
            status: None,
            unanswered: true,
            times: self.unanswered,
        };
        let answered = self.statuses.iter().rev().map(answered);
        let ends = answered.chain([unanswered]);
        ends.filter(|of| of.times > 0).collect()
    }
}

/// As many as are left of the kind that comes next, `most` at most; of those beyond all kinds nobody knows how they ended.
fn taken(ends: &mut Vec<End>, most: u64) -> End {
    let Some(next) = ends.last_mut() else {
        return End {
            times: most,
            ..End::default()
        };
    };
    let times = next.times.min(most);
    let part = End { times, ..*next };
    next.times -= times;
    if next.times == 0 {
        ends.pop();
    }
    part
}

#[cfg(test)]
mod tests {
    use ::endpoints::{Figures, Sort};

    use super::*;

    /// A hundred right responses, of which three were late and have no time in the window, and what else came.
    fn named(statuses: &[(u16, u64)], failed: u64) -> Figures {
        let mut response = Distribution::default();
        for _ in 0..97 {
            response.record(2_000_000);
        }
        let of = NamedFacts {
            name: "GET /users".to_owned(),
            completed: 100,
            failed,
            bytes: Some(5_000),
            statuses: statuses.iter().copied().collect(),
            response,
        };
        let load = LoadFacts {
            named: vec![of],
            statuses: [(200, 100)].into(),
            ..LoadFacts::default()
        };
        let mut endpoints = Endpoints::new(Vec::new());
        count("/", &load, &mut endpoints);
        endpoints.sorted(Sort::Sum).swap_remove(0).now
    }

    #[test]
    fn each_request_of_a_name_has_its_status_or_none() {
        let of = named(&[(200, 90), (304, 10), (404, 3), (503, 4)], 9);
        let (count, timed) = (of.count, of.timed);
        assert_eq!((count, timed, of.bytes), (109, 97, Some(5_000)));
        assert_eq!((of.successes, of.redirects), (90, 10));
        assert_eq!((of.client_errors, of.errors, of.unanswered), (3, 4, 2));
    }

    #[test]
    fn of_what_was_stored_before_statuses_were_counted_none_is_known() {
        let of = named(&[], 9);
        assert_eq!((of.count, of.successes, of.unanswered), (109, 0, 0));
        assert!(!of.has_statuses);
    }

    #[test]
    fn a_name_to_which_nobody_ever_answered_has_no_response() {
        let of = |name: &str, statuses: &[(u16, u64)]| NamedFacts {
            name: name.to_owned(),
            completed: statuses.iter().map(|of| of.1).sum(),
            failed: 7,
            statuses: statuses.iter().copied().collect(),
            ..NamedFacts::default()
        };
        let unanswered = |named: Vec<NamedFacts>, statuses: &[(u16, u64)]| {
            let load = LoadFacts {
                named,
                statuses: statuses.iter().copied().collect(),
                ..LoadFacts::default()
            };
            let mut endpoints = Endpoints::new(Vec::new());
            count("/", &load, &mut endpoints);
            let all = endpoints.sorted(Sort::Endpoint);
            all.iter().map(|of| of.now.unanswered).collect::<Vec<_>>()
        };
        let both = vec![of("GET /a", &[(200, 5)]), of("GET /b", &[])];
        assert_eq!(unanswered(both, &[(200, 5)]), [7, 7]);
        assert_eq!(unanswered(vec![of("GET /b", &[])], &[]), [7]);
    }

    #[test]
    fn of_what_was_tried_again_the_right_responses_count() {
        let statuses = [(200, 100), (503, 40)].into();
        let load = LoadFacts {
            scheduled: 106,
            completed: 100,
            failed: [(Cause::Status, 5), (Cause::Refused, 1)].into(),
            statuses,
            ..LoadFacts::default()
        };
        let mut endpoints = Endpoints::new(Vec::new());
        One::of_load("/", &load).add(&mut endpoints);
        let of = endpoints.sorted(Sort::Sum).swap_remove(0).now;
        assert_eq!((of.count, of.successes, of.errors), (106, 100, 5));
        assert_eq!((of.unanswered, of.has_statuses), (1, true));
    }
}
