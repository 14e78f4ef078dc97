//! What `done()` is given.

use mlua::{Lua, MetaMethod, Table, UserData, UserDataFields, UserDataMethods};
use record::{Cause, LoadFacts};

/// `summary`, `latency` and `requests`.
pub(crate) fn of(lua: &Lua, facts: &LoadFacts) -> mlua::Result<(Table, Stats, Stats)> {
    let summary = lua.create_table()?;
    summary.set("duration", (facts.seconds * 1e6).round())?;
    summary.set("requests", facts.statuses.values().sum::<u64>())?;
    summary.set("bytes", facts.bytes_received)?;
    summary.set("errors", errors(lua, facts)?)?;
    Ok((summary, latency(facts), rates(facts)))
}

/// Answers that did not count as right: none of wrk's socket errors.
fn wrong(facts: &LoadFacts) -> u64 {
    let count = |cause| facts.failed.get(&cause).copied().unwrap_or(0);
    count(Cause::Status) + count(Cause::Body) + count(Cause::Check)
}

fn errors(lua: &Lua, facts: &LoadFacts) -> mlua::Result<Table> {
    let sum = |which: fn(Cause) -> bool| -> u64 {
        let failed = facts.failed.iter().filter(|&(cause, _)| which(*cause));
        failed.map(|(_, count)| count).sum()
    };
    let connect = sum(|cause| {
        let ours = [Cause::Exhausted, Cause::Tls];
        Cause::UNCONNECTED.contains(&cause) || ours.contains(&cause)
    });
    // a peer that is gone is noticed when its answer is read; what cannot be asked is not written
    let unasked = sum(|cause| cause == Cause::Unasked);
    let status: u64 = facts.statuses.range(400..).map(|(_, count)| count).sum();
    let errors = lua.create_table()?;
    errors.set("connect", connect)?;
    errors.set("read", facts.failures() - connect - unasked - wrong(facts))?;
    errors.set("write", unasked)?;
    errors.set("status", status)?;
    errors.set("timeout", facts.timed_out)?;
    Ok(errors)
}

/// Response times in microseconds.
fn latency(facts: &LoadFacts) -> Stats {
    let cells = facts.response.cells();
    let rounded = cells.map(|(seconds, count)| ((seconds * 1e6).round() as u64, count));
    Stats::new(rounded.collect())
}

/// Requests per second and thread, one for each slice of the window.
fn rates(facts: &LoadFacts) -> Stats {
    let threads = f64::from(facts.engine.threads.max(1));
    let begins = std::iter::once(0.0).chain(facts.intervals.iter().map(|slice| slice.until));
    let rates = begins.zip(&facts.intervals).filter_map(|(begin, slice)| {
        let length = slice.until - begin;
        let rate = slice.completed as f64 / length / threads;
        (length > 0.0 && slice.completed > 0).then_some((rate as u64, 1))
    });
    Stats::new(rates.collect())
}

/// Values and how often each was seen, as wrk's statistics objects answer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Stats {
    /// Ascending, each value once.
    cells: Vec<(u64, u64)>,
    count: u64,
}

impl Stats {
    pub(crate) fn new(mut cells: Vec<(u64, u64)>) -> Self {
        cells.sort_unstable();
        cells.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            kept.1 += if same { next.1 } else { 0 };
            same
        });
        Self {
            count: cells.iter().map(|cell| cell.1).sum(),
            cells,
        }
    }

    fn min(&self) -> u64 {
        self.cells.first().map_or(0, |cell| cell.0)
    }

    fn max(&self) -> u64 {
        self.cells.last().map_or(0, |cell| cell.0)
    }

    fn mean(&self) -> f64 {
        let cells = self.cells.iter();
        let sum: f64 = cells.map(|cell| cell.0 as f64 * cell.1 as f64).sum();
        sum / self.count.max(1) as f64
    }

    /// Of a sample: divided by one less than there are.
    fn stdev(&self) -> f64 {
        let mean = self.mean();
        let square = |cell: &(u64, u64)| (cell.0 as f64 - mean).powi(2) * cell.1 as f64;
        if self.count < 2 {
            return 0.0;
        }
        (self.cells.iter().map(square).sum::<f64>() / (self.count - 1) as f64).sqrt()
    }

    /// The value of wrk's rank, `round(p / 100 * count + 0.5)`; the largest where that lies beyond.
    fn percentile(&self, percent: f64) -> u64 {
        let rank = (percent / 100.0 * self.count as f64 + 0.5).round() as u64;
        let mut seen = 0;
        let found = self.cells.iter().find(|cell| {
            seen += cell.1;
            seen >= rank
        });
        found.map_or(self.max(), |cell| cell.0)
    }

    /// The `index`-th value, from 1, and its count; zeros where there is none.
    fn at(&self, index: f64) -> (u64, u64) {
        let place = (index as usize).checked_sub(1);
        let cell = place.and_then(|index| self.cells.get(index));
        cell.copied().unwrap_or_default()
    }
}

impl UserData for Stats {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        fields.add_field_method_get("min", |_, this| Ok(this.min()));
        fields.add_field_method_get("max", |_, this| Ok(this.max()));
        fields.add_field_method_get("mean", |_, this| Ok(this.mean()));
        fields.add_field_method_get("stdev", |_, this| Ok(this.stdev()));
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_method("percentile", |_, this, percent: f64| {
            Ok(this.percentile(percent))
        });
        methods.add_meta_method(MetaMethod::Call, |_, this, index: f64| Ok(this.at(index)));
        methods.add_meta_method(MetaMethod::Len, |_, this, ()| Ok(this.cells.len()));
    }
}
