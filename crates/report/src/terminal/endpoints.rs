mod notes;

use anstyle::Style;
use endpoints::{Costs, Endpoint, Figures};
use record::units::duration_unit;

use super::paragraph::{INSIDE, Page};
use super::style::{BAD, DIM, PLAIN, STRONG};
use super::table::{Cell, Column, Table};
use crate::units;

/// Endpoints, the one that costs most first, for a terminal of so many columns: the first `top`, the rest together, and what
/// is to be known of the figures. Two logs are shown as the earlier one, an arrow, and the later one.
pub fn endpoints(of: &Costs, top: usize, width: usize) -> String {
    let all = &of.endpoints;
    let [now, before] = [Some(&of.total.now), of.total.before.as_ref()];
    let mut total = now.into_iter().chain(before);
    let unanswered = total.any(|of| of.unanswered > 0);
    let mut table = Table::new(if before.is_some() {
        twice(unanswered)
    } else {
        once(unanswered)
    });
    let shown = &all[..top.min(all.len())];
    let figures = shown
        .iter()
        .flat_map(|of| [Some(&of.now), of.before.as_ref()]);
    let largest = figures.flatten().map(|of| of.sum).fold(0.0, f64::max);
    let sum = Sums(duration_unit(largest));
    for endpoint in shown {
        table.row(match &endpoint.before {
            Some(before) => both(endpoint, before, &sum, unanswered),
            None => one(endpoint, &sum, unanswered),
        });
    }
    let (lines, dropped) = table.fit(width);
    let mut page = Page::new(width);
    page.lines(&lines);
    if let Some(rest) = all.get(top..).filter(|rest| !rest.is_empty()) {
        page.lines(&left_out(rest, all));
    }
    if !dropped.is_empty() {
        let names = dropped.join(", ");
        page.say(DIM, INSIDE, &format!("not shown at this width: {names}"));
    }
    for note in notes::of(of) {
        page.say(DIM, INSIDE, &note);
    }
    page.into_text()
}

/// Shares of the time below this are told as that.
const LEAST_SHARE: f64 = 1e-4;
/// The least part of a unit that is told as a number in it.
const LEAST_PART: f64 = 0.01;

