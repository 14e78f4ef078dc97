//! What is said of two things that were compared, in a table: one place for the words of every table.

use judge::{Apart, Comparison, MOST_BLOCKS, NEGLIGIBLE, Verdict};
use record::Run;

use super::sign::ratio;
use super::undecided::rest;
use super::verdict;
use crate::units;

/// What compares two runs by a verdict that knows what changes on the machine.
pub(crate) const IN_TURN: &str = "a plan with a `[[variant]]` for each compares them in turn";

/// As many pairs at least are advised where those that there are give no interval.
const ENOUGH: u32 = 12;

/// Of two variants, or of two runs: the verdict; where it tells nothing and a narrower interval would not either, why.
pub(crate) fn compared(of: &Comparison) -> String {
    let words = verdict(of.verdict);
    if of.one_ended {
        return format!("{words}: one end of a figure is not known");
    }
    if of.verdict != Verdict::CannotTell || !excludes_1(of.interval) {
        return words.to_owned();
    }
    if of.ratio.ln().abs() <= NEGLIGIBLE.ln_1p() {
        return negligible(words);
    }
    format!("{words}: within the noise floor")
}

/// What is said once of two loads whose figures differ, as [`apart`] has it.
pub(crate) const DIFFERS: &str = "differs: by more than either load scattered";

/// Of two loads that did not take turns: the same words, but that a difference is a difference and never better or worse.
pub(crate) fn apart(of: &Apart) -> String {
    let words = verdict(of.verdict());
    match of.verdict() {
        Verdict::Better | Verdict::Worse => "differs".to_owned(),
        Verdict::Same => words.to_owned(),
        Verdict::CannotTell if of.interval.is_none() => format!("{words}: too short a load"),
        Verdict::CannotTell if excludes_1(of.interval) => negligible(words),
        Verdict::CannotTell => format!("{words}: within their scatter"),
    }
}

/// How many times a figure is another one's: `2.07 × [1.99, 2.14] the throughput`.
pub(crate) fn times_the(of: &Comparison) -> String {
    format!("{} the {}", ratio(of), of.metric.row().noun)
}

/// What to run where the two of a comparison cannot be told apart, the first of them being of this run.
pub fn to_decide(of: &Comparison, run: &Run) -> String {
    if of.paired {
        more_blocks(of, run)
    } else {
        IN_TURN.to_owned()
    }
}

/// What to run where two variants of a run cannot be told apart by its blocks: what is left of the run. One that is whole takes
/// no more of them, so that it is run again.
pub(crate) fn more_blocks(of: &Comparison, run: &Run) -> String {
    let few = too_few(of, "blocks");
    match (rest(run), few) {
        (Some(rest), Some(few)) => format!("{few}: {rest}"),
        (Some(rest), None) => rest,
        (None, few) => {
            let time = few.map_or("", |_| ", and a `--budget` that has time for them");
            more(of, "blocks") + time
        }
    }
}

/// Why the pairs of measurements, called so, have no interval; nothing where they have one.
fn too_few(of: &Comparison, what: &str) -> Option<String> {
    let (pairs, noun, fewest) = (of.pairs, of.metric.row().noun, of.fewest());
    match of.interval {
        Some(_) => None,
        None if pairs < fewest => Some(format!(
            "an interval needs {fewest} {what}, and not {pairs}"
        )),
        None => Some(format!("{pairs} {what} give no interval of {noun}")),
    }
}

/// What to run where pairs of measurements do not tell: as many as most likely would, by the scatter of those that there are. The
/// option that gives their number is called as they are.
pub(crate) fn more(of: &Comparison, what: &str) -> String {
    if let Some(few) = too_few(of, what) {
        let more = ENOUGH.max(2 * of.pairs);
        return format!("{few}: run it again with `--{what} {more}`");
    }
    let noun = of.metric.row().noun;
    match of.wanted {
        Some(more) => format!(
            "about {more} {what} would most likely tell by {noun}: run it again with `--{what} {more}`"
        ),
        None if of.one_ended => {
            format!(
                "one end of a figure is not known, and more {what} do not tell by {noun} either"
            )
        }
        None => format!("to tell by {noun} would take more than {MOST_BLOCKS} {what}"),
    }
}

