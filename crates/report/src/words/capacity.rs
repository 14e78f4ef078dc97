use record::Plan;

use super::list;
use crate::units;

/// What the rates of a plan are shares of: `` 0.0170 and 0.500 of the capacity of `pool`, 2,360 requests/s ``, or that it is not known
/// yet. None where they are no shares.
pub fn shares(plan: &Plan) -> Option<String> {
    let of = plan.of_capacity.as_ref()?;
    let loads = plan.variants.iter().map(|variant| plan.load_of(variant));
    let arrivals = loads.filter_map(|load| load.shape.arrivals());
    let segments = arrivals.flat_map(|arrivals| &arrivals.segments);
    let mut shares: Vec<String> = Vec::new();
    for rate in segments.flat_map(|segment| [segment.from, segment.to]) {
        let share = units::number(rate / of.rate.unwrap_or(1.0));
        if !shares.contains(&share) {
            shares.push(share);
        }
    }
    let known = match of.rate {
        Some(rate) => format!("{} requests/s", units::number(rate)),
        None => "which the run measures first".to_owned(),
    };
    let shares = list(&shares);
    Some(format!(
        "{shares} of the capacity of `{}`, {known}",
        of.variant
    ))
}
