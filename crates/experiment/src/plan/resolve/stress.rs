//! Whether the variants of a plan can be put under stress.

use record::{Plan, Variant};

use crate::requests::requests_write;

/// Why they cannot, and what to write instead: a load that looks for a rate has no window to which trouble could be added, and
/// of requests that write nobody could say how many there would be. Variants whose route writes are left out, unless all do.
pub(super) fn impossible(plan: &Plan) -> Option<(String, &'static str)> {
    let loaded = plan.variants.iter().filter(|of| of.client.is_none());
    let loaded: Vec<&Variant> = loaded.collect();
    if plan.stress.is_empty() || loaded.is_empty() {
        return None;
    }
    let of = |is: fn(&Plan, &Variant) -> bool| loaded.iter().find(|of| is(plan, of));
    if let Some(variant) = of(|plan, of| plan.load_of(of).goal.is_some()) {
        let problem = format!(
            "`{}` looks for a rate (`goal`), so that there is no load to which trouble could be added",
            variant.name
        );
        return Some((problem, "leave out `stress` or `goal`"));
    }
    if let Some(variant) = of(|plan, of| requests_write(plan.load_of(of))) {
        let problem = format!(
            "the `mix` of `{}` has requests that write, and how many would be sent is not known",
            variant.name
        );
        return Some((
            problem,
            "leave out `stress`, or write a mix that only reads",
        ));
    }
    let all_write = loaded.iter().all(|of| plan.route_writes(of));
    all_write.then(|| {
        let problem = format!(
            "`{}` writes, and how many of its requests would be sent is not known",
            loaded[0].route
        );
        (problem, "leave out `stress`, or load a route with GET")
    })
}

#[cfg(test)]
mod tests {
    use record::{App, Load, Method, Route, Stress};

    use super::*;

    fn plan(routes: &[&str]) -> Plan {
        let post = Route {
            method: Method::Post,
            ..Route::get("/orders")
        };
        let variant = |route: &&str| Variant {
            name: "one".to_owned(),
            route: (*route).to_owned(),
            ..Variant::default()
        };
        Plan {
            app: App {
                routes: vec![Route::get("/"), post],
                ..App::default()
            },
            variants: routes.iter().map(variant).collect(),
            stress: vec![Stress::TwiceTheLoad],
            ..Plan::default()
        }
    }

    #[test]
    fn what_writes_or_looks_for_a_rate_is_refused() {
        let (read, both) = (plan(&["/"]), plan(&["/", "POST /orders"]));
        assert_eq!((impossible(&read), impossible(&both)), (None, None));
        let mut writing = plan(&["POST /orders"]);
        let (problem, _) = impossible(&writing).unwrap();
        assert!(problem.starts_with("`POST /orders` writes"), "{problem}");
        writing.stress.clear();
        assert_eq!(impossible(&writing), None);
        let searching = Plan {
            load: Load {
                goal: Some("p99 < 1s".to_owned()),
                ..Load::default()
            },
            ..read
        };
        let (problem, hint) = impossible(&searching).unwrap();
        assert!(problem.contains("looks for a rate"), "{problem}");
        assert!(hint.contains("`goal`"), "{hint}");
    }
}
