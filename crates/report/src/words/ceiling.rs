use judge::Standing;

use super::counted;
use crate::units;

/// Where a load stood under the ceiling: `at 43 % of the 188,000 req/s that 1 thread can make here`.
pub fn standing(standing: &Standing) -> String {
    let floor = standing.floor_p99.map(units::duration);
    let floor = floor.map(|p99| format!("; a server that does nothing has a p99 of {p99}"));
    // what one did, times their number
    let most = if standing.threads > 1 { " at most" } else { "" };
    format!(
        "at {} of the {} that {} can make here{most} of the cheapest request (`weir calibrate`){}",
        units::about(standing.share),
        units::rate(standing.ceiling),
        counted(u64::from(standing.threads), "thread"),
        floor.unwrap_or_default()
    )
}
