//! A load as the keys that ask for it.

use super::{LoadSpec, Until, WarmUpSpec};
use crate::{Amount, Crowd, Load, Process, RequestFile, Segment, Shape, Spread, WarmUpPlan};

impl LoadSpec {
    /// The keys that ask for this load, but for its seed. `None` where no keys do: rates that change, a recording,
    /// and TLS, which a URL asks for.
    pub fn of(load: &Load) -> Option<Self> {
        let usual = Load::default();
        let (requests, seconds) = match load.amount {
            Amount::Requests(count) => (Some(count), None),
            Amount::Seconds(seconds) => (None, Some(seconds)),
        };
        let spec = Self {
            connections: Some(load.connections),
            requests,
            seconds,
            warm_up: Some(warm_up(load.warm_up)),
            keep_alive: Some(load.keep_alive),
            per_connection: load.per_connection,
            split: load.split.then_some(true),
            streams: (load.streams != usual.streams).then_some(load.streams),
            threads: (load.threads != usual.threads).then_some(load.threads),
            reactor: (load.reactor != usual.reactor).then_some(load.reactor),
            timeout: Some(load.timeout),
            drain: load.drain,
            connect_timeout: load.connect_timeout,
            first_byte_timeout: load.first_byte_timeout,
            retries: load.retry.map(|retry| retry.times),
            retry_after: load.retry.and_then(|retry| retry.after),
            backoff: load.retry.map(|retry| retry.backoff),
            page: load.page.map(|_| true),
            page_connections: load.page.map(|of| of.connections),
            page_visits: load.page.map(|of| of.visits),
            mix: match &load.requests_from {
                Some(RequestFile::Mix(path)) => Some(path.clone()),
                _ => None,
            },
            replay: match &load.requests_from {
                Some(RequestFile::Replay(path)) => Some(path.clone()),
                _ => None,
            },
            sources: (!load.sources.is_empty()).then(|| load.sources.clone()),
            crowd: (load.crowd != Crowd::default()).then_some(load.crowd),
            faults: (!load.faults.is_empty()).then(|| load.faults.clone()),
            goal: load.goal.clone(),
            profile: load.profile,
            observe: load.unobserved.then_some(false),
            ..Self::default()
        };
        spec.shaped(&load.shape).filter(|_| load.tls.is_none())
    }

    fn shaped(mut self, shape: &Shape) -> Option<Self> {
        match shape {
            Shape::Closed { think, spread } => {
                let thinks = *think > 0.0;
                self.think = thinks.then_some(*think);
                self.think_spread = (thinks && *spread != Spread::default()).then_some(*spread);
            }
            Shape::Open(arrivals) => {
                let steady = |of: &&[Segment]| of.len() == 1 && of[0].is_steady();
                let segments = Some(&arrivals.segments[..]).filter(steady)?;
                self.rate = Some(segments[0].from);
                let process = arrivals.process;
                self.arrivals = (process != Process::default()).then_some(process);
                self.max_outstanding = Some(arrivals.max_outstanding);
            }
            Shape::Recorded { .. } => return None,
        }
        Some(self)
    }
}

fn warm_up(plan: WarmUpPlan) -> WarmUpSpec {
    match plan {
        WarmUpPlan::None => WarmUpSpec::seconds(0.0),
        WarmUpPlan::Seconds(seconds) => WarmUpSpec::seconds(seconds),
        WarmUpPlan::Requests(count) => WarmUpSpec {
            requests: Some(count),
            ..WarmUpSpec::default()
        },
        WarmUpPlan::Stationary(most) => WarmUpSpec {
            until: Some(Until::Stationary),
            seconds: Some(most),
            ..WarmUpSpec::default()
        },
    }
}
