//! What makes requests fall due, as a user asks for it.

use super::rules::{Checked, none_of, rates};
use super::{LoadSpec, RATE_SHAPES};
use crate::{Amount, Arrivals, Flaw, Segment, Shape};

/// How the rate of an open loop changes over the window: a key of plans, and an option of the command line.
#[derive(Debug)]
pub struct RateShape {
    /// The key, one word.
    pub key: &'static str,
    /// What it does, in a line.
    pub help: &'static str,
    /// Its rates as an option takes them: `A:B`.
    pub rates: &'static str,
    /// What is told where the rates do not make it, and what to give instead.
    pub(super) needs: &'static str,
    pub(super) hint: &'static str,
    /// The rate over so many seconds; none where it needs other rates.
    pub(super) segments: fn(&[f64], f64) -> Option<Vec<Segment>>,
    /// Its rates in a spec.
    pub given: fn(&LoadSpec) -> Option<&[f64]>,
    /// Where a spec holds them.
    pub field: fn(&mut LoadSpec) -> &mut Option<Vec<f64>>,
}

/// Rates in turn, each for its share of the time.
pub(super) fn hold(shares: &[(f64, f64)], seconds: f64) -> Vec<Segment> {
    let shares = shares.iter();
    shares
        .map(|(rate, share)| Segment::hold(*rate, share * seconds))
        .collect()
}

/// The rates of an open loop, and the shape that they have where they change.
type Rates<'a> = (Option<&'static RateShape>, &'a [f64]);

impl LoadSpec {
    /// The rates that are given.
    pub(super) fn rates(&self) -> impl Iterator<Item = Rates<'_>> {
        let rate = self.rate.as_ref().map(std::slice::from_ref);
        let changing = RATE_SHAPES
            .iter()
            .filter_map(|shape| Some((Some(shape), (shape.given)(self)?)));
        rate.map(|rate| (None, rate)).into_iter().chain(changing)
    }

    pub(super) fn forget_rates(&mut self) {
        self.rate = None;
        for shape in RATE_SHAPES {
            *(shape.field)(self) = None;
        }
    }

    /// `slots` is how many requests the connections carry at once.
    pub(super) fn shape(&self, amount: Amount, slots: u64, seed: u64) -> Checked<Shape> {
        let mut rates = self.rates();
        let first = rates.next();
        if let Some((shape, _)) = rates.next() {
            let keys = RATE_SHAPES
                .iter()
                .map(|shape| format!(" or {{{}}}", shape.key));
            let hint = format!("give either {{rate}}{}", keys.collect::<String>());
            return Err(Flaw::new(key(shape), "the rate is given twice", hint));
        }
        match (self.think, first) {
            (Some(_), Some(_)) => Err(Flaw::new(
                "think",
                "an open loop has no think time: its requests fall due on a schedule",
                "leave out {think} or the rate",
            )),
            (None, Some(rates)) => self.open(rates, amount, slots, seed),
            (think, None) => self.closed(think.unwrap_or(0.0)),
        }
    }

    fn closed(&self, think: f64) -> Checked<Shape> {
        let most = self.max_outstanding.is_some();
        none_of(&[
            ("arrivals", self.arrivals.is_some(), "{rate = 500}"),
            ("max-outstanding", most, "{rate = 500}"),
        ])?;
        Ok(Shape::Closed {
            think,
            spread: self.think_spread.unwrap_or_default(),
        })
    }

    fn open(&self, given: Rates, amount: Amount, slots: u64, seed: u64) -> Checked<Shape> {
        let (shape, values) = given;
        rates(key(shape), values.iter().copied())?;
        let usual = u32::try_from(slots).unwrap_or(u32::MAX);
        let usual = Arrivals::MAX_OUTSTANDING.max(usual);
        Ok(Shape::Open(Arrivals {
            process: self.arrivals.unwrap_or_default(),
            segments: segments(given, amount)?,
            max_outstanding: self.max_outstanding.unwrap_or(usual),
            seed,
        }))
    }
}

fn key(shape: Option<&RateShape>) -> &'static str {
    shape.map_or("rate", |shape| shape.key)
}

fn segments((shape, rates): Rates, amount: Amount) -> Checked<Vec<Segment>> {
    let Some(shape) = shape else {
        return Ok(Arrivals::steady(rates[0]));
    };
    let Amount::Seconds(seconds) = amount else {
        return Err(Flaw::new(
            shape.key,
            "a rate that changes needs a time to change over, not a number of requests",
            "end the window by time: {seconds = 30}",
        ));
    };
    let segments = (shape.segments)(rates, seconds);
    segments.ok_or_else(|| Flaw::new(shape.key, shape.needs, shape.hint))
}
