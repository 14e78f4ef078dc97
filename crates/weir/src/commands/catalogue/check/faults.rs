//! What befalls an entry: a process killed under load, a port that is taken, an app that does not load.
//! Each must end soon and in the right words.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::net::{Ipv4Addr, TcpListener};
use std::sync::atomic::Ordering;
use std::time::Duration;

use experiment::ExperimentError;
use record::{Amount, Outcome, Transport, Trial, Variant};
use report::terminal::{Checked, Fault};
use stack::{Composition, Entry, Kind, Options, Scene, StackError};

use super::kill::{Kill, Victim};
use super::recycle;
use super::service;
use super::supervisor;
use super::tester::{Befallen, READY, Tester, load_words, told, words};
use crate::error::Result;

/// Length of a load whose server is killed, in seconds: nobody waits for its end.
const LONG: f64 = 60.0;
/// Lengths of a load that goes on when a worker was killed, in seconds: a longer one where the shorter showed nothing,
/// as on a busy machine no response may come in half a second.
const SHORT: [f64; 3] = [0.5, 4.0, 16.0];
/// Longest time for an answer of a server that has lost a worker, in seconds.
const TIMEOUT: f64 = 5.0;
/// What the broken apps say.
const COMPLAINT: &str = "broken on purpose";
/// How long a server is given to say so. Some answer with an error for ever, and some take long to start.
const PATIENCE: [Duration; 3] = [Duration::from_secs(4), Duration::from_secs(16), READY];

/// A variant with its app, composed.
pub(super) struct Set<'a> {
    pub(super) scene: &'a Scene,
    pub(super) variant: &'a Variant,
    composition: Composition,
}

pub(super) fn befall(tester: &Tester, entry: &Entry, checked: &mut Checked) -> Result<()> {
    let scenes = tester.rehearsal.scenes(entry, &BTreeMap::new())?;
    if entry.kind == Kind::Service {
        if let Some(set) = tester.plain(&scenes) {
            let what = format!("`{}` is killed", entry.name);
            tester.note(what, service::killed(tester, &set.composition), checked)?;
            tester.note("its port is taken".into(), tester.taken(&set), checked)?;
        }
        return Ok(());
    }
    if entry.kind == Kind::Supervisor {
        let what = "the server below it is killed under load".to_owned();
        return tester.note(what, supervisor::killed_below(tester, entry)?, checked);
    }
    if let Some(set) = tester.plain(&scenes) {
        for (place, part) in set.composition.parts.iter().enumerate() {
            let what = format!("`{}` is killed under load", part.entry.name);
            tester.note(what, tester.killed(&set, place)?, checked)?;
        }
        tester.note("its port is taken".into(), tester.taken(&set), checked)?;
    }
    let busy = tester.rehearsal.scenes(entry, &busiest(entry))?;
    if let Some(set) = tester.plain(&busy).or(tester.plain(&scenes)) {
        let what = "a worker is killed under load".to_owned();
        tester.note(what, tester.worker_killed(&set)?, checked)?;
        if let Some(knob) = &entry.recycles {
            let costs = recycle::costs(tester, &set, knob)?;
            tester.note(recycle::what(), costs, checked)?;
        }
    }
    for scene in scenes.iter().filter(|_| entry.kind == Kind::AppServer) {
        if let Some(broken) = tester.broken(scene) {
            let what = format!("`{}` does not load", scene.app.name);
            tester.note(what, broken, checked)?;
        }
    }
    Ok(())
}

/// The knobs of the candidate that ranks highest: there a server has workers, if it ever has.
fn busiest(entry: &Entry) -> BTreeMap<String, record::Knob> {
    let highest = entry.candidates.iter().max_by_key(|of| of.rank);
    highest.map(|of| of.knobs.clone()).unwrap_or_default()
}

