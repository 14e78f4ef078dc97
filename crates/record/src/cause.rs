use serde::{Deserialize, Serialize};

/// Why a request failed, named by cause: a reader must know what to look at next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// Nobody listens on the address.
    Refused,
    /// There is nothing at the path of the Unix socket.
    NoSocket,
    /// What is at the path of the Unix socket is something else.
    NotASocket,
    /// The system does not let this user connect: the permissions of a Unix socket, a firewall.
    Denied,
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
    /// The peer does not read what it is sent, so that too much is pending for it.
    Unread,
    /// The answer's body is beyond what is kept of one that must be whole to be looked at.
    TooLong,
    /// Whoever thinks of the requests could not think of this one, or it cannot be put on the wire.
    Unasked,
}

impl Cause {
    /// Those for which there is no connection, and the other side or the way to it is why.
    pub const UNCONNECTED: [Self; 6] = [
        Self::Refused,
        Self::NoSocket,
        Self::NotASocket,
        Self::Denied,
        Self::Connect,
        Self::Backlog,
    ];

    /// Whether the server answered, if wrongly. After other causes a request has no answer, and its time
    /// is a lower bound of what its answer would have taken.
    pub fn is_answer(self) -> bool {
        matches!(
            self,
            Self::Malformed | Self::Declined | Self::Status | Self::Body | Self::Check
        )
    }

    /// The cause as a person says it.
    pub fn words(self) -> &'static str {
        match self {
            Self::Refused => "connection refused",
            Self::NoSocket => "no such socket",
            Self::NotASocket => "not a socket",
            Self::Denied => "permission denied",
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
            Self::Unread => "the server does not read what it is sent",
            Self::TooLong => "the body is too long to be looked at whole",
            Self::Unasked => "could not be asked (our side)",
        }
    }
}
