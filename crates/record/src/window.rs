use serde::{Deserialize, Serialize};

/// A window in slices.
#[derive(Clone, Copy, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct SliceFacts {
    /// How many there were.
    pub count: u32,
    /// Seconds of load before each that led in to it, and are in no figure.
    pub lead: f64,
    /// Requests that ended in them.
    pub led: u64,
}

/// One slice of the measured window.
#[derive(Clone, Copy, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Interval {
    /// End of the slice, seconds since the window opened.
    pub until: f64,
    /// Requests completed in it.
    pub completed: u64,
}

/// The last requests of a window by count, where they lowered its throughput: slots that were through had nothing left to
/// send meanwhile.
#[derive(Clone, Copy, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Tail {
    /// How many there were: of all ends of the window the one that cost it most time.
    pub requests: u64,
    /// Seconds from the end of the request before them to the end of the window.
    pub seconds: f64,
}

impl Tail {
    /// Seconds by which they took longer than as many took before them, in a window of so many `seconds` and `requests`; 0
    /// where there were no others.
    pub fn lost(self, seconds: f64, requests: u64) -> f64 {
        let before = requests.saturating_sub(self.requests);
        if before == 0 {
            return 0.0;
        }
        let each = (seconds - self.seconds) / before as f64;
        self.seconds - self.requests as f64 * each
    }
}

/// The load that was applied and thrown away before measuring.
#[derive(Clone, Copy, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct WarmUp {
    /// Requests answered.
    pub requests: u64,
    /// Requests that failed or timed out; a warm-up that only fails is a doubt.
    pub failed: u64,
    /// Seconds it took.
    pub seconds: f64,
    /// Whether rate and median had become stationary, if it was to last until then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stationary: Option<bool>,
    /// Seconds from sent to answered of a request while no other was under way, the median of a few: of those that a warm-up
    /// with several connections begins with, or of a load of the same run over one connection. Absent where nobody knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alone: Option<f64>,
}

#[cfg(test)]
mod tests {
    use super::Tail;

    #[test]
    fn the_last_requests_lose_what_as_many_before_them_did_not_take() {
        let tail = |requests, seconds| Tail { requests, seconds };
        // 900 in 9 s, then 100 in 1 s: as quick as the others
        assert!(tail(100, 1.0).lost(10.0, 1_000).abs() < 1e-9);
        let lost = tail(3, 1.0).lost(2.0, 1_000);
        assert!((lost - (1.0 - 3.0 / 997.0)).abs() < 1e-9, "{lost}");
        let alone = tail(10, 1.0).lost(1.0, 10);
        assert!(alone.abs() < 1e-9, "there are no others: {alone}");
    }
}
