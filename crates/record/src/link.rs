use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::{Protocol, Transport};

/// How a program is reached, as far as somebody said: `unix`, `fastcgi`, `uwsgi+unix`, `https`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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

/// Each protocol by the word for it, without TLS and with it.
const WORDS: [(&str, Protocol, bool); 10] = [
    ("http", Protocol::Http1, false),
    ("https", Protocol::Http1, true),
    ("http1.0", Protocol::Http10, false),
    ("h2c", Protocol::Http2, false),
    ("h2", Protocol::Http2, true),
    ("fastcgi", Protocol::FastCgi, false),
    ("scgi", Protocol::Scgi, false),
    ("uwsgi", Protocol::Uwsgi, false),
    ("ajp", Protocol::Ajp, false),
    ("swiftiply", Protocol::Swiftiply, false),
];

fn words() -> String {
    WORDS.map(|(word, ..)| word).join(", ")
}

impl FromStr for Link {
    type Err = NoLink;

    fn from_str(text: &str) -> Result<Self, NoLink> {
        let mut link = Self::default();
        for part in text.split('+').filter(|_| !text.is_empty()) {
            let spoken = WORDS.iter().find(|(word, ..)| *word == part);
            match (spoken, part) {
                (Some((_, protocol, tls)), _) if link.protocol.is_none() => {
                    link.protocol = Some(*protocol);
                    link.tls = *tls;
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
        let word = self.protocol.map(|protocol| {
            let known = WORDS.iter();
            let exact = known
                .clone()
                .find(|(_, p, tls)| (*p, *tls) == (protocol, self.tls));
            exact
                .or_else(|| known.clone().find(|(_, p, _)| *p == protocol))
                .map_or("", |(word, ..)| word)
        });
        let transport = self.transport.map(|transport| match transport {
            Transport::Tcp => "tcp",
            Transport::Unix => "unix",
        });
        let word = word.filter(|word| !word.is_empty()); // no plan asks for what has none
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
            "fastcgi+unix",
            "uwsgi+tcp",
            "ajp",
        ] {
            assert_eq!(text.parse::<Link>().unwrap().to_string(), text);
        }
        assert_eq!(
            "unix+scgi".parse::<Link>().unwrap().to_string(),
            "scgi+unix"
        );
        for text in ["ftp", "http+http", "unix+tcp", "+", "http+"] {
            let error = text.parse::<Link>().unwrap_err().to_string();
            assert!(error.contains(&format!("`{text}`")), "{error}");
        }
    }
}
