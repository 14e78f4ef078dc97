//! A variant at a level that its file does not name.

use record::{Level, Plan, Refine, Setting, Sweep, Variant};

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
    let setting = Setting {
        key: refine.path.clone(),
        value: level,
    };
    variant.set(&setting, &plan.load).then_some(variant)
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

#[cfg(test)]
mod tests {
    use record::Choice;

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
}
