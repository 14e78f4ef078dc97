//! What stands above all claims: how many there are of each verdict, and which of them are to be read with care.

use super::{ClaimRow, ClaimStanding};
use crate::words::counted;

/// Verdicts and what stands in their place, in the order in which they are counted.
const VERDICTS: [&str; 6] = [
    "holds",
    "does not hold",
    "cannot tell",
    "failed",
    "not run",
    "not yet",
];

impl ClaimRow {
    /// Whether it is decided, and the load generator's own share of the CPU time may turn that.
    fn is_as_measured(&self) -> bool {
        matches!(&self.standing, ClaimStanding::Judged { verdict, .. } if verdict.as_measured)
    }

    /// Whether no exchange of two variants' trials changes its verdict.
    fn is_never_turned(&self) -> bool {
        matches!(&self.standing, ClaimStanding::Judged { never_turned, .. } if *never_turned)
    }
}

/// How many there are of each verdict that there is.
pub(crate) fn counts(rows: &[ClaimRow]) -> impl Iterator<Item = (&'static str, usize)> {
    let count = |word| rows.iter().filter(|row| row.kind() == word).count();
    let counts = VERDICTS.into_iter().map(move |word| (word, count(word)));
    counts.filter(|(_, count)| *count > 0)
}

/// [`counts`] in words: `holds: 12, of which 3 as measured · not yet: 3`.
pub(crate) fn summary(rows: &[ClaimRow]) -> String {
    let marked = |word: &str| {
        let of_kind = rows.iter().filter(|row| row.kind() == word);
        of_kind.filter(|row| row.is_as_measured()).count()
    };
    let counts = counts(rows).map(|(word, count)| match marked(word) {
        0 => format!("{word}: {count}"),
        marked => format!("{word}: {count}, of which {marked} as measured"),
    });
    counts.collect::<Vec<_>>().join(" · ")
}

/// Which verdicts are to be read with care, and why: a sentence without its full stop for each reason that there is.
pub(crate) fn cautions(rows: &[ClaimRow]) -> Vec<String> {
    let as_measured = named(rows, ClaimRow::is_as_measured).map(|(claims, ids)| {
        format!(
            "{claims} decided as measured: with the load generator elsewhere the verdict may be another one: {ids}"
        )
    });
    let never_turned = named(rows, ClaimRow::is_never_turned).map(|(claims, ids)| {
        format!(
            "{claims} that would be decided the same way if the trials of two variants were exchanged: {ids}"
        )
    });
    as_measured.into_iter().chain(never_turned).collect()
}

/// How many claims are such, and their identifiers; `None` where there are none.
fn named(rows: &[ClaimRow], is: fn(&ClaimRow) -> bool) -> Option<(String, String)> {
    let ids: Vec<&str> = rows
        .iter()
        .filter(|row| is(row))
        .map(|row| row.id.as_str())
        .collect();
    (!ids.is_empty()).then(|| (counted(ids.len() as u64, "claim"), ids.join(", ")))
}
