use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io;
use std::os::fd::{AsRawFd as _, OwnedFd};

use mio::unix::SourceFd;
use mio::{Interest, Registry, Token};
use rustix::time::{
    Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, Timespec, timerfd_create,
    timerfd_settime,
};

/// Wakes an event loop up at a moment, by the kernel's high-resolution timer: a time limit of the
/// poll itself is rounded up to milliseconds, and stretched by the thread's timer slack besides.
#[derive(Debug)]
pub(crate) struct Timer {
    fd: OwnedFd,
    set: u64,
}

impl Timer {
    pub(crate) fn new(registry: &Registry, token: Token) -> io::Result<Self> {
        let fd = timerfd_create(
            TimerfdClockId::Monotonic,
            TimerfdFlags::NONBLOCK | TimerfdFlags::CLOEXEC,
        )?;
        registry.register(&mut SourceFd(&fd.as_raw_fd()), token, Interest::READABLE)?;
        Ok(Self { fd, set: u64::MAX })
    }

    /// Sets the moment, after `now`; both in nanoseconds of the same clock. Setting clears an
    /// expiry, so that nobody has to read the timer, and events are edges: it is silent until it
    /// expires again.
    pub(crate) fn set(&mut self, moment: u64, now: u64) -> io::Result<()> {
        if moment == self.set {
            return Ok(());
        }
        self.set = moment;
        let after = moment - now;
        let time = Itimerspec {
            it_interval: Timespec::default(),
            it_value: Timespec {
                tv_sec: (after / 1_000_000_000).cast_signed(),
                tv_nsec: (after % 1_000_000_000).cast_signed(),
            },
        };
        timerfd_settime(&self.fd, TimerfdTimerFlags::empty(), &time)?;
        Ok(())
    }
}

/// Moments at which connections want to be looked at: one heap per thread instead of one timer
/// per connection. Each connection has at most one alarm in it.
#[derive(Debug, Default)]
pub(crate) struct Alarms(BinaryHeap<Reverse<(u64, usize)>>);

impl Alarms {
    pub(crate) fn set(&mut self, at: u64, connection: usize) {
        self.0.push(Reverse((at, connection)));
    }

    /// Forgets all of them.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// The next moment.
    pub(crate) fn next(&self) -> u64 {
        self.0.peek().map_or(u64::MAX, |Reverse((at, _))| *at)
    }

    /// Takes one connection whose moment has come.
    pub(crate) fn take(&mut self, now: u64) -> Option<usize> {
        if self.next() > now {
            return None;
        }
        self.0.pop().map(|Reverse((_, connection))| connection)
    }
}