/// Why nothing surer can be said of two loads, or runs, that were measured one after the other.
pub(crate) fn not_in_turn(what: &str) -> String {
    format!(
        "the two {what} did not take turns, so what changed on the machine between them is in no interval"
    )
}

/// Of a difference that nobody should act on, however sure it is.
fn negligible(words: &str) -> String {
    format!("{words}: within {}", units::about(NEGLIGIBLE))
}

fn excludes_1(interval: Option<(f64, f64)>) -> bool {
    interval.is_some_and(|(low, high)| low > 1.0 || high < 1.0)
}

#[cfg(test)]
mod tests {
    use judge::Figure;
    use record::Metric;

    use super::*;

    fn loads(ratio: f64, interval: Option<(f64, f64)>) -> Apart {
        let figure = |value| Figure {
            value,
            interval: None,
        };
        Apart {
            metric: Metric::Throughput,
            of: figure(ratio),
            over: figure(1.0),
            ratio,
            interval,
        }
    }

    fn variants(ratio: f64, interval: Option<(f64, f64)>, verdict: Verdict) -> Comparison {
        Comparison {
            metric: Metric::Throughput,
            of: "one".to_owned(),
            over: "two".to_owned(),
            ratio,
            interval,
            pairs: 6,
            paired: true,
            one_ended: false,
            elsewhere: None,
            wanted: None,
            verdict,
        }
    }

    /// What one table calls the same, or cannot tell, is called so in the other.
    #[test]
    fn loads_and_variants_are_told_in_the_same_words() {
        for (ratio, interval, words) in [
            (1.01, Some((1.005, 1.015)), "same"),
            (1.1, Some((0.9, 1.3)), "cannot tell"),
            (1.02, Some((1.01, 1.05)), "cannot tell: within 3 %"),
            (2.0, None, "cannot tell"),
        ] {
            let apart = loads(ratio, interval);
            let told = compared(&variants(ratio, interval, apart.verdict()));
            assert_eq!(told, words, "{ratio}");
            assert!(super::apart(&apart).starts_with(words), "{ratio}");
        }
        let sure = Some((1.9, 2.1));
        let told = compared(&variants(2.0, sure, loads(2.0, sure).verdict()));
        assert_eq!(told, "better");
        let apart = super::apart(&loads(2.0, sure));
        assert!(DIFFERS.starts_with(&apart), "{apart}");
    }

    /// An interval narrows with the root of the number of blocks.
    #[test]
    fn what_cannot_be_told_says_how_many_blocks_to_run() {
        let open = |pairs, interval, wanted| Comparison {
            pairs,
            wanted,
            ..variants(1.1, interval, Verdict::CannotTell)
        };
        let few = more(&open(1, None, None), "blocks");
        let words = "an interval needs 3 blocks, and not 1: run it again with `--blocks 12`";
        assert_eq!(few, words);
        let none = more(&open(8, None, None), "blocks");
        let words = "8 blocks give no interval of throughput: run it again with `--blocks 16`";
        assert_eq!(none, words);
        let wide = Some((0.9, 1.3));
        let some = more(&open(6, wide, Some(31)), "pairs");
        let words =
            "about 31 pairs would most likely tell by throughput: run it again with `--pairs 31`";
        assert_eq!(some, words);
        let hardly = more(&open(6, wide, None), "blocks");
        assert_eq!(
            hardly,
            "to tell by throughput would take more than 100 blocks"
        );
        let cut_short = Comparison {
            one_ended: true,
            ..open(6, wide, None)
        };
        let never = more(&cut_short, "blocks");
        assert!(
            never.starts_with("one end of a figure is not known, "),
            "{never}"
        );
    }

    #[test]
    fn what_cannot_be_told_says_why() {
        let told = |ratio, interval| compared(&variants(ratio, interval, Verdict::CannotTell));
        let noise = told(0.462, Some((0.249, 0.86)));
        assert_eq!(noise, "cannot tell: within the noise floor");
        assert_eq!(told(0.462, Some((0.249, 1.86))), "cannot tell");
        assert_eq!(told(0.98, Some((0.95, 0.99))), "cannot tell: within 3 %");
        let cut_short = Comparison {
            one_ended: true,
            ..variants(0.462, Some((0.249, 0.86)), Verdict::CannotTell)
        };
        let told = compared(&cut_short);
        assert_eq!(told, "cannot tell: one end of a figure is not known");
    }
}
