//! Requests are passed on to a server, each over a connection of its own, by threads that may wait: the origin's loop does not.

use std::io::{self, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::os::fd::OwnedFd;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use rustix::event::{EventfdFlags, eventfd};
use wire::{Ask, Cgi, Collector, Http1};

use crate::answer::{connection, reason};
use crate::kept::{ALL_BODIES, Excess, Kept, LONGEST_BODY, end_to_end};
use crate::link::is_transient;
use crate::request::Request;

/// Most requests that the server has at once; others wait for their turn.
pub(crate) const AT_ONCE: u64 = 32;
/// Longest time that it has to be reached, and from the begin of an exchange to the end of its response.
const PATIENCE: Duration = Duration::from_secs(30);
/// How soon a thread that waits for it hears that the loop has ended.
const LOOK: Duration = Duration::from_millis(100);

/// A server to which requests are passed on, over HTTP/1.1.
#[derive(Clone, Debug)]
pub struct Upstream {
    /// Where it listens.
    pub address: SocketAddr,
    /// The name that it is asked for: the `Host` header.
    pub host: String,
}

/// What the client is told in place of a response.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) status: u16,
    pub(crate) why: String,
}

/// What became of a request.
pub(crate) type Answered = Result<wire::Answer, Refusal>;

/// The threads, and what they were asked and have answered.
pub(crate) struct Forward {
    asked: Sender<(u64, Kept)>,
    answered: Receiver<(u64, Answered)>,
    /// Nobody else keeps it: with it the threads end.
    bell: Arc<OwnedFd>,
}

/// One of the threads. It ends when the loop has, and asks the server for nothing more.
struct Porter {
    to: Upstream,
    asked: Arc<Mutex<Receiver<(u64, Kept)>>>,
    answered: Sender<(u64, Answered)>,
    bell: Weak<OwnedFd>,
}

impl Forward {
    pub(crate) fn start(to: &Upstream) -> io::Result<Self> {
        let (asked, theirs) = channel();
        let (tell, answered) = channel();
        let theirs = Arc::new(Mutex::new(theirs));
        let flags = EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK;
        let bell = Arc::new(eventfd(0, flags)?);
        for _ in 0..AT_ONCE {
            let porter = Porter {
                to: to.clone(),
                asked: Arc::clone(&theirs),
                answered: tell.clone(),
                bell: Arc::downgrade(&bell),
            };
            let thread = std::thread::Builder::new().name("forward".to_owned());
            thread.spawn(move || porter.work())?;
        }
        Ok(Self {
            asked,
            answered,
            bell,
        })
    }

    /// Readable when there are answers.
    pub(crate) fn bell(&self) -> &OwnedFd {
        &self.bell
    }

    /// Passes on a request of this connection.
    pub(crate) fn ask(&self, number: u64, kept: Kept) {
        let _ = self.asked.send((number, kept)); // the threads live as long as this
    }

    /// The answers that there are, each with its connection.
    pub(crate) fn answered(&self) -> Vec<(u64, Answered)> {
        let _ = rustix::io::read(&*self.bell, &mut [0_u8; 8]);
        self.answered.try_iter().collect()
    }
}

impl Porter {
    fn work(&self) {
        loop {
            let asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
            let next = asked.recv();
            drop(asked);
            let Ok((number, kept)) = next else { return };
            let answered = self.ask(&kept);
            let Some(bell) = self.bell.upgrade() else {
                return;
            };
            if self.answered.send((number, answered)).is_err() {
                return;
            }
            // one that was rung and not heard yet is heard
            let _ = rustix::io::write(&*bell, &1_u64.to_ne_bytes());
        }
    }

    fn ask(&self, kept: &Kept) -> Answered {
        let refused = kept.excess.map(|excess| match excess {
            Excess::Long => Refusal {
                status: 413,
                why: format!(
                    "a body of more than {} MiB is not passed on",
                    LONGEST_BODY >> 20
                ),
            },
            Excess::Together => Refusal {
                status: 503,
                why: format!(
                    "the bodies that wait to be passed on are more than {} MiB together",
                    ALL_BODIES >> 20
                ),
            },
        });
        if let Some(refused) = refused {
            return Err(refused);
        }
        self.exchange(kept).map_err(|why| Refusal {
            status: 502,
            why: format!("no response from {}: {why}", self.to.address),
        })
    }

    fn exchange(&self, kept: &Kept) -> Result<wire::Answer, String> {
        let until = Instant::now() + PATIENCE;
        self.wait(until)?;
        let headers = kept.headers.iter();
        let headers: Vec<_> = headers.map(|(name, value)| (&**name, &**value)).collect();
        let ask = Ask {
            method: &kept.method,
            path: &kept.target,
            host: &self.to.host,
            headers: &headers,
            body: &kept.body,
            keep_alive: true, // so that the server says whether it would be
            cgi: Cgi::default(),
        };
        let made = Collector::<Http1>::new(&ask);
        let made = made.map_err(|error| format!("the request's {} cannot be sent", error.part));
        let (collector, request) = made?;
        let socket = TcpStream::connect_timeout(&self.to.address, PATIENCE);
        let mut socket = socket.map_err(|error| error.to_string())?;
        self.send(&mut socket, &request, until)?;
        self.answer(&mut socket, collector, until)
    }

