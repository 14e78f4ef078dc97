//! Whether programs waited for memory: what was measured then is storage.

use record::Pressure;

use super::{DoubtKind, Evidence, Held, Rule};
use crate::words::{counted, number, percent};

/// Share of the window in which some program may have waited for memory without a word.
const TOLD: f64 = 0.01;

/// Pages a second through swap that may go unmentioned, where the kernel does not tell who waited.
const SWAPPED: f64 = 10.0;

pub(super) const RULE: Rule = Rule {
    title: "memory was short",
    rule: "programs wait for memory in at most 1 % of the window (where the kernel does not tell: at most 10 pages a second \
           go through swap)",
    disqualifies: "never",
    ..Rule::of(DoubtKind::ShortOfMemory, look)
};

fn look(evidence: &Evidence) -> Held {
    let Some(pressure) = evidence.load.pressure else {
        return RULE.silent("the system tells nothing of memory");
    };
    let seconds = evidence.counted_over();
    let moved = format!(
        "{} went through swap, and {} came back from storage as a program touched them",
        counted(pressure.swapped, "page"),
        counted(pressure.major_faults, "page"),
    );
    let because = match pressure.memory {
        Some(waited) => format!(
            "programs of this machine waited {} s for memory, {} of the window; {moved}",
            number(waited),
            percent(waited / seconds)
        ),
        None => moved,
    };
    if !is_short(pressure, seconds) {
        return RULE.passed(because);
    }
    let advice = "what has no room in memory goes at the pace of storage: see who has it (`ps -eo rss,args --sort=-rss`), \
                  end it or take fewer workers, or add memory (https://docs.kernel.org/accounting/psi.html)";
    RULE.doubted(false, because, advice)
}

fn is_short(pressure: Pressure, seconds: f64) -> bool {
    match pressure.memory {
        Some(waited) => waited > TOLD * seconds,
        None => pressure.swapped as f64 > SWAPPED * seconds,
    }
}
