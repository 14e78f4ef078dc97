use std::io::{self, ErrorKind, IoSlice, Read as _, Write as _};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

use kernel::TcpInfo;
use record::{Malformed, Talk};
use rustix::event::epoll::EventFlags;

use crate::answer::{CONTINUE, REFUSAL};
use crate::count::{self, SAMPLE};
use crate::gaps::Waits;
use crate::kept::Kept;
use crate::request::{Reader, Request, Seen};
use crate::secure::Secure;

/// Most bytes that wait on a connection while its request waits for a response.
const MOST_WAITING: usize = 128 * 1024;

/// A body that comes so long after its head may wait for an acknowledgement that is delayed: Linux delays one for 40 ms at
/// least (`TCP_DELACK_MIN`), and for 200 ms at most (`TCP_DELACK_MAX`).
const STALL: std::ops::Range<Duration> = Duration::from_millis(30)..Duration::from_millis(250);

/// One connection of the client.
#[derive(Debug)]
pub(crate) struct Link {
    socket: TcpStream,
    /// The layer of TLS, if there is one.
    secure: Option<Box<Secure>>,
    /// What is wrong with what came through it.
    broken: Option<Malformed>,
    reader: Reader,
    requests: u64,
    /// What had come with the requests before this one: segments with data, and bytes.
    before: (u32, u64),
    /// When a head was read of whose body nothing had come, and whether it was acknowledged at once.
    head: Option<(Instant, bool)>,
    /// Whether the last body that nobody hurried stalled.
    stalled: bool,
    /// A request that waits for its response.
    asked: Option<Request>,
    /// What is being sent: first this, then the body, of which so much together was written.
    output: Vec<u8>,
    body: Option<Arc<[u8]>>,
    written: usize,
    /// The client sends nothing more; it may still read.
    hung_up: bool,
    /// No further request is read: what comes is thrown away until the client hangs up.
    closing: bool,
    /// What it waits for, as the kernel was told last.
    pub(crate) watched: EventFlags,
}

/// What came on a connection.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Came {
    /// Nothing that is whole, or nothing that is its turn.
    Nothing,
    /// A request.
    Request,
    /// No request: its reason, and how it began.
    Misread(Malformed, String),
}

impl Link {
    /// A connection whose requests are kept if they are to be passed on.
    pub(crate) fn new(
        socket: TcpStream,
        secure: Option<Box<Secure>>,
        watched: EventFlags,
        keeps: bool,
    ) -> Self {
        Self {
            socket,
            secure,
            broken: None,
            reader: Reader::keeping(keeps),
            requests: 0,
            before: (0, 0),
            head: None,
            stalled: false,
            asked: None,
            output: Vec::new(),
            body: None,
            written: 0,
            hung_up: false,
            closing: false,
            watched,
        }
    }

    pub(crate) fn socket(&self) -> &TcpStream {
        &self.socket
    }

    /// What it waits for now.
    pub(crate) fn interest(&self) -> EventFlags {
        let mut interest = EventFlags::empty();
        let hears = !self.hung_up && self.reader.waiting() < MOST_WAITING;
        interest.set(EventFlags::IN, hears);
        interest.set(EventFlags::OUT, !self.is_flushed());
        interest
    }

    /// Takes in what arrived.
    pub(crate) fn receive(&mut self, buffer: &mut [u8], waits: &mut Waits) {
        let length = match self.socket.read(buffer) {
            Ok(length) => length,
            Err(error) if is_transient(error.kind()) => return,
            Err(_) => 0,
        };
        if length == 0 {
            self.hung_up = true;
        } else if !self.closing {
            self.heard(&buffer[..length], waits);
        }
    }

    /// Bytes came.
    fn heard(&mut self, bytes: &[u8], waits: &mut Waits) {
        let mut plain = Vec::new();
        let bytes = match &mut self.secure {
            None => bytes,
            Some(secure) => {
                self.broken = secure.open(bytes, &mut plain).err();
                &plain
            }
        };
        if bytes.is_empty() {
            return;
        }
        if let Some((since, hurried)) = self.head.take() {
            self.body_came(since.elapsed(), hurried, waits);
        }
        self.reader.take(bytes);
    }

    /// Whether nothing more can come of it.
    pub(crate) fn is_over(&self) -> bool {
        self.hung_up && self.asked.is_none() && self.is_flushed()
    }

    /// Whether no further request can come of it.
    pub(crate) fn is_closing(&self) -> bool {
        self.closing || self.hung_up
    }

    fn body_came(&mut self, gap: Duration, hurried: bool, waits: &mut Waits) {
        waits.all.add(gap);
        if hurried {
            waits.acknowledged.add(gap);
            self.stalled = false;
        } else if STALL.contains(&gap) {
            waits.stalled.add(gap);
            self.stalled = true;
        }
    }

