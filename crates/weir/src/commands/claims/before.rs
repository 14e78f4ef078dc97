//! The same claims as an earlier store has them.

use std::path::Path;

use ::report::claims::{Before, ClaimRow, Evidence};
use record::Plan;
use store::Store;

use super::take::{Take, newest};
use super::wanted;
use crate::commands::known::Known;
use crate::error::{Error, Exit, Result};

/// The wanted claims of these plans by their newest runs in a store of this file.
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
    };
    for plan in plans {
        let Take::Done(run) = newest(plan, &store)? else {
            continue;
        };
        let known = Known::read(run, &store)?;
        let findings = known.judged();
        for claim in plan.claims.iter().filter(|claim| wanted(ids, &claim.id)) {
            let mut verdicts = findings.judged.claims.iter();
            let verdict = verdicts.find(|verdict| verdict.id == claim.id);
            let row = verdict.map(|of| ClaimRow::judged(findings.run, of, claim, plan));
            before.rows.extend(row);
        }
        before.evidence.push(Evidence::of(&findings));
    }
    Ok(before)
}
