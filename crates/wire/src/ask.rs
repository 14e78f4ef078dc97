/// What a request asks for, in no protocol's words.
#[derive(Clone, Copy, Debug)]
pub struct Ask<'a> {
    /// `GET`, `HEAD` …
    pub method: &'a str,
    /// Path and query, beginning with `/`.
    pub path: &'a str,
    /// The authority asked (`host` or `host:port`).
    pub host: &'a str,
    /// Header names and values besides `Host`.
    pub headers: &'a [(&'a str, &'a str)],
    /// The body; empty for none.
    pub body: &'a [u8],
    /// Whether the connection is to be kept for another request.
    pub keep_alive: bool,
    /// What CGI variables say beyond the request itself; protocols without them take no notice.
    pub cgi: Cgi<'a>,
}

/// What a front end is configured to tell an app server with each request.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cgi<'a> {
    /// The folder in which the path names a script, as PHP-FPM wants it; absent for an application
    /// that is mounted at the root.
    pub document_root: Option<&'a str>,
    /// Names and values of further variables, which stand for those of the same name that would be
    /// sent otherwise. The length of the body cannot be told so.
    pub params: &'a [(&'a str, &'a str)],
}

impl Ask<'_> {
    /// Refuses a byte that would end its part early (a space in the path, a line break).
    ///
    /// # Errors
    /// The first part that cannot be put on the wire in any protocol.
    pub fn check(&self) -> Result<(), Unsendable> {
        word("method", self.method)?;
        word("path", self.path)?;
        line("host", self.host)?;
        for (name, value) in self.headers {
            word("header name", name)?;
            if name.contains(':') {
                return Err(Unsendable::new("header name", name, "a colon"));
            }
            line("header value", value)?;
        }
        Ok(())
    }

    /// Whether the request says how long its body is: it has one, or a server would wait to hear that
    /// it has none (RFC 9110, section 8.6).
    pub(crate) fn has_length(&self) -> bool {
        let expected = matches!(self.method, "POST" | "PUT" | "PATCH");
        (expected || !self.body.is_empty()) && !self.gives("content-length")
    }

    /// Whether a header of this name is among the headers.
    pub(crate) fn gives(&self, name: &str) -> bool {
        let mut given = self.headers.iter();
        given.any(|(given, _)| given.eq_ignore_ascii_case(name))
    }

    /// Path and query, the query without its question mark.
    pub(crate) fn path_and_query(&self) -> (&str, Option<&str>) {
        self.path
            .split_once('?')
            .map_or((self.path, None), |(path, query)| (path, Some(query)))
    }

    /// Name and port of the authority asked, which a header `Host` has the last word on; 80 when it names none.
    pub(crate) fn server(&self) -> (&str, u16) {
        let mut headers = self.headers.iter();
        let given = headers.find(|(name, _)| name.eq_ignore_ascii_case("host"));
        let host = given.map_or(self.host, |(_, value)| value);
        let (name, port) = host_and_port(host);
        let port = port.and_then(|port| port.parse().ok());
        (name, port.unwrap_or(80))
    }
}

/// Host and port of an authority (`host` or `host:port`): the brackets of an IPv6 address are the host's, and of a port that is
/// not named there is none.
pub fn host_and_port(authority: &str) -> (&str, Option<&str>) {
    match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => {
            (host, Some(port).filter(|port| !port.is_empty()))
        }
        _ => (authority, None),
    }
}

/// A part of a request that cannot be put on the wire.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{part} `{}` cannot be sent: it holds {what}", .value.escape_debug())]
pub struct Unsendable {
    /// Which part: `method`, `path`, `host`, `header name`, `header value`.
    pub part: &'static str,
    /// Its value.
    pub value: String,
    /// What is wrong with it.
    pub what: &'static str,
}

impl Unsendable {
    pub(crate) fn new(part: &'static str, value: &str, what: &'static str) -> Self {
        Self {
            part,
            value: value.to_owned(),
            what,
        }
    }
}

fn word(part: &'static str, value: &str) -> Result<(), Unsendable> {
    if value.is_empty() {
        return Err(Unsendable::new(part, value, "nothing"));
    }
    let what = "a space or a control character";
    without(part, value, what, |byte| byte <= b' ' || byte == 0x7f)
}

fn line(part: &'static str, value: &str) -> Result<(), Unsendable> {
    let wrong = |byte| (byte < b' ' && byte != b'\t') || byte == 0x7f;
    without(part, value, "a line break or a control character", wrong)
}

fn without(
    part: &'static str,
    value: &str,
    what: &'static str,
    wrong: fn(u8) -> bool,
) -> Result<(), Unsendable> {
    if value.bytes().any(wrong) {
        return Err(Unsendable::new(part, value, what));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::host_and_port;

    #[test]
    fn a_port_is_no_part_of_a_name() {
        for (authority, expected) in [
            ("example.org", ("example.org", None)),
            ("example.org:8443", ("example.org", Some("8443"))),
            ("example.org:", ("example.org", None)),
            ("127.0.0.1:8443", ("127.0.0.1", Some("8443"))),
            ("[::1]:8443", ("[::1]", Some("8443"))),
            ("[::1]", ("[::1]", None)),
        ] {
            assert_eq!(host_and_port(authority), expected);
        }
    }
}
