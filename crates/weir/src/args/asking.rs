//! What is asked, and which answers are right.

use std::path::PathBuf;

use clap::Args;
use load::{Check, Demand, Text};
use record::Login;

use super::value::header;

#[derive(Debug, Args)]
#[command(next_help_heading = "Request")]
pub(crate) struct RequestArgs {
    /// Request method [default: GET; with a body POST]
    #[arg(long, short = 'X', value_name = "METHOD", conflicts_with = "asked")]
    pub(crate) method: Option<String>,
    /// Request body, as text
    ///
    /// Sent by POST, as curl does, unless -X names another method. Over a WebSocket it is the message.
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["body_file", "asked"])]
    pub(crate) body: Option<String>,
    /// Request body, from a file
    #[arg(long, value_name = "FILE", conflicts_with = "asked")]
    pub(crate) body_file: Option<PathBuf>,
    /// Log in once before the load, and send every request within that session: a request, and what its form takes
    ///
    /// Such as `'POST /login user=ann password=$SHOP_PASSWORD'`, or with a JSON document in place of the fields. `$NAME`
    /// is read from weir's environment, and stored nowhere. Hidden fields of the form at that path are sent as well, and
    /// the cookies that the server sets belong to every request: to those of --mix, --replay and --page, too. So does the token of a
    /// JSON response (`access_token`, `token`, `id_token` or `jwt`), as `Authorization: Bearer`.
    #[arg(long, value_name = "REQUEST", conflicts_with_all = ["document_root", "param"])]
    pub(crate) login: Option<Login>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Expected responses")]
pub(crate) struct CheckArgs {
    /// Header that every response must have, as in 'Content-Type: text/html'
    #[arg(long, value_name = "NAME: VALUE", value_parser = header)]
    pub(crate) expect_header: Vec<(String, String)>,
    /// File that every response body must equal, byte for byte
    #[arg(long, value_name = "FILE", conflicts_with = "contains")]
    pub(crate) equals: Option<PathBuf>,
    /// Regular expression that every response body must match; bodies beyond 16 MiB fail
    #[arg(long, value_name = "REGEX")]
    pub(crate) matches: Vec<String>,
    /// SHA-256 of every response body, in hexadecimal
    #[arg(long, value_name = "HEX", value_parser = sha256)]
    pub(crate) sha256: Option<Demand>,
    /// JSON path (RFC 9535) that every response body must have, as in '$.items[0].id', or with a
    /// value, as in '$.ok = true'; bodies beyond 16 MiB fail
    #[arg(long, value_name = "PATH[ = VALUE]", value_parser = json_path)]
    pub(crate) json_path: Vec<(String, Option<serde_json::Value>)>,
    /// Check the body of one response in N; the status of each is always checked
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) check_every: u32,
}

impl CheckArgs {
    /// The demands, named as they were typed.
    pub(crate) fn checks(&self) -> Vec<Check> {
        let headers = self.expect_header.iter().map(|(name, value)| Check {
            name: format!("header {name}: {value}"),
            demand: Demand::Header {
                name: name.clone(),
                value: Text::Is(value.clone().into_bytes()),
            },
        });
        let patterns = self.matches.iter().map(|pattern| Check {
            name: format!("matches {pattern}"),
            demand: Demand::Body(Text::Matches(pattern.clone())),
        });
        let hash = self.sha256.iter().map(|hash| Check {
            name: "sha256".to_owned(),
            demand: hash.clone(),
        });
        let paths = self.json_path.iter().map(|(path, value)| Check {
            name: match value {
                Some(value) => format!("{path} = {value}"),
                None => path.clone(),
            },
            demand: Demand::Json {
                path: path.clone(),
                value: value.clone(),
            },
        });
        headers.chain(patterns).chain(hash).chain(paths).collect()
    }
}

fn sha256(text: &str) -> Result<Demand, String> {
    let wrong = "give 64 hexadecimal digits, as `sha256sum` prints them";
    Demand::sha256(text).ok_or_else(|| wrong.to_owned())
}

/// A value that is no JSON is meant as text.
fn json_path(text: &str) -> Result<(String, Option<serde_json::Value>), String> {
    let (path, value) = match text.split_once(" = ") {
        Some((path, value)) => (path.trim(), Some(value.trim())),
        None => (text.trim(), None),
    };
    if !path.starts_with('$') {
        return Err("a JSON path begins with `$`, as in `$.items[0].id`".to_owned());
    }
    let value = value.map(|value| {
        serde_json::from_str(value).unwrap_or_else(|_| serde_json::Value::from(value))
    });
    Ok((path.to_owned(), value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn demands_are_read() {
        assert_eq!(
            json_path("$.ok = true"),
            Ok(("$.ok".into(), Some(true.into())))
        );
        assert_eq!(
            json_path("$.name = Ann"),
            Ok(("$.name".into(), Some("Ann".into())))
        );
        assert_eq!(json_path("$..id"), Ok(("$..id".into(), None)));
        assert!(json_path("items").is_err());
        let demand = sha256(&"ff".repeat(32));
        assert_eq!(demand, Ok(Demand::Sha256([255; 32])));
        for wrong in ["", "ff", &"fg".repeat(32), &"é".repeat(32)] {
            assert!(sha256(wrong).is_err(), "{wrong}");
        }
    }
}
