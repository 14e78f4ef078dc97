//! The window in pieces, gathered while it runs.

use std::collections::BTreeMap;

use load::Tick;
use record::{LoadFacts, Outcome, Trial};
use report::load::Slice;

/// Length of a piece, seconds.
const LENGTH: f64 = 1.0;
/// Most pieces kept; when a window outgrows them, pairs are joined.
const MOST: usize = 128;

/// The pieces of each load, by its variant.
pub(super) type ByVariant = BTreeMap<String, Vec<Slice>>;

/// Gathers the windows of all loads; nothing where nobody will read them.
pub(super) struct Slices {
    wanted: bool,
    of: BTreeMap<String, Window>,
}

impl Slices {
    pub(super) fn new(wanted: bool) -> Self {
        Self {
            wanted,
            of: BTreeMap::new(),
        }
    }

    /// Adds what happened since the tick before.
    pub(super) fn tick(&mut self, variant: &str, tick: &Tick) {
        if self.wanted {
            self.of.entry(variant.to_owned()).or_default().tick(tick);
        }
    }

    /// All pieces of the loads that came to something.
    pub(super) fn end(mut self, trials: &[Trial]) -> ByVariant {
        let ended = trials.iter().filter(|_| self.wanted).filter_map(|trial| {
            let Outcome::Measured(measured) = &trial.outcome else {
                return None;
            };
            let window = self.of.remove(&trial.variant).unwrap_or_default();
            Some((trial.variant.clone(), window.end(&measured.load)))
        });
        ended.collect()
    }
}

/// Gathers pieces in bounded memory however long a load runs.
struct Window {
    done: Vec<Slice>,
    open: Slice,
    length: f64,
    completed: u64,
}

impl Default for Window {
    fn default() -> Self {
        Self {
            done: Vec::new(),
            open: Slice::default(),
            length: LENGTH,
            completed: 0,
        }
    }
}

impl Window {
    fn tick(&mut self, tick: &Tick) {
        self.open.until = tick.reached;
        self.open.completed += tick.completed - self.completed;
        self.open.response.merge(&tick.recent);
        self.completed = tick.completed;
        // a tick comes a little late, or a little early
        if self.open.until - self.open.from >= self.length - 0.1 {
            self.close();
        }
    }

    fn close(&mut self) {
        let next = Slice {
            from: self.open.until,
            until: self.open.until,
            ..Slice::default()
        };
        self.done.push(std::mem::replace(&mut self.open, next));
        if self.done.len() > MOST {
            self.length *= 2.0;
            self.done = self.done.chunks(2).map(joined).collect();
        }
    }

    /// All pieces. The last takes what no tick has told, so that together they hold every answer.
    fn end(mut self, load: &LoadFacts) -> Vec<Slice> {
        if self.open.until > self.open.from || self.done.is_empty() {
            self.close();
        }
        let mut told = record::Distribution::default();
        for slice in &self.done {
            told.merge(&slice.response);
        }
        let completed: u64 = self.done.iter().map(|slice| slice.completed).sum();
        if let Some(last) = self.done.last_mut() {
            last.until = last.until.max(load.seconds);
            last.completed += load.completed.saturating_sub(completed);
            last.response.merge(&load.response.since(&told));
        }
        self.done
    }
}

fn joined(pair: &[Slice]) -> Slice {
    let mut whole = pair[0].clone();
    for slice in &pair[1..] {
        whole.until = slice.until;
        whole.completed += slice.completed;
        whole.response.merge(&slice.response);
    }
    whole
}

#[cfg(test)]
mod tests {
    use record::Distribution;

    use super::*;

    #[test]
    fn pieces_hold_every_answer_and_stay_few() {
        let mut load = LoadFacts {
            seconds: 1_000.0,
            ..LoadFacts::default()
        };
        let mut slices = Window::default();
        for tick in 1..=5_000_u64 {
            let mut recent = Distribution::default();
            recent.record(tick * 1_000);
            load.response.merge(&recent);
            slices.tick(&Tick {
                reached: tick as f64 / 5.0,
                completed: tick,
                recent: recent.into(),
                ..Tick::default()
            });
        }
        load.response.record(7_000_000);
        load.completed = 5_001;
        let slices = slices.end(&load);
        assert!((64..=MOST + 1).contains(&slices.len()), "{}", slices.len());
        let mut whole = Distribution::default();
        for slice in &slices {
            whole.merge(&slice.response);
        }
        assert_eq!(whole.count(), load.response.count());
        assert_eq!(
            slices.iter().map(|slice| slice.completed).sum::<u64>(),
            5_001
        );
        assert!(
            slices
                .windows(2)
                .all(|two| two[0].until <= two[1].from + 1e-9)
        );
    }
}
