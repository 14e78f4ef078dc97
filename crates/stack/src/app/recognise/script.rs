//! A Python project that is installed as a program: its own script serves, as its help says.

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
    for name in scripts.into_iter().take(MOST) {
        let script = python.with_file_name(&name);
        if !script.is_file() {
            missed.holds_none(format!(
                "`pyproject.toml` offers the script `{name}`, which is not installed beside {}",
                python.display()
            ));
        } else if let Some(command) = help::serving(&script, &dir) {
            let mut found = program(wish, &command, &[]);
            found.app.python = Some(python);
            takes_a_port(
                &mut found,
                format!(
                    "`pyproject.toml` offers the script `{name}`, and its `--help` says how it serves"
                ),
            );
            return Ok(Some(found));
        } else {
            missed.holds_none(format!(
                "`pyproject.toml` offers the script `{name}`, and its `--help` names no port: give `--command '{name} …'`"
            ));
        }
    }
    Ok(None)
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