impl Tester<'_> {
    /// A variant that is spoken to over TCP in clear, one with a server behind the entry if there is one.
    fn plain<'s>(&self, scenes: &'s [Scene]) -> Option<Set<'s>> {
        let variants = scenes.iter();
        let variants =
            variants.flat_map(|scene| scene.variants.iter().map(move |variant| (scene, variant)));
        let sets = variants.filter_map(|(scene, variant)| {
            let composition = self.machine.compose(variant, &scene.app).ok()?;
            let spoken = composition.parts[0].spoken;
            let plain = spoken.transport == Transport::Tcp && !spoken.tls;
            plain.then_some(Set {
                scene,
                variant,
                composition,
            })
        });
        // the first of those with the most parts
        sets.min_by_key(|set| std::cmp::Reverse(set.composition.parts.len()))
    }

    fn note(&self, what: String, befallen: Befallen, checked: &mut Checked) -> Result<()> {
        if self.invocation.interrupted().load(Ordering::Relaxed) {
            return Err(StackError::Interrupted.into());
        }
        match befallen {
            Ok(fault) => {
                let fault = fault.map(|fault| Fault { what, ..fault });
                checked.faults.extend(fault);
            }
            Err(problem) => checked.problems.push(format!("{what}: {problem}")),
        }
        Ok(())
    }

    /// Loads a variant for so many seconds, and kills one of its processes.
    fn struck(
        &self,
        set: &Set,
        victim: Victim,
        seconds: f64,
    ) -> Result<(Kill, Vec<Trial>, std::result::Result<(), ExperimentError>)> {
        let (app, variants) = (set.scene.app.clone(), vec![set.variant.clone()]);
        let baseline = set.variant.name.clone();
        let mut plan = Self::plan(app, variants, baseline, Amount::Seconds(seconds));
        plan.load.timeout = TIMEOUT;
        let mut kill = Kill::to(victim);
        let (trials, ended) = self.run(&plan, &mut |news| kill.hear(news))?;
        Ok((kill, trials, ended))
    }

    /// The main process of a program is killed: the trial ends at once, and says who ended, and how.
    fn killed(&self, set: &Set, place: usize) -> Result<Befallen> {
        let (kill, _, ended) = self.struck(set, Victim::Main(place), LONG)?;
        let Some(struck) = kill.struck else {
            return Ok(Err(unstruck(ended)));
        };
        let soon = struck.elapsed().as_secs_f64() < LONG / 2.0;
        let victim = &set.composition.parts[place].entry.name;
        Ok(match ended {
            Err(error) if soon && has_died(&error, victim, "was ended by signal 9") => {
                Ok(Some(told(error)))
            }
            Err(error) if soon => Err(format!("weir said: {}", load_words(&error))),
            Err(error) => Err(format!("weir said much too late: {}", load_words(&error))),
            Ok(()) => Err("weir did not notice".to_owned()),
        })
    }

    /// A process that does the work is killed: whatever becomes of the load, it is told.
    fn worker_killed(&self, set: &Set) -> Result<Befallen> {
        let mut befallen = Ok(None);
        for seconds in SHORT {
            let (kill, trials, ended) = self.struck(set, Victim::Worker, seconds)?;
            if kill.alone {
                return Ok(Ok(None));
            }
            befallen = shown(&kill, &trials, ended, &set.composition.parts[0].entry.name);
            if befallen.is_ok() {
                break;
            }
        }
        Ok(befallen)
    }

    /// Somebody has the first port: the server must say so in the words of its entry, for then weir
    /// chooses another one.
    fn taken(&self, set: &Set) -> Befallen {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0));
        let holder = listener.and_then(|listener| Ok((listener.local_addr()?, listener)));
        let (address, _held) = holder.map_err(|error| error.to_string())?;
        let asked = Cell::new(0);
        let ports = |count| {
            let mut ports = stack::free_ports(count)?;
            if asked.replace(asked.get() + 1) == 0 {
                ports[0] = address;
            }
            Ok(ports)
        };
        let options = Options {
            ports: &ports,
            ..self.options(READY)
        };
        self.set_up(&set.composition)?;
        let running = stack::start(&set.composition, &options).map_err(|error| words(&error))?;
        let stopped = running.stop();
        stopped.map_err(|error| words(&error))?;
        match asked.get() {
            1 => Err("it served although its port was taken".to_owned()),
            _ => Ok(Some(happened("noticed, and another one chosen".to_owned()))),
        }
    }

    /// The app fails as it is loaded: what it says is what weir says. None where no way of the scene works.
    fn broken(&self, scene: &Scene) -> Option<Befallen> {
        let app = scene.broken();
        let mut variants = scene.variants.iter();
        let composition = variants.find_map(|variant| self.machine.compose(variant, &app).ok())?;
        Some(self.does_not_load(&composition))
    }

    fn does_not_load(&self, composition: &Composition) -> Befallen {
        self.set_up(composition)?;
        let mut said = String::new();
        for patience in PATIENCE {
            match stack::start(composition, &self.options(patience)) {
                Ok(_) => return Err("it serves an app that does not load".to_owned()),
                Err(error) if is_told(&error, composition) => return Ok(Some(told(error.into()))),
                Err(error) => said = words(&error),
            }
        }
        Err(format!("`{COMPLAINT}` is not in what weir said: {said}"))
    }

    fn set_up(&self, composition: &Composition) -> std::result::Result<(), String> {
        let options = self.options(READY);
        stack::setup(&composition.app, &options.guard, options.interrupted)
            .map_err(|error| words(&error))
    }
}

/// What a load said of the kill of a worker of this program.
fn shown(
    kill: &Kill,
    trials: &[Trial],
    ended: std::result::Result<(), ExperimentError>,
    entry: &str,
) -> Befallen {
    if kill.struck.is_none() {
        return Err(unstruck(ended));
    }
    match (ended, trials.first().map(|trial| &trial.outcome)) {
        (Ok(()), Some(Outcome::Measured(measured))) => {
            let load = &measured.load;
            let failed: u64 = load.failed.values().sum();
            let said = format!(
                "{} requests answered correctly, {failed} failed, {} timed out, {} sent again",
                load.completed, load.timed_out, load.sent_again
            );
            let shows = failed + load.timed_out + load.sent_again > 0;
            if !shows && load.completed <= kill.answered {
                return Err(format!("that does not show: {said}"));
            }
            Ok(Some(happened(said)))
        }
        (Err(error @ ExperimentError::Load { .. }), _) => Ok(Some(told(error))),
        (Err(error), _) if has_died(&error, entry, "") => Ok(Some(told(error))),
        (Err(error), _) => Err(format!("weir said: {}", load_words(&error))),
        (Ok(()), _) => Err("nothing was measured".to_owned()),
    }
}

/// The error names the server, and says in its one line what the app said.
fn is_told(error: &StackError, composition: &Composition) -> bool {
    let line = error.to_string();
    line.contains(&format!("`{}`", composition.parts[0].entry.name)) && line.contains(COMPLAINT)
}

fn has_died(error: &ExperimentError, victim: &str, ended: &str) -> bool {
    let ExperimentError::Variant { error, .. } = error else {
        return false;
    };
    matches!(&**error, StackError::Died { entry, how, .. } if entry == victim && how.contains(ended))
}

/// No error.
pub(super) fn happened(said: String) -> Fault {
    Fault {
        what: String::new(),
        exit: 0,
        said,
    }
}

fn unstruck(ended: std::result::Result<(), ExperimentError>) -> String {
    match ended {
        Ok(()) => "no response came while it was loaded".to_owned(),
        Err(error) => format!("it did not come to a load: {}", load_words(&error)),
    }
}
