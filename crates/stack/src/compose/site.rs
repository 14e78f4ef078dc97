//! The files of an app that a front end serves from disk.

use std::path::{Component, Path, PathBuf};

use record::{App, Interface, Route, StaticSite};

use crate::path::{is_hidden, is_loaded, is_script};

/// Whether the files of an app lie among its scripts, so that its site is all of a web root.
pub(super) fn among_scripts(app: &App, site: &StaticSite) -> bool {
    app.interface == Interface::Php && site.url == "/"
}

/// Whether a front end serves a file of the app's site: of a PHP app no script and nothing hidden, and among scripts those
/// alone that browsers load.
pub fn is_served(app: &App, file: &Path) -> bool {
    let Some(site) = &app.site else {
        return false;
    };
    let Ok(below) = file.strip_prefix(&site.dir) else {
        return false;
    };
    if among_scripts(app, site) {
        is_loaded(below)
    } else {
        app.interface != Interface::Php || !(is_script(below) || is_hidden(below))
    }
}

/// The file of the app's site that a front end answers a route with; none where the route is for something else.
pub fn served_file(app: &App, route: &Route) -> Option<PathBuf> {
    let site = app.site.as_ref()?;
    let file = asked_of(&site.dir, &site.url, route)?;
    is_served(app, &file).then_some(file)
}

/// A route's path, without its query.
pub(super) fn path_of(route: &Route) -> &str {
    let end = route.path.find(['?', '#']);
    &route.path[..end.unwrap_or(route.path.len())]
}

/// The file that a route asks for of the folder that lies at a URL's path. A folder at the root has every route below it,
/// and few as files.
pub(super) fn asked_of(folder: &Path, url: &str, route: &Route) -> Option<PathBuf> {
    if route.method.has_body() {
        return None; // files are read
    }
    let file = Path::new(path_of(route).strip_prefix(url)?);
    let mut parts = file.components();
    let inside = parts.all(|part| matches!(part, Component::Normal(_)));
    let file = inside.then(|| folder.join(file))?;
    file.is_file().then_some(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn app(folder: &Path, site: (&str, &str)) -> App {
        App {
            dir: folder.to_owned(),
            interface: Interface::Php,
            entry: "index.php".into(),
            site: Some(StaticSite {
                dir: folder.join(site.0),
                url: site.1.into(),
            }),
            ..App::default()
        }
    }

    #[test]
    fn among_scripts_only_what_browsers_load_is_a_file() {
        let folder = testkit::temp_dir();
        for name in [
            "index.php",
            "composer.json",
            "style.css",
            "STYLE.CSS",
            "css/a.css",
            "css/a.php",
            "css/b.json",
            "css/.a.css",
            "vendor/tool/a.css",
            ".git/a.css",
        ] {
            let file = folder.path().join(name);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, "text").unwrap();
        }
        let served = |site: (&str, &str)| {
            let app = app(folder.path(), site);
            move |path: &str| served_file(&app, &Route::get(path)).is_some()
        };
        let root = served(("", "/"));
        assert!(root("/style.css") && root("/css/a.css?v=2"));
        for other in [
            "/",
            "/css",
            "/index.php",
            "/composer.json",
            "/STYLE.CSS",
            "/css/a.php",
            "/css/b.json",
            "/css/.a.css",
            "/vendor/tool/a.css",
            "/.git/a.css",
            "/css/../style.css",
            "/none.css",
        ] {
            assert!(!root(other), "{other}");
        }
        let css = served(("css", "/css/"));
        assert!(css("/css/a.css") && css("/css/b.json"));
        assert!(!css("/css/a.php") && !css("/css/.a.css") && !css("/style.css"));
        let posted = Route {
            method: record::Method::Post,
            ..Route::get("/style.css")
        };
        let app = app(folder.path(), ("", "/"));
        assert_eq!(served_file(&app, &posted), None, "files are read");
    }
}
