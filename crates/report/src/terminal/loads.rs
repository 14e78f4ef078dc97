use judge::Doubt;

use super::paragraph::{FLUSH, INSIDE, Page};
use super::style::{DIM, PLAIN, STRONG};
use super::table::{Cell, Column, Table};
use crate::JudgedRun;
use crate::load::Loaded;
use crate::{units, words};

/// The quantiles of the response time that each load is told with.
const SHOWN: [f64; 3] = [0.5, 0.95, 0.99];

/// Several loads of one URL: what they came to, each in a row, and what was noticed beside.
pub(super) fn loads(page: &mut Page, of: &JudgedRun) {
    let loads = of.all_loads();
    page.say(STRONG, FLUSH, &words::headline(of.run, of.judged));
    let reached = of.judged.reached.as_ref();
    if let Some(tried) = reached.and_then(words::tried) {
        page.say(PLAIN, FLUSH, &tried);
    }
    if !loads.is_empty() {
        page.space();
        page.table(&table(&loads));
        page.space();
        let open = loads.iter().any(|of| of.load.shape.is_open());
        let legend = if open && loads.iter().any(|of| !of.load.shape.is_open()) {
            "connections: kept busy; the shares: Poisson arrivals. "
        } else {
            ""
        };
        let times = "p50, p95 and p99 are of the response time, with 95 % intervals.";
        page.say(DIM, FLUSH, &format!("{legend}{times}"));
    }
    let grave = loads.iter().flat_map(|of| of.doubts);
    let grave = grave.filter(|doubt| doubt.disqualifies);
    let grave = grave.map(|doubt| format!("?: {}", doubt.because));
    let mut told: Vec<_> = of.extras.notes.iter().cloned().chain(grave).collect();
    told.dedup();
    for note in told {
        page.say(PLAIN, FLUSH, &format!("! {note}"));
    }
    for (load, doubt) in of_server(&loads) {
        let title = doubt.kind.rule().title(false);
        let told = format!("! {title} ({load}): {}", doubt.because);
        page.say(PLAIN, FLUSH, &told);
        page.say(PLAIN, INSIDE, &format!("→ {}", doubt.advice));
    }
}

/// What is told of how the server answers, each kind once, of the load that met it first; what disqualifies is told of all.
fn of_server<'a>(loads: &[Loaded<'a>]) -> Vec<(&'a str, &'a Doubt)> {
    let mut told: Vec<(&str, &Doubt)> = Vec::new();
    for of in loads {
        let mild = of.doubts.iter().filter(|doubt| !doubt.disqualifies);
        for doubt in mild.filter(|doubt| doubt.kind.rule().of_server) {
            if told.iter().all(|(_, known)| known.kind != doubt.kind) {
                told.push((of.variant, doubt));
            }
        }
    }
    told
}

/// The same as a table for a page.
pub(crate) fn loads_markdown(headline: &str, loads: &[Loaded]) -> String {
    let columns =
        "load | connections | offered | achieved | p50 | p95 | p99 | errors | engine/req | ";
    let mut lines = vec![
        format!("**{headline}**\n"),
        format!("| {columns} |"),
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---|".to_owned(),
    ];
    lines.extend(loads.iter().map(|of| {
        let [p50, p95, p99] = SHOWN.map(|q| words::quantile_within(&of.load.response, q));
        let [name, connections, offered, achieved, errors, cost, doubted] = cells(of);
        format!(
            "| {name} | {connections} | {offered} | {achieved} | {p50} | {p95} | {p99} | {errors} | {cost} | {doubted} |"
        )
    }));
    lines.join("\n") + "\n"
}

/// Name, connections, offered and achieved rate, share of errors, CPU of the engine for an answer, and whether it is
/// doubted.
fn cells(of: &Loaded) -> [String; 7] {
    let load = of.load;
    let failed = load.error_share().unwrap_or(0.0);
    let cost = load.engine.cpu() / load.completed.max(1) as f64;
    [
        of.variant.to_owned(),
        units::count(u64::from(load.connections)),
        load.offered.map_or(units::NOTHING.into(), units::number),
        units::number(load.throughput()),
        units::percent(failed),
        units::duration(cost),
        if of.is_doubted() { "?" } else { "" }.to_owned(),
    ]
}

fn table(loads: &[Loaded]) -> Table {
    let mut table = Table::new(vec![
        Column::left("load"),
        Column::right("conns").rank(4),
        Column::right("offered"),
        Column::right("achieved"),
        Column::right("p50").rank(5),
        Column::right("").rank(2),
        Column::right("p95").rank(1),
        Column::right("p99"),
        Column::right("").rank(3),
        Column::right("errors"),
        Column::right("engine/req").rank(0),
        Column::left(""),
    ]);
    for of in loads {
        let times = &of.load.response;
        let [p50, p95, p99] = SHOWN.map(|q| Cell::new(words::quantile(times, q)));
        let [around_p50, _, around_p99] =
            SHOWN.map(|q| Cell::styled(words::off(times, q).unwrap_or_default(), DIM));
        let [name, connections, offered, achieved, errors, cost, doubted] = cells(of);
        table.row(vec![
            Cell::new(name),
            Cell::new(connections),
            Cell::new(offered),
            Cell::styled(achieved, STRONG),
            p50,
            around_p50,
            p95,
            p99,
            around_p99,
            Cell::new(errors),
            Cell::styled(cost, DIM),
            Cell::new(doubted),
        ]);
    }
    table
}
