use serde::Serialize;

/// An axis of a drawing, from values to places: linear from its low end, or logarithmic.
pub(super) struct Axis {
    low: f64,
    high: f64,
    logarithmic: bool,
    /// Places of both ends.
    from: f64,
    to: f64,
}

/// A labelled place.
#[derive(Serialize)]
pub(super) struct Tick {
    pub(super) at: String,
    pub(super) label: String,
}

/// Something at a place of a drawing.
#[derive(Serialize)]
pub(crate) struct Dot {
    x: String,
    y: String,
    class: &'static str,
    text: String,
}

impl Dot {
    pub(crate) fn new(x: f64, y: f64, class: &'static str, text: String) -> Self {
        let (x, y) = (place(x), place(y));
        Self { x, y, class, text }
    }
}

/// A place as drawings write it.
pub(crate) fn place(at: f64) -> String {
    format!("{at:.1}")
}

/// Round numbers about a range, each with its first digit: 1, 2 and 5 of each power of ten, or the powers alone where
/// they are to be `sparse`.
pub(super) fn rounds(low: f64, high: f64, sparse: bool) -> impl Iterator<Item = (f64, f64)> {
    let powers = low.log10().floor() as i32..=high.log10().ceil() as i32;
    let steps: &[f64] = if sparse { &[1.0] } else { &[1.0, 2.0, 5.0] };
    powers.flat_map(|power| {
        steps
            .iter()
            .map(move |step| (*step, step * 10_f64.powi(power)))
    })
}

/// From which ratio of its ends on an axis is logarithmic.
const WIDE: f64 = 20.0;

impl Axis {
    /// An axis that holds all values, between two places. It is logarithmic where they reach far and
    /// lie above zero; else it begins at zero where `grounded`.
    pub(super) fn over(
        values: impl Iterator<Item = f64>,
        grounded: bool,
        ends: (f64, f64),
    ) -> Self {
        let (low, high) = values
            .filter(|value| value.is_finite())
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
                (low.min(value), high.max(value))
            });
        let logarithmic = low > 0.0 && high / low >= WIDE;
        let low = if grounded && !logarithmic { 0.0 } else { low };
        let alone = low.total_cmp(&high).is_ge();
        Self {
            low: if alone { low - 0.5 } else { low },
            high: if alone { high + 0.5 } else { high },
            logarithmic,
            from: ends.0,
            to: ends.1,
        }
    }

    /// The same on a linear scale from zero, and a little beyond the highest value.
    pub(super) fn from_zero(values: impl Iterator<Item = f64>, ends: (f64, f64)) -> Self {
        let high = values.filter(|value| value.is_finite()).fold(0.0, f64::max);
        Self {
            low: 0.0,
            high: if high > 0.0 { high * 1.06 } else { 1.0 },
            logarithmic: false,
            from: ends.0,
            to: ends.1,
        }
    }

    /// A logarithmic one between two values above zero, with places from 0 to 1.
    pub(super) fn logarithmic(low: f64, high: f64) -> Self {
        Self {
            low,
            high,
            logarithmic: true,
            from: 0.0,
            to: 1.0,
        }
    }

    pub(super) fn ends(&self) -> (f64, f64) {
        (self.low, self.high)
    }

    /// Where a value lies.
    pub(super) fn at(&self, value: f64) -> f64 {
        let share = if self.logarithmic {
            (value.max(f64::MIN_POSITIVE) / self.low).ln() / (self.high / self.low).ln()
        } else {
            (value - self.low) / (self.high - self.low)
        };
        self.from + share * (self.to - self.from)
    }

    /// The value at a share of the axis, 0 to 1.
    pub(super) fn value(&self, share: f64) -> f64 {
        if self.logarithmic {
            self.low * (self.high / self.low).powf(share)
        } else {
            self.low + share * (self.high - self.low)
        }
    }

    /// Round values: 1, 2 and 5 of powers of ten on a logarithmic axis, about five steps on a linear one.
    pub(super) fn ticks(&self, label: impl Fn(f64) -> String) -> Vec<Tick> {
        let tick = |value: f64| Tick {
            at: place(self.at(value)),
            label: label(value),
        };
        let values = if self.logarithmic {
            self.powers()
        } else {
            self.steps()
        };
        let inside = |value: &f64| {
            let slack = (self.high - self.low) * 1e-9;
            (self.low - slack..=self.high + slack).contains(value)
        };
        values.into_iter().filter(inside).map(tick).collect()
    }

    fn powers(&self) -> Vec<f64> {
        let decades = self.high.log10().ceil() - self.low.log10().floor();
        let rounds = rounds(self.low, self.high, decades > 4.0);
        rounds.map(|(_, value)| value).collect()
    }

    fn steps(&self) -> Vec<f64> {
        let rough = (self.high - self.low) / 5.0;
        let power = 10_f64.powf(rough.log10().floor());
        let round = [1.0, 2.0, 5.0, 10.0].map(|step| step * power);
        let step = round.into_iter().find(|step| *step >= rough);
        let step = step.unwrap_or(rough);
        let first = (self.low / step).ceil() as i64;
        let places = first..first + 8;
        places.map(|place| place as f64 * step).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis) -> Vec<String> {
        let ticks = axis.ticks(|value| format!("{value}"));
        ticks.into_iter().map(|tick| tick.label).collect()
    }

    #[test]
    fn far_reaching_levels_are_logarithmic_and_others_are_not() {
        let wide = Axis::over([1.0, 10.0, 500.0].into_iter(), false, (0.0, 100.0));
        assert_eq!(
            labels(&wide),
            ["1", "2", "5", "10", "20", "50", "100", "200", "500"]
        );
        assert!((wide.at(500.0_f64.sqrt()) - 50.0).abs() < 1e-9);
        assert!((wide.value(0.5) - 500.0_f64.sqrt()).abs() < 1e-9);
        let narrow = Axis::over([1.0, 2.0, 8.0].into_iter(), true, (0.0, 80.0));
        assert_eq!(labels(&narrow), ["0", "2", "4", "6", "8"]);
        assert!((narrow.at(4.0) - 40.0).abs() < 1e-9);
    }

    #[test]
    fn nothing_and_one_value_have_an_axis() {
        let none = Axis::from_zero(std::iter::empty(), (100.0, 0.0));
        assert!(none.at(0.5).is_finite());
        let one = Axis::over([3.0, 3.0].into_iter(), false, (0.0, 1.0));
        assert!((one.at(3.0) - 0.5).abs() < 1e-9);
    }
}
