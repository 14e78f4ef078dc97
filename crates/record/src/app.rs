use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::named::named;
use crate::{Bytes, Login, Protocol, Transport};

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

/// A request and the answer that counts as right.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Route {
    /// Request method.
    #[serde(default)]
    pub method: Method,
    /// Path and query, beginning with `/`.
    pub path: String,
    /// Request headers; `Host` where it is not the one of all routes.
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// The body that is sent; empty for none.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub body: Bytes,
    /// Expected status.
    pub status: u16,
    /// Response headers that must be there, with the value they must have (`None`: any), names in
    /// lower case.
    #[serde(default)]
    pub expect_headers: BTreeMap<String, Option<String>>,
    /// Text that the body must contain.
    #[serde(default)]
    pub contains: Vec<String>,
    /// What the body must be, to the byte; absent where that is not declared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub equals: Option<Bytes>,
    /// Regular expressions of parts that differ from answer to answer; they are masked before two
    /// bodies are compared.
    #[serde(default)]
    pub dynamic: Vec<String>,
    /// The least time that an answer takes, because the app waits for something that is not the
    /// machine's (a sleep, a service elsewhere); seconds. Unknown when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wait: Option<f64>,
}

impl Route {
    /// `GET path`, answered with 200.
    pub fn get(path: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            status: 200,
            ..Self::default()
        }
    }

    /// The name by which it asks, if it says one: the header `Host`.
    pub fn host(&self) -> Option<&str> {
        let mut headers = self.headers.iter();
        let host = headers.find(|(name, _)| name.eq_ignore_ascii_case("host"));
        host.map(|(_, value)| value.as_str())
    }

    /// Asks by this name from now on.
    pub fn ask_as(&mut self, host: &str) {
        self.headers
            .retain(|name, _| !name.eq_ignore_ascii_case("host"));
        self.headers.insert("Host".to_owned(), host.to_owned());
    }

    /// The same request with this header `Cookie`, if any.
    #[must_use]
    pub fn with_cookie(mut self, cookie: Option<&str>) -> Self {
        let cookie = cookie.map(|value| ("Cookie".to_owned(), value.to_owned()));
        self.headers.extend(cookie);
        self
    }

    /// The request as a person writes it: `GET /`.
    pub fn request(&self) -> String {
        format!("{} {}", self.method.name(), self.path)
    }

    /// What plans call it: `/` when it is a GET, else `POST /rpc`.
    pub fn name(&self) -> String {
        match self.method {
            Method::Get => self.path.clone(),
            _ => self.request(),
        }
    }
}

fn is_empty(bytes: &[u8]) -> bool {
    bytes.is_empty()
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

named! {
    /// Request methods that weir sends.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
    #[serde(rename_all = "UPPERCASE")]
    pub enum Method,
    /// The method as it stands on the request line.
    fn name {
        /// GET
        #[default]
        Get = "GET",
        /// HEAD
        Head = "HEAD",
        /// POST
        Post = "POST",
        /// PUT
        Put = "PUT",
        /// PATCH
        Patch = "PATCH",
        /// DELETE
        Delete = "DELETE",
    }
}

impl Method {
    /// Whether its requests carry a body: one of GET and HEAD would mean nothing (RFC 9110, sections 9.3.1 and 9.3.2).
    pub fn has_body(self) -> bool {
        !matches!(self, Self::Get | Self::Head)
    }

    /// Whether its requests may change what a server keeps (RFC 9110, section 9.2.1).
    pub fn writes(self) -> bool {
        matches!(self, Self::Post | Self::Put | Self::Patch | Self::Delete)
    }
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
