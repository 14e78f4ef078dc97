use super::paragraph::{FLUSH, Page};
use super::style::{DIM, PLAIN, STRONG};
use super::table::{Cell, Column, Table};
use crate::profile::{Changes, Shares};
use crate::units;
use crate::view::profile::{differing, headline, how, points, share, threads, waits};

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
