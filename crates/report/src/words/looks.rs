use judge::{Holds, Judged, Verdict};
use record::{Run, RunStatus};

use super::counted;
use crate::units;

/// How a run whose number of blocks is not fixed came to its end, and that its intervals allow for that:
/// `decided after 6 of at most 12 blocks; intervals are of 99.1 %, which allows for the looks after each block from the
/// fourth on`.
pub fn looks(run: &Run, judged: &Judged) -> Option<String> {
    let looks = judged.looks?;
    let most = counted(u64::from(looks.at_most), "block");
    let blocks = judged.blocks;
    let ended = run.status == RunStatus::Finished && run.cut.is_none() && blocks < looks.at_most;
    let came = if ended && is_decided(run, judged) {
        format!("decided after {blocks} of at most {most}")
    } else if ended {
        format!(
            "ended after {blocks} of at most {most}, as the others would most likely not decide what is open"
        )
    } else {
        format!("{blocks} of at most {most}")
    };
    Some(format!(
        "{came}; intervals are of {}, so that all looks (after each block from {} on) together are right with 95 %",
        units::percent(looks.confidence),
        looks.at_least
    ))
}

fn is_decided(run: &Run, judged: &Judged) -> bool {
    let nothing_else = judged.claims.is_empty() && judged.rankings.is_empty();
    let lead = &judged.lead;
    let mut comparisons = lead.comparisons.iter();
    let mut claims = judged.claims.iter();
    let contested = comparisons.any(|of| of.verdict == Verdict::CannotTell && lead.hangs_on(of));
    let open = claims.any(|of| of.holds == Holds::CannotTell);
    !(open || contested && (nothing_else || run.plan.to_deploy))
}
