use std::io;
use std::time::Duration;

use hdrhistogram::serialization::V2DeflateSerializer;
use hdrhistogram::serialization::interval_log::{IntervalLogWriterBuilder, Tag};

use crate::Distribution;

/// Times of one stretch of a load.
#[derive(Clone, Debug, PartialEq)]
pub struct Stretch<'a> {
    /// What was timed: letters, digits and dashes.
    pub name: &'a str,
    /// Seconds since the window opened.
    pub from: f64,
    /// Seconds.
    pub length: f64,
    /// The times.
    pub times: &'a Distribution,
}

/// Writes times as `HdrHistogram`'s interval log (version 1.3, histograms in the compressed V2
/// encoding), which its readers in Java, Python, Go, JavaScript and Rust understand.
///
/// Values are nanoseconds; the column with each interval's maximum is in milliseconds, as is the
/// habit of that format. Seconds count from the opening of the window.
///
/// # Errors
/// The writer's own.
///
/// # Panics
/// When a name is not one word; they are constants.
pub fn interval_log(out: &mut impl io::Write, stretches: &[Stretch]) -> io::Result<()> {
    let mut serializer = V2DeflateSerializer::new();
    let mut log = IntervalLogWriterBuilder::new()
        .add_comment("[weir: response and service times in nanoseconds]")
        .with_max_value_divisor(1e6)
        .begin_log_with(out, &mut serializer)?;
    for stretch in stretches {
        let tag = Tag::new(stretch.name).expect("names of times are words");
        log.write_histogram(
            stretch.times.histogram(),
            Duration::from_secs_f64(stretch.from),
            Duration::from_secs_f64(stretch.length),
            Some(tag),
        )
        .map_err(|error| io::Error::other(format!("{error:?}")))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use hdrhistogram::Histogram;
    use hdrhistogram::serialization::Deserializer;
    use hdrhistogram::serialization::interval_log::{IntervalLogIterator, LogEntry};

    use super::*;

    #[test]
    fn reads_back_as_its_own_format() {
        let mut times = Distribution::default();
        (1..=500_u64).for_each(|ms| times.record(ms * 1_000_000));
        let stretch = |from: f64| Stretch {
            name: "response",
            from,
            length: 1.0,
            times: &times,
        };
        let mut text = Vec::new();
        interval_log(&mut text, &[stretch(0.0), stretch(1.0)]).unwrap();
        let read: Vec<_> = IntervalLogIterator::new(&text)
            .map(|entry| entry.unwrap())
            .filter_map(|entry| match entry {
                LogEntry::Interval(interval) => Some(interval),
                _ => None,
            })
            .collect();
        assert_eq!(read.len(), 2);
        for interval in read {
            assert_eq!(interval.tag().unwrap().as_str(), "response");
            assert!((interval.max() - 500.0).abs() < 0.5, "{}", interval.max());
            let bytes = STANDARD.decode(interval.encoded_histogram()).unwrap();
            let histogram: Histogram<u64> = Deserializer::new()
                .deserialize(&mut bytes.as_slice())
                .unwrap();
            assert_eq!(histogram.len(), 500);
        }
    }
}
