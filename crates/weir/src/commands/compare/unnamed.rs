//! What `weir compare` says where a side is not named: what can be compared, by its real names.

use record::{Plan, Run, first_of};
use report::words;
use store::Store;

use crate::args::{RunName, Side};
use crate::error::{Error, Exit, Result};
use crate::invocation::named;

/// Variants that are named.
const NAMED: usize = 6;
/// Runs that are looked at for one to compare with: there may be thousands.
const LOOKED_AT: usize = 50;

/// Ends with what to type: of the run that the user named, or of the last one.
pub(super) fn refuse(first: Option<&Side>, store: &Store) -> Result<Exit> {
    let run = named(store, first.map_or(RunName::Last(0), |side| side.run))?;
    let variant = first.and_then(|side| side.variant.as_deref());
    if let Some(name) = variant {
        judge::check_variant(&run, name)?;
    }
    let mut hints: Vec<String> = within(&run, variant).into_iter().collect();
    if let Some(other) = alike(&run.plan, run.id, variant, store)? {
        hints.push(between(run.id, other, variant));
    }
    if hints.is_empty() {
        hints.push(format!(
            "`weir list` shows all runs: run {} has one variant, and no other run has it",
            run.id
        ));
    }
    let message = match first {
        Some(_) => "name what to compare it with",
        None => "name two variants, or two runs, to compare",
    };
    Err(Error::new(Exit::Usage, message).hint(hints.join("\n")))
}

/// Two variants of a run, the named one before another; nothing where it has one variant alone.
fn within(run: &Run, variant: Option<&str>) -> Option<String> {
    let plan = &run.plan;
    let mut names: Vec<&str> = plan.variants.iter().map(|of| of.name.as_str()).collect();
    names.sort_by_key(|name| *name != plan.baseline); // it is what others are compared with
    let of = variant.or_else(|| names.get(1).copied())?;
    let over = names.iter().find(|name| **name != of)?;
    let id = run.id;
    let typed = typed([format!("{id}:{of}"), format!("{id}:{over}")]);
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let all = first_of(&names, NAMED);
    Some(format!("of run {id}, which has {all}: {typed}"))
}

/// Two runs, or the named variant of both.
fn between(run: i64, other: i64, variant: Option<&str>) -> String {
    let side = |run: i64| match variant {
        Some(name) => format!("{run}:{name}"),
        None => run.to_string(),
    };
    let typed = typed([side(run), side(other)]);
    format!("with run {other}: {typed}")
}

/// The latest other run with which one of this plan can be compared.
fn alike(plan: &Plan, run: i64, variant: Option<&str>, store: &Store) -> Result<Option<i64>> {
    let others = store.runs()?.into_iter().filter(|of| of.id != run);
    for of in others.take(LOOKED_AT) {
        if have_the_same(plan, &store.run(of.id)?.plan, variant) {
            return Ok(Some(of.id));
        }
    }
    Ok(None)
}

/// Whether two plans are one load each, or have a variant of the same name, or the named one.
fn have_the_same(plan: &Plan, other: &Plan, variant: Option<&str>) -> bool {
    match (plan.one_load(), other.one_load()) {
        (None, None) => {
            let names = plan.variants.iter().map(|of| of.name.as_str());
            let mut wanted = names.filter(|name| variant.is_none_or(|one| one == *name));
            wanted.any(|name| other.variant(name).is_some())
        }
        (own, others) => own.is_some() && others.is_some(),
    }
}

fn typed([of, over]: [String; 2]) -> String {
    let argv = ["weir".to_owned(), "compare".to_owned(), of, over];
    format!("`{}`", words::command(&argv))
}

#[cfg(test)]
mod tests {
    use record::{Host, RunStatus, Variant};

    use super::*;

    fn run(names: &[&str], baseline: &str) -> Run {
        let variant = |name: &&str| Variant {
            name: (*name).to_owned(),
            ..Variant::default()
        };
        let plan = Plan {
            variants: names.iter().map(variant).collect(),
            baseline: baseline.to_owned(),
            ..Plan::default()
        };
        Run {
            id: 12,
            started: record::now(),
            plan,
            host: Host::default(),
            weir: String::new(),
            status: RunStatus::Finished,
            cut: None,
        }
    }

    #[test]
    fn two_variants_of_a_run_are_named_and_the_baseline_is_the_second() {
        let of = run(&["fast", "old", "a b"], "old");
        let told = within(&of, None).unwrap();
        let words = "of run 12, which has `old`, `fast`, `a b`: `weir compare 12:fast 12:old`";
        assert_eq!(told, words);
        let told = within(&of, Some("old")).unwrap();
        assert!(told.ends_with(": `weir compare 12:old 12:fast`"), "{told}");
        let told = within(&of, Some("a b")).unwrap();
        assert!(told.ends_with(" '12:a b' 12:old`"), "{told}");
        assert_eq!(within(&run(&["one"], "one"), None), None);
        assert_eq!(within(&run(&["one"], "one"), Some("one")), None);
    }

    #[test]
    fn another_run_is_like_this_one_if_it_has_a_variant_of_the_same_name() {
        let plan = |names: &[&str]| run(names, "").plan;
        let (own, other) = (plan(&["a", "b"]), plan(&["b", "c"]));
        assert!(have_the_same(&own, &other, None));
        assert!(have_the_same(&own, &other, Some("b")));
        assert!(!have_the_same(&own, &other, Some("a")));
        assert!(!have_the_same(&own, &plan(&["c"]), None));
        let told = between(12, 9, Some("b"));
        assert_eq!(told, "with run 9: `weir compare 12:b 9:b`");
        assert_eq!(between(12, 9, None), "with run 9: `weir compare 12 9`");
    }
}
