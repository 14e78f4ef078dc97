mod speech;

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use socket2::SockRef;

pub use speech::Speech;

/// A server that takes as long as it is told, and keeps account of itself by its own clock.
///
/// ```
/// use std::time::Duration;
/// use testkit::{Origin, Speech, Turn};
/// let origin = Origin::start(Speech::Http1, |_number| Turn::Answer(Duration::ZERO));
/// let address = origin.address(); // load it, and when every client is gone:
/// assert_eq!(origin.account().received, 0);
/// ```
pub struct Origin {
    address: SocketAddr,
    book: Arc<Book>,
}

/// What becomes of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// A whole answer, so long after the request.
    Answer(Duration),
    /// The connection is reset, without a byte.
    Reset,
    /// Half of an answer, and the connection is reset.
    ResetInBody,
    /// A whole answer, and the connection is reset at once.
    ResetAfter,
}

/// What the server did, all connections together.
#[derive(Clone, Debug, Default)]
pub struct Account {
    /// Connections that were accepted.
    pub connections: u64,
    /// Requests that came whole.
    pub received: u64,
    /// Of them, those that were answered whole.
    pub answered: u64,
    /// Connection by connection, in the order in which they were accepted.
    pub conversations: Vec<Conversation>,
}

/// One connection.
#[derive(Clone, Debug, Default)]
pub struct Conversation {
    /// What was answered on it, in order.
    pub exchanges: Vec<Exchange>,
    /// When it ended, nanoseconds of the origin's clock.
    pub closed: u64,
}

/// An answered request, in nanoseconds of the origin's clock.
#[derive(Clone, Copy, Debug)]
pub struct Exchange {
    /// The request was there: when reading it had returned.
    pub received: u64,
    /// Just before the answer was written.
    pub answered: u64,
    /// The delay that was wanted.
    pub delay: u64,
}

impl Account {
    /// What clients can have seen of the answers to requests that came between two moments of the
    /// origin's clock, if each had one request at a time on its connection: for each answer the
    /// least and the most, in nanoseconds, both in ascending order for themselves.
    ///
    /// No answer was there before it was written, and no request came before it was sent: at least
    /// it took what lies between the two. The request was sent after the answer before it had been
    /// written, and the next one came (or the connection ended) after the answer was there: at most
    /// it took what lies between these. Nothing is assumed of the machine: where it was late, the
    /// two are further apart.
    #[must_use]
    pub fn bounds(&self, from: u64, until: u64) -> (Vec<u64>, Vec<u64>) {
        let inside = |exchange: &Exchange| (from..until).contains(&exchange.received);
        let (mut least, mut most) = (Vec::new(), Vec::new());
        for talk in &self.conversations {
            let all = &talk.exchanges;
            for (at, own) in all.iter().enumerate().filter(|(_, own)| inside(own)) {
                let before = at.checked_sub(1).map_or(from, |at| all[at].answered);
                let after = all.get(at + 1).map_or(talk.closed, |next| next.received);
                least.push(own.answered - own.received);
                most.push(after.min(until) - before.max(from));
            }
        }
        least.sort_unstable();
        most.sort_unstable();
        (least, most)
    }

    /// Exchanges of all connections.
    pub fn exchanges(&self) -> impl Iterator<Item = &Exchange> {
        self.conversations.iter().flat_map(|talk| &talk.exchanges)
    }
}

struct Book {
    start: Instant,
    received: AtomicU64,
    kept: Mutex<Kept>,
    ended: Condvar,
}

#[derive(Default)]
struct Kept {
    open: u64,
    account: Account,
}