/// The unit of a column of sums: its seconds, and its name.
struct Sums((f64, &'static str));

impl Sums {
    /// What requests took together; nothing where the log does not say.
    fn told(&self, of: &Figures) -> Option<String> {
        let (_, name) = self.0;
        let least = || format!("<{LEAST_PART} {name}");
        of.mean
            .map(|_| in_unit(of.sum, self.0).unwrap_or_else(least))
    }
}

/// Seconds in a unit, if they are not next to nothing in it.
fn in_unit(seconds: f64, (scale, name): (f64, &str)) -> Option<String> {
    let value = seconds / scale;
    (value == 0.0 || value >= LEAST_PART).then(|| format!("{} {name}", units::number(value)))
}

fn share(of: f64) -> String {
    if of > 0.0 && of < LEAST_SHARE {
        "<0.01 %".to_owned()
    } else {
        units::percent(of)
    }
}

/// The column of requests without a response, where there are any.
fn unanswered_column(shown: bool) -> Option<Column> {
    shown.then(|| Column::right("no response"))
}

fn once(unanswered: bool) -> Vec<Column> {
    let columns = [
        Column::right("sum"),
        Column::right("share"),
        Column::right("requests"),
        Column::right("mean"),
        Column::right("p50").rank(6),
        Column::right("p90").rank(2),
        Column::right("p95").rank(3),
        Column::right("p99"),
        Column::right("max").rank(5),
        Column::right("2xx").rank(0),
        Column::right("3xx").rank(1),
        Column::right("4xx").rank(7),
        Column::right("5xx").rank(8),
    ];
    let last = [Column::right("bytes").rank(4), Column::wrapping("endpoint")];
    let columns = columns.into_iter().chain(unanswered_column(unanswered));
    columns.chain(last).collect()
}

fn one(of: &Endpoint, sum: &Sums, unanswered: bool) -> Vec<Cell> {
    let now = &of.now;
    let time = |seconds: Option<f64>| Cell::known(seconds.map(units::duration));
    let bytes = now.bytes.map(|bytes| units::bytes(bytes as f64));
    let mut cells = vec![
        sum.told(now)
            .map_or_else(Cell::nothing, |sum| Cell::styled(sum, STRONG)),
        Cell::known(now.share.map(share)),
        Cell::new(units::count(now.count)),
        time(now.mean),
        time(now.p50),
        time(now.p90),
        time(now.p95),
        time(now.p99),
        time(now.max),
        responses(now, now.successes, PLAIN),
        responses(now, now.redirects, PLAIN),
        failures(now, now.client_errors),
        failures(now, now.errors),
    ];
    cells.extend(unanswered.then(|| failures(now, now.unanswered)));
    cells.extend([Cell::known(bytes), Cell::new(name(of))]);
    cells
}

fn twice(unanswered: bool) -> Vec<Column> {
    let columns = [
        Column::right("sum"),
        Column::right("requests").rank(3),
        Column::right("mean"),
        Column::right("ratio"),
        Column::right("p99").rank(2),
        Column::right("2xx").rank(0),
        Column::right("3xx").rank(1),
        Column::right("4xx").rank(4),
        Column::right("5xx").rank(5),
    ];
    let columns = columns.into_iter().chain(unanswered_column(unanswered));
    columns.chain([Column::wrapping("endpoint")]).collect()
}

fn both(of: &Endpoint, before: &Figures, sum: &Sums, unanswered: bool) -> Vec<Cell> {
    let now = &of.now;
    let sums = [before, now].map(|of| sum.told(of).unwrap_or_else(|| units::NOTHING.to_owned()));
    // two times that are compared have one unit
    let times = |value: fn(&Figures) -> Option<f64>| {
        let both = [value(before), value(now)];
        let unit = duration_unit(both.into_iter().flatten().fold(0.0, f64::max));
        let one = |seconds| in_unit(seconds, unit).unwrap_or_else(|| units::duration(seconds));
        let [before, now] = both.map(|seconds| units::known(seconds, one));
        Cell::new(format!("{before} → {now}"))
    };
    let counts = |value: fn(&Figures) -> u64| {
        let told = |figures| units::count(value(figures));
        Cell::new(format!("{} → {}", told(before), told(now)))
    };
    let responses = |value: fn(&Figures) -> u64| {
        let told = |figures: &Figures| {
            let known = figures.has_statuses.then(|| value(figures));
            units::known(known, units::count)
        };
        Cell::new(format!("{} → {}", told(before), told(now)))
    };
    let means = before
        .mean
        .zip(now.mean)
        .filter(|(before, _)| *before > 0.0);
    let ratio = means.map(|(before, now)| units::ratio(now / before));
    let mut cells = vec![
        Cell::new(sums.join(" → ")),
        counts(|of| of.count),
        times(|of| of.mean),
        ratio.map_or_else(Cell::nothing, |ratio| Cell::styled(ratio, STRONG)),
        times(|of| of.p99),
        responses(|of| of.successes),
        responses(|of| of.redirects),
        responses(|of| of.client_errors),
        responses(|of| of.errors),
    ];
    cells.extend(unanswered.then(|| responses(|of| of.unanswered)));
    cells.push(Cell::new(name(of)));
    cells
}

/// How many requests failed in one way.
fn failures(of: &Figures, count: u64) -> Cell {
    responses(of, count, BAD)
}

/// How many requests ended in one way; nothing where the log does not say how any ended.
fn responses(of: &Figures, count: u64, style: Style) -> Cell {
    match count {
        _ if !of.has_statuses => Cell::nothing(),
        0 => Cell::styled("0", DIM),
        some => Cell::styled(units::count(some), style),
    }
}

fn name(of: &Endpoint) -> String {
    format!("{} {}", of.method, of.route)
        .trim_start()
        .to_owned()
}

/// What the endpoints that are not shown cost together.
fn left_out(rest: &[Endpoint], all: &[Endpoint]) -> String {
    let sum = |of: &[Endpoint]| of.iter().map(|of| of.now.sum).sum::<f64>();
    let share = sum(rest) / sum(all);
    let share = if share.is_finite() {
        format!(", {} of the time", self::share(share))
    } else {
        String::new()
    };
    let requests: u64 = rest.iter().map(|of| of.now.count).sum();
    format!(
        "{} more with {} requests{share}: `--top` shows more\n",
        units::count(rest.len() as u64),
        units::count(requests)
    )
}
