//! The loop that samples.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::mpsc::channel;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use record::{ProfileFacts, Stacks};
use rustix::time::{ClockId, clock_gettime};

use crate::Places;
use crate::process::{Process, Refused};
use crate::stacks::Counter;
use crate::tree::tree;
use crate::woken::Woken;

/// Most processes that are sampled.
const MOST_PROCESSES: usize = 64;
/// Turn on a core that it asks for, the shortest that the kernel gives: so it has the core as soon as it wakes. A look that takes
/// longer may lose it in between.
const SLICE: Duration = Duration::from_micros(100);
/// How often new processes are looked for.
const RESCAN: Duration = Duration::from_secs(1);
/// How often it is tried to read the stacks of a process: one that has just begun is not ready.
const ATTEMPTS: u32 = 5;

/// What is sampled.
#[derive(Clone, Debug)]
pub struct Subject {
    /// Processes, each with all that descend from it.
    pub roots: Vec<u32>,
    /// The app's folder, if it is known.
    pub app: Option<PathBuf>,
    /// The packages of servers.
    pub servers: Vec<String>,
}

impl Subject {
    /// A process and all that descend from it; the folder in which it runs is the app's.
    pub fn of_process(pid: u32) -> Self {
        let app = std::fs::read_link(format!("/proc/{pid}/cwd")).ok();
        Self {
            roots: vec![pid],
            app,
            servers: Vec::new(),
        }
    }
}

/// A thread that samples while it is told to. It looks at all processes in turn, so it never takes more than a core;
/// where it cannot keep its pace, it says so.
pub struct Sampler {
    shared: Arc<(Mutex<Phase>, Condvar)>,
    thread: Option<JoinHandle<(ProfileFacts, Stacks)>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Paused,
    Sampling,
    Over,
}

impl Sampler {
    /// Makes ready to sample so many times a second: returns when the processes that there are can be read. That takes
    /// milliseconds for most, and longer where rbspy has to find its way. Later ones are read within a second.
    pub fn start(subject: Subject, rate: f64) -> Self {
        let shared = Arc::new((Mutex::new(Phase::Paused), Condvar::new()));
        let own = Arc::clone(&shared);
        let (ready, is_ready) = channel();
        let thread = std::thread::spawn(move || {
            // where it would wait for a turn, what runs would be finished when it looks: without it a look tells less, and is none the less one
            let _ = kernel::ask_for_slice(SLICE);
            let mut sampling = Loop::new(subject, rate);
            sampling.scan();
            let _ = ready.send(());
            sampling.run(&own)
        });
        // an error: it has failed, which `finish` tells
        let _ = is_ready.recv();
        Self {
            shared,
            thread: Some(thread),
        }
    }

    /// Begins or goes on.
    pub fn resume(&self) {
        self.turn(Phase::Sampling);
    }

    /// Stops for a while. A look that is under way is finished.
    pub fn pause(&self) {
        self.turn(Phase::Paused);
    }

    /// Ends, and says what was seen.
    pub fn finish(mut self) -> (ProfileFacts, Stacks) {
        self.turn(Phase::Over);
        let ended = self.thread.take().map(JoinHandle::join);
        if let Some(Ok(seen)) = ended {
            return seen;
        }
        let facts = ProfileFacts {
            problem: Some("the profiler failed while it read a process".to_owned()),
            ..ProfileFacts::default()
        };
        (facts, Stacks::default())
    }

    fn turn(&self, to: Phase) {
        let (phase, changed) = &*self.shared;
        *phase.lock().unwrap_or_else(PoisonError::into_inner) = to;
        changed.notify_all();
    }
}

