//! What befalls an app server on purpose.

use std::path::{Path, PathBuf};

use record::Victim;
use rustix::process::{Pid, Signal, kill_process};

use crate::process::{below, birth, busiest_of, children};

/// How the names of pid files end, and the most bytes that one has.
const PID_FILE: &str = "pid";
const LONGEST: u64 = 100;

/// The processes of an app server's first instance, for whoever is to strike them.
#[derive(Clone, Copy, Debug)]
pub struct Exposed<'a> {
    /// Its guardian, which adopts what loses its parent.
    pub(crate) guardian: u32,
    /// What weir started.
    pub(crate) started: u32,
    /// When that began: a later process of the same id is a stranger.
    pub(crate) birth: Option<u64>,
    /// Whether that is a supervisor, and what it started is the server.
    pub(crate) supervised: bool,
    /// The stack's folder, and the name of the server's own in it.
    pub(crate) folder: (&'a Path, &'a str),
}

impl Exposed<'_> {
    /// Kills these of its processes; how many of them there were.
    pub fn kill(&self, victim: Victim) -> u32 {
        signal(&self.victims(victim), Signal::KILL)
    }

    /// Kills these of its processes, and before that writes another process's id into each pid file in the server's own folder
    /// that names one of them: who keeps the server by that file takes the other process for it. How many processes there were,
    /// and how many such files.
    pub fn kill_leaving(&self, victim: Victim, other: u32) -> (u32, u32) {
        let victims = self.victims(victim);
        let names_one = |path: &PathBuf| named_in(path).is_some_and(|pid| victims.contains(&pid));
        let files = self.pid_files().filter(names_one);
        let left = files.filter(|path| std::fs::write(path, format!("{other}\n")).is_ok());
        // before the kill: whoever looks after it finds them so
        let left = count(left);
        (signal(&victims, Signal::KILL), left)
    }

    /// The files in the server's own folder whose names end as those of pid files do.
    fn pid_files(&self) -> impl Iterator<Item = PathBuf> {
        let (stack, name) = self.folder;
        let files = std::fs::read_dir(stack.join(name)).into_iter().flatten();
        let files = files.filter_map(|file| Some(file.ok()?.path()));
        files.filter(|path| path.extension().is_some_and(|end| end == PID_FILE))
    }

    /// Stops these of its processes; how many of them there were.
    pub fn hang(&self, victim: Victim) -> u32 {
        signal(&self.victims(victim), Signal::STOP)
    }

    /// Whether it has a main process: what a killed one has left without a parent is none, but below a supervisor.
    pub fn is_there(&self) -> bool {
        !self.mains().is_empty()
    }

    /// Lets all of its processes go on, so that those that hang end when they are asked to.
    pub fn resume(&self) {
        signal(&self.victims(Victim::All), Signal::CONT);
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

/// Sends these a signal; how many of them there were.
fn signal(victims: &[u32], signal: Signal) -> u32 {
    count(victims.iter().filter(|pid| {
        let pid = Pid::from_raw(pid.cast_signed());
        pid.is_some_and(|pid| kill_process(pid, signal).is_ok())
    }))
}

/// The process that a pid file names: a regular file with a number in its first line.
fn named_in(path: &Path) -> Option<u32> {
    let bytes = input::read_at_most(path, LONGEST).ok()?;
    let text = String::from_utf8(bytes).ok()?;
    text.lines().next()?.trim().parse().ok()
}

fn count<T>(of: impl Iterator<Item = T>) -> u32 {
    u32::try_from(of.count()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use std::process::{Child, Command};
    use std::time::Duration;

    use super::*;

    /// A folder without pid files.
    fn nowhere() -> (&'static Path, &'static str) {
        (Path::new("/proc/self"), "attr")
    }

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
            folder: nowhere(),
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
        assert!(exposed(born, false).is_there());
        assert_eq!(exposed(born, false).kill(Victim::Main), 1);
        sleeper.0.wait().unwrap();
        assert!(!exposed(born, false).is_there());
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
            folder: nowhere(),
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

    #[test]
    fn pid_files_that_name_what_is_killed_name_another_process() {
        let (mut victim, other) = (Sleeper::start(), Sleeper::start());
        let [started, stranger] = [&victim, &other].map(|of| of.0.id());
        let stack = tempfile::tempdir().unwrap();
        let own = stack.path().join("server");
        std::fs::create_dir(&own).unwrap();
        let write = |name: &str, text: String| std::fs::write(own.join(name), text).unwrap();
        write("server.pid", format!("{started}\n"));
        write("keeper.pid", "1\n".to_owned());
        write("notes.txt", format!("{started}\n"));
        write("long.pid", format!("{started}\n{}", "x".repeat(200)));
        let exposed = Exposed {
            guardian: started,
            started,
            birth: birth(started),
            supervised: false,
            folder: (stack.path(), "server"),
        };
        assert_eq!(exposed.kill_leaving(Victim::Main, stranger), (1, 1));
        victim.0.wait().unwrap();
        let read = |name: &str| std::fs::read_to_string(own.join(name)).unwrap();
        assert_eq!(read("server.pid"), format!("{stranger}\n"));
        assert_eq!(read("keeper.pid"), "1\n", "it named somebody else");
        assert_eq!(read("notes.txt"), format!("{started}\n"));
        assert_eq!(exposed.kill_leaving(Victim::All, stranger), (0, 0));
    }
}
