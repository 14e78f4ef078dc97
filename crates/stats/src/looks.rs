use crate::confidence::Confidence;
use crate::student::{beyond, student};

/// The chance of missing that all looks spend together, by the law of normal blocks that scatter by a known amount. By
/// Student's, of few blocks, what one look adds is a little more: spending 4.5 %, looks from 4 to 8 blocks told 5.1 % of
/// equal things apart in simulation (a standard error of 0.1 %), and with 4 % they tell 4.7 %.
const SPENT: f64 = 0.04;

/// The error that is spent up to the share t of all blocks is as t to this power.
const POWER: f64 = 1.5;

/// Steps of the sums' grid, in standard deviations of one block.
const STEP: f64 = 0.05;

/// How far from zero the grid reaches, in standard deviations of the sum over all blocks.
const REACH: f64 = 6.0;

/// How a chance of 5 % to be wrong is spent over the looks at a run, so that all of them together keep it.
///
/// A run that ends when its intervals decide is looked at again and again, and chance has as many tries: with an interval
/// of 95 % at each look from 4 to 12 blocks, 15 % of equal things are told apart. So each look has a confidence of its
/// own. The error that is spent up to a look is a function of the share t of all blocks that are there (Lan
/// and `DeMets`, "Discrete Sequential Boundaries for Clinical Trials", Biometrika 70, 1983), here as t^1.5 (Kim and `DeMets`,
/// "Design and Analysis of Group Sequential Tests Based on the Type I Error Spending Rate Function", Biometrika 74,
/// 1987). What a look adds to it gives its bound, by the law of the sums of independent normal blocks (Armitage, `McPherson`
/// and Rowe, "Repeated Significance Tests on Accumulating Data", Journal of the Royal Statistical Society A 132, 1969). The
/// chance of missing of that bound is then taken for intervals of blocks that scatter by an unknown amount, or by another law
/// (Jennison and Turnbull, "Group Sequential Methods with Applications to Clinical Trials", 2000, section 4.4).
///
/// Chosen by simulation, 4 to 12 blocks that spend 4.5 %, as the mean number of blocks for an effect of so many standard
/// deviations, and how often one of 1 was found (in 12 fixed blocks: 85 %):
///
/// | error spent by | 1 | 2 | 3 | 5 | 10 | found |
/// |---|---|---|---|---|---|---|
/// | t (Pocock's is nearly that) | 8.7 | 5.3 | 4.3 | 4.0 | 4.0 | 78 % |
/// | t^1.5 | 8.9 | 5.6 | 4.5 | 4.0 | 4.0 | 80 % |
/// | t^1.5, 4 % in all | 9.1 | 5.7 | 4.7 | 4.1 | 4.0 | 76 % |
/// | the same from 3 blocks on, as it is now | 9.1 | 5.8 | 4.7 | 3.9 | 3.2 | 77 % |
/// | t^2 | 9.0 | 5.8 | 4.8 | 4.1 | 4.0 | 81 % |
/// | O'Brien and Fleming's | 9.5 | 6.7 | 5.8 | 5.1 | 4.5 | 84 % |
/// | 0.1 % a look, the rest at the last (Haybittle, Peto) | 11.1 | 7.8 | 6.0 | 4.8 | 4.1 | 86 % |
///
/// Setups differ by many times their scatter, or hardly at all: an early end is worth more than the last bit of power.
#[derive(Clone, Debug, PartialEq)]
pub struct Looks {
    at_least: u32,
    /// One for each number of blocks from `at_least` on.
    confidence: Vec<Confidence>,
}

impl Looks {
    /// Looks after each number of blocks from `at_least` (1 or more) to `at_most`. Takes time as the square of
    /// `at_most`: milliseconds for 100.
    pub fn new(at_least: u32, at_most: u32) -> Self {
        let spent = |share: f64| SPENT * share.powf(POWER);
        Self::spending(spent, at_least, at_most)
    }

    /// The same, with the error that is spent up to a share of all blocks.
    fn spending(spent: impl Fn(f64) -> f64, at_least: u32, at_most: u32) -> Self {
        let at_most = at_most.max(1);
        let at_least = at_least.clamp(1, at_most);
        let mut sums = Sums::new(at_least, at_most);
        let mut before = 0.0;
        let mut confidence = Vec::new();
        for blocks in at_least..=at_most {
            if blocks > at_least {
                sums.add_block();
            }
            let by_now = spent(f64::from(blocks) / f64::from(at_most));
            let bound = sums.bound(by_now - before);
            before = by_now;
            let tail = beyond(bound / f64::from(blocks).sqrt());
            confidence.push(Confidence::with_tail(tail));
            sums.stop_beyond(bound);
        }
        Self {
            at_least,
            confidence,
        }
    }

    /// How many times as wide as it is the interval of so many blocks would be with the confidence of the last look, and
    /// as much known of their scatter as there: below 1.
    pub fn narrower(&self, blocks: u32) -> f64 {
        let last = self.at_least + self.confidence.len() as u32 - 1;
        reach(last, self.after(last)) / reach(blocks, self.after(blocks))
    }

