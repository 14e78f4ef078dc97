use std::collections::BTreeMap;

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
    /// Each rival's geometric mean.
    means: Vec<Estimate>,
    /// Each rival's figure over each one's, rival by rival, and in how many blocks both have one.
    ratios: Vec<(Estimate, usize)>,
    /// Whether every pair has blocks enough.
    sure: bool,
}

impl Pairwise {
    /// Takes the figures of each rival, block by block: as many from each, all above zero. `families` is how many
    /// such sets of ratios are to hold together (the metrics of a Pareto set), with this confidence; 1 for one alone.
    ///
    /// `None` with fewer than two rivals, without a block, or where a figure has no logarithm.
    pub fn new(figures: &[Vec<f64>], families: usize, confidence: Confidence) -> Option<Self> {
        let blocks = figures.first()?.len();
        let by_block = |of: &Vec<f64>| (0..).zip(of.iter().copied()).collect();
        let whole = figures.iter().all(|of| of.len() == blocks);
        let figures: Vec<BTreeMap<u32, f64>> = figures.iter().map(by_block).collect();
        let rivals = whole.then_some(figures)?;
        Self::by_block(&rivals, families, |_| confidence)
    }

    /// The same of rivals some of which were left out of later blocks: each pair is compared over the blocks that it has
    /// in common, with the confidence that goes with the last of them. Means are over the blocks that all have.
    ///
    /// `None` with fewer than two rivals, where all have no block in common, or where a figure of any block has no
    /// logarithm. A ratio has no interval where its pair has fewer than [`FEWEST`] blocks in common.
    pub fn by_block(
        figures: &[BTreeMap<u32, f64>],
        families: usize,
        confidence: impl Fn(u32) -> Confidence,
    ) -> Option<Self> {
        let first = figures.first()?.keys();
        let common = first.filter(|block| figures.iter().all(|of| of.contains_key(block)));
        let common: Vec<u32> = common.copied().collect();
        let last = *common.last()?;
        let positive = |value: &f64| *value > 0.0 && value.is_finite();
        let all_positive = figures.iter().flat_map(BTreeMap::values).all(positive);
        if figures.len() < 2 || !all_positive {
            return None;
        }
        let pairs = (0..figures.len()).flat_map(|of| (0..of).map(move |over| (of, over)));
        let pairs: Vec<(usize, usize)> = pairs.collect();
        let compared = pairs.iter();
        let compared: Vec<Differences> = compared
            .map(|(of, over)| Differences::of(&figures[*of], &figures[*over]))
            .collect();
        let quietest = median(&compared.iter().map(|of| of.scatter).collect::<Vec<_>>())?;
        let shared = pairs.len() * families.max(1);
        // pairs with the same blocks have the same quantile
        let mut reaches: BTreeMap<(usize, u32), f64> = BTreeMap::new();
        let one = (around(0.0, 0.0, Some(0.0), 1), common.len());
        let mut ratios = vec![one; figures.len().pow(2)];
        for ((of, over), found) in pairs.into_iter().zip(&compared) {
            let enough = found.blocks >= FEWEST;
            let reach = enough.then(|| {
                let quantile = || {
                    student(
                        found.blocks - 1,
                        confidence(found.last).shared_by(shared).tail(),
                    )
                };
                *reaches
                    .entry((found.blocks, found.last))
                    .or_insert_with(quantile)
            });
            let scatter = found.scatter.max(quietest);
            let ratio = |mean| (around(mean, scatter, reach, found.blocks), found.blocks);
            ratios[of * figures.len() + over] = ratio(found.mean);
            ratios[over * figures.len() + of] = ratio(-found.mean);
        }
        let enough = common.len() >= FEWEST;
        let reach = enough.then(|| student(common.len() - 1, confidence(last).tail()));
        let mean = |of: &BTreeMap<u32, f64>| {
            let own: Vec<f64> = common.iter().map(|block| of[block].ln()).collect();
            let (mean, scatter) = mean_and_scatter(&own);
            around(mean, scatter, reach, own.len())
        };
        Some(Self {
            means: figures.iter().map(mean).collect(),
            ratios,
            sure: compared.iter().all(|of| of.blocks >= FEWEST),
        })
    }

