//! What `weir try` asks the app.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;
use record::{Method, Route};

use super::number::status;
use super::value::{header, host, pattern};

#[derive(Debug, Args)]
#[command(next_help_heading = "Request")]
pub(crate) struct RouteArgs {
    /// Path to load [default: /, or that of the first route of the app's `app.toml`]
    #[arg(long, value_name = "PATH", value_parser = path)]
    pub(crate) path: Option<String>,
    /// Request method; every request is sent many times, so its effect must be repeatable [default: GET, or that of
    /// the route]
    #[arg(long, short = 'X', value_name = "METHOD", value_parser = method)]
    pub(crate) method: Option<Method>,
    /// Header to send, as in 'Content-Type: application/json'; repeatable
    #[arg(long, short = 'H', value_name = "NAME: VALUE", value_parser = header)]
    pub(crate) header: Vec<(String, String)>,
    /// Name by which every variant is asked (the `Host` header; -H 'Host: NAME' has precedence) [default:
    /// localhost]
    #[arg(long, value_name = "NAME", value_parser = host)]
    pub(crate) host: Option<String>,
    /// Request body, as text
    #[arg(long, value_name = "TEXT", conflicts_with = "body_file")]
    pub(crate) body: Option<String>,
    /// Request body, from a file
    #[arg(long, value_name = "FILE")]
    pub(crate) body_file: Option<PathBuf>,
    /// Expected status, as in 302 for a page behind a login [default: 200, of the page that `PATH` redirects to, or
    /// that of the route in an `app.toml`]
    #[arg(long, value_parser = status)]
    pub(crate) status: Option<u16>,
    /// Regular expression of a part that differs between responses, and is not compared; repeatable
    #[arg(long, value_name = "REGEX", value_parser = pattern)]
    pub(crate) dynamic: Vec<String>,
}

impl RouteArgs {
    /// What is sent beyond what the app itself wants: the headers that were given, and the name to ask by.
    pub(crate) fn headers(&self, own: &BTreeMap<String, String>) -> BTreeMap<String, String> {
        let mut route = Route {
            headers: own.clone(),
            ..Route::default()
        };
        if let Some(host) = &self.host {
            route.ask_as(host);
        }
        for (name, value) in &self.header {
            route
                .headers
                .retain(|known, _| !known.eq_ignore_ascii_case(name));
            route.headers.insert(name.clone(), value.clone());
        }
        route.headers
    }
}

/// A path, as a request has it.
fn path(text: &str) -> Result<String, String> {
    if text.contains(|c: char| c.is_whitespace() || c.is_control()) {
        return Err("a path has no spaces: write `%20` in place of one".to_owned());
    }
    match text {
        _ if text.starts_with('/') => Ok(text.to_owned()),
        _ if text.contains("://") => {
            Err("a path begins with `/`: leave out what stands before that in a URL".to_owned())
        }
        _ => Err(format!("a path begins with `/`: did you mean `/{text}`?")),
    }
}

fn method(text: &str) -> Result<Method, String> {
    let meant = Method::ALL.into_iter().find(|one| one.name() == text);
    meant.ok_or_else(|| format!("write one of {}", Method::ALL.map(Method::name).join(", ")))
}
