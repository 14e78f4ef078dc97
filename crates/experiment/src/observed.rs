//! Where load and probes meet: on one clock.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use load::{Event, Job, LoadError, Tick, Turns};
use observe::{Seen, Watch};
use profile::{Sampler, Subject};
use record::{LoadFacts, ProcessCost, Runtime};

/// Applies a load on a server that somebody else started, and watches the machine meanwhile.
///
/// # Errors
/// As of [`load::run`].
pub fn observed_load(
    job: &Job,
    stop: &AtomicBool,
    events: &mut dyn FnMut(Event),
) -> Result<LoadFacts, LoadError> {
    observed(job, (Watch::of_machine(), None), stop, None, events).map(|(load, _)| load)
}

/// Applies a load, in turn with others if there are any, and what probes saw over its window. What processes spent on
/// requests that led in to its slices is taken out, in proportion to their number. A load that asks for a profile gets one
/// of this subject.
pub(crate) fn observed(
    job: &Job,
    (mut watch, subject): (Watch, Option<Subject>),
    stop: &AtomicBool,
    turns: Option<&mut dyn Turns>,
    events: &mut dyn FnMut(Event),
) -> Result<(LoadFacts, Seen), LoadError> {
    let wanted = job.load.profile.zip(subject);
    let sampler = wanted.map(|(rate, subject)| Sampler::start(subject, rate));
    let mut seeing = |event| {
        if let Some(sampler) = &sampler {
            follow(sampler, &event);
        }
        match &event {
            Event::Opened(_) => watch.open(),
            Event::Tick(tick) if !job.load.unobserved => {
                note(&mut watch, tick);
                watch.sample();
            }
            Event::Look if !job.load.unobserved => watch.sample(),
            Event::Paused(_) => watch.pause(),
            Event::Resumed(_) => watch.resume(),
            Event::Closed(_) => watch.close(),
            Event::Tick(_) | Event::Look | Event::WarmUp(_) => {}
        }
        events(event);
    };
    let mut load = match turns {
        Some(turns) => load::run_in_turns(job, stop, turns, &mut seeing),
        None => load::run(job, stop, &mut seeing),
    }?;
    let mut seen = watch.seen(load.opened.unwrap_or_default());
    let counted = load.counted_share();
    for process in &mut seen.processes {
        process.scale(counted);
    }
    if let Some(seconds) = load.engine.busy_waited {
        leave_out_waits(&mut seen.processes, seconds);
    }
    recognise(&mut seen.processes);
    load.profile = sampler.map(|sampler| {
        let (facts, stacks) = sampler.finish();
        seen.observed.stacks = stacks;
        facts
    });
    seen.tell(&mut load);
    Ok((load, seen))
}

/// What the load engine's own process spent on busy waiting is no work.
fn leave_out_waits(processes: &mut [ProcessCost], seconds: f64) {
    for own in processes
        .iter_mut()
        .filter(|of| of.owner == ProcessCost::OWN)
    {
        let worked = (1.0 - seconds / own.cpu().max(f64::MIN_POSITIVE)).max(0.0);
        own.cpu_user *= worked;
        own.cpu_system *= worked;
    }
}

/// Notes the runtime of each process. Of those of one program that have the same name one is looked at, as it takes time and some
/// have ended.
fn recognise(processes: &mut [ProcessCost]) {
    let named = |of: &ProcessCost| (of.owner.clone(), of.command.clone());
    let mut known: BTreeMap<(String, String), Option<Runtime>> = BTreeMap::new();
    for process in processes.iter().filter(|of| of.owner != ProcessCost::OWN) {
        let runtime = known.entry(named(process)).or_default();
        if runtime.is_none() {
            *runtime = profile::runtime_of(process.pid);
        }
    }
    for process in processes {
        process.runtime = known.get(&named(process)).cloned().flatten();
    }
}

/// Samples while the window is open.
fn follow(sampler: &Sampler, event: &Event) {
    match event {
        Event::Opened(_) | Event::Resumed(_) => sampler.resume(),
        Event::Paused(_) | Event::Closed(_) => sampler.pause(),
        Event::Tick(_) | Event::Look | Event::WarmUp(_) => {}
    }
}

/// What the load engine itself saw since the tick before.
fn note(watch: &mut Watch, tick: &Tick) {
    let figures = [
        ("rate", "requests/s", Some(tick.rate)),
        ("in-flight", "requests", Some(tick.in_flight as f64)),
        ("p50", "seconds", tick.p50),
        ("p99", "seconds", tick.p99),
        ("busiest-thread", "share", Some(tick.busy)),
    ];
    for (name, unit, value) in figures {
        if let Some(value) = value.filter(|value| value.is_finite()) {
            watch.note(tick.at, name, unit, value);
        }
    }
}
