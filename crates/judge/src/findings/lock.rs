//! Processes that run one thread of their language at a time, however many they have.

use record::{Interface, ProcessCost, ProfileFacts};

use super::cores::WHOLE;
use super::facts::{Facts, knob};
use crate::words::number;

/// Share of what the busiest process of a program used from which on another one works beside it: less is used by one that
/// starts the others.
const WORKS: f64 = 0.1;
/// Share of the time in which its threads have work that they wait for the lock of such a process, from which on that sets the
/// pace.
const LOCKED: f64 = 0.5;
/// Cores from which on such a process counts as having had its core where its lock sets the pace: to hand that on costs time in
/// which nobody computes.
pub(super) const HANDED_ON: f64 = 0.5;

impl Facts<'_> {
    /// Who runs one thread at a time, in words, where this process does: as its runtime was recognised. Where nobody looked at
    /// the program's processes, what the app needs tells what its server runs.
    pub(super) fn lock<'p>(&self, process: &'p ProcessCost) -> Option<&'p str> {
        if let Some(runtime) = &process.runtime {
            return runtime.one_thread.as_deref();
        }
        let all = self.measured.processes.iter();
        let mut own = all.filter(|of| of.owner == process.owner);
        let server = self.app_server();
        let is_app = server.is_some_and(|server| server.entry == process.owner);
        if !is_app || own.any(|of| of.runtime.is_some()) {
            return None;
        }
        match self.app?.interface {
            Interface::Wsgi | Interface::Asgi => {
                Some("a Python process, unless it is built without its lock,")
            }
            Interface::Rack => Some("a process of CRuby"),
            _ => None,
        }
    }

    /// By how many times the throughput could grow until processes that run one thread at a time have a core each; infinite where
    /// there are none.
    pub(super) fn room_of_locks(&self) -> f64 {
        let all = self.measured.stack_processes();
        let locked: Vec<&ProcessCost> = all.filter(|of| self.lock(of).is_some()).collect();
        let room = |one: &&ProcessCost| {
            let own = locked.iter().copied().filter(|of| of.owner == one.owner);
            let used: f64 = own.clone().map(|of| self.cores_of(of)).sum();
            let busiest = own.clone().map(|of| self.cores_of(of)).fold(0.0, f64::max);
            let works = self.at_once(own.filter(|of| self.cores_of(of) >= WORKS * busiest));
            // clients that are few may have left some of them idle
            let server = self.server(&one.owner);
            let known = server.and_then(|server| knob(server, server.scale.processes.as_ref()));
            let processes = known.map_or(works, |(_, processes)| processes.max(works));
            (processes / used.max(0.001)).max(1.0)
        };
        locked.iter().map(room).fold(f64::INFINITY, f64::min)
    }

    /// Whether threads that had work waited for the lock of their language for most of the time, as a profile saw it, and that sets
    /// the pace: requests that come at random wait for it while it is free at other times.
    pub(super) fn lock_is_waited_for(&self) -> bool {
        let profile = self.load.profile.as_ref();
        let waited = profile.and_then(ProfileFacts::lock_wait);
        self.is_closed_loop() && waited.is_some_and(|share| share >= LOCKED)
    }

    /// Of a process that was held to a core, the one of so many that had least of it: `had all of a core`, or how much of it where its
    /// lock sets the pace.
    pub(super) fn had_of_a_core(&self, process: &ProcessCost, at_once: f64) -> String {
        let cores = self.cores_of_itself(process);
        if cores >= WHOLE || self.has_a_busy_thread(process) {
            return "had all of a core".to_owned();
        }
        let at_least = if at_once >= 1.5 { "at least " } else { "" };
        format!(
            "had {at_least}{} of the core that it can use",
            number(cores)
        )
    }

    /// The same as a remark behind what is said of the process; empty where it has no such lock, or that is not known.
    pub(super) fn lock_in_words(&self, process: &ProcessCost) -> String {
        let lock = self.lock(process);
        lock.map_or_else(String::new, |who| {
            format!(" ({who} runs one thread at a time)")
        })
    }
}
