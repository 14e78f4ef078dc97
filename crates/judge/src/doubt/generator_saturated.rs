use record::metric::Of;

use super::{DoubtKind, Evidence, Held, Lasts, Rule};
use crate::words::{duration, percent};

/// Busy share of the engine's busiest thread from which it is told.
const BUSY: f64 = 0.7;

/// Busy share from which the generator, and not the stack, sets the pace.
pub(crate) const SATURATED: f64 = 0.9;

pub(super) const RULE: Rule = Rule {
    title: "the load generator was busy",
    grave_title: Some("the load generator was the bottleneck"),
    rule: "the engine's busiest thread is busy less than 70 % of the window",
    disqualifies: "from 90 %, as the figures are then those of the generator",
    lasts: Lasts::Recurs,
    spares: Some(Of::Generator),
    ..Rule::of(DoubtKind::GeneratorSaturated, look)
};

/// An engine thread that never waits adds its own queue to every time, and its own limit to the
/// throughput. From 70 % busy this is told, because times begin to carry the engine's own wait; at
/// 90 % the figures are the generator's and the trial is out. The literature asks for less (80 %
/// and below), on machines where the generator has cores to itself; where it shares two with the
/// stack a stricter rule would leave no fast stack at all, and a laxer one would rank generators.
fn look(evidence: &Evidence) -> Held {
    let load = evidence.load;
    let busiest = load.engine.busiest;
    let each = load.engine.cpu() / load.completed.max(1) as f64;
    let cost = match load.completed {
        0 => String::new(),
        _ => format!(", at {} of CPU per request", duration(each)),
    };
    let share = percent(busiest);
    let because = format!("its busiest thread was busy {share} of the time{cost}");
    if busiest < BUSY {
        return RULE.passed(because);
    }
    let saturated = busiest >= SATURATED;
    let advice = if saturated && load.completed == 0 {
        "nothing is known of the stack: give weir more `threads` or a core of its own, or use fewer connections"
    } else if saturated {
        "the stack can do at least this much: give weir more `threads` or a core of its own, or \
         load a dearer route"
    } else {
        "the times carry some of the generator's own wait: give weir more `threads` or a core of \
         its own"
    };
    RULE.doubted(saturated, because, advice)
}
