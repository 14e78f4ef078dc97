use crate::confidence::Confidence;
use crate::interval::{Estimate, FEWEST};
use crate::quantile::median;
use crate::student::{mean_and_scatter, student};

/// Every rival against every other, over blocks in which all of them were measured: ratios whose intervals
/// hold all together with 95 %.
///
/// In logarithms, a pair's differences block by block have a mean and a scatter of their own, and the interval
/// is Student's: mean ± t s / √n, with n - 1 degrees of freedom and the error of 5 % shared out evenly
/// over the k(k - 1)/2 pairs (Bonferroni). So what is common to a block falls out, and no rival's noise is taken for
/// another's: Maxwell, "Pairwise Multiple Comparisons in Repeated Measures Designs" (Journal of Educational
/// Statistics 5, 1980) found this form to hold where variances differ. One thing is added: s is not less than
/// the median pair's, or a pair that looked quiet by chance would decide (Tusher, Tibshirani and Chu add such
/// a constant to each s for the same reason, PNAS 98, 2001).
///
/// Weighed by simulation, 6 blocks of 3, 5 and 13 rivals, as the share of runs in which equal rivals were told
/// apart anywhere (to be at most 5 %); "unequal" is the worst of: one rival 5 or 20 times as noisy, two 10
/// times, half of them 5 times, one a tenth, from 1 to 10 in equal ratios. Skewed noise is exponential.
///
/// | | equal, normal | unequal, normal | unequal, skewed |
/// |---|---|---|---|
/// | Tukey's range, one variance for all | 4.4, 4.9, 5.0 % | 8, 13, 27 % | 14, 19, 30 % |
/// | this without the least scatter | 4.7, 4.5, 5.2 % | 5, 5, 5 % | 13, 14, 15 % |
/// | this | 1.3, 0.2, 0.0 % | 2, 1, 1 % | 7, 6, 5 % |
///
/// The median pair's interval is as wide in the last two rows; against Tukey's, where that one is right, it is
/// 1.3, 1.6 and 2.0 times as wide. Ranks, as [`crate::paired_ratio`] uses them, have no interval for
/// several pairs of 6 blocks, and sign flips no smaller p than 1/32.
#[derive(Clone, Debug)]
pub struct Pairwise {
    /// Logarithms by rival and block.
    logarithms: Vec<Vec<f64>>,
    /// Scatter of the median pair's differences.
    least_scatter: f64,
    /// How sure all pairs are together.
    confidence: Confidence,
    /// Student's quantile for one pair; `None` below [`FEWEST`] blocks.
    reach: Option<f64>,
}

impl Pairwise {
    /// Takes the figures of each rival, block by block: as many from each, all above zero. `families` is how many
    /// such sets of ratios are to hold together (the metrics of a Pareto set), with this confidence; 1 for one alone.
    ///
    /// `None` with fewer than two rivals, without a block, or where a figure has no logarithm.
    pub fn new(figures: &[Vec<f64>], families: usize, confidence: Confidence) -> Option<Self> {
        let blocks = figures.first()?.len();
        let whole = figures.iter().all(|of| of.len() == blocks);
        let positive = |value: &f64| *value > 0.0 && value.is_finite();
        if figures.len() < 2 || blocks == 0 || !whole || !figures.iter().flatten().all(positive) {
            return None;
        }
        let logarithm = |of: &Vec<f64>| of.iter().map(|value| value.ln()).collect();
        let logarithms: Vec<Vec<f64>> = figures.iter().map(logarithm).collect();
        let rivals = logarithms.len();
        let pairs = rivals * (rivals - 1) / 2;
        let reach = (blocks >= FEWEST).then(|| {
            student(
                blocks - 1,
                confidence.shared_by(pairs * families.max(1)).tail(),
            )
        });
        let pairs = (0..rivals).flat_map(|of| (0..of).map(move |over| (of, over)));
        let differences = pairs.map(|(of, over)| differences(&logarithms[of], &logarithms[over]));
        let scatters: Vec<f64> = differences.map(|of| mean_and_scatter(&of).1).collect();
        Some(Self {
            least_scatter: median(&scatters)?,
            logarithms,
            confidence,
            reach,
        })
    }

    /// A rival's geometric mean over the blocks, and the interval of it by itself.
    pub fn mean(&self, of: usize) -> Estimate {
        let own = &self.logarithms[of];
        let (value, scatter) = mean_and_scatter(own);
        let reach = self
            .reach
            .map(|_| student(own.len() - 1, self.confidence.tail()));
        around(value, scatter, reach, own.len()).map(f64::exp)
    }

