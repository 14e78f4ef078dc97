//! What the processes of a trial had of the machine's cores.

use record::{BUSIEST_THREAD, ProcessCost, RUN_QUEUE_WAIT, Series};

use super::facts::Facts;
use super::lock::HANDED_ON;
use crate::words::number;

/// Share of all cores' time from which on none counts as idle.
const BUSY: f64 = 0.9;
/// The same where threads of the stack waited for a core for longer than cores were idle: what is idle then is what it
/// costs to find each thread a core.
const BUSY_AND_WAITED_FOR: f64 = 0.75;

/// Cores from which on a process counts as having had one to itself.
pub(super) const WHOLE: f64 = 0.9;
/// The same of a thread, where what it waited for a core makes up the rest.
const NEARLY_WHOLE: f64 = 0.75;
/// Cores beyond which a process can use more than one.
const MORE: f64 = 1.1;
/// The same of one that runs one thread at a time: what is not its language's (system calls, libraries) runs beside that.
const MORE_BESIDE: f64 = 1.5;

/// Share of its time that a core is busy from which on requests that come at random wait for it as long as it works on them
/// (of a single server, ρ / (1 - ρ) is 1).
const HALF: f64 = 0.5;

/// Cores of other programs that are worth a word.
const TOLD: f64 = 0.05;

/// Seconds in which a process was watched from which on they say how busy it was: in less it begins.
const LONG: f64 = 1.0;
/// Share of the window that processes which take each other's place are there for, together, if one is there all the time: one
/// that has just begun or is about to end is left out.
const COVERED: f64 = 0.75;

/// Of processes that belong together, what they used.
pub(super) struct Owner<'a> {
    /// The name of an entry, or `weir`.
    pub(super) name: &'a str,
    /// Cores in user mode.
    pub(super) user: f64,
    /// Cores in the kernel.
    pub(super) system: f64,
}

impl Owner<'_> {
    pub(super) fn cores(&self) -> f64 {
        self.user + self.system
    }
}

impl<'a> Facts<'a> {
    /// Cores that a process had on average.
    pub(super) fn cores_of(&self, process: &ProcessCost) -> f64 {
        process.cpu() / self.seconds
    }

    /// Cores that all processes of this owner (an entry, or `weir`) had.
    pub(super) fn cores_of_all(&self, owner: &str) -> f64 {
        self.processes_of(owner).iter().sum()
    }

    /// The same of each process of this owner.
    pub(super) fn processes_of(&self, owner: &str) -> Vec<f64> {
        let own = self
            .measured
            .processes
            .iter()
            .filter(|of| of.owner == owner);
        own.map(|process| self.cores_of(process)).collect()
    }

