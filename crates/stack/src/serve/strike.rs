//! What befalls an app server on purpose.

use record::{Blow, Fault, Victim};
use rustix::process::{Pid, Signal, kill_process};

use crate::process::{below, busiest_of, children};

/// The processes of an app server's first instance, for whoever is to strike them.
#[derive(Clone, Copy, Debug)]
pub struct Exposed {
    /// Its guardian, which adopts what loses its parent.
    pub(crate) guardian: u32,
    /// What weir started.
    pub(crate) started: u32,
    /// Whether that is a supervisor, and what it started is the server.
    pub(crate) supervised: bool,
}

impl Exposed {
    /// Does this to its processes; how many of them there were.
    pub fn strike(&self, fault: Fault) -> u32 {
        let victims = self.victims(fault.victim);
        let signal = match fault.blow {
            Blow::Kill => Signal::KILL,
            Blow::Hang => Signal::STOP,
        };
        let struck = victims.iter().filter(|pid| {
            let pid = Pid::from_raw(pid.cast_signed());
            pid.is_some_and(|pid| kill_process(pid, signal).is_ok())
        });
        u32::try_from(struck.count()).unwrap_or(u32::MAX)
    }

    /// Main processes come first, so that none of them replaces a worker that was killed before it.
    fn victims(&self, victim: Victim) -> Vec<u32> {
        let mains = self.mains();
        let workers = || mains.iter().flat_map(|main| below(*main));
        match victim {
            Victim::Main => mains,
            Victim::Worker => busiest_of(workers())
                .or_else(|| busiest_of(mains.iter().copied()))
                .into_iter()
                .collect(),
            Victim::All => {
                let workers: Vec<_> = workers().collect();
                mains.into_iter().chain(workers).collect()
            }
        }
    }

    /// A supervisor's children, and what it let go, which the guardian has; without one what weir started.
    fn mains(&self) -> Vec<u32> {
        if !self.supervised {
            return vec![self.started];
        }
        let let_go = children(self.guardian).into_iter();
        let let_go = let_go.filter(|pid| *pid != self.started);
        let_go.chain(children(self.started)).collect()
    }
}
