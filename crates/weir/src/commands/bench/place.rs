//! Where a load goes, as a user types it.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use percent_encoding::percent_decode_str;
use record::{Protocol, Target};
use url::Url;

use crate::error::{Error, no_descriptor};
use crate::exit::Exit;
use crate::mask;

/// A URL's parts, resolved.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::commands) struct Place {
    pub(in crate::commands) protocol: Protocol,
    /// Whether it is spoken over TLS.
    pub(in crate::commands) tls: bool,
    pub(in crate::commands) target: Target,
    /// The authority that is asked.
    pub(in crate::commands) host: String,
    /// Path and query.
    pub(in crate::commands) path: String,
    /// What the `Authorization` header says of the user in the URL, if it names one (RFC 7617).
    pub(in crate::commands) authorization: Option<String>,
}

/// The host that is asked over a Unix socket, which has no name of its own.
const NAMELESS: &str = "localhost";

impl Place {
    /// A path on a Unix socket that is given apart.
    pub(in crate::commands) fn on_socket(socket: PathBuf, path: &str) -> Result<Self, Error> {
        if !path.starts_with('/') {
            return Err(
                Error::new(Exit::Usage, format!("`{path}` is not a path")).hint(
                    "with --unix, give the path alone: `weir bench --unix /run/app.sock /`"
                        .to_owned(),
                ),
            );
        }
        Ok(Self {
            protocol: Protocol::Http1,
            tls: false,
            target: Target::Unix(socket),
            host: NAMELESS.to_owned(),
            path: path.to_owned(),
            authorization: None,
        })
    }

    /// The headers that were asked for, and the URL's user where they name none.
    pub(in crate::commands) fn headers(&self, asked: &[(String, String)]) -> Vec<(String, String)> {
        const NAME: &str = "Authorization";
        let named = asked
            .iter()
            .any(|(name, _)| name.eq_ignore_ascii_case(NAME));
        let own = self.authorization.iter().filter(|_| !named);
        let own = own.map(|who| (NAME.to_owned(), who.clone()));
        asked.iter().cloned().chain(own).collect()
    }

    /// `SCHEME://HOST:PORT/PATH`, `HOST:PORT/PATH` for HTTP, or `SCHEME+unix:SOCKET|/PATH`.
    pub(in crate::commands) fn parse(text: &str) -> Result<Self, Error> {
        let (scheme, rest) = text.split_once(':').unwrap_or((text, ""));
        match scheme.strip_suffix("+unix") {
            Some(scheme) => unix(scheme, rest).map_err(|why| {
                wrong(
                    text,
                    &why,
                    "`scgi+unix:/run/app.sock|/path`: the socket, a bar, the path",
                )
            }),
            None if text.starts_with('/') => {
                let wanted =
                    "a URL such as `http://127.0.0.1:8000/`, or `--unix SOCKET` and the path";
                Err(wrong(text, "it is a path without a host", wanted))
            }
            None => {
                let bare = !text.contains("://") && spoken(scheme).is_err();
                let url = if bare {
                    format!("http://{text}")
                } else {
                    text.to_owned()
                };
                // what is printed of it is looked through for passwords by its scheme
                if bare
                    && url
                        .split(['/', '?'])
                        .nth(2)
                        .is_some_and(|host| host.contains('@'))
                {
                    return Err(wrong(&url, "it names a user, and no scheme", "a whole URL"));
                }
                let (whole, port) = web(&url)
                    .map_err(|why| wrong(&url, &why, "a URL such as `http://127.0.0.1:8000/`"))?;
                resolved(&url, &whole, port)
            }
        }
    }
}

fn wrong(text: &str, why: &str, wanted: &str) -> Error {
    let message = format!("cannot load `{}`: {why}", mask::url(text).escape_debug());
    Error::new(Exit::Usage, message).hint(format!("give {wanted}"))
}

/// The protocol that a scheme means, and whether inside TLS.
fn spoken(scheme: &str) -> Result<(Protocol, bool), String> {
    let word = Protocol::of_word(scheme);
    word.filter(|(protocol, tls)| protocol.is_spoken(*tls))
        .ok_or_else(|| {
            let spoken = Protocol::with_tls().filter(|(protocol, tls)| protocol.is_spoken(*tls));
            let schemes: Vec<_> = spoken
                .filter_map(|(protocol, tls)| protocol.scheme(tls))
                .collect();
            let schemes = schemes.join(", ");
            format!("unsupported scheme `{scheme}`; supported: {schemes}")
        })
}

