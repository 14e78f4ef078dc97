use std::collections::BTreeMap;

use record::{
    ClockFacts, CounterKind, CounterSource, LoadFacts, Moment, NetworkFacts, NotedSource, Observed,
    Pressure, ProbeCost, ProcessCost, Stolen,
};
use rustix::time::{ClockId, clock_gettime};

use crate::Listener;
use crate::probe::{self, Probe, RunCommand};
use crate::samples::{Figure, Samples};

/// All probes over one window: opened with it, sampled while it lasts, closed with it.
pub struct Watch {
    probes: Vec<Watched>,
    samples: Samples,
    opened: Moment,
    /// Since when the window pauses, and seconds of all pauses before.
    paused: Option<Moment>,
    rested: f64,
}

/// What probes saw over a window.
#[derive(Debug, Default)]
pub struct Seen {
    /// The cost of each process, weir's own last; empty without a stack.
    pub processes: Vec<ProcessCost>,
    /// What TCP had to do again or to turn away; none where the system does not tell.
    pub network: Option<NetworkFacts>,
    /// What the hypervisor took; none where the system does not tell.
    pub stolen: Option<Stolen>,
    /// Seconds in which a CPU quota kept threads from running; none where there is none.
    pub throttled: Option<f64>,
    /// What programs waited for; none where the system does not tell.
    pub pressure: Option<Pressure>,
    /// How fast the processors' clock ran; none where the system does not tell.
    pub clock: Option<ClockFacts>,
    /// The rest.
    pub observed: Observed,
    /// Bytes of memory that count with other processes, by process and when that began, as ids are given again: the probe of what
    /// processes cost is told after that of memory.
    pub(crate) shared: BTreeMap<(u32, u64), u64>,
}

impl Seen {
    /// Tells a load what the machine was like meanwhile.
    pub fn tell(&self, load: &mut LoadFacts) {
        load.network = self.network;
        load.stolen = self.stolen;
        load.throttled = self.throttled;
        load.pressure = self.pressure;
        load.clock = self.clock;
    }
}

/// What a probe may take of a core while a window is open: a look that took longer has a longer pause after it.
const SHARE: f64 = 0.005;

/// A probe, and its looks.
struct Watched {
    probe: Box<dyn Probe>,
    usual: Looks,
    /// Those at what is dear of it; none where nothing is.
    dear: Option<Looks>,
}

/// Looks at one thing, and what they cost so far.
struct Looks {
    cost: ProbeCost,
    /// Seconds for which the window had been open at the last sample.
    looked: f64,
    /// CPU seconds of the last sample.
    took: f64,
}

impl Watch {
    /// Watches the machine alone: a load on a server that somebody else started.
    pub fn of_machine() -> Self {
        Self::over(probe::of_machine())
    }

    /// The same, and the server itself with whatever it has started, if it is on this machine.
    pub fn of_server(server: Option<Listener>) -> Self {
        match server {
            Some(server) => Self::over(probe::of_server(server)),
            None => Self::of_machine(),
        }
    }

    /// Watches every descendant of each `(guardian pid, entry name)`, guardians themselves left out; and the machine.
    pub fn of_stack(guardians: Vec<(u32, String)>) -> Self {
        Self::over(probe::of_stack(guardians))
    }

    /// Reads what programs count themselves, too. Probes start in their order and stop in the opposite one: this is the
    /// first, so what a program spends on telling its counters is no part of what it cost. `run` runs the commands by
    /// which some tell them.
    #[must_use]
    pub fn counting(mut self, counters: Vec<CounterSource>, run: RunCommand) -> Self {
        let probe = probe::of_counters(counters, run);
        self.probes.insert(0, Watched::new(probe));
        self
    }

    /// Reads what programs note of single requests, too, once the window is closed. What they noted is told beside what they
    /// counted, so this comes after [`Self::counting`].
    #[must_use]
    pub fn noting(mut self, noted: Vec<NotedSource>) -> Self {
        if !noted.is_empty() {
            self.probes.push(Watched::new(probe::of_noted(noted)));
        }
        self
    }

    fn over(probes: Vec<Box<dyn Probe>>) -> Self {
        Self {
            probes: probes.into_iter().map(Watched::new).collect(),
            samples: Samples::default(),
            opened: Moment::now(),
            paused: None,
            rested: 0.0,
        }
    }

