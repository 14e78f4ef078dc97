//! Stored facts become opinions: doubts, figures with intervals, comparisons, verdicts on claims.
//!
//! Everything here is a pure function of a [`record::Run`] and its [`record::Trial`]s, so a better
//! statistic improves old runs. `report` words and draws what this crate concludes.

mod opinion;

pub use opinion::{
    ClaimVerdict, Comparison, Condition, Doubt, DoubtKind, Figure, Holds, Judged, NoiseFloor,
    StageOpinion, TrialOpinion, Verdict,
};
