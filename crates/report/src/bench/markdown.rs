use record::{Distribution, LoadFacts};

use super::{Bench, Explained, verdict};
use crate::{units, words};

/// A table for a page or a pull request.
pub fn markdown(bench: &Bench) -> String {
    let load = bench.load;
    let errors = (load.failures() + load.timed_out) as f64 / (load.scheduled.max(1)) as f64;
    let offered = load
        .offered
        .map_or(units::NOTHING.to_owned(), units::number);
    let mut lines = vec![format!(
        "**{}** `{}`: {}, {}\n",
        verdict(bench.doubts),
        bench.url.replace('`', "'"),
        words::applied(load),
        units::duration(load.seconds)
    )];
    lines.extend(bench.cut().map(|cut| format!("**{cut}**\n")));
    lines.extend([
        format!(
            "| req/s | offered | errors | time | mean |{} max |",
            judge::QUANTILES
                .map(|(name, _)| format!(" {name} |"))
                .concat()
        ),
        format!(
            "|---:|---:|---:|---|{}",
            "---:|".repeat(judge::QUANTILES.len() + 2)
        ),
        format!(
            "| {} | {offered} | {} | response |{}",
            units::number(load.throughput()),
            units::percent(errors),
            times(&load.response)
        ),
    ]);
    let others = words::timed(load).into_iter();
    lines.extend(
        others
            .filter(|timed| timed.name != "response")
            .map(|timed| format!("| | | | {} |{}", timed.name, times(timed.times))),
    );
    lines.extend(segments(load));
    lines.extend(named(load));
    lines.push(format!(
        "\n{}. {}.",
        words::accounting(load),
        words::engine(load)
    ));
    lines.extend(words::retries(load).map(|retries| format!("\nRetries: {retries}.")));
    lines.extend(words::sent_again(load).map(|again| format!("\nSent again: {again}.")));
    if !bench.thresholds.is_empty() || !bench.doubts.is_empty() {
        lines.push(String::new());
    }
    lines.extend(bench.thresholds.iter().map(|result| {
        let outcome = words::crossed(result.crossed);
        format!(
            "* threshold `{}`: {outcome}, {}",
            result.text, result.because
        )
    }));
    let doubts = bench.doubts.iter();
    lines.extend(doubts.map(|doubt| format!("* doubt: {}", doubt.because)));
    lines.extend(bench.explained.into_iter().flat_map(explained));
    lines.join("\n") + "\n"
}

fn explained(of: &Explained) -> Vec<String> {
    let mut lines = vec!["\nHow it was computed:\n".to_owned()];
    let figures = of.figures.iter();
    lines.extend(figures.map(|of| format!("* {}: {}", of.figure, of.formula)));
    lines.push("\nWhat it was held to:\n".to_owned());
    let rules = of.held_to.iter();
    lines.extend(rules.map(|held| {
        let outcome = words::outcome(held.outcome);
        format!("* {}: {outcome}: {}", held.rule, held.seen)
    }));
    lines
}

/// A table of the stretches of a rate that changes.
fn segments(load: &LoadFacts) -> Vec<String> {
    let rows = words::segments(load);
    if rows.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![
        format!("\n| {} |", words::LEG_COLUMNS.join(" | ")),
        "|---|---:|---:|---:|---:|---:|---:|---:|".to_owned(),
    ];
    lines.extend(
        rows.iter()
            .map(|row| format!("| {} |", row.cells().join(" | "))),
    );
    lines
}

/// A table of the names, when requests have names.
fn named(load: &LoadFacts) -> Vec<String> {
    let rows = words::named(&load.named);
    if rows.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![
        format!(
            "\n| name | requests | errors | mean |{} max |",
            judge::QUANTILES
                .map(|(name, _)| format!(" {name} |"))
                .concat()
        ),
        format!(
            "|---|---:|---:|{}",
            "---:|".repeat(judge::QUANTILES.len() + 2)
        ),
    ];
    lines.extend(rows.iter().map(|row| {
        format!(
            "| {} | {} | {} |{}",
            row.name.replace('|', "\\|"),
            units::count(row.requests),
            units::count(row.failed),
            times(&row.response)
        )
    }));
    lines
}

/// ` mean | p50 ±x % | … | max |`
fn times(times: &Distribution) -> String {
    let or_nothing =
        |seconds: Option<f64>| seconds.map_or(units::NOTHING.to_owned(), units::duration);
    let quantile = |q| match judge::quantile(times, q) {
        None => units::NOTHING.to_owned(),
        Some(figure) => {
            let around = units::uncertainty(&figure).map_or(String::new(), |of| format!(" {of}"));
            units::duration(figure.value) + &around
        }
    };
    let mut cells = vec![or_nothing(times.mean())];
    cells.extend(judge::QUANTILES.map(|(_, q)| quantile(q)));
    cells.push(or_nothing(times.max()));
    format!(" {} |", cells.join(" | "))
}
