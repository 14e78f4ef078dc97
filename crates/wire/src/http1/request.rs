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
        word("method", ask.method)?;
        word("path", ask.path)?;
        line("host", ask.host)?;
        for (name, value) in ask.headers {
            word("header name", name)?;
            if name.contains(':') {
                return Err(unsendable("header name", name, "a colon"));
            }
            line("header value", value)?;
        }
        let given = |name: &str| {
            ask.headers
                .iter()
                .any(|(given, _)| given.eq_ignore_ascii_case(name))
        };
        let mut text = format!("{} {} HTTP/1.1\r\n", ask.method, ask.path);
        let mut add = |name: &str, value: &str| {
            text.extend([name, ": ", value, "\r\n"]);
        };
        if !given("host") {
            add("Host", ask.host);
        }
        if !given("user-agent") {
            add("User-Agent", "weir");
        }
        if !ask.keep_alive && !given("connection") {
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

fn word(part: &'static str, value: &str) -> Result<(), Unsendable> {
    if value.is_empty() {
        return Err(unsendable(part, value, "nothing"));
    }
    if value.bytes().any(|byte| byte <= b' ' || byte == 0x7f) {
        return Err(unsendable(part, value, "a space or a control character"));
    }
    Ok(())
}

fn line(part: &'static str, value: &str) -> Result<(), Unsendable> {
    if value
        .bytes()
        .any(|byte| (byte < b' ' && byte != b'\t') || byte == 0x7f)
    {
        return Err(unsendable(
            part,
            value,
            "a line break or a control character",
        ));
    }
    Ok(())
}

fn unsendable(part: &'static str, value: &str, what: &'static str) -> Unsendable {
    Unsendable {
        part,
        value: value.to_owned(),
        what,
    }
}
