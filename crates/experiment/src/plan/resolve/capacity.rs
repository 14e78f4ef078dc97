//! Whether the rates of a plan can be shares of a capacity.

use record::{Arrivals, Load, Plan};

/// The largest share: more than this is a rate in requests per second.
const MOST: f64 = 100.0;

/// Why they cannot, and what to write instead.
pub(super) fn impossible(plan: &Plan) -> Option<(String, String)> {
    let of = plan.open_capacity()?;
    let Some(variant) = plan.variant(of) else {
        let names = record::listed(plan.variants.iter().map(|of| &of.name));
        let hint = format!("use one of {names}");
        return Some((format!("no variant is called `{of}`"), hint));
    };
    if variant.client.is_some() {
        let problem = format!("`{of}` is a client, which has no capacity");
        return Some((problem, "name a variant that serves".to_owned()));
    }
    let mut loads = plan.variants.iter().map(|of| (of, plan.load_of(of)));
    if let Some((variant, _)) = loads.clone().find(|(_, load)| load.goal.is_some()) {
        let problem = format!("`{}` looks for a rate of its own (`goal`)", variant.name);
        return Some((problem, "leave out `of-capacity` or `goal`".to_owned()));
    }
    if !loads.clone().any(|(_, load)| highest(load) > 0.0) {
        let problem = "has no effect without a rate".to_owned();
        return Some((problem, "give `rate = 0.5` too, or leave it out".to_owned()));
    }
    if let Some((variant, load)) = loads.find(|(_, load)| highest(load) > MOST) {
        let problem = format!(
            "rates are shares of the capacity of `{of}`, at most {MOST}, and `{}` has {}",
            variant.name,
            highest(load)
        );
        let hint = "write `rate = 0.5` for half of it, or leave out `of-capacity`";
        return Some((problem, hint.to_owned()));
    }
    let refined = plan.refine.iter().any(|of| of.path == "load.rate");
    refined.then(|| {
        let problem = "points can be added along rates in requests per second only".to_owned();
        (problem, "leave out `of-capacity` or `refine`".to_owned())
    })
}

/// The highest rate of a load; 0 of a closed loop.
fn highest(load: &Load) -> f64 {
    load.shape.arrivals().map_or(0.0, Arrivals::highest_rate)
}

#[cfg(test)]
mod tests {
    use record::{Client, OfCapacity, Process, Refine, Shape, Variant};

    use super::*;

    fn at(rate: f64) -> Load {
        Load {
            shape: Shape::Open(Arrivals {
                process: Process::Poisson,
                segments: Arrivals::steady(rate),
                max_outstanding: Arrivals::MAX_OUTSTANDING,
                seed: 1,
            }),
            ..Load::default()
        }
    }

    /// A plan with the variants `a` and `b`, at half of the capacity of `b`.
    fn plan() -> Plan {
        let variant = |name: &str| Variant {
            name: name.to_owned(),
            ..Variant::default()
        };
        Plan {
            load: at(0.5),
            of_capacity: Some(OfCapacity::of("b".to_owned())),
            variants: vec![variant("a"), variant("b")],
            ..Plan::default()
        }
    }

    fn refused(change: fn(&mut Plan), words: &str) {
        let mut plan = plan();
        change(&mut plan);
        let (problem, hint) = impossible(&plan).expect(words);
        assert!(problem.contains(words), "{problem}");
        assert!(!hint.is_empty(), "{problem}");
    }

    #[test]
    fn shares_are_for_plans_with_rates_and_a_server_that_has_a_capacity() {
        assert_eq!(impossible(&plan()), None);
        assert_eq!(impossible(&Plan::default()), None);
        refused(
            |plan| plan.of_capacity = Some(OfCapacity::of("c".to_owned())),
            "no variant is called `c`",
        );
        refused(
            |plan| plan.variants[1].client = Some(Client::of(Vec::new(), ".".into())),
            "`b` is a client",
        );
        refused(
            |plan| plan.load.goal = Some("p99 < 1s".to_owned()),
            "`a` looks for a rate",
        );
        refused(|plan| plan.load = Load::default(), "without a rate");
        refused(
            |plan| plan.variants[0].load = Some(at(500.0)),
            "at most 100, and `a` has 500",
        );
        refused(
            |plan| {
                plan.refine.push(Refine {
                    family: "a".to_owned(),
                    factor: "rate".to_owned(),
                    path: "load.rate".to_owned(),
                    points: 2,
                    decided: false,
                });
            },
            "points can be added",
        );
    }

    #[test]
    fn one_variant_with_a_rate_is_enough() {
        let mut plan = plan();
        plan.load = Load::default();
        plan.variants[0].load = Some(at(100.0));
        assert_eq!(impossible(&plan), None);
    }
}
