//! Which doubts are transient, so that the trial is taken again.

use crate::opinion::{Doubt, DoubtKind};

/// What the machine or the generator did in one window, and need not do in the next. Each is told from
/// facts that know nothing of the stack's figures.
const OF_THE_MOMENT: [DoubtKind; 4] = [
    DoubtKind::Paused,
    DoubtKind::StolenCpu,
    DoubtKind::LittlesLaw,
    DoubtKind::RateNotHeld,
];

/// What would come again however often it was tried: another answer, or none, is the stack's finding, a generator that
/// is too slow stays so, connections that are too few are the plan's, and a broken account is a bug.
const OF_THE_STAGE: [DoubtKind; 5] = [
    DoubtKind::AnswersDiffered,
    DoubtKind::Unanswered,
    DoubtKind::GeneratorSaturated,
    DoubtKind::Connections,
    DoubtKind::Accounting,
];

/// The transient doubt that keeps a trial with these doubts out.
pub(crate) fn transient(doubts: &[Doubt]) -> Option<&Doubt> {
    let is = |kinds: &[DoubtKind], doubt: &Doubt| doubt.disqualifies && kinds.contains(&doubt.kind);
    if doubts.iter().any(|doubt| is(&OF_THE_STAGE, doubt)) {
        return None;
    }
    doubts.iter().find(|doubt| is(&OF_THE_MOMENT, doubt))
}
