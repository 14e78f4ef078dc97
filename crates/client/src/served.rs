//! The origin's loop: one thread, which waits for the client's connections and for nothing else.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::io;
use std::net::{TcpListener, TcpStream};
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use record::{Malformed, Talk};
use rustix::buffer::spare_capacity;
use rustix::event::Timespec;
use rustix::event::epoll::{self, CreateFlags, Event, EventData, EventFlags};
use rustix::process::{Resource, getrlimit};

use crate::answer::Answer;
use crate::count;
use crate::link::{Came, Link, Waits};
use crate::secure::Identity;

/// Most connections that are open at once; more are turned away.
const MOST_CONNECTIONS: u64 = 4_096;
/// Descriptors that weir may need beside what it has open and the client's connections: a store, and what is read in passing.
const BESIDE: u64 = 16;
/// Events that are taken at once.
const EVENTS: usize = 1_024;
/// Longest sleep: how soon the loop hears that it is to end.
const LOOK: Duration = Duration::from_millis(20);
/// Longest time that what is under way has at the end.
const LAST: Duration = Duration::from_secs(1);
/// What the listener is called among the connections, which count from 1.
const LISTENER: u64 = 0;

/// Everything that the loop keeps.
pub(crate) struct Served {
    epoll: OwnedFd,
    listener: TcpListener,
    links: HashMap<u64, Link>,
    /// Most connections that are open at once.
    most: usize,
    /// No descriptor was left for the next client: none is accepted until a connection ends.
    deaf: bool,
    next: u64,
    /// Connections whose responses are due, and when: in order, for all wait as long.
    due: VecDeque<(Instant, u64)>,
    answer: Answer,
    identity: Option<Identity>,
    at_first: Option<Box<dyn FnOnce() + Send>>,
    talk: Talk,
    waits: Waits,
    misread: BTreeMap<Malformed, (u64, String)>,
    /// When the first request came, and the last one.
    first: Option<Instant>,
    last: Option<Instant>,
}

/// How many connections there are descriptors for, one at least. The limit stays as it is: whatever weir starts later would
/// have the higher one, too.
fn room() -> usize {
    let limit = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
    let room = limit.saturating_sub(kernel::open_descriptors() + BESIDE);
    room.clamp(1, MOST_CONNECTIONS) as usize
}

impl Served {
    /// A loop over a listener that does not block; `at_first` is called when the first request has come.
    pub(crate) fn new(
        listener: TcpListener,
        (answer, identity): (Answer, Option<Identity>),
        at_first: Box<dyn FnOnce() + Send>,
    ) -> io::Result<Self> {
        let epoll = epoll::create(CreateFlags::CLOEXEC)?;
        let data = EventData::new_u64(LISTENER);
        epoll::add(&epoll, &listener, data, EventFlags::IN)?;
        Ok(Self {
            epoll,
            listener,
            links: HashMap::new(),
            most: room(),
            deaf: false,
            next: LISTENER + 1,
            due: VecDeque::new(),
            answer,
            identity,
            at_first: Some(at_first),
            talk: Talk::default(),
            waits: Waits::default(),
            misread: BTreeMap::new(),
            first: None,
            last: None,
        })
    }

    /// Serves until that is over, and says how the client talked.
    pub(crate) fn until(mut self, over: &AtomicBool) -> Talk {
        let mut buffer = vec![0; 64 * 1024];
        let mut events = Vec::with_capacity(EVENTS);
        let mut end: Option<Instant> = None;
        loop {
            events.clear();
            if over.load(Ordering::Relaxed) {
                end.get_or_insert_with(|| Instant::now() + LAST);
            }
            self.wait(&mut events, end.is_some());
            for event in &events {
                match event.data.u64() {
                    LISTENER => self.accept(),
                    link => self.look(link, event.flags, &mut buffer),
                }
            }
            self.answer_due();
            let late = end.is_some_and(|end| Instant::now() >= end);
            if late || (end.is_some() && events.is_empty()) {
                return self.told();
            }
        }
    }

    fn wait(&self, events: &mut Vec<Event>, ending: bool) {
        let until = self.due.front().map(|(due, _)| *due);
        let left = until.map(|due| due.saturating_duration_since(Instant::now()));
        let most = if ending { Duration::ZERO } else { LOOK };
        let sleep = left.unwrap_or(most).min(most);
        let sleep = Timespec::try_from(sleep).ok();
        // interrupted by a signal it is as one that waited long enough
        let _ = epoll::wait(&self.epoll, spare_capacity(events), sleep.as_ref());
    }