impl Drop for Sampler {
    fn drop(&mut self) {
        self.turn(Phase::Over);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

struct Loop {
    roots: Vec<u32>,
    period: Duration,
    processes: Vec<Process>,
    /// Those that are not sampled, with how often that was tried.
    refused: BTreeMap<u32, u32>,
    counter: Counter,
    facts: ProfileFacts,
    scanned: Option<Instant>,
    /// Whether what processes do counts at the moment.
    counts: bool,
}

impl Loop {
    fn new(subject: Subject, rate: f64) -> Self {
        let places = Places::new(subject.app.as_deref(), subject.servers);
        Self {
            roots: subject.roots,
            period: Duration::from_secs_f64(1.0 / rate.max(0.001)),
            processes: Vec::new(),
            refused: BTreeMap::new(),
            counter: Counter::new(places),
            facts: ProfileFacts {
                rate,
                ..ProfileFacts::default()
            },
            scanned: None,
            counts: false,
        }
    }

    fn run(mut self, shared: &(Mutex<Phase>, Condvar)) -> (ProfileFacts, Stacks) {
        let mut due = Instant::now();
        let mut before = Phase::Paused;
        loop {
            let phase = wait(shared, before, due);
            // before anything that makes the kernel note another time, like to ask for the CPU time
            let begun = Instant::now();
            let woken = Woken::now();
            let asked = begun.elapsed();
            let now = Instant::now();
            if (phase == Phase::Sampling) != (before == Phase::Sampling) {
                let counts = phase == Phase::Sampling;
                let cpu = own_cpu();
                self.processes.iter_mut().for_each(|of| of.count(counts));
                self.facts.cpu += own_cpu() - cpu;
                self.counts = counts;
            }
            match phase {
                Phase::Over => {
                    self.forget(|_| true);
                    break;
                }
                Phase::Sampling if before == Phase::Sampling => {
                    let cpu = own_cpu();
                    if now.duration_since(due) > self.period {
                        self.facts.late += 1;
                        due = now;
                    }
                    self.look(&woken);
                    self.scan_again(now);
                    self.facts.cpu += own_cpu() - cpu + asked.as_secs_f64();
                    due += self.gap();
                }
                Phase::Sampling => due = now + self.gap(),
                Phase::Paused => {
                    self.scan_again(now);
                    due = now + RESCAN;
                }
            }
            before = phase;
        }
        let (counts, stacks) = self.counter.counted();
        let facts = ProfileFacts {
            counts,
            ..self.facts
        };
        (facts, stacks)
    }

    /// Until the next look: around the period, since equal gaps might beat with what the program does periodically.
    fn gap(&self) -> Duration {
        self.period.mul_f64(0.5 + rand::random::<f64>())
    }

    fn look(&mut self, woken: &Woken) {
        let mut is_gone = false;
        for process in &mut self.processes {
            match process.look(woken) {
                Some(looks) => {
                    for look in looks {
                        self.counter.add(look, &process.runs_in, process.runtime);
                    }
                }
                None if process.is_there() => self.facts.errors += 1,
                None => is_gone = true,
            }
        }
        if is_gone {
            self.forget(|of| !of.is_there());
        }
    }

    /// Looks at some of the processes no more. What was sampled of them until now counts.
    fn forget(&mut self, which: impl Fn(&Process) -> bool) {
        for mut process in self.processes.extract_if(.., |of| which(of)) {
            for look in process.rest() {
                self.counter.add(look, &process.runs_in, process.runtime);
            }
            if let Some(why) = process.problem() {
                self.facts.problem = Some(format!("process {}: {why}", process.pid));
            }
        }
    }

    fn scan_again(&mut self, now: Instant) {
        if self
            .scanned
            .is_none_or(|at| now.duration_since(at) >= RESCAN)
        {
            self.scan();
        }
    }

    /// Takes in the processes that are not known yet, and what is new in the others.
    fn scan(&mut self) {
        // a shell becomes the program that it starts, which is sampled in another way
        self.forget(|of| !of.is_as_before());
        self.processes.iter_mut().for_each(Process::refresh);
        let found: Vec<u32> = self.roots.iter().flat_map(|root| tree(*root)).collect();
        self.refused.retain(|pid, _| found.contains(pid));
        for pid in found {
            let tried = self.refused.get(&pid).copied().unwrap_or(0);
            let is_known = self.processes.iter().any(|of| of.pid == pid);
            if is_known || tried >= ATTEMPTS || self.processes.len() >= MOST_PROCESSES {
                continue;
            }
            match Process::attach(pid, self.facts.rate) {
                Ok(mut process) => {
                    process.count(self.counts);
                    self.processes.push(process);
                    self.facts.processes += 1;
                    self.refused.remove(&pid);
                }
                Err(refused) => self.refuse(pid, refused, tried),
            }
        }
        self.scanned = Some(Instant::now());
    }

    fn refuse(&mut self, pid: u32, refused: Refused, tried: u32) {
        let tried = tried + 1;
        self.refused.insert(pid, tried);
        if tried >= ATTEMPTS {
            self.facts.problem = Some(format!("process {pid}: {}", refused.why()));
        }
    }
}

/// Waits until something is due or the phase is another one.
fn wait(shared: &(Mutex<Phase>, Condvar), before: Phase, due: Instant) -> Phase {
    let (phase, changed) = shared;
    let phase = phase.lock().unwrap_or_else(PoisonError::into_inner);
    let left = due.saturating_duration_since(Instant::now());
    let waited = changed.wait_timeout_while(phase, left, |phase| *phase == before);
    *waited.unwrap_or_else(PoisonError::into_inner).0
}

/// CPU seconds of this thread.
fn own_cpu() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}