    /// How long to wait next, of the time until then. An error when that is over, or nobody waits for the response any more.
    fn wait(&self, until: Instant) -> Result<Duration, String> {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(format!("none was whole within {} s", PATIENCE.as_secs()));
        }
        if self.bell.strong_count() == 0 {
            return Err("the client has ended".to_owned());
        }
        Ok(left.min(LOOK))
    }

    /// Sends a request. A server may answer, and close, before it has read all of it.
    fn send(
        &self,
        socket: &mut TcpStream,
        mut request: &[u8],
        until: Instant,
    ) -> Result<(), String> {
        while !request.is_empty() {
            let limited = socket.set_write_timeout(Some(self.wait(until)?));
            limited.map_err(|error| error.to_string())?;
            match socket.write(request) {
                Ok(length) => request = &request[length..],
                Err(error) if is_transient(error.kind()) => {}
                Err(_) => break,
            }
        }
        Ok(())
    }

    /// The response that comes on a connection.
    fn answer(
        &self,
        socket: &mut TcpStream,
        mut collector: Collector<Http1>,
        until: Instant,
    ) -> Result<wire::Answer, String> {
        let mut buffer = vec![0; 64 * 1024];
        let mut owed = Vec::new(); // of which HTTP/1 has none
        loop {
            let limited = socket.set_read_timeout(Some(self.wait(until)?));
            limited.map_err(|error| error.to_string())?;
            let length = match socket.read(&mut buffer) {
                Ok(length) => length,
                Err(error) if is_transient(error.kind()) => continue,
                Err(error) => return Err(error.to_string()),
            };
            if length == 0 {
                return collector.close().map_err(|error| error.to_string());
            }
            let came = collector.receive(&buffer[..length], &mut owed);
            if let Some(answer) = came.map_err(|error| error.to_string())? {
                return Ok(answer);
            }
        }
    }
}

/// What a client that asked so is told of a server's response: head and body.
pub(crate) fn passed_on(answer: wire::Answer, request: &Request) -> (Vec<u8>, Option<Arc<[u8]>>) {
    let status = answer.status;
    let bodiless = request.head_only || matches!(status, 204 | 304);
    let mut head = format!("HTTP/1.1 {status} {}\r\n", reason(status)).into_bytes();
    // that of a response without a body is of the one that is not there; with 204 there is none (RFC 9110, section 8.6)
    let is_own = |name: &str| name == "content-length" && (!bodiless || status == 204);
    let headers = end_to_end(answer.headers).into_iter();
    for (name, value) in headers.filter(|(name, _)| !is_own(name)) {
        head.extend([name.as_bytes(), b": ", value.as_slice(), b"\r\n"].concat());
    }
    if !bodiless {
        let length = answer.body.len();
        head.extend(format!("content-length: {length}\r\n").into_bytes());
    }
    head.extend_from_slice(connection(request).as_bytes());
    head.extend_from_slice(b"\r\n");
    (head, (!bodiless).then(|| answer.body.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(status: u16, request: &Request) -> (String, Option<Arc<[u8]>>) {
        let lines = [
            ("content-length", "2"),
            ("connection", "x-hop"),
            ("x-hop", "1"),
            ("transfer-encoding", "chunked"),
            ("set-cookie", "a=b"),
        ];
        let headers = lines.map(|(name, value)| (name.to_owned(), value.as_bytes().to_vec()));
        let answer = wire::Answer {
            status,
            headers: headers.to_vec(),
            body: b"hello".to_vec(),
            keep: false,
        };
        let (head, body) = passed_on(answer, request);
        (String::from_utf8(head).unwrap(), body)
    }

    #[test]
    fn a_response_has_the_length_of_what_is_sent_and_nothing_of_its_own_connection() {
        let kept = Request {
            keep: true,
            ..Request::default()
        };
        let (head, body) = told(404, &kept);
        assert_eq!(
            head,
            "HTTP/1.1 404 Client Error\r\nset-cookie: a=b\r\ncontent-length: 5\r\n\r\n"
        );
        assert_eq!(body.as_deref(), Some(&b"hello"[..]));
        let asks_for_head = Request {
            head_only: true,
            ..Request::default()
        };
        let (head, body) = told(200, &asks_for_head);
        assert!(head.contains("content-length: 2\r\n"), "{head}");
        assert!(head.ends_with("Connection: close\r\n\r\n") && body.is_none());
        let (head, body) = told(204, &kept);
        assert!(!head.contains("content-length") && body.is_none(), "{head}");
    }
}