impl Origin {
    /// Listens on a TCP port of the kernel's choice; `turn` is asked for each request with its
    /// number from 0, in the order in which they came.
    ///
    /// # Panics
    /// When no port can be had.
    pub fn start(speech: Speech, turn: impl Fn(u64) -> Turn + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        SockRef::from(&listener)
            .listen(4096)
            .expect("a longer backlog");
        let address = listener.local_addr().expect("an address");
        let book = Arc::new(Book {
            start: Instant::now(),
            received: AtomicU64::new(0),
            kept: Mutex::default(),
            ended: Condvar::new(),
        });
        let theirs = Arc::clone(&book);
        // It ends with the process: tests have few origins.
        std::thread::spawn(move || accept(&listener, &theirs, speech, &Arc::new(turn)));
        Self { address, book }
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Requests that have come so far.
    #[must_use]
    pub fn received(&self) -> u64 {
        self.book.received.load(Ordering::SeqCst)
    }

    /// Its clock: nanoseconds since it started.
    #[must_use]
    pub fn now(&self) -> u64 {
        self.book.now()
    }

    /// The account, once all clients that had connected are gone: what they left in the kernel's
    /// queues is read first.
    ///
    /// # Panics
    /// When it cannot be connected to.
    #[must_use]
    pub fn account(&self) -> Account {
        // Connections are accepted in their order: when this one is seen to, all before it are.
        let mut last = TcpStream::connect(self.address).expect("the origin listens");
        last.shutdown(std::net::Shutdown::Write).expect("open");
        let _ = last.read(&mut [0]); // until the server has closed it
        let mut kept = self.book.kept();
        while kept.open > 0 {
            kept = self
                .book
                .ended
                .wait(kept)
                .unwrap_or_else(PoisonError::into_inner);
        }
        // This one was accepted last, whichever of them ended last.
        kept.account.connections -= 1;
        kept.account.conversations.pop();
        Account {
            received: self.received(),
            ..kept.account.clone()
        }
    }
}

fn accept<T>(listener: &TcpListener, book: &Arc<Book>, speech: Speech, turn: &Arc<T>)
where
    T: Fn(u64) -> Turn + Send + Sync + 'static,
{
    while let Ok((stream, _)) = listener.accept() {
        let mut kept = book.kept();
        kept.open += 1;
        kept.account.connections += 1;
        let place = kept.account.conversations.len();
        kept.account.conversations.push(Conversation::default());
        drop(kept);
        let (book, turn) = (Arc::clone(book), Arc::clone(turn));
        std::thread::spawn(move || {
            let talk = converse(&stream, &book, speech, turn.as_ref());
            let mut kept = book.kept();
            kept.open -= 1;
            kept.account.answered += talk.exchanges.len() as u64;
            kept.account.conversations[place] = talk;
            book.ended.notify_all();
        });
    }
}

/// Serves a connection until either side ends it.
fn converse(
    mut stream: &TcpStream,
    book: &Book,
    speech: Speech,
    turn: &dyn Fn(u64) -> Turn,
) -> Conversation {
    let mut talk = Conversation::default();
    stream.set_nodelay(true).expect("a socket's option");
    let (mut unread, mut buffer) = (Vec::new(), [0; 4096]);
    let mut protocol = speech.begin();
    'connection: loop {
        let read = stream.read(&mut buffer).unwrap_or(0);
        let received = book.now();
        if read == 0 {
            break;
        }
        unread.extend_from_slice(&buffer[..read]);
        let mut replies = Vec::new();
        while let Some(asked) = protocol.take(&mut unread, &mut replies) {
            let turn = turn(book.received.fetch_add(1, Ordering::SeqCst));
            let (bytes, exchange) = book.act(turn, received, &protocol.answer(asked));
            replies.extend(bytes);
            let written = stream.write_all(&replies);
            replies.clear();
            talk.exchanges.extend(exchange.filter(|_| written.is_ok()));
            if !matches!(turn, Turn::Answer(_)) {
                let linger = Some(Duration::ZERO);
                SockRef::from(stream).set_linger(linger).expect("SO_LINGER");
                break 'connection;
            }
            if written.is_err() {
                break 'connection;
            }
        }
        if stream.write_all(&replies).is_err() {
            break;
        }
    }
    talk.closed = book.now();
    talk
}

impl Book {
    fn now(&self) -> u64 {
        self.start.elapsed().as_nanos() as u64
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is to be written, and the exchange if that is a whole answer.
    fn act(&self, turn: Turn, received: u64, answer: &[u8]) -> (Vec<u8>, Option<Exchange>) {
        let delay = match turn {
            Turn::Answer(delay) => delay.as_nanos() as u64,
            Turn::ResetAfter => 0,
            Turn::Reset => return (Vec::new(), None),
            Turn::ResetInBody => return (answer[..answer.len() - speech::HALF].to_vec(), None),
        };
        while let Some(left) = (received + delay).checked_sub(self.now()) {
            std::thread::park_timeout(Duration::from_nanos(left));
        }
        let exchange = Exchange {
            received,
            answered: self.now(),
            delay,
        };
        (answer.to_vec(), Some(exchange))
    }
}
