//! A request of an app, and the answer that counts as right.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::Bytes;
use crate::named::named;

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
