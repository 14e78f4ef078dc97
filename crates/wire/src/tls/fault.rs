use rustls::{AlertDescription, CertificateError, Error, OtherError};

/// Why there is no secret connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TlsFault {
    /// The peer answers in something else.
    #[error("the response is not TLS")]
    NotTls,
    /// Nobody who is trusted has signed the certificate.
    #[error("certificate not trusted: unknown issuer")]
    UnknownIssuer,
    /// The certificate is its own authority, as `openssl req -x509` makes it, and nobody who is trusted.
    #[error("certificate not trusted: self-signed")]
    SelfSigned,
    /// The certificate names nobody: without a subjectAltName there is no name to compare, as the common name is none
    /// (RFC 9525, section 2).
    #[error(
        "certificate not trusted: it has no subjectAltName, which is required (a common name is not looked at)"
    )]
    Nameless,
    /// The certificate is made for another name.
    #[error("certificate not trusted: made for another name")]
    WrongName,
    /// The certificate is no longer valid.
    #[error("certificate not trusted: expired")]
    Expired,
    /// The certificate is not yet valid.
    #[error("certificate not trusted: not yet valid")]
    NotYetValid,
    /// The certificate cannot be relied on for another reason.
    #[error("certificate not trusted")]
    Certificate,
    /// The peer has refused, with this alert (RFC 8446, section 6).
    #[error("refused by the server with alert {}", alert(*.0))]
    Alert(u8),
    /// The two have no version or cipher suite in common.
    #[error("no TLS version or cipher suite in common")]
    NothingInCommon,
    /// The peer does not speak this protocol over TLS (RFC 7301).
    #[error("the server does not speak {} over TLS", String::from_utf8_lossy(.0))]
    NotNegotiated(&'static [u8]),
    /// A record is broken, or out of place.
    #[error("a broken TLS record")]
    Broken,
}

impl TlsFault {
    /// Whether its own words say all there is to say.
    pub(super) fn says_all(error: &Error) -> bool {
        let fault = Self::of(error, false);
        let own = matches!(error, Error::NoApplicationProtocol);
        own || matches!(fault, Self::SelfSigned | Self::Nameless)
    }

    pub(super) fn of(error: &Error, in_handshake: bool) -> Self {
        use CertificateError as C;
        match error {
            Error::InvalidMessage(_) if in_handshake => Self::NotTls,
            Error::AlertReceived(alert) => Self::Alert(u8::from(*alert)),
            Error::PeerIncompatible(_) => Self::NothingInCommon,
            Error::InvalidCertificate(why) => match why {
                C::UnknownIssuer => Self::UnknownIssuer,
                C::NotValidForNameContext { presented, .. } if presented.is_empty() => {
                    Self::Nameless
                }
                C::Other(why) if is_own_authority(why) => Self::SelfSigned,
                C::NotValidForName | C::NotValidForNameContext { .. } => Self::WrongName,
                C::Expired | C::ExpiredContext { .. } => Self::Expired,
                C::NotValidYet | C::NotValidYetContext { .. } => Self::NotYetValid,
                _ => Self::Certificate,
            },
            _ => Self::Broken,
        }
    }
}

/// Whether a certificate that is an authority's was given by a server as its own.
pub(super) fn is_own_authority(why: &OtherError) -> bool {
    why.0.to_string().contains("CaUsedAsEndEntity")
}

/// `HandshakeFailure` as the RFC writes it.
fn alert(code: u8) -> String {
    let mut text = String::new();
    for letter in format!("{:?}", AlertDescription::from(code)).chars() {
        if !text.is_empty() && letter.is_ascii_uppercase() {
            text.push('_');
        }
        text.push(letter.to_ascii_lowercase());
    }
    text
}
