use std::collections::VecDeque;

use crate::arrivals::Arrivals;
use crate::quota::Quota;

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

    /// The next moment at which something falls due for a connection that is free already.
    pub(crate) fn ahead(&self) -> u64 {
        match self {
            Self::Queue(queue) => queue.ahead(),
            _ => u64::MAX,
        }
    }

    /// Lets what has fallen due wait, or sheds it, as no connection is free.
    pub(crate) fn admit(&mut self, now: u64) {
        if let Self::Queue(queue) = self {
            queue.admit(now);
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
}

/// What a schedule has left when its window closes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Rest {
    /// Fallen due and not sent yet.
    pub(crate) waiting: u64,
    /// Fallen due beyond the bound.
    pub(crate) shed: u64,
    /// When the last request fell due; 0 if nobody kept that.
    pub(crate) last: u64,
}

/// Due times in order: of requests that wait for a connection, and of those to come.
#[derive(Debug)]
pub(crate) struct Queue<'a> {
    source: Source<'a>,
    /// Of a think time also what is not due yet.
    waiting: VecDeque<u64>,
    /// Most requests of an open loop that may wait.
    most: usize,
    shed: u64,
}

#[derive(Debug)]
enum Source<'a> {
    Think(Think<'a>),
    Arrivals(Arrivals),
    Closed,
}

/// A closed loop that pauses between an answer and the next request.
#[derive(Debug)]
pub(crate) struct Think<'a> {
    /// Nanoseconds.
    pub(crate) time: u64,
    /// Absent when it goes by time.
    pub(crate) quota: Option<Quota<'a>>,
    /// Connections of this worker. Their first requests are spread over one think time, as people
    /// do not begin all at once.
    pub(crate) connections: u64,
    /// How many requests were asked for, until there is one for each connection.
    pub(crate) begun: u64,
}

impl Think<'_> {
    fn due(&mut self, free: u64) -> Option<u64> {
        if !self.quota.as_mut().is_none_or(Quota::take) {
            return None;
        }
        if self.begun == self.connections {
            return Some(free + self.time);
        }
        self.begun += 1;
        Some(free + self.time * (self.begun - 1) / self.connections)
    }
}

impl<'a> Queue<'a> {
    pub(crate) fn think(think: Think<'a>) -> Self {
        Self::new(Source::Think(think), usize::MAX)
    }

    pub(crate) fn arrivals(arrivals: Arrivals, most: usize) -> Self {
        Self::new(Source::Arrivals(arrivals), most)
    }

    fn new(source: Source<'a>, most: usize) -> Self {
        Self {
            source,
            waiting: VecDeque::new(),
            most,
            shed: 0,
        }
    }

    fn next(&mut self, free: u64) -> Option<u64> {
        match &mut self.source {
            Source::Think(think) => self.waiting.extend(think.due(free)),
            // Until now every connection was busy: what fell due meanwhile found the queue without
            // the room that this one makes.
            Source::Arrivals(_) => self.admit(free),
            Source::Closed => {}
        }
        self.take(free)
    }

    fn first(&mut self, free: u64) -> Option<u64> {
        match self.source {
            Source::Arrivals(_) => self.take(free),
            Source::Think(_) | Source::Closed => self.next(free),
        }
    }

    fn take(&mut self, now: u64) -> Option<u64> {
        if let Some(&due) = self.waiting.front() {
            return (due <= now).then(|| self.waiting.pop_front()).flatten();
        }
        match &mut self.source {
            Source::Arrivals(arrivals) => arrivals.take(now),
            Source::Think(_) | Source::Closed => None,
        }
    }

    fn admit(&mut self, now: u64) {
        let Source::Arrivals(arrivals) = &mut self.source else {
            return;
        };
        while let Some(due) = arrivals.take(now) {
            if self.waiting.len() < self.most {
                self.waiting.push_back(due);
            } else {
                self.shed += 1;
            }
        }
    }

    fn ahead(&self) -> u64 {
        let waiting = self.waiting.front().copied();
        match &self.source {
            Source::Arrivals(arrivals) => waiting.unwrap_or_else(|| arrivals.peek()),
            Source::Think(_) | Source::Closed => waiting.unwrap_or(u64::MAX),
        }
    }

    fn is_over(&self) -> bool {
        let source = match &self.source {
            Source::Arrivals(arrivals) => arrivals.are_over(),
            Source::Think(_) | Source::Closed => true,
        };
        source && self.waiting.is_empty()
    }