    /// The window opens: what was before does not count.
    pub fn open(&mut self) {
        self.opened = Moment::now();
        for watched in &mut self.probes {
            watched.look(|probe, at| probe.start(at, &mut self.samples));
        }
    }

    /// Looks again, to be called ten times a second. A probe that is dear leaves some out, by itself ([`Probe::gap`]) or for what
    /// its last look took, and what is dear of it ([`Probe::dear`]) holds up that alone; what counts is for how long the window was
    /// open meanwhile. While it pauses there is nothing to see.
    pub fn sample(&mut self) {
        if self.paused.is_some() {
            return;
        }
        for watched in &mut self.probes {
            let open = Moment::now().since(self.opened) - self.rested;
            watched.sample(open, &mut self.samples);
        }
    }

    /// The window pauses: what comes until it is resumed does not count, as far as a probe can tell.
    pub fn pause(&mut self) {
        self.paused = Some(Moment::now());
        for watched in self.probes.iter_mut().rev() {
            watched.look(|probe, at| probe.pause(at, &mut self.samples));
        }
    }

    /// The window goes on.
    pub fn resume(&mut self) {
        for watched in &mut self.probes {
            watched.look(|probe, _| probe.resume());
        }
        if let Some(since) = self.paused.take() {
            self.rested += Moment::now().since(since);
        }
    }

    /// The window closes: what comes from now on does not count.
    pub fn close(&mut self) {
        for watched in self.probes.iter_mut().rev() {
            watched.look(|probe, at| probe.stop(at, &mut self.samples));
        }
    }

    /// Notes a figure that the load engine saw at that moment.
    pub fn note(&mut self, at: Moment, name: &str, unit: &str, value: f64) {
        let figure = Figure::new("load", name, CounterKind::Gauge, unit);
        self.samples.add(figure, at, value);
    }

    /// What was seen, samples in seconds since the window opened.
    pub fn seen(self, opened: Moment) -> Seen {
        let mut seen = Seen::default();
        seen.observed.series = self.samples.series(opened);
        for Watched { probe, usual, dear } in self.probes {
            probe.tell(&mut seen);
            let looks = std::iter::once(usual).chain(dear);
            seen.observed.probes.extend(looks.map(|of| of.cost));
        }
        seen
    }
}

impl Watched {
    fn new(probe: Box<dyn Probe>) -> Self {
        Self {
            usual: Looks::of(probe.name()),
            dear: probe.dear().map(Looks::of),
            probe,
        }
    }

    /// Looks at an end of the window, or of a pause.
    fn look(&mut self, look: impl FnOnce(&mut dyn Probe, Moment)) {
        let Self { probe, usual, .. } = self;
        usual.look(|at| look(probe.as_mut(), at));
    }

    /// Looks at what is due when the window has been open for so many seconds.
    fn sample(&mut self, open: f64, samples: &mut Samples) {
        let Self { probe, usual, dear } = self;
        let gap = probe.gap();
        usual.look_if_due(gap, open, |at| probe.sample(at, samples));
        if let Some(dear) = dear {
            dear.look_if_due(gap, open, |at| probe.sample_dear(at, samples));
        }
    }
}

impl Looks {
    fn of(name: &str) -> Self {
        Self {
            cost: ProbeCost {
                probe: name.to_owned(),
                ..ProbeCost::default()
            },
            looked: 0.0,
            took: 0.0,
        }
    }

    /// Looks if the last sample is so many seconds of the open window ago, and as long ago as what it took demands.
    fn look_if_due(&mut self, gap: f64, open: f64, look: impl FnOnce(Moment)) {
        if open - self.looked >= gap.max(self.took / SHARE) {
            self.took = self.look(look);
            self.looked = open;
        }
    }

    /// Looks, and says how many CPU seconds that took.
    fn look(&mut self, look: impl FnOnce(Moment)) -> f64 {
        let (began, cpu) = (Moment::now(), own_cpu());
        look(began);
        let took = own_cpu() - cpu;
        self.cost.samples += 1;
        self.cost.cpu += took;
        self.cost.longest = self.cost.longest.max(Moment::now().since(began));
        took
    }
}

/// CPU seconds of this thread.
pub(crate) fn own_cpu() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

#[cfg(test)]
mod tests;
