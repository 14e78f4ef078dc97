//! A request that the app answers, and the answer that counts as right, as `app.toml` declares them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use record::{Bytes, Method, Route, Texts};
use serde::Deserialize;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct RouteTable {
    path: String,
    #[serde(default)]
    method: Method,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    body: Option<Content>,
    #[serde(default = "ok")]
    status: u16,
    #[serde(default, alias = "expect_headers")]
    expect_headers: BTreeMap<String, HeaderRule>,
    #[serde(default)]
    contains: Texts,
    equals: Option<Content>,
    #[serde(default)]
    dynamic: Vec<String>,
    /// Seconds that each answer takes at least.
    wait: Option<f64>,
}

fn ok() -> u16 {
    200
}

/// `content-type = "text/html"` (this value) or `etag = true` (any value).
#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "expected a value, or true for any value")]
enum HeaderRule {
    Value(String),
    There(bool),
}

/// A body: `"text"`, `{ base64 = "gqY=" }` or `{ file = "body.bin" }`.
#[derive(Debug, Deserialize)]
#[serde(
    untagged,
    deny_unknown_fields,
    expecting = "expected a text, `{ base64 = \"…\" }` or `{ file = \"…\" }`"
)]
enum Content {
    Text(String),
    Base64 {
        base64: String,
    },
    /// Relative to the app's folder.
    File {
        file: PathBuf,
    },
}

impl Content {
    fn bytes(self, app: &Path) -> Result<Bytes, String> {
        match self {
            Self::Text(text) => Ok(Bytes(text.into())),
            Self::Base64 { base64 } => {
                Bytes::from_base64(&base64).ok_or_else(|| format!("`{base64}` is not base64"))
            }
            Self::File { file } => {
                let path = app.join(file);
                let read = input::read(&path);
                let unread = |error| format!("`{}` cannot be read: {error}", path.display());
                read.map(Bytes).map_err(unread)
            }
        }
    }
}

/// A header with the value of a variable of weir's environment where it is `$NAME` and nothing else, as what says who asks is.
fn header((name, text): (String, String)) -> Result<(String, String), String> {
    let variable = text.strip_prefix('$');
    let value = match variable.filter(|of| record::is_variable(of)) {
        None => text,
        Some(of) => std::env::var(of).map_err(|_| {
            format!("header `{name}`: `${of}` is not set: set it (`export {of}=…`)")
        })?,
    };
    if several_lines(&name) || several_lines(&value) {
        return Err(format!("header `{name}` must be one line"));
    }
    Ok((name, value))
}

fn several_lines(text: &str) -> bool {
    text.contains(['\r', '\n'])
}

impl RouteTable {
    /// What it means for an app in this folder.
    /// Errors: in words, what makes no sense in it.
    pub(super) fn resolve(self, app: &Path) -> Result<Route, String> {
        let place = format!("route `{} {}`", self.method.name(), self.path);
        self.flaw().map_err(|flaw| format!("{place}: {flaw}"))?;
        let content = |key: &str, content: Option<Content>| {
            let bytes = content.map(|content| content.bytes(app)).transpose();
            bytes.map_err(|problem| format!("{place}: `{key}`: {problem}"))
        };
        let headers = self.headers.into_iter().map(header);
        let headers: Result<BTreeMap<String, String>, String> = headers.collect();
        let named = |(name, rule): (String, HeaderRule)| match rule {
            HeaderRule::Value(value) => (name.to_lowercase(), Some(value)),
            HeaderRule::There(_) => (name.to_lowercase(), None),
        };
        Ok(Route {
            body: content("body", self.body)?.unwrap_or_default(),
            equals: content("equals", self.equals)?,
            method: self.method,
            path: self.path,
            headers: headers.map_err(|problem| format!("{place}: {problem}"))?,
            status: self.status,
            expect_headers: self.expect_headers.into_iter().map(named).collect(),
            contains: self.contains.all().to_vec(),
            dynamic: self.dynamic,
            wait: self.wait,
        })
    }

    fn flaw(&self) -> Result<(), String> {
        let unfit = |c: char| c.is_whitespace() || c.is_control();
        if !self.path.starts_with('/') || self.path.contains(unfit) {
            return Err("a path begins with `/` and has no spaces".to_owned());
        }
        if self.body.is_some() && !self.method.has_body() {
            let method = self.method.name();
            return Err(format!(
                "`body` means nothing with {method}: write `method = \"POST\"`"
            ));
        }
        let is_time = |wait: f64| wait.is_finite() && wait > 0.0;
        if self.wait.is_some_and(|wait| !is_time(wait)) {
            return Err(
                "`wait` must be above 0: seconds that each response takes at least".to_owned(),
            );
        }
        let status = self.status;
        if !(200..600).contains(&status) {
            return Err(format!(
                "`status` {status} is not a final status (200 to 599)"
            ));
        }
        let mut patterns = self.dynamic.iter();
        if let Some(pattern) = patterns.find(|pattern| regex::bytes::Regex::new(pattern).is_err()) {
            return Err(format!("`dynamic` `{pattern}` is not a regular expression"));
        }
        let mut rules = self.expect_headers.iter();
        match rules.find(|(_, rule)| matches!(rule, HeaderRule::There(false))) {
            Some((name, _)) => Err(format!("header `{name}`: write a value, or true")),
            None => Ok(()),
        }
    }
}
