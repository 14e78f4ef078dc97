use std::borrow::Cow;

use crate::closest;

/// What people write where a key has another name, or is a key of another table: their words, a key of the table in which they
/// wrote it, and what to write. The first row whose key is there holds.
const WORDS: &[(&[&str], &str, &str)] = &[
    (&["name"], "title", "`title`"),
    (&["duration", "time"], "seconds", "`seconds`"),
    (&["qps", "rps"], "rate", "`rate`"),
    (&["concurrency", "clients"], "connections", "`connections`"),
    (&["count", "number"], "requests", "`requests`"),
    (&["address", "target", "uri"], "url", "`url`"),
    (
        &["repeat", "repeats", "repetitions", "runs"],
        "blocks",
        "`blocks`",
    ),
    (&["variants"], "variant", "`[[variant]]`"),
    (&["claims"], "claim", "`[[claim]]`"),
    (
        &["server", "front", "url"],
        "variant",
        "a `[[variant]]` with this key",
    ),
    (
        &["processes", "threads", "workers"],
        "server",
        "a knob of the server, as in `server = { entry = \"NAME\", workers = 2 }`",
    ),
    (
        &[
            "connections",
            "duration",
            "mix",
            "rate",
            "requests",
            "seconds",
            "timeout",
            "warm-up",
        ],
        "load",
        "a key of the load, as in `load = { connections = 100, seconds = 2 }`",
    ),
];

/// What serde says of a file, in the words of whoever wrote it: a number's bounds in place of a type of Rust, and of a key that
/// nobody knows the one that was probably meant, or else all that there are.
pub fn told(problem: &str) -> String {
    let problem = key(problem).map_or(Cow::Borrowed(problem), Cow::Owned);
    match problem.rsplit_once("expected ") {
        Some((before, wanted)) => {
            let form = bare(before, wanted).or_else(|| brackets(before, wanted));
            format!(
                "{before}expected {}{}",
                kind(wanted),
                form.unwrap_or_default()
            )
        }
        None => problem.into_owned(),
    }
}

/// The same of an error that is `shown` with its line, and ends with the problem.
pub fn told_below(shown: &str, problem: &str) -> String {
    let shown = shown.trim_end();
    let line = shown.strip_suffix(problem).unwrap_or(shown);
    format!("{line}{}", told(problem))
}

/// The problem of a key that nobody knows, with what was meant in place of all that there are.
fn key(problem: &str) -> Option<String> {
    let after = problem.strip_prefix("unknown field `")?;
    let (typed, known) = after.split_once("`, expected ")?;
    let names: Vec<&str> = known.split('`').skip(1).step_by(2).collect();
    let mut words = WORDS.iter();
    let word = words.find(|(words, key, _)| words.contains(&typed) && names.contains(key));
    let word = word.map(|(_, _, meant)| (*meant).to_owned());
    let near = || closest(typed, names.iter().copied()).map(|name| format!("`{name}`"));
    let meant = word.or_else(near)?;
    Some(format!("unknown field `{typed}`: did you mean {meant}?"))
}

/// How to write a number that stands there as a text with its unit, such as `"1s"`.
fn bare(before: &str, wanted: &str) -> Option<String> {
    let text = before.strip_prefix("invalid type: string \"")?;
    let is_digit = |c: char| c.is_ascii_digit() || c == '.';
    let end = text.find(|c: char| !is_digit(c))?;
    let (number, rest) = text.split_at(end);
    let is_number = ["f32", "f64"].contains(&wanted) && number.parse::<f64>().is_ok();
    let plain = rest.starts_with('"') || rest.starts_with("s\"");
    is_number.then(|| {
        if plain {
            format!(" without quotes: write {number}")
        } else {
            " without quotes and unit; times are in seconds".to_owned()
        }
    })
}

