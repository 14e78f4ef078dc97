use record::{Criterion, Metric, Plan, Ranking, Rival, Stage};

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
    let families = matrices(&plan.stages).into_iter();
    families
        .filter(|of| !plan.rankings.iter().any(|known| is_about(known, of.name)))
        .filter_map(|of| {
            let stages: Vec<&Stage> = of.stages.clone();
            let kept: Vec<&Factor> = of
                .factors
                .iter()
                .filter(|factor| !is_of_the_load(plan, &stages, factor.name))
                .collect();
            ranking(of.name, &stages, &kept)
        })
        .collect()
}

fn is_about(ranking: &Ranking, family: &str) -> bool {
    let of = |rival: &Rival| rival.stages.split('@').next() == Some(family);
    ranking.of.iter().any(of)
}

fn ranking(family: &str, stages: &[&Stage], factors: &[&Factor]) -> Option<Ranking> {
    let mut of: Vec<Rival> = Vec::new();
    for stage in stages {
        let levels = factors.iter().filter_map(|factor| {
            let level = factor.level_of(stage)?;
            Some(format!("{}={level}", factor.name))
        });
        let levels: Vec<String> = levels.collect();
        let stages = format!("{family}@{}", levels.join(","));
        if of.iter().all(|known| known.stages != stages) {
            let reported = None;
            of.push(Rival { stages, reported });
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

/// Whether a factor is how stages are loaded, and not what they are: no two of its levels share a load.
fn is_of_the_load(plan: &Plan, stages: &[&Stage], factor: &str) -> bool {
    let level = |stage: &Stage| {
        let levels = &stage.sweep.as_ref()?.levels;
        let mut levels = levels.iter().filter(|level| level.factor == factor);
        Some(levels.next()?.level.clone())
    };
    let same_load = |one: &Stage, other: &Stage| plan.load_of(one) == plan.load_of(other);
    !stages.iter().any(|one| {
        stages
            .iter()
            .any(|other| level(one) != level(other) && same_load(one, other))
    })
}
