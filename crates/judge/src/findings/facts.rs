use record::{
    App, Interface, Knob, LoadFacts, Measured, ProcessCost, Run, ServerFacts, Setting, Shape,
    Variant,
};

use crate::words::number;

/// Share of all cores' time from which on none counts as idle.
const BUSY: f64 = 0.9;

/// Cores from which on a process counts as having had one to itself.
const WHOLE: f64 = 0.9;
/// Cores beyond which a process can use more than one.
const MORE: f64 = 1.1;
/// The same of one that runs one thread at a time: what is not its language's (system calls, libraries) runs beside that.
const MORE_BESIDE: f64 = 1.5;

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

/// The facts of one trial, as rules ask for them. Cores are numbers of cores that were busy on average.
pub(super) struct Facts<'a> {
    pub(super) measured: &'a Measured,
    pub(super) load: &'a LoadFacts,
    pub(super) app: &'a App,
    /// Cores that the stack may use.
    pub(super) cores: f64,
    /// Seconds over which processes were watched: the window and the drain after it.
    seconds: f64,
    /// Whether the load generator has cores of its own.
    apart: bool,
}

impl<'a> Facts<'a> {
    /// `None` where weir started no program, or nothing was answered.
    pub(super) fn of(run: &'a Run, variant: &'a Variant, measured: &'a Measured) -> Option<Self> {
        let load = &measured.load;
        let drain = load.drain.as_ref().map_or(0.0, |drain| drain.seconds);
        let seconds = load.seconds + drain;
        let all = run.host.cores.max(1);
        let cores = match run.plan.cpus {
            None => all,
            Some(cpus) => cpus.stack.unwrap_or(all.saturating_sub(cpus.load)).max(1),
        };
        let known = seconds > 0.0 && load.completed > 0 && measured.stack_processes().count() > 0;
        known.then(|| Self {
            measured,
            load,
            app: run.plan.app_of(variant),
            cores: f64::from(cores),
            seconds,
            apart: run.plan.cpus.is_some(),
        })
    }

    /// Cores that a process had on average.
    pub(super) fn cores_of(&self, process: &ProcessCost) -> f64 {
        process.cpu() / self.seconds
    }

    /// Cores that all processes of this owner (an entry, or `weir`) had.
    pub(super) fn cores_of_all(&self, owner: &str) -> f64 {
        let own = self
            .measured
            .processes
            .iter()
            .filter(|of| of.owner == owner);
        own.map(|process| self.cores_of(process)).sum()
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

    /// Who had how many cores: `` `gunicorn` 1.40, `nginx` 0.200, the load generator 0.350``.
    pub(super) fn shares_of_cores(&self) -> String {
        let owners = self.owners().into_iter();
        let told = owners.map(|of| match of.name {
            ProcessCost::OWN => format!("the load generator {}", number(of.cores())),
            name => format!("`{name}` {}", number(of.cores())),
        });
        told.collect::<Vec<_>>().join(", ")
    }

    /// Cores that the stack had.
    pub(super) fn stack_cores(&self) -> f64 {
        let all = self.measured.stack_processes();
        all.map(|process| self.cores_of(process)).sum()
    }

    /// Share of the time of the stack's cores that was used, by whomever they are shared with; 0 to 1.
    pub(super) fn busy(&self) -> f64 {
        let others = self.measured.observed.others.as_ref();
        let others = others.map_or(0.0, |others| others.seconds / self.seconds);
        let stolen = self.load.stolen.map_or(0.0, |of| of.seconds / self.seconds);
        let beside = if self.apart {
            0.0
        } else {
            self.cores_of_all(ProcessCost::OWN) + others
        };
        ((self.stack_cores() + beside + stolen) / self.cores).min(1.0)
    }

    /// The load generator's share of cores none of which is idle, 0 to 1; 0 where some are, and where it has its own.
    pub(super) fn own_share(&self) -> f64 {
        if self.apart || !self.every_core_is_busy() {
            return 0.0;
        }
        self.cores_of_all(ProcessCost::OWN) / self.cores
    }

    /// Whether no core was idle.
    pub(super) fn every_core_is_busy(&self) -> bool {
        self.busy() >= BUSY
    }

    /// Processes of the stack each of which had a core to itself, and could use no other, the busiest first.
    pub(super) fn with_a_whole_core(&self) -> Vec<&'a ProcessCost> {
        let all = self.measured.stack_processes();
        let mut all: Vec<_> = all.filter(|of| self.is_held_to_a_core(of)).collect();
        all.sort_by(|one, other| other.cpu().total_cmp(&one.cpu()));
        all
    }

