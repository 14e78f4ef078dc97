mod course;

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use record::{Distribution, LoadFacts};
use wire::Session;

use crate::arrivals::WorkerShare;
use crate::clock::{Clock, seconds};
use crate::descriptors::Tables;
use crate::drain::Patience;
use crate::live::{Figures, LiveStats};
use crate::pulse::Pulse;
use crate::reactor::chosen;
use crate::recorder::Recorder;
use crate::shape::{Phase, Share, schedule};
use crate::spawn::{self, NewWorker};
use crate::turns::Turns;
use crate::worker::{Service, WorkerConfig};
use crate::{Event, Job, LoadError, Result, Tick, descriptors, facts, segments, timeline};

/// How often the caller hears from a running load: each second time with figures, as workers publish theirs no more often.
const LOOK: Duration = Duration::from_millis(100);
/// A load that has brought no correct response for so long, and a failure for each connection, is
/// given up: nobody wants to wait an hour to hear that the port was wrong.
const HOPELESS: u64 = 1_000_000_000;
/// A trial of a number of requests that has lasted so long is given up when a hundredth of them has timed out, and
/// one for each connection or a twentieth of all: no throughput comes of it, and the rest may take hours.
const LOST: u64 = 5_000_000_000;

/// How long before its first request a phase with a schedule is begun, so that all workers are
/// awake by then.
const LEAD: u64 = 2_000_000;

/// Who hears how far a phase is; half way between two ticks there are no figures.
type Tell<'a> = &'a mut dyn FnMut(Option<Tick>);

/// Workers as the caller's thread sees them.
struct Engine<'a> {
    job: &'a Job,
    clock: Clock,
    /// Connections of each worker.
    shares: Vec<u64>,
    live_stats: &'a [LiveStats],
    halt: &'a AtomicBool,
    /// Set when the present phase may end.
    enough: &'a AtomicBool,
    stop: &'a AtomicBool,
    pulse: Pulse,
    go: Vec<Sender<Service<'a>>>,
    done: Receiver<io::Result<Recorder>>,
}

pub(crate) fn run<S: Session + Send>(
    job: &Job,
    stop: &AtomicBool,
    turns: Option<&mut dyn Turns>,
    events: &mut dyn FnMut(Event),
) -> Result<LoadFacts> {
    let threads = job.threads();
    chosen(job.load.reactor).map_err(LoadError::Load)?;
    let own_table = descriptors::of_load(&job.load, threads)? == Tables::Own;
    let setup = spawn::setup(job)?;
    let requests = spawn::requests::<S>(job)?;
    let mut sources = spawn::sources(job, &requests)?;
    let (checks, shares) = (spawn::checks(job, &mut sources)?, job.shares());
    let (segments, clock) = (segments::ends(job), Clock::start());
    let live_stats: Vec<LiveStats> = (0..threads).map(|_| LiveStats::default()).collect();
    let quotas = [AtomicU64::new(0), AtomicU64::new(0)];
    let (halt, enough) = (AtomicBool::new(false), AtomicBool::new(false));
    let config = || WorkerConfig {
        setup: spawn::apart(&setup),
        checks: &checks,
        segments: &segments,
        names: job.traffic.names().len(),
        slices: timeline::slices(&job.load),
        held: facts::held(job) > 0 && !job.load.shape.is_open(),
        per_connection: spawn::per_connection(job),
        split: job.load.split,
        busy_wait: job.busy_wait,
        limits: spawn::limits(job),
        retry: job.load.retry,
        clock,
        halt: &halt,
        enough: &enough,
    };
    std::thread::scope(|scope| {
        let (report, done) = channel();
        let mut go = Vec::new();
        let lines = live_stats.iter().zip(spawn::lines(&shares));
        for ((live, (first, share)), source) in lines.zip(sources) {
            go.push(spawn::worker(
                scope,
                NewWorker::<S> {
                    config: config(),
                    live,
                    source,
                    job,
                    connections: share as usize,
                    among: (first, u64::from(job.load.connections)),
                    own_table,
                    report: report.clone(),
                },
            )?);
        }
        let engine = Engine {
            job,
            clock,
            shares,
            live_stats: &live_stats,
            halt: &halt,
            enough: &enough,
            stop,
            pulse: Pulse::start(scope, clock)?,
            go,
            done,
        };
        engine.lead(&quotas, turns, events)
    })
}

impl<'a> Engine<'a> {
    /// Sends all workers into a phase, and waits for them.
    fn send_into(
        &self,
        phase: Phase,
        shared: &'a AtomicU64,
        warm_up: bool,
        tell: Tell<'_>,
    ) -> Result<Recorder> {
        // Each connection's first request is put aside for it, so that all of them are opened.
        let first = self.job.load.slots();
        let mut set_aside = phase.requests.map_or(0, |requests| requests.min(first));
        shared.store(phase.requests.unwrap_or(0) - set_aside, Ordering::Relaxed);
        for live in self.live_stats {
            live.publish(|figures| *figures = Figures::default());
        }
        self.enough.store(false, Ordering::Relaxed);
        let now = self.clock.now();
        let open = self.job.load.shape.is_open();
        let times = self.job.traffic.times();
        let start = if open { now + LEAD } else { now };
        for (worker, (go, &lines)) in (0..).zip(self.go.iter().zip(&self.shares)) {
            let slots = lines * u64::from(self.job.load.streams);
            let own = slots.min(set_aside);
            set_aside -= own;
            let share = Share {
                span: phase.span(start),
                part: WorkerShare {
                    worker,
                    workers: self.shares.len() as u64,
                    connections: first,
                },
                slots,
                times: times.clone(),
                own,
                shared,
                warm_up,
            };
            // A worker that is gone has panicked; joining it will say so.
            let _ = go.send(Service {
                schedule: schedule(&self.job.load.shape, &share),
                start: (open || phase.length.is_some()).then_some(start),
                lead: phase.lead,
                spread: phase.spread,
                length: phase.length,
                trails: phase.trails,
                prepare: open && warm_up && self.job.load.keep_alive,
                patience: Patience::of(warm_up, self.job.load.drain),
            });
        }
        self.watch(phase, start, tell)
    }

