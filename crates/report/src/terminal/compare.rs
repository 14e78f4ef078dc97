use judge::{Comparison, Verdict};
use record::Run;
use serde::Serialize;

use super::paragraph::{FLUSH, Page};
use super::style::{DIM, PLAIN, STRONG, of_verdict};
use super::table::{Cell, Column, Table};
use crate::words;

/// Two variants, one metric, and what is known of both.
#[derive(Clone, Copy, Debug, JsonSchema, Serialize)]
pub struct Compared<'a> {
    /// How they compare.
    #[serde(flatten)]
    pub comparison: &'a Comparison,
    /// The commit of what the variant above the line serves, as `git describe` has it; absent where it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of_commit: Option<&'a str>,
    /// The commit of the one below the line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub over_commit: Option<&'a str>,
    /// What else differs between the two runs, the same in each comparison: reasons to read the ratios with care.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub differences: &'a [String],
}

impl<'a> From<&'a Comparison> for Compared<'a> {
    /// A comparison of which nothing else is known.
    fn from(comparison: &'a Comparison) -> Self {
        Self {
            comparison,
            of_commit: None,
            over_commit: None,
            differences: &[],
        }
    }
}

/// Comparisons, grouped by what is compared; what to run where something cannot be told. Of variants of two `runs`, the one
/// above the line first, it is said which run is which; pairs of commands are of none.
pub fn compare(all: &[Compared], runs: Option<[&Run; 2]>, width: usize) -> String {
    if all.is_empty() {
        return "Nothing to compare: the two sides have no variant with a figure in common.\n"
            .to_owned();
    }
    let mut page = Page::new(width);
    let two = runs.filter(|[of, over]| of.id != over.id);
    let head = two.map(|[of, over]| {
        let told = |run: &Run| format!("run {} of {} UTC", run.id, words::moment(run.started));
        page.say(PLAIN, FLUSH, &format!("{} over {}", told(of), told(over)));
        page.space();
        format!("run {} / run {}", of.id, over.id)
    });
    let head = head.unwrap_or_else(|| "ratio".to_owned());
    let table = |group: &[Compared], short| table(group, &head, short);
    let called = runs.map_or("pair", |_| "block");
    let fits = |group: &[Compared]| table(group, false).natural_width() <= width;
    let short = !all.chunk_by(same_sides).all(fits);
    for (index, group) in all.chunk_by(same_sides).enumerate() {
        if index > 0 {
            page.space();
        }
        let first = &group[0];
        // what both serve distinguishes neither
        let commits = [first.of_commit, first.over_commit];
        let [of, over] = if commits[0] == commits[1] {
            [None, None]
        } else {
            commits
        };
        let of = words::served(&first.comparison.of, of);
        let over = words::served(&first.comparison.over, over);
        let pairs = words::pairs(first.comparison, called);
        let pair = format!("{of} against {over} ({pairs})");
        page.say(STRONG, FLUSH, &pair);
        page.lines(&table(group, short).fit(width).0);
    }
    next(&mut page, all, runs);
    page.into_text()
}

/// What to run where there is no verdict or it tells nothing, and what no verdict knows.
fn next(page: &mut Page, all: &[Compared], runs: Option<[&Run; 2]>) {
    let more = |of: &Comparison| match runs {
        Some([run, _]) => words::more_blocks(of, run),
        None => words::more(of, "pairs"),
    };
    let few = |of: &&Comparison| of.interval.is_none() && of.pairs < of.fewest();
    let open = |of: &&Comparison| of.paired && of.verdict == Verdict::CannotTell && !of.one_ended;
    let mut comparisons = all.iter().map(|of| of.comparison);
    if let Some(signs) = words::signs("ratio", comparisons.clone().map(|of| of.elsewhere)) {
        page.say(DIM, FLUSH, &format!("{signs}."));
    }
    if let Some(first) = comparisons.clone().find(few) {
        page.say(DIM, FLUSH, &format!("No verdict: {}.", more(first)));
    } else if let Some(first) = nearest(comparisons.clone().filter(open)) {
        page.say(DIM, FLUSH, &format!("Cannot tell: {}.", more(first)));
    }
    if comparisons.any(|of| !of.paired) {
        let why = words::not_in_turn("runs");
        let turns = words::IN_TURN;
        page.say(DIM, FLUSH, &format!("With care: {why}; {turns}."));
    }
}

/// The comparison that takes the fewest pairs more, as far as that is known of one.
fn nearest<'a>(open: impl Iterator<Item = &'a Comparison>) -> Option<&'a Comparison> {
    open.min_by_key(|of| of.wanted.map_or(u32::MAX, |wanted| wanted - of.pairs))
}

/// The metrics of one pair, with what stands above the ratios; in short by their names in plans. Without an interval there is no
/// verdict.
fn table(group: &[Compared], head: &str, short: bool) -> Table {
    let judged = group.iter().any(|of| of.comparison.interval.is_some());
    let mut columns = vec![Column::left("metric"), Column::left(head)];
    columns.extend(judged.then(|| Column::wrapping("verdict")));
    let mut table = Table::new(columns);
    for of in group.iter().map(|of| of.comparison) {
        let name = if short {
            of.metric.name()
        } else {
            of.metric.row().noun
        };
        let mut cells = vec![Cell::new(name), Cell::new(words::ratio(of))];
        let verdict = || Cell::styled(words::compared(of), of_verdict(of.verdict));
        cells.extend(judged.then(verdict));
        table.row(cells);
    }
    table
}

