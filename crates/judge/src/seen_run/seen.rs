use record::{Metric, Trial};

use crate::doubt::{self, Doubt, DoubtKind};
use crate::opinion::TrialOpinion;

/// A trial and what is thought of it.
pub(crate) struct Seen<'a> {
    pub(crate) trial: &'a Trial,
    pub(crate) opinion: TrialOpinion,
}

impl Seen<'_> {
    /// Why it does not count: its failure, or its first disqualifying doubt.
    pub(super) fn why_out(&self) -> Option<String> {
        let doubt = self.opinion.doubts.iter().find(|doubt| doubt.disqualifies);
        let failure = self.opinion.failure.clone();
        failure.or_else(|| doubt.map(|doubt| doubt.because.clone()))
    }

    /// The transient doubt for which it is taken again.
    pub(crate) fn transient(&self) -> Option<&Doubt> {
        doubt::transient(&self.opinion.doubts)
    }

    /// Whether the trial enters figures of this metric. Errors disqualify a trial, but not as a
    /// witness of its errors and what they cost: without it a variant that fails would show the error share of its
    /// good days. One that answers nothing at all fails its warm-up too. A busy generator disqualifies one, but
    /// not as a witness of its own share: that is what was asked.
    pub(crate) fn counts_for(&self, metric: Metric) -> bool {
        let spoils = |kind: DoubtKind| kind.rule().spares != Some(metric.row().of);
        let mut doubts = self.opinion.doubts.iter();
        self.opinion.failure.is_none()
            && !self.opinion.taken_again
            && !doubts.any(|doubt| doubt.disqualifies && spoils(doubt.kind))
    }

    /// Whether the trial enters figures of this metric, or would but for the generator, which was the bottleneck.
    pub(crate) fn tells_least(&self, metric: Metric) -> bool {
        self.counts_for(metric) || self.is_lower_limit()
    }

    /// Whether the generator was the bottleneck and nothing else is wrong: the stack is then at
    /// least as good as the trial's figures.
    pub(crate) fn is_lower_limit(&self) -> bool {
        let mut doubts = self.opinion.doubts.iter();
        self.opinion.failure.is_none()
            && !self.opinion.counts
            && doubts.all(|of| !of.disqualifies || of.kind == DoubtKind::GeneratorSaturated)
    }
}
