//! Figures over time, in bounded memory however long it goes on.

use std::collections::BTreeMap;

use record::{CounterKind, Moment, Series};

/// What is sampled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Figure<'a> {
    pub(crate) of: &'a str,
    pub(crate) pid: Option<u32>,
    pub(crate) name: &'a str,
    pub(crate) kind: CounterKind,
    pub(crate) unit: &'a str,
}

impl<'a> Figure<'a> {
    /// What is of no process.
    pub(crate) fn new(of: &'a str, name: &'a str, kind: CounterKind, unit: &'a str) -> Self {
        let pid = None;
        Self {
            of,
            pid,
            name,
            kind,
            unit,
        }
    }
}

/// Samples of any number of figures: at most [`Series::MOST`] of them, each with [`Series::MOST_SAMPLES`].
#[derive(Debug, Default)]
pub(crate) struct Samples(BTreeMap<(String, Option<u32>, String), Track>);

#[derive(Debug)]
struct Track {
    kind: CounterKind,
    unit: String,
    /// Seconds between two samples at least.
    gap: f64,
    samples: Vec<(Moment, f64)>,
}

impl Samples {
    /// Adds a sample, unless the last one is too near or there are too many figures.
    pub(crate) fn add(&mut self, figure: Figure, at: Moment, value: f64) {
        let key = (figure.of.to_owned(), figure.pid, figure.name.to_owned());
        if self.0.len() >= Series::MOST && !self.0.contains_key(&key) {
            return;
        }
        let new = || Track {
            kind: figure.kind,
            unit: figure.unit.to_owned(),
            gap: 0.0,
            samples: Vec::new(),
        };
        self.0.entry(key).or_insert_with(new).add(at, value);
    }

    /// All of them, in seconds since this moment.
    pub(crate) fn series(self, origin: Moment) -> Vec<Series> {
        let series = |((of, pid, name), track): ((String, Option<u32>, String), Track)| {
            let Track {
                kind,
                unit,
                samples,
                ..
            } = track;
            let samples = samples.into_iter();
            let (at, values) = samples.map(|(at, value)| (at.since(origin), value)).unzip();
            Series {
                of,
                pid,
                name,
                kind,
                unit,
                at,
                values,
            }
        };
        self.0.into_iter().map(series).collect()
    }
}

impl Track {
    fn add(&mut self, at: Moment, value: f64) {
        let last = self.samples.last();
        if last.is_some_and(|(last, _)| at.since(*last) < self.gap) {
            return;
        }
        if self.samples.len() >= Series::MOST_SAMPLES {
            self.thin();
        }
        self.samples.push((at, value));
    }

    fn thin(&mut self) {
        let mut number = 0;
        self.samples.retain(|_| {
            number += 1;
            number % 2 == 1
        });
        if let [(first, _), .., (last, _)] = self.samples[..] {
            self.gap = last.since(first) / (self.samples.len() - 1) as f64;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(name: &str) -> Figure<'_> {
        Figure {
            of: "load",
            pid: None,
            name,
            kind: CounterKind::Gauge,
            unit: "requests",
        }
    }

    #[test]
    fn a_long_series_stays_bounded_and_keeps_its_span() {
        let origin = Moment::now();
        let mut samples = Samples::default();
        for second in 0..100_000 {
            samples.add(
                figure("rate"),
                origin.plus(second * 1_000_000_000),
                second as f64,
            );
        }
        let series = samples.series(origin).remove(0);
        assert!(series.at.len() <= Series::MOST_SAMPLES);
        assert!(series.at.len() >= Series::MOST_SAMPLES / 4);
        assert_eq!(series.at, series.values, "a sample keeps its moment");
        assert!(series.at[0] == 0.0 && *series.at.last().unwrap() > 90_000.0);
    }

    #[test]
    fn figures_beyond_the_bound_are_not_kept() {
        let mut samples = Samples::default();
        for number in 0..2 * Series::MOST {
            samples.add(figure(&number.to_string()), Moment::now(), 1.0);
        }
        assert_eq!(samples.series(Moment::now()).len(), Series::MOST);
    }
}
