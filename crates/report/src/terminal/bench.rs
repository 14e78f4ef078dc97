use judge::Doubt;
use record::{Distribution, LoadFacts};

use super::paragraph::{DEEPER, FLUSH, INSIDE, Page};
use super::style::{BAD, DIM, PLAIN, STRONG};
use super::table::{Cell, Column, Table};
use crate::words::DoubtWords;
use crate::{units, words};

/// The quantiles of a bench.
const QUANTILES: [(f64, &str); 4] = [(0.5, "p50"), (0.9, "p90"), (0.99, "p99"), (0.999, "p99.9")];

/// One load: throughput, latency, errors with their causes, the accounting identity, what the
/// engine itself cost, and doubts.
pub fn bench(load: &LoadFacts, doubts: &[Doubt], width: usize) -> String {
    let mut page = Page::new(width);
    page.say(DIM, FLUSH, &words::shape(&load.shape));
    page.lines(&facts(load).fit(width).0);
    if !load.response.is_empty() {
        page.space();
        latency(&mut page, load);
    }
    failures(&mut page, load);
    let doubts: Vec<_> = doubts.iter().map(DoubtWords::of_one_load).collect();
    super::run::doubts(&mut page, &doubts);
    page.into_text()
}

fn facts(load: &LoadFacts) -> Table {
    let mut table = Table::new(vec![Column::left(""), Column::wrapping("")]);
    let mut fact = |name: &str, text: String, style| {
        table.row(vec![Cell::styled(name, DIM), Cell::styled(text, style)]);
    };
    let received = load.bytes_received as f64 / load.seconds;
    let throughput = units::rate(load.throughput());
    fact(
        "throughput",
        format!("{throughput}, {}/s received", units::bytes(received)),
        STRONG,
    );
    if let Some(achieved) = words::achieved(load) {
        fact("rate", achieved, PLAIN);
    }
    fact(
        "window",
        format!(
            "{} over {}",
            units::duration(load.seconds),
            connections(load)
        ),
        PLAIN,
    );
    fact("accounted", words::accounting(load), PLAIN);
    if !load.statuses.is_empty() {
        let statuses: Vec<_> = load
            .statuses
            .iter()
            .map(|(status, count)| format!("{status} × {}", units::count(*count)))
            .collect();
        fact("statuses", statuses.join(", "), PLAIN);
    }
    fact("engine", words::engine(load), PLAIN);
    for line in load.crowd.iter().flat_map(words::crowd) {
        fact("beside", line, PLAIN);
    }
    table
}

fn connections(load: &LoadFacts) -> String {
    let planned = words::counted(u64::from(load.connections), "connection");
    format!("{planned}, {} opened", units::count(load.connects))
}

fn latency(page: &mut Page, load: &LoadFacts) {
    let mut columns = vec![Column::left("latency"), Column::right("mean")];
    columns.extend(QUANTILES.iter().map(|(_, name)| Column::right(name)));
    columns.push(Column::right("max"));
    columns.push(Column::left("").rank(0));
    let mut table = Table::new(columns);
    for (name, times, from) in times(load) {
        if times.is_empty() {
            continue;
        }
        let style = if name == "response" { STRONG } else { PLAIN };
        let mut cells = vec![Cell::styled(name, style), time(times.mean(), style)];
        cells.extend(
            QUANTILES
                .iter()
                .map(|(q, _)| time(honest_quantile(times, *q), style)),
        );
        cells.push(time(times.max(), style));
        cells.push(Cell::styled(from, DIM));
        table.row(cells);
    }
    page.lines(&table.fit(page.width()).0);
    for note in notes(load) {
        page.say(DIM, INSIDE, &note);
    }
}

/// What was timed, with what it means. Who was late is told where somebody can be: a closed loop's
/// requests are not due before they can be sent.
fn times(load: &LoadFacts) -> Vec<(&'static str, &Distribution, &'static str)> {
    let mut times = vec![
        ("response", &load.response, "from due to the last byte"),
        ("service", &load.service, "from sent to the last byte"),
        (
            "first byte",
            &load.first_byte,
            "from sent to the first byte",
        ),
        ("connect", &load.connect, "opening a connection"),
    ];
    if load.shape.arrivals().is_some() {
        times.extend([
            ("waited", &load.waited, "of those with no connection free"),
            ("woken", &load.woken, "late, by the kernel"),
            ("lateness", &load.lateness, "late, by the engine"),
        ]);
    }
    times
}

fn time(seconds: Option<f64>, style: anstyle::Style) -> Cell {
    seconds.map_or_else(
        || Cell::styled(units::NOTHING, DIM),
        |seconds| Cell::styled(units::duration(seconds), style),
    )
}

fn honest_quantile(times: &Distribution, q: f64) -> Option<f64> {
    times
        .quantile(q)
        .filter(|_| words::enough(q, times.count()))
}

fn notes(load: &LoadFacts) -> Vec<String> {
    let answers = load.response.count();
    let mut notes: Vec<String> = QUANTILES
        .iter()
        .filter(|(q, _)| answers > 0 && !words::enough(*q, answers))
        .map(|(q, name)| {
            format!(
                "{} {}",
                units::NOTHING,
                words::too_few_for(name, *q, answers)
            )
        })
        .collect();
    if load.timed_out > 0 {
        let late = words::counted(load.timed_out, "request");
        notes.push(format!("{late} timed out and count as at least that long"));
    }
    notes
}

fn failures(page: &mut Page, load: &LoadFacts) {
    if load.failures() + load.timed_out == 0 {
        return;
    }
    let mut failed: Vec<_> = load
        .failed
        .iter()
        .map(|(cause, count)| {
            (
                *count,
                cause.words(),
                words::cause_advice(*cause),
                load.examples.get(cause),
            )
        })
        .chain([(load.timed_out, "timed out", words::TIMED_OUT_ADVICE, None)])
        .filter(|(count, ..)| *count > 0)
        .collect();
    failed.sort_by_key(|(count, ..)| std::cmp::Reverse(*count));
    page.space();
    page.say(STRONG, FLUSH, "Failed");
    for (count, cause, advice, example) in failed {
        page.say(BAD, INSIDE, &format!("{} × {cause}", units::count(count)));
        if let Some(example) = example {
            page.say(
                PLAIN,
                DEEPER,
                &format!("the first: {}", example.escape_debug()),
            );
        }
        page.say(PLAIN, DEEPER, &format!("→ {advice}"));
    }
}
