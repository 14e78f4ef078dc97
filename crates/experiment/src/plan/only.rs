//! Some variants of a plan, and what is asked of these alone.

use std::collections::BTreeSet;

use record::condition::select;
use record::{Claim, Condition, NotTried, Plan, Ranking};

/// Leaves a plan the variants of these names, as conditions write them, and of what is asked those claims and rankings
/// that are about no others. What is left out with the others, and what takes their place, line by line.
///
/// # Errors
/// The first name that means no variant of the plan: what is wrong with it, and what may have been meant.
pub fn only(plan: &mut Plan, names: &[String]) -> Result<Vec<String>, (String, String)> {
    let kept = meant(plan, names)?;
    let whole = plan.clone();
    let is_kept = |name: &String| kept.contains(name);
    let about_kept = |condition: &Condition| {
        let means = condition.means.as_ref();
        means.is_ok_and(|means| means.variants(&whole).iter().all(is_kept))
    };
    let stays = |claim: &Claim| claim.expect.iter().all(about_kept);
    let ranks = |ranking: &Ranking| ranking.rivals(&whole).iter().all(is_kept);
    let is_split = |family: &str| {
        let own = whole.variants.iter().filter(|of| !is_kept(&of.name));
        let mut sweeps = own.filter_map(|of| of.sweep.as_ref());
        sweeps.any(|sweep| sweep.family == family)
    };
    plan.variants.retain(|variant| is_kept(&variant.name));
    plan.claims.retain(stays);
    let claims = plan.claims.iter_mut();
    claims.for_each(|claim| claim.since_expect.retain(about_kept));
    plan.rankings.retain(ranks);
    plan.refine.retain(|refine| !is_split(&refine.family));
    plan.whole.retain(is_kept);
    let mut told = Vec::new();
    let claims = whole.claims.iter().filter(|claim| !stays(claim));
    told.extend(without("claims", claims.map(|claim| claim.id.as_str())));
    let rankings = whole.rankings.iter().filter(|ranking| !ranks(ranking));
    told.extend(without("rankings", rankings.map(|of| of.name.as_str())));
    if !is_kept(&plan.baseline) {
        let (first, before) = (plan.variants[0].name.clone(), &plan.baseline);
        told.push(format!(
            "`{before}` is left out: the others are compared with `{first}`"
        ));
        plan.baseline = first;
    }
    if plan.noise_floor.as_ref().is_some_and(|name| !is_kept(name)) {
        plan.noise_floor = Some(plan.baseline.clone());
    }
    let others = whole.variants.into_iter().map(|variant| variant.name);
    let others: Vec<String> = others.filter(|name| !kept.contains(name)).collect();
    if !others.is_empty() {
        plan.not_tried.push(NotTried {
            names: others,
            why: "left out by `--variants`".to_owned(),
            how: None,
        });
    }
    Ok(told)
}

/// The variants that these names mean, which were one text with commas between them: a family's levels have commas of
/// their own.
fn meant(plan: &Plan, names: &[String]) -> Result<BTreeSet<String>, (String, String)> {
    let mut kept = BTreeSet::new();
    let mut rest = names;
    while !rest.is_empty() {
        let means = |pieces: usize| select(&plan.variants, &rest[..pieces].join(","));
        let mut longest = (1..=rest.len()).rev();
        let pieces = longest.find(|pieces| means(*pieces).is_ok()).unwrap_or(1);
        let variants = means(pieces)?;
        kept.extend(variants.into_iter().map(|variant| variant.name.clone()));
        rest = &rest[pieces..];
    }
    Ok(kept)
}

/// What is said of claims or rankings that are about variants which are left out, too.
fn without<'a>(what: &str, names: impl Iterator<Item = &'a str>) -> Option<String> {
    let names: Vec<&str> = names.collect();
    let all = names.join(", ");
    (!names.is_empty()).then(|| format!("{what} left out, as they are about others too: {all}"))
}

#[cfg(test)]
mod tests {
    use record::{Level, Sweep};

    use super::*;

    fn claim(id: &str, expect: &str, since: &str) -> Claim {
        Claim {
            id: id.to_owned(),
            text: String::new(),
            reported: String::new(),
            required: false,
            expect: vec![Condition::read(expect)],
            since: None,
            demand: None,
            peak: None,
            differs: Vec::new(),
            since_expect: vec![Condition::read(since)],
        }
    }

    /// A plan of the variants `a` and `b`, and a family `x` of two.
    fn all() -> Plan {
        let mut plan = crate::run::order::tests::plan(1, Some("a"), 6);
        for (variant, level) in plan.variants[2..].iter_mut().zip(1_u32..) {
            let levels = [("workers", 1), ("threads", level)].map(|(factor, level)| Level {
                factor: factor.to_owned(),
                level: level.to_string(),
                number: Some(f64::from(level)),
            });
            variant.name = format!("x@workers=1,threads={level}");
            variant.sweep = Some(Sweep {
                family: "x".to_owned(),
                levels: levels.into(),
                added: false,
            });
        }
        let both = "throughput of `b` / throughput of `a` > 1";
        let one = "errors of `b` < 1%";
        plan.claims = vec![claim("A1", both, one), claim("A2", one, both)];
        plan.whole = BTreeSet::from(["a".to_owned(), "b".to_owned()]);
        plan
    }

    fn with(names: &str) -> (Plan, Vec<String>) {
        let mut plan = all();
        let names: Vec<String> = names.split(',').map(str::to_owned).collect();
        let told = only(&mut plan, &names).unwrap();
        (plan, told)
    }

    fn names(plan: &Plan) -> Vec<&str> {
        let variants = plan.variants.iter();
        variants.map(|variant| variant.name.as_str()).collect()
    }

    #[test]
    fn what_is_about_others_too_is_left_out_with_them_and_told() {
        let (plan, told) = with("x,b");
        let left = ["b", "x@workers=1,threads=1", "x@workers=1,threads=2"];
        assert_eq!(names(&plan), left, "in the order of the plan");
        assert_eq!(plan.baseline, "b");
        assert_eq!(plan.noise_floor.as_deref(), Some("b"));
        let claims: Vec<_> = plan.claims.iter().map(|claim| claim.id.as_str()).collect();
        assert_eq!(claims, ["A2"]);
        assert!(plan.claims[0].since_expect.is_empty());
        assert_eq!(plan.whole, BTreeSet::from(["b".to_owned()]));
        assert_eq!(plan.not_tried[0].names, ["a"]);
        let lines = [
            "claims left out, as they are about others too: A1",
            "`a` is left out: the others are compared with `b`",
        ];
        assert_eq!(told, lines);
    }

    #[test]
    fn a_name_may_be_a_level_of_a_family_with_commas_in_it() {
        let (plan, told) = with("a,x@workers=1,threads=2,b");
        assert_eq!(names(&plan), ["a", "b", "x@workers=1,threads=2"]);
        assert_eq!((plan.claims.len(), plan.baseline.as_str()), (2, "a"));
        assert!(told.is_empty(), "{told:?}");
        let (whole, _) = with("a,b,x");
        assert_eq!(whole, all(), "who names all has it as it is");
        let wrong = only(&mut all(), &["gunicorn".to_owned()]);
        let (problem, hint) = wrong.unwrap_err();
        assert_eq!(problem, "no variant is called `gunicorn`");
        assert!(hint.contains("`a`, `b`, `x`"), "{hint}");
    }
}
