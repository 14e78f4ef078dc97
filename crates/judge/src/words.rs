//! Numbers inside sentences: the judge says with which figures it came to an opinion.

pub(crate) use record::closest;

/// Three significant digits.
pub(crate) fn number(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return format!("{value}");
    }
    let before_point = value.abs().log10().floor() as i32;
    format!("{value:.*}", usize::try_from(2 - before_point).unwrap_or(0))
}

/// A share as a percentage.
pub(crate) fn percent(share: f64) -> String {
    format!("{} %", number(share * 100.0))
}

/// `1 request`, `2 requests`.
pub(crate) fn counted(count: u64, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

/// The name that was probably meant, or else what there is.
pub(crate) fn meant<'a>(
    typed: &str,
    known: impl IntoIterator<Item = &'a str>,
    there_is: impl FnOnce() -> String,
) -> String {
    let near = closest(typed, known).map(|name| format!("did you mean `{name}`?"));
    near.unwrap_or_else(there_is)
}

/// Names in backticks, with commas.
pub(crate) fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let quoted: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits() {
        let said = [0.0, 0.001_234, 0.5, 9.876, 98.76, 12_345.6].map(number);
        assert_eq!(said, ["0", "0.00123", "0.500", "9.88", "98.8", "12346"]);
    }
}
