//! What services mean to the app: environment, and commands before its start.

use std::collections::BTreeMap;

use minijinja::Value;
use minijinja::value::Serde;

use super::placed;
use crate::compose::composition::{Composition, Part};
use crate::compose::workspace::Workspace;
use crate::entry::{expression, offers::or_none};
use crate::error::{Result, StackError};

/// The app's environment, with what it is told of the services in this workspace.
pub(super) fn told(
    composition: &Composition,
    workspace: &Workspace,
) -> Result<BTreeMap<String, String>> {
    let mut env = composition.app.env.clone();
    for placement in &workspace.placements {
        let part = &composition.parts[placement.part];
        let name = part.service.as_ref();
        let Some((name, used)) = name.and_then(|name| composition.app.services.get_key_value(name))
        else {
            continue;
        };
        let given = placed(composition, workspace, placement)?.given()?;
        let words = Value::from(Serde(&given));
        for (variable, text) in &used.env {
            let value = expression::render(text, &words).map_err(|problem| {
                let place = format!("`services.{name}.env.{variable}` of its app.toml");
                untold(composition, part, &given, &format!("{place}: {problem}"))
            })?;
            env.insert(variable.clone(), value);
        }
    }
    Ok(env)
}

/// The app wants to be told what the service does not give.
fn untold(
    composition: &Composition,
    part: &Part,
    given: &BTreeMap<&str, String>,
    problem: &str,
) -> StackError {
    let given: Vec<_> = given.keys().copied().collect();
    StackError::Refused {
        variant: composition.variant.clone(),
        why: problem.to_owned(),
        hint: format!("`{}` gives: {}", part.entry.name, or_none(&given)),
    }
}

/// What the app runs before its start, and for the services of the variant.
pub(super) fn prepare(composition: &Composition) -> Vec<Vec<String>> {
    let parts = composition.parts.iter();
    let names = parts.filter_map(|part| part.service.as_ref());
    let used = names.filter_map(|name| composition.app.services.get(name));
    let own = composition.app.prepare.iter();
    own.chain(used.flat_map(|used| &used.prepare))
        .cloned()
        .collect()
}
