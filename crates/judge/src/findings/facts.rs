use record::{
    App, Distribution, Knob, LoadFacts, Measured, Run, ServerFacts, Setting, Shape, Variant,
};

use crate::opinion::Comparison;

/// Seconds of a window below which nothing is said of it: the kernel counts much of what is looked at in ticks of 10 ms, and
/// what is before and after the window is as long as it.
const SHORT: f64 = 0.1;

/// What a variant of the run did that only has more workers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum MoreWorkers {
    /// There is none, or it cannot be told.
    Unknown,
    /// One was surely faster.
    Faster,
    /// Surely none was.
    InVain,
}

/// The facts of one trial, as rules ask for them. Cores are numbers of cores that were busy on average.
pub(super) struct Facts<'a> {
    pub(super) measured: &'a Measured,
    pub(super) load: &'a LoadFacts,
    /// The app; `None` where a front end serves its files alone.
    pub(super) app: Option<&'a App>,
    /// Cores that the stack may use.
    pub(super) cores: f64,
    /// Seconds over which processes were watched, the window and the drain after it, less those in which they were busy with
    /// what is in no figure, as their CPU time is without it.
    pub(super) seconds: f64,
    /// Whether the load generator has cores of its own.
    pub(super) apart: bool,
    /// What more workers brought.
    pub(super) more_workers: MoreWorkers,
    /// The throughput of a variant of the run that is this one behind a front end over its own, where that is surely less.
    pub(super) behind: Option<Comparison>,
    /// Whether more is asked than the one route whose response was compared: a page with all that it needs, or what a file says.
    mixed: bool,
}

impl<'a> Facts<'a> {
    /// `None` where no program that serves was watched, nothing was answered, or the window was too short.
    pub(super) fn of(run: &'a Run, variant: &'a Variant, measured: &'a Measured) -> Option<Self> {
        let load = &measured.load;
        let seconds = load.watched();
        let all = run.host.cores.max(1);
        let cores = match run.plan.cpus {
            None => all,
            Some(cpus) => cpus.stack.unwrap_or(all.saturating_sub(cpus.load)).max(1),
        };
        let serves = variant.client.is_none();
        let known = serves
            && load.seconds >= SHORT
            && seconds > 0.0
            && load.completed > 0
            && measured.stack_processes().count() > 0;
        let planned = run.plan.load_of(variant);
        let mixed = planned.page.is_some() || planned.requests_from.is_some();
        let files = variant.server.is_none() && !variant.fronts.is_empty();
        known.then(|| Self {
            measured,
            load,
            app: (!files).then(|| run.plan.app_of(variant)),
            cores: f64::from(cores),
            seconds,
            apart: run.plan.cpus.is_some(),
            more_workers: MoreWorkers::Unknown,
            behind: None,
            mixed: mixed || load.named.len() > 1,
        })
    }

    /// Whether more workers were faster in the same run.
    pub(super) fn scales(&self) -> bool {
        self.more_workers == MoreWorkers::Faster
    }

    /// Whether more workers were no faster in the same run.
    pub(super) fn has_workers_in_vain(&self) -> bool {
        self.more_workers == MoreWorkers::InVain
    }

    /// Whether weir started what serves, so that it knows all of its programs.
    pub(super) fn is_own(&self) -> bool {
        !self.measured.stack.servers.is_empty()
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

    /// The numbers of a plan that it ran with: knobs of programs that requests pass, instances of the app server, connections.
    pub(super) fn settings(&self) -> Vec<Setting> {
        let passed = || self.measured.stack.passed();
        let knobs = passed().flat_map(move |server| {
            let knobs = server.knobs.iter();
            knobs.filter_map(move |(name, knob)| match knob {
                Knob::Number(value) => self.setting(&server.entry, name, *value as f64),
                _ => None,
            })
        });
        let instances = self.app_server().and_then(|server| {
            let instances = passed().filter(|of| of.entry == server.entry);
            self.setting(&server.entry, "instances", instances.count() as f64)
        });
        let connections = Setting {
            key: "load.connections".to_owned(),
            value: i64::from(self.load.connections),
        };
        knobs.chain(instances).chain([connections]).collect()
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

    /// Seconds that a response takes when nothing else is asked: of the one that was compared before the load, or as a load knows
    /// it where nobody compared any. `None` where nobody knows, and where several things are asked: the one that was asked for alone
    /// may take far less than the others, or more.
    pub(super) fn alone(&self) -> Option<f64> {
        let alone = self.measured.stack.verified.alone;
        let alone = alone.or(self.load.warm_up.alone);
        alone.filter(|_| !self.mixed)
    }

    /// Whether a front end stands before what answers, so that clients do not see how a response comes from there.
    pub(super) fn is_behind_a_front(&self) -> bool {
        self.measured.stack.passed().count() > 1
    }

    /// Requests that were in progress on average, by Little's law: the rate times the mean time from sent to answered. That
    /// mean has the slowest, which end after the window, so they are at most what the clients that were not asleep can have under
    /// way, and of a closed loop what that keeps under way.
    pub(super) fn in_progress(&self) -> f64 {
        let mean = self.load.service.mean().unwrap_or(0.0);
        let awake = self.load.slots() as f64 * (1.0 - self.share_asleep());
        let in_progress = (self.load.throughput() * mean).min(awake);
        let kept = self.load.kept_busy.filter(|kept| *kept > 0);
        kept.map_or(in_progress, |kept| in_progress.min(kept as f64))
    }

    /// Of the requests that a closed loop would have under way if its clients did nothing but wait for responses, the share that
    /// was under way on average: Little's law, from when each fell due, so that opening a connection is among it.
    pub(super) fn share_under_way(&self) -> f64 {
        let mean = self.load.response.mean().unwrap_or(0.0);
        let kept = self.load.kept_busy.filter(|kept| *kept > 0);
        let all = kept.unwrap_or(self.load.slots()).max(1);
        self.load.throughput() * mean / all as f64
    }

    /// Of the clients of a load the share that slept on average, 0 to 1.
    pub(super) fn share_asleep(&self) -> f64 {
        let all = self.load.seconds * self.load.slots() as f64;
        if all > 0.0 {
            self.load.asleep / all
        } else {
            0.0
        }
    }

    /// Whether clients send a request as soon as the one before is answered, so that throughput is what the stack makes
    /// of it.
    pub(super) fn is_closed_loop(&self) -> bool {
        matches!(self.load.shape, Shape::Closed { think, .. } if think <= 0.0)
    }

    /// Whether requests fall due at a rate, whatever the stack does.
    pub(super) fn is_at_a_rate(&self) -> bool {
        self.load.shape.is_open()
    }

    /// At a rate, the share of the time from when a request fell due to its answer in which it waited for a free connection of
    /// the load, 0 to 1.
    pub(super) fn share_unconnected(&self) -> f64 {
        let all = |of: &Distribution| of.mean().unwrap_or(0.0) * of.count() as f64;
        let (waited, answered) = (all(&self.load.waited), all(&self.load.response));
        if answered > 0.0 {
            (waited / answered).min(1.0)
        } else {
            0.0
        }
    }

    /// By how many times the throughput could grow until all that is asked for is answered: at a rate up to that, and up to where
    /// users do nothing but sleep. Infinite where a client asks for more as soon as it has an answer.
    pub(super) fn room_of_what_is_asked(&self) -> f64 {
        let sleep = self.load.sleep_each();
        match self.load.offered {
            Some(offered) => offered / self.load.throughput(),
            None if sleep > 0.0 => 1.0 + self.load.response.mean().unwrap_or(0.0) / sleep,
            None => f64::INFINITY,
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
