use record::Habit;

use super::rule::Rule;
use super::{Evidence, Held};
use crate::opinion::DoubtKind;
use crate::words::{counted, number, percent};

/// Busy share of the engine's busiest thread from which it is told.
const BUSY: f64 = 0.7;
/// Busy share from which the generator, and not the stack, sets the pace.
pub(super) const SATURATED: f64 = 0.9;

/// Share of stolen CPU time from which it is told.
const STOLEN: f64 = 0.05;
/// Stolen core seconds below which the share disqualifies nothing: the kernel counts in ticks of
/// 10 ms, so one unlucky tick is a large share of a short window.
const STOLEN_SECONDS: f64 = 0.05;

const GENERATOR: Rule = Rule {
    kind: DoubtKind::GeneratorSaturated,
    words: "the engine's busiest thread is busy less than 70 % of the window; from 90 % the figures \
            are the generator's, which disqualifies",
};

/// An engine thread that never waits adds its own queue to every time, and its own limit to the
/// throughput. From 70 % busy this is told, because times begin to carry the engine's own wait; at
/// 90 % the figures are the generator's and the trial is out. The literature asks for less (80 %
/// and below), on machines where the generator has cores to itself; where it shares two with the
/// stack a stricter rule would leave no fast stack at all, and a laxer one would rank generators.
pub(super) fn generator_saturated(evidence: &Evidence) -> Held {
    let load = evidence.load;
    let busiest = load.engine.busiest;
    let each = load.engine.cpu() / load.completed.max(1) as f64;
    let because = format!(
        "its busiest thread was busy {} of the time, at {} us of CPU per request",
        percent(busiest),
        number(each * 1e6)
    );
    if busiest < BUSY {
        return GENERATOR.passed(because);
    }
    let saturated = busiest >= SATURATED;
    let advice = if saturated {
        "the stack can do at least this much: give weir more `threads` or a core of its own, or \
         load a dearer route"
    } else {
        "the times carry some of the generator's own wait: give weir more `threads` or a core of \
         its own"
    };
    GENERATOR.doubted(saturated, because, advice)
}

const CROWD: Rule = Rule {
    kind: DoubtKind::Crowd,
    words: "the crowd that was asked for is all there when the window opens",
};

/// Told only: a server that a crowd keeps busy may never let all of it in, and that is a finding. But
/// what was measured is then not what was asked for.
pub(super) fn crowd(evidence: &Evidence) -> Held {
    let Some(crowd) = &evidence.load.crowd else {
        return CROWD.silent("there were no background connections");
    };
    let kept = crowd
        .habits
        .iter()
        .filter(|(habit, _)| **habit != Habit::Reset);
    let (wanted, failed) = kept.fold((0, 0), |sums, (_, figures)| {
        (sums.0 + figures.wanted, sums.1 + figures.failures())
    });
    if crowd.complete {
        return CROWD.passed(format!("{} beside the load", counted(wanted, "connection")));
    }
    let because = format!(
        "not all of {} beside the load were there when the window opened ({failed} failed)",
        counted(wanted, "connection")
    );
    let advice = "the server may let no more in: look at its limits on connections and at the lines \
                  `beside`, or ask for fewer";
    CROWD.doubted(false, because, advice)
}

const STOLEN_CPU: Rule = Rule {
    kind: DoubtKind::StolenCpu,
    words: "at most 5 % of the machine's CPU time goes to other guests; beyond 0.05 core seconds \
            more disqualifies",
};

/// More than 5 % stolen disqualifies, once it is more than the kernel's clock can invent.
pub(super) fn stolen_cpu(evidence: &Evidence) -> Held {
    let Some(stolen) = evidence.stolen else {
        return STOLEN_CPU.silent("it was not measured");
    };
    let because = format!(
        "{} of the machine's CPU time went to other guests ({} core seconds)",
        percent(stolen.share),
        number(stolen.seconds)
    );
    if stolen.share <= STOLEN {
        return STOLEN_CPU.passed(because);
    }
    let advice = "run again at a quieter time, or on a machine of your own";
    STOLEN_CPU.doubted(stolen.seconds >= STOLEN_SECONDS, because, advice)
}
