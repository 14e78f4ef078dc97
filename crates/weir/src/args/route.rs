//! What `weir try` asks the app.

use std::path::PathBuf;

use clap::Args;
use record::Method;

use super::value::header;

#[derive(Debug, Args)]
#[command(next_help_heading = "Request")]
pub(crate) struct RouteArgs {
    /// Path to load
    #[arg(long, default_value = "/", value_name = "PATH")]
    pub(crate) path: String,
    /// Request method; every request is sent many times, so its effect must be repeatable
    #[arg(long, short = 'X', default_value = "GET", value_name = "METHOD", value_parser = method)]
    pub(crate) method: Method,
    /// Header to send, as in 'Content-Type: application/json'; repeatable. `Host` is `localhost` by
    /// default
    #[arg(long, short = 'H', value_name = "NAME: VALUE", value_parser = header)]
    pub(crate) header: Vec<(String, String)>,
    /// Request body, as text
    #[arg(long, value_name = "TEXT", conflicts_with = "body_file")]
    pub(crate) body: Option<String>,
    /// Request body, from a file
    #[arg(long, value_name = "FILE")]
    pub(crate) body_file: Option<PathBuf>,
    /// Expected status, as in 302 for a page behind a login
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u16).range(100..600))]
    pub(crate) status: u16,
}

fn method(text: &str) -> Result<Method, String> {
    let meant = Method::ALL.into_iter().find(|one| one.name() == text);
    meant.ok_or_else(|| format!("write one of {}", Method::ALL.map(Method::name).join(", ")))
}
