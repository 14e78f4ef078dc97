//! A warm-up as it is written: a number of seconds, or a table.

use std::fmt;

use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error, MapAccess, Visitor};

use super::{Until, WarmUpSpec};

/// The keys of the table.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Keys {
    requests: Option<u64>,
    seconds: Option<f64>,
    until: Option<Until>,
}

impl<'de> Deserialize<'de> for WarmUpSpec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(WarmUpVisitor)
    }
}

struct WarmUpVisitor;

impl<'de> Visitor<'de> for WarmUpVisitor {
    type Value = WarmUpSpec;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a number of seconds, or a table, as in `warm-up = { requests = 200 }`")
    }

    fn visit_i64<E: Error>(self, seconds: i64) -> Result<WarmUpSpec, E> {
        self.visit_f64(seconds as f64)
    }

    fn visit_u64<E: Error>(self, seconds: u64) -> Result<WarmUpSpec, E> {
        self.visit_f64(seconds as f64)
    }

    fn visit_f64<E: Error>(self, seconds: f64) -> Result<WarmUpSpec, E> {
        Ok(WarmUpSpec::seconds(seconds))
    }

    fn visit_map<M: MapAccess<'de>>(self, map: M) -> Result<WarmUpSpec, M::Error> {
        let keys = Keys::deserialize(MapAccessDeserializer::new(map))?;
        Ok(WarmUpSpec {
            requests: keys.requests,
            seconds: keys.seconds,
            until: keys.until,
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::{LoadSpec, WarmUpSpec};

    #[test]
    fn a_number_is_seconds_and_what_is_none_is_told_with_the_form() {
        let read = |text: &str| toml::from_str::<LoadSpec>(text).map(|spec| spec.warm_up);
        for text in ["warm-up = 1", "warm-up = 1.0", "warm-up = { seconds = 1 }"] {
            let warm_up = read(text).unwrap();
            assert_eq!(warm_up, Some(WarmUpSpec::seconds(1.0)), "{text}");
        }
        for (text, words) in [
            ("warm-up = \"1s\"", "`warm-up = { requests = 200 }`"),
            ("warm-up = { second = 1 }", "unknown field `second`"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        }
    }
}
