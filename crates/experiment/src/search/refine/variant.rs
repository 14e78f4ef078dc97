//! A variant at a level that its file does not name.

use record::{Arrivals, Choice, Knob, Level, Load, Plan, Refine, Shape, Sweep, Variant};

/// The name of a point of a sweep.
pub(crate) fn name(sweep: &Sweep) -> String {
    let levels = sweep.levels.iter();
    let levels: Vec<String> = levels
        .map(|of| format!("{}={}", of.factor, of.level))
        .collect();
    format!("{}@{}", sweep.family, levels.join(","))
}

/// Its levels in words, as they end its title.
pub(crate) fn words(sweep: &Sweep) -> String {
    let levels = sweep.levels.iter();
    let levels: Vec<String> = levels
        .map(|of| format!("{} {}", of.factor, of.level))
        .collect();
    levels.join(", ")
}

/// Another point of the sweep that `other` is a point of, at this level; `None` where the key cannot
/// be set in a variant that is resolved.
pub(crate) fn point(plan: &Plan, other: &Variant, refine: &Refine, level: i64) -> Option<Variant> {
    let mut variant = other.clone();
    let old = variant.sweep.as_ref().map(words)?;
    let sweep = variant.sweep.as_mut()?;
    let of = sweep
        .levels
        .iter_mut()
        .find(|of| of.factor == refine.factor)?;
    *of = Level {
        level: level.to_string(),
        number: Some(level as f64),
        ..of.clone()
    };
    sweep.added = true;
    let (name, new) = (name(sweep), words(sweep));
    variant.title = match variant.title.strip_suffix(&old) {
        Some(title) => format!("{title}{new}"),
        None => name.clone(),
    };
    variant.name = name;
    set(&mut variant, plan, &refine.path, level).then_some(variant)
}

/// Whether `one` is a point of the same curve along `factor` as `other`, at a lower level.
pub(super) fn is_below(one: &Variant, other: &Variant, factor: &str) -> bool {
    let parts = |variant: &Variant| {
        let sweep = variant.sweep.as_ref()?;
        let (along, others): (Vec<&Level>, Vec<&Level>) =
            sweep.levels.iter().partition(|of| of.factor == factor);
        let others: Vec<_> = others
            .into_iter()
            .map(|of| (of.factor.clone(), of.level.clone()))
            .collect();
        Some((sweep.family.clone(), others, along.first()?.number?))
    };
    let (Some(one), Some(other)) = (parts(one), parts(other)) else {
        return false;
    };
    (one.0, one.1) == (other.0, other.1) && one.2 < other.2
}

/// Sets a key of a variant, as plans write it; false where it is none that a number can be set to.
fn set(variant: &mut Variant, plan: &Plan, path: &str, level: i64) -> bool {
    let keys: Vec<&str> = path.split('.').collect();
    match keys[..] {
        ["server", key] => variant
            .server
            .as_mut()
            .is_some_and(|of| set_choice(of, key, level)),
        ["front", key] => match &mut variant.fronts[..] {
            [front] => set_choice(front, key, level),
            _ => false,
        },
        ["front", place, key] => {
            let place = place.parse::<usize>().ok();
            let front = place.and_then(|place| variant.fronts.get_mut(place));
            front.is_some_and(|front| set_choice(front, key, level))
        }
        ["load", key] => set_load(
            variant.load.get_or_insert_with(|| plan.load.clone()),
            key,
            level,
        ),
        _ => false,
    }
}

fn set_choice(choice: &mut Choice, key: &str, level: i64) -> bool {
    match key {
        "entry" | "link" => return false,
        "instances" => match u32::try_from(level) {
            Ok(instances) if instances > 0 => choice.instances = instances,
            _ => return false,
        },
        knob => drop(choice.knobs.insert(knob.to_owned(), Knob::Number(level))),
    }
    true
}

