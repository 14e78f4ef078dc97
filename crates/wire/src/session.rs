use std::net::SocketAddr;

use crate::{Ask, TlsFault, TlsSettings, Unsendable};

/// A request and its answer, by a number of the caller's choice: the key under which the answer's
/// events arrive. No two that are under way on a connection may share it.
pub type Exchange = u32;

/// Who is told what arriving bytes mean, by the exchange.
pub trait On: FnMut(Exchange, Event<'_>) {}

impl<F: FnMut(Exchange, Event<'_>)> On for F {}

/// The same where there is one exchange.
pub(crate) trait OnOne: FnMut(Event<'_>) {}

impl<F: FnMut(Event<'_>)> OnOne for F {}

/// One connection's protocol state, without its socket and its clock.
///
/// The caller opens a connection, hands [`open`](Session::open)'s bytes to it, waits until it
/// [is ready](Session::is_ready), then sends as many requests as [`capacity`](Session::capacity)
/// allows; it feeds what arrives to [`receive`](Session::receive) and tells the peer's end of stream
/// to [`close`](Session::close). After an error, and once an answer has not kept the connection, no
/// further request may be sent; those still under way may be answered.
pub trait Session: Sized {
    /// A request made ready once, to be sent many times.
    type Request: Send + Sync;
    /// The protocol's names where TLS chooses among several (ALPN, RFC 7301), the preferred one first;
    /// empty where it has none.
    const ALPN: &'static [&'static [u8]] = &[];
    /// Whether it may be spoken over TLS only if the peer has chosen it by such a name.
    const NEEDS_ALPN: bool = false;
    /// Whether requests carry CGI variables: those of [`Ask::cgi`], and where their connection comes from, for
    /// which [`Setup::local`] is to be set.
    const VARIABLES: bool = false;
    /// How requests share a connection.
    const AT_ONCE: AtOnce = AtOnce::One;

    /// Turns a request's description into what `send` takes.
    ///
    /// # Errors
    /// When a part cannot be put on the wire (a line break in a header).
    fn prepare(ask: &Ask<'_>) -> Result<Self::Request, Unsendable>;

    /// A request whose bytes the caller has written, where the protocol has such a thing: `None` where
    /// it does not.
    fn verbatim(_bytes: &[u8]) -> Option<Self::Request> {
        None
    }

    /// Most bytes that sending a request once puts on the wire, its body included, before TLS.
    fn length(request: &Self::Request) -> usize;

    /// Begins a fresh connection; appends the bytes that the protocol wants before any request.
    fn open(setup: &Setup, out: &mut Vec<u8>) -> Self;

    /// Whether requests may be sent: not while a handshake is under way.
    fn is_ready(&self) -> bool {
        true
    }

    /// How many more requests may be sent before an answer must arrive.
    fn capacity(&self) -> usize;

    /// Appends the bytes of one request to `out`. Call it only while there is capacity.
    fn send(&mut self, exchange: Exchange, request: &Self::Request, out: &mut Vec<u8>);

    /// Gives a request up that was sent; whether the connection can go on without its answer, of
    /// which no event will be told any more. Most protocols cannot.
    fn cancel(&mut self, _exchange: Exchange, _out: &mut Vec<u8>) -> bool {
        false
    }

    /// Takes bytes that arrived and says what they mean, in order. Bytes that the protocol itself
    /// owes to the peer (acknowledgements) are appended to `out`.
    ///
    /// # Errors
    /// When the bytes are not an answer of this protocol. An answer reported as done by the same
    /// call does not count either: what follows shows that its framing was wrong.
    fn receive(&mut self, bytes: &[u8], out: &mut Vec<u8>, on: impl On) -> Result<()>;

    /// The peer has ended the stream. May complete an answer that ends with its connection. What it
    /// returns is true of the request that was waiting longest; the others' answers had not begun,
    /// unless their events said so.
    fn close(&mut self, on: impl On) -> End;

    /// Of bytes that were [received](Session::receive) and are malformed, what a person can read.
    fn clear<'a>(&'a self, bytes: &'a [u8]) -> &'a [u8] {
        bytes
    }

    /// More words about why the connection has failed, if there are any.
    fn detail(&self) -> Option<String> {
        None
    }
}

/// How requests share a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtOnce {
    /// One after the other.
    One,
    /// Sent without waiting for the answers before, which come in the same order.
    Pipelined,
    /// As streams, answered in any order.
    Streams,
}

/// How the connections of a load are to be, whatever is asked on them.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Most requests under way at once on a connection, at least 1: pipelined in HTTP/1, as streams
    /// in HTTP/2. Protocols that carry one at a time take no notice.
    pub depth: u32,
    /// Whether the bytes travel inside TLS, which a request may have to say (`https` in HTTP/2).
    pub secure: bool,
    /// How a session in [`Tls`](crate::Tls) makes its handshake; the others take no notice.
    pub tls: Option<TlsSettings>,
    /// The connection's own end, which protocols of CGI variables tell as the client's; none over
    /// Unix sockets.
    pub local: Option<SocketAddr>,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            depth: 1,
            secure: false,
            tls: None,
            local: None,
        }
    }
}

