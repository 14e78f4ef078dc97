use std::collections::HashMap;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use tempfile::TempDir;

use crate::socket::{Listener, Stream};
use crate::step::Step;
use crate::temp_dir;

/// A server that follows a script on each connection and keeps what it received.
///
/// ```
/// use testkit::{ScriptedPeer, Step, answer};
/// let peer = ScriptedPeer::tcp(|_connection| Step::serve(answer(200, &[], "ok")));
/// let address = peer.address(); // connect here
/// assert_eq!(peer.connections(), 0);
/// ```
pub struct ScriptedPeer {
    shared: Arc<Shared>,
    place: Place,
    acceptor: Option<JoinHandle<()>>,
}

enum Place {
    Tcp(SocketAddr),
    Unix(
        PathBuf,
        #[expect(dead_code, reason = "kept so that the folder lives")] TempDir,
    ),
}

#[derive(Default)]
struct Shared {
    over: AtomicBool,
    accepted: AtomicUsize,
    open: Mutex<HashMap<usize, Stream>>,
    most_open: AtomicUsize,
    requests: Mutex<Vec<Vec<u8>>>,
}

impl ScriptedPeer {
    /// Listens on a TCP port of the kernel's choice; `script` is asked once per connection, with
    /// its number from 0.
    ///
    /// # Panics
    /// When no port can be had.
    pub fn tcp(script: impl Fn(usize) -> Vec<Step> + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let place = Place::Tcp(listener.local_addr().expect("an address"));
        Self::start(Listener::Tcp(listener), place, script)
    }

    /// Listens on a Unix socket in a fresh folder.
    ///
    /// # Panics
    /// When the socket cannot be made.
    pub fn unix(script: impl Fn(usize) -> Vec<Step> + Send + 'static) -> Self {
        let dir = temp_dir();
        let path = dir.path().join("peer.sock");
        let listener = UnixListener::bind(&path).expect("a fresh path");
        Self::start(Listener::Unix(listener), Place::Unix(path, dir), script)
    }

    fn start(
        listener: Listener,
        place: Place,
        script: impl Fn(usize) -> Vec<Step> + Send + 'static,
    ) -> Self {
        let shared = Arc::new(Shared::default());
        let theirs = Arc::clone(&shared);
        let acceptor = std::thread::spawn(move || theirs.accept(&listener, &script));
        Self {
            shared,
            place,
            acceptor: Some(acceptor),
        }
    }

    /// Where it listens.
    ///
    /// # Panics
    /// When it listens on a Unix socket.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        match self.place {
            Place::Tcp(address) => address,
            Place::Unix(..) => panic!("this peer listens on a Unix socket"),
        }
    }

    /// Where it listens.
    ///
    /// # Panics
    /// When it listens on a TCP port.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        match &self.place {
            Place::Unix(path, _) => path.clone(),
            Place::Tcp(_) => panic!("this peer listens on a TCP port"),
        }
    }

    /// The requests received so far, in the order in which they became whole.
    #[must_use]
    pub fn requests(&self) -> Vec<Vec<u8>> {
        locked(&self.shared.requests).clone()
    }

    /// Connections accepted so far.
    #[must_use]
    pub fn connections(&self) -> usize {
        self.shared.accepted.load(Ordering::SeqCst)
    }

    /// The most connections that were open at once.
    #[must_use]
    pub fn most_open(&self) -> usize {
        self.shared.most_open.load(Ordering::SeqCst)
    }
}

impl Drop for ScriptedPeer {
    fn drop(&mut self) {
        self.shared.over.store(true, Ordering::SeqCst);
        // Wakes the acceptor; if nobody can connect it is awake already.
        let _ = match &self.place {
            Place::Tcp(address) => TcpStream::connect(address).map(drop),
            Place::Unix(path, _) => UnixStream::connect(path).map(drop),
        };
        if let Some(acceptor) = self.acceptor.take() {
            let _ = acceptor.join(); // a panic in a script is that thread's own message
        }
    }
}

impl Shared {
    fn accept(self: &Arc<Self>, listener: &Listener, script: &impl Fn(usize) -> Vec<Step>) {
        let mut threads = Vec::new();
        while let Ok(stream) = listener.accept() {
            if self.over.load(Ordering::SeqCst) {
                break;
            }
            let number = self.accepted.fetch_add(1, Ordering::SeqCst);
            let steps = script(number);
            let shared = Arc::clone(self);
            self.register(number, &stream);
            threads.push(std::thread::spawn(move || {
                shared.converse(number, stream, &steps);
            }));
        }
        for stream in locked(&self.open).values() {
            stream.shut();
        }
        for thread in threads {
            let _ = thread.join();
        }
    }

    fn register(&self, number: usize, stream: &Stream) {
        let mut open = locked(&self.open);
        open.insert(number, stream.try_clone().expect("a second descriptor"));
        self.most_open.fetch_max(open.len(), Ordering::SeqCst);
    }

    fn converse(&self, number: usize, stream: Stream, steps: &[Step]) {
        let mut talk = Talk {
            shared: self,
            stream,
            unread: Vec::new(),
        };
        let _ = talk.follow(steps);
        // The second descriptor would keep the connection open.
        locked(&self.open).remove(&number);
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The script is over: by its own word, or because the client is gone.
struct Over;

struct Talk<'a> {
    shared: &'a Shared,
    stream: Stream,
    /// Received and not yet part of a request.
    unread: Vec<u8>,
}

impl Talk<'_> {
    fn follow(&mut self, steps: &[Step]) -> Result<(), Over> {
        for step in steps {
            match step {
                Step::Read => self.read()?,
                Step::ReadBytes(length) => self.read_bytes(*length)?,
                Step::Send(bytes) => self.send(bytes)?,
                Step::SendBytewise(bytes) => {
                    bytes.chunks(1).try_for_each(|byte| self.send(byte))?;
                }
                Step::Await(gate) => gate.wait(|| self.shared.over.load(Ordering::SeqCst)),
                Step::Forever(steps) => loop {
                    self.follow(steps)?;
                },
                Step::Times(times, steps) => (0..*times).try_for_each(|_| self.follow(steps))?,
                Step::Close => return Err(Over),
                Step::Reset => {
                    self.stream.reset_on_close();
                    return Err(Over);
                }
                Step::Stall => while self.receive()? > 0 {},
            }
        }
        Ok(())
    }

    fn send(&mut self, bytes: &[u8]) -> Result<(), Over> {
        self.stream.write_all(bytes).map_err(|_| Over)
    }

    fn read(&mut self) -> Result<(), Over> {
        let mut looked_at: usize = 0;
        loop {
            // An end may have begun in the three bytes before.
            let from = looked_at.saturating_sub(3);
            let end = self.unread[from..]
                .windows(4)
                .position(|four| four == b"\r\n\r\n");
            if let Some(end) = end {
                let request = self.unread.drain(..from + end + 4).collect();
                locked(&self.shared.requests).push(request);
                return Ok(());
            }
            looked_at = self.unread.len();
            if self.receive()? == 0 {
                return Err(Over);
            }
        }
    }

    fn read_bytes(&mut self, length: usize) -> Result<(), Over> {
        while self.unread.len() < length {
            if self.receive()? == 0 {
                return Err(Over);
            }
        }
        let request = self.unread.drain(..length).collect();
        locked(&self.shared.requests).push(request);
        Ok(())
    }

    fn receive(&mut self) -> Result<usize, Over> {
        let mut buffer = [0; 4096];
        let read = self.stream.read(&mut buffer).map_err(|_| Over)?;
        self.unread.extend_from_slice(&buffer[..read]);
        Ok(read)
    }
}
