use serde::{Deserialize, Serialize};

use crate::named::named;

named! {
    /// Why a request failed, named by cause: a reader must know what to look at next.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, JsonSchema, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Cause,
    /// The cause as a person says it.
    fn words {
        /// Nobody listens on the address.
        Refused = "connection refused",
        /// There is nothing at the path of the Unix socket.
        NoSocket = "no such socket",
        /// What is at the path of the Unix socket is something else.
        NotASocket = "not a socket",
        /// The system does not let this user connect: the permissions of a Unix socket, a firewall.
        Denied = "permission denied",
        /// The connection could not be opened for another reason than refusal.
        Connect = "could not connect",
        /// A Unix socket's accept queue was full, or the kernel gave up waiting for an accepted
        /// connection.
        Backlog = "accept queue full",
        /// This machine ran out of local ports or file descriptors: our side's fault, never the server's.
        Exhausted = "out of local ports or descriptors (our side)",
        /// The peer reset the connection before the first byte of the answer.
        ResetBeforeAnswer = "reset before the response",
        /// The peer reset the connection in the middle of the answer.
        ResetInAnswer = "reset during the response",
        /// The peer closed the connection before the first byte of the answer.
        ClosedBeforeAnswer = "closed before the response",
        /// The peer closed the connection before the answer was whole.
        Truncated = "closed during the response",
        /// The bytes are not an answer of this protocol.
        Malformed = "not a valid response",
        /// The app server said, in the protocol's own way, that it will not answer.
        Declined = "declined by the app server",
        /// There was no secret connection: another protocol, a certificate that is not trusted, a refusal.
        Tls = "no TLS connection",
        /// The answer's status was not the expected one.
        Status = "unexpected status",
        /// The answer's body was not the expected one.
        Body = "unexpected body",
        /// The answer broke one of the plan's own checks.
        Check = "a check failed",
        /// The server gave the request up and kept the connection (an HTTP/2 stream that was reset).
        Reset = "reset by the server, on a connection that lives on",
        /// The peer does not read what it is sent, so that too much is pending for it.
        Unread = "the server does not read what it is sent",
        /// The answer's body is beyond what is kept of one that must be whole to be looked at.
        TooLong = "the body is too long to be looked at whole",
        /// Whoever thinks of the requests could not think of this one, or it cannot be put on the wire.
        Unasked = "could not be asked (our side)",
    }
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
}