    fn is_held_to_a_core(&self, process: &ProcessCost) -> bool {
        let is_app = self
            .app_server()
            .is_some_and(|server| server.entry == process.owner);
        let most = if is_app && !self.lock().is_empty() {
            MORE_BESIDE
        } else {
            MORE
        };
        (WHOLE..=most).contains(&self.cores_of(process))
    }

    /// By how many times the throughput could grow until no core is idle.
    pub(super) fn room(&self) -> f64 {
        1.0 / self.busy().max(0.001)
    }

    /// The program that runs the app, one of several if there are.
    pub(super) fn app_server(&self) -> Option<&'a ServerFacts> {
        self.measured.stack.innermost()
    }

    /// Entries of the front ends.
    pub(super) fn fronts(&self) -> Vec<&'a str> {
        self.measured.stack.fronts()
    }

    /// What the app calls its services, with their entries.
    pub(super) fn services(&self) -> impl Iterator<Item = (&'a str, &'a str)> {
        let servers = self.measured.stack.servers.iter();
        servers.filter_map(|of| Some((of.service.as_deref()?, of.entry.as_str())))
    }

    /// The program of the stack with this entry.
    pub(super) fn server(&self, entry: &str) -> Option<&'a ServerFacts> {
        let mut servers = self.measured.stack.servers.iter();
        servers.find(|server| server.entry == entry)
    }

    /// A knob of the program with this entry set to so much, as a plan does it; `None` of a service.
    pub(super) fn setting(&self, entry: &str, knob: &str, value: f64) -> Option<Setting> {
        let is_app = self
            .app_server()
            .is_some_and(|server| server.entry == entry);
        let fronts = self.fronts();
        let place = fronts.iter().position(|front| *front == entry);
        let key = match (is_app, place, fronts.len()) {
            (true, ..) => format!("server.{knob}"),
            (_, Some(_), 1) => format!("front.{knob}"),
            (_, Some(place), _) => format!("front.{place}.{knob}"),
            (_, None, _) => return None,
        };
        Some(Setting {
            key,
            value: value as i64,
        })
    }

    /// Requests that the app server works on at once, its instances together; `None` where nothing bounds them.
    pub(super) fn slots(&self) -> Option<f64> {
        let servers = self
            .measured
            .stack
            .passed()
            .filter_map(|server| server.slots);
        servers.reduce(|sum, slots| sum + slots)
    }

    /// Requests that were in progress on average, by Little's law: the rate times the mean time from sent to answered.
    pub(super) fn in_progress(&self) -> f64 {
        self.load.throughput() * self.load.service.mean().unwrap_or(0.0)
    }

    /// Whether clients send a request as soon as the one before is answered, so that throughput is what the stack makes
    /// of it.
    pub(super) fn is_closed_loop(&self) -> bool {
        matches!(self.load.shape, Shape::Closed { think, .. } if think <= 0.0)
    }

    /// What one process of the app server cannot do, whatever the number of its threads; empty where that is not known.
    pub(super) fn lock(&self) -> &'static str {
        match self.app.interface {
            Interface::Wsgi | Interface::Asgi => {
                " (a Python process runs one thread at a time, unless it is built without its lock)"
            }
            Interface::Rack => " (a process of CRuby runs one thread at a time)",
            _ => "",
        }
    }
}

/// A knob of a server's [`record::Scale`], with its value.
pub(super) fn knob<'a>(
    server: &'a ServerFacts,
    name: Option<&'a String>,
) -> Option<(&'a str, f64)> {
    let name = name?;
    let mut knobs = server.knobs.iter();
    knobs.find_map(|(known, value)| match value {
        Knob::Number(value) if known == name => Some((known.as_str(), *value as f64)),
        _ => None,
    })
}
