use judge::Pace;
use serde::Serialize;

use crate::units;

/// Share of their best from which on cores are as fast as usual: what is computed in a few milliseconds differs by some percent.
const EVEN: f64 = 0.9;
/// The same of what all cores do at once, beside what as many would that do not share anything.
const WHOLE: f64 = 0.85;

/// That the machine's own speed changed from trial to trial, where it did.
pub fn pace(of: &Pace) -> Option<String> {
    (of.lowest < EVEN).then(|| {
        format!(
            "before {} trials the cores by themselves were between {} and 100 % as fast as at their best (others on the same physical cores may be \
             the reason, or clocks that change; no time is stolen then). Figures may scatter for it",
            of.trials,
            units::percent(of.lowest)
        )
    })
}

/// How even a machine's own speed is, of what one core and all at once did in turn within a second or two.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Paces {
    /// How fast a core was at its slowest, of its fastest, by the CPU time that it had: 0 to 1.
    pub lowest: f64,
    /// What each core does where all work at once, of what one does alone.
    pub together: f64,
}

impl Paces {
    /// Of the rounds in a second of CPU time that were looked at; nothing of fewer than two looks.
    pub fn of(alone: &[f64], together: &[f64]) -> Option<Self> {
        let (least, most) = (extreme(alone, f64::min)?, extreme(alone, f64::max)?);
        Some(Self {
            lowest: least / most,
            together: middle(together)? / middle(alone)?,
        })
    }
}

/// How even the machine's own speed is.
pub fn paces(of: &Paces) -> String {
    let lowest = of.lowest;
    let even = if lowest < EVEN {
        format!(
            "Its cores do not keep their pace: within a second or two one was between {} and 100 % as fast as at its best, by the CPU time that it had. \
             Others on the same physical core may be the reason, or clocks that change; no time is stolen then. Expect figures that \
             scatter, or measure elsewhere.",
            units::percent(lowest)
        )
    } else {
        format!(
            "Its cores keep their pace: within {}.",
            units::about(1.0 - lowest)
        )
    };
    if of.together >= WHOLE {
        return even;
    }
    format!(
        "{even} Where all work at once, each does {} of what one does alone, as where they share a physical core: twice as many \
         workers are not twice as fast.",
        units::percent(of.together)
    )
}

fn extreme(of: &[f64], which: fn(f64, f64) -> f64) -> Option<f64> {
    of.iter().copied().reduce(which).filter(|_| of.len() > 1)
}

fn middle(of: &[f64]) -> Option<f64> {
    let mut of = of.to_vec();
    of.sort_by(f64::total_cmp);
    of.get(of.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is said of these rounds.
    fn told(alone: &[f64], together: &[f64]) -> String {
        paces(&Paces::of(alone, together).unwrap())
    }

    #[test]
    fn cores_that_keep_their_pace_are_told_from_such_that_do_not() {
        let said = told(&[1.0, 0.98, 0.99], &[0.99, 0.98, 1.0]);
        assert_eq!(said, "Its cores keep their pace: within 2 %.");
        let said = told(&[1.0, 0.6, 0.9], &[0.9, 0.85, 0.8]);
        assert!(said.contains("between 60.0 % and 100 %"), "{said}");
        assert!(!said.contains("at once"), "{said}");
        assert_eq!(Paces::of(&[1.0], &[1.0]), None);
    }

    #[test]
    fn cores_that_share_one_are_told() {
        let said = told(&[1.0, 0.99, 1.0], &[0.62, 0.6, 0.61]);
        assert!(
            said.contains("each does 61.0 % of what one does alone"),
            "{said}"
        );
    }

    #[test]
    fn only_a_pace_that_changed_is_a_line_of_a_report() {
        let pace = |lowest| pace(&Pace { lowest, trials: 12 });
        assert_eq!(pace(0.95), None);
        assert!(
            pace(0.58)
                .unwrap()
                .starts_with("before 12 trials the cores")
        );
    }
}