    /// How sure intervals are after so many blocks. Before the first look as after it: nothing is decided there.
    pub fn after(&self, blocks: u32) -> Confidence {
        let place = blocks.saturating_sub(self.at_least) as usize;
        let last = self.confidence.len() - 1;
        self.confidence[place.min(last)]
    }
}

/// How far from their mean normal differences of so many blocks reach, in standard errors.
fn reach(blocks: u32, confidence: Confidence) -> f64 {
    student(blocks.saturating_sub(1).max(1) as usize, confidence.tail())
}

/// The density of the sum of so many standard normal blocks, of runs that no look has ended.
struct Sums {
    density: Vec<f64>,
    /// The normal density at so many steps from its middle, times the step.
    block: Vec<f64>,
}

impl Sums {
    fn new(blocks: u32, at_most: u32) -> Self {
        let reach = REACH * f64::from(at_most).sqrt();
        let half = (reach / STEP).ceil() as usize;
        let spread = f64::from(blocks).sqrt();
        let density = (0..=2 * half).map(|at| law(value(at, half), spread));
        let width = (REACH / STEP) as usize;
        Self {
            density: density.collect(),
            block: (0..=width)
                .map(|at| STEP * law(at as f64 * STEP, 1.0))
                .collect(),
        }
    }

    fn half(&self) -> usize {
        self.density.len() / 2
    }

    fn add_block(&mut self) {
        let (last, width) = (self.density.len() - 1, self.block.len() - 1);
        let sum = |at: usize| -> f64 {
            let near = at.saturating_sub(width)..=(at + width).min(last);
            near.map(|of| self.density[of] * self.block[of.abs_diff(at)])
                .sum()
        };
        self.density = (0..=last).map(sum).collect();
    }

    /// The share of runs whose sum lies beyond `bound` on either side.
    fn outside(&self, bound: f64) -> f64 {
        let half = self.half();
        let place = bound / STEP;
        let whole = (place.ceil() as usize).min(half);
        let at = |steps: usize| self.density[half + steps];
        let full: f64 = (whole..half)
            .map(|steps| f64::midpoint(at(steps), at(steps + 1)))
            .sum();
        let part = whole as f64 - place;
        let there = if whole > 0 {
            at(whole) + part * (at(whole - 1) - at(whole))
        } else {
            at(0)
        };
        2.0 * STEP * (full + part * f64::midpoint(there, at(whole)))
    }

    /// Beyond which sum, on either side, this share of all runs lies.
    fn bound(&self, share: f64) -> f64 {
        let (mut low, mut high) = (0.0, self.half() as f64 * STEP);
        for _ in 0..60 {
            let middle = f64::midpoint(low, high);
            if self.outside(middle) > share {
                low = middle;
            } else {
                high = middle;
            }
        }
        high
    }

    fn stop_beyond(&mut self, bound: f64) {
        let half = self.half();
        for (at, density) in self.density.iter_mut().enumerate() {
            let off = value(at, half).abs() - bound;
            // the step that the bound cuts through counts by its part
            *density *= (0.5 - off / STEP).clamp(0.0, 1.0);
        }
    }
}

fn value(at: usize, half: usize) -> f64 {
    (at as f64 - half as f64) * STEP
}

fn law(value: f64, spread: f64) -> f64 {
    (-0.5 * (value / spread).powi(2)).exp() / (spread * std::f64::consts::TAU.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::student::normal;

    fn bounds(looks: &Looks) -> Vec<f64> {
        let tails = looks.confidence.iter().map(|of| of.tail());
        tails.map(normal).collect()
    }

    /// R: `ldBounds(t = (1:5) / 5, iuse = 2)` of `ldbounds`, the Pocock-type function of Lan and DeMets.
    #[test]
    fn bounds_match_the_published_ones() {
        let pocock = |share: f64| 0.05 * (share * (std::f64::consts::E - 1.0)).ln_1p();
        let found = bounds(&Looks::spending(pocock, 1, 5));
        for (bound, known) in found.iter().zip([2.438, 2.427, 2.410, 2.397, 2.386]) {
            assert!((bound - known).abs() < 0.002, "{found:?}");
        }
    }

    #[test]
    fn one_look_spends_all_and_more_looks_ask_for_more() {
        let once = Looks::new(6, 6);
        assert!((once.after(6).tail() - SPENT / 2.0).abs() < 1e-4);
        let looks = Looks::new(4, 12);
        let first = looks.after(4).tail();
        assert!((first - SPENT / 2.0 * (1.0_f64 / 3.0).powf(POWER)).abs() < 1e-4);
        assert!((4..=12).all(|blocks| looks.after(blocks).tail() < 0.0125));
        // nothing is decided before the first look, or after the last
        assert_eq!(looks.after(1), looks.after(4));
        assert_eq!(looks.after(99), looks.after(12));
    }

    #[test]
    fn many_looks_take_no_time_to_speak_of() {
        let looks = Looks::new(4, 100);
        let total: f64 = looks.confidence.iter().map(|of| of.tail()).sum();
        assert!(
            total > SPENT / 2.0 && looks.after(4).tail() < 0.001,
            "{total}"
        );
    }
}
