//! How long trials will take, corrected by each that ends. No clock in here: time is handed in.

use std::collections::BTreeMap;

use record::Stress;

use crate::run::order::Slot;

/// What trials of each variant are thought to take.
#[derive(Clone, Debug, Default)]
pub(crate) struct Forecast {
    variants: BTreeMap<String, Expected>,
    /// Trials under stress, which have windows of one length.
    stressed: Vec<f64>,
}

/// Seconds that a start and an end are thought to take.
const START: f64 = 1.0;

#[derive(Clone, Debug)]
struct Expected {
    guess: f64,
    seen: Vec<f64>,
}

impl Forecast {
    /// From a guess for each variant, in seconds.
    pub(crate) fn new(guesses: impl IntoIterator<Item = (String, f64)>) -> Self {
        let expected = |guess| Expected {
            guess,
            seen: Vec::new(),
        };
        let variants = guesses.into_iter();
        Self {
            variants: variants
                .map(|(name, guess)| (name, expected(guess)))
                .collect(),
            stressed: Vec::new(),
        }
    }

    /// Takes over what is thought of variants of which no trial has ended.
    pub(crate) fn learn(&mut self, other: Self) {
        for (name, expected) in other.variants {
            let own = self.variants.get(&name);
            if own.is_none_or(|own| own.seen.is_empty()) {
                self.variants.insert(name, expected);
            }
        }
    }

    /// A trial of this variant took so many seconds.
    pub(crate) fn ended(&mut self, variant: &str, seconds: f64) {
        if let Some(of) = self.variants.get_mut(variant) {
            of.seen.push(seconds);
        }
    }

    /// Seconds that these trials will take.
    pub(crate) fn seconds<'a>(&self, slots: impl IntoIterator<Item = &'a Slot>) -> f64 {
        let drift = self.drift();
        let of = |slot: &Slot| {
            let expected = self.variants.get(&slot.variant);
            expected.map_or(0.0, |of| of.mean().unwrap_or(of.guess * drift))
        };
        slots.into_iter().map(of).sum()
    }

    /// A trial under this stress, of any variant, took so many seconds.
    pub(crate) fn stress_ended(&mut self, stress: Stress, seconds: f64) {
        self.stressed
            .push(seconds - (stress.seconds() - Stress::SECONDS));
    }

    /// What so many trials under this stress will take.
    pub(crate) fn under_stress(&self, stress: Stress, trials: usize) -> f64 {
        let longer = stress.seconds() - Stress::SECONDS;
        let usual = mean(&self.stressed).unwrap_or(Stress::SECONDS + Stress::BESIDES + START);
        let each = usual + longer;
        trials as f64 * each
    }

    /// How much longer trials took than was thought, where any has ended: what was wrong about one variant
    /// is likely to be wrong about the next.
    fn drift(&self) -> f64 {
        let seen = self.variants.values();
        let seen = seen.filter_map(|of| Some((of.mean()?, of.guess)));
        let (took, thought) = seen.fold((0.0, 0.0), |(took, thought), (mean, guess)| {
            (took + mean, thought + guess)
        });
        if thought > 0.0 { took / thought } else { 1.0 }
    }
}

impl Expected {
    fn mean(&self) -> Option<f64> {
        mean(&self.seen)
    }
}

fn mean(of: &[f64]) -> Option<f64> {
    let sum: f64 = of.iter().sum();
    (!of.is_empty()).then(|| sum / of.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slot(variant: &str) -> Slot {
        Slot {
            variant: variant.to_owned(),
            again: false,
            group: 0,
        }
    }

    fn near(of: f64, expected: f64) {
        assert!((of - expected).abs() < 1e-9, "{of} is not {expected}");
    }

    #[test]
    fn what_was_seen_corrects_what_was_thought() {
        let slots = [slot("a"), slot("b"), slot("unknown")];
        let guesses = [("a", 2.0), ("b", 4.0)].map(|(name, of)| (name.to_owned(), of));
        let mut forecast = Forecast::new(guesses);
        near(forecast.seconds(&slots), 6.0);
        forecast.learn(Forecast::new([("b".to_owned(), 5.0)]));
        near(forecast.seconds(&slots), 7.0);
        forecast.learn(Forecast::new([("b".to_owned(), 4.0)]));
        forecast.ended("a", 3.0);
        // half as long again: so will be the other
        near(forecast.seconds(&slots), 9.0);
        forecast.ended("a", 5.0);
        forecast.ended("b", 4.0);
        near(forecast.seconds(&slots), 8.0);
        forecast.ended("unknown", 100.0);
        near(forecast.seconds(&slots), 8.0);
        let more = [("a", 99.0), ("unknown", 9.0)].map(|(name, of)| (name.to_owned(), of));
        forecast.learn(Forecast::new(more));
        near(forecast.seconds(&slots), 8.0 + 9.0 * 8.0 / 6.0);
    }
}
