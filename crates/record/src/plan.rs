use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::Load;

/// A resolved plan: everything that decides what a run does. It is stored with the run, so that
/// the run can be resumed, repeated and judged without the file it came from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// Short name, from the file's.
    pub name: String,
    /// One line for people.
    pub title: String,
    /// The application under load.
    pub app: App,
    /// How each stage is loaded.
    pub load: Load,
    /// How often each stage is started afresh and measured; the unit of replication.
    pub blocks: u32,
    /// Seed of the order inside blocks and of every bootstrap.
    pub seed: u64,
    /// What is tried, in the order in which tables show it.
    pub stages: Vec<Stage>,
    /// The stage that others are compared with.
    pub baseline: String,
    /// The stage that is run a second time in each block, under two names, to learn how far apart
    /// two equal things lie in this session (A/A).
    pub noise_floor: Option<String>,
    /// Statements that the run decides.
    pub claims: Vec<Claim>,
    /// Whether a stage that fails is left out and the others go on; else it ends the run.
    #[serde(default)]
    pub keep_going: bool,
}

impl Plan {
    /// The stage of this name.
    pub fn stage(&self, name: &str) -> Option<&Stage> {
        self.stages.iter().find(|stage| stage.name == name)
    }

    /// How this stage is loaded.
    pub fn load_of<'a>(&'a self, stage: &'a Stage) -> &'a Load {
        stage.load.as_ref().unwrap_or(&self.load)
    }

    /// How many trials the plan asks for: every stage once per block, and the A/A half with them.
    pub fn trials(&self) -> u64 {
        let per_block = self.stages.len() + usize::from(self.noise_floor.is_some());
        u64::from(self.blocks) * per_block as u64
    }
}

/// An application, as its `app.toml` or its folder declares it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct App {
    /// Short name.
    pub name: String,
    /// Absolute folder; servers start in it.
    pub dir: PathBuf,
    /// What an app server must be able to load.
    pub interface: Interface,
    /// What to load, in the interface's own words (`module:callable` for WSGI).
    pub entry: String,
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
    /// Nothing to load: files only.
    Static,
}

impl Interface {
    /// The name used in entries and plans.
    pub fn name(self) -> &'static str {
        match self {
            Self::Wsgi => "wsgi",
            Self::Asgi => "asgi",
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

/// One way of serving the app.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stage {
    /// Name, unique in the plan.
    pub name: String,
    /// One line for people.
    pub title: String,
    /// The app server; absent when the front end serves files alone.
    pub server: Option<Choice>,
    /// The front end; absent when clients speak to the app server.
    pub front: Option<Choice>,
    /// How the front end reaches the app server.
    #[serde(default)]
    pub link: Transport,
    /// The route that is loaded: path of one of the app's routes.
    pub route: String,
    /// How it is loaded, where that is not as the plan says for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load: Option<Load>,
}

/// An entry of the catalogue with the knobs that differ from its defaults.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Choice {
    /// Name of the entry.
    pub entry: String,
    /// Knob values by name.
    #[serde(default)]
    pub knobs: BTreeMap<String, Knob>,
}

/// The value of a knob.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Knob {
    /// On or off.
    Switch(bool),
    /// A count, a size in the knob's unit, a number of seconds.
    Number(i64),
    /// One of the knob's choices, or a formula over `cores` for a number.
    Text(String),
}

/// How two programs on this machine are connected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Transport {
    /// TCP over loopback.
    #[default]
    Tcp,
    /// A Unix domain stream socket.
    Unix,
}

/// What is spoken over a connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Protocol {
    /// HTTP/1.1.
    #[default]
    Http1,
    /// HTTP/1.0.
    Http10,
    /// HTTP/2.
    Http2,
    /// FastCGI 1.0.
    #[serde(rename = "fastcgi")]
    FastCgi,
    /// SCGI.
    Scgi,
    /// The uwsgi protocol.
    Uwsgi,
    /// AJP 1.3.
    Ajp,
    /// Messages of WebSocket, each answered by one.
    WebSocket,
}

impl Protocol {
    /// The protocol as a person says it.
    pub fn words(self) -> &'static str {
        match self {
            Self::Http1 => "HTTP/1",
            Self::Http10 => "HTTP/1.0",
            Self::Http2 => "HTTP/2",
            Self::FastCgi => "FastCGI",
            Self::Scgi => "SCGI",
            Self::Uwsgi => "uwsgi",
            Self::Ajp => "AJP13",
            Self::WebSocket => "WebSocket",
        }
    }
}

/// Where a load goes: resolved, ready to connect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Target {
    /// A TCP address.
    Tcp(std::net::SocketAddr),
    /// A path of a Unix domain stream socket.
    Unix(PathBuf),
}

/// A statement about stages that a run decides.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Claim {
    /// Identifier (`A1`).
    pub id: String,
    /// The statement in words.
    pub text: String,
    /// The figure that the field report gave.
    pub reported: String,
    /// Conditions that must all hold, in the language of `judge::expect`
    /// (``throughput of `b` / throughput of `a` >= 1.6``).
    pub expect: Vec<String>,
}
