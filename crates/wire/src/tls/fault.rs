use std::fmt;

use rustls::{AlertDescription, CertificateError, Error};

/// Why there is no secret connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TlsFault {
    /// The peer answers in something else.
    NotTls,
    /// Nobody who is trusted has signed the certificate.
    UnknownIssuer,
    /// The certificate is made for another name.
    WrongName,
    /// The certificate is no longer valid.
    Expired,
    /// The certificate is not yet valid.
    NotYetValid,
    /// The certificate cannot be relied on for another reason.
    Certificate,
    /// The peer has refused, with this alert (RFC 8446, section 6).
    Alert(u8),
    /// The two have no version or cipher suite in common.
    NothingInCommon,
    /// The peer does not speak this protocol over TLS (RFC 7301).
    NotNegotiated(&'static [u8]),
    /// A record is broken, or out of place.
    Broken,
}

impl TlsFault {
    pub(super) fn of(error: &Error, in_handshake: bool) -> Self {
        use CertificateError as C;
        match error {
            Error::InvalidMessage(_) if in_handshake => Self::NotTls,
            Error::AlertReceived(alert) => Self::Alert(u8::from(*alert)),
            Error::PeerIncompatible(_) => Self::NothingInCommon,
            Error::InvalidCertificate(why) => match why {
                C::UnknownIssuer => Self::UnknownIssuer,
                C::NotValidForName | C::NotValidForNameContext { .. } => Self::WrongName,
                C::Expired | C::ExpiredContext { .. } => Self::Expired,
                C::NotValidYet | C::NotValidYetContext { .. } => Self::NotYetValid,
                _ => Self::Certificate,
            },
            _ => Self::Broken,
        }
    }
}

impl fmt::Display for TlsFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotTls => f.write_str("the answer is not TLS"),
            Self::UnknownIssuer => f.write_str("certificate not trusted: unknown issuer"),
            Self::WrongName => f.write_str("certificate not trusted: made for another name"),
            Self::Expired => f.write_str("certificate not trusted: expired"),
            Self::NotYetValid => f.write_str("certificate not trusted: not yet valid"),
            Self::Certificate => f.write_str("certificate not trusted"),
            Self::Alert(code) => {
                let name = format!("{:?}", AlertDescription::from(*code));
                write!(f, "refused by the server with alert {}", snake(&name))
            }
            Self::NothingInCommon => f.write_str("no TLS version or cipher suite in common"),
            Self::NotNegotiated(id) => {
                let id = String::from_utf8_lossy(id);
                write!(f, "the server does not speak {id} over TLS")
            }
            Self::Broken => f.write_str("a broken TLS record"),
        }
    }
}

/// `HandshakeFailure` as the RFC writes it.
fn snake(name: &str) -> String {
    let mut text = String::new();
    for (at, letter) in name.char_indices() {
        if at > 0 && letter.is_ascii_uppercase() {
            text.push('_');
        }
        text.push(letter.to_ascii_lowercase());
    }
    text
}
