use judge::{Comparison, Verdict};
use record::Run;
use serde::Serialize;

use super::paragraph::{FLUSH, Page};
use super::style::{BAD, DIM, GOOD, PLAIN, STRONG, of_verdict};
use super::table::{Cell, Column, Table};
use crate::{units, words};

/// A program that weir can use, found or not.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Program {
    /// Its name.
    pub name: String,
    /// What it is for (`app server`, `front end`, `tool`).
    pub kind: String,
    /// The version it reports; `None` when it is not installed.
    pub version: Option<String>,
    /// The command that installs it.
    pub install: Option<String>,
}

/// A run in a list.
#[derive(Clone, Debug)]
pub struct ListedRun {
    /// The run.
    pub run: Run,
    /// The folder of its app, or its URL.
    pub app: String,
    /// Trials that are stored of it.
    pub trials: u64,
    /// The fastest way, or those that lead together; nothing where nobody looked.
    pub fastest: Option<String>,
}

/// The runs of a store.
pub fn runs(runs: &[ListedRun], width: usize) -> String {
    if runs.is_empty() {
        return "No runs yet. `weir try module:app` in your app's folder makes the first.\n"
            .to_owned();
    }
    let mut table = Table::new(vec![
        Column::right("run"),
        Column::left("begun (UTC)"),
        Column::left("plan"),
        Column::right("trials").rank(0),
        Column::left("status"),
        Column::left("fastest").rank(1),
        Column::wrapping("app, title"),
    ]);
    for of in runs {
        let run = &of.run;
        let (app, title) = (of.app.as_str(), run.plan.title.as_str());
        let about = if app.is_empty() || title.contains(app) {
            title.to_owned()
        } else {
            format!("{app}: {title}")
        };
        table.row(vec![
            Cell::styled(run.id.to_string(), STRONG),
            Cell::new(words::moment(run.started)),
            Cell::new(&run.plan.name),
            Cell::new(units::count(of.trials)),
            Cell::new(words::status(run.status)),
            Cell::new(of.fastest.as_deref().unwrap_or_default()),
            Cell::styled(about, DIM),
        ]);
    }
    table.fit(width).0
}

/// Comparisons, grouped by what is compared.
pub fn compare(comparisons: &[Comparison], width: usize) -> String {
    if comparisons.is_empty() {
        return "Nothing to compare: the two sides have no variant with a figure in common.\n"
            .to_owned();
    }
    let mut page = Page::new(width);
    for (index, group) in comparisons.chunk_by(same_sides).enumerate() {
        if index > 0 {
            page.space();
        }
        let (first, pairs) = (&group[0], words::pairs(&group[0]));
        let head = format!("`{}` against `{}` ({pairs})", first.of, first.over);
        page.say(STRONG, FLUSH, &head);
        let mut table = Table::new(vec![Column::left(""), Column::left(""), Column::left("")]);
        for of in group {
            table.row(vec![
                Cell::new(of.metric.row().noun),
                Cell::new(units::ratio_within(of.ratio, of.interval)),
                Cell::styled(verdict(of), of_verdict(of.verdict)),
            ]);
        }
        page.lines(&table.fit(width).0);
    }
    page.into_text()
}

/// What is said of a comparison; of one whose interval excludes 1 and that tells nothing, why.
fn verdict(of: &Comparison) -> String {
    let words = words::verdict(of.verdict);
    let sure = |(low, high): (f64, f64)| low > 1.0 || high < 1.0;
    if of.verdict == Verdict::CannotTell && of.interval.is_some_and(sure) {
        return format!("{words}: within the noise floor, as far apart as equal things were");
    }
    words.to_owned()
}

fn same_sides(a: &Comparison, b: &Comparison) -> bool {
    (&a.of, &a.over) == (&b.of, &b.over)
}

/// What is installed, the commands that install the rest, one for each installer, and what there is to say of the machine.
pub fn doctor(programs: &[Program], commands: &[String], machine: &str, width: usize) -> String {
    let columns = vec![
        Column::left("program"),
        Column::left("for"),
        Column::wrapping("version"),
    ];
    let mut table = Table::new(columns);
    for program in programs {
        let version = match &program.version {
            Some(version) => Cell::styled(version, GOOD),
            None => Cell::styled("missing", BAD),
        };
        table.row(vec![
            Cell::styled(&program.name, STRONG),
            Cell::new(&program.kind),
            version,
        ]);
    }
    let mut page = Page::new(width);
    page.lines(&table.fit(width).0);
    if !commands.is_empty() {
        page.space();
        page.say(STRONG, FLUSH, "To install what is missing");
        for command in commands {
            page.verbatim(&format!("  {command}"));
        }
    }
    if !machine.is_empty() {
        page.space();
        page.say(PLAIN, FLUSH, machine);
    }
    page.into_text()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_noise_floor_decides_is_said_so() {
        let of = |interval, verdict| Comparison {
            metric: record::Metric::P90,
            of: "one".to_owned(),
            over: "two".to_owned(),
            ratio: 0.462,
            interval,
            pairs: 4,
            paired: true,
            verdict,
        };
        let beyond = compare(&[of(Some((0.249, 0.86)), Verdict::CannotTell)], 200);
        assert!(
            beyond.contains("cannot tell: within the noise floor"),
            "{beyond}"
        );
        let around = compare(&[of(Some((0.249, 1.86)), Verdict::CannotTell)], 200);
        assert!(!around.contains("noise floor"), "{around}");
    }
}
