/// The known name that `wrong` was probably meant to be, if one is close enough to offer.
pub(crate) fn nearest<'a>(
    wrong: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    known
        .into_iter()
        .map(|name| (strsim::damerau_levenshtein(wrong, name), name))
        .min()
        .filter(|(distance, name)| *distance <= 1 + name.len() / 3)
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn offers_what_was_meant_and_nothing_far_off() {
        let known = ["workers", "worker-class", "threads"];
        assert_eq!(nearest("worker", known), Some("workers"));
        assert_eq!(nearest("worker-clas", known), Some("worker-class"));
        assert_eq!(nearest("gzip", known), None);
    }
}
