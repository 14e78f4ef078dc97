//! A folder of static files: there is nothing to load, and front ends serve it alone.

use std::path::Path;

use record::{Interface, Route, StaticSite};

use super::{Recognised, Wish, bare, unprepared};
use crate::error::Result;

/// Folders in which a site is built or lies by custom; the project's own last, as it may hold the sources of one.
const FOLDERS: [&str; 10] = [
    "dist", "build", "out", "_site", "site", "public", "www", "htdocs", "html", ".",
];
/// The page of a folder.
const PAGE: &str = "index.html";

/// The site that lies in the folder, where nothing else does.
pub(super) fn find(wish: &Wish<'_>) -> Option<Recognised> {
    let there = |folder: &&str| wish.dir.join(folder).join(PAGE).is_file();
    let folder = FOLDERS.into_iter().find(there)?;
    let mut found = of(wish, folder)?;
    let file = Path::new(folder).join(PAGE);
    let file = file.strip_prefix(".").unwrap_or(&file).display();
    found.because.push(format!("`{file}` is there"));
    Some(found)
}

/// The site that the user named, or the one that is there, or else the folder as it is.
pub(super) fn named(wish: &Wish<'_>) -> Result<Recognised> {
    let told = wish.entry;
    let there = || find(wish).or_else(|| of(wish, "."));
    let found = told.map_or_else(there, |folder| of(wish, folder));
    let mut found = found.ok_or_else(|| {
        let lacking = format!("`{}` is no folder", told.unwrap_or("."));
        unprepared(
            wish,
            &lacking,
            "name the folder of the files: `weir try public --as static`",
        )
    })?;
    found.because.insert(0, "you said it is static".to_owned());
    Ok(found)
}

fn of(wish: &Wish<'_>, folder: &str) -> Option<Recognised> {
    let dir = wish.dir.join(folder).canonicalize().ok()?;
    let mut found = bare(wish, Interface::Static, "", &[]);
    let page = dir.join(PAGE).is_file();
    found.app.routes = vec![Route::get(if page { "/index.html" } else { "/" })];
    let site = StaticSite {
        dir,
        url: "/".to_owned(),
    };
    found.app.site = site.dir.is_dir().then_some(site);
    found.app.site.is_some().then_some(found)
}
