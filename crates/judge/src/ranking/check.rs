use record::metric::{Dimension, Of};
use record::{Level, Metric, Ranking, Variant};

use crate::words::{listed, meant};
use record::condition::select;

/// Why a ranking makes no sense.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankingFlaw {
    /// The key of the plan: `of[0]`, `by[1]`.
    pub key: String,
    /// What is wrong with it.
    pub problem: String,
    /// What to write instead.
    pub hint: String,
}

impl RankingFlaw {
    fn new(key: impl Into<String>, problem: impl Into<String>, hint: impl Into<String>) -> Self {
        let (key, problem, hint) = (key.into(), problem.into(), hint.into());
        Self { key, problem, hint }
    }
}

/// Whether a ranking's rivals and criteria are there, and can be ranked.
///
/// # Errors
/// The first that is not, or cannot.
pub fn check_ranking(ranking: &Ranking, variants: &[Variant]) -> Result<(), RankingFlaw> {
    for (place, rival) in ranking.of.iter().enumerate() {
        let key = format!("of[{place}]");
        if let Err((problem, hint)) = select(variants, &rival.variants) {
            return Err(RankingFlaw::new(key, problem, hint));
        }
        let mut before = ranking.of[..place].iter();
        if before.any(|of| of.variants == rival.variants) {
            let problem = format!("`{}` stands there twice", rival.variants);
            return Err(RankingFlaw::new(key, problem, "name each rival once"));
        }
    }
    if ranking.of.len() < 2 {
        let hint = "name two variants or more, or a family and `each = \"FACTOR\"`";
        return Err(RankingFlaw::new("of", "nothing to compare with", hint));
    }
    for (place, criterion) in ranking.by.iter().enumerate() {
        let key = format!("by[{place}]");
        if let Some(wrong) = not_ranked(criterion.metric) {
            let hint = "errors keep a rival out of a ranking anyway";
            return Err(RankingFlaw::new(key, wrong, hint));
        }
        for rival in &ranking.of {
            select(variants, &rival.at(criterion))
                .map_err(|(problem, hint)| RankingFlaw::new(&key, problem, hint))?;
        }
    }
    if ranking.by.is_empty() {
        let hint = "name a metric: `by = [\"throughput\"]`";
        return Err(RankingFlaw::new("by", "is empty", hint));
    }
    Ok(())
}

/// Shares may be zero, and zero has no ratio.
fn not_ranked(metric: Metric) -> Option<String> {
    let row = metric.row();
    let share = row.of == Of::Errors && row.dimension != Dimension::Rate;
    share.then(|| format!("nothing is ranked by `{}`", metric.name()))
}

/// A family's levels of one factor, as names of variants: its rivals where each level is one.
///
/// # Errors
/// No family is called so, or it does not vary by the factor.
pub fn rivals_by(
    variants: &[Variant],
    family: &str,
    factor: &str,
) -> Result<Vec<String>, RankingFlaw> {
    let chosen = select(variants, family)
        .map_err(|(problem, hint)| RankingFlaw::new("of", problem, hint))?;
    let levels = || chosen.iter().filter_map(|variant| variant.sweep.as_ref());
    let levels = || levels().flat_map(|sweep| &sweep.levels);
    let mut names: Vec<String> = Vec::new();
    let is = |level: &&Level| level.factor == factor;
    for level in levels().filter(is) {
        let at = if family.contains('@') { ',' } else { '@' };
        let name = format!("{family}{at}{factor}={}", level.level);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    if names.is_empty() {
        let mut known: Vec<&str> = levels().map(|level| level.factor.as_str()).collect();
        known.sort_unstable();
        known.dedup();
        let problem = format!("`{family}` does not vary by `{factor}`");
        let hint = meant(factor, known.iter().copied(), || match &known[..] {
            [] => "give it factors with `vary`".to_owned(),
            _ => format!("it varies by {}", listed(known.iter().copied())),
        });
        return Err(RankingFlaw::new("each", problem, hint));
    }
    Ok(names)
}
