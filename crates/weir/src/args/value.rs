//! Values that several commands read.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

pub(crate) use experiment::duration as seconds;

/// What a user says that an app is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Is {
    Interface(record::Interface),
    /// A program that speaks this.
    Speaks(record::Link),
}

impl Is {
    pub(crate) fn interface(self) -> record::Interface {
        match self {
            Self::Interface(interface) => interface,
            Self::Speaks(_) => record::Interface::Program,
        }
    }

    pub(crate) fn link(self) -> Option<record::Link> {
        match self {
            Self::Interface(_) => None,
            Self::Speaks(link) => Some(link),
        }
    }
}

/// An interface by its name, or a protocol.
pub(super) fn kind(text: &str) -> Result<Is, String> {
    let known = record::Interface::ALL;
    if let Some(interface) = known.into_iter().find(|one| one.name() == text) {
        return Ok(Is::Interface(interface));
    }
    let link: Option<record::Link> = text.parse().ok();
    let spoken = link.filter(|link| link.protocol.is_some() && !link.tls);
    spoken.map(Is::Speaks).ok_or_else(|| {
        format!(
            "write one of {}, or a protocol such as fastcgi",
            known.map(record::Interface::name).join(", ")
        )
    })
}

/// Seconds of a slice, or none.
pub(crate) fn slice(text: &str) -> Result<f64, String> {
    let seconds = experiment::duration(text).or_else(|why| text.parse().map_err(|_| why))?;
    experiment::slice(seconds)
}

/// A duration that is some time at all.
pub(crate) fn some_time(text: &str) -> Result<f64, String> {
    let some = experiment::duration(text)?;
    let none = || "give some time, such as `20m`".to_owned();
    (some > 0.0).then_some(some).ok_or_else(none)
}

/// Seconds that nobody means to give a run who names no unit: no block of any app is measured in them.
const BARE: f64 = 30.0;

/// The time for a run of `weir try`.
pub(super) fn budget(text: &str) -> Result<f64, String> {
    let (time, text) = (seconds(text)?, text.trim());
    if text.parse::<f64>().is_ok() && time < BARE {
        return Err(format!(
            "{text} is {text} s, in which nothing can be told: did you mean `{text}m`? `{text}s` is taken as it is"
        ));
    }
    Ok(time)
}

/// How long a calibration takes.
pub(super) fn of_calibration(text: &str) -> Result<f64, String> {
    let long = experiment::duration(text)?;
    let short = || "less than a second measures nothing: give more, such as `10s`".to_owned();
    (long >= 1.0).then_some(long).ok_or_else(short)
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

/// A name to ask by, with or without a port.
pub(super) fn host(text: &str) -> Result<String, String> {
    let fits = |c: char| c.is_ascii_alphanumeric() || "-._~:[]%".contains(c);
    let named = !text.is_empty() && text.chars().all(fits);
    named
        .then(|| text.to_owned())
        .ok_or_else(|| "give a name, such as `shop.example` or `localhost:8000`".to_owned())
}

/// A regular expression.
pub(super) fn pattern(text: &str) -> Result<String, String> {
    match regex::bytes::Regex::new(text) {
        Ok(_) => Ok(text.to_owned()),
        Err(error) => {
            let error = error.to_string();
            let why = error.lines().last().unwrap_or_default();
            let why = why.trim_start_matches("error: ");
            Err(format!("it is no regular expression: {why}"))
        }
    }
}

/// Names, what they mean, and the values that they stand for.
pub(super) type Named<T> = &'static [(&'static str, &'static str, T)];

/// One of these names.
pub(super) fn one_of<T: Copy + Send + Sync>(table: Named<T>) -> impl TypedValueParser<Value = T> {
    let names = table
        .iter()
        .map(|(name, help, _)| PossibleValue::new(*name).help(*help));
    PossibleValuesParser::new(names).try_map(move |typed| {
        let one = table.iter().find(|(name, ..)| *name == typed);
        one.map(|(.., value)| *value).ok_or("is none of them")
    })
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
    fn a_budget_is_some_time() {
        assert_eq!(some_time("20m"), Ok(1200.0));
        assert!(some_time("0").is_err() && some_time("x").is_err());
    }

    #[test]
    fn a_small_number_of_seconds_says_that_it_is_one() {
        assert!(budget("5").unwrap_err().contains("did you mean `5m`?"));
        assert_eq!(budget("5s"), Ok(5.0));
        assert_eq!(budget("150"), Ok(150.0));
        assert!(budget("x").is_err());
    }

    #[test]
    fn a_calibration_takes_a_second_at_least() {
        assert_eq!(of_calibration("1s"), Ok(1.0));
        for short in ["0s", "999ms"] {
            assert!(of_calibration(short).unwrap_err().contains("`10s`"));
        }
        assert!(of_calibration("x").is_err());
    }

    #[test]
    fn a_host_is_a_name() {
        assert_eq!(host("shop.example:8000"), Ok("shop.example:8000".into()));
        assert!(host("").is_err() && host("a/b").is_err() && host("a\r\nb: c").is_err());
        assert!(pattern("(").is_err() && pattern("a+").is_ok());
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