    /// Tells how far the phase is until all workers are through, and merges what they saw.
    fn watch(&self, phase: Phase, start: u64, tell: Tell<'_>) -> Result<Recorder> {
        let mut sum: Option<Recorder> = None;
        let mut before = (start, Figures::default());
        let mut missing = self.shares.len();
        // a short slice is looked at in its middle
        let middle = phase.ends().map(|ends| Duration::from_nanos(ends / 2));
        let mut wait = middle.map_or(LOOK, |middle| middle.min(LOOK));
        let mut half = false;
        while missing > 0 {
            match self.done.recv_timeout(wait) {
                Ok(seen) => {
                    missing -= 1;
                    let seen = seen.inspect_err(|_| self.halt.store(true, Ordering::Relaxed))?;
                    match &mut sum {
                        Some(sum) => sum.merge(seen),
                        None => sum = Some(seen),
                    }
                }
                Err(RecvTimeoutError::Timeout) => {
                    (wait, half) = (LOOK, !half);
                    if half {
                        tell(None);
                    } else {
                        self.tick(phase, start, &mut before, tell);
                    }
                }
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        sum.ok_or_else(|| io::Error::other("all workers of the load engine are gone").into())
    }

    /// What all workers have published.
    fn figures(&self) -> Figures {
        let mut figures = Figures {
            closed: true,
            ..Figures::default()
        };
        for live in self.live_stats {
            live.add_to(&mut figures);
        }
        figures
    }

    /// How a phase ended that began at `start`, after ticks that told of these response times.
    fn ended(&self, start: u64, told: &Distribution) -> Tick {
        let (now, figures) = (self.clock.now(), self.figures());
        Tick {
            at: self.clock.moment(now),
            elapsed: seconds(now.saturating_sub(start)),
            reached: seconds(now.saturating_sub(start)),
            completed: figures.completed,
            failed: figures.failed,
            lasted: figures.lasted(start),
            connections: figures.connections,
            recent: figures.response.since(told).into(),
            ..Tick::default()
        }
    }

    fn tick(&self, phase: Phase, start: u64, before: &mut (u64, Figures), tell: Tell<'_>) {
        let (now, figures) = (self.clock.now(), self.figures());
        let (then, told) = (before.0, &before.1);
        let recent = figures.response.since(&told.response);
        let rate = |now_there: u64, then_there: u64| {
            now_there.saturating_sub(then_there) as f64 / seconds(now.saturating_sub(then))
        };
        let open = self.job.load.shape.is_open();
        let left = |until: Option<u64>, since: u64| {
            until.map(|until| seconds((since + until).saturating_sub(now)))
        };
        tell(Some(Tick {
            at: self.clock.moment(now),
            elapsed: seconds(now.saturating_sub(start)),
            reached: figures.reached(start, self.live_stats.len()),
            completed: figures.completed,
            of: phase.requests,
            rate: rate(figures.completed, told.completed),
            p50: recent.quantile(0.5),
            p99: recent.quantile(0.99),
            failed: figures.failed,
            offered: open.then(|| rate(figures.scheduled, told.scheduled)),
            remaining: left(phase.ends().filter(|_| !figures.closed), start),
            draining: left(figures.closed.then_some(figures.drained_by), 0),
            lasted: figures.lasted(start),
            in_flight: figures.in_flight,
            asleep: figures.asleep,
            connections: figures.connections,
            late: figures.lateness.since(&told.lateness).quantile(0.99),
            busy: figures.busy,
            recent: recent.into(),
        }));
        // a window of so many seconds ends by itself
        let ends = self.job.may_break && phase.requests.is_none();
        let give_up = !ends
            && now.saturating_sub(start) > HOPELESS
            && figures.completed == 0
            && figures.hopeless >= u64::from(self.job.load.connections);
        if give_up
            || self.is_lost(phase, now.saturating_sub(start), &figures)
            || self.stop.load(Ordering::Relaxed)
        {
            self.halt.store(true, Ordering::Relaxed);
        }
        *before = (now, figures);
    }

    /// Whether a trial that goes by count stands still, as nearly all its connections wait for time limits.
    fn is_lost(&self, phase: Phase, passed: u64, figures: &Figures) -> bool {
        let Some(requests) = phase
            .requests
            .filter(|_| self.job.may_break && passed > LOST)
        else {
            return false;
        };
        let connections = u64::from(self.job.load.connections);
        figures.timed_out >= (requests / 20).min(connections).max(requests / 100).max(1)
    }
}
