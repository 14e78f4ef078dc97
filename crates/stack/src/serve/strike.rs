//! What befalls an app server on purpose.

use record::Victim;
use rustix::process::{Pid, Signal, kill_process};

use crate::process::{below, birth, busiest_of, children};

/// The processes of an app server's first instance, for whoever is to strike them.
#[derive(Clone, Copy, Debug)]
pub struct Exposed {
    /// Its guardian, which adopts what loses its parent.
    pub(crate) guardian: u32,
    /// What weir started.
    pub(crate) started: u32,
    /// When that began: a later process of the same id is a stranger.
    pub(crate) birth: Option<u64>,
    /// Whether that is a supervisor, and what it started is the server.
    pub(crate) supervised: bool,
}

impl Exposed {
    /// Kills these of its processes; how many of them there were.
    pub fn kill(&self, victim: Victim) -> u32 {
        self.signal(victim, Signal::KILL)
    }

    /// Stops these of its processes; how many of them there were.
    pub fn hang(&self, victim: Victim) -> u32 {
        self.signal(victim, Signal::STOP)
    }

    /// Lets all of its processes go on, so that those that hang end when they are asked to.
    pub fn resume(&self) {
        self.signal(Victim::All, Signal::CONT);
    }

    fn signal(&self, victim: Victim, signal: Signal) -> u32 {
        let victims = self.victims(victim);
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

    /// A supervisor's children, and what it let go, which the guardian has; without one what weir started, as long as that
    /// lives.
    fn mains(&self) -> Vec<u32> {
        let lives = self.birth.is_some() && birth(self.started) == self.birth;
        let started = Some(self.started).filter(|_| lives);
        if !self.supervised {
            return started.into_iter().collect();
        }
        let let_go = children(self.guardian).into_iter();
        let let_go = let_go.filter(|pid| *pid != self.started);
        let_go
            .chain(started.into_iter().flat_map(children))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use std::process::{Child, Command};
    use std::time::Duration;

    use super::*;

    /// A process that is killed with the test.
    struct Sleeper(Child);

    impl Sleeper {
        fn start() -> Self {
            Self(Command::new("sleep").arg("60").spawn().unwrap())
        }
    }

    impl Drop for Sleeper {
        fn drop(&mut self) {
            let _ = self.0.kill();
            let _ = self.0.wait();
        }
    }

    #[test]
    fn a_later_process_of_the_same_id_is_spared() {
        let mut sleeper = Sleeper::start();
        let started = sleeper.0.id();
        let exposed = |birth, supervised| Exposed {
            guardian: started, // it has no children
            started,
            birth,
            supervised,
        };
        let born = birth(started);
        assert!(born.is_some());
        for victim in [Victim::Main, Victim::Worker, Victim::All] {
            for other in [None, Some(1)] {
                assert_eq!(exposed(other, false).kill(victim), 0, "{victim:?}");
                assert_eq!(exposed(other, true).kill(victim), 0, "{victim:?}");
            }
        }
        assert!(sleeper.0.try_wait().unwrap().is_none(), "it lives");
        assert_eq!(exposed(born, false).kill(Victim::Main), 1);
        sleeper.0.wait().unwrap();
        assert_eq!(exposed(born, false).kill(Victim::Main), 0, "it is gone");
    }

    #[test]
    fn what_hangs_goes_on_when_it_is_let() {
        let sleeper = Sleeper::start();
        let started = sleeper.0.id();
        let exposed = Exposed {
            guardian: started,
            started,
            birth: birth(started),
            supervised: false,
        };
        assert_eq!(exposed.hang(Victim::Main), 1);
        let hangs = || {
            let process = procfs::process::Process::new(started.cast_signed());
            process.unwrap().stat().unwrap().state == 'T'
        };
        let patience = Duration::from_secs(10);
        assert!(testkit::eventually(patience, hangs), "it hangs");
        exposed.resume();
        assert!(testkit::eventually(patience, || !hangs()), "it goes on");
    }
}
