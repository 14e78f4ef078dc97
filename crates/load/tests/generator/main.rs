//! What the generator does to the times that it measures, and whether it tells.

#[path = "../common/mod.rs"]
mod common;

mod late;
mod turn;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use load::{Asked, Body, Expected, Heard, Request, RequestSource, RequestStream, Status, What};
use record::{Arrivals, Process, Shape};
use rustix::time::{ClockId, clock_gettime};

/// Longest wait for a condition, however busy the machine is.
const PATIENCE: Duration = Duration::from_mins(1);

fn steady(rate: f64) -> Shape {
    Shape::Open(Arrivals {
        process: Process::Constant,
        segments: Arrivals::steady(rate),
        max_outstanding: Arrivals::MAX_OUTSTANDING,
        seed: 1,
    })
}

/// Asks for the same page again and again, and keeps its thread busy on the way.
#[derive(Clone, Debug, Default)]
struct Busy {
    /// Before each so-many-th request of the window, for so long.
    every: Option<(u64, Duration)>,
    /// Thread CPU time before each request.
    before_each: Duration,
    /// After each answer.
    after_each: Duration,
    /// Requests of this phase that were begun.
    begun: u64,
    seen: Arc<Seen>,
}

#[derive(Debug, Default)]
struct Seen {
    /// CPU time of `before_each` in this phase, nanoseconds.
    burned: AtomicU64,
    /// When answers ended, by the load's clock.
    ended: Mutex<Vec<u64>>,
}

impl RequestSource for Busy {
    fn names(&self) -> Vec<String> {
        vec!["page".to_owned()]
    }

    fn expected(&self) -> Vec<Expected> {
        vec![Expected::new(Status::Is(200), Body::Any)]
    }

    fn prepared(&self) -> Vec<Request> {
        vec![Request {
            method: "GET".to_owned(),
            path: "/".to_owned(),
            ..Request::default()
        }]
    }

    fn stream(&self, _: usize, _: usize, _: usize) -> Result<Box<dyn RequestStream>, String> {
        Ok(Box::new(self.clone()))
    }
}

impl RequestStream for Busy {
    fn begin(&mut self, _: usize, _: u64) -> Result<Asked, String> {
        let turn = self
            .every
            .filter(|(each, _)| self.begun.is_multiple_of(*each));
        if let Some((_, time)) = turn {
            spin(time);
        }
        self.begun += 1;
        let (began, wanted) = (cpu(), self.before_each.as_nanos() as u64);
        while cpu() - began < wanted {}
        let burned = cpu() - began;
        self.seen.burned.fetch_add(burned, Ordering::Relaxed);
        Ok(Asked {
            what: What::Prepared(0),
            name: 0,
            expected: 0,
            delay: 0,
        })
    }

    fn heard(&mut self, _: usize, heard: &Heard<'_>, _: &mut Vec<usize>) -> Option<u64> {
        self.seen.ended.lock().unwrap().push(heard.now);
        spin(self.after_each);
        None
    }

    fn restart(&mut self) {
        self.begun = 0;
        self.seen.burned.store(0, Ordering::Relaxed);
    }
}

fn spin(time: Duration) {
    let began = Instant::now();
    while began.elapsed() < time {
        std::hint::spin_loop();
    }
}

/// CPU time of this thread in nanoseconds.
fn cpu() -> u64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    (time.tv_sec * 1_000_000_000 + time.tv_nsec).cast_unsigned()
}
