/// What a unit stands for, in seconds.
const UNITS: [(&str, f64); 7] = [
    ("h", 3_600.0),
    ("m", 60.0),
    ("min", 60.0),
    ("s", 1.0),
    ("ms", 1e-3),
    ("us", 1e-6),
    ("µs", 1e-6),
];

/// The longest duration, in seconds.
const LONGEST: f64 = 86_400.0;

/// Seconds, as a person writes them: `10s`, `500ms`, `250us`, `20 min`, `1m30s`, `2h`, or a plain number of seconds; up to
/// a day.
///
/// # Errors
/// What to write instead.
pub fn duration(text: &str) -> Result<f64, String> {
    seconds(text)
        .filter(|seconds| *seconds <= LONGEST)
        .ok_or_else(|| {
            "give a duration up to 24h, such as `10s`, `500ms`, `2m` or `1m30s`".to_owned()
        })
}

/// The sum of its parts, of which each has a smaller unit than the one before; a number alone has none.
fn seconds(text: &str) -> Option<f64> {
    let is_digit = |c: char| c.is_ascii_digit() || c == '.';
    let (mut rest, mut sum, mut before) = (text, 0.0, f64::INFINITY);
    while !rest.is_empty() {
        let unit_at = rest.find(|c: char| !is_digit(c)).unwrap_or(rest.len());
        let (number, behind) = rest.split_at(unit_at);
        let (unit, next) = behind.split_at(behind.find(is_digit).unwrap_or(behind.len()));
        let scale = match unit.trim() {
            "" if rest == text && next.is_empty() => 1.0,
            unit => UNITS.iter().find(|(name, _)| *name == unit)?.1,
        };
        if scale >= before {
            return None;
        }
        sum += number.parse::<f64>().ok()? * scale;
        (rest, before) = (next, scale);
    }
    before.is_finite().then_some(sum)
}

#[cfg(test)]
mod tests {
    use super::duration;

    #[test]
    fn durations_are_read() {
        assert_eq!(duration("10s"), Ok(10.0));
        assert_eq!(duration("500ms"), Ok(0.5));
        assert_eq!(duration("2m"), Ok(120.0));
        assert_eq!(duration("20 min"), Ok(1200.0));
        assert_eq!(duration("1.5"), Ok(1.5));
        assert_eq!(duration("10 "), Ok(10.0));
        assert_eq!(duration("500us"), Ok(500.0 * 1e-6));
        assert_eq!(duration("500µs"), duration("500us"));
        assert_eq!(duration("1m30s"), Ok(90.0));
        assert_eq!(duration("1h 30 min"), Ok(5_400.0));
        assert_eq!(duration("1s500ms"), Ok(1.5));
        for wrong in [
            "", "s", "10x", "-1s", "1e9", "1.2.3s", "1 day", "25h", "1m30", "30s1m", "1m1min",
            "1m s", "5mm",
        ] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }
}
