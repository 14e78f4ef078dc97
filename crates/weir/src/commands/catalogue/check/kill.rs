//! A process is killed while its answers come.

use std::time::Instant;

use experiment::News;
use load::Event;

/// Who is killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Victim {
    /// The main process of the program in this place, from the client's side inwards.
    Main(usize),
    /// The busiest process below the main one of the program that clients speak to.
    Worker,
}

/// Kills a process as soon as answers come.
pub(super) struct Kill {
    victim: Victim,
    /// Main processes, from the client's side inwards.
    serving: Vec<u32>,
    /// When it fell, if it did.
    pub(super) struck: Option<Instant>,
    /// Requests of the window that were answered correctly by then.
    pub(super) answered: u64,
    /// Whether there is no process below the main one.
    pub(super) alone: bool,
}

impl Kill {
    pub(super) fn to(victim: Victim) -> Self {
        Self {
            victim,
            serving: Vec::new(),
            struck: None,
            answered: 0,
            alone: false,
        }
    }

    pub(super) fn hear(&mut self, news: &News) {
        match news {
            News::Serving(processes) => {
                self.serving = processes.iter().map(|(pid, _)| *pid).collect();
            }
            News::Load(Event::Tick(tick)) if tick.completed > 0 && self.struck.is_none() => {
                self.strike(tick.completed);
            }
            _ => {}
        }
    }

    fn strike(&mut self, answered: u64) {
        let pid = match self.victim {
            Victim::Main(place) => self.serving.get(place).copied(),
            Victim::Worker => self.serving.first().copied().and_then(stack::busiest_below),
        };
        self.alone = pid.is_none();
        if let Some(pid) = pid {
            stack::kill(pid);
            self.answered = answered;
            self.struck = Some(Instant::now());
        }
    }
}
