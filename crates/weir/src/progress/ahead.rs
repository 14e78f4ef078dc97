//! What is said of what is to come: how long a run takes, how many trials it has, and how many blocks fit its time.

use experiment::{Looked, Outlook};
use record::Stress;

use super::told::Once;
use super::{Progress, looks, words};

impl Progress {
    /// So many seconds will be needed for other runs when this one has ended.
    pub(crate) fn before(mut self, after: f64) -> Self {
        self.total.before(after);
        self
    }

    /// How long the run takes was said before it began, and if so that `too_few` blocks fit for a verdict.
    pub(crate) fn foretold(mut self, too_few: bool) -> Self {
        self.told.first(Once::Estimate);
        if too_few {
            self.told.first(Once::FewBlocks);
        }
        self
    }

    /// How many trials there were to be at last, when `kept` of the run's are stored.
    pub(crate) fn planned(&self, kept: u64) -> u64 {
        kept + self.total.rest()
    }

    /// A trial of this block begins: says that there is time for more where nobody thought of the block before. What is thought
    /// between two trials may be wrong by a block, and wrong the other way after the next.
    pub(super) fn begins_in(&mut self, block: u32, stress: Option<Stress>) {
        self.say_what_fits();
        if stress.is_none() && self.total.goes_beyond(block) {
            self.line(&words::more(self.total.trials()));
        }
    }

    /// Says once that fewer blocks fit than a verdict needs. When a trial begins: nothing of it is true where none does.
    pub(super) fn say_what_fits(&mut self) {
        let outlook = self.total.outlook().filter(words::are_too_few);
        if let Some(outlook) = outlook.filter(|_| self.told.first(Once::FewBlocks)) {
            self.line(&words::fitting(&outlook));
        }
    }

    /// What a look found that the blocks of the run will most likely leave open, each once and once more when it is given up, and
    /// what later blocks are for.
    pub(super) fn looked(&mut self, looked: &Looked) {
        for open in &looked.open {
            if self.told.left_open(open) {
                self.line(&looks::left_open(looked, open));
            }
        }
        self.lines(looks::looked(looked));
    }

    /// How long it will take, and how many blocks fit the time: said once, as it is thought when the run begins.
    pub(super) fn look_ahead(&mut self, outlook: Outlook) {
        let begins = self.total.look_ahead(outlook).is_none();
        if begins && self.told.first(Once::Estimate) {
            self.line(&words::estimate(&outlook));
            if words::are_too_few(&outlook) {
                self.told.first(Once::FewBlocks);
            }
        }
    }
}
