//! Numbers as people type them: `2k`, `1.5M`, `500/s`, `3M/day`.

use std::ops::RangeInclusive;

/// How many times its mean a demand may have in its busiest moment: beyond, it is a slip of the finger.
pub const PEAKS: RangeInclusive<f64> = 1.0..=1e6;

/// What a letter behind a number stands for: thousands, and not 1024.
const SCALES: [(char, f64); 4] = [('k', 1e3), ('K', 1e3), ('M', 1e6), ('G', 1e9)];

/// The times that a rate may be told of, in seconds.
const TIMES: [(&str, f64); 9] = [
    ("s", 1.0),
    ("sec", 1.0),
    ("second", 1.0),
    ("min", 60.0),
    ("minute", 60.0),
    ("h", 3_600.0),
    ("hour", 3_600.0),
    ("d", 86_400.0),
    ("day", 86_400.0),
];

/// A number, with a letter for thousands behind it or without. What makes sense of it, the reader knows: it may be
/// negative, and without a letter it may be infinite or none.
pub fn scaled(text: &str) -> Option<f64> {
    if let Ok(number) = text.parse::<f64>() {
        return Some(number);
    }
    let mut scales = SCALES.iter();
    let (digits, scale) =
        scales.find_map(|(letter, scale)| Some((text.strip_suffix(*letter)?, *scale)))?;
    let number = digits.parse::<f64>().ok()?;
    number.is_finite().then_some(number * scale)
}

/// A number of each time that is named behind it, of each second without one; per second.
pub fn per_second(text: &str) -> Option<f64> {
    let Some((number, time)) = text.split_once('/') else {
        return scaled(text);
    };
    let time = time.trim().to_ascii_lowercase();
    let (_, seconds) = TIMES.iter().find(|(name, _)| *name == time)?;
    let number = scaled(number.trim())?;
    number.is_finite().then_some(number / seconds)
}
