//! The application as its `app.toml` declares it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use record::{App, Interface, Link, Login, ServiceUse, StaticSite};
use serde::Deserialize;

use super::interpreter::{interpreter, nameable};
use super::route::RouteTable;
use super::web_root::web_root;
use crate::entry::{Offers, expression, toml_problem};
use crate::error::{AppError, Result};

/// `app.toml`, key by key.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct AppFile {
    name: String,
    /// The app's folder, relative to the file's; that folder where there is none.
    dir: Option<PathBuf>,
    interface: Interface,
    #[serde(default)]
    entry: String,
    /// For PHP: whether the entry answers the paths that name nothing in its folder.
    front_controller: Option<bool>,
    /// For a program: what it speaks, `link` by `link`.
    #[serde(default)]
    listens: Vec<Link>,
    #[serde(default)]
    frameworks: Vec<String>,
    /// Relative to the app's folder.
    python: Option<PathBuf>,
    /// Templates; `{{ python }}` is the app's interpreter.
    #[serde(default)]
    setup: Vec<Vec<String>>,
    #[serde(default)]
    prepare: Vec<Vec<String>>,
    #[serde(default)]
    env: BTreeMap<String, String>,
    /// Names of variables.
    #[serde(default)]
    needs: Vec<String>,
    #[serde(default)]
    services: BTreeMap<String, ServiceTable>,
    login: Option<Login>,
    routes: Vec<RouteTable>,
    site: Option<SiteTable>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ServiceTable {
    /// Templates over what the service's entry gives.
    #[serde(default)]
    env: BTreeMap<String, String>,
    /// Templates; `{{ python }}` is the app's interpreter.
    #[serde(default)]
    prepare: Vec<Vec<String>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SiteTable {
    dir: PathBuf,
    url: String,
}

/// Reads an app from its `app.toml`, or from the folder that holds one.
///
/// The interpreter is `python` if given, else the file's `python`, else the one that
/// [`interpreter`] finds.
///
/// # Errors
/// A file that cannot be read or is wrong, by line; no interpreter.
pub fn read(path: &Path, python: Option<&Path>) -> Result<App> {
    let file = if path.is_dir() {
        path.join("app.toml")
    } else {
        path.to_owned()
    };
    let problem = |problem: String| AppError::File {
        file: file.clone(),
        problem,
    };
    let text = input::text(&file).map_err(|error| problem(error.to_string().to_lowercase()))?;
    let table: AppFile =
        toml::from_str(&text).map_err(|error| problem(toml_problem(&text, &error)))?;
    let parent = file.parent().filter(|it| !it.as_os_str().is_empty());
    let beside = parent.unwrap_or(Path::new("."));
    let (dir, lost) = match &table.dir {
        Some(own) => (
            beside.join(own),
            format!("`dir` `{}` is no folder", own.display()),
        ),
        None => (beside.to_owned(), "its folder cannot be found".to_owned()),
    };
    let dir = dir.canonicalize().map_err(|_| problem(lost))?;
    nameable(&dir)?;
    let own = table.python.as_ref().map(|path| dir.join(path));
    let runs_in_python = matches!(table.interface, Interface::Wsgi | Interface::Asgi);
    let python = runs_in_python.then(|| interpreter(&dir, python.or(own.as_deref())));
    let python = python.transpose()?;
    let mut app = resolve(table, dir, python).map_err(problem)?;
    app.site = app.site.take().or_else(|| web_root(&app));
    Ok(app)
}

fn resolve(table: AppFile, dir: PathBuf, python: Option<PathBuf>) -> Result<App, String> {
    if table.routes.is_empty() {
        return Err("`routes` is empty: declare at least one request with its response".to_owned());
    }
    if table.entry.is_empty() && table.interface != Interface::Static {
        return Err(
            "`entry` is missing: what an app server loads, such as `module:callable`".to_owned(),
        );
    }
    if table.front_controller.is_some() && table.interface != Interface::Php {
        return Err("`front-controller` is for `interface = \"php\"`: leave it out".to_owned());
    }
    named(&table.needs)?;
    let words = minijinja::context! { python => minijinja::value::Serde(&python) };
    let command = |argv: &Vec<String>| match argv.as_slice() {
        [] => Err("an empty command".to_owned()),
        argv => {
            let argv = argv.iter().map(|text| expression::render(text, &words));
            argv.collect::<Result<Vec<_>, _>>()
        }
    };
    let commands = |key: &str, list: &[Vec<String>]| -> Result<Vec<_>, String> {
        let rendered: Result<_, _> = list.iter().map(command).collect();
        rendered.map_err(|problem| format!("`{key}`: {problem}"))
    };
    let setup = commands("setup", &table.setup)?;
    let prepare = commands("prepare", &table.prepare)?;
    let service = |(name, used): (String, ServiceTable)| {
        let prepare = commands(&format!("services.{name}.prepare"), &used.prepare)?;
        let env = used.env;
        Ok((name, ServiceUse { env, prepare }))
    };
    let services = table.services.into_iter().map(service);
    let services = services.collect::<Result<_, String>>()?;
    let routes = table.routes.into_iter().map(|route| route.resolve(&dir));
    Ok(App {
        name: table.name,
        interface: table.interface,
        entry: table.entry,
        front_controller: table.front_controller,
        listens: listens(&table.listens),
        frameworks: table.frameworks,
        setup,
        prepare,
        env: table.env,
        needs: table.needs,
        services,
        login: table.login,
        routes: routes.collect::<Result<_, _>>()?,
        site: table.site.map(|site| site.resolve(&dir)).transpose()?,
        python,
        dir,
    })
}

/// Errors: what is no name of a variable.
fn named(needs: &[String]) -> Result<(), String> {
    match needs.iter().find(|of| !record::is_variable(of)) {
        None => Ok(()),
        Some(wrong) => {
            let wrong = wrong.escape_debug();
            Err(format!("`needs`: `{wrong}` is no name of a variable"))
        }
    }
}

/// `["http", "fastcgi+unix"]`, by protocol; HTTP and TCP where a link does not say.
fn listens(links: &[Link]) -> Offers {
    let mut offers = Offers::new();
    for link in links {
        let transports = offers.entry(link.protocol.unwrap_or_default()).or_default();
        transports.push(link.transport.unwrap_or_default());
    }
    offers
}

impl SiteTable {
    fn resolve(self, app: &Path) -> Result<StaticSite, String> {
        let url = self.url;
        if !(url.starts_with('/') && url.ends_with('/')) {
            return Err(format!("`site.url` `{url}` must begin and end with `/`"));
        }
        let dir = app.join(&self.dir);
        let lost = |_| format!("`site.dir` `{}` is no folder", dir.display());
        let dir = dir.canonicalize().map_err(lost)?;
        Ok(StaticSite { dir, url })
    }
}
