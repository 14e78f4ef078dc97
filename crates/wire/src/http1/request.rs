use crate::{Ask, Unsendable};

/// An HTTP/1 request as bytes, written once and sent many times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    bytes: Vec<u8>,
    /// Whether the answer has no body whatever its head says.
    pub(super) bodiless: bool,
}

impl Request {
    /// A request that is bytes already, such as a script writes.
    pub fn verbatim(bytes: Vec<u8>) -> Self {
        Self {
            bodiless: bytes.starts_with(b"HEAD "),
            bytes,
        }
    }

    /// Writes the request, in HTTP/1.0 if it is `old`. `Host`, `User-Agent`, `Connection` and
    /// `Content-Length` are weir's own unless `ask` brings them among its headers.
    /// Errors: when a part holds a byte that would end it early (a space in the path, a line break).
    pub(super) fn new(ask: &Ask<'_>, old: bool) -> Result<Self, Unsendable> {
        ask.check()?;
        let version = if old { "HTTP/1.0" } else { "HTTP/1.1" };
        let mut text = format!("{} {} {version}\r\n", ask.method, ask.path);
        let mut add = |name: &str, value: &str| {
            text.extend([name, ": ", value, "\r\n"]);
        };
        if !ask.gives("host") {
            add("Host", ask.host);
        }
        if !ask.gives("user-agent") {
            add("User-Agent", "weir");
        }
        // What is taken for granted by the version goes unsaid (RFC 9112, section 9.3).
        if ask.keep_alive == old && !ask.gives("connection") {
            add("Connection", if old { "keep-alive" } else { "close" });
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
            bodiless: ask.method == "HEAD",
        })
    }

    /// What goes on the wire.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}