fn unix(scheme: &str, rest: &str) -> Result<Place, String> {
    let (protocol, tls) = spoken(scheme)?;
    let (socket, path) = rest.split_once('|').unwrap_or((rest, "/"));
    if socket.is_empty() {
        return Err("it names no socket".to_owned());
    }
    if !path.starts_with('/') {
        return Err(format!("`{path}` is not a path, which begins with `/`"));
    }
    Ok(Place {
        protocol,
        tls,
        target: Target::Unix(socket.into()),
        host: NAMELESS.to_owned(),
        path: path.to_owned(),
        authorization: None,
    })
}

/// A URL that makes sense, and the port of its scheme.
fn web(text: &str) -> Result<(Url, Option<u16>), String> {
    let url = Url::parse(text).map_err(|error| error.to_string())?;
    let (protocol, tls) = spoken(url.scheme())?;
    let port = protocol.port(tls);
    if url.host_str().is_none_or(str::is_empty) {
        return Err("it names no host".to_owned());
    }
    if url.port().or(port).is_none() {
        return Err(format!(
            "it names no port, and `{}` has none of its own",
            url.scheme()
        ));
    }
    Ok((url, port))
}

fn resolved(text: &str, url: &Url, port: Option<u16>) -> Result<Place, Error> {
    let (protocol, tls) = spoken(url.scheme()).map_err(|why| wrong(text, &why, "another"))?;
    let name = url.host_str().unwrap_or_default();
    let target = address(url, port).map_err(|error| unknown(text, name, &error))?;
    let host = match url.port().or_else(|| typed_port(text)) {
        Some(port) => format!("{name}:{port}"),
        None => name.to_owned(),
    };
    let path = &url[url::Position::BeforePath..url::Position::AfterQuery];
    Ok(Place {
        protocol,
        tls,
        target: Target::Tcp(target),
        host,
        path: if path.starts_with('/') {
            path.to_owned()
        } else {
            format!("/{path}") // an unknown scheme's empty path stays empty
        },
        authorization: authorization(url),
    })
}

fn address(url: &Url, port: Option<u16>) -> io::Result<SocketAddr> {
    let none = || io::Error::other("it has no address");
    url.socket_addrs(|| port)?.first().copied().ok_or_else(none)
}

/// A name without an address is the target's fault, unless this process has no descriptor left to ask with,
/// which the resolver does not tell.
fn unknown(text: &str, name: &str, error: &io::Error) -> Error {
    let ours = no_descriptor();
    let exit = match ours {
        Some(_) => Exit::Machine,
        None => Exit::Target,
    };
    let why = ours.as_ref().unwrap_or(error).to_string();
    let why = why.trim_start_matches("failed to lookup address information: ");
    let url = mask::url(text);
    let message = format!(
        "cannot load `{}`: no address is known for host `{name}`: {why}",
        url.escape_debug()
    );
    let hint = match exit {
        Exit::Machine => "raise the limit on open files (`ulimit -n 1024`)",
        _ => "check the name, or give an address such as `http://127.0.0.1:8000/`",
    };
    Error::new(exit, message).hint(hint.to_owned())
}

/// Name and password as they are meant: what a URL cannot hold stands in it percent-encoded.
fn authorization(url: &Url) -> Option<String> {
    let (name, password) = (url.username(), url.password());
    if name.is_empty() && password.is_none() {
        return None;
    }
    let mut who: Vec<u8> = percent_decode_str(name).collect();
    who.push(b':');
    who.extend(percent_decode_str(password.unwrap_or_default()));
    Some(format!("Basic {}", STANDARD.encode(who)))
}

