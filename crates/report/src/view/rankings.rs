//! The plan's rankings.

use judge::Order;
use minijinja::Environment;
use serde::Serialize;

use crate::html::{Drawn, drawn};
use crate::terminal::paragraph::{FLUSH, INSIDE, Page};
use crate::terminal::style::{DIM, GOOD, PLAIN, STRONG};
use crate::terminal::table::{Cell, Column, Table};
use crate::{JudgedRun, units, words};

/// A ranking as rows: the rivals in the order of the first criterion, with a cell for each.
#[derive(Clone, Debug, Serialize)]
pub struct Ranking {
    /// Its name in the plan.
    pub name: String,
    /// Its title.
    pub title: String,
    /// What each column is of: `throughput, connections=10..400`.
    pub heads: Vec<String>,
    /// Whether figures of the first were reported.
    pub reported: bool,
    /// Whether the rivals' Pareto set is known.
    pub pareto: bool,
    /// The rivals.
    pub rows: Vec<Rival>,
    /// What it comes to, a sentence each.
    pub sentences: Vec<String>,
}

/// One rival.
#[derive(Clone, Debug, Serialize)]
pub struct Rival {
    /// Its name.
    pub rival: String,
    /// Whether no other beats it in everything.
    pub best: bool,
    /// The figure that was reported.
    pub reported: Option<String>,
    /// One cell for each criterion.
    pub cells: Vec<RankCell>,
}

/// A rival by one criterion.
#[derive(Clone, Debug, Serialize)]
pub struct RankCell {
    /// The ranks it can have: `1`, `1 to 3`, or a dash.
    pub rank: String,
    /// Its figure (`≥ 423 req/s` where the load generator held it down), or a dash.
    pub figure: String,
    /// The figure's interval.
    pub interval: Option<String>,
}

/// The ranks that a rival can have: `2`, `1 to 3`, or a dash where that is not known.
fn ranks(ranks: Option<(u32, u32)>) -> String {
    match ranks {
        Some((first, last)) if first == last => first.to_string(),
        Some((first, last)) => format!("{first} to {last}"),
        None => units::NOTHING.to_owned(),
    }
}

impl Ranking {
    /// A ranking in words.
    pub fn new(of: &judge::Ranking) -> Self {
        let best = |rival: &str| {
            let pareto = of.pareto.as_ref();
            pareto.is_some_and(|of| of.members.iter().any(|member| member == rival))
        };
        let names = of.orders.first().map(names).unwrap_or_default();
        let row = |rival: &String| Rival {
            rival: rival.clone(),
            best: best(rival),
            reported: reported(&of.orders[0], rival),
            cells: of.orders.iter().map(|order| cell(order, rival)).collect(),
        };
        let rows: Vec<Rival> = names.iter().map(row).collect();
        Self {
            name: of.name.clone(),
            title: of.title.clone(),
            heads: of.orders.iter().map(head).collect(),
            reported: rows.iter().any(|row| row.reported.is_some()),
            pareto: of.pareto.is_some(),
            rows,
            sentences: words::ranking(of),
        }
    }
}

/// Everybody, the ranked ones first.
fn names(order: &Order) -> Vec<String> {
    let ranked = order.places.iter().map(|of| &of.rival);
    let unranked = order.unranked.iter().map(|of| &of.rival);
    ranked.chain(unranked).cloned().collect()
}

fn head(order: &Order) -> String {
    let metric = order.metric.row().column;
    match &order.levels {
        Some(levels) => format!("{metric}, {levels}"),
        None => metric.to_owned(),
    }
}

fn reported(order: &Order, rival: &str) -> Option<String> {
    let mut places = order.places.iter();
    let reported = places.find(|of| of.rival == rival)?.reported?;
    Some(units::metric(order.metric, reported))
}

fn cell(order: &Order, rival: &str) -> RankCell {
    let place = order.places.iter().find(|of| of.rival == rival);
    RankCell {
        rank: ranks(place.and_then(|of| of.ranks)),
        figure: units::known(place, |of| {
            words::signed(order.metric, of.figure.value, of.elsewhere)
        }),
        interval: place.and_then(|of| units::uncertainty(&of.figure)),
    }
}

/// Some rankings on a page.
pub(crate) fn on_page<'a>(
    environment: &Environment,
    rankings: impl Iterator<Item = &'a judge::Ranking>,
) -> Drawn {
    let rankings: Vec<_> = rankings.map(Ranking::new).collect();
    drawn(environment, include_str!("../html/rankings.html"), rankings)
}

pub(super) fn page(environment: &Environment, of: &JudgedRun) -> Drawn {
    on_page(environment, of.judged.rankings.iter())
}

pub(super) fn draw(page: &mut Page, of: &JudgedRun) {
    for of in &of.judged.rankings {
        page.space();
        ranking_on(page, of);
    }
}

/// A ranking by itself, as a table and sentences.
pub fn ranking(of: &judge::Ranking, width: usize) -> String {
    let mut page = Page::new(width);
    ranking_on(&mut page, of);
    page.into_text()
}

fn ranking_on(page: &mut Page, of: &judge::Ranking) {
    let said = Ranking::new(of);
    let heading = if said.title == said.name {
        format!("Ranking `{}`", said.name)
    } else {
        format!("Ranking `{}` · {}", said.name, said.title)
    };
    page.say(STRONG, FLUSH, &heading);
    let mut columns = vec![Column::right("rank"), Column::left("")];
    for (place, head) in said.heads.iter().enumerate() {
        // the first is what the order is by; of the others the last goes first
        let rank = (said.heads.len() - place) as u8;
        if place == 0 {
            columns.extend([Column::right(head), Column::left("").rank(20)]);
        } else {
            let pair = [Column::right(head), Column::left("rank")];
            columns.extend(pair.map(|column| column.rank(rank)));
        }
    }
    if said.reported {
        columns.push(Column::right("reported").rank(10));
    }
    if said.pareto {
        columns.push(Column::left("Pareto").rank(11));
    }
    let mut table = Table::new(columns);
    for row in &said.rows {
        table.row(cells(row, said.reported, said.pareto));
    }
    let (lines, dropped) = table.fit(page.width());
    page.lines(&lines);
    let told = |head: &&str| !head.is_empty() && *head != "rank";
    let dropped: Vec<&str> = dropped.into_iter().filter(told).collect();
    if !dropped.is_empty() {
        let names = dropped.join("; ");
        page.say(DIM, INSIDE, &format!("not shown at this width: {names}"));
    }
    for sentence in &said.sentences {
        page.say(PLAIN, INSIDE, sentence);
    }
}

fn cells(row: &Rival, reported: bool, pareto: bool) -> Vec<Cell> {
    let mut cells = Vec::new();
    for (place, cell) in row.cells.iter().enumerate() {
        if place == 0 {
            cells.push(Cell::new(&cell.rank));
            cells.push(Cell::styled(&row.rival, STRONG));
            cells.push(Cell::new(&cell.figure));
            let interval = cell.interval.as_deref().unwrap_or_default();
            cells.push(Cell::styled(interval, DIM));
        } else {
            cells.push(Cell::new(&cell.figure));
            cells.push(Cell::styled(&cell.rank, DIM));
        }
    }
    if reported {
        let reported = row.reported.as_deref().unwrap_or_default();
        cells.push(Cell::styled(reported, DIM));
    }
    if pareto {
        cells.push(Cell::styled(if row.best { "in" } else { "" }, GOOD));
    }
    cells
}
