//! A folder of plans that decide claims, and what it says of claims that no plan decides yet.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use record::Plan;
use serde::Deserialize;

use crate::error::ExperimentError;
use crate::plan::error::PlanError;

/// The file of a folder of plans that names the claims without one.
const OPEN: &str = "not-yet.toml";

/// The file of a folder of plans that names the reports which the claims are from.
const REPORTS: &str = "reports.toml";

/// Plans with claims, in the order of their files' names.
#[derive(Debug)]
pub struct Suite {
    /// Those that decide something.
    pub plans: Vec<Plan>,
    /// Claims that none of them decides.
    pub open: Vec<OpenClaim>,
    /// The reports which the claims are from, if the folder names them.
    pub reports: Vec<Report>,
    /// The plans' files as they were read, by the plans' names.
    pub texts: BTreeMap<String, String>,
}

/// A report from which claims are.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Report {
    /// What its claims' identifiers begin with (`A`).
    pub id: String,
    /// What it is called.
    pub title: String,
    /// What was measured in it, and on what.
    pub about: String,
    /// Programs of it that cannot be had any more.
    #[serde(default)]
    pub absent: Vec<Absent>,
}

/// A program of a report that cannot be had.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Absent {
    /// What it is called.
    pub name: String,
    /// Why it cannot be had, and what stands for it, if anything does.
    pub why: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReportFile {
    report: Vec<Report>,
}

/// A claim without a plan.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct OpenClaim {
    /// Identifier (`D1`).
    pub id: String,
    /// The statement in words.
    pub text: String,
    /// The figure that the field report gave.
    pub reported: String,
    /// What weir lacks to decide it.
    pub missing: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OpenFile {
    claim: Vec<OpenClaim>,
}

/// Reads all plans of a folder that have claims or rankings, for a machine of so many cores.
///
/// # Errors
/// A folder that cannot be read, the first plan that is none, or two that decide the same claim.
pub fn suite(folder: &Path, python: Option<&Path>, cores: u32) -> Result<Suite, ExperimentError> {
    let mut suite = Suite {
        plans: Vec::new(),
        open: Vec::new(),
        reports: Vec::new(),
        texts: BTreeMap::new(),
    };
    for file in files(folder)? {
        if file.file_name().is_some_and(|name| name == OPEN) {
            let open: OpenFile = crate::plan::read::parse(&file)?;
            suite.open = open.claim;
            continue;
        }
        if file.file_name().is_some_and(|name| name == REPORTS) {
            let reports: ReportFile = crate::plan::read::parse(&file)?;
            suite.reports = reports.report;
            continue;
        }
        let plan = crate::read_plan(&file, python, cores)?;
        if let Some(twice) = plan.claims.iter().find(|claim| suite.decides(&claim.id)) {
            return Err(PlanError::Meaning {
                path: file,
                key: "claim".to_owned(),
                problem: format!("another plan of the folder decides `{}`", twice.id),
                hint: Some("give the claim an id of its own".to_owned()),
            }
            .into());
        }
        if !plan.claims.is_empty() || !plan.rankings.is_empty() {
            let text = crate::plan::read::text(&file)?;
            suite.texts.insert(plan.name.clone(), text);
            suite.plans.push(plan);
        }
    }
    if let Some(id) = suite.ids().find(|id| !is_id(id)) {
        return Err(PlanError::Meaning {
            path: folder.to_owned(),
            key: "claim".to_owned(),
            problem: format!("`{id}` is no identifier of a claim"),
            hint: Some("write letters and then digits, such as `A1`".to_owned()),
        }
        .into());
    }
    suite
        .open
        .retain(|open| !suite.plans.iter().any(|plan| decides(plan, &open.id)));
    Ok(suite)
}

impl Suite {
    /// Whether a plan of it decides this claim.
    pub fn decides(&self, id: &str) -> bool {
        self.plans.iter().any(|plan| decides(plan, id))
    }

    /// Identifiers of all claims, decided or not.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        let decided = self.plans.iter().flat_map(|plan| &plan.claims);
        let decided = decided.map(|claim| claim.id.as_str());
        decided.chain(self.open.iter().map(|open| open.id.as_str()))
    }
}

/// Letters, then digits: what files, links and the order of a table are made of.
fn is_id(id: &str) -> bool {
    let digits = id.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    digits.len() < id.len() && digits.chars().all(|c| c.is_ascii_digit())
}

fn decides(plan: &Plan, id: &str) -> bool {
    plan.claims.iter().any(|claim| claim.id == id)
}

fn files(folder: &Path) -> Result<Vec<PathBuf>, PlanError> {
    let cannot = |reason| PlanError::Read {
        path: folder.to_owned(),
        reason,
    };
    let mut files = Vec::new();
    for item in std::fs::read_dir(folder).map_err(cannot)? {
        let file = item.map_err(cannot)?.path();
        if file.extension().is_some_and(|end| end == "toml") {
            files.push(file);
        }
    }
    files.sort();
    Ok(files)
}
