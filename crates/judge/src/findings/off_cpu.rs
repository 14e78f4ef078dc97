//! What threads wait for while they have a request, as a profile saw it.

use record::{CodeClass, Doing, ProfileFacts};

use super::facts::Facts;
use crate::words::percent;

/// Share of the requests that are worked on from which on most of them wait for the same.
const MOST: f64 = 0.5;
/// Requests that are worked on above which one thread of the app that is idle is less than that.
const SEVERAL: f64 = 2.0;
/// Samples below which a share says little: its 95 % interval is then wider than a tenth to either side.
const FEWEST: u64 = 100;
/// Share of the time in which threads had work that is worth a word.
const TOLD: f64 = 0.05;

impl Facts<'_> {
    /// Requests that are worked on, on average: those in progress, less those that wait for a slot.
    pub(super) fn worked_on(&self) -> f64 {
        let slots = self.slots();
        slots.map_or(self.in_progress(), |slots| self.in_progress().min(slots))
    }

    /// Requests whose thread waits for this in code of the app or of its framework, or in what that called, on average; `None`
    /// where they are less than half of those that are worked on, and where the load was not profiled. A worker without a
    /// request waits in code of its server.
    pub(super) fn waiting_in_app(&self, doing: Doing) -> Option<f64> {
        let profile = self.load.profile.as_ref().filter(|of| of.rate > 0.0)?;
        let is_app = |class: CodeClass| matches!(class, CodeClass::App | CodeClass::Framework);
        let samples = profile.samples(|of| of.doing == doing && is_app(of.class));
        // of a window in slices those of its lead-ins are among them
        let counted = samples as f64 * self.load.counted_share();
        let threads = counted / (profile.rate * self.load.seconds);
        let worked_on = self.worked_on();
        let most = worked_on > SEVERAL && threads >= MOST * worked_on;
        (most && samples >= FEWEST).then_some(threads.min(worked_on))
    }

    /// How long threads waited for the interpreter lock, as a remark; empty where no profile saw that they did.
    pub(super) fn interpreter_lock_in_words(&self) -> String {
        let profile = self.load.profile.as_ref();
        let share = profile.and_then(ProfileFacts::lock_wait);
        let told = share.filter(|share| *share >= TOLD);
        told.map_or_else(String::new, |share| {
            format!(
                "; threads that had work waited for the interpreter lock for {} of the time",
                percent(share)
            )
        })
    }
}
