use judge::{Crossed, Doubt, Figure, Gate};
use record::{Distribution, LoadFacts};

use super::paragraph::{DEEPER, FLUSH, INSIDE, Page};
use super::style::{BAD, DIM, GOOD, PLAIN, STRONG};
use super::table::{Cell, Column, Table};
use crate::words::DoubtWords;
use crate::{units, words};

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

/// What came out of the thresholds, one line each.
pub fn gates(gates: &[Gate], width: usize) -> String {
    let mut page = Page::new(width);
    if gates.is_empty() {
        return page.into_text();
    }
    page.space();
    page.say(STRONG, FLUSH, "Thresholds");
    for gate in gates {
        let (style, sign) = match gate.crossed {
            Crossed::No => (GOOD, "✓"),
            Crossed::Yes | Crossed::CannotTell => (BAD, "✗"),
        };
        let outcome = words::crossed(gate.crossed);
        let line = format!("{sign} `{}`: {outcome}, {}", gate.text, gate.because);
        page.say(style, INSIDE, &line);
    }
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
    let shown = shown(load);
    let mut columns = vec![Column::left("latency"), Column::right("mean")];
    columns.extend(shown.iter().map(|(name, _)| Column::right(name)));
    columns.push(Column::right("max"));
    columns.push(Column::left("").rank(0));
    let mut table = Table::new(columns);
    for (name, times, from) in times(load) {
        if times.is_empty() {
            continue;
        }
        let response = name == "response";
        let style = if response { STRONG } else { PLAIN };
        let figures = shown.iter().map(|&(_, q)| judge::quantile(times, q));
        let figures: Vec<_> = figures.collect();
        let mut cells = vec![Cell::styled(name, style), time(times.mean(), style)];
        cells.extend(
            figures
                .iter()
                .map(|figure| time(figure.map(|of| of.value), style)),
        );
        cells.push(time(times.max(), style));
        cells.push(Cell::styled(from, DIM));
        table.row(cells);
        if response && figures.iter().flatten().any(|of| of.interval.is_some()) {
            table.row(uncertainties(&figures));
        }
    }
    page.lines(&table.fit(page.width()).0);
    for note in notes(load) {
        page.say(DIM, INSIDE, &note);
    }
}

/// The usual four, and the fifth where there are answers enough.
fn shown(load: &LoadFacts) -> Vec<(&'static str, f64)> {
    let answers = load.response.count();
    judge::QUANTILES
        .into_iter()
        .filter(|&(_, q)| q < 0.9995 || judge::enough(q, answers))
        .collect()
}

/// How far the quantiles above may be off.
fn uncertainties(figures: &[Option<Figure>]) -> Vec<Cell> {
    let share = |figure: &Option<Figure>| {
        let share = figure.as_ref().and_then(units::uncertainty);
        Cell::styled(share.unwrap_or_default(), DIM)
    };
    let mut cells = vec![Cell::new(""), Cell::new("")];
    cells.extend(figures.iter().map(share));
    cells.push(Cell::new(""));
    cells.push(Cell::styled("95 % interval of the quantiles", DIM));
    cells
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

fn notes(load: &LoadFacts) -> Vec<String> {
    let answers = load.response.count();
    let mut notes: Vec<String> = shown(load)
        .into_iter()
        .filter(|&(_, q)| answers > 0 && !judge::enough(q, answers))
        .map(|(name, q)| {
            let reason = words::too_few_for(name, q, answers);
            format!("{} {reason}", units::NOTHING)
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