/// What arriving bytes mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event<'a> {
    /// The first byte of an answer has arrived.
    FirstByte,
    /// The answer's head is whole.
    Head {
        /// The final status, 200 to 999 (interim answers are passed over).
        status: u16,
        /// The header lines as they came, to the empty line; see [`Answer`](crate::Answer) for a reading.
        fields: &'a [u8],
    },
    /// A piece of the body, transfer coding removed.
    Body(&'a [u8]),
    /// A piece of what the application complains about beside its answer.
    Stderr(&'a [u8]),
    /// The answer is whole.
    Done {
        /// Whether the connection can carry another request.
        keep: bool,
    },
    /// The request came to a bad end, without its connection: of this exchange no event will be
    /// told any more, the others go on.
    Failed(Failure),
}

/// Why one request of several failed alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// The peer says that it has not begun to work on the request: it may be asked again, on another
    /// connection if this one has no capacity any more.
    #[error("refused before any work on it")]
    Refused,
    /// The peer gave the request up, with an error code of the protocol.
    #[error("given up by the peer with error code {0}")]
    Reset(u32),
    /// The answer is none, and the peer has been told so.
    #[error("{0}")]
    Malformed(Malformed),
}

/// What the peer's end of stream means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// No request was waiting for an answer.
    Idle,
    /// It completed the answer (the events said so).
    Complete,
    /// Not one byte of the answer had come.
    BeforeAnswer,
    /// The answer had begun and is not whole.
    Truncated,
}

/// What comes of bytes, unless it is said otherwise.
pub(crate) type Result<T, E = Malformed> = std::result::Result<T, E>;

/// Why bytes are not an answer of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Malformed {
    /// Bytes arrived though no request was waiting: the answer before was longer than it said.
    #[error("bytes after the end of the response")]
    Unasked,
    /// The head does not parse.
    #[error("the head does not parse")]
    Head,
    /// The head is longer, or has more lines, than any sensible server sends.
    #[error("the head is too long")]
    TooLong,
    /// The status is not a final one that was asked for.
    #[error("the status is not a final one")]
    Status,
    /// `Content-Length` is not a number, or there are two that differ.
    #[error("content-length is invalid or contradicts itself")]
    Length,
    /// The chunked transfer coding is broken.
    #[error("the chunked coding is broken")]
    Chunk,
    /// A record, packet or frame is not of the protocol, or out of place.
    #[error("a record, packet or frame that has no place there")]
    Frame,
    /// The server does not agree to the upgrade as it was asked for.
    #[error("the server agrees to an upgrade that was not asked for")]
    Upgrade,
    /// The first bytes are not how a peer of this protocol begins.
    #[error("it does not begin as this protocol does: it may speak another")]
    Preface,
    /// Compressed header lines do not decompress.
    #[error("the header lines do not decompress")]
    Compression,
    /// The peer allows nothing more, or more than there can be.
    #[error("it breaks the rules of flow control")]
    FlowControl,
    /// The application ended the request without a response.
    #[error("the application ended the request without a response")]
    Empty,
    /// The application ended its answer before it was whole.
    #[error("the application ended its response before it was whole")]
    Cut,
    /// The application will not serve several requests on a connection at once.
    #[error("it cannot multiplex connections (FCGI_CANT_MPX_CONN)")]
    CannotMultiplex,
    /// The application is out of some resource.
    #[error("it is overloaded (FCGI_OVERLOADED)")]
    Overloaded,
    /// The application does not answer requests: it has another role.
    #[error("it does not know the responder's role (FCGI_UNKNOWN_ROLE)")]
    UnknownRole,
    /// There is no secret connection.
    #[error("{0}")]
    Tls(TlsFault),
}

impl Malformed {
    /// Whether the application has said, in the protocol's own way, that it will not answer.
    pub fn is_refusal(self) -> bool {
        [Self::CannotMultiplex, Self::Overloaded, Self::UnknownRole].contains(&self)
    }
}
