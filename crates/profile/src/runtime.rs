//! What is known of a language's runtime, as data.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;
use serde::Deserialize;

/// How processes of a runtime are recognised, and whose code a file is. `catalogue/runtimes/python.toml` explains each
/// key.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Runtime {
    pub(crate) name: String,
    pub(crate) mapped: Vec<String>,
    #[serde(deserialize_with = "pattern")]
    pub(crate) packages: Regex,
    #[serde(deserialize_with = "pattern")]
    pub(crate) own: Regex,
    pub(crate) frameworks: BTreeMap<String, Vec<String>>,
}

/// The one whose stacks can be read.
pub(crate) static RUNTIME: LazyLock<Runtime> =
    LazyLock::new(|| toml::from_str(catalogue::PYTHON).expect("a test reads what is compiled in"));

impl Runtime {
    /// Whether a process that has mapped a file of this name is one of it.
    pub(crate) fn is_mapped_as(&self, name: &str) -> bool {
        self.mapped.iter().any(|begin| name.starts_with(begin))
    }
}

fn pattern<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Regex, D::Error> {
    let text = String::deserialize(deserializer)?;
    Regex::new(&text).map_err(serde::de::Error::custom)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_compiled_in_can_be_read() {
        let runtime = toml::from_str::<Runtime>(catalogue::PYTHON).unwrap();
        assert!(runtime.is_mapped_as("libpython3.11.so.1.0") && !runtime.is_mapped_as("ld.so"));
        assert!(runtime.frameworks.values().all(|of| !of.is_empty()));
        assert_eq!(runtime.name, "python");
    }
}