/// How to write a table of which there may be several.
fn brackets(before: &str, wanted: &str) -> Option<String> {
    let is_table = before.starts_with("invalid type: map") && wanted == "a sequence";
    is_table
        .then(|| "; each table of a list begins with two brackets, as in `[[variant]]`".to_owned())
}

/// What a value has to be.
fn kind(wanted: &str) -> Cow<'_, str> {
    let (name, nonzero) = match wanted.strip_prefix("a nonzero ") {
        Some(name) => (name, true),
        None => (wanted, false),
    };
    let unsigned = |most: u64| format!("a whole number from {} to {most}", u8::from(nonzero));
    let whole = match name {
        "u8" => unsigned(u8::MAX.into()),
        "u16" => unsigned(u16::MAX.into()),
        "u32" => unsigned(u32::MAX.into()),
        "u64" | "usize" => format!("a whole number of at least {}", u8::from(nonzero)),
        "i8" | "i16" | "i32" | "i64" | "isize" => "a whole number".to_owned(),
        "f32" | "f64" => "a number".to_owned(),
        "a boolean" => "true or false".to_owned(),
        "a string" | "string" => "a text in quotes".to_owned(),
        "a sequence" => "a list".to_owned(),
        "a map" => "a table".to_owned(),
        _ if wanted.starts_with("struct ") => "a table".to_owned(),
        _ => return Cow::Borrowed(wanted),
    };
    Cow::Owned(whole)
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use serde::Deserialize;

    use super::told;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "it is only read")]
    struct Plan {
        load: Option<Load>,
        blocks: Option<u8>,
        shared: Option<bool>,
        names: Option<Vec<String>>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "it is only read")]
    struct Load {
        rate: Option<f64>,
        workers: Option<NonZeroU32>,
    }

    #[test]
    fn types_of_rust_are_not_named() {
        for (text, words) in [
            (
                "blocks = -3",
                "invalid value: integer `-3`, expected a whole number from 0 to 255",
            ),
            (
                "load = { workers = 0 }",
                "invalid value: integer `0`, expected a whole number from 1 to 4294967295",
            ),
            (
                "load = { rate = \"fast\" }",
                "invalid type: string \"fast\", expected a number",
            ),
            (
                "load = { rate = \"1s\" }",
                "invalid type: string \"1s\", expected a number without quotes: write 1",
            ),
            (
                "load = { rate = \"500ms\" }",
                "invalid type: string \"500ms\", expected a number without quotes and unit; times are in seconds",
            ),
            (
                "shared = 1",
                "invalid type: integer `1`, expected true or false",
            ),
            ("names = 1", "invalid type: integer `1`, expected a list"),
            (
                "names = [1]",
                "invalid type: integer `1`, expected a text in quotes",
            ),
            ("load = 1", "invalid type: integer `1`, expected a table"),
            (
                "[names]",
                "invalid type: map, expected a list; each table of a list begins with two brackets, as in `[[variant]]`",
            ),
        ] {
            let error = toml::from_str::<Plan>(text).unwrap_err();
            assert_eq!(told(error.message()), words);
        }
    }

    #[test]
    fn the_key_that_was_meant_takes_the_place_of_all() {
        for (text, words) in [
            ("laod = 1", "unknown field `laod`: did you mean `load`?"),
            (
                "load = { rtae = 1 }",
                "unknown field `rtae`: did you mean `rate`?",
            ),
            ("runs = 1", "unknown field `runs`: did you mean `blocks`?"),
            (
                "load = { qps = 1 }",
                "unknown field `qps`: did you mean `rate`?",
            ),
            (
                "rate = 1",
                "unknown field `rate`: did you mean a key of the load, as in `load = { connections = 100, seconds = 2 }`?",
            ),
            (
                "colour = 1",
                "unknown field `colour`, expected one of `load`, `blocks`, `shared`, `names`",
            ),
        ] {
            let error = toml::from_str::<Plan>(text).unwrap_err();
            assert_eq!(told(error.message()), words);
        }
    }
}
