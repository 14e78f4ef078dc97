use serde::{Deserialize, Serialize};

/// Why a request failed, named by cause: a reader must know what to look at next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// Nobody listens on the address.
    Refused,
    /// The connection could not be opened for another reason than refusal.
    Connect,
    /// A Unix socket's accept queue was full, or the kernel gave up waiting for an accepted
    /// connection.
    Backlog,
    /// This machine ran out of local ports or file descriptors: our side's fault, never the server's.
    Exhausted,
    /// The peer reset the connection before the first byte of the answer.
    ResetBeforeAnswer,
    /// The peer reset the connection in the middle of the answer.
    ResetInAnswer,
    /// The peer closed the connection before the first byte of the answer.
    ClosedBeforeAnswer,
    /// The peer closed the connection before the answer was whole.
    Truncated,
    /// The bytes are not an answer of this protocol.
    Malformed,
    /// The app server said, in the protocol's own way, that it will not answer.
    Declined,
    /// There was no secret connection: another protocol, a certificate that is not trusted, a refusal.
    Tls,
    /// The answer's status was not the expected one.
    Status,
    /// The answer's body was not the expected one.
    Body,
    /// The answer broke one of the plan's own checks.
    Check,
    /// The server gave the request up and kept the connection (an HTTP/2 stream that was reset).
    Reset,
    /// Whoever thinks of the requests could not think of this one, or it cannot be put on the wire.
    Unasked,
}

impl Cause {
    /// The cause as a person says it.
    pub fn words(self) -> &'static str {
        match self {
            Self::Refused => "connection refused",
            Self::Connect => "could not connect",
            Self::Backlog => "accept queue full",
            Self::Exhausted => "out of local ports or descriptors (our side)",
            Self::ResetBeforeAnswer => "reset before the answer",
            Self::ResetInAnswer => "reset inside the answer",
            Self::ClosedBeforeAnswer => "closed before the answer",
            Self::Truncated => "closed inside the answer",
            Self::Malformed => "not a valid answer",
            Self::Declined => "declined by the app server",
            Self::Tls => "no TLS connection",
            Self::Status => "unexpected status",
            Self::Body => "unexpected body",
            Self::Check => "a check failed",
            Self::Reset => "reset by the server, on a connection that lives on",
            Self::Unasked => "could not be asked (our side)",
        }
    }
}
