use super::{Explained, Loaded};
use crate::marks::{code, plain};
use crate::view::Load;
use crate::{units, words};

/// A table for a page or a pull request.
pub(super) fn markdown(of: &Loaded) -> String {
    let (load, view) = (of.load, Load::new(of));
    let errors = load.error_share().unwrap_or(0.0);
    let offered = load
        .offered
        .map_or(units::NOTHING.to_owned(), units::number);
    let mut lines = vec![format!(
        "**{}** {}: {}, {}\n",
        view.verdict,
        code(of.url),
        words::applied(load),
        units::duration(load.seconds)
    )];
    lines.extend(view.cut.as_ref().map(|cut| format!("**{cut}**\n")));
    let times = &view.heads[1..];
    lines.extend(head(&["req/s", "offered", "errors"], &["time"], times));
    let first = format!(
        "{} | {offered} | {}",
        units::number(load.throughput()),
        units::percent(errors)
    );
    let (response, others): (Vec<_>, Vec<_>) =
        view.times.iter().partition(|row| row[0] == "response");
    lines.extend(
        response
            .iter()
            .map(|row| format!("| {first} | {} |", row.join(" | "))),
    );
    lines.extend(
        others
            .iter()
            .map(|row| format!("| | | | {} |", row.join(" | "))),
    );
    lines.extend(tables(&view, times));
    lines.push(format!(
        "\n{}. {}.",
        words::accounting(load),
        words::engine(load)
    ));
    lines.extend(words::retries(load).map(|retries| format!("\nRetries: {retries}.")));
    lines.extend(words::lengths(load).map(|lengths| format!("\nBodies: {lengths}.")));
    lines.extend(words::sent_again(load).map(|again| format!("\nSent again: {again}.")));
    lines.extend(words::asleep(load).map(|asleep| format!("\nAsleep: {asleep}.")));
    if !of.thresholds.is_empty() || !of.doubts.is_empty() {
        lines.push(String::new());
    }
    let thresholds = view.thresholds.iter();
    lines.extend(
        thresholds
            .map(|(text, outcome, because)| format!("* threshold `{text}`: {outcome}, {because}")),
    );
    let doubts = of.doubts.iter();
    lines.extend(doubts.map(|doubt| format!("* doubt: {}", doubt.because)));
    lines.extend(of.explained.iter().flat_map(explained));
    lines.join("\n") + "\n"
}

/// Stretches of a rate that changes, and requests by name; each in a table where there are any.
fn tables(view: &Load, times: &[&str]) -> Vec<String> {
    let mut lines = Vec::new();
    if !view.segments.is_empty() {
        let [when, figures @ ..] = &view.segment_heads;
        lines.push(String::new());
        lines.extend(head(&[], &[*when], figures));
        lines.extend(
            view.segments
                .iter()
                .map(|row| format!("| {} |", row.join(" | "))),
        );
    }
    if !view.named.is_empty() {
        lines.push(String::new());
        let figures = [&["requests", "errors"], times].concat();
        lines.extend(head(&[], &["name"], &figures));
        let rows = view.named.iter().map(|row| {
            let [name, figures @ ..] = row.as_slice() else {
                return String::new();
            };
            format!("| {} | {} |", plain(name), figures.join(" | "))
        });
        lines.extend(rows);
    }
    lines
}

/// The two lines above a table: columns of figures, of text, of figures again.
fn head(before: &[&str], text: &[&str], after: &[&str]) -> [String; 2] {
    let names = [before, text, after].concat();
    let sides = [before.len(), text.len(), after.len()];
    let rules = ["---:|", "---|", "---:|"].into_iter().zip(sides);
    let rules: String = rules.map(|(rule, columns)| rule.repeat(columns)).collect();
    [format!("| {} |", names.join(" | ")), format!("|{rules}")]
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
