use crate::{Ask, End, Event, Failure, Malformed, Session, Setup, Unsendable};

/// Most header lines that are read.
const MOST_LINES: usize = 128;

/// Longest body that is collected, in bytes: a readiness check must not be drowned.
const LARGEST_BODY: usize = 64 << 20;

/// One whole answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// Final status.
    pub status: u16,
    /// Header names in lower case, and values, in the order in which they came.
    pub headers: Vec<(String, Vec<u8>)>,
    /// The body, transfer coding removed.
    pub body: Vec<u8>,
    /// Whether the connection could carry another request.
    pub keep: bool,
}

impl Answer {
    /// The first header of this name (given in lower case), as text.
    pub fn header(&self, name: &str) -> Option<std::borrow::Cow<'_, str>> {
        let (_, value) = self.headers.iter().find(|(given, _)| given == name)?;
        Some(String::from_utf8_lossy(value))
    }
}

/// Why there is no whole answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Incomplete {
    /// The connection was closed before the first byte.
    #[error("the connection was closed before the response")]
    BeforeAnswer,
    /// The connection was closed during the response.
    #[error("the connection was closed during the response")]
    Truncated,
    /// The body is beyond what is collected (64 MiB).
    #[error("the body is longer than 64 MiB")]
    TooLarge,
    /// The peer gave the request up, and not the connection.
    #[error("{0}")]
    Failed(Failure),
    /// The bytes are not an answer.
    #[error("not a valid response: {0}")]
    Malformed(#[from] Malformed),
}

/// Builds one [`Answer`] out of the bytes that a caller reads from its socket.
///
/// ```
/// use wire::{Ask, Cgi, Collector, Http1};
/// let ask = Ask {
///     method: "GET",
///     path: "/",
///     host: "localhost",
///     headers: &[],
///     body: &[],
///     keep_alive: false,
///     cgi: Cgi::default(),
/// };
/// let (mut collector, request) = Collector::<Http1>::new(&ask).unwrap();
/// assert!(request.starts_with(b"GET / HTTP/1.1\r\n")); // write these bytes to the socket
/// let mut owed = Vec::new();
/// let bytes = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
/// let answer = collector.receive(bytes, &mut owed).unwrap().unwrap();
/// assert_eq!((answer.status, answer.body.as_slice()), (200, b"ok".as_slice()));
/// assert!(owed.is_empty()); // HTTP/1 acknowledges nothing
/// ```
#[derive(Debug)]
pub struct Collector<S: Session> {
    session: S,
    /// Until the connection is ready for it.
    waiting: Option<S::Request>,
    answer: Answer,
    done: bool,
    failure: Option<Failure>,
}

impl<S: Session> Collector<S> {
    /// A collector for the answer to `ask`, and the bytes to send first.
    ///
    /// # Errors
    /// When `ask` cannot be put on the wire.
    pub fn new(ask: &Ask<'_>) -> Result<(Self, Vec<u8>), Unsendable> {
        Self::on(&Setup::default(), ask)
    }

    /// The same on a connection that is made this way.
    ///
    /// # Errors
    /// When `ask` cannot be put on the wire.
    pub fn on(setup: &Setup, ask: &Ask<'_>) -> Result<(Self, Vec<u8>), Unsendable> {
        let request = S::prepare(ask)?;
        let mut out = Vec::new();
        let mut collector = Self {
            session: S::open(setup, &mut out),
            waiting: Some(request),
            answer: Answer::default(),
            done: false,
            failure: None,
        };
        collector.send(&mut out);
        Ok((collector, out))
    }

    /// Sends the request as soon as the connection is ready for it.
    fn send(&mut self, out: &mut Vec<u8>) {
        if !self.session.is_ready() || self.session.capacity() == 0 {
            return;
        }
        if let Some(request) = self.waiting.take() {
            self.session.send(0, &request, out);
        }
    }

    /// Takes bytes that arrived; the answer, once it is whole. What the protocol owes to the peer for
    /// them is appended to `out`: a peer that is not given it may not send the rest.
    ///
    /// # Errors
    /// When the bytes are not an answer, or one that is too large.
    pub fn receive(
        &mut self,
        bytes: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<Option<Answer>, Incomplete> {
        let Self {
            session,
            answer,
            done,
            failure,
            ..
        } = self;
        session.receive(bytes, out, |_, event| match event {
            Event::Failed(why) => *failure = Some(why),
            event => *done |= take(answer, event),
        })?;
        self.send(out);
        match &self.failure {
            Some(Failure::Malformed(why)) => return Err(Incomplete::Malformed(*why)),
            Some(why) => return Err(Incomplete::Failed(*why)),
            None => {}
        }
        if self.answer.body.len() > LARGEST_BODY {
            return Err(Incomplete::TooLarge);
        }
        Ok(self.done.then(|| std::mem::take(&mut self.answer)))
    }

    /// The peer has ended the stream.
    ///
    /// # Errors
    /// When the answer is not whole.
    pub fn close(&mut self) -> Result<Answer, Incomplete> {
        let answer = &mut self.answer;
        match self.session.close(|_, event| {
            take(answer, event);
        }) {
            End::Complete => Ok(std::mem::take(answer)),
            End::Truncated => Err(Incomplete::Truncated),
            End::BeforeAnswer | End::Idle => Err(Incomplete::BeforeAnswer),
        }
    }
}

/// Adds an event to the answer; whether it was the last.
fn take(answer: &mut Answer, event: Event<'_>) -> bool {
    match event {
        Event::FirstByte | Event::Stderr(_) | Event::Failed(_) => {}
        Event::Head { status, fields } => {
            answer.status = status;
            answer.headers = headers(fields);
        }
        Event::Body(piece) => answer.body.extend_from_slice(piece),
        Event::Done { keep } => {
            answer.keep = keep;
            return true;
        }
    }
    false
}

/// The session has accepted these lines, so that a failure here cannot occur.
fn headers(fields: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut lines = [httparse::EMPTY_HEADER; MOST_LINES];
    match httparse::parse_headers(fields, &mut lines) {
        Ok(httparse::Status::Complete((_, lines))) => lines
            .iter()
            .map(|line| (line.name.to_ascii_lowercase(), line.value.to_vec()))
            .collect(),
        _ => Vec::new(),
    }
}
