//! Whether a stored run is one of this plan.

use std::collections::BTreeMap;

use record::{Plan, Variant};

use crate::run::estimate::unseeded;

/// Whether two plans try the same things in the same way, however often, in whatever order and time, and
/// whatever is claimed of them. A plan whose rates are shares of a capacity is that of its runs, which have measured it.
pub fn same(one: &Plan, other: &Plan) -> bool {
    bare(&one.at_capacity_of(other)) == bare(&other.at_capacity_of(one))
}

fn bare(plan: &Plan) -> Plan {
    let variant = |variant: &Variant| Variant {
        load: variant.load.as_ref().map(unseeded),
        ..variant.clone()
    };
    Plan {
        load: unseeded(&plan.load),
        variants: plan.variants.iter().map(variant).collect(),
        blocks: 1,
        at_least: None,
        seed: 0,
        budget: None,
        shared: false,
        claims: Vec::new(),
        not_tried: Vec::new(),
        differs: Vec::new(),
        to_deploy: false,
        revisions: BTreeMap::new(),
        ..plan.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::order::tests::plan;

    #[test]
    fn what_is_tried_counts_and_how_often_does_not() {
        let one = plan(1, None, 6);
        let mut other = plan(2, None, 1);
        other.budget = Some(60.0);
        other.not_tried = vec![record::NotTried {
            names: vec!["c".to_owned()],
            why: "the budget".to_owned(),
            how: None,
        }];
        other.differs = vec!["one machine stands for two".to_owned()];
        other.revisions = [("/srv/shop".to_owned(), "4b1c9d2".to_owned())].into();
        assert!(same(&one, &other));
        other.variants[1].load = Some(record::Load::default());
        assert!(!same(&one, &other));
        assert!(!same(&one, &plan(1, Some("a"), 6)));
    }

    #[test]
    fn a_run_that_has_measured_a_capacity_is_one_of_its_plan() {
        let mut shares = plan(1, None, 6);
        shares.load.shape = record::Shape::Open(record::Arrivals {
            process: record::Process::Poisson,
            segments: record::Arrivals::steady(0.3),
            max_outstanding: 100,
            seed: 1,
        });
        let rates = shares.clone();
        shares.of_capacity = Some(record::OfCapacity::of("a".to_owned()));
        let known = shares.at_capacity(231.7);
        assert!(same(&known, &shares) && same(&shares, &known));
        assert!(!same(&known, &rates) && !same(&shares, &rates));
        assert!(!same(&known, &shares.at_capacity(9.0)));
    }
}
