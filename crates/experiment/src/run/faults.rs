//! The faults of a load, each at its time of the window.

use std::path::Path;

use load::{Event, Silent};
use record::{Blow, Fault, Struck, Target};
use stack::{Errand, Exposed, GuardCommand, StackError};

/// A command that does nothing, for longer than any window is.
const IDLE: [&str; 2] = ["sleep", "1000000"];

/// Those that are to come, and those that came.
pub(crate) struct Faults<'a> {
    left: &'a [Fault],
    struck: Vec<Struck>,
    /// Connections that one of them holds open, and the seconds of the window until then.
    held: Vec<(f64, Silent)>,
    /// A process that does nothing, where pid files are to name one that is not the server's.
    stranger: Option<Errand>,
}

impl<'a> Faults<'a> {
    /// In the order of their times.
    ///
    /// # Errors
    /// A process that pid files could name cannot be started.
    pub(crate) fn of(faults: &'a [Fault], guard: &GuardCommand) -> Result<Self, StackError> {
        let named = faults.iter().any(Fault::leaves_stale_pids);
        Ok(Self {
            left: faults,
            struck: Vec::new(),
            held: Vec::new(),
            stranger: named.then(|| idle(guard)).transpose()?,
        })
    }

    /// Strikes once a fault's time has come: the app server, where weir runs one, or what the load is sent to. A load is looked at
    /// five times a second, so that a fault may come and end up to 0.2 s late; when it came is what is kept.
    pub(crate) fn hear(&mut self, event: &Event, at: (Option<Exposed<'_>>, &Target)) {
        let Event::Tick(tick) = event else { return };
        self.held.retain(|(until, _)| *until > tick.elapsed);
        if tick.draining.is_some() {
            return;
        }
        while let Some((fault, left)) = self
            .left
            .split_first()
            .filter(|(of, _)| of.at <= tick.elapsed)
        {
            self.left = left;
            self.strike(*fault, tick.elapsed, at);
        }
    }

    /// Does this now, so many seconds into the window.
    fn strike(
        &mut self,
        fault: Fault,
        now: f64,
        (exposed, target): (Option<Exposed<'_>>, &Target),
    ) {
        let (mut processes, mut connections, mut pid_files) = (0, 0, 0);
        match fault.blow {
            Blow::Kill(victim) => processes = exposed.map_or(0, |server| server.kill(victim)),
            Blow::StalePid(victim) => {
                let stranger = self.stranger.as_mut().map_or(0, Errand::pid);
                (processes, pid_files) =
                    exposed.map_or((0, 0), |server| server.kill_leaving(victim, stranger));
            }
            Blow::Hang(victim) => processes = exposed.map_or(0, |server| server.hang(victim)),
            Blow::Connect {
                connections: wanted,
                held,
            } => {
                let opened = Silent::open(target, wanted);
                connections = opened.count();
                if held > 0.0 {
                    self.held.push((now + held, opened));
                }
            }
        }
        self.struck.push(Struck {
            fault,
            at: now,
            processes,
            connections,
            pid_files,
            gone: false,
        });
    }

    /// Whether any has come.
    pub(crate) fn have_struck(&self) -> bool {
        !self.struck.is_empty()
    }

    /// Lets go of what hangs and of what is held, now that the load is over; those that came, in order, with whether anybody started
    /// again what they killed. The process that pid files
    /// name stays until this is dropped: whoever ends what they name, as a stack that is stopped may, ends nobody else.
    pub(crate) fn over(&mut self, exposed: Option<Exposed<'_>>) -> Vec<Struck> {
        self.held.clear();
        let hangs = |of: &Struck| matches!(of.fault.blow, Blow::Hang(_));
        if let Some(server) = exposed.filter(|_| self.struck.iter().any(hangs)) {
            server.resume();
        }
        let gone = exposed.is_some_and(|server| !server.is_there());
        for of in &mut self.struck {
            of.gone = gone && of.processes > 0 && of.fault.kills_main();
        }
        std::mem::take(&mut self.struck)
    }
}

/// A process that does nothing until it is dropped.
fn idle(guard: &GuardCommand) -> Result<Errand, StackError> {
    let mut errand = Errand::new(guard)?;
    errand.start(&IDLE.map(str::to_owned), Vec::new(), Path::new("/"))?;
    Ok(errand)
}