fn same_sides(a: &Compared, b: &Compared) -> bool {
    let (a, b) = (a.comparison, b.comparison);
    (&a.of, &a.over) == (&b.of, &b.over)
}

#[cfg(test)]
mod tests {
    use record::{Host, Plan, RunStatus};

    use super::*;

    fn throughput(paired: bool, verdict: Verdict) -> Comparison {
        Comparison {
            metric: record::Metric::Throughput,
            of: "2:one".to_owned(),
            over: "1:one".to_owned(),
            ratio: 1.4,
            interval: Some((1.2, 1.6)),
            pairs: 6,
            paired,
            one_ended: false,
            elsewhere: None,
            wanted: (verdict == Verdict::CannotTell).then_some(31),
            verdict,
        }
    }

    fn run(status: RunStatus) -> Run {
        Run {
            id: 2,
            started: jiff::Timestamp::UNIX_EPOCH,
            plan: Plan::default(),
            host: Host::default(),
            weir: String::new(),
            status,
            cut: None,
        }
    }

    fn told(comparison: &Comparison, of_commit: Option<&str>, over_commit: Option<&str>) -> String {
        let compared = Compared {
            comparison,
            of_commit,
            over_commit,
            differences: &[],
        };
        let run = run(RunStatus::Finished);
        let text = compare(&[compared], Some([&run, &run]), 200);
        anstream::adapter::strip_str(&text).to_string()
    }

    #[test]
    fn runs_that_did_not_take_turns_are_said_so() {
        let apart = told(&throughput(false, Verdict::Better), None, None);
        assert!(apart.contains("the two runs did not take turns"), "{apart}");
        let together = told(&throughput(true, Verdict::Better), None, None);
        assert!(!together.contains("turn"), "{together}");
        assert!(!together.contains("Cannot tell: "), "{together}");
    }

    #[test]
    fn what_cannot_be_told_says_what_to_run() {
        let open = told(&throughput(true, Verdict::CannotTell), None, None);
        assert!(open.contains("Cannot tell: about 31 blocks "), "{open}");
        let open = throughput(true, Verdict::CannotTell);
        let compared = [Compared::from(&open)];
        let pairs = compare(&compared, None, 200);
        assert!(pairs.contains("with `--pairs 31`"), "{pairs}");
        assert!(pairs.contains("(6 pairs, interleaved)"), "{pairs}");
        // of several the one that takes least
        let hardly = Comparison {
            wanted: None,
            ..open.clone()
        };
        let both = compare(&[Compared::from(&hardly), Compared::from(&open)], None, 200);
        assert!(both.contains("Cannot tell: about 31 pairs "), "{both}");
        // one that was not carried out to its end takes its own blocks, and no others
        let stopped = run(RunStatus::Stopped);
        let rest = compare(&compared, Some([&stopped, &stopped]), 200);
        assert!(rest.contains("`weir run --resume 2` runs"), "{rest}");
        assert!(!rest.contains("--blocks"), "{rest}");
    }

    #[test]
    fn one_block_has_no_verdict_and_says_how_to_get_one() {
        // what did not take turns takes more blocks for an interval
        for (paired, pairs, needed) in [(true, 1, 3), (false, 1, 6), (false, 5, 6)] {
            let alone = Comparison {
                interval: None,
                pairs,
                ..throughput(paired, Verdict::CannotTell)
            };
            let text = told(&alone, None, None);
            let rows: Vec<&str> = text.lines().collect();
            let heads: Vec<&str> = rows[1].split_whitespace().collect();
            assert_eq!(heads, ["metric", "ratio"], "{text}");
            let words = format!(
                "No verdict: an interval needs {needed} blocks, and not {pairs}: run it again with `--blocks 12`, and a \
                 `--budget` that has time for them."
            );
            let said: Vec<&str> = text.split_whitespace().collect();
            assert!(said.join(" ").contains(&words), "{text}");
            assert!(!text.to_lowercase().contains("cannot tell"), "{text}");
        }
    }

    #[test]
    fn each_column_has_a_heading() {
        let text = told(&throughput(true, Verdict::Better), None, None);
        let rows: Vec<&str> = text.lines().collect();
        let heads: Vec<&str> = rows[1].split_whitespace().collect();
        assert_eq!(heads, ["metric", "ratio", "verdict"], "{text}");
    }

    #[test]
    fn each_side_is_told_with_its_commit_where_they_differ() {
        let of = throughput(true, Verdict::Better);
        let both = told(&of, Some("v2-1-g4b1c9d2"), Some("v2"));
        let head = "`2:one` at v2-1-g4b1c9d2 against `1:one` at v2 (6 blocks, interleaved)\n";
        assert!(both.starts_with(head), "{both}");
        let one = told(&of, None, Some("v2"));
        assert!(one.starts_with("`2:one` against `1:one` at v2 ("), "{one}");
        let same = told(&of, Some("v2"), Some("v2"));
        assert!(same.starts_with("`2:one` against `1:one` ("), "{same}");
    }
}
