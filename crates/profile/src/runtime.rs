//! What is known of a language's runtime, as data.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;
use serde::Deserialize;

/// How processes of a runtime are recognised, and whose code a file is. `catalogue/runtimes/go.toml` explains each
/// key.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Runtime {
    #[serde(default)]
    pub(crate) mapped: Vec<String>,
    #[serde(deserialize_with = "pattern")]
    pub(crate) packages: Regex,
    #[serde(deserialize_with = "pattern")]
    pub(crate) own: Regex,
    /// What is the app's wherever it lies.
    #[serde(default, deserialize_with = "some_pattern")]
    pub(crate) app: Option<Regex>,
    /// A file of the app's folder that names its package, and where in it.
    pub(crate) module: Option<Module>,
    /// Folders of the app's folder in which its packages lie, each in folders of its own name.
    #[serde(default)]
    pub(crate) sources: Vec<String>,
    /// What a program's environment needs so that its stacks can be read.
    #[serde(default)]
    pub(crate) environment: BTreeMap<String, String>,
    /// How its programs are told to write down the names of what they compile.
    pub(crate) names: Option<Names>,
    /// Where a process of it runs one thread at a time.
    #[serde(rename = "one-thread")]
    pub(crate) one_thread: Option<OneThread>,
    /// Packages that are the language's own.
    #[serde(default, rename = "own-packages")]
    pub(crate) own_packages: Vec<String>,
    #[serde(default)]
    pub(crate) frameworks: BTreeMap<String, Vec<String>>,
}

/// How a program is told to write down the names of what it has compiled.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Names {
    /// A program and its arguments; `{{ pid }}` is the process.
    pub(crate) command: Vec<String>,
    /// Finds a function's class, and its name there.
    #[serde(deserialize_with = "pattern")]
    pub(crate) function: Regex,
    /// What runs functions that are not compiled.
    pub(crate) interpreter: String,
}

/// A runtime with a lock, which lets one thread of a process run at a time.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OneThread {
    /// Who does, in words.
    pub(crate) who: String,
    /// Finds the name of a file that a process with the lock has mapped: others may be built without it.
    #[serde(deserialize_with = "pattern")]
    pub(crate) mapped: Regex,
}

/// Where an app says which package it is.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Module {
    pub(crate) file: String,
    #[serde(deserialize_with = "pattern")]
    pub(crate) pattern: Regex,
}

fn read(text: &str) -> Runtime {
    toml::from_str(text).expect("a test reads what is compiled in")
}

/// CPython.
pub(crate) static PYTHON: LazyLock<Runtime> = LazyLock::new(|| read(catalogue::PYTHON));
/// CRuby.
pub(crate) static RUBY: LazyLock<Runtime> = LazyLock::new(|| read(catalogue::RUBY));
/// PHP.
pub(crate) static PHP: LazyLock<Runtime> = LazyLock::new(|| read(catalogue::PHP));
/// Node.
pub(crate) static NODE: LazyLock<Runtime> = LazyLock::new(|| read(catalogue::NODE));
/// Go.
pub(crate) static GO: LazyLock<Runtime> = LazyLock::new(|| read(catalogue::GO));
/// The Java virtual machine.
pub(crate) static JAVA: LazyLock<Runtime> = LazyLock::new(|| read(catalogue::JAVA));
/// Whatever else is machine code.
pub(crate) static NATIVE: LazyLock<Runtime> = LazyLock::new(|| read(catalogue::NATIVE));

/// All of them.
pub(crate) fn all() -> impl Iterator<Item = &'static Runtime> {
    [&PYTHON, &RUBY, &PHP, &NODE, &GO, &JAVA, &NATIVE]
        .into_iter()
        .map(|of| &**of)
}

/// Environment that programs need so that their stacks can be read; others ignore it. Each value is a list of options, which
/// may stand behind others.
pub fn environment() -> BTreeMap<String, String> {
    all().flat_map(|of| of.environment.clone()).collect()
}

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

fn some_pattern<'de, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Regex>, D::Error> {
    pattern(deserializer).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_compiled_in_can_be_read() {
        for text in [
            catalogue::RUBY,
            catalogue::PHP,
            catalogue::NODE,
            catalogue::GO,
            catalogue::JAVA,
            catalogue::NATIVE,
        ] {
            toml::from_str::<Runtime>(text).unwrap();
        }
        let runtime = toml::from_str::<Runtime>(catalogue::PYTHON).unwrap();
        assert!(runtime.is_mapped_as("libpython3.11.so.1.0") && !runtime.is_mapped_as("ld.so"));
        assert!(runtime.frameworks.values().all(|of| !of.is_empty()));
    }
}
