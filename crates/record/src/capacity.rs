use serde::{Deserialize, Serialize};

use crate::{Plan, Shape};

/// What the rates of a plan are shares of: the throughput of one of its variants in a closed loop.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct OfCapacity {
    /// The variant.
    pub variant: String,
    /// That throughput, in requests per second, which a run measures before its first block. From then on the rates of its
    /// plan are requests per second, too. Absent before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<f64>,
}

impl OfCapacity {
    /// The capacity of this variant, which is not known yet.
    pub fn of(variant: String) -> Self {
        Self {
            variant,
            rate: None,
        }
    }
}

impl Plan {
    /// The variant whose capacity is still to be measured, as rates are shares of it; none where rates are requests per second.
    pub fn open_capacity(&self) -> Option<&str> {
        let of = self.of_capacity.as_ref().filter(|of| of.rate.is_none())?;
        Some(&of.variant)
    }

    /// The same with rates in requests per second, where they are shares of a capacity that comes to `rate`, in requests per
    /// second.
    #[must_use]
    pub fn at_capacity(&self, rate: f64) -> Self {
        let mut plan = self.clone();
        let Some(variant) = self.open_capacity() else {
            return plan;
        };
        plan.of_capacity = Some(OfCapacity {
            variant: variant.to_owned(),
            rate: Some(rate),
        });
        let own = plan.variants.iter_mut();
        let own = own.filter_map(|variant| variant.load.as_mut());
        for load in own.chain([&mut plan.load]) {
            if let Shape::Open(arrivals) = &mut load.shape {
                arrivals.scale(rate);
            }
        }
        plan
    }

    /// The same at the capacity that was measured for another plan, where that was.
    #[must_use]
    pub fn at_capacity_of(&self, other: &Self) -> Self {
        let known = other.of_capacity.as_ref().and_then(|of| of.rate);
        known.map_or_else(|| self.clone(), |rate| self.at_capacity(rate))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Load, LoadSpec, Variant};

    fn load(keys: &str) -> Load {
        let spec: LoadSpec = toml::from_str(keys).unwrap();
        spec.resolve(2, 1).unwrap()
    }

    fn variant(name: &str, load: Option<Load>) -> Variant {
        Variant {
            name: name.to_owned(),
            load,
            ..Variant::default()
        }
    }

    fn plan(of_capacity: Option<OfCapacity>) -> Plan {
        Plan {
            load: load("steps = [0.1, 0.5]\nseconds = 2"),
            variants: vec![
                variant("a", None),
                variant("b", Some(load("rate = 2"))),
                variant("c", Some(load("think = 0.1"))),
            ],
            of_capacity,
            ..Plan::default()
        }
    }

    fn rates(plan: &Plan) -> Vec<String> {
        let loads = plan.variants.iter().map(|of| plan.load_of(of));
        let open = loads.filter_map(|load| load.shape.arrivals());
        open.map(|of| of.highest_rate().to_string()).collect()
    }

    #[test]
    fn shares_become_rates_once() {
        let open = plan(Some(OfCapacity::of("a".to_owned())));
        assert_eq!(open.open_capacity(), Some("a"));
        let known = open.at_capacity(200.0);
        assert_eq!(known.open_capacity(), None);
        assert_eq!(rates(&known), ["100", "400"]);
        let segments = &known.load.shape.arrivals().unwrap().segments;
        assert!((segments[0].from - 20.0).abs() < 1e-9 && segments[0].is_steady());
        assert!((segments[0].seconds - 1.0).abs() < 1e-9);
        assert_eq!(known.variants[2].load, open.variants[2].load);
        assert_eq!(known.at_capacity(9.0), known);
        assert_eq!(open.at_capacity_of(&known), known);
        assert_eq!(open.at_capacity_of(&open), open);
    }

    #[test]
    fn rates_of_other_plans_are_requests_per_second() {
        let usual = plan(None);
        assert_eq!(usual.open_capacity(), None);
        assert_eq!(usual.at_capacity(200.0), usual);
    }
}