    /// A rival's geometric mean over the blocks that all have, and the interval of it by itself.
    pub fn mean(&self, of: usize) -> Estimate {
        self.means[of]
    }

    /// How many times as large one rival's figure is as another's.
    pub fn ratio(&self, of: usize, over: usize) -> Estimate {
        self.ratios[of * self.means.len() + over].0
    }

    /// In how many blocks both have a figure.
    pub fn blocks(&self, of: usize, over: usize) -> usize {
        self.ratios[of * self.means.len() + over].1
    }

    /// Whether there are blocks enough for the intervals of all pairs.
    pub fn is_sure(&self) -> bool {
        self.sure
    }
}

/// The logarithms of a pair's ratios, over the blocks that both have.
struct Differences {
    mean: f64,
    scatter: f64,
    blocks: usize,
    /// The last of the blocks.
    last: u32,
}

impl Differences {
    fn of(of: &BTreeMap<u32, f64>, over: &BTreeMap<u32, f64>) -> Self {
        let both = of
            .iter()
            .filter_map(|(block, of)| Some((*block, of, over.get(block)?)));
        let (blocks, all): (Vec<u32>, Vec<f64>) = both
            .map(|(block, of, over)| (block, of.ln() - over.ln()))
            .unzip();
        let (mean, scatter) = mean_and_scatter(&all);
        Self {
            mean,
            scatter,
            blocks: blocks.len(),
            last: blocks.last().copied().unwrap_or(0),
        }
    }
}

/// The estimate whose logarithm has this mean and scatter over so many blocks; `reach` is Student's quantile.
fn around(value: f64, scatter: f64, reach: Option<f64>, blocks: usize) -> Estimate {
    let error = scatter / (blocks as f64).sqrt();
    let logarithm = Estimate {
        value,
        interval: reach.map(|reach| (value - reach * error, value + reach * error)),
    };
    logarithm.map(f64::exp)
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
    fn each_pair_is_compared_over_the_blocks_that_it_has() {
        let of = |blocks: u32, rate: f64| -> BTreeMap<u32, f64> {
            let noise = |block: u32| 1.0 + 0.02 * f64::from(block % 3);
            (0..blocks)
                .map(|block| (block, rate * noise(block)))
                .collect()
        };
        let swung: BTreeMap<u32, f64> = of(12, 1.0)
            .into_iter()
            .map(|(block, rate)| (block, rate * if block % 2 == 0 { 1.1 } else { 0.9 }))
            .collect();
        // the last one was left out after six blocks
        let all = [of(12, 2.0), swung, of(6, 0.5)];
        let asked = std::cell::RefCell::new(Vec::new());
        let confidence = |last| {
            asked.borrow_mut().push(last);
            Confidence::USUAL
        };
        let ragged = Pairwise::by_block(&all, 1, confidence).unwrap();
        assert!(ragged.is_sure());
        let asked = asked.into_inner();
        assert!(asked.contains(&5) && asked.contains(&11), "{asked:?}");
        let first: Vec<Vec<f64>> = all
            .iter()
            .map(|of| of.values().copied().take(6).collect())
            .collect();
        let six = Pairwise::new(&first, 1, Confidence::USUAL).unwrap();
        let width = |of: &Pairwise, one, other| {
            let (low, high) = of.ratio(one, other).interval.unwrap();
            (high / low).ln()
        };
        assert!(width(&ragged, 0, 1) < 0.7 * width(&six, 0, 1));
        assert!(near(ragged.mean(2).value, six.mean(2).value));
        assert!(near(ragged.mean(0).value, six.mean(0).value));
        assert!(near(ragged.ratio(0, 2).value, 4.0));
        assert_eq!((ragged.blocks(0, 1), ragged.blocks(2, 0)), (12, 6));
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
