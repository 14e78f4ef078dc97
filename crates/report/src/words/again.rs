//! Which trials were repeated, and why.

use judge::{TakenAgain, VariantOpinion};

use super::counted;

/// ``2 trials of `static` were repeated: the hypervisor took CPU time away (7.10 % of …)``.
pub(super) fn taken_again(variant: &VariantOpinion) -> Vec<String> {
    let words = |of: &TakenAgain| {
        let trials = counted(u64::from(of.trials), "trial");
        let were = if of.trials == 1 { "was" } else { "were" };
        let (name, because) = (&variant.name, &of.because);
        match of.doubt {
            Some(kind) => {
                let doubt = kind.rule().title(true);
                format!("{trials} of `{name}` {were} repeated: {doubt} ({because})")
            }
            None => format!("{trials} of `{name}` {were} lost and repeated: {because}"),
        }
    };
    variant.taken_again.iter().map(words).collect()
}
