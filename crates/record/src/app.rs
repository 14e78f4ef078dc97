use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::{Protocol, Transport};

/// An application, as its `app.toml` or its folder declares it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct App {
    /// Short name.
    pub name: String,
    /// Absolute folder; servers start in it.
    pub dir: PathBuf,
    /// What an app server must be able to load.
    pub interface: Interface,
    /// What to load, in the interface's own words: `module:callable` for WSGI and ASGI, a file for Rack
    /// and Lua, a WAR file or its folder for servlets, a shell's command line for a program.
    pub entry: String,
    /// What a program speaks to those who call it; empty where the app server decides that.
    #[serde(default)]
    pub listens: BTreeMap<Protocol, Vec<Transport>>,
    /// Frameworks recognised in the app (`flask`), for servers that come with a framework.
    #[serde(default)]
    pub frameworks: Vec<String>,
    /// The interpreter that the app and its Python app servers run in; absolute.
    #[serde(default)]
    pub python: Option<PathBuf>,
    /// Commands (argv) run once in `dir` before the first trial.
    #[serde(default)]
    pub setup: Vec<Vec<String>>,
    /// Environment given to setup commands and servers.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// Requests the app answers; the first is the default for load and readiness.
    pub routes: Vec<Route>,
    /// Files of the app that a front end can serve by itself.
    #[serde(default)]
    pub site: Option<StaticSite>,
}

/// What an app server must be able to load.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Interface {
    /// A Python callable after PEP 3333.
    Wsgi,
    /// A Python callable after the ASGI specification.
    Asgi,
    /// A Ruby callable after the Rack specification, by its `config.ru`.
    Rack,
    /// A Java web application: a WAR file, or a folder laid out as one (Java Servlet 4.0, section 10.5).
    Servlet,
    /// A program that serves by itself; its entry is a command line.
    Program,
    /// Lua inside a web server; its entry is a file.
    Lua,
    /// Nothing to load: files only.
    Static,
}

impl Interface {
    /// Every interface.
    pub const ALL: [Self; 7] = [
        Self::Wsgi,
        Self::Asgi,
        Self::Rack,
        Self::Servlet,
        Self::Program,
        Self::Lua,
        Self::Static,
    ];

    /// The name used in entries and plans.
    pub fn name(self) -> &'static str {
        match self {
            Self::Wsgi => "wsgi",
            Self::Asgi => "asgi",
            Self::Rack => "rack",
            Self::Servlet => "servlet",
            Self::Program => "program",
            Self::Lua => "lua",
            Self::Static => "static",
        }
    }
}

/// A request and the answer that counts as right.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Route {
    /// Request method.
    #[serde(default)]
    pub method: Method,
    /// Path and query, beginning with `/`.
    pub path: String,
    /// Request headers besides `Host`.
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// Expected status.
    pub status: u16,
    /// Response headers that must be there, with the value they must have (`None`: any), names in
    /// lower case.
    #[serde(default)]
    pub expect_headers: BTreeMap<String, Option<String>>,
    /// Text that the body must contain.
    #[serde(default)]
    pub contains: Vec<String>,
    /// Regular expressions of parts that differ from answer to answer; they are masked before two
    /// bodies are compared.
    #[serde(default)]
    pub dynamic: Vec<String>,
}

impl Route {
    /// `GET path`, answered with 200.
    pub fn get(path: impl Into<String>) -> Self {
        Self {
            method: Method::Get,
            path: path.into(),
            headers: BTreeMap::new(),
            status: 200,
            expect_headers: BTreeMap::new(),
            contains: Vec::new(),
            dynamic: Vec::new(),
        }
    }

    /// The request as a person writes it: `GET /`.
    pub fn request(&self) -> String {
        format!("{} {}", self.method.name(), self.path)
    }
}

/// Request methods that weir sends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Method {
    /// GET
    #[default]
    Get,
    /// HEAD
    Head,
}

impl Method {
    /// The method as it stands on the request line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Head => "HEAD",
        }
    }
}

/// Files that a front end can serve without the app.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StaticSite {
    /// Absolute folder.
    pub dir: PathBuf,
    /// URL path under which the app itself serves that folder, with slashes at both ends.
    pub url: String,
}
