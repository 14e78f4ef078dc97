//! The same claims as an earlier store has them.

use std::collections::BTreeMap;
use std::path::Path;

use ::report::claims::{Before, ClaimRow, Evidence};
use record::{Claim, Plan, Run};
use store::Store;

use super::take::{ended, newest_of};
use super::wanted;
use crate::commands::known::Known;
use crate::error::{Error, Exit, Result};

/// The wanted claims of these plans, each by the newest run that decides it in a store of this file, whatever its plan was
/// called then.
///
/// # Errors
/// There is no such store, or it cannot be read.
pub(super) fn read(file: &Path, plans: &[Plan], ids: &[String]) -> Result<Before> {
    if !file.is_file() {
        let message = format!("there is no store `{}`", file.display());
        let hint = "`--before` is the store of an earlier `weir claims`, as `--store` names it";
        return Err(Error::new(Exit::File, message).hint(hint.to_owned()));
    }
    let store = Store::open_to_read(file)?;
    let name = file.file_name().unwrap_or(file.as_os_str());
    let mut before = Before {
        store: name.to_string_lossy().into_owned(),
        rows: Vec::new(),
        evidence: Vec::new(),
        same: experiment::same,
    };
    // what another weir stored may not be readable any more
    let summaries = store.runs()?;
    let runs = summaries.iter().filter_map(|of| ended(&store, of).ok()?);
    let runs: Vec<Run> = runs.collect();
    for (run, claims) in decided(&runs, plans, ids) {
        let known = Known::read(run, &store)?;
        let findings = known.judged();
        for (plan, claim) in claims {
            let mut verdicts = findings.judged.claims.iter();
            let verdict = verdicts.find(|verdict| verdict.id == claim.id);
            let row = verdict.map(|of| ClaimRow::judged(findings.run, of, claim, plan));
            before.rows.extend(row);
        }
        before.evidence.push(Evidence::of(&findings));
    }
    Ok(before)
}

/// The runs that decide the wanted claims of these plans, each with the claims that it decides. Of a plan without claims it is
/// the newest one of its name.
fn decided<'a>(
    runs: &[Run],
    plans: &'a [Plan],
    ids: &[String],
) -> BTreeMap<i64, Vec<(&'a Plan, &'a Claim)>> {
    let mut decided: BTreeMap<i64, Vec<(&Plan, &Claim)>> = BTreeMap::new();
    for plan in plans {
        let is_own = |run: &&Run| run.plan.name == plan.name;
        if plan.claims.is_empty()
            && let Some(run) = newest_of(plan, runs.iter().filter(is_own))
        {
            decided.entry(run.id).or_default();
        }
        for claim in plan.claims.iter().filter(|claim| wanted(ids, &claim.id)) {
            let has_it = |run: &&Run| run.plan.claims.iter().any(|of| of.id == claim.id);
            // identifiers are those of a suite: the same one in a plan of another name is this claim if it says the same
            let says_it = |run: &&Run| run.plan.claims.iter().any(|of| of.text == claim.text);
            let own = newest_of(plan, runs.iter().filter(is_own).filter(has_it));
            let moved = || newest_of(plan, runs.iter().filter(has_it).filter(says_it));
            if let Some(run) = own.or_else(moved) {
                decided.entry(run.id).or_default().push((plan, claim));
            }
        }
    }
    decided
}
