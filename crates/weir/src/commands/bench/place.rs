//! Where a load goes, as a user types it.

use std::path::PathBuf;

use record::{Protocol, Target};
use url::Url;

use crate::error::Error;
use crate::exit::Exit;

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
}

/// What can be loaded, by scheme, whether over TLS, with the port that is meant when none is given.
const SCHEMES: [(&str, Protocol, bool, Option<u16>); 9] = [
    ("http", Protocol::Http1, false, Some(80)),
    ("https", Protocol::Http1, true, Some(443)),
    ("h2c", Protocol::Http2, false, Some(80)),
    ("fcgi", Protocol::FastCgi, false, None),
    ("scgi", Protocol::Scgi, false, None),
    ("uwsgi", Protocol::Uwsgi, false, None),
    ("ajp", Protocol::Ajp, false, Some(8009)),
    ("ws", Protocol::WebSocket, false, Some(80)),
    ("wss", Protocol::WebSocket, true, Some(443)),
];

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
        })
    }

    /// `SCHEME://HOST:PORT/PATH` or `SCHEME+unix:SOCKET|/PATH`.
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
            None => {
                tcp(text).map_err(|why| wrong(text, &why, "a URL such as `http://127.0.0.1:8000/`"))
            }
        }
    }
}

fn wrong(text: &str, why: &str, wanted: &str) -> Error {
    let message = format!("cannot load `{}`: {why}", text.escape_debug());
    Error::new(Exit::Usage, message).hint(format!("give {wanted}"))
}

fn spoken(scheme: &str) -> Result<(Protocol, bool, Option<u16>), String> {
    let known = SCHEMES.iter().find(|(name, ..)| *name == scheme);
    known
        .map(|&(_, protocol, tls, port)| (protocol, tls, port))
        .ok_or_else(|| {
            let names = SCHEMES.map(|(name, ..)| name).join(", ");
            format!("`{scheme}` is not spoken here; {names} are")
        })
}

fn unix(scheme: &str, rest: &str) -> Result<Place, String> {
    let (protocol, tls, _) = spoken(scheme)?;
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
    })
}

fn tcp(text: &str) -> Result<Place, String> {
    let url = Url::parse(text).map_err(|error| error.to_string())?;
    let (protocol, tls, port) = spoken(url.scheme())?;
    let name = url.host_str().filter(|name| !name.is_empty());
    let name = name.ok_or("it names no host")?;
    if url.port().or(port).is_none() {
        return Err(format!(
            "it names no port, and `{}` has none of its own",
            url.scheme()
        ));
    }
    let address = url
        .socket_addrs(|| port)
        .ok()
        .and_then(|addresses| addresses.first().copied())
        .ok_or_else(|| format!("no address is known for host `{name}`"))?;
    let host = match url.port().or_else(|| typed_port(text)) {
        Some(port) => format!("{name}:{port}"),
        None => name.to_owned(),
    };
    let path = &url[url::Position::BeforePath..url::Position::AfterQuery];
    Ok(Place {
        protocol,
        tls,
        target: Target::Tcp(address),
        host,
        path: if path.starts_with('/') {
            path.to_owned()
        } else {
            format!("/{path}") // an unknown scheme's empty path stays empty
        },
    })
}

/// The port as it was typed. `Url` forgets one that is its scheme's own; who types it wants it in the
/// `Host` header, as wrk sends it.
fn typed_port(text: &str) -> Option<u16> {
    let (_, rest) = text.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let (_, port) = authority.rsplit_once(':')?;
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
