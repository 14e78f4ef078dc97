use std::net::SocketAddr;

use crate::{Ask, Unsendable};
use percent_encoding::percent_decode_str;

/// Where a connection comes from, in names and values. weir stands for a front end whose client is this
/// machine; a Unix socket has no address and no port.
pub(crate) fn origin(local: Option<SocketAddr>) -> [(&'static str, String); 2] {
    let address = local.map_or_else(|| "127.0.0.1".to_owned(), |local| local.ip().to_string());
    let port = local.map_or(0, |local| local.port()).to_string();
    [("REMOTE_ADDR", address), ("REMOTE_PORT", port)]
}

/// A request's variables.
pub(crate) struct Variables {
    /// Names and values of those that are the same on each connection.
    pub(crate) fixed: Vec<(String, Vec<u8>)>,
    /// Whether the connection's [`origin`] belongs to them: nobody has given another.
    pub(crate) tells_origin: bool,
}

/// A request as CGI variables (RFC 3875, section 4.1), names and values.
///
/// They are those that nginx sends by its `fastcgi_params`, `scgi_params` and `uwsgi_params`, with
/// the whole path in `PATH_INFO` and none of it in `SCRIPT_NAME`: the application is mounted at the
/// root. Where there is a document root, the path names a script in it, as in nginx's `fastcgi.conf`.
/// Errors: when a part of `ask` cannot be a variable.
pub(crate) fn variables(ask: &Ask<'_>) -> Result<Variables, Unsendable> {
    ask.check()?;
    let (path, query) = ask.path_and_query();
    let decoded: Vec<u8> = percent_decode_str(path).collect();
    if decoded.contains(&0) {
        return Err(Unsendable::new("path", ask.path, "an encoded null byte"));
    }
    let (name, port) = ask.server();
    let mut all: Vec<(String, Vec<u8>)> = Vec::new();
    let mut add = |name: &str, value: &[u8]| all.push((name.to_owned(), value.to_owned()));
    add("CONTENT_LENGTH", ask.body.len().to_string().as_bytes()); // SCGI wants it first
    add("QUERY_STRING", query.unwrap_or_default().as_bytes());
    add("REQUEST_METHOD", ask.method.as_bytes());
    add("CONTENT_TYPE", given(ask, "content-type").as_bytes());
    if let Some(root) = ask.cgi.document_root {
        add("DOCUMENT_ROOT", root.as_bytes());
        add("SCRIPT_FILENAME", &[root.as_bytes(), &decoded].concat());
        add("SCRIPT_NAME", &decoded);
    } else {
        add("SCRIPT_NAME", b"");
        add("PATH_INFO", &decoded);
    }
    add("REQUEST_URI", ask.path.as_bytes());
    add("DOCUMENT_URI", &decoded);
    add("SERVER_PROTOCOL", b"HTTP/1.1");
    add("REQUEST_SCHEME", b"http");
    add("GATEWAY_INTERFACE", b"CGI/1.1");
    add("SERVER_SOFTWARE", b"weir");
    add("SERVER_ADDR", b"127.0.0.1");
    add("SERVER_PORT", port.to_string().as_bytes());
    add("SERVER_NAME", name.as_bytes());
    add("REDIRECT_STATUS", b"200"); // PHP refuses to run without it
    if !ask.gives("host") {
        add("HTTP_HOST", ask.host.as_bytes());
    }
    if !ask.gives("user-agent") {
        add("HTTP_USER_AGENT", b"weir");
    }
    for (name, value) in ask.headers {
        let name = name.to_ascii_uppercase().replace('-', "_");
        if !["CONTENT_TYPE", "CONTENT_LENGTH"].contains(&name.as_str()) {
            add(&format!("HTTP_{name}"), value.as_bytes());
        }
    }
    configured(ask, all)
}

/// The same with what the front end is configured to send.
fn configured(ask: &Ask<'_>, mut all: Vec<(String, Vec<u8>)>) -> Result<Variables, Unsendable> {
    let params = || ask.cgi.params.iter().copied();
    let given = |name: &str| params().any(|(given, _)| given == name);
    for (name, value) in params() {
        if name.is_empty() || name.contains('\0') || value.contains('\0') {
            return Err(Unsendable::new("param", name, "nothing, or a null byte"));
        }
        if name == "CONTENT_LENGTH" {
            let what = "what the body alone can say";
            return Err(Unsendable::new("param", name, what));
        }
    }
    all.retain(|(name, _)| !given(name));
    let origin = origin(None).map(|(name, value)| (name, given(name), value));
    let tells_origin = origin.iter().all(|(_, given, _)| !given);
    // Who gives the one stands for another client, of whom the other is not this connection's.
    for (name, given, value) in origin {
        if !tells_origin && !given {
            all.push((name.to_owned(), value.into_bytes()));
        }
    }
    all.extend(params().map(|(name, value)| (name.to_owned(), value.into())));
    Ok(Variables {
        fixed: all,
        tells_origin,
    })
}

fn given<'a>(ask: &Ask<'a>, wanted: &str) -> &'a str {
    let mut headers = ask.headers.iter();
    headers
        .find(|(name, _)| name.eq_ignore_ascii_case(wanted))
        .map_or("", |(_, value)| value)
}
