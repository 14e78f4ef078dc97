//! A Python project that is installed as a program: its own script serves, as its help says.

use std::path::Path;

use toml::Table;

use super::missed::Missed;
use super::source::takes_a_port;
use super::{Kind, Recognised, Wish, help, program, text};
use crate::app::interpreter::interpreter;
use crate::error::Result;

pub(super) const KIND: Kind = Kind {
    signs: "`pyproject.toml` with a script that serves",
    find,
};

/// Scripts that are asked for help.
const MOST: usize = 3;

fn find(wish: &Wish<'_>, missed: &mut Missed) -> Result<Option<Recognised>> {
    let project = text(wish.dir, "pyproject.toml").and_then(|text| text.parse::<Table>().ok());
    let scripts = project.map(|project| names(&project)).unwrap_or_default();
    let (Ok(dir), false) = (wish.dir.canonicalize(), scripts.is_empty()) else {
        return Ok(None);
    };
    let python = interpreter(&dir, wish.python)?;
    let from = "`pyproject.toml`";
    let mut scripts = scripts.iter().take(MOST);
    let wish = Wish { dir: &dir, ..*wish };
    Ok(scripts.find_map(|name| serving(&wish, &python, name, from, missed)))
}

/// A script beside an interpreter that serves, as its own help says; `from` is what offers it.
pub(super) fn serving(
    wish: &Wish<'_>,
    python: &Path,
    name: &str,
    from: &str,
    missed: &mut Missed,
) -> Option<Recognised> {
    let script = python.with_file_name(name);
    if !script.is_file() {
        missed.holds_none(format!(
            "{from} offers the script `{name}`, which is not installed beside {}",
            python.display()
        ));
        return None;
    }
    let Some(command) = help::serving(&script, wish.dir) else {
        missed.holds_none(format!(
            "{from} offers the script `{name}`, and its `--help` names no port: give `--command '{name} …'`"
        ));
        return None;
    };
    let mut found = program(wish, &command, &[]);
    found.app.python = Some(python.to_owned());
    takes_a_port(
        &mut found,
        format!("{from} offers the script `{name}`, and its `--help` says how it serves"),
    );
    Some(found)
}

/// The project's own scripts.
fn names(project: &Table) -> Vec<String> {
    let poetry = || {
        project
            .get("tool")?
            .get("poetry")?
            .get("scripts")?
            .as_table()
    };
    let own = || project.get("project")?.get("scripts")?.as_table();
    let tables = own().into_iter().chain(poetry());
    let plain = |name: &&String| !name.contains('/');
    tables
        .flat_map(Table::keys)
        .filter(plain)
        .cloned()
        .collect()
}
