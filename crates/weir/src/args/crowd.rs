//! Who is there beside the connections that are measured.

use clap::Args;
use record::Crowd;

#[derive(Debug, Args)]
#[command(next_help_heading = "Background connections")]
pub(crate) struct CrowdArgs {
    /// Idle connections: one request each, then open and silent
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub(crate) idle: u32,
    /// Connections that read responses slowly
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub(crate) slow_readers: u32,
    /// Connections that send requests slowly
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub(crate) slow_writers: u32,
    /// Speed of each slow connection, as in 10B/s or 20KB/s
    #[arg(long, default_value = "1KB/s", value_name = "RATE", value_parser = bytes_per_second)]
    pub(crate) slow_rate: f64,
    /// Connections per second that send all or half of a request and are reset, as in 50/s
    #[arg(long, default_value = "0/s", value_name = "N/s", value_parser = per_second)]
    pub(crate) resets: f64,
}

impl CrowdArgs {
    pub(crate) fn crowd(&self) -> Crowd {
        Crowd {
            idle: self.idle,
            slow_readers: self.slow_readers,
            slow_writers: self.slow_writers,
            slow_rate: self.slow_rate,
            resets: self.resets,
        }
    }
}

/// `10B/s`, `1KB/s`, `0.5MB/s`, or a plain number of bytes per second. Thousands, not 1024.
fn bytes_per_second(text: &str) -> Result<f64, String> {
    let wrong = || "give bytes per second, such as `100B/s` or `1KB/s`, up to 1MB/s".to_owned();
    let amount = text.strip_suffix("/s").unwrap_or(text);
    let unit_at = amount
        .find(|c: char| !(c.is_ascii_digit() || c == '.'))
        .unwrap_or(amount.len());
    let (number, unit) = amount.split_at(unit_at);
    let scale = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => 1.0,
        "kb" | "k" => 1e3,
        "mb" | "m" => 1e6,
        _ => return Err(wrong()),
    };
    let rate = number.parse::<f64>().map(|number| number * scale);
    rate.ok()
        .filter(|rate| *rate > 0.0 && *rate <= 1e6)
        .ok_or_else(wrong)
}

/// `50/s`, `0.5/s`, or a plain number per second.
fn per_second(text: &str) -> Result<f64, String> {
    text.strip_suffix("/s")
        .unwrap_or(text)
        .parse::<f64>()
        .ok()
        .filter(|rate| (0.0..=1e6).contains(rate))
        .ok_or_else(|| "give a number per second, such as `50/s`".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paces_are_read() {
        assert_eq!(bytes_per_second("1KB/s"), Ok(1_000.0));
        assert_eq!(bytes_per_second("20kB"), Ok(20_000.0));
        assert_eq!(bytes_per_second("0.5B/s"), Ok(0.5));
        assert_eq!(bytes_per_second("250"), Ok(250.0));
        for wrong in [
            "", "0", "-1", "1TB/s", "2MB/s", "KB/s", "1KB/m", "nan", "inf",
        ] {
            assert!(bytes_per_second(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn rates_are_read() {
        assert_eq!(per_second("50/s"), Ok(50.0));
        assert_eq!(per_second("0.5"), Ok(0.5));
        for wrong in ["", "-1/s", "50/m", "x", "nan", "inf"] {
            assert!(per_second(wrong).is_err(), "{wrong}");
        }
    }
}
