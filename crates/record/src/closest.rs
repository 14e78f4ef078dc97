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
pub fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let quoted: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}

#[cfg(test)]
mod tests {
    use super::closest;

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
}
