//! Where a URL leads.

mod reach;

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use percent_encoding::percent_decode_str;
use record::{Protocol, Target};
use url::Url;

/// Why a URL leads nowhere. It is kept as it was typed: whoever shows it leaves out its secrets.
#[derive(Debug)]
pub enum AddressError {
    /// It is no URL that can be loaded.
    Wrong {
        /// The URL.
        url: String,
        /// What is wrong with it.
        why: String,
        /// What to give instead.
        hint: String,
    },
    /// No address is known for its host.
    Unknown {
        /// The URL.
        url: String,
        /// The host.
        host: String,
        /// What the resolver said.
        error: io::Error,
    },
}

impl AddressError {
    /// The URL as it was typed, secrets included.
    pub fn url(&self) -> &str {
        match self {
            Self::Wrong { url, .. } | Self::Unknown { url, .. } => url,
        }
    }

    /// What is wrong, without the URL.
    pub fn why(&self) -> String {
        match self {
            Self::Wrong { why, .. } => why.clone(),
            Self::Unknown { host, error, .. } => {
                let why = error.to_string();
                let why = why.trim_start_matches("failed to lookup address information: ");
                format!("no address is known for host `{host}`: {why}")
            }
        }
    }

    /// What to do next.
    pub fn hint(&self) -> &str {
        match self {
            Self::Wrong { hint, .. } => hint,
            Self::Unknown { .. } => {
                "check the name, or give an address such as `http://127.0.0.1:8000/`"
            }
        }
    }
}

/// A URL's parts, its host looked up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// What its scheme means.
    pub protocol: Protocol,
    /// Whether it is spoken over TLS.
    pub tls: bool,
    /// Where to connect: of a host with several addresses the first, until one was [reached](Self::reached).
    pub target: Target,
    /// All addresses of its host, as the resolver orders them; none of a Unix socket.
    pub addresses: Vec<SocketAddr>,
    /// The authority that is asked.
    pub host: String,
    /// Path and query.
    pub path: String,
    /// What the `Authorization` header says of the user in the URL, if it names one (RFC 7617).
    pub authorization: Option<String>,
}

/// The host that is asked over a Unix socket, which has no name of its own.
const NAMELESS: &str = "localhost";

impl Address {
    /// A path on a Unix socket, over HTTP/1.
    pub fn on_socket(socket: PathBuf, path: &str) -> Self {
        Self {
            protocol: Protocol::Http1,
            tls: false,
            target: Target::Unix(socket),
            addresses: Vec::new(),
            host: NAMELESS.to_owned(),
            path: path.to_owned(),
            authorization: None,
        }
    }

    /// The same at the first address of its host that accepts a connection, where there are several: `localhost` may
    /// be two, of which a server listens at one. Each has a second. For whoever is about to load it.
    #[must_use]
    pub fn reached(self) -> Self {
        let reached = reach::first_to_accept(&self.addresses).map(Target::Tcp);
        Self {
            target: reached.unwrap_or_else(|| self.target.clone()),
            ..self
        }
    }

    /// The headers that were asked for, and the URL's user where they name none.
    pub fn headers(&self, asked: &[(String, String)]) -> Vec<(String, String)> {
        const NAME: &str = "Authorization";
        let named = asked
            .iter()
            .any(|(name, _)| name.eq_ignore_ascii_case(NAME));
        let own = self.authorization.iter().filter(|_| !named);
        let own = own.map(|who| (NAME.to_owned(), who.clone()));
        asked.iter().cloned().chain(own).collect()
    }

    /// `SCHEME://HOST:PORT/PATH`, `HOST:PORT/PATH` for HTTP, or `SCHEME+unix:SOCKET|/PATH`.
    ///
    /// # Errors
    /// It is no such URL, or no address is known for its host.
    pub fn parse(text: &str) -> Result<Self, AddressError> {
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

fn wrong(text: &str, why: &str, wanted: &str) -> AddressError {
    AddressError::Wrong {
        url: text.to_owned(),
        why: why.to_owned(),
        hint: format!("give {wanted}"),
    }
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

fn unix(scheme: &str, rest: &str) -> Result<Address, String> {
    let (protocol, tls) = spoken(scheme)?;
    let (socket, path) = rest.split_once('|').unwrap_or((rest, "/"));
    if socket.is_empty() {
        return Err("it names no socket".to_owned());
    }
    if !path.starts_with('/') {
        return Err(format!("`{path}` is not a path, which begins with `/`"));
    }
    Ok(Address {
        protocol,
        tls,
        target: Target::Unix(socket.into()),
        addresses: Vec::new(),
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

fn resolved(text: &str, url: &Url, port: Option<u16>) -> Result<Address, AddressError> {
    let (protocol, tls) = spoken(url.scheme()).map_err(|why| wrong(text, &why, "another"))?;
    let name = url.host_str().unwrap_or_default();
    let unknown = |error| AddressError::Unknown {
        url: text.to_owned(),
        host: name.to_owned(),
        error,
    };
    let addresses = addresses(url, port).map_err(unknown)?;
    let none = || unknown(io::Error::other("it has no address"));
    let first = *addresses.first().ok_or_else(none)?;
    let host = match url.port().or_else(|| typed_port(text)) {
        Some(port) => format!("{name}:{port}"),
        None => name.to_owned(),
    };
    let path = &url[url::Position::BeforePath..url::Position::AfterQuery];
    Ok(Address {
        protocol,
        tls,
        target: Target::Tcp(first),
        addresses,
        host,
        path: if path.starts_with('/') {
            path.to_owned()
        } else {
            format!("/{path}") // an unknown scheme's empty path stays empty
        },
        authorization: authorization(url),
    })
}

/// Each address once: a file of hosts may name one twice.
fn addresses(url: &Url, port: Option<u16>) -> io::Result<Vec<SocketAddr>> {
    let mut each = Vec::new();
    for address in url.socket_addrs(|| port)? {
        if !each.contains(&address) {
            each.push(address);
        }
    }
    Ok(each)
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
mod tests;
