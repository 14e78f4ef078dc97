//! The files of a PHP app that lie among its scripts.

use std::path::Path;

use record::{App, Interface, StaticSite};

use crate::path::{holds, is_loaded};

/// All of a PHP app's web root as its site, where browsers load a file of it.
pub(super) fn web_root(app: &App) -> Option<StaticSite> {
    let script = app.dir.join(&app.entry);
    let root = script
        .parent()
        .filter(|_| app.interface == Interface::Php)?;
    let loaded = |file: &Path| file.strip_prefix(root).is_ok_and(is_loaded);
    let dir = root.canonicalize().ok().filter(|_| holds(root, loaded))?;
    Some(StaticSite {
        dir,
        url: "/".to_owned(),
    })
}
