use crate::{Ask, Unsendable};

/// An HTTP/1.1 request as bytes, written once and sent many times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    bytes: Vec<u8>,
    head: bool,
}

impl Request {
    /// Writes the request. `Host`, `User-Agent` and `Connection` are weir's own unless `ask`
    /// brings them among its headers.
    ///
    /// # Errors
    /// When a part holds a byte that would end it early (a space in the path, a line break).
    pub fn new(ask: &Ask<'_>) -> Result<Self, Unsendable> {
        ask.check()?;
        let mut text = format!("{} {} HTTP/1.1\r\n", ask.method, ask.path);
        let mut add = |name: &str, value: &str| {
            text.extend([name, ": ", value, "\r\n"]);
        };
        if !ask.gives("host") {
            add("Host", ask.host);
        }
        if !ask.gives("user-agent") {
            add("User-Agent", "weir");
        }
        if !ask.keep_alive && !ask.gives("connection") {
            add("Connection", "close");
        }
        for (name, value) in ask.headers {
            add(name, value);
        }
        text.push_str("\r\n");
        Ok(Self {
            bytes: text.into_bytes(),
            head: ask.method == "HEAD",
        })
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
