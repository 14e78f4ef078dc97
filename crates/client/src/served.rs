//! The origin's loop: one thread, which waits for the client's connections, and for the responses of a server where requests are
//! passed on to one.

mod accepting;

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::io;
use std::net::TcpListener;
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use record::{Forwarded, Malformed, Talk};
use rustix::buffer::spare_capacity;
use rustix::event::Timespec;
use rustix::event::epoll::{self, CreateFlags, Event, EventData, EventFlags};

use crate::answer::Answer;
use crate::count;
use crate::forward::{Forward, passed_on};
use crate::gaps::Waits;
use crate::link::{Came, Link};
use crate::secure::Identity;

/// Events that are taken at once.
const EVENTS: usize = 1_024;
/// Longest sleep: how soon the loop hears that it is to end.
const LOOK: Duration = Duration::from_millis(20);
/// Longest time that what is under way has at the end.
const LAST: Duration = Duration::from_secs(1);
/// What the listener is called among the connections, which count from 1.
const LISTENER: u64 = 0;
/// What rings when a server has answered.
const BELL: u64 = u64::MAX;

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
    /// What passes requests on, if they are.
    forward: Option<Forward>,
    identity: Option<Identity>,
    at_first: Option<Box<dyn FnOnce() + Send>>,
    talk: Talk,
    waits: Waits,
    misread: BTreeMap<Malformed, (u64, String)>,
    /// When the first request came, and the last one.
    first: Option<Instant>,
    last: Option<Instant>,
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
        let forward = answer.to.as_ref().map(Forward::start).transpose()?;
        if let Some(forward) = &forward {
            let data = EventData::new_u64(BELL);
            epoll::add(&epoll, forward.bell(), data, EventFlags::IN)?;
        }
        let talk = Talk {
            forwarded: forward.is_some().then(Forwarded::default),
            ..Talk::default()
        };
        Ok(Self {
            epoll,
            listener,
            links: HashMap::new(),
            most: accepting::room(forward.is_some()),
            deaf: false,
            next: LISTENER + 1,
            due: VecDeque::new(),
            answer,
            forward,
            identity,
            at_first: Some(at_first),
            talk,
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
                    LISTENER => {}
                    BELL => self.pass_back(),
                    link => self.look(link, event.flags, &mut buffer),
                }
            }
            // those that have gone are no longer open when others come
            if events.iter().any(|event| event.data.u64() == LISTENER) {
                self.accept();
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
            if let Some(forward) = &self.forward {
                if let Some(kept) = link.kept() {
                    forward.ask(number, kept);
                }
                continue;
            }
            if let Some(request) = link.asked() {
                let (head, body) = self.answer.to(request);
                link.answer(&head, body);
            }
            self.settle(number);
        }
    }

    /// Gives what a server answered to the clients that asked.
    fn pass_back(&mut self) {
        let answered = self.forward.as_ref().map(Forward::answered);
        for (number, answered) in answered.into_iter().flatten() {
            count::forwarded(&mut self.talk, &answered);
            let Some(link) = self.links.get_mut(&number) else {
                continue;
            };
            if let Some(request) = link.asked() {
                let (head, body) = match answered {
                    Ok(answer) => {
                        request.keep &= answer.keep;
                        passed_on(answer, request)
                    }
                    Err(refusal) => Answer::from(refusal).to(request),
                };
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