    /// Who used how much, whoever used most first.
    pub(super) fn owners(&self) -> Vec<Owner<'a>> {
        let mut owners: Vec<Owner<'a>> = Vec::new();
        for process in &self.measured.processes {
            let (user, system) = (
                process.cpu_user / self.seconds,
                process.cpu_system / self.seconds,
            );
            match owners.iter_mut().find(|of| of.name == process.owner) {
                Some(known) => {
                    known.user += user;
                    known.system += system;
                }
                None => owners.push(Owner {
                    name: &process.owner,
                    user,
                    system,
                }),
            }
        }
        owners.sort_by(|one, other| other.cores().total_cmp(&one.cores()));
        owners
    }

    /// Who had how many cores: `` `gunicorn` 1.40, `nginx` 0.200, the load generator 0.350, other programs 0.200``.
    pub(super) fn shares_of_cores(&self) -> String {
        let owners = self.owners().into_iter();
        let told = owners.map(|of| match of.name {
            ProcessCost::OWN => format!("the load generator {}", number(of.cores())),
            name => format!("`{name}` {}", number(of.cores())),
        });
        let partners = self.partners().filter(|(_, cores)| *cores >= TOLD);
        let partners = partners.map(|(of, cores)| format!("{} {}", of.located(), number(cores)));
        let others = Some(self.others()).filter(|others| *others >= TOLD);
        let others = others.map(|others| format!("other programs {}", number(others)));
        let all: Vec<String> = told.chain(partners).chain(others).collect();
        all.join(", ")
    }

    /// Cores that the stack had.
    pub(super) fn stack_cores(&self) -> f64 {
        let all = self.measured.stack_processes();
        all.map(|process| self.cores_of(process)).sum()
    }

    /// Share of the time of the stack's cores that was used, by whomever they are shared with; 0 to 1.
    pub(super) fn busy(&self) -> f64 {
        ((self.own_cores() + self.others() + self.stolen()) / self.cores).min(1.0)
    }

    /// Of the stack's cores, how many programs had that are neither of it nor weir: as they were counted, or where weir did not
    /// start what serves and so cannot tell, what those that it knows of leave of the time in which cores were not idle.
    pub(super) fn others(&self) -> f64 {
        if self.apart {
            return 0.0;
        }
        // of a window in slices their seconds are of all of the time that it took
        if let Some(others) = &self.measured.observed.others {
            return others.share * self.cores;
        }
        let idle = if self.is_own() { None } else { self.idle() };
        let known = self.own_cores() + self.stolen();
        idle.map_or(0.0, |idle| (self.cores - idle - known).max(0.0))
    }

    /// Cores that the hypervisor took, of the stack's its share.
    pub(super) fn stolen(&self) -> f64 {
        self.load.stolen.map_or(0.0, |of| of.share * self.cores)
    }

    /// Cores that nobody used, as the kernel counts it of each; `None` where not all of them were looked at.
    fn idle(&self) -> Option<f64> {
        let series = self.measured.observed.series.iter();
        let idle = series.filter(|of| of.name == "idle" && of.of.starts_with("core "));
        let idle: Vec<f64> = idle.filter_map(rate).collect();
        let all = idle.len() == self.cores as usize;
        all.then(|| idle.iter().sum())
    }

    /// Of the stack's cores what it used, with what it uses of other programs, and the load generator where that shares them.
    pub(super) fn own_cores(&self) -> f64 {
        let beside = if self.apart {
            0.0
        } else {
            self.cores_of_all(ProcessCost::OWN)
        };
        self.stack_cores() + self.partner_cores() + beside
    }

    /// The load generator's share of cores none of which is idle, 0 to 1; 0 where some are, and where it has its own.
    pub(super) fn own_share(&self) -> f64 {
        if self.apart || !self.every_core_is_busy() {
            return 0.0;
        }
        self.cores_of_all(ProcessCost::OWN) / self.cores
    }

    /// Whether no core was idle that the stack or the load generator had use for. What others have while these hardly need one
    /// sets no pace.
    pub(super) fn every_core_is_busy(&self) -> bool {
        self.none_is_idle() && self.lacks_cores()
    }

    /// Whether no core was idle, or only for the moments in which a thread that was ready had none. The latter is refuted where
    /// more workers found cores to be faster on.
    pub(super) fn none_is_idle(&self) -> bool {
        let busy = self.busy();
        let idle = self.cores * (1.0 - busy);
        let waited_for = !self.scales() && self.waiting_for_a_core() > idle;
        busy >= BUSY || (busy >= BUSY_AND_WAITED_FOR && waited_for)
    }

    /// Threads of the stack that were ready to run and had no core, on average. Where a process has all of a core and runs one
    /// thread at a time they count up to what that one lacks: with more cores the others would wait for it.
    pub(super) fn waiting_for_a_core(&self) -> f64 {
        let all = self.measured.stack_processes();
        let waiting = all.map(|process| {
            let waited = self.counted(process, RUN_QUEUE_WAIT);
            if self.lock(process).is_none() || !self.has_a_whole_core(process) {
                return waited;
            }
            waited.min((1.0 - self.cores_of(process)).max(0.0))
        });
        waiting.sum()
    }

    /// A count of a process in microseconds, as a share of the time in which it was watched.
    pub(super) fn counted(&self, process: &ProcessCost, name: &str) -> f64 {
        seconds(process, name) / self.seconds
    }

    /// Processes of the stack each of which had a core to itself, and could use no other, the busiest first. Of those that take
    /// each other's place, as workers do that end after some requests, each in its time.
    pub(super) fn with_a_whole_core(&self) -> Vec<&'a ProcessCost> {
        let all = self.measured.stack_processes();
        let all: Vec<_> = all.filter(|of| self.is_held_to_a_core(of)).collect();
        let covers = |of: &&ProcessCost| {
            let alike = all.iter().filter(|other| other.owner == of.owner);
            self.at_once(alike.copied()) >= COVERED
        };
        let mut held: Vec<_> = all.iter().copied().filter(covers).collect();
        held.sort_by(|one, other| other.cpu().total_cmp(&one.cpu()));
        held
    }

    /// How many of these processes were there at once, on average.
    pub(super) fn at_once<'p>(&self, processes: impl Iterator<Item = &'p ProcessCost>) -> f64 {
        let watched = processes.map(|process| self.watched(process));
        watched.sum::<f64>() / self.seconds
    }

    /// Seconds in which a process was there; those of the window where it was so, or too short to say something.
    pub(super) fn watched(&self, process: &ProcessCost) -> f64 {
        let watched = seconds(process, ProcessCost::WATCHED);
        if watched < LONG {
            return self.seconds;
        }
        watched.min(self.seconds)
    }

    /// Whether requests that come at random wait for a core for about as long as one works on them, though it is idle at other
    /// times: half of the cores' time is used, or half of a core's by what cannot use another.
    pub(super) fn random_requests_queue_for_cores(&self) -> bool {
        let mut all = self.measured.stack_processes();
        self.busy() >= HALF || all.any(|of| self.share_of_a_core(of) >= HALF)
    }

    /// Share of a core that a process used of the one that it is held to: that of its busiest thread, and all of it where it
    /// runs one thread at a time, or nobody looked at its threads.
    fn share_of_a_core(&self, process: &ProcessCost) -> f64 {
        let threads = process.counts.contains_key(BUSIEST_THREAD) && self.lock(process).is_none();
        let used = if threads {
            seconds(process, BUSIEST_THREAD)
        } else {
            process.cpu()
        };
        used / self.watched(process)
    }

    fn is_held_to_a_core(&self, process: &ProcessCost) -> bool {
        self.has_a_whole_core(process) || self.has_a_busy_thread(process)
    }

    /// Whether one of its threads ran all the time that it was there, or would have if it had always had a core.
    pub(super) fn has_a_busy_thread(&self, process: &ProcessCost) -> bool {
        let watched = self.watched(process);
        let thread = seconds(process, BUSIEST_THREAD) / watched;
        let waited = seconds(process, RUN_QUEUE_WAIT) / watched;
        thread >= WHOLE || (thread >= NEARLY_WHOLE && thread + waited >= 1.0)
    }

    /// Cores that it had by itself while it was there: children that it waited for could have run beside each other.
    pub(super) fn cores_of_itself(&self, process: &ProcessCost) -> f64 {
        let children = seconds(process, ProcessCost::ENDED_CHILDREN);
        (process.cpu() - children) / self.watched(process)
    }

    fn has_a_whole_core(&self, process: &ProcessCost) -> bool {
        let whole = match self.lock(process) {
            None => WHOLE..=MORE,
            Some(_) if self.lock_is_waited_for() => HANDED_ON..=MORE_BESIDE,
            Some(_) => WHOLE..=MORE_BESIDE,
        };
        whole.contains(&self.cores_of_itself(process))
    }

    /// By how many times the throughput could grow until no core is idle, if nothing else ran on them.
    pub(super) fn room(&self) -> f64 {
        (self.cores / self.own_cores().max(0.001)).max(1.0)
    }
}

/// Seconds that were counted of a process under this name, in microseconds.
pub(super) fn seconds(process: &ProcessCost, name: &str) -> f64 {
    process.counts.get(name).copied().unwrap_or(0) as f64 / 1e6
}

/// What a total grew by in a second, from its first sample to its last; `None` where there is but one.
fn rate(of: &Series) -> Option<f64> {
    let grown = of.values.last()? - of.values.first()?;
    let seconds = of.at.last()? - of.at.first()?;
    (seconds > 0.0).then(|| grown / seconds)
}