    /// How many times as large one rival's figure is as another's.
    pub fn ratio(&self, of: usize, over: usize) -> Estimate {
        let differences = differences(&self.logarithms[of], &self.logarithms[over]);
        let (value, scatter) = mean_and_scatter(&differences);
        let scatter = scatter.max(self.least_scatter);
        around(value, scatter, self.reach, differences.len()).map(f64::exp)
    }

    /// Whether there are blocks enough for intervals.
    pub fn is_sure(&self) -> bool {
        self.reach.is_some()
    }
}

fn differences(of: &[f64], over: &[f64]) -> Vec<f64> {
    of.iter().zip(over).map(|(of, over)| of - over).collect()
}

fn around(value: f64, scatter: f64, reach: Option<f64>, n: usize) -> Estimate {
    let error = scatter / (n as f64).sqrt();
    Estimate {
        value,
        interval: reach.map(|reach| (value - reach * error, value + reach * error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(value: f64, wanted: f64) -> bool {
        (value / wanted - 1.0).abs() < 1e-6
    }

    #[test]
    fn quantiles_are_those_of_the_tables() {
        // R: qt(0.975, 5), qt(1 - 0.025 / 3, 5), qt(0.975, 9)
        for (freedom, tail, wanted) in [
            (5, 0.025, 2.570_581_836),
            (5, 0.025 / 3.0, 3.534_107_8),
            (9, 0.025, 2.262_157_163),
        ] {
            let found = student(freedom, tail);
            assert!(near(found, wanted), "{freedom} {tail}: {found}");
        }
    }

    #[test]
    fn two_rivals_are_a_paired_t_test_of_logarithms() {
        let over = [100.0, 110.0, 95.0, 130.0, 105.0, 99.0];
        let factors = [1.1_f64, 1.2, 1.15, 1.3, 1.25, 1.05];
        let of: Vec<f64> = over.iter().zip(factors).map(|(a, b)| a * b).collect();
        let all = Pairwise::new(&[of, over.to_vec()], 1, Confidence::USUAL).unwrap();
        let (there, back) = (all.ratio(0, 1), all.ratio(1, 0));
        // R: t.test(log(c(1.1, 1.2, 1.15, 1.3, 1.25, 1.05)))
        let logs = factors.map(f64::ln);
        let mean = logs.iter().sum::<f64>() / 6.0;
        let s = (logs.iter().map(|l| (l - mean).powi(2)).sum::<f64>() / 5.0).sqrt();
        assert!(near(there.value, mean.exp()));
        let (low, high) = there.interval.unwrap();
        let half = 2.570_581_836 * s / 6.0_f64.sqrt();
        assert!(near(low, (mean - half).exp()) && near(high, (mean + half).exp()));
        assert!(near(there.value * back.value, 1.0));
        assert!(near(low * back.interval.unwrap().1, 1.0));
        assert!(near(all.mean(0).value / all.mean(1).value, there.value));
    }

    #[test]
    fn a_pair_that_looks_quiet_is_taken_for_an_ordinary_one() {
        let noisy = |shift: f64| -> Vec<f64> {
            let own = [0.03, -0.02, 0.05, -0.04, 0.01, -0.03];
            own.iter().map(|off| (shift * off).exp()).collect()
        };
        // the first two move together, the others against them
        let all = [noisy(1.0), noisy(1.01), noisy(-1.0), noisy(-2.0)];
        let all = Pairwise::new(&all, 1, Confidence::USUAL).unwrap();
        let width = |of, over| {
            let (low, high) = all.ratio(of, over).interval.unwrap();
            (high / low).ln()
        };
        assert!(width(0, 1) > 0.5 * width(0, 2), "{}", width(0, 1));
    }

    #[test]
    fn more_families_widen_and_few_blocks_say_nothing() {
        let of = vec![1.0, 1.1, 1.05, 1.2, 1.02, 1.3];
        let over = vec![2.0, 2.1, 2.3, 2.0, 2.2, 2.1];
        let width = |families| {
            let all =
                Pairwise::new(&[of.clone(), over.clone()], families, Confidence::USUAL).unwrap();
            let (low, high) = all.ratio(0, 1).interval.unwrap();
            high / low
        };
        assert!(width(4) > width(1));
        let few = Pairwise::new(
            &[of[..5].to_vec(), over[..5].to_vec()],
            1,
            Confidence::USUAL,
        )
        .unwrap();
        assert!(!few.is_sure() && few.ratio(0, 1).interval.is_none());
        assert!(few.mean(0).interval.is_none());
        assert!(Pairwise::new(std::slice::from_ref(&of), 1, Confidence::USUAL).is_none());
        assert!(Pairwise::new(&[of.clone(), vec![0.0; 6]], 1, Confidence::USUAL).is_none());
        assert!(Pairwise::new(&[of, vec![1.0; 5]], 1, Confidence::USUAL).is_none());
    }
}