    fn accept(&mut self) {
        loop {
            match self.listener.accept() {
                Ok((socket, _)) if self.links.len() < self.most => {
                    self.talk.connections += 1;
                    let _ = self.take_in(socket);
                }
                Ok(_) => self.talk.turned_away += 1,
                Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => {}
                Err(error) => {
                    // without a descriptor left, the loop does not spin on what it cannot accept
                    if error.kind() != io::ErrorKind::WouldBlock {
                        self.hear_of_clients(false);
                    }
                    return;
                }
            }
        }
    }

    /// Whether to be told of clients that want to connect.
    fn hear_of_clients(&mut self, hear: bool) {
        let flags = if hear {
            EventFlags::IN
        } else {
            EventFlags::empty()
        };
        let data = EventData::new_u64(LISTENER);
        let _ = epoll::modify(&self.epoll, &self.listener, data, flags);
        self.deaf = !hear;
    }

    fn take_in(&mut self, socket: TcpStream) -> io::Result<()> {
        socket.set_nonblocking(true)?;
        socket.set_nodelay(true)?;
        let number = self.next;
        self.next += 1;
        let watched = EventFlags::IN;
        epoll::add(&self.epoll, &socket, EventData::new_u64(number), watched)?;
        let secure = self.identity.as_ref().map(Identity::layer).transpose()?;
        self.links
            .insert(number, Link::new(socket, secure, watched));
        self.talk.at_once = self.talk.at_once.max(self.links.len() as u64);
        Ok(())
    }

    fn look(&mut self, number: u64, flags: EventFlags, buffer: &mut [u8]) {
        let Some(link) = self.links.get_mut(&number) else {
            return;
        };
        if flags.contains(EventFlags::IN) {
            link.receive(buffer, &mut self.waits);
        } else if flags.intersects(EventFlags::HUP | EventFlags::ERR) {
            return self.lose(number);
        }
        self.settle(number);
    }

    /// Sends what there is to send, and reads what has its turn after that.
    fn settle(&mut self, number: u64) {
        while let Some(link) = self.links.get_mut(&number) {
            if !link.write() {
                return self.lose(number);
            }
            let full = !link.is_sent();
            let came = link.proceed(&mut self.talk);
            let more = !full && !link.is_sent();
            self.note(number, came);
            if !more {
                return self.watch(number);
            }
        }
    }

    /// Waits for what there is to wait for.
    fn watch(&mut self, number: u64) {
        let Some(link) = self.links.get_mut(&number) else {
            return;
        };
        let interest = link.interest();
        if link.is_over() {
            self.lose(number);
        } else if interest != link.watched {
            link.watched = interest;
            let data = EventData::new_u64(number);
            let _ = epoll::modify(&self.epoll, link.socket(), data, interest);
        }
    }

    /// Notes what came.
    fn note(&mut self, number: u64, came: Came) {
        match came {
            Came::Nothing => {}
            Came::Request => {
                if let Some(at_first) = self.at_first.take() {
                    at_first();
                }
                let now = Instant::now();
                self.first.get_or_insert(now);
                self.last = Some(now);
                self.due.push_back((now + self.answer.delay, number));
            }
            Came::Misread(why, sample) => {
                self.misread.entry(why).or_insert((0, sample)).0 += 1;
            }
        }
    }

    /// Answers what is due.
    fn answer_due(&mut self) {
        let now = Instant::now();
        while self.due.front().is_some_and(|(due, _)| *due <= now) {
            let Some((_, number)) = self.due.pop_front() else {
                return;
            };
            let Some(link) = self.links.get_mut(&number) else {
                continue;
            };
            if let Some(request) = link.asked() {
                let (head, body) = self.answer.to(request);
                link.answer(&head, body);
            }
            self.settle(number);
        }
    }

    fn lose(&mut self, number: u64) {
        if let Some(link) = self.links.remove(&number) {
            link.end(&mut self.talk);
        }
        if self.deaf {
            self.hear_of_clients(true);
        }
    }

    /// Everything that was seen, once it is over.
    fn told(mut self) -> Talk {
        let open: Vec<_> = self.links.keys().copied().collect();
        for number in open {
            self.lose(number);
        }
        let waits = &self.waits;
        self.talk.bodies.after_heads = waits.all.count();
        self.talk.bodies.gap = waits.all.median();
        self.talk.stalls.bodies = waits.stalled.count();
        self.talk.stalls.gap = waits.stalled.median();
        self.talk.stalls.acknowledged = waits.acknowledged.count();
        self.talk.stalls.gap_acknowledged = waits.acknowledged.median();
        let between = self.first.zip(self.last);
        self.talk.seconds = between.map_or(0.0, |(first, last)| (last - first).as_secs_f64());
        self.talk.misread = count::misread(self.misread);
        self.talk
    }
}
