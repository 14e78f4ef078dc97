use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// A program that makes requests to an origin of weir's, which gives each the same response.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Client {
    /// The program and its arguments, in which `{url}` stands for the origin's URL.
    pub command: Vec<String>,
    /// The folder in which it runs.
    pub dir: PathBuf,
    /// Seconds between a request and its response.
    pub delay: f64,
    /// Status of the response, 200 to 599.
    pub status: u16,
    /// Its body.
    pub body: String,
}

impl Client {
    /// What its processes are listed under.
    pub const OWNER: &str = "client";

    /// This command in this folder, whose requests have a response at once: 200, with a few bytes.
    pub fn of(command: Vec<String>, dir: PathBuf) -> Self {
        Self {
            command,
            dir,
            delay: 0.0,
            status: 200,
            body: "ok\n".to_owned(),
        }
    }
}