    fn close(&mut self, end: u64) -> Rest {
        self.admit(end);
        let last = match &self.source {
            Source::Arrivals(arrivals) => arrivals.last(),
            Source::Think(_) | Source::Closed => 0,
        };
        self.waiting.retain(|due| *due <= end);
        self.source = Source::Closed;
        Rest {
            waiting: self.waiting.len() as u64,
            shed: self.shed,
            last,
        }
    }
}

#[cfg(test)]
mod tests {
    use record::Process;

    use super::*;
    use crate::arrivals::{Part, Span};

    const MILLISECOND: u64 = 1_000_000;

    /// A request per millisecond from 0 on, of which `most` may wait.
    fn open(most: usize) -> Schedule<'static> {
        let plan = record::Arrivals {
            process: Process::Constant,
            legs: record::Arrivals::steady(1_000.0),
            max_outstanding: 1,
            seed: 1,
        };
        let span = Span {
            start: 0,
            length: Some(100 * MILLISECOND),
            requests: None,
        };
        let part = Part {
            worker: 0,
            workers: 1,
            connections: 1,
        };
        Schedule::Queue(Box::new(Queue::arrivals(
            Arrivals::new(&plan, 0, span, part),
            most,
        )))
    }

    #[test]
    fn the_schedule_is_kept_however_late_a_connection_is_free() {
        let mut schedule = open(1_000);
        assert_eq!(schedule.next(0), Some(0));
        assert_eq!(schedule.next(0), None);
        assert_eq!(schedule.ahead(), MILLISECOND);
        // It was busy for 50 ms: each request that fell due meanwhile has its own due time.
        for due in 1..=50 {
            assert_eq!(schedule.next(50 * MILLISECOND), Some(due * MILLISECOND));
        }
        assert_eq!(schedule.next(50 * MILLISECOND), None);
        let rest = schedule.close(60 * MILLISECOND);
        assert_eq!((rest.waiting, rest.shed), (10, 0));
        assert_eq!(rest.last, 60 * MILLISECOND);
        // What fell due before the end is still sent, nothing else is.
        assert!(!schedule.is_over());
        assert_eq!(schedule.next(200 * MILLISECOND), Some(51 * MILLISECOND));
        while schedule.next(200 * MILLISECOND).is_some() {}
        assert!(schedule.is_over() && schedule.ahead() == u64::MAX);
    }

    #[test]
    fn what_falls_due_beyond_the_bound_is_shed_and_counted() {
        let mut schedule = open(3);
        assert_eq!(schedule.next(0), Some(0));
        // 1 to 3 wait; 4 to 10 found three waiting. The answer at 10 makes room for what follows.
        assert_eq!(schedule.next(10 * MILLISECOND), Some(MILLISECOND));
        assert_eq!(schedule.next(11 * MILLISECOND), Some(2 * MILLISECOND));
        let rest = schedule.close(11 * MILLISECOND);
        assert_eq!((rest.waiting, rest.shed), (2, 7));
        assert_eq!(schedule.next(12 * MILLISECOND), Some(3 * MILLISECOND));
        assert_eq!(schedule.next(12 * MILLISECOND), Some(11 * MILLISECOND));
        assert_eq!(schedule.next(12 * MILLISECOND), None);
    }

    #[test]
    fn a_window_by_time_is_not_over_before_its_time() {
        let mut schedule = open(1_000);
        while schedule.next(99 * MILLISECOND).is_some() {}
        assert!(schedule.ahead() == u64::MAX && !schedule.is_over());
        schedule.close(100 * MILLISECOND);
        assert!(schedule.is_over());
    }

    #[test]
    fn a_think_time_passes_between_an_answer_and_the_next_request() {
        let think = Think {
            time: 10 * MILLISECOND,
            quota: None,
            connections: 2,
            begun: 0,
        };
        let mut schedule = Schedule::Queue(Box::new(Queue::think(think)));
        // The first requests are spread over one think time.
        assert_eq!(schedule.first(0), Some(0));
        assert_eq!(schedule.first(0), None);
        assert_eq!(schedule.ahead(), 5 * MILLISECOND);
        assert_eq!(schedule.next(MILLISECOND), None);
        assert_eq!(schedule.take(5 * MILLISECOND), Some(5 * MILLISECOND));
        assert_eq!(schedule.take(10 * MILLISECOND), None);
        assert_eq!(schedule.take(11 * MILLISECOND), Some(11 * MILLISECOND));
        assert!(schedule.is_over());
    }
}
