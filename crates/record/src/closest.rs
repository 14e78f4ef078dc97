use std::borrow::Borrow;
use std::fmt::Display;

/// The name among `known` that `typed` was probably meant to be, if one is close enough to suggest: a third of its
/// characters may differ.
pub fn closest<'a>(typed: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    known
        .into_iter()
        .map(|name| (strsim::damerau_levenshtein(typed, name), name))
        .filter(|(distance, name)| *distance <= name.chars().count().div_ceil(3))
        .min()
        .map(|(_, name)| name)
}

/// The name that was probably meant, or else what there is.
pub fn meant<'a>(
    typed: &str,
    known: impl IntoIterator<Item = &'a str>,
    there_is: impl FnOnce() -> String,
) -> String {
    let near = closest(typed, known).map(|name| format!("did you mean `{name}`?"));
    near.unwrap_or_else(there_is)
}

/// Names in backticks, with commas.
pub fn listed(names: impl IntoIterator<Item = impl Display>) -> String {
    let quoted: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}

/// Parts in a row, this word before the last of several: `a`, `a and b`, `a, b and c`.
pub fn joined(parts: &[impl Borrow<str>], word: &str) -> String {
    let Some((last, first)) = parts.split_last() else {
        return String::new();
    };
    let last: &str = last.borrow();
    if first.is_empty() {
        last.to_owned()
    } else {
        format!("{} {word} {last}", first.join(", "))
    }
}

/// The first of these, so many at most, and how many more there are: `a, b, and 3 more`.
pub fn first_of(parts: &[impl Borrow<str>], most: usize) -> String {
    let first = parts[..parts.len().min(most)].join(", ");
    match parts.len().saturating_sub(most) {
        0 => first,
        more => format!("{first}, and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::{closest, first_of, joined};

    #[test]
    fn a_slip_is_recognised_and_another_word_is_not() {
        let knobs = ["workers", "worker-class", "threads"];
        assert_eq!(closest("worker", knobs), Some("workers"));
        assert_eq!(closest("worker-clas", knobs), Some("worker-class"));
        assert_eq!(closest("gzip", knobs), None);
        let metrics = ["throughput", "mean", "p50"];
        assert_eq!(closest("thruput", metrics), Some("throughput"));
        assert_eq!(closest("maen", metrics), Some("mean"));
        assert_eq!(closest("latency", metrics), None);
    }

    #[test]
    fn the_word_stands_before_the_last_of_several() {
        assert_eq!(joined(&[""; 0], "and"), "");
        assert_eq!(joined(&["a"], "and"), "a");
        assert_eq!(joined(&["a", "b"], "and"), "a and b");
        let levels = ["1", "10", "100"].map(String::from);
        assert_eq!(joined(&levels, "or"), "1, 10 or 100");
    }

    #[test]
    fn what_is_not_named_is_counted() {
        assert_eq!(first_of(&[""; 0], 2), "");
        assert_eq!(first_of(&["a", "b"], 2), "a, b");
        let many = ["a", "b", "c", "d"].map(String::from);
        assert_eq!(first_of(&many, 2), "a, b, and 2 more");
    }
}
