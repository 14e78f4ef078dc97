use crate::{Ask, Unsendable};

/// An HTTP/1 request as bytes, written once and sent many times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    bytes: Vec<u8>,
    head: bool,
}

/// What the request line says, and what is taken for granted by it (RFC 9112, section 9.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Version {
    /// `HTTP/1.0`: a connection is closed unless it is asked to be kept.
    Http10,
    /// `HTTP/1.1`: a connection is kept unless it is asked to be closed.
    Http11,
}

impl Version {
    fn name(self) -> &'static str {
        match self {
            Self::Http10 => "HTTP/1.0",
            Self::Http11 => "HTTP/1.1",
        }
    }

    fn keeps(self) -> bool {
        self == Self::Http11
    }
}

impl Request {
    /// A request that is bytes already, such as a script writes.
    pub fn verbatim(bytes: Vec<u8>) -> Self {
        Self {
            head: bytes.starts_with(b"HEAD "),
            bytes,
        }
    }

    /// Writes the request in `version` (`HTTP/1.1`). `Host`, `User-Agent`, `Connection` and
    /// `Content-Length` are weir's own unless `ask` brings them among its headers.
    ///
    /// # Errors
    /// When a part holds a byte that would end it early (a space in the path, a line break).
    pub(super) fn new(ask: &Ask<'_>, version: Version) -> Result<Self, Unsendable> {
        ask.check()?;
        let mut text = format!("{} {} {}\r\n", ask.method, ask.path, version.name());
        let mut add = |name: &str, value: &str| {
            text.extend([name, ": ", value, "\r\n"]);
        };
        if !ask.gives("host") {
            add("Host", ask.host);
        }
        if !ask.gives("user-agent") {
            add("User-Agent", "weir");
        }
        if ask.keep_alive != version.keeps() && !ask.gives("connection") {
            add(
                "Connection",
                if ask.keep_alive {
                    "keep-alive"
                } else {
                    "close"
                },
            );
        }
        if ask.has_length() && !ask.gives("transfer-encoding") {
            add("Content-Length", &ask.body.len().to_string());
        }
        for (name, value) in ask.headers {
            add(name, value);
        }
        text.push_str("\r\n");
        let mut bytes = text.into_bytes();
        bytes.extend_from_slice(ask.body);
        Ok(Self {
            bytes,
            head: ask.method == "HEAD",
        })
    }

    /// The same in HTTP/1.0.
    pub(crate) fn old(ask: &Ask<'_>) -> Result<Self, Unsendable> {
        Self::new(ask, Version::Http10)
    }

    /// What goes on the wire.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Whether the answer has no body whatever its head says.
    pub(super) fn is_head(&self) -> bool {
        self.head
    }
}
