mod failures;
mod latency;
mod tables;

use judge::{Crossed, Doubt};
use record::LoadFacts;

use super::paragraph::{FLUSH, INSIDE, Page};
use super::style::{BAD, DIM, GOOD, PLAIN, STRONG};
use super::table::{Cell, Column, Table};
use crate::load::Loaded;
use crate::view;
use crate::{units, words};

/// What is said of a threshold that is about figures which do not count.
const UNTRUSTED: &str = ", but figures that cannot be trusted decide nothing";

/// One load: what it was, throughput, the accounting identity, what the engine itself cost, times,
/// names, checks, the slowest, errors with their causes, and doubts.
pub(super) fn load(page: &mut Page, load: &LoadFacts, doubts: &[Doubt]) {
    page.say(DIM, FLUSH, &words::applied(load));
    page.lines(&facts(load).fit(page.width()).0);
    if !load.response.is_empty() {
        page.space();
        latency::latency(page, load);
    }
    tables::segments(page, load);
    tables::named(page, load);
    tables::checks(page, load);
    tables::slowest(page, load);
    failures::failures(page, load);
    let doubts: Vec<_> = doubts.iter().map(view::Doubt::of_one_load).collect();
    super::doubts::doubts(page, &doubts);
}

/// What came out of the thresholds, one line each; of several loads with the load's name.
pub(super) fn thresholds(page: &mut Page, loads: &[Loaded]) {
    let all = loads
        .iter()
        .flat_map(|of| of.thresholds.iter().map(move |result| (of, result)));
    let all: Vec<_> = all.collect();
    if all.is_empty() {
        return;
    }
    page.space();
    page.say(STRONG, FLUSH, "Thresholds");
    for (of, result) in all {
        let (style, sign, doubted) = match result.crossed {
            Crossed::No if result.counts => (GOOD, "✓", ""),
            Crossed::No => (PLAIN, "?", UNTRUSTED),
            Crossed::Yes | Crossed::CannotTell if result.counts => (BAD, "✗", ""),
            Crossed::Yes | Crossed::CannotTell => (BAD, "✗", UNTRUSTED),
        };
        let at = match loads {
            [_] => String::new(),
            _ => format!(" at {}", of.variant),
        };
        let outcome = words::crossed(result.crossed);
        let line = format!(
            "{sign} `{}{at}`: {outcome}, {}{doubted}",
            result.text, result.because
        );
        page.say(style, INSIDE, &line);
    }
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
    if let Some(warm_up) = words::warm_up(load) {
        fact("warm-up", warm_up, PLAIN);
    }
    fact(
        "window",
        format!(
            "{}, {} used",
            units::duration(load.seconds),
            words::counted(load.connects, "connection")
        ),
        PLAIN,
    );
    fact("accounted", words::accounting(load), PLAIN);
    if let Some(retries) = words::retries(load) {
        fact("retries", retries, PLAIN);
    }
    if let Some(again) = words::sent_again(load) {
        fact("sent again", again, PLAIN);
    }
    if let Some(asleep) = words::asleep(load) {
        fact("asleep", asleep, PLAIN);
    }
    if !load.statuses.is_empty() {
        let statuses: Vec<_> = load
            .statuses
            .iter()
            .map(|(status, count)| format!("{status} × {}", units::count(*count)))
            .collect();
        fact("statuses", statuses.join(", "), PLAIN);
    }
    if let Some(lengths) = words::lengths(load) {
        fact("bodies", lengths, PLAIN);
    }
    fact("engine", words::engine(load), PLAIN);
    for line in load.crowd.iter().flat_map(words::crowd) {
        fact("beside", line, PLAIN);
    }
    table
}
