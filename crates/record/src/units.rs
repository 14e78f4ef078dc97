//! The one place that turns numbers into text: three significant digits, a unit, and the
//! uncertainty where there is one.
//!
//! A figure never reads `0.00`: it changes its unit, or shows the digits that matter. A number that
//! is not finite reads [`NOTHING`]. Thousands are separated by commas, decimals by a point.

use crate::Metric;
use crate::metric::Dimension;

/// What stands where there is no figure.
pub const NOTHING: &str = "—";

/// What is told of something, or [`NOTHING`] where it is not there.
pub fn known<T>(of: Option<T>, told: impl FnOnce(T) -> String) -> String {
    of.map_or_else(|| NOTHING.to_owned(), told)
}

/// A bare number with three significant digits: `0.895`, `11.1`, `4,660`, `1.20e-7`.
pub fn number(value: f64) -> String {
    let size = value.abs();
    if !value.is_finite() {
        NOTHING.to_owned()
    } else if size == 0.0 {
        "0".to_owned()
    } else if size < 0.000_999_5 {
        format!("{value:.2e}")
    } else if size < 999.5 {
        format!("{value:.*}", decimals(size))
    } else {
        let step = 10_f64.powi(size.log10().floor() as i32 - 2);
        let sign = if value < 0.0 { "-" } else { "" };
        let rounded = ((size / step).round() * step).round() as u64;
        format!("{sign}{}", count(rounded))
    }
}

/// How many decimals show three significant digits of a number below 1,000 after rounding.
fn decimals(size: f64) -> usize {
    let mut decimals = 2 - size.log10().floor() as i32;
    let scale = 10_f64.powi(decimals);
    // 9.996 is 10.0 and not 10.00
    if (size * scale).round() >= 1_000.0 {
        decimals -= 1;
    }
    decimals.max(0) as usize
}

/// Seconds that something takes at least: `≥ 52.0 ms`.
pub fn at_least(seconds: f64) -> String {
    format!("≥ {}", duration(seconds))
}

/// A count, exactly: `7,398`.
pub fn count(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A duration given in seconds: `400 µs`, `226 ms`, `1.00 s`, `12.0 min`, `3.00 h`.
pub fn duration(seconds: f64) -> String {
    let (scale, name) = duration_unit(seconds);
    with_unit(seconds / scale, name)
}

/// The unit in which so many seconds are told: its seconds, and its name.
pub fn duration_unit(seconds: f64) -> (f64, &'static str) {
    const UNITS: [(f64, &str); 6] = [
        (1e-9, "ns"),
        (1e-6, "µs"),
        (1e-3, "ms"),
        (1.0, "s"),
        (60.0, "min"),
        (3_600.0, "h"),
    ];
    // seconds stay seconds up to ten minutes: `90.0 s` is read at a glance
    const UP_TO: [f64; 5] = [999.5, 999.5, 999.5, 599.5, 119.5];
    if seconds == 0.0 {
        return (1.0, "s");
    }
    let size = seconds.abs();
    let mut units = UNITS.iter().zip(UP_TO);
    let unit = units.position(|((scale, _), up_to)| size / scale < up_to);
    UNITS[unit.unwrap_or(UP_TO.len())]
}

/// A round duration on an axis, without digits that say nothing: `20 ms`, `1 s`.
pub fn round_duration(seconds: f64) -> String {
    let text = duration(seconds);
    let Some((number, unit)) = text.split_once(' ') else {
        return text;
    };
    if !number.contains('.') {
        return text;
    }
    let number = number.trim_end_matches('0').trim_end_matches('.');
    format!("{number} {unit}")
}

/// A size in bytes, in powers of 1,000: `194 B`, `7.40 KB`, `46.2 MB`.
pub fn bytes(size: f64) -> String {
    const UNITS: [&str; 5] = ["B", "KB", "MB", "GB", "TB"];
    if size.is_finite() && size.abs() < 999.5 {
        return format!("{size:.0} B");
    }
    let mut scaled = size;
    let mut unit = 0;
    while scaled.abs() >= 999.5 && unit + 1 < UNITS.len() {
        scaled /= 1_000.0;
        unit += 1;
    }
    with_unit(scaled, UNITS[unit])
}

/// Requests per second: `421 req/s`.
pub fn rate(per_second: f64) -> String {
    with_unit(per_second, "req/s")
}

/// A share (0 to 1) as a percentage: `0 %`, `0.0123 %`, `3.25 %`, `100 %`.
pub fn percent(share: f64) -> String {
    with_unit(share * 100.0, "%")
}

/// A ratio: `1.88 ×`.
pub fn ratio(value: f64) -> String {
    with_unit(value, "×")
}

/// A ratio with its interval, if it has one: `1.88 × [1.81, 1.95]`.
pub fn ratio_within(value: f64, interval: Option<(f64, f64)>) -> String {
    format!("{}{}", ratio(value), between(value, interval))
}

/// A bare number with its interval, if it has one: `0.542 [0.511, 0.580]`.
pub fn number_within(value: f64, interval: Option<(f64, f64)>) -> String {
    format!("{}{}", number(value), between(value, interval))
}

/// The interval, its ends with as many decimals as the value has, so that the three line up, and no more than three
/// significant digits in the larger one.
fn between(value: f64, interval: Option<(f64, f64)>) -> String {
    let Some((low, high)) = interval else {
        return String::new();
    };
    let (size, larger) = (value.abs(), low.abs().max(high.abs()));
    let plain = 0.000_999_5..999.5;
    if !plain.contains(&size) || !plain.contains(&larger) {
        return format!(" [{}, {}]", number(low), number(high));
    }
    let decimals = decimals(size).min(decimals(larger));
    let end = |end: f64| {
        let text = format!("{end:.decimals$}");
        // a number that is not zero does not read 0.00
        if text.contains(|digit| matches!(digit, '1'..='9')) {
            text
        } else {
            number(end)
        }
    };
    format!(" [{}, {}]", end(low), end(high))
}

/// A value of a metric in its own unit.
pub fn metric(metric: Metric, value: f64) -> String {
    match metric.dimension() {
        Dimension::Rate => rate(value),
        Dimension::Time | Dimension::CpuTime => duration(value),
        Dimension::Size => bytes(value),
        Dimension::Share => percent(value),
        Dimension::Count => number(value),
    }
}

/// A share as a rough percentage, one or two digits: `3 %`, `0.4 %`, `<0.1 %`.
pub fn about(share: f64) -> String {
    let percent = share * 100.0;
    if !percent.is_finite() {
        NOTHING.to_owned()
    } else if percent < 0.05 {
        "<0.1 %".to_owned()
    } else if percent < 0.95 {
        format!("{percent:.1} %")
    } else {
        format!("{} %", count(percent.round() as u64))
    }
}

fn with_unit(value: f64, unit: &str) -> String {
    if value.is_finite() {
        format!("{} {unit}", number(value))
    } else {
        NOTHING.to_owned()
    }
}

/// So many of something: `1 request`, `2,000 requests`.
pub fn counted(value: u64, noun: &str) -> String {
    let plural = if value == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", count(value))
}

#[cfg(test)]
mod tests;
