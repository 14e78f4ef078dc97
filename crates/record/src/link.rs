use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::{Protocol, Transport};

/// How a program is reached, as far as somebody said: `unix`, `fastcgi`, `uwsgi+unix`, `https`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Link {
    /// What is spoken; the program's first choice where there is none.
    pub protocol: Option<Protocol>,
    /// Over what; TCP where there is none.
    pub transport: Option<Transport>,
    /// Whether inside TLS.
    pub tls: bool,
}

/// A text that names no link.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no link: write a protocol ({words}), a transport (tcp, unix), or both as in `uwsgi+unix`", words = words())]
pub struct NoLink(String);

fn words() -> String {
    let words = Protocol::with_tls().filter_map(|(protocol, tls)| protocol.scheme(tls));
    words.collect::<Vec<_>>().join(", ")
}

impl FromStr for Link {
    type Err = NoLink;

    fn from_str(text: &str) -> Result<Self, NoLink> {
        let mut link = Self::default();
        for part in text.split('+').filter(|_| !text.is_empty()) {
            let spoken =
                Protocol::of_word(part).filter(|(protocol, tls)| protocol.scheme(*tls).is_some());
            match (spoken, part) {
                (Some((protocol, tls)), _) if link.protocol.is_none() => {
                    (link.protocol, link.tls) = (Some(protocol), tls);
                }
                (None, "tcp") if link.transport.is_none() => link.transport = Some(Transport::Tcp),
                (None, "unix") if link.transport.is_none() => {
                    link.transport = Some(Transport::Unix);
                }
                _ => return Err(NoLink(text.to_owned())),
            }
        }
        Ok(link)
    }
}

impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = |protocol: Protocol| protocol.scheme(self.tls).or(protocol.scheme(false));
        let word = self.protocol.and_then(word); // no plan asks for what has none
        let transport = self.transport.map(Transport::name);
        let parts: Vec<_> = word.into_iter().chain(transport).collect();
        f.write_str(&parts.join("+"))
    }
}

impl TryFrom<String> for Link {
    type Error = NoLink;

    fn try_from(text: String) -> Result<Self, NoLink> {
        text.parse()
    }
}

impl From<Link> for String {
    fn from(link: Link) -> Self {
        link.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::Link;

    #[test]
    fn a_link_is_written_as_it_is_read() {
        for text in [
            "",
            "unix",
            "tcp",
            "http",
            "https",
            "h2",
            "h2c",
            "wss",
            "fastcgi+unix",
            "uwsgi+tcp",
            "ajp",
        ] {
            assert_eq!(text.parse::<Link>().unwrap().to_string(), text);
        }
        for (text, word) in [
            ("unix+scgi", "scgi+unix"),
            ("http1", "http"),
            ("http2", "h2c"),
            ("fcgi", "fastcgi"),
        ] {
            assert_eq!(text.parse::<Link>().unwrap().to_string(), word);
        }
        for text in ["ftp", "native", "http+http", "unix+tcp", "+", "http+"] {
            let error = text.parse::<Link>().unwrap_err().to_string();
            assert!(error.contains(&format!("`{text}`")), "{error}");
        }
    }
}
