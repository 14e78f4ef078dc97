use crate::interval::{Estimate, NORMAL};

/// The share of a sample's members that have a property, with its 95 % interval: Wilson's score interval ("Probable
/// Inference, the Law of Succession, and Statistical Inference", JASA 22, 1927), which stays within 0 and 1 and holds
/// for few members and for shares near the ends. `None` for an empty sample.
pub fn share_estimate(with: u64, of: u64) -> Option<Estimate> {
    if of == 0 {
        return None;
    }
    let (count, share) = (of as f64, with as f64 / of as f64);
    let square = NORMAL * NORMAL;
    let center = (share + square / (2.0 * count)) / (1.0 + square / count);
    let scatter = share * (1.0 - share) / count + square / (4.0 * count * count);
    let half = NORMAL / (1.0 + square / count) * scatter.sqrt();
    // at the ends it is exact, and rounding is not
    let low = if with == 0 {
        0.0
    } else {
        (center - half).max(0.0)
    };
    let high = if with == of {
        1.0
    } else {
        (center + half).min(1.0)
    };
    let interval = (low, high);
    Some(Estimate {
        value: share,
        interval: Some(interval),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in Medicine 17 (1998), table I.
    #[test]
    fn it_is_as_published() {
        for (with, of, low, high) in [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0, 0.1611),
            (1, 29, 0.0061, 0.1718),
        ] {
            let (from, until) = share_estimate(with, of).unwrap().interval.unwrap();
            assert!(
                (from - low).abs() < 5e-5 && (until - high).abs() < 5e-5,
                "{from} {until}"
            );
        }
        assert_eq!(share_estimate(0, 0), None);
        let ends = |with, of| share_estimate(with, of).unwrap().interval.unwrap();
        assert_eq!((ends(0, 393).0, ends(393, 393).1), (0.0, 1.0));
    }
}
