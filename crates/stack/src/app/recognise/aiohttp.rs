//! aiohttp: an app that no server's interface fits, and that its library serves by a command.

use super::python::written;
use super::source::takes_a_port;
use super::{Recognised, Wish};
use crate::error::Result;

/// Makes a program of an app that was found in a module: `aiohttp.web` calls what makes one.
pub(super) fn serve(wish: &Wish<'_>, recognised: &mut Recognised) -> Result<()> {
    let entry = recognised.app.entry.clone();
    let (module, app) = entry.split_once(':').unwrap_or((&entry, "app"));
    // the module may have the name of the function
    let text = format!(
        "from importlib import import_module\n\n\ndef app(argv):\n    return import_module('{module}').{app}\n"
    );
    written(wish, &mut recognised.app, &text)?;
    let python = recognised
        .app
        .python
        .as_ref()
        .map(|it| it.display().to_string());
    let python = python
        .unwrap_or_else(|| "python3".to_owned())
        .replace('\'', "'\\''");
    recognised.app.entry = format!("'{python}' -m aiohttp.web -H $HOST -P $PORT weir_made:app");
    takes_a_port(
        recognised,
        format!("`{entry}` is an app of aiohttp, which serves it by `python -m aiohttp.web`"),
    );
    Ok(())
}