fn set_load(load: &mut Load, key: &str, level: i64) -> bool {
    let count = u32::try_from(level).ok().filter(|count| *count > 0);
    // a page's connections are those of whole visitors
    match (key, count, &mut load.shape) {
        ("connections", Some(count), _) if load.page.is_none() => load.connections = count,
        ("streams", Some(count), _) => load.streams = count,
        ("rate", Some(count), Shape::Open(arrivals)) => {
            arrivals.segments = Arrivals::steady(f64::from(count));
        }
        _ => return false,
    }
    load.make_room();
    true
}

#[cfg(test)]
mod tests {
    use record::{Process, Visitors, Visits};

    use super::*;

    fn variant() -> Variant {
        Variant {
            name: "x@threads=1,connections=10".to_owned(),
            title: "Puma, threads 1, connections 10".to_owned(),
            server: Some(Choice::of("puma")),
            fronts: vec![Choice::of("nginx"), Choice::of("haproxy")],
            sweep: Some(Sweep {
                family: "x".to_owned(),
                levels: [("threads", 1), ("connections", 10)]
                    .map(|(factor, level)| Level {
                        factor: factor.to_owned(),
                        level: level.to_string(),
                        number: Some(f64::from(level)),
                    })
                    .to_vec(),
                added: false,
            }),
            ..Variant::default()
        }
    }

    fn set_to(path: &str, level: i64) -> Option<Variant> {
        let mut variant = variant();
        variant.load = Some(Load::default());
        let plan = crate::run::order::tests::plan(1, None, 8);
        set(&mut variant, &plan, path, level).then_some(variant)
    }

    #[test]
    fn a_point_has_the_names_of_its_level() {
        let plan = crate::run::order::tests::plan(1, None, 8);
        let refine = Refine {
            family: "x".to_owned(),
            factor: "connections".to_owned(),
            path: "load.connections".to_owned(),
            points: 1,
            decided: true,
        };
        let added = point(&plan, &variant(), &refine, 25).unwrap();
        assert_eq!(added.name, "x@threads=1,connections=25");
        assert_eq!(added.title, "Puma, threads 1, connections 25");
        assert_eq!(plan.load_of(&added).connections, 25);
        assert!(added.sweep.as_ref().unwrap().added);
        assert!(is_below(&variant(), &added, "connections"));
        assert!(!is_below(&added, &variant(), "connections"));
        assert!(
            !is_below(&variant(), &added, "threads"),
            "that is another curve"
        );
    }

    #[test]
    fn knobs_instances_and_keys_of_the_load_can_be_set_and_others_cannot() {
        let knob = |of: &Choice| of.knobs.get("threads").cloned();
        let server = set_to("server.threads", 4).unwrap().server.unwrap();
        assert_eq!(knob(&server), Some(Knob::Number(4)));
        assert_eq!(
            set_to("server.instances", 4)
                .unwrap()
                .server
                .unwrap()
                .instances,
            4
        );
        let chain = set_to("front.1.threads", 4).unwrap().fronts;
        assert_eq!(knob(&chain[1]), Some(Knob::Number(4)));
        assert_eq!(set_to("load.streams", 4).unwrap().load.unwrap().streams, 4);
        for path in [
            "front.threads",
            "front.2.threads",
            "server.link",
            "load.rate",
            "load.requests",
            "route",
        ] {
            assert!(set_to(path, 4).is_none(), "{path}");
        }
        assert!(set_to("load.connections", 0).is_none());
    }

    #[test]
    fn a_rate_is_that_of_an_open_loop_and_pages_have_visitors() {
        let mut load = Load {
            shape: Shape::Open(Arrivals {
                process: Process::Poisson,
                segments: Arrivals::steady(10.0),
                max_outstanding: 20,
                seed: 1,
            }),
            ..Load::default()
        };
        assert!(set_load(&mut load, "rate", 50) && set_load(&mut load, "connections", 30));
        let arrivals = load.shape.arrivals().unwrap();
        assert_eq!(
            (arrivals.mean_rate() as i64, arrivals.max_outstanding),
            (50, 30)
        );
        load.page = Some(Visitors {
            connections: 6,
            visits: Visits::Both,
        });
        assert!(!set_load(&mut load, "connections", 30));
    }
}
