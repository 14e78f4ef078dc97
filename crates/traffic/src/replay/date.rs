use jiff::Timestamp;
use jiff::fmt::strtime;

/// Nanoseconds since 1970 of a time as logs write it: `20/Nov/2026:21:10:33 +0000`, ISO 8601 with
/// an offset, or seconds, milli-, micro- or nanoseconds since 1970.
pub(super) fn parse(text: &str) -> Option<i64> {
    let text = text.trim();
    let timestamp = match text.as_bytes().get(2)? {
        b'/' => {
            let time = strtime::parse("%d/%b/%Y:%H:%M:%S%.f %z", text).ok()?;
            time.to_timestamp().ok()?
        }
        _ => match text.parse::<Timestamp>() {
            Ok(timestamp) => timestamp,
            Err(_) => return since_epoch(text.parse().ok()?),
        },
    };
    i64::try_from(timestamp.as_nanosecond()).ok()
}

/// A number says its unit by its size: seconds reach 10^11 in the year 5138.
pub(super) fn since_epoch(number: f64) -> Option<i64> {
    let scale = match number {
        n if !(1.0..1e20).contains(&n) => return None,
        n if n < 1e11 => 1e9,
        n if n < 1e14 => 1e6,
        n if n < 1e17 => 1e3,
        _ => 1.0,
    };
    // To the microsecond, beyond which a double of this size has no digits; the rest would be noise
    // that makes a whole second look like a fine one.
    let micros = (number * (scale / 1e3)).round();
    (micros < 9e15).then_some(micros as i64 * 1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_as_logs_write_them() {
        let second = 1_795_209_033_000_000_000;
        for (text, wanted) in [
            ("20/Nov/2026:21:10:33 +0000", second),
            ("20/Nov/2026:23:10:33 +0200", second),
            ("20/Nov/2026:21:10:33.250 +0000", second + 250_000_000),
            ("2026-11-20T21:10:33Z", second),
            ("2026-11-20T22:10:33.5+01:00", second + 500_000_000),
            ("1795209033", second),
            ("1795209033.125", second + 125_000_000),
            ("1795209033125", second + 125_000_000),
            ("1795209033125000000", second + 125_000_000),
        ] {
            assert_eq!(parse(text), Some(wanted), "{text}");
        }
        for wrong in [
            "",
            "-",
            "yesterday",
            "32/Nov/2026:21:10:33 +0000",
            "1e300",
            "nan",
        ] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }
}
