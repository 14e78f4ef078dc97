use crate::{Ask, Unsendable};

/// A request as CGI variables (RFC 3875, section 4.1), names and values.
///
/// They are those that nginx sends by its `fastcgi_params`, `scgi_params` and `uwsgi_params`, with
/// the whole path in `PATH_INFO` and none of it in `SCRIPT_NAME`: the application is mounted at the
/// root. weir stands for a front end whose client is this machine. There is no `DOCUMENT_ROOT`.
///
/// # Errors
/// When a part of `ask` cannot be a variable.
pub(crate) fn variables(ask: &Ask<'_>) -> Result<Vec<(String, Vec<u8>)>, Unsendable> {
    ask.check()?;
    let (path, query) = ask.path_and_query();
    let decoded = decode(path);
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
    add("SCRIPT_NAME", b"");
    add("PATH_INFO", &decoded);
    add("REQUEST_URI", ask.path.as_bytes());
    add("DOCUMENT_URI", &decoded);
    add("SERVER_PROTOCOL", b"HTTP/1.1");
    add("REQUEST_SCHEME", b"http");
    add("GATEWAY_INTERFACE", b"CGI/1.1");
    add("SERVER_SOFTWARE", b"weir");
    add("REMOTE_ADDR", b"127.0.0.1");
    add("REMOTE_PORT", b"0"); // requests are written before their connections are opened
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
    Ok(all)
}

fn given<'a>(ask: &Ask<'a>, wanted: &str) -> &'a str {
    let mut headers = ask.headers.iter();
    headers
        .find(|(name, _)| name.eq_ignore_ascii_case(wanted))
        .map_or("", |(_, value)| value)
}

/// Percent-decoding; what is no escape stays as it is.
fn decode(path: &str) -> Vec<u8> {
    let digit = |byte: Option<&u8>| byte.and_then(|&byte| (byte as char).to_digit(16));
    let (bytes, mut out, mut at) = (path.as_bytes(), Vec::new(), 0);
    while let Some(&byte) = bytes.get(at) {
        let escape = (byte == b'%')
            .then(|| Some((digit(bytes.get(at + 1))?, digit(bytes.get(at + 2))?)))
            .flatten();
        if let Some((high, low)) = escape {
            out.push((high * 16 + low) as u8);
            at += 3;
        } else {
            out.push(byte);
            at += 1;
        }
    }
    out
}
