//! What is said of an app that is compared with another version of itself.

use judge::{Comparison, Judged, Revised, Verdict};
use record::Run;

use super::compared::{more_blocks, times_the};
use super::counted;
use super::undecided::{is_cut, remedies};

/// Where no number of blocks would do.
const HARDLY: &str = "more blocks would hardly tell: the difference lies within the noise floor, or one end of a figure \
                      is not known";
/// Where too few trials count.
const DOUBTED: &str = "the doubts say why trials do not count, and what to do about it";

/// What is served, with its commit where that is known: `` `after` at v2-1-g4b1c9d2 ``.
pub(crate) fn served(name: &str, commit: Option<&str>) -> String {
    match commit {
        Some(commit) => format!("`{name}` at {commit}"),
        None => format!("`{name}`"),
    }
}

/// Whether a version is slower than the other, without a full stop: `` `after` is slower than `before` ``.
pub(crate) fn became(of: &Revised) -> String {
    let version = served(&of.variant, of.commit.as_deref());
    let over = served(&of.over, of.over_commit.as_deref());
    match of.main().map(|found| found.verdict) {
        Some(Verdict::Better) => format!("{version} is faster than {over}"),
        Some(Verdict::Worse) => format!("{version} is slower than {over}"),
        Some(Verdict::Same) => format!("{version} is as fast as {over}"),
        Some(Verdict::CannotTell) => {
            format!("It cannot be told whether {version} is slower or faster than {over}")
        }
        None => {
            let why = of.failure.as_deref().unwrap_or_default();
            format!("{version} and {over} could not be compared: {why}")
        }
    }
}

/// Each version in a sentence, with the ratio that it rests on.
pub(super) fn headline(all: &[Revised]) -> String {
    let told = all.iter().map(|of| {
        let ratio = of.main().map(|found| format!(": {}", times_the(found)));
        format!("{}{}.", became(of), ratio.unwrap_or_default())
    });
    told.collect::<Vec<_>>().join(" ")
}

/// What to run where something of a version cannot be told.
pub(crate) fn to_tell(of: &Revised, run: &Run, judged: &Judged) -> Vec<String> {
    let unsure = |found: &&Comparison| found.verdict == Verdict::CannotTell;
    let main = of.main();
    if main.is_some_and(|found| !unsure(&found)) {
        let first = of.comparisons.iter().find(unsure);
        let more = first.map(|found| more_blocks(found, run));
        return more.into_iter().collect();
    }
    let mut lines = remedies(run, judged);
    let wanted = of.wanted;
    if let Some(blocks) = wanted.filter(|most| !is_cut(run) || *most > run.plan.blocks) {
        let told = counted(u64::from(blocks), "block");
        lines.push(format!(
            "about {told} would most likely tell: run it again with `--blocks {blocks}`"
        ));
    } else if lines.is_empty() {
        let measured = main.is_some_and(|found| found.interval.is_some());
        lines.push(if measured { HARDLY } else { DOUBTED }.to_owned());
    }
    lines
}
