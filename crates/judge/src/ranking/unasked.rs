use record::{Criterion, Metric, Plan, Ranking, Rival, Variant};

use crate::matrix::{Factor, matrices};

/// What a ranking goes by when its plan does not say.
pub const USUAL: [Metric; 4] = [
    Metric::Throughput,
    Metric::P99,
    Metric::CpuPerRequest,
    Metric::PeakMemory,
];

/// Rankings of the matrices that no ranking of the plan is about: their rivals are what the matrix tries, over all
/// the loads that it tries them under.
pub(super) fn rankings(plan: &Plan) -> Vec<Ranking> {
    let families = matrices(&plan.variants).into_iter();
    let asked = |family: &str| plan.rankings.iter().any(|known| is_about(known, family));
    let unasked = families.filter(|of| !asked(of.name)).filter_map(|of| {
        let factors = of.factors.iter();
        let kept = factors.filter(|factor| !is_of_the_load(plan, &of.variants, factor.name));
        ranking(of.name, &of.variants, &kept.collect::<Vec<_>>())
    });
    unasked.collect()
}

fn is_about(ranking: &Ranking, family: &str) -> bool {
    let of = |rival: &Rival| rival.variants.split('@').next() == Some(family);
    ranking.of.iter().any(of)
}

fn ranking(family: &str, variants: &[&Variant], factors: &[&Factor]) -> Option<Ranking> {
    let mut of: Vec<Rival> = Vec::new();
    for variant in variants {
        let levels = factors.iter().filter_map(|factor| {
            let level = factor.level_of(variant)?;
            Some(format!("{}={level}", factor.name))
        });
        let levels: Vec<String> = levels.collect();
        let variants = format!("{family}@{}", levels.join(","));
        if of.iter().all(|known| known.variants != variants) {
            let reported = None;
            of.push(Rival { variants, reported });
        }
    }
    let by = USUAL.map(|metric| Criterion {
        metric,
        levels: None,
    });
    (of.len() > 1 && !factors.is_empty()).then(|| Ranking {
        name: family.to_owned(),
        title: format!("All of `{family}`"),
        of,
        by: by.into(),
    })
}

/// Whether a factor is how variants are loaded, and not what they are: no two of its levels share a load.
fn is_of_the_load(plan: &Plan, variants: &[&Variant], factor: &str) -> bool {
    let level = |variant: &Variant| {
        let levels = &variant.sweep.as_ref()?.levels;
        let mut levels = levels.iter().filter(|level| level.factor == factor);
        Some(levels.next()?.level.clone())
    };
    let same_load = |one: &Variant, other: &Variant| plan.load_of(one) == plan.load_of(other);
    let shares =
        |one: &Variant, other: &Variant| level(one) != level(other) && same_load(one, other);
    let alike = |one: &&Variant| variants.iter().any(|other| shares(one, other));
    !variants.iter().any(alike)
}
