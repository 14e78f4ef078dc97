//! In which order the stages of a block run.

use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;
use rand_chacha::ChaCha8Rng;
use record::Plan;

/// One place in a block: a stage, or the second half of the A/A pair.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Slot {
    /// Name of the stage.
    pub stage: String,
    /// Whether it is the noise-floor stage's second turn.
    pub again: bool,
}

/// The order of block `block` (0-based): every stage once, the noise-floor stage twice, shuffled.
///
/// It depends on nothing but the plan's seed and the block's number, so a resumed run goes on in
/// the order in which it was begun.
pub fn order(plan: &Plan, block: u32) -> Vec<Slot> {
    let slot = |stage: &str, again| Slot {
        stage: stage.to_owned(),
        again,
    };
    let mut slots: Vec<Slot> = plan
        .stages
        .iter()
        .map(|stage| slot(&stage.name, false))
        .collect();
    slots.extend(plan.noise_floor.iter().map(|stage| slot(stage, true)));
    let mut random = ChaCha8Rng::seed_from_u64(plan.seed);
    random.set_stream(u64::from(block));
    slots.shuffle(&mut random);
    slots
}

/// Trials in the whole run.
pub fn trials(plan: &Plan) -> u32 {
    let per_block = plan.stages.len() as u32 + u32::from(plan.noise_floor.is_some());
    per_block * plan.blocks
}
