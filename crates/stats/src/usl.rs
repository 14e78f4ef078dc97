use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;
use serde::Serialize;

use crate::curve::Curve;
use crate::interval::{Estimate, NORMAL, TAIL};
use crate::nnls::nnls3;

/// How often the blocks are resampled; an interval's ends then rest on 25 draws each.
const RESAMPLES: usize = 1_000;

/// The Universal Scalability Law: X(N) = λN / (1 + σ(N - 1) + κN(N - 1)), the throughput that N
/// workers, or N clients, have together (Gunther, "Guerrilla Capacity Planning", 2007, section 4.4).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Law {
    /// λ: what one alone does, per second; above 0.
    pub alone: f64,
    /// σ: the share of the work that only one can do at a time (contention); 0 or more.
    pub contention: f64,
    /// κ: what keeping each two of them in step costs (coherency); 0 or more.
    pub coherency: f64,
}

impl Law {
    /// What `n` do together.
    pub fn at(&self, n: f64) -> f64 {
        let waits = self.contention * (n - 1.0) + self.coherency * n * (n - 1.0);
        self.alone * n / (1.0 + waits)
    }

    /// The N from which more do less: √((1 - σ)/κ), or 1 where already the second one is too many.
    /// `None` where more never do less (κ = 0).
    pub fn peak(&self) -> Option<f64> {
        if self.contention >= 1.0 {
            return Some(1.0);
        }
        (self.coherency > 0.0).then(|| ((1.0 - self.contention) / self.coherency).sqrt().max(1.0))
    }

    /// N/X is linear in 1/λ, σ/λ and κ/λ. Each row is divided by its own N/X, so that to a first
    /// order it is the relative error of X that is made least: throughput scatters by a share of itself.
    fn fitted(levels: &[f64], throughput: &[f64]) -> Option<Self> {
        let row = |(&n, &x): (&f64, &f64)| {
            let weight = x / n;
            (weight.is_finite() && weight > 0.0).then_some([
                weight,
                weight * (n - 1.0),
                weight * n * (n - 1.0),
            ])
        };
        let rows: Option<Vec<[f64; 3]>> = levels.iter().zip(throughput).map(row).collect();
        let rows = rows?;
        let [one, two, three] = nnls3(&rows, &vec![1.0; rows.len()])?;
        (one > 0.0).then(|| Self {
            alone: 1.0 / one,
            contention: two / one,
            coherency: three / one,
        })
    }
}

/// A law that was fitted to a curve: that of the medians over blocks.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Usl {
    /// λ with its interval.
    pub alone: Estimate,
    /// σ with its interval.
    pub contention: Estimate,
    /// κ with its interval.
    pub coherency: Estimate,
    /// N of the largest throughput; `None` where it lies beyond twice the measured range, or nowhere.
    /// Its interval is absent where more than its share of the resampled laws has none either.
    pub peak: Option<Estimate>,
    /// Lowest and highest measured level.
    pub range: (f64, f64),
    /// How far the law is off where it is farthest from a measured median, as a share of that: a law
    /// that is far off is not the one behind the curve, whatever its intervals.
    pub off: f64,
}

impl Usl {
    /// Fewest levels that a law is fitted to (Gunther, 2007, section 5.3: at least half a dozen).
    pub const LEVELS: usize = 6;

    /// How many times as far as the measured levels reach, in either direction, a law is believed.
    pub const REACH: f64 = 2.0;

    /// Fits the law to a curve of throughput over how many there are. The intervals are the
    /// percentile bootstrap over whole blocks (1,000 times, `ChaCha8` from `seed`), with the median
    /// over the drawn blocks at each level, widened for the few blocks that there are; they know the
    /// noise between blocks, and not whether the law is the right one.
    ///
    /// `None` with fewer than [`Self::LEVELS`] levels, with a level below 1, or where nothing was done
    /// at a level. What grows faster than N is taken as growing with it, which is then far [`Self::off`].
    pub fn fit(curve: &Curve, seed: u64) -> Option<Self> {
        let levels = curve.levels();
        let (&low, &high) = (levels.first()?, levels.last()?);
        if levels.len() < Self::LEVELS || low < 1.0 {
            return None;
        }
        let law = Law::fitted(levels, curve.medians())?;
        let drawn = Drawn::from(curve, seed);
        let points = levels.iter().zip(curve.medians());
        let share = |of: fn(&Law) -> f64| Estimate {
            value: of(&law),
            interval: drawn.as_ref().map(|drawn| drawn.around(&law, of, 0.0)),
        };
        let endless = |law: &Law| law.peak().unwrap_or(f64::INFINITY);
        let within = |n: &f64| (low / Self::REACH..=high * Self::REACH).contains(n);
        let ratio = |of: fn(&Law) -> f64| drawn.as_ref().map(|drawn| drawn.ratio(&law, of));
        let peak = law.peak().filter(within).map(|value| Estimate {
            value,
            interval: ratio(endless).filter(|(from, to)| within(from) && within(to)),
        });
        let off = |(n, x): (&f64, &f64)| (law.at(*n) / x - 1.0).abs();
        Some(Self {
            alone: Estimate {
                value: law.alone,
                interval: ratio(|law| law.alone),
            },
            contention: share(|law| law.contention),
            coherency: share(|law| law.coherency),
            peak,
            range: (low, high),
            off: points.map(off).fold(0.0, f64::max),
        })
    }

    /// The throughput of `n`; `None` beyond twice the measured range, in either direction.
    pub fn at(&self, n: f64) -> Option<f64> {
        let law = Law {
            alone: self.alone.value,
            contention: self.contention.value,
            coherency: self.coherency.value,
        };
        let (low, high) = self.range;
        let believed = low / Self::REACH..=high * Self::REACH;
        believed.contains(&n).then(|| law.at(n))
    }

