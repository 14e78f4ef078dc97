//! The faults of a load, each at its time of the window.

use load::Event;
use record::{Fault, Struck};
use stack::Exposed;

/// Those that are to come, and those that came.
pub(crate) struct Faults<'a> {
    left: &'a [Fault],
    struck: Vec<Struck>,
}

impl<'a> Faults<'a> {
    /// In the order of their times.
    pub(crate) fn of(faults: &'a [Fault]) -> Self {
        Self {
            left: faults,
            struck: Vec::new(),
        }
    }

    /// Strikes what is exposed once a fault's time has come. A load is looked at five times a second, so that one may come
    /// up to 0.2 s late; when it came is what is kept.
    pub(crate) fn hear(&mut self, event: &Event, exposed: Option<Exposed>) {
        let Event::Tick(tick) = event else { return };
        if tick.draining.is_some() {
            return;
        }
        while let Some((fault, left)) = self
            .left
            .split_first()
            .filter(|(of, _)| of.at <= tick.elapsed)
        {
            self.left = left;
            self.struck.push(Struck {
                fault: *fault,
                at: tick.elapsed,
                processes: exposed.map_or(0, |server| server.strike(*fault)),
            });
        }
    }

    /// Whether any has come.
    pub(crate) fn have_struck(&self) -> bool {
        !self.struck.is_empty()
    }

    /// Those that came, in order.
    pub(crate) fn struck(self) -> Vec<Struck> {
        self.struck
    }
}
