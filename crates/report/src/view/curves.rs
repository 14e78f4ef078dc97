//! The curves of the sweeps: a table with bars for each, and what is to be said of it.

use judge::{Curve, Point};
use minijinja::Environment;
use record::Metric;

use crate::html::{self, Drawn};
use crate::terminal::paragraph::{FLUSH, INSIDE, Page};
use crate::terminal::style::{BAD, DIM, PLAIN, STRONG};
use crate::terminal::table::{Cell, Column, Table};
use crate::{JudgedRun, units, words};

/// Cells of the longest bar.
const BAR: usize = 20;

pub(super) fn page(environment: &Environment, of: &JudgedRun) -> Drawn {
    html::draw_curves(environment, &of.judged.curves)
}

pub(super) fn draw(page: &mut Page, of: &JudgedRun) {
    for curve in &of.judged.curves {
        draw_one(page, curve);
    }
}

/// Curves by themselves.
pub fn curves(curves: &[Curve], width: usize) -> String {
    let mut page = Page::new(width);
    for curve in curves {
        draw_one(&mut page, curve);
    }
    page.into_text()
}

fn draw_one(page: &mut Page, curve: &Curve) {
    page.space();
    page.say(STRONG, FLUSH, &words::curve(curve));
    page.lines(&table(curve).fit(page.width()).0);
    for sentence in words::turns(curve) {
        page.say(PLAIN, INSIDE, &sentence);
    }
}

fn table(curve: &Curve) -> Table {
    let times = [Metric::P50, Metric::P99].into_iter();
    let times: Vec<_> = times.filter_map(|metric| curve.line(metric)).collect();
    let errors = curve.points().iter().any(|point| point.errors.is_some());
    let mut columns = vec![
        Column::right(&curve.factor),
        Column::right(words::answered(curve)),
        Column::left("").rank(2),
    ];
    let heads = times.iter().map(|line| line.metric.row().column);
    columns.extend(
        (3..)
            .zip(heads)
            .map(|(rank, head)| Column::right(head).rank(rank)),
    );
    columns.extend(errors.then(|| Column::right("errors").rank(1)));
    columns.push(Column::left(""));
    let mut table = Table::new(columns);
    let most = curve.points().iter().map(|point| point.figure.value);
    let most = most.fold(0.0, f64::max);
    for point in curve.points() {
        let mut cells = vec![
            Cell::styled(words::level(point.level), STRONG),
            Cell::new(units::figure_in_column(Metric::Throughput, &point.figure)),
            Cell::new(bar(point.figure.value / most)),
        ];
        cells.extend(times.iter().map(|line| {
            let same = line.points.iter().find(|of| of.variant == point.variant);
            Cell::known(same.map(|of| units::metric(line.metric, of.figure.value)))
        }));
        cells.extend(errors.then(|| match point.errors {
            Some(share) => Cell::styled(units::percent(share), BAD),
            None => Cell::new(""),
        }));
        cells.push(Cell::styled(marks(curve, point).join(", "), DIM));
        table.row(cells);
    }
    table
}

/// What a point is, in a word each.
fn marks(curve: &Curve, point: &Point) -> Vec<&'static str> {
    let is = |level: Option<f64>| level.is_some_and(|level| words::same(level, point.level));
    let knee = curve.knee.filter(|knee| !knee.at_end);
    [
        (is(knee.map(|knee| knee.level)), "knee"),
        (is(curve.collapse.map(|of| of.level)), "collapsed"),
        (
            point.ceiling.is_some_and(|of| of.reached),
            "workload's ceiling",
        ),
        (point.added, "added"),
    ]
    .into_iter()
    .filter_map(|(is, mark)| is.then_some(mark))
    .collect()
}

/// A bar of eighths of a cell.
fn bar(share: f64) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (share.clamp(0.0, 1.0) * (BAR * 8) as f64).round() as usize;
    format!("{}{}", "█".repeat(eighths / 8), EIGHTHS[eighths % 8])
}

#[cfg(test)]
mod tests {
    use super::bar;

    #[test]
    fn bars_are_as_long_as_their_share() {
        assert_eq!(bar(0.0), "");
        assert_eq!(bar(0.5), "██████████");
        assert_eq!(bar(1.0 / 160.0), "▏");
        assert_eq!(bar(1.0).chars().count(), 20);
        assert_eq!(bar(f64::NAN), "");
    }
}
