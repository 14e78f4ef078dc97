use super::paragraph::{FLUSH, Page};
use super::style::{DIM, PLAIN, STRONG};
use super::table::{Cell, Column, Table};
use crate::profile::{Changes, Shares};
use crate::view::profile::{headline, how, share, threads, waits};
use crate::{units, words};

/// A profile for a terminal of so many columns: whose code it is, and the first `top` functions.
pub fn profile(of: &Shares, top: usize, width: usize) -> String {
    let mut page = Page::new(width);
    page.say(STRONG, FLUSH, &format!("`{}`: {}", of.name, headline(of)));
    if !of.is_empty() {
        page.say(DIM, FLUSH, &how(of));
    }
    if !of.classes.is_empty() {
        page.space();
        page.lines(&classes(of, width));
    }
    for told in [waits(of), threads(of)].into_iter().flatten() {
        page.space();
        page.say(PLAIN, FLUSH, &format!("{told}."));
    }
    if !of.classes.is_empty() {
        page.space();
        page.lines(&functions(of, top, width));
    }
    if let Some(changes) = &of.changes {
        page.space();
        page.say(STRONG, FLUSH, &differing(changes));
        if !changes.functions.is_empty() {
            page.lines(&changed(changes, top, width));
        }
    }
    if let Some(problem) = of.problem.as_ref().filter(|_| !of.classes.is_empty()) {
        page.say(PLAIN, FLUSH, &format!("not all was sampled: {problem}"));
    }
    page.into_text()
}

fn classes(of: &Shares, width: usize) -> String {
    let mut table = Table::new(vec![
        Column::left("whose"),
        Column::left("works on its behalf"),
        Column::left("is its own code"),
    ]);
    for class in &of.classes {
        table.row(vec![
            Cell::new(class.class.name()),
            Cell::styled(share(&class.share), STRONG),
            Cell::new(share(&class.own)),
        ]);
    }
    table.fit(width).0
}

fn functions(of: &Shares, top: usize, width: usize) -> String {
    let mut table = Table::new(vec![
        Column::right("itself"),
        Column::right("with callees"),
        Column::left("whose").rank(0),
        Column::wrapping("function"),
    ]);
    for function in of.functions.iter().take(top) {
        table.row(vec![
            Cell::new(units::percent(function.own)),
            Cell::new(units::percent(function.with_callees)),
            Cell::styled(function.class.name(), DIM),
            Cell::new(&function.function),
        ]);
    }
    table.fit(width).0
}

/// How many functions differ from those of an earlier profile.
fn differing(of: &Changes) -> String {
    let compared = words::counted(of.compared as u64, "function");
    let [before, now] = of.samples.map(units::count);
    let differ = match of.functions.len() {
        0 => "none surely takes another share of the CPU time".to_owned(),
        1 => "1 surely takes another share of the CPU time".to_owned(),
        some => format!("{some} surely take another share of the CPU time"),
    };
    format!(
        "Against `{}` ({before} samples on CPU; here {now}): of {compared} {differ}",
        of.against
    )
}

/// A difference of shares in points, with its interval: `+50.5 [+44.0, +56.6]`.
fn points(value: f64, (low, high): (f64, f64)) -> String {
    let signed = |share: f64| {
        let sign = if share < 0.0 { "-" } else { "+" };
        format!("{sign}{}", units::number(100.0 * share.abs()))
    };
    format!("{} [{}, {}]", signed(value), signed(low), signed(high))
}

fn changed(of: &Changes, top: usize, width: usize) -> String {
    let mut table = Table::new(vec![
        Column::right("itself before"),
        Column::right("now"),
        Column::left("points"),
        Column::wrapping("function"),
    ]);
    for function in of.functions.iter().take(top) {
        let [before, now] = function.shares.map(units::percent);
        table.row(vec![
            Cell::new(before),
            Cell::new(now),
            Cell::styled(points(function.difference, function.interval), STRONG),
            Cell::new(&function.function),
        ]);
    }
    table.fit(width).0
}
