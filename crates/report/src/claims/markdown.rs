use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

use super::{ClaimRow, Claims, Evidence, Source, Standing, summary};
use crate::words;

const MADE: &str =
    "<!-- made by `weir claims --markdown`: run it again instead of changing this -->";

const SIGNED: &str = "<!-- written by weir claims --markdown · sha256 of the text above: ";

const PREFACE: &str = "\
Each row is a statement of a field report, a plan that measures it, and what became of it. What can be compared with
a report is a ratio between two stacks that were measured side by side; its own figures are from its author's machine.
A verdict is computed from stored facts: a claim holds if the whole 95 % interval of each of its conditions does,
does not hold if one of them is missed by its whole interval, and else cannot be told. That a claim does not hold on
today's software is a result, not a failure.";

/// Claims as a document: what it was measured on, a short table, and each claim in detail. Its last
/// line is the digest of all above, by which an edit is seen.
pub fn markdown(claims: &Claims) -> String {
    let mut lines = vec![
        "# What became of the claims".to_owned(),
        String::new(),
        MADE.to_owned(),
        String::new(),
        PREFACE.to_owned(),
        String::new(),
    ];
    let conditions = claims.conditions();
    if conditions.is_empty() {
        lines.push("* None of them has been measured here yet.".to_owned());
    }
    lines.extend(
        conditions
            .iter()
            .map(|(name, text)| format!("* {name}: {}", escaped(text))),
    );
    lines.push(format!("* Verdicts: {}", summary(&claims.rows)));
    lines.extend(table(&claims.rows));
    for (source, rows) in claims.by_report() {
        lines.extend(heading(&source));
        for row in rows {
            lines.extend(detail(row, claims));
        }
    }
    lines.extend(software(claims));
    signed(lines.join("\n") + "\n\n")
}

fn signed(mut text: String) -> String {
    let mut digest = String::new();
    for byte in Sha256::digest(&text) {
        let _ = write!(digest, "{byte:02x}"); // a String takes everything
    }
    text.extend([SIGNED, &digest, " -->\n"]);
    text
}

/// Text between marks that Markdown would take for its own.
fn escaped(text: &str) -> String {
    text.replace('<', "&lt;")
        .replace('|', "\\|")
        .replace('\n', " ")
}

fn table(rows: &[ClaimRow]) -> Vec<String> {
    let mut lines = vec![
        String::new(),
        "| | claim | verdict |".to_owned(),
        "|---|---|---|".to_owned(),
    ];
    let link = |id: &str| format!("[{id}](#{})", id.to_lowercase());
    lines.extend(rows.iter().map(|row| {
        format!(
            "| {} | {} | {} |",
            link(&row.id),
            escaped(&row.text),
            row.verdict()
        )
    }));
    lines
}

fn heading(source: &Source) -> Vec<String> {
    let title = match source.title.as_str() {
        "" => format!("## Claims {}", source.id),
        title => format!("## Report {}, \"{}\"", source.id, escaped(title)),
    };
    let mut lines = vec![String::new(), title];
    if !source.about.is_empty() {
        lines.extend([String::new(), escaped(&source.about)]);
    }
    lines
}

fn detail(row: &ClaimRow, claims: &Claims) -> Vec<String> {
    let mut lines = vec![
        String::new(),
        format!("### {}", row.id),
        String::new(),
        escaped(&row.text),
        String::new(),
        format!("* The report: {}", escaped(&row.reported)),
    ];
    if let Standing::Judged { verdict, .. } = &row.standing {
        lines.extend(verdict.conditions.iter().map(|of| {
            let (text, measured) = (escaped(&of.text), words::measured(of));
            format!("* Here: **{measured}**; {text}: {}", words::holds(of.holds))
        }));
    }
    lines.push(format!("* Verdict: **{}**", row.verdict()));
    lines.extend(
        row.because()
            .iter()
            .map(|why| format!("* {}", escaped(why))),
    );
    lines.extend(
        row.changed()
            .map(|since| format!("* Since then: {}", escaped(since))),
    );
    let evidence = row
        .run()
        .and_then(|run| claims.evidence.iter().find(|of| of.run == run));
    lines.extend(evidence.into_iter().flat_map(decided_by));
    lines
}

fn decided_by(of: &Evidence) -> Vec<String> {
    let (began, blocks) = (words::moment(of.started), escaped(&of.blocks));
    let run = format!(
        "* Run {} of plan `{}`, begun {began} UTC; {blocks}",
        of.run, of.plan
    );
    let noise = of.noise.iter();
    let noise = noise.map(|noise| format!("* Noise floor: {}", escaped(noise)));
    std::iter::once(run).chain(noise).collect()
}

fn software(claims: &Claims) -> Vec<String> {
    let versions = claims.versions();
    if versions.is_empty() {
        return Vec::new();
    }
    let head = [
        "",
        "## What took part",
        "",
        "| program | version |",
        "|---|---|",
    ];
    let rows = versions
        .iter()
        .map(|(entry, version)| format!("| {} | {} |", escaped(entry), escaped(version)));
    head.into_iter().map(str::to_owned).chain(rows).collect()
}
