//! Programs that users have beside weir, and whether they are here.

use regex::Regex;
use serde::Deserialize;

use crate::entry::Ask;
use crate::probe::{PATIENCE, State};
use crate::process::capture;

/// A program beside weir, looked for.
#[derive(Clone, Debug)]
pub struct Tool {
    /// What it is called.
    pub name: String,
    /// What it is good for, one line.
    pub purpose: String,
    /// Whether it is here.
    pub state: State,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Tools {
    tool: Vec<Spec>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Spec {
    name: String,
    purpose: String,
    version: Ask,
    install: String,
}

/// Looks for every tool that the catalogue names.
///
/// # Panics
/// If the catalogue's own text is wrong; a test reads it.
pub fn tools() -> Vec<Tool> {
    let tools: Tools =
        toml::from_str(catalogue::TOOLS).expect("the built-in tools are well-formed");
    tools.tool.into_iter().map(look).collect()
}

/// Some tools end with an error after they said their version, so only what they said counts.
fn look(spec: Spec) -> Tool {
    let pattern = Regex::new(&spec.version.pattern).expect("the built-in patterns are well-formed");
    let said = capture(&spec.version.argv, None, &[], PATIENCE);
    let missing = |why| State::Missing {
        why,
        install: Some(spec.install.clone()),
    };
    let command = spec.version.argv.join(" ");
    let state = match said {
        Err(error) => missing(error.to_string()),
        Ok(said) => match pattern.captures(&said.everything()) {
            Some(found) => State::Version(found[1].to_owned()),
            None => missing(format!("`{command}` does not say its version")),
        },
    };
    Tool {
        name: spec.name,
        purpose: spec.purpose,
        state,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_is_found_or_can_be_installed() {
        for tool in tools() {
            match tool.state {
                State::Version(version) => assert!(
                    version.starts_with(|c: char| c.is_ascii_digit()),
                    "{version}"
                ),
                State::Missing { install, .. } => assert!(install.is_some(), "{}", tool.name),
            }
        }
    }
}
