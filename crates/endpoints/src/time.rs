//! Times as they stand in a log, and the unit in which they do.

use serde::Serialize;

/// Longest time that is believed, in seconds: a day.
pub const LONGEST: f64 = 86_400.0;

macro_rules! units {
    ($($(#[$doc:meta])* $unit:ident = $name:literal, $word:literal, $per_second:literal;)+) => {
        /// In which unit a log has its times.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
        pub enum Unit {
            $($(#[$doc])* #[serde(rename = $name)] $unit,)+
        }

        impl Unit {
            /// Every unit, the longest first.
            pub const ALL: &[Self] = &[$(Self::$unit),+];

            /// Its sign: `ms`.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$unit => $name,)+
                }
            }

            /// Its word, in the plural.
            pub const fn word(self) -> &'static str {
                match self {
                    $(Self::$unit => $word,)+
                }
            }

            /// How many of them a second has.
            pub const fn per_second(self) -> f64 {
                match self {
                    $(Self::$unit => $per_second,)+
                }
            }
        }
    };
}

units! {
    /// Seconds.
    Seconds = "s", "seconds", 1.0;
    /// Thousandths of a second.
    Milliseconds = "ms", "milliseconds", 1e3;
    /// Millionths of a second.
    Microseconds = "us", "microseconds", 1e6;
    /// Thousand-millionths of a second.
    Nanoseconds = "ns", "nanoseconds", 1e9;
}

impl Unit {
    /// The unit of this sign.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "µs" | "μs" => Some(Self::Microseconds),
            _ => Self::ALL.iter().copied().find(|unit| unit.name() == name),
        }
    }
}

/// How the unit of a time is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// It is written beside the time, or the format says so: nobody can know better.
    Defined,
    /// The program is known that writes times under this key.
    Known,
    /// Nobody says.
    Guessed,
}

/// A time as it stands in a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Time {
    /// The number; none where something else stands there.
    pub value: f64,
    /// Its unit, as far as the line tells.
    pub unit: Unit,
    /// How that is known.
    pub basis: Basis,
    /// Where it stands: a key, or what it looks like.
    pub key: &'static str,
}

impl Time {
    /// One of a format that defines the unit.
    pub(crate) fn defined(value: f64, unit: Unit) -> Self {
        Self {
            value,
            unit,
            basis: Basis::Defined,
            key: "",
        }
    }

    /// The same number in seconds, if a request can take so long.
    pub(crate) fn seconds(self) -> Option<f64> {
        let seconds = self.value / self.unit.per_second();
        (0.0..=LONGEST).contains(&seconds).then_some(seconds)
    }

    /// The same in the unit that somebody else says, unless the line itself does.
    pub(crate) fn in_unit(self, unit: Option<Unit>) -> Self {
        match (unit, self.basis) {
            (Some(unit), Basis::Known | Basis::Guessed) => Self { unit, ..self },
            _ => self,
        }
    }
}

/// The unit of times under a key that several programs use, by the median of the first of them. Whole numbers of seconds would
/// tell requests of a web application nothing, and half of all requests rarely take more than seconds.
pub(crate) fn guess(median: f64, all_whole: bool) -> Unit {
    match median {
        of if of >= 1e5 => Unit::Nanoseconds,
        of if of >= 1e4 => Unit::Microseconds,
        of if of >= 5.0 || all_whole => Unit::Milliseconds,
        _ => Unit::Seconds,
    }
}

/// A text with a unit, as in `12.5ms`, `12 ms` or Go's `1m2.5s`.
pub(crate) fn written(text: &str) -> Option<Time> {
    let (mut seconds, mut rest) = (0.0, text.trim());
    if rest.is_empty() {
        return None;
    }
    while !rest.is_empty() {
        let digit = |of: char| of.is_ascii_digit() || of == '.';
        let end = rest.find(|of| !digit(of))?;
        let number: f64 = rest[..end].parse().ok()?;
        rest = rest[end..].trim_start();
        let end = rest.find(digit).unwrap_or(rest.len());
        seconds += match rest[..end].trim_end() {
            "h" => number * 3_600.0,
            "m" => number * 60.0,
            unit => number / Unit::named(unit)?.per_second(),
        };
        rest = &rest[end..];
    }
    Some(Time::defined(seconds, Unit::Seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_with_units_are_times() {
        for (text, seconds) in [
            ("12ms", 0.012),
            ("12.5 ms", 0.0125),
            ("7µs", 7e-6),
            ("1m2.5s", 62.5),
            ("0.25s", 0.25),
        ] {
            let time = written(text).unwrap();
            assert!((time.seconds().unwrap() - seconds).abs() < 1e-12, "{text}");
            assert_eq!(time.in_unit(Some(Unit::Nanoseconds)), time, "{text}");
        }
        for not in ["", "12", "ms", "12 parsecs", "1.2.3s", "-"] {
            assert_eq!(written(not), None, "{not}");
        }
    }

    #[test]
    fn what_no_request_takes_is_no_time() {
        let of = |value| Time::defined(value, Unit::Milliseconds).seconds();
        assert_eq!(of(86_400e3), Some(LONGEST));
        for not in [86_401e3, -1.0, f64::NAN, f64::INFINITY, 1e300] {
            assert_eq!(of(not), None, "{not}");
        }
    }

    #[test]
    fn a_unit_is_guessed_from_what_half_of_them_say() {
        for (median, all_whole, unit) in [
            (0.012, false, Unit::Seconds),
            (12.5, false, Unit::Milliseconds),
            (3.0, true, Unit::Milliseconds),
            (12_000.0, true, Unit::Microseconds),
            (12e6, true, Unit::Nanoseconds),
        ] {
            assert_eq!(guess(median, all_whole), unit, "{median}");
        }
    }
}
