use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::named::named;
use crate::{Login, Protocol, Route, Transport};

/// An application, as its `app.toml` or its folder declares it.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct App {
    /// Short name.
    pub name: String,
    /// Absolute folder; servers start in it.
    pub dir: PathBuf,
    /// What an app server must be able to load.
    pub interface: Interface,
    /// What to load, in the interface's own words: `module:callable` for WSGI and ASGI, a file for Rack, PHP
    /// and Lua, a WAR file or its folder for servlets, a shell's command line for a program.
    pub entry: String,
    /// Whether the entry of a PHP app answers the paths that name no other script and no file; else these are not found.
    /// Absent where its declaration does not say: it answers them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub front_controller: Option<bool>,
    /// What a program speaks to those who call it; empty where the app server decides that.
    #[serde(default)]
    pub listens: BTreeMap<Protocol, Vec<Transport>>,
    /// Frameworks recognised in the app (`flask`), for servers that come with a framework.
    #[serde(default)]
    pub frameworks: Vec<String>,
    /// The interpreter that the app and its Python app servers run in; absolute.
    pub python: Option<PathBuf>,
    /// Commands (argv) run once in `dir` before the first trial.
    #[serde(default)]
    pub setup: Vec<Vec<String>>,
    /// Commands (argv) run in `dir` before each start, once the variant's services are ready.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub prepare: Vec<Vec<String>>,
    /// Environment given to setup commands and servers.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// Names of variables of weir's own environment that it reads: never their values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub needs: Vec<String>,
    /// Services that it can use, by the names under which variants run them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub services: BTreeMap<String, ServiceUse>,
    /// Sent after each start, before the routes are asked for: the session that it opens is every request's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub login: Option<Login>,
    /// Requests the app answers; the first is the default for load and readiness.
    pub routes: Vec<Route>,
    /// Files of the app that a front end can serve by itself.
    pub site: Option<StaticSite>,
}

/// How an app uses a service, where a variant runs one.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct ServiceUse {
    /// Environment that tells the app of it: templates over what the service's entry gives.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// Commands (argv) run after the app's own before each start, where a variant runs it.
    #[serde(default)]
    pub prepare: Vec<Vec<String>>,
}

named! {
    /// What an app server must be able to load.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Interface,
    /// The name used in entries and plans.
    fn name {
        /// A Python callable after PEP 3333.
        Wsgi = "wsgi",
        /// A Python callable after the ASGI specification.
        Asgi = "asgi",
        /// A Ruby callable after the Rack specification, by its `config.ru`.
        Rack = "rack",
        /// A PHP script, by its path: it answers every request whose path names no other one.
        Php = "php",
        /// A Java web application: a WAR file, or a folder laid out as one (Java Servlet 4.0, section 10.5).
        Servlet = "servlet",
        /// A program that serves by itself; its entry is a command line.
        Program = "program",
        /// Lua inside a web server; its entry is a file.
        Lua = "lua",
        /// Nothing to load: files only.
        #[default]
        Static = "static",
    }
}

impl App {
    /// What is asked of a server that weir does not run: one request, and nothing to start.
    pub fn elsewhere(route: Route) -> Self {
        Self {
            name: route.name(),
            interface: Interface::Static,
            routes: vec![route],
            ..Self::default()
        }
    }

    /// The route that is meant by a method and a path (`POST /rpc`), or by a path alone (`/rpc`): its
    /// GET where it has one, or else the one method that it has.
    ///
    /// # Errors
    /// None is called so, or several methods are and none of them is GET.
    pub fn route(&self, name: &str) -> Result<&Route, NoRoute> {
        let mut routes = self.routes.iter();
        if let Some(route) = routes.find(|route| name == route.name() || name == route.request()) {
            return Ok(route);
        }
        let mut found = self.routes.iter().filter(|route| route.path == name);
        let first = found.next();
        let first = first.ok_or_else(|| NoRoute::Unknown(name.to_owned()))?;
        if found.any(|other| other.method != first.method) {
            return Err(NoRoute::Several(name.to_owned()));
        }
        Ok(first)
    }
}

/// Why a name means no route of an app.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoRoute {
    /// None is called so.
    #[error("has no route `{0}`")]
    Unknown(String),
    /// It is the path of several, none of them a GET.
    #[error("has several routes `{0}`")]
    Several(String),
}

/// Files that a front end can serve without the app.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct StaticSite {
    /// Absolute folder.
    pub dir: PathBuf,
    /// URL path under which the app itself serves that folder, with slashes at both ends.
    pub url: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Method;

    #[test]
    fn a_route_is_called_by_its_path_where_that_is_enough() {
        let route = |method, path: &str| Route {
            method,
            ..Route::get(path)
        };
        let app = App {
            name: "shop".into(),
            dir: "/shop".into(),
            interface: Interface::Wsgi,
            entry: "shop:app".into(),
            routes: vec![
                route(Method::Post, "/"),
                route(Method::Get, "/"),
                route(Method::Post, "/rpc"),
                route(Method::Put, "/item"),
                route(Method::Delete, "/item"),
            ],
            ..App::default()
        };
        let found = |name| app.route(name).map(Route::request);
        assert_eq!(found("/").unwrap(), "GET /");
        assert_eq!(found("GET /").unwrap(), "GET /");
        assert_eq!(found("POST /").unwrap(), "POST /");
        assert_eq!(found("/rpc").unwrap(), "POST /rpc");
        assert_eq!(found("DELETE /item").unwrap(), "DELETE /item");
        assert_eq!(found("/no"), Err(NoRoute::Unknown("/no".into())));
        assert_eq!(found("/item"), Err(NoRoute::Several("/item".into())));
    }
}
