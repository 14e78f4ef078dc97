//! That a variant's blocks are of two states.

use judge::VariantOpinion;

use crate::units;

/// ``in 4 of 9 blocks `static` was at about 6,600 req/s, in the others at about 14,000 req/s: two states, and its figures mix
/// them``.
pub(super) fn two_states(variant: &VariantOpinion) -> Option<String> {
    let of = variant.states?;
    Some(format!(
        "in {} of {} blocks `{}` was at about {}, in the others at about {}: two states, and its figures mix them",
        of.slow_blocks,
        of.blocks,
        variant.name,
        units::rate(of.slow),
        units::rate(of.fast)
    ))
}
