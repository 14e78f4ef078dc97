//! Numbers inside sentences: the judge says with which figures it came to an opinion.

pub(crate) use record::{closest, listed, meant};

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits() {
        let said = [0.0, 0.001_234, 0.5, 9.876, 98.76, 12_345.6].map(number);
        assert_eq!(said, ["0", "0.00123", "0.500", "9.88", "98.8", "12346"]);
    }
}
