//! What the user should do next.

use record::{Cause, Protocol};
use wire::TlsError;

use super::{LoadError, NO_PARAMS, OTHER_KIND, Trouble};

impl LoadError {
    /// What the user should do next.
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::Load(flaw) => return Some(flaw.hint(record::as_keys)),
            Self::Invalid { what, .. } => return invalid_hint(what),
            Self::Unsendable(_) | Self::Unspoken(_) => return None,
            Self::Descriptors { needed, .. } => {
                return Some(format!(
                    "run `ulimit -n {}` first, or use more threads or fewer connections",
                    needed.next_power_of_two().max(1024)
                ));
            }
            Self::File { .. } => "give a file that exists and that you may read",
            Self::Tls { why, .. } => tls_hint(why),
            Self::Setup(_) => "use fewer threads or connections",
            Self::Unreachable { cause, .. } => unreachable_hint(*cause),
            Self::NothingAsked { called, .. } | Self::RequestSource { called, .. } => {
                let hint = format!("mend that in the {called}: the server was asked for nothing");
                return Some(hint);
            }
            Self::NothingRight {
                beside: Some(_), ..
            } => {
                "load it without the others: if it responds then, the others keep it from responding"
            }
            Self::NothingRight {
                trouble: Trouble::Stalled(..) | Trouble::Unanswered(_),
                ..
            } => {
                "look at the server: it accepts connections and does not answer; or load it for longer"
            }
            Self::NothingRight {
                trouble: Trouble::Failed(Cause::Malformed),
                protocol,
                ..
            } => {
                let spoken = protocol.words();
                return Some(format!(
                    "check the port: whatever listens there does not speak {spoken}"
                ));
            }
            Self::NothingRight {
                trouble: Trouble::Failed(Cause::Tls),
                protocol,
                example,
                ..
            } => no_tls_hint(*protocol, example.as_deref().unwrap_or_default()),
            Self::NothingRight {
                trouble: Trouble::Failed(Cause::Status),
                example: Some(example),
                ..
            } => return Some(status_hint(example)),
            Self::NothingRight {
                trouble: Trouble::Failed(cause),
                ..
            } => wrong_hint(*cause),
            Self::Interrupted => "let it run to the end of its warm-up",
        };
        Some(hint.to_owned())
    }
}

fn unreachable_hint(cause: Cause) -> &'static str {
    match cause {
        Cause::Refused => "start the server, or check the address: nothing listens there",
        Cause::NoSocket => "start the server, or check the path: there is nothing at it",
        Cause::NotASocket => "check the path: a server's socket is made by the server itself",
        Cause::Denied => {
            "a Unix socket must be writable, and the folders above it passable, for this user"
        }
        Cause::Backlog => {
            "the server does not accept connections fast enough: use fewer, or raise its backlog"
        }
        Cause::Exhausted => {
            "use fewer connections, or keep them alive: local ports or descriptors ran out"
        }
        _ => "check the address, and that the network or the socket's permissions allow it",
    }
}

/// What to do about another status than the expected one, by what is told of the first such response.
fn status_hint(example: &str) -> String {
    let told = example.strip_prefix("status ").unwrap_or_default();
    let (status, rest) = told.split_once(' ').unwrap_or((told, ""));
    let Ok(number) = status.parse::<u16>() else {
        return wrong_hint(Cause::Status).to_owned();
    };
    let right = format!("`--status {number}`");
    let to = rest
        .strip_prefix("to `")
        .and_then(|rest| rest.split_once("` where "));
    match (number, to) {
        (300..=399, Some((to, _))) => {
            format!("load what it leads to, `{to}`; or give {right}, if the redirect is meant")
        }
        (401 | 403, _) => format!(
            "say who asks (`-H 'Authorization: …'`, `--login`); or give {right}, if that is right"
        ),
        (500.., _) => {
            format!("look at the server's log; or give {right}, if that is right")
        }
        _ => format!("check the path, and open the URL by hand; or give {right}, if that is right"),
    }
}

fn wrong_hint(cause: Cause) -> &'static str {
    match cause {
        Cause::Status => "check the path and the expected status; open the URL by hand",
        Cause::Body => "check the expected body; open the URL by hand",
        Cause::Check => "look at the response by hand, and at what the check demands of it",
        Cause::Unread => {
            "look at the server's log: it sends without reading, which a server under attack or a \
             broken one does"
        }
        Cause::TooLong => {
            "check the length or the SHA-256 of bodies so long, or that they contain a text: that is \
             done while they arrive"
        }
        Cause::Reset => "ask for fewer requests at once, and look at the server's log",
        Cause::Declined => "use fewer connections, and look at the app server's log and limits",
        Cause::Truncated => "look at the server's log: it closes in the middle of its responses",
        _ => "look at the server's log: it drops connections instead of answering",
    }
}

/// What to do where no handshake came to its end, by what the first of them saw.
fn no_tls_hint(protocol: Protocol, example: &str) -> &'static str {
    // a server says so by an alert, or by choosing nothing
    let not_offered = ["does not speak", "no_application_protocol"];
    if protocol == Protocol::Http2 && not_offered.iter().any(|seen| example.contains(seen)) {
        return "leave out `--http2`: the server does not offer it by ALPN (RFC 7301), and HTTP/1.1 is what is left; or \
                turn it on there";
    }
    let hints = [
        (
            "self-signed",
            "use `-k` (`--insecure`), which takes any certificate, or trust this one with `--cacert FILE`",
        ),
        (
            "no subjectAltName",
            "make it with one (`openssl req -x509 -addext subjectAltName=DNS:NAME`), or use `-k` (`--insecure`)",
        ),
    ];
    let mut known = hints.into_iter().filter(|(seen, _)| example.contains(seen));
    known.next().map_or(
        "`--cacert FILE` trusts another authority, `--sni NAME` asks for another name, `--cert` says \
         who you are, `--insecure` takes any certificate; without TLS it is `http:`",
        |(_, hint)| hint,
    )
}

fn tls_hint(why: &TlsError) -> &'static str {
    match why {
        TlsError::Authorities(_) => {
            "give a PEM file of certificates (`-----BEGIN CERTIFICATE-----`), or use `--insecure`"
        }
        TlsError::Certificate(_) => {
            "give a PEM file that begins with your certificate (`-----BEGIN CERTIFICATE-----`)"
        }
        TlsError::Key(_) => {
            "give the certificate's own key as PEM; `openssl pkey -in FILE` prints an encrypted one plainly"
        }
        TlsError::Name(_) => "give the name that the certificate is made for with `--sni NAME`",
        TlsError::Cipher(_) => {
            "name single suites, without OpenSSL's aliases and rules, or leave it out"
        }
        TlsError::Settings(_) => "give other TLS options",
    }
}

/// Most demands say themselves what to do.
fn invalid_hint(what: &str) -> Option<String> {
    let hint = match what {
        NO_PARAMS => {
            "give a URL such as `fastcgi://127.0.0.1:9000/`, or send a header with `--header`"
        }
        OTHER_KIND => {
            "give an IPv4 address for an IPv4 target, an IPv6 one for IPv6, none for a Unix socket"
        }
        _ => return None,
    };
    Some(hint.to_owned())
}