/// The port as it was typed. `Url` forgets one that is its scheme's own; who types it wants it in the
/// `Host` header, as wrk sends it.
fn typed_port(text: &str) -> Option<u16> {
    let (_, rest) = text.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let host = authority.rsplit('@').next()?;
    let (_, port) = host.rsplit_once(':')?;
    port.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(text: &str) -> Place {
        Place::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    #[expect(clippy::too_many_lines, reason = "a table of URLs and what they mean")]
    fn addresses() {
        let local = |port| Target::Tcp(([127, 0, 0, 1], port).into());
        for (text, protocol, target, host, path) in [
            (
                "http://127.0.0.1/a?b=c#d",
                Protocol::Http1,
                local(80),
                "127.0.0.1",
                "/a?b=c",
            ),
            (
                "http://127.0.0.1:80/",
                Protocol::Http1,
                local(80),
                "127.0.0.1:80",
                "/",
            ),
            (
                "127.0.0.1:8000",
                Protocol::Http1,
                local(8000),
                "127.0.0.1:8000",
                "/",
            ),
            (
                "localhost:8000/a?b",
                Protocol::Http1,
                local(8000),
                "localhost:8000",
                "/a?b",
            ),
            (
                "http://127.0.0.1:8000",
                Protocol::Http1,
                local(8000),
                "127.0.0.1:8000",
                "/",
            ),
            (
                "fcgi://127.0.0.1:9000/x",
                Protocol::FastCgi,
                local(9000),
                "127.0.0.1:9000",
                "/x",
            ),
            (
                "scgi://127.0.0.1:9000",
                Protocol::Scgi,
                local(9000),
                "127.0.0.1:9000",
                "/",
            ),
            (
                "uwsgi://127.0.0.1:9000?q",
                Protocol::Uwsgi,
                local(9000),
                "127.0.0.1:9000",
                "/?q",
            ),
            (
                "ajp://127.0.0.1/",
                Protocol::Ajp,
                local(8009),
                "127.0.0.1",
                "/",
            ),
            (
                "scgi://[::1]:9000/x",
                Protocol::Scgi,
                Target::Tcp("[::1]:9000".parse().unwrap()),
                "[::1]:9000",
                "/x",
            ),
        ] {
            let place = place(text);
            let wanted = (protocol, target, host, path);
            let found = (place.protocol, place.target, &*place.host, &*place.path);
            assert_eq!(found, wanted, "{text}");
        }
    }

    #[test]
    fn http2_without_tls_has_a_scheme_of_its_own() {
        let wanted = Place {
            protocol: Protocol::Http2,
            ..place("http://127.0.0.1/a?b")
        };
        assert_eq!(place("h2c://127.0.0.1/a?b"), wanted);
    }

    #[test]
    fn secret_ones() {
        let tcp = place("https://127.0.0.1/x");
        assert_eq!((tcp.protocol, tcp.tls), (Protocol::Http1, true));
        assert_eq!(tcp.target, Target::Tcp(([127, 0, 0, 1], 443).into()));
        let unix = place("https+unix:/run/a.sock|/x");
        assert_eq!((unix.protocol, unix.tls), (Protocol::Http1, true));
        assert_eq!(unix.target, Target::Unix("/run/a.sock".into()));
    }

    #[test]
    fn who_asks() {
        for (text, wanted) in [
            ("http://ann:pw@127.0.0.1/", Some("Basic YW5uOnB3")),
            ("http://ann:p%40w@127.0.0.1/", Some("Basic YW5uOnBAdw==")),
            ("https://key@127.0.0.1/", Some("Basic a2V5Og==")),
            ("http://:pw@127.0.0.1/", Some("Basic OnB3")),
            ("http://127.0.0.1/ann:pw@x", None),
        ] {
            let place = place(text);
            assert_eq!(place.authorization.as_deref(), wanted, "{text}");
            assert_eq!(place.host, "127.0.0.1", "{text}");
        }
        let place = place("http://ann:pw@127.0.0.1/");
        let given = [("authorization".to_owned(), "Bearer x".to_owned())];
        assert_eq!(place.headers(&given), given);
        assert_eq!(place.headers(&[])[0].1, "Basic YW5uOnB3");
    }

    #[test]
    fn sockets() {
        for (text, protocol, socket, path) in [
            (
                "http+unix:/run/a.sock|/x?y",
                Protocol::Http1,
                "/run/a.sock",
                "/x?y",
            ),
            (
                "fcgi+unix:/run/a.sock",
                Protocol::FastCgi,
                "/run/a.sock",
                "/",
            ),
            ("h2c+unix:a.sock|/x", Protocol::Http2, "a.sock", "/x"),
            ("scgi+unix:a.sock|/", Protocol::Scgi, "a.sock", "/"),
            ("uwsgi+unix:/a b|/a|b", Protocol::Uwsgi, "/a b", "/a|b"),
            ("ajp+unix:/run/a:b|/", Protocol::Ajp, "/run/a:b", "/"),
        ] {
            let place = place(text);
            assert_eq!(
                (place.protocol, place.path.as_str()),
                (protocol, path),
                "{text}"
            );
            assert_eq!(place.target, Target::Unix(socket.into()), "{text}");
        }
    }
}
