//! Values that several commands read.

/// An interface by its name.
pub(super) fn interface(text: &str) -> Result<record::Interface, String> {
    let known = record::Interface::ALL;
    let named = known.into_iter().find(|one| one.name() == text);
    named.ok_or_else(|| {
        format!(
            "write one of {}",
            known.map(record::Interface::name).join(", ")
        )
    })
}

/// `10s`, `500ms`, `2m`, `1h`, or a plain number of seconds.
pub(crate) fn seconds(text: &str) -> Result<f64, String> {
    let unit_at = text
        .find(|c: char| !(c.is_ascii_digit() || c == '.'))
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(unit_at);
    let scale = match unit {
        "" | "s" => 1.0,
        "ms" => 1e-3,
        "m" => 60.0,
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

pub(crate) fn header(text: &str) -> Result<(String, String), String> {
    let (name, value) = text
        .split_once(':')
        .ok_or("give a header as `Name: value`")?;
    let token = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
    if name.is_empty() || !name.chars().all(token) || value.contains(['\r', '\n', '\0']) {
        return Err("a header's name is letters, digits and dashes; its value is one line".into());
    }
    Ok((name.to_owned(), value.trim().to_owned()))
}

pub(crate) fn setting(text: &str) -> Result<(String, String), String> {
    text.split_once('=')
        .map(|(knob, value)| (knob.to_owned(), value.to_owned()))
        .ok_or_else(|| "give a knob as `name=value`".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read() {
        assert_eq!(seconds("10s"), Ok(10.0));
        assert_eq!(seconds("500ms"), Ok(0.5));
        assert_eq!(seconds("2m"), Ok(120.0));
        assert_eq!(seconds("1.5"), Ok(1.5));
        for wrong in ["", "s", "10x", "-1s", "1e9", "1.2.3s"] {
            assert!(seconds(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn headers_cannot_smuggle_lines() {
        assert!(header("X-A: b\r\nX-C: d").is_err());
        assert!(header("no colon").is_err());
        assert_eq!(
            header("Accept:  text/html"),
            Ok(("Accept".into(), "text/html".into()))
        );
    }
}
