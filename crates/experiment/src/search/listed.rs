use std::vec::IntoIter;

use record::LoadFacts;

use super::{Proposal, Strategy};

/// Loads that are known beforehand: a single one, or the points of a sweep. The first of which nothing comes is the last.
#[derive(Debug)]
pub struct Listed {
    left: IntoIter<Proposal>,
}

impl Listed {
    /// These, in this order.
    pub fn new(loads: Vec<Proposal>) -> Self {
        Self {
            left: loads.into_iter(),
        }
    }
}

impl Strategy for Listed {
    fn next(&mut self) -> Option<Proposal> {
        self.left.next()
    }

    fn learn(&mut self, load: Option<&LoadFacts>) -> bool {
        if load.is_none() {
            self.left = Vec::new().into_iter();
        }
        true
    }
}
