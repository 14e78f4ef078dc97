use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use crate::answer::Answer;
use crate::secure::Identity;
use crate::served::Served;
use crate::talk::Talk;

/// Connections that wait to be accepted.
const BACKLOG: i32 = 4_096;

/// An HTTP server on a port of 127.0.0.1 that the kernel chose, in a thread of its own.
#[derive(Debug)]
pub struct Origin {
    address: SocketAddr,
    secure: bool,
    over: Arc<AtomicBool>,
    thread: Option<JoinHandle<Talk>>,
}

impl Origin {
    /// Begins to serve, over TLS if it has an identity. `at_first` is called when the first request has come, before it is
    /// answered.
    ///
    /// # Errors
    /// The system has no port, descriptor or thread for it.
    pub fn start(
        answer: Answer,
        identity: Option<Identity>,
        at_first: impl FnOnce() + Send + 'static,
    ) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        listener.set_nonblocking(true)?;
        rustix::net::listen(&listener, BACKLOG)?;
        let address = listener.local_addr()?;
        let over = Arc::new(AtomicBool::new(false));
        let secure = identity.is_some();
        let served = Served::new(listener, (answer, identity), Box::new(at_first))?;
        let heard = Arc::clone(&over);
        let thread = std::thread::Builder::new()
            .name("origin".to_owned())
            .spawn(move || served.until(&heard))?;
        Ok(Self {
            address,
            secure,
            over,
            thread: Some(thread),
        })
    }

    /// Where it serves, as a client is told.
    pub fn url(&self) -> String {
        self.url_of(&self.address.ip().to_string())
    }

    /// The same by a name of its host's.
    pub fn url_of(&self, host: &str) -> String {
        let scheme = if self.secure { "https" } else { "http" };
        format!("{scheme}://{host}:{}/", self.address.port())
    }

    /// Takes in what is under way, and says how the client talked.
    ///
    /// # Panics
    /// When its thread did.
    pub fn end(mut self) -> Talk {
        self.over.store(true, Ordering::Relaxed);
        let thread = self.thread.take().expect("it ends once");
        thread.join().expect("the origin does not panic")
    }
}

impl Drop for Origin {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
