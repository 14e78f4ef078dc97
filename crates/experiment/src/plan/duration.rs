/// Seconds, as a person writes them: `10s`, `500ms`, `20 min`, `2h`, or a plain number of seconds; up to a day.
///
/// # Errors
/// What to write instead.
pub fn duration(text: &str) -> Result<f64, String> {
    let unit_at = text
        .find(|c: char| !(c.is_ascii_digit() || c == '.'))
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(unit_at);
    let scale = match unit.trim_start() {
        "" | "s" => 1.0,
        "ms" => 1e-3,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err("give a duration such as `10s`, `500ms` or `2m`".into()),
    };
    number
        .parse::<f64>()
        .map(|value| value * scale)
        .ok()
        .filter(|value| *value <= 86_400.0)
        .ok_or_else(|| "give a duration up to 24h, such as `10s`, `500ms` or `2m`".into())
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
        for wrong in ["", "s", "10x", "-1s", "1e9", "1.2.3s", "1 day", "25h"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }
}
