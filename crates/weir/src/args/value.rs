//! Values that several commands read.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

pub(crate) use experiment::duration as seconds;

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

/// A duration that is some time at all.
pub(crate) fn some_time(text: &str) -> Result<f64, String> {
    let some = experiment::duration(text)?;
    let none = || "give some time, such as `20m`".to_owned();
    (some > 0.0).then_some(some).ok_or_else(none)
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
    fn headers_cannot_smuggle_lines() {
        assert!(header("X-A: b\r\nX-C: d").is_err());
        assert!(header("no colon").is_err());
        assert_eq!(
            header("Accept:  text/html"),
            Ok(("Accept".into(), "text/html".into()))
        );
    }
}
