mod think;

use std::collections::VecDeque;

use crate::arrivals::Arrivals;
use crate::quota::Quota;
pub(crate) use think::Think;

/// When requests fall due. The worker asks and never learns which shape of load it serves.
#[derive(Debug)]
pub(crate) enum Schedule<'a> {
    /// Closed loop: as soon as a connection is free, so many times.
    Count(Quota<'a>),
    /// Closed loop: as soon as a connection is free, until the window closes.
    Endless,
    /// At times that do not depend on a connection being free just then.
    Queue(Box<Queue<'a>>),
    /// No request any more.
    Over,
}

impl Schedule<'_> {
    /// The due time of the request that a connection, free since `free`, is to carry next.
    #[inline]
    pub(crate) fn next(&mut self, free: u64) -> Option<u64> {
        match self {
            Self::Count(quota) => quota.take().then_some(free),
            Self::Endless => Some(free),
            Self::Queue(queue) => queue.next(free),
            Self::Over => None,
        }
    }

    /// The same as a phase begins, when every connection is free: nothing has to wait.
    pub(crate) fn first(&mut self, free: u64) -> Option<u64> {
        match self {
            Self::Queue(queue) => queue.first(free),
            _ => self.next(free),
        }
    }

    /// The due time of a request that a connection, free already, is to carry now.
    pub(crate) fn take(&mut self, now: u64) -> Option<u64> {
        match self {
            Self::Queue(queue) => queue.take(now),
            _ => None,
        }
    }

    /// Whether requests fall due at times that do not depend on a connection being free.
    #[inline]
    pub(crate) fn is_queue(&self) -> bool {
        matches!(self, Self::Queue(_))
    }

    /// The next moment at which something falls due for a connection that is free already.
    pub(crate) fn ahead(&self) -> u64 {
        match self {
            Self::Queue(queue) => queue.ahead(),
            _ => u64::MAX,
        }
    }

    /// Lets what has fallen due wait, or drops it, as no connection is free.
    pub(crate) fn admit(&mut self, now: u64) {
        if let Self::Queue(queue) = self {
            queue.admit(now);
        }
    }

    /// How many requests have fallen due and wait for a connection, and how many were dropped.
    pub(crate) fn held_back(&self, now: u64) -> (u64, u64) {
        match self {
            Self::Queue(queue) => {
                let due = queue.waiting.partition_point(|due| *due <= now);
                (due as u64, queue.dropped)
            }
            _ => (0, 0),
        }
    }

    /// Whether there will be no request any more once no connection is busy.
    pub(crate) fn is_over(&self) -> bool {
        match self {
            Self::Queue(queue) => queue.is_over(),
            _ => true,
        }
    }

    /// The window has closed at `end`: nothing falls due any more, but what did is still to be sent.
    pub(crate) fn close(&mut self, end: u64) -> Rest {
        if let Self::Queue(queue) = self {
            return queue.close(end);
        }
        *self = Self::Over;
        Rest::default()
    }

    /// What has fallen due and was not begun, as it never will be.
    pub(crate) fn abandon(&mut self) -> VecDeque<u64> {
        match self {
            Self::Queue(queue) => std::mem::take(&mut queue.waiting),
            _ => VecDeque::new(),
        }
    }
}

/// What a schedule has left when its window closes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rest {
    /// Fallen due and not sent yet.
    pub(crate) waiting: u64,
    /// Fallen due beyond the bound.
    pub(crate) dropped: u64,
    /// When the last request fell due; 0 if nobody kept that.
    pub(crate) last: u64,
    /// Nanoseconds that connections thought before the window closed.
    pub(crate) thought: u64,
    /// When connections that think found no further request.
    pub(crate) dry: Vec<u64>,
}

/// Due times in order: of requests that wait for a connection, and of those to come.
#[derive(Debug)]
pub(crate) struct Queue<'a> {
    source: DueBy<'a>,
    /// Of a think time also what is not due yet.
    waiting: VecDeque<u64>,
    /// Most requests of an open loop that may wait.
    most: usize,
    dropped: u64,
}

#[derive(Debug)]
enum DueBy<'a> {
    Think(Box<Think<'a>>),
    Arrivals(Arrivals),
    Recorded(Recorded),
    Closed,
}

impl DueBy<'_> {
    /// Takes what has fallen due, where that does not depend on a connection.
    fn take(&mut self, now: u64) -> Option<u64> {
        match self {
            DueBy::Arrivals(arrivals) => arrivals.take(now),
            DueBy::Recorded(recorded) => recorded.take(now),
            DueBy::Think(_) | DueBy::Closed => None,
        }
    }
}

