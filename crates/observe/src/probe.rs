//! Probes: each looks at one thing while a load runs, and is one file here.

mod clock;
mod counters;
mod grown;
mod machine;
mod memory;
mod network;
mod noted;
mod others;
mod pressure;
mod processes;
mod quota;
mod sockets;

use record::{CounterSource, Moment, NotedSource};

pub use counters::RunCommand;
pub(crate) use others::meanwhile as others_meanwhile;
use processes::Trees;

use crate::samples::Samples;
use crate::{Listener, Seen};

/// Looks at one thing over a window. The caller measures what each look costs.
pub(crate) trait Probe {
    /// Its name in the facts.
    fn name(&self) -> &'static str;

    /// Seconds between two samples at least, where looking is dear; 0 is as often as the load ticks.
    fn gap(&self) -> f64 {
        1.0
    }

    /// The name in the facts of what is dear of it, if something is: that is looked at apart, so that where it takes long the rest is
    /// looked at as often as ever.
    fn dear(&self) -> Option<&'static str> {
        None
    }

    /// The window opens: what was before does not count.
    fn start(&mut self, at: Moment, samples: &mut Samples);

    /// The window is open.
    fn sample(&mut self, at: Moment, samples: &mut Samples);

    /// The window is open: what is dear.
    fn sample_dear(&mut self, _at: Moment, _samples: &mut Samples) {}

    /// The window pauses: what comes until it is resumed is others' doing.
    fn pause(&mut self, _at: Moment, _samples: &mut Samples) {}

    /// The window goes on.
    fn resume(&mut self) {}

    /// The window has closed: what comes now does not count.
    fn stop(&mut self, at: Moment, samples: &mut Samples) {
        self.sample(at, samples);
    }

    /// Adds what it saw to the facts.
    fn tell(self: Box<Self>, seen: &mut Seen);
}

/// The probes for a load on a machine where nothing is known of the server.
pub(crate) fn of_machine() -> Vec<Box<dyn Probe>> {
    with(quota::Quota::default(), sockets::Sockets::default())
}

/// The probes for the machine, these of quotas and sockets among them.
fn with(quota: quota::Quota, sockets: sockets::Sockets) -> Vec<Box<dyn Probe>> {
    vec![
        Box::new(network::Network::default()),
        Box::new(machine::Machine::default()),
        Box::new(quota),
        Box::new(pressure::Pressed::default()),
        Box::new(clock::Clock::default()),
        Box::new(sockets),
    ]
}

/// The probes for a load on a server that somebody else started here.
pub(crate) fn of_server(server: Listener) -> Vec<Box<dyn Probe>> {
    let programs = vec![(server.pid, server.name.clone())];
    let mut probes = with(
        quota::Quota::of_server(server.pid),
        sockets::Sockets::of_programs(programs),
    );
    probes.push(Box::new(others::OtherPrograms::of_server(&server)));
    probes.extend(of_processes(Trees::of_server(server)));
    probes
}

/// The probes of processes. What these cost is read last before the window, and first after it.
fn of_processes(trees: Trees) -> [Box<dyn Probe>; 2] {
    [
        Box::new(memory::Memory::of(trees.clone())),
        Box::new(processes::Processes::of(trees)),
    ]
}

/// The probes for a load on a stack, but for its programs' own counters.
pub(crate) fn of_stack(guardians: Vec<(u32, String)>) -> Vec<Box<dyn Probe>> {
    // where nothing is known of what is loaded, it is one of the others
    let others = (!guardians.is_empty()).then(|| {
        let others = others::OtherPrograms::of_stack(guardians.clone());
        Box::new(others) as Box<dyn Probe>
    });
    let sockets = sockets::Sockets::of_programs(guardians.clone());
    with(quota::Quota::default(), sockets)
        .into_iter()
        .chain(others)
        .chain(of_processes(Trees::of_stack(guardians)))
        .collect()
}

/// The probe of what programs count themselves.
pub(crate) fn of_counters(counters: Vec<CounterSource>, run: RunCommand) -> Box<dyn Probe> {
    Box::new(counters::Counters::new(counters, run))
}

/// The probe of what programs note of single requests.
pub(crate) fn of_noted(noted: Vec<NotedSource>) -> Box<dyn Probe> {
    Box::new(noted::Noted::new(noted))
}
