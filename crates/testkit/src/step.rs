use std::fmt::Write as _;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// What a scripted peer does next on a connection. A script that is at its end closes.
#[derive(Clone, Debug)]
pub enum Step {
    /// Reads one request, to the empty line. The script ends if the client closes instead.
    Read,
    /// Reads one request of so many bytes, for protocols that have no empty line.
    ReadBytes(usize),
    /// Sends these bytes in one write.
    Send(Vec<u8>),
    /// Sends these bytes one write each.
    SendBytewise(Vec<u8>),
    /// Goes on when the gate is opened.
    Await(Gate),
    /// Does these steps again and again, until the client closes.
    Forever(Vec<Step>),
    /// Does these steps so many times.
    Times(usize, Vec<Step>),
    /// Closes the connection in good order.
    Close,
    /// Resets the connection (what a crashed worker looks like).
    Reset,
    /// Holds the connection open and says nothing, until the client closes.
    Stall,
}

impl Step {
    /// Reads a request, sends `bytes`; for every request of the connection.
    pub fn serve(bytes: impl Into<Vec<u8>>) -> Vec<Self> {
        vec![Self::Forever(vec![Self::Read, Self::Send(bytes.into())])]
    }

    /// Reads a request, sends `bytes`, closes.
    pub fn serve_once(bytes: impl Into<Vec<u8>>) -> Vec<Self> {
        vec![Self::Read, Self::Send(bytes.into()), Self::Close]
    }
}

/// An HTTP/1.1 answer with a length, as bytes.
#[must_use]
pub fn answer(status: u16, headers: &[(&str, &str)], body: &str) -> Vec<u8> {
    let mut text = format!(
        "HTTP/1.1 {status} Status\r\nContent-Length: {}\r\n",
        body.len()
    );
    for (name, value) in headers {
        let _ = write!(text, "{name}: {value}\r\n"); // a String takes it always
    }
    text.push_str("\r\n");
    text.push_str(body);
    text.into_bytes()
}

/// Holds scripts until a test opens it.
#[derive(Clone, Debug, Default)]
pub struct Gate(Arc<(Mutex<bool>, Condvar)>);

impl Gate {
    /// A closed gate.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Lets everybody through, from now on.
    pub fn open(&self) {
        *self.0.0.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.0.1.notify_all();
    }

    /// Waits until it is open, or until `over` says that the peer is being stopped.
    pub(crate) fn wait(&self, over: impl Fn() -> bool) {
        let mut open = self.0.0.lock().unwrap_or_else(PoisonError::into_inner);
        while !*open && !over() {
            let tick = std::time::Duration::from_millis(20);
            open = self
                .0
                .1
                .wait_timeout(open, tick)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
    }
}
