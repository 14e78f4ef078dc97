//! Numbers as people type them, and as other tools take them: `2k`, `1.5M`, `500/s`, `3M/day`, `10KB/s`.

pub(super) use record::scaled;
use record::{limits, per_second};

/// How far a number may lie from a whole one that it stands for, as a share: `1.1k` is 1,100.
const ROUNDING: f64 = 1e-12;

/// Beyond, a number in floating point is not every whole one (2^53).
const EXACT: f64 = 9e15;

/// How many: `100`, `2k`, `1M`.
///
/// # Errors
/// What to write instead.
pub(super) fn count<T: TryFrom<u64>>(text: &str) -> Result<T, String> {
    let exactly = text.parse::<u64>().ok();
    let whole = exactly.or_else(|| whole(scaled(text)?));
    let whole =
        whole.ok_or_else(|| "give a whole number, such as `100`, `2k` or `1M`".to_owned())?;
    T::try_from(whole).map_err(|_| "give a smaller number, such as `100`, `2k` or `1M`".to_owned())
}

/// The same, and one at least.
///
/// # Errors
/// What to write instead.
pub(super) fn some<T: TryFrom<u64> + Default + PartialEq>(text: &str) -> Result<T, String> {
    let none = || "give a number above 0, such as `100` or `2k`".to_owned();
    let count: T = count(text)?;
    (count != T::default()).then_some(count).ok_or_else(none)
}

/// A status of a response.
///
/// # Errors
/// What to write instead.
pub(super) fn status(text: &str) -> Result<u16, String> {
    let status = text.parse::<u16>().ok();
    status
        .filter(|status| (100..600).contains(status))
        .ok_or_else(|| "give a status from 100 to 599, such as `302`".to_owned())
}

/// Connections, as many as a load may have.
///
/// # Errors
/// What to write instead.
pub(super) fn connections(text: &str) -> Result<u32, String> {
    let most = limits::CONNECTIONS;
    let too_many = || format!("a load has at most {most} connections");
    let connections: u32 = some(text)?;
    (connections <= most)
        .then_some(connections)
        .ok_or_else(too_many)
}

/// Requests per second: `500`, `500/s`, `2k`, `120/min`, `3M/day`. Whether a load can have that rate is the load's to say.
///
/// # Errors
/// What to write instead.
pub(super) fn rate(text: &str) -> Result<f64, String> {
    per_second(text).ok_or_else(|| {
        "give requests per second, such as `500` or `2k`, or those of a longer time, such as `120/min`, `90k/h` or \
         `3M/day`"
            .to_owned()
    })
}

/// Connections that are reset per second: `50/s`, `0.5/s`, or a number alone.
///
/// # Errors
/// What to write instead.
pub(super) fn resets(text: &str) -> Result<f64, String> {
    per_second(text)
        .filter(|rate| (0.0..=limits::RESETS).contains(rate))
        .ok_or_else(|| "give a number per second, such as `50/s`".to_owned())
}

/// `10B/s`, `1KB/s`, `0.5MB/s`, or a number of bytes per second alone.
///
/// # Errors
/// What to write instead.
pub(super) fn bytes_per_second(text: &str) -> Result<f64, String> {
    let amount = text.strip_suffix("/s").unwrap_or(text).to_ascii_uppercase();
    scaled(amount.strip_suffix('B').unwrap_or(&amount))
        .filter(|rate| *rate > 0.0 && *rate <= limits::SLOW_RATE)
        .ok_or_else(|| "give bytes per second, such as `100B/s` or `1KB/s`, up to 1MB/s".to_owned())
}

/// The whole number, above 0 or 0, that a number is.
fn whole(number: f64) -> Option<u64> {
    let whole = number.round();
    let is_whole = (number - whole).abs() <= ROUNDING * whole;
    (is_whole && (0.0..EXACT).contains(&whole)).then_some(whole as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_read() {
        for (text, wanted) in [
            ("0", 0),
            ("100", 100),
            ("2k", 2_000),
            ("2K", 2_000),
            ("1.1k", 1_100),
            ("1.5M", 1_500_000),
            ("1G", 1_000_000_000),
            ("1e3", 1_000),
            ("18446744073709551615", u64::MAX),
        ] {
            assert_eq!(count(text), Ok(wanted), "{text}");
        }
        for wrong in [
            "", "k", "-1", "1.5", "0.5", "1.0005k", "1m", "2kk", "nan", "inf", "infk", "1e300",
            "many",
        ] {
            assert!(count::<u64>(wrong).is_err(), "{wrong}");
        }
        assert_eq!(count::<u32>("4294967295"), Ok(u32::MAX));
        assert!(count::<u32>("4294967296").unwrap_err().contains("smaller"));
        assert_eq!(some("1"), Ok(1_u64));
        assert!(some::<u64>("0").is_err() && some::<u64>("x").is_err());
        assert_eq!(connections("1k"), Ok(1_000));
        assert!(connections("0").is_err() && connections("2M").is_err());
    }

    #[test]
    fn statuses_are_read() {
        assert_eq!(status("302"), Ok(302));
        for wrong in ["20x", "", "99", "600", "-1"] {
            assert!(status(wrong).unwrap_err().contains("100 to 599"), "{wrong}");
        }
    }

    #[test]
    fn rates_are_read() {
        for (text, wanted) in [
            ("500", 500.0),
            ("0.5", 0.5),
            ("500/s", 500.0),
            ("2k", 2_000.0),
            ("2k/s", 2_000.0),
            ("120/min", 2.0),
            ("7.2k/h", 2.0),
            ("864k/day", 10.0),
            ("864K / Day", 10.0),
        ] {
            assert_eq!(rate(text), Ok(wanted), "{text}");
        }
        for wrong in ["", "/s", "5/", "5/week", "5/m", "fast", "5 req", "inf/s"] {
            assert!(rate(wrong).is_err(), "{wrong}");
        }
        assert_eq!(rate("0"), Ok(0.0), "a load says why not");
    }

    #[test]
    fn paces_are_read() {
        assert_eq!(bytes_per_second("1KB/s"), Ok(1_000.0));
        assert_eq!(bytes_per_second("20kB"), Ok(20_000.0));
        assert_eq!(bytes_per_second("0.5B/s"), Ok(0.5));
        assert_eq!(bytes_per_second("250"), Ok(250.0));
        for wrong in [
            "", "0", "-1", "1TB/s", "2MB/s", "KB/s", "1KB/m", "nan", "inf",
        ] {
            assert!(bytes_per_second(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn resets_are_read() {
        assert_eq!(resets("50/s"), Ok(50.0));
        assert_eq!(resets("0.5"), Ok(0.5));
        assert_eq!(resets("0/s"), Ok(0.0));
        for wrong in ["", "-1/s", "50/m", "x", "nan", "inf"] {
            assert!(resets(wrong).is_err(), "{wrong}");
        }
    }
}