/// Due times that somebody else has written down.
#[derive(Debug)]
pub(crate) struct Recorded {
    /// This worker's, in order, nanoseconds of the engine's clock.
    pub(crate) times: VecDeque<u64>,
    pub(crate) last: u64,
}

impl Recorded {
    fn take(&mut self, now: u64) -> Option<u64> {
        let due = self.times.pop_front_if(|due| *due <= now)?;
        self.last = due;
        Some(due)
    }
}

impl<'a> Queue<'a> {
    pub(crate) fn think(think: Think<'a>) -> Self {
        Self::new(DueBy::Think(Box::new(think)), usize::MAX)
    }

    pub(crate) fn arrivals(arrivals: Arrivals, most: usize) -> Self {
        Self::new(DueBy::Arrivals(arrivals), most)
    }

    /// Nothing of a recording is dropped: it must be asked in its order.
    pub(crate) fn recorded(recorded: Recorded) -> Self {
        Self::new(DueBy::Recorded(recorded), usize::MAX)
    }

    fn new(source: DueBy<'a>, most: usize) -> Self {
        Self {
            source,
            waiting: VecDeque::new(),
            most,
            dropped: 0,
        }
    }

    fn next(&mut self, free: u64) -> Option<u64> {
        match &mut self.source {
            DueBy::Think(think) => {
                if let Some(due) = think.due(free) {
                    // In order; where they do not scatter it always belongs at the end.
                    let after = self.waiting.partition_point(|other| *other <= due);
                    self.waiting.insert(after, due);
                }
            }
            // Until now every connection was busy: what fell due meanwhile found the queue without
            // the room that this one makes.
            DueBy::Arrivals(_) | DueBy::Recorded(_) => self.admit(free),
            DueBy::Closed => {}
        }
        self.take(free)
    }

    fn first(&mut self, free: u64) -> Option<u64> {
        match self.source {
            DueBy::Arrivals(_) | DueBy::Recorded(_) => self.take(free),
            DueBy::Think(_) | DueBy::Closed => self.next(free),
        }
    }

    fn take(&mut self, now: u64) -> Option<u64> {
        match self.waiting.front() {
            Some(_) => self.waiting.pop_front_if(|due| *due <= now),
            None => self.source.take(now),
        }
    }

    fn admit(&mut self, now: u64) {
        while let Some(due) = self.source.take(now) {
            if self.waiting.len() < self.most {
                self.waiting.push_back(due);
            } else {
                self.dropped += 1;
            }
        }
    }

    fn ahead(&self) -> u64 {
        let waiting = self.waiting.front().copied();
        match &self.source {
            DueBy::Arrivals(arrivals) => waiting.unwrap_or(arrivals.next),
            DueBy::Recorded(recorded) => {
                let next = recorded.times.front().copied();
                waiting.or(next).unwrap_or(u64::MAX)
            }
            DueBy::Think(_) | DueBy::Closed => waiting.unwrap_or(u64::MAX),
        }
    }

    fn is_over(&self) -> bool {
        let source = match &self.source {
            DueBy::Arrivals(arrivals) => arrivals.are_over(),
            DueBy::Recorded(recorded) => recorded.times.is_empty(),
            DueBy::Think(_) | DueBy::Closed => true,
        };
        source && self.waiting.is_empty()
    }

    fn close(&mut self, end: u64) -> Rest {
        self.admit(end);
        let last = match &self.source {
            DueBy::Arrivals(arrivals) => arrivals.last,
            DueBy::Recorded(recorded) => recorded.last,
            DueBy::Think(_) | DueBy::Closed => 0,
        };
        let (thought, dry) = match &mut self.source {
            DueBy::Think(think) => {
                let ahead = |due: &u64| due.saturating_sub(end);
                let ahead: u64 = self.waiting.iter().map(ahead).sum();
                let dry = std::mem::take(&mut think.dry);
                (think.thought.saturating_sub(ahead), dry)
            }
            _ => (0, Vec::new()),
        };
        self.waiting.retain(|due| *due <= end);
        self.source = DueBy::Closed;
        Rest {
            waiting: self.waiting.len() as u64,
            dropped: self.dropped,
            last,
            thought,
            dry,
        }
    }
}

#[cfg(test)]
#[path = "schedule_tests.rs"]
mod tests;
