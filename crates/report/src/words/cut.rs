use judge::PAIRS;
use record::Run;

use super::counted;
use crate::units;

/// What a run left out to keep to its time, and why:
/// `2 of 6 blocks, as another takes 5.10 min and the budget of 20 min was over: no interval, no verdict`.
pub fn cut(run: &Run) -> Option<String> {
    let cut = run.cut?;
    let blocks = counted(u64::from(run.plan.blocks), "block");
    let also = match cut.trials {
        0 => String::new(),
        trials => format!(" and {} of the next", counted(u64::from(trials), "trial")),
    };
    let few = too_few_blocks(cut.blocks).map_or_else(String::new, |few| format!(": {few}"));
    Some(format!(
        "{} of {blocks}{also} for want of time: a block takes {}, and of the budget of {} {} were spent{few}",
        cut.blocks,
        units::duration(cut.block),
        units::round_duration(cut.budget),
        units::duration(cut.spent),
    ))
}

/// What so few blocks cannot say.
pub fn too_few_blocks(blocks: u32) -> Option<&'static str> {
    (blocks < PAIRS as u32).then_some("no interval, no verdict")
}

/// What a run left of a plan of so many blocks, in short: `1 of 6 blocks`.
pub fn short(run: &Run, blocks: u32) -> Option<String> {
    let whole = run.cut.map_or(run.plan.blocks, |cut| cut.blocks);
    let of = counted(u64::from(blocks), "block");
    (whole < blocks).then(|| format!("{whole} of {of}"))
}
