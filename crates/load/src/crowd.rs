//! Connections beside the measured ones: idle, slow, and rude. They have a thread and an event loop
//! of their own, so that the workers' stay free of them.

mod background;
mod exchange;
mod member;
mod pace;

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{Scope, ScopedJoinHandle};
use std::time::{Duration, Instant};

use record::{CrowdFacts, LoadFacts};
use wire::Session;

use crate::{Event, Job, Result, Turns, descriptors, engine};
use background::Background;

/// Longest wait for a crowd to be complete before the window opens: a server that is blocked by it
/// will never answer all of them, and that is what is to be measured.
const PATIENCE: Duration = Duration::from_secs(5);
/// How often somebody who waits looks up.
const GLANCE: Duration = Duration::from_millis(20);

/// Applies a load with a crowd beside it, if it wants one.
pub(crate) fn beside<S: Session + Send>(
    job: &Job,
    stop: &AtomicBool,
    turns: Option<&mut dyn Turns>,
    events: &mut dyn FnMut(Event),
) -> Result<LoadFacts> {
    if job.load.crowd.is_none() {
        return engine::run::<S>(job, stop, turns, events);
    }
    let most = background::places(&job.load.crowd).map(|(_, count)| count);
    let most = most
        .into_iter()
        .fold(job.load.connections, u32::saturating_add);
    descriptors::check(most, job.threads() + 1)?;
    let background = Background::<S>::new(job)?;
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let crowd = Gathered::start(scope, background, &over)?;
        let mut complete = false;
        let outcome = engine::run::<S>(job, stop, turns, &mut |event| {
            if matches!(event, Event::Opened(_)) {
                complete = crowd.wait(stop);
            }
            events(event);
        });
        let seen = crowd.end(complete)?;
        outcome.map(|facts| LoadFacts {
            crowd: Some(seen),
            ..facts
        })
    })
}

/// A crowd on its thread.
struct Gathered<'scope> {
    thread: ScopedJoinHandle<'scope, io::Result<CrowdFacts>>,
    complete: Receiver<()>,
    over: Ending<'scope>,
}

/// Ends the crowd with this value, whatever becomes of the load.
struct Ending<'a>(&'a AtomicBool);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl<'scope> Gathered<'scope> {
    fn start<S: Session + Send + 'scope>(
        scope: &'scope Scope<'scope, '_>,
        background: Background<S>,
        over: &'scope AtomicBool,
    ) -> io::Result<Self> {
        let (tell, complete) = channel();
        let thread = std::thread::Builder::new()
            .name("weir-crowd".to_owned())
            .spawn_scoped(scope, move || background.live(over, &tell))?;
        Ok(Self {
            thread,
            complete,
            over: Ending(over),
        })
    }

    /// Waits until all of them are there; whether they are.
    fn wait(&self, stop: &AtomicBool) -> bool {
        let give_up = Instant::now() + PATIENCE;
        while Instant::now() < give_up && !stop.load(Ordering::Relaxed) {
            match self.complete.recv_timeout(GLANCE) {
                Ok(()) => return true,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break, // it failed; `end` will say how
            }
        }
        false
    }

    fn end(self, complete: bool) -> io::Result<CrowdFacts> {
        drop(self.over);
        let facts = self.thread.join();
        let facts = facts.unwrap_or_else(|_| Err(io::Error::other("the crowd's thread is gone")));
        facts.map(|facts| CrowdFacts { complete, ..facts })
    }
}