    /// Reads the next request, once the one before it has its response.
    pub(crate) fn proceed(&mut self, talk: &mut Talk) -> Came {
        self.greet(talk);
        if let Some(why) = self.broken.take() {
            (self.closing, self.hung_up) = (true, true);
            return Came::Misread(why, String::new());
        }
        while self.asked.is_none() && self.is_sent() && !self.closing {
            match self.reader.read() {
                Ok(Seen::Part) => break,
                Ok(Seen::Head { request, alone }) => self.head_came(&request, alone),
                Ok(Seen::Whole(request)) => {
                    self.count(&request, talk);
                    self.asked = Some(request);
                    return Came::Request;
                }
                Err(why) => {
                    let sample = self.reader.sample(SAMPLE);
                    self.reader = Reader::default();
                    self.closing = true;
                    self.output.extend_from_slice(REFUSAL);
                    return Came::Misread(why, sample);
                }
            }
        }
        Came::Nothing
    }

    /// Counts a handshake that is over. What came with it is no request's.
    fn greet(&mut self, talk: &mut Talk) {
        let greeting = self.secure.as_mut().and_then(|secure| secure.greeting());
        if let Some(resumed) = greeting {
            talk.handshakes += 1;
            talk.resumed += u64::from(resumed);
            let info = self.info();
            self.before = (info.data_segments_received, info.bytes_received);
        }
    }

    fn head_came(&mut self, request: &Request, alone: bool) {
        if request.expects {
            self.output.extend_from_slice(CONTINUE);
        } else if alone {
            let since = Instant::now();
            // The kernel acknowledges what came if it had put that off, and goes on as before after that.
            let hurried =
                self.stalled && rustix::net::sockopt::set_tcp_quickack(&self.socket, true).is_ok();
            self.head = Some((since, hurried));
        }
    }

    /// Counts what came with a request. Of one that came along with another before it nothing more is to be seen.
    fn count(&mut self, request: &Request, talk: &mut Talk) {
        let info = self.info();
        let (segments, bytes) = self.before;
        let now = (info.data_segments_received, info.bytes_received);
        count::request(
            talk,
            request,
            now.0.wrapping_sub(segments),
            now.1.saturating_sub(bytes),
        );
        self.before = now;
        self.requests += 1;
    }

    /// The request whose response is due: its connection is not kept after that where it says so by then.
    pub(crate) fn asked(&mut self) -> Option<&mut Request> {
        self.asked.as_mut()
    }

    /// The same as it is passed on, once.
    pub(crate) fn kept(&mut self) -> Option<Kept> {
        self.reader.kept()
    }

    /// Gives it its response.
    pub(crate) fn answer(&mut self, head: &[u8], body: Option<Arc<[u8]>>) {
        self.closing |= self.asked.take().is_some_and(|request| !request.keep);
        self.output.extend_from_slice(head);
        self.body = body;
    }

    /// Whether no response waits to be sent.
    pub(crate) fn is_sent(&self) -> bool {
        self.output.is_empty()
    }

    /// Whether nothing at all waits to be sent.
    fn is_flushed(&self) -> bool {
        self.is_sent() && !self.secure.as_ref().is_some_and(|secure| secure.is_full())
    }

    /// Sends what waits to be sent, head and body in one write; `false` where the client is gone.
    pub(crate) fn write(&mut self) -> bool {
        if let Err(error) = self.send() {
            return is_transient(error.kind());
        }
        if self.closing && !self.is_sent() {
            let _ = self.socket.shutdown(Shutdown::Write);
        }
        self.output.clear();
        self.body = None;
        self.written = 0;
        true
    }

    /// Until all of it is with the kernel.
    fn send(&mut self) -> io::Result<()> {
        let body = self.body.as_deref().unwrap_or_default();
        while self.written < self.output.len() + body.len() {
            let head = self.output.get(self.written..).unwrap_or_default();
            let body = &body[self.written.saturating_sub(self.output.len())..];
            let pieces = [IoSlice::new(head), IoSlice::new(body)];
            self.written += match &mut self.secure {
                None => self.socket.write_vectored(&pieces)?,
                Some(secure) => secure.write(&pieces, &self.socket)?,
            };
        }
        let Some(secure) = &mut self.secure else {
            return Ok(());
        };
        if self.closing && !self.output.is_empty() {
            secure.close();
        }
        secure.flush(&self.socket)
    }

    /// Counts what the kernel knows of it at its end.
    pub(crate) fn end(self, talk: &mut Talk) {
        let unfinished = !self.closing && self.reader.has_begun() && self.asked.is_none();
        count::ended(talk, &self.info(), self.requests, unfinished);
    }

    fn info(&self) -> TcpInfo {
        kernel::tcp_info(&self.socket).unwrap_or_default()
    }
}

pub(crate) fn is_transient(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::WouldBlock | ErrorKind::Interrupted)
}