    /// Whether it describes the curve: one that is farther off than a quarter somewhere does not.
    pub fn fits(&self) -> bool {
        self.off <= 0.25
    }
}

/// The laws of resampled blocks.
struct Drawn {
    laws: Vec<Law>,
    /// By how much the percentiles' distances from the value are stretched.
    stretch: f64,
}

impl Drawn {
    fn from(curve: &Curve, seed: u64) -> Option<Self> {
        let blocks = curve.enough()?.len();
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let laws: Option<Vec<Law>> = (0..RESAMPLES)
            .map(|_| Law::fitted(curve.levels(), &curve.resampled(&mut random)))
            .collect();
        Some(Self {
            laws: laws?,
            stretch: stretch(blocks),
        })
    }

    /// The interval of what is said of a law, and is never below `least`.
    fn around(&self, law: &Law, of: impl Fn(&Law) -> f64, least: f64) -> (f64, f64) {
        let mut values: Vec<f64> = self.laws.iter().map(&of).collect();
        values.sort_unstable_by(f64::total_cmp);
        // ranks, as between a number and infinity there is nothing to interpolate
        let at = |q: f64| values[(q * (values.len() - 1) as f64).round() as usize];
        let value = of(law);
        let wide = |end: f64| value + self.stretch * (end - value);
        (wide(at(TAIL)).max(least), wide(at(1.0 - TAIL)))
    }

    /// The same of what is above zero and scatters by a share of itself.
    fn ratio(&self, law: &Law, of: impl Fn(&Law) -> f64) -> (f64, f64) {
        let (low, high) = self.around(law, |law| of(law).ln(), f64::NEG_INFINITY);
        (low.exp(), high.exp())
    }
}

/// A bootstrap of n blocks is too narrow by √((n - 1)/n), and has the tails of a normal where it
/// should have Student's (Hesterberg, "What Teachers Should Know About the Bootstrap", The American
/// Statistician 69, 2015, on narrowness bias). Student's deviate is expanded around the normal one
/// (Abramowitz and Stegun, 26.7.5).
fn stretch(blocks: usize) -> f64 {
    let (n, z) = (blocks as f64, NORMAL);
    let free = n - 1.0;
    let student = z
        + (z.powi(3) + z) / (4.0 * free)
        + (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / (96.0 * free.powi(2));
    student / z * (n / free).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEVELS: [f64; 7] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0];

    fn curve(of: impl Fn(f64) -> f64, blocks: usize) -> Curve {
        Curve::new(&LEVELS.map(|n| (n, vec![Some(of(n)); blocks]))).unwrap()
    }

    fn law(alone: f64, contention: f64, coherency: f64) -> Law {
        Law {
            alone,
            contention,
            coherency,
        }
    }

    #[test]
    fn a_law_is_found_again() {
        for truth in [
            law(100.0, 0.05, 0.001),
            law(100.0, 0.0, 0.0),
            law(3.0, 0.9, 0.0),
            law(50.0, 0.0, 0.02),
            law(50.0, 1.5, 0.001),
        ] {
            let usl = Usl::fit(&curve(|n| truth.at(n), 6), 1).unwrap();
            let near = |a: f64, b: f64| (a - b).abs() < 1e-6 * (1.0 + b);
            assert!(near(usl.alone.value, truth.alone), "{usl:?}");
            assert!(near(usl.contention.value, truth.contention), "{usl:?}");
            assert!(near(usl.coherency.value, truth.coherency), "{usl:?}");
        }
    }

    #[test]
    fn nothing_is_said_beyond_twice_the_range() {
        let usl = Usl::fit(&curve(|n| law(100.0, 0.05, 0.001).at(n), 6), 1).unwrap();
        assert!(usl.at(0.5).is_some() && usl.at(128.0).is_some());
        assert_eq!((usl.at(0.49), usl.at(128.1)), (None, None));
        assert!((usl.peak.unwrap().value - 950.0_f64.sqrt()).abs() < 1e-3);
        // its largest value would come at 9,747
        let far = Usl::fit(&curve(|n| law(100.0, 0.05, 1e-8).at(n), 6), 1).unwrap();
        assert_eq!(far.peak, None);
    }

    #[test]
    fn what_has_no_law_has_none() {
        assert!(Usl::fit(&curve(|n| n * n, 6), 1).unwrap().off > 0.5);
        assert!(Usl::fit(&curve(|n| if n > 30.0 { 0.0 } else { n }, 6), 1).is_none());
        let few: Vec<_> = LEVELS[..5].iter().map(|n| (*n, vec![Some(*n)])).collect();
        assert!(Usl::fit(&Curve::new(&few).unwrap(), 1).is_none());
        let five = Usl::fit(&curve(|n| n, 5), 1).unwrap();
        assert_eq!(five.alone.interval, None);
    }

    #[test]
    fn few_blocks_are_stretched_as_students_table_says() {
        // t(0.975) is 2.571 with 5 degrees of freedom, 2.093 with 19
        for (blocks, student) in [(6_u32, 2.571), (20, 2.093)] {
            let n = f64::from(blocks);
            let wanted = student / NORMAL * (n / (n - 1.0)).sqrt();
            assert!((stretch(blocks as usize) / wanted - 1.0).abs() < 0.02);
        }
    }

    #[test]
    fn where_the_peak_lies() {
        assert_eq!(law(1.0, 0.5, 0.0).peak(), None);
        assert_eq!(law(1.0, 1.2, 0.0).peak(), Some(1.0));
        assert_eq!(law(1.0, 0.0, 4.0).peak(), Some(1.0));
        assert_eq!(law(1.0, 0.0, 0.01).peak(), Some(10.0));
    }
}
