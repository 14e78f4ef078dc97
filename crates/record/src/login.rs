//! How a client of an app says who it is before it asks for anything else.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::{Method, Route};

/// A request that an app answers with a session: `POST /login user=ann password=$SHOP_PASSWORD`.
///
/// A value that is `$NAME` and nothing else stands for a variable of weir's environment, which is read when the
/// request is sent and stored nowhere.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub struct Login {
    /// How it is sent: by a method that has a body.
    pub method: Method,
    /// Path and query, beginning with `/`.
    pub path: String,
    /// What says who asks.
    pub credentials: Credentials,
}

/// What a request to log in carries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Credentials {
    /// Names and values of a form, in order. Fields that the form itself holds are added.
    Form(Vec<(String, String)>),
    /// A JSON document, sent as it is.
    Json(serde_json::Value),
}

/// Whether a shell would take it for the name of a variable.
pub fn is_variable(name: &str) -> bool {
    let letter = |c: char| c.is_ascii_alphabetic() || c == '_';
    name.starts_with(letter) && name.chars().all(|c| letter(c) || c.is_ascii_digit())
}

impl Route {
    /// The same request with these headers of a session, in place of its own of the same names.
    #[must_use]
    pub fn within(mut self, session: &[(String, String)]) -> Self {
        for (name, value) in session {
            self.headers
                .retain(|own, _| !own.eq_ignore_ascii_case(name));
            self.headers.insert(name.clone(), value.clone());
        }
        self
    }
}

/// What a login looks like.
const EXAMPLE: &str =
    "such as `POST /login user=ann password=$PASSWORD` or `POST /login {\"user\": \"ann\"}`";

impl FromStr for Login {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let unfit = |problem: String| {
            format!("{problem}; a login is a method, a path and what to send, {EXAMPLE}")
        };
        let (method, rest) = word(text);
        let (path, rest) = word(rest);
        let mut methods = Method::ALL.into_iter();
        let method = methods.find(|of| of.has_body() && of.name() == method);
        let method =
            method.ok_or_else(|| unfit("it begins with no method that has a body".to_owned()))?;
        if !path.starts_with('/') {
            return Err(unfit(format!("`{path}` is no path")));
        }
        let credentials = if rest.starts_with(['{', '[']) {
            let json = serde_json::from_str(rest);
            Credentials::Json(json.map_err(|error| unfit(format!("its JSON is broken: {error}")))?)
        } else {
            let fields =
                shlex::split(rest).ok_or_else(|| unfit("a quote is not closed".to_owned()))?;
            let field = |field: String| match field.split_once('=') {
                Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
                _ => Err(unfit(format!("`{field}` is not `name=value`"))),
            };
            Credentials::Form(fields.into_iter().map(field).collect::<Result<_, _>>()?)
        };
        let path = path.to_owned();
        Ok(Self {
            method,
            path,
            credentials,
        })
    }
}

/// The first word of a text, and the rest.
fn word(text: &str) -> (&str, &str) {
    let text = text.trim();
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word, rest.trim_start())
}

impl fmt::Display for Login {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.method.name(), self.path)?;
        match &self.credentials {
            Credentials::Json(document) => write!(f, " {document}"),
            Credentials::Form(fields) => fields.iter().try_for_each(|(name, value)| {
                let field = format!("{name}={value}");
                // what shlex cannot quote was never read by it: a NUL
                write!(f, " {}", shlex::try_quote(&field).unwrap_or_default())
            }),
        }
    }
}

impl TryFrom<String> for Login {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<Login> for String {
    fn from(login: Login) -> Self {
        login.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        for text in [
            "POST /login user=ann 'password=two words'",
            "POST /login?next=/ user=ann password=$SHOP_PASSWORD empty=",
            "PUT /api/session {\"password\":\"a 'b'\",\"user\":\"ann\"}",
            "POST /guest",
        ] {
            let login: Login = text.parse().unwrap();
            assert_eq!(login.to_string().parse(), Ok(login), "{text}");
        }
        let login: Login = " POST  /login 'user=ann=b'  password=\"it's\" "
            .parse()
            .unwrap_or_else(|why: String| panic!("{why}"));
        let fields = [("user", "ann=b"), ("password", "it's")];
        let fields = fields.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(login.credentials, Credentials::Form(fields.into()));
    }

    #[test]
    fn what_is_no_login_says_why_and_how_one_looks() {
        for (text, why) in [
            ("", "no method that has a body"),
            ("GET /login user=ann", "no method that has a body"),
            ("POST login", "`login` is no path"),
            ("POST", "`` is no path"),
            ("POST /login ann", "`ann` is not `name=value`"),
            ("POST /login =ann", "`=ann` is not `name=value`"),
            ("POST /login 'user=ann", "a quote is not closed"),
            ("POST /login {user}", "its JSON is broken"),
        ] {
            let problem = text.parse::<Login>().unwrap_err();
            assert!(
                problem.contains(why) && problem.contains(EXAMPLE),
                "{text}: {problem}"
            );
        }
    }
}
