//! Whether the processors' clock was the same all the time: a rate of requests follows it.

use super::{DoubtKind, Evidence, Held, Rule};
use crate::words::{counted, number, percent};

/// By which share of its fastest the clock may fall without a word.
const TOLD: f64 = 0.1;

pub(super) const RULE: Rule = Rule {
    title: "the processors' clock changed",
    rule: "the fastest processor's clock falls by at most 10 % within the window, and none is slowed down against heat",
    disqualifies: "never",
    ..Rule::of(DoubtKind::ClockChanged, look)
};

fn look(evidence: &Evidence) -> Held {
    let Some(clock) = evidence.load.clock else {
        return RULE.silent("the system does not tell how fast the processors' clock runs");
    };
    let fell = 1.0 - clock.slowest / clock.fastest.max(f64::MIN_POSITIVE);
    let [slowest, fastest] = [clock.slowest, clock.fastest].map(|hertz| number(hertz / 1e9));
    let heat = match clock.slowed {
        0 => String::new(),
        times => format!(
            ", and was slowed down against heat {}",
            counted(times, "time")
        ),
    };
    let because = format!(
        "the fastest processor's clock ran at {slowest} to {fastest} GHz ({} less){heat}",
        percent(fell)
    );
    if fell <= TOLD && clock.slowed == 0 {
        return RULE.passed(because);
    }
    let advice = "let the clock stand still while you measure: `cpupower frequency-set -g performance`, without turbo if it \
                  does not last, and with air enough (https://docs.kernel.org/admin-guide/pm/cpufreq.html)";
    RULE.doubted(false, because, advice)
}
