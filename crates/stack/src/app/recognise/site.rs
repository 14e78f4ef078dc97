//! A folder of static files: there is nothing to load, and front ends serve it alone.

use std::path::Path;

use record::{Interface, Route, StaticSite};

use super::package::Package;
use super::source::folders_in;
use super::{Recognised, Wish, bare, text, unprepared};
use crate::error::Result;

/// Folders in which a site is built or lies by custom; the project's own last, as it may hold the sources of one.
const FOLDERS: [&str; 10] = [
    "dist", "build", "out", "_site", "site", "public", "www", "htdocs", "html", ".",
];
/// Those that a script of the project makes anew.
const BUILT: [&str; 4] = ["dist", "build", "out", "_site"];
/// The page of a folder.
const PAGE: &str = "index.html";
/// Folders in a built one that are looked into.
const INSIDE: usize = 16;

/// Pages that are sources where a project has a script that builds some.
const SOURCES: [&str; 3] = ["index.html", "public/index.html", "src/index.html"];
/// What a tool replaces in a page that it builds.
const MARKS: [&str; 2] = ["%PUBLIC_URL%", "<%"];
/// Packages that build pages from what is none.
const BUILDERS: [&str; 7] = [
    "@angular/core",
    "@docusaurus/core",
    "@11ty/eleventy",
    "astro",
    "gatsby",
    "react-scripts",
    "vite",
];

/// The site that lies in the folder, where nothing else does.
/// Errors: the folder has its sources, and it is not built.
pub(super) fn find(wish: &Wish<'_>) -> Result<Option<Recognised>> {
    let package = Package::read(wish.dir).filter(|it| it.script("build").is_some());
    let Some(package) = package else {
        return Ok(among(wish, FOLDERS.map(str::to_owned).into()));
    };
    let built = BUILT.iter().flat_map(|folder| inside(wish.dir, folder));
    let raw = |folder: &&str| {
        let text = text(&wish.dir.join(folder), PAGE).unwrap_or_default();
        *folder == "." || MARKS.iter().any(|mark| text.contains(mark))
    };
    let whole = FOLDERS.into_iter().filter(|folder| !raw(folder));
    let folders = built.chain(whole.map(str::to_owned)).collect();
    if let Some(found) = among(wish, folders) {
        return Ok(Some(found));
    }
    let sources = SOURCES.iter().any(|file| wish.dir.join(file).is_file());
    if sources || BUILDERS.iter().any(|name| package.uses(name)) {
        let lacking = "its pages are not built, and `package.json` has a `build` script";
        return Err(unprepared(wish, lacking, &package.build()));
    }
    Ok(None)
}

/// The site in the first of these folders that has a page.
fn among(wish: &Wish<'_>, folders: Vec<String>) -> Option<Recognised> {
    let has_page = |folder: &String| wish.dir.join(folder).join(PAGE).is_file();
    let folder = folders.into_iter().find(has_page)?;
    let mut found = of(wish, &folder)?;
    let file = Path::new(&folder).join(PAGE);
    let file = file.strip_prefix(".").unwrap_or(&file).display();
    found.because.push(format!("`{file}` is there"));
    Some(found)
}

/// A folder that is built, folders in it, and folders in these: some tools build into one of the project's name.
fn inside(dir: &Path, folder: &str) -> Vec<String> {
    let names = |below: &str| folders_in(&dir.join(below)).into_iter().take(INSIDE);
    let first = names(folder).map(|name| format!("{folder}/{name}"));
    let first: Vec<_> = first.collect();
    let second = first.iter().flat_map(|below| {
        let names = names(below);
        names.map(move |name| format!("{below}/{name}"))
    });
    let second: Vec<_> = second.collect();
    [vec![folder.to_owned()], first, second].concat()
}

/// The site that the user named, or the one that is there, or else the folder as it is.
pub(super) fn named(wish: &Wish<'_>) -> Result<Recognised> {
    let told = wish.entry;
    let there = || {
        let found = among(wish, FOLDERS.map(str::to_owned).into());
        found.or_else(|| of(wish, "."))
    };
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
