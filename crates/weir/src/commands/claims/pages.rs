//! The pages of claims: one for all, one for each, and the report of each run that they lead to.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use ::report::JudgedRun;
use ::report::claims::{ClaimRow, Claims, Evidence};
use ::report::html::claims::{self as html, ClaimPage};
use experiment::Suite;
use record::{Plan, Run};
use store::Store;

use crate::args::ClaimsArgs;
use crate::commands::{known::Known, report};
use crate::error::{Error, Exit, Result};
use crate::files;
use crate::invocation::Invocation;

/// Writes pages, where any are to be written.
pub(super) struct Pages {
    /// None when nothing is run and nobody named a folder: looking changes nothing.
    folder: Option<PathBuf>,
    /// Where runs' reports are, where they are not in that folder.
    beside: Option<PathBuf>,
    /// Files of plans, by name.
    texts: BTreeMap<String, String>,
    /// Whether these are the long plans.
    long: bool,
}

impl Pages {
    pub(super) fn new(args: &ClaimsArgs, invocation: &Invocation, suite: &Suite) -> Self {
        let reports = invocation.store_path().with_extension("reports");
        let own = (!args.which.stored).then(|| reports.join("claims"));
        Self {
            folder: args.out.clone().or(own),
            beside: args.out.is_none().then_some(reports),
            texts: suite.texts.clone(),
            long: args.long,
        }
    }

    /// The rows of a plan's claims by a run of it, with their pages and the run's report written. `lost` is what other
    /// programs cost all plans.
    pub(super) fn of_run(
        &self,
        run: i64,
        plan: &Plan,
        lost: Option<&str>,
        store: &Store,
    ) -> Result<(Vec<ClaimRow>, Evidence)> {
        let known = Known::read(run, store)?;
        let findings = known.judged();
        let JudgedRun {
            run,
            judged,
            trials,
            ..
        } = findings;
        let exchanges = judge::exchanges(run, trials);
        let mut rows = Vec::new();
        for claim in &plan.claims {
            let verdict = judged.claims.iter().find(|verdict| verdict.id == claim.id);
            let row = verdict.map(|of| ClaimRow {
                long: self.long,
                ..ClaimRow::judged(run, of, claim, plan).with_lost(run, lost)
            });
            let exchange = exchanges.iter().find(|of| of.id == claim.id);
            rows.extend(row.map(|row| match exchange {
                Some(of) => row.with_exchange(of),
                None => row,
            }));
        }
        let report = self.report(&findings)?;
        let (what, text) = self.plan_of(run, plan);
        for row in &rows {
            let page = ClaimPage {
                row,
                findings: Some(&findings),
                plan: Some((what, &text)),
                report: report.as_deref(),
            };
            self.write(&format!("{}.html", row.id), || html::claim(&page))?;
        }
        let evidence = Evidence {
            digest: self.digest(run, plan),
            ..Evidence::of(&findings)
        };
        Ok((rows, evidence))
    }

    /// The page of a claim that no run has decided.
    pub(super) fn without_run(&self, row: &ClaimRow, plan: Option<&Plan>) -> Result<()> {
        let text = plan.and_then(|plan| self.texts.get(&plan.name));
        let page = ClaimPage {
            row,
            findings: None,
            plan: text.map(|text| ("as its file has it", text.as_str())),
            report: None,
        };
        self.write(&format!("{}.html", row.id), || html::claim(&page))
    }

    /// The page of all claims, and where it is.
    pub(super) fn index(&self, claims: &Claims) -> Result<Option<PathBuf>> {
        self.write("index.html", || html::index(claims))?;
        Ok(self.folder.as_ref().map(|folder| folder.join("index.html")))
    }

    /// A plan as text: its file, if that still says what was run.
    fn plan_of(&self, run: &Run, plan: &Plan) -> (&'static str, String) {
        match self.texts.get(&plan.name) {
            Some(text) if experiment::same(&run.plan, plan) => ("as its file has it", text.clone()),
            _ => {
                let text = serde_json::to_string_pretty(&run.plan).unwrap_or_default();
                ("as it was run; its file has been changed since", text)
            }
        }
    }

    /// The digest of a plan's file, if that still says what was run, if with fewer levels, and what was asked of it.
    fn digest(&self, run: &Run, plan: &Plan) -> Option<String> {
        let text = self.texts.get(&plan.name)?;
        let fewer = experiment::levels_of(plan, &run.plan);
        let plan = fewer.as_ref().map_or(plan, |fewer| &fewer.plan);
        let is_of = experiment::same(&run.plan, plan) && run.plan.claims == plan.claims;
        is_of.then(|| ::report::claims::digest(text))
    }

    /// Writes a run's own report; its place, as pages say it.
    fn report(&self, findings: &JudgedRun) -> Result<Option<String>> {
        let Some(folder) = &self.folder else {
            return Ok(None);
        };
        let run = findings.run;
        let (folder, place) = match &self.beside {
            Some(reports) => {
                let own = format!("run-{}", run.id);
                (reports.join(&own), format!("../{own}"))
            }
            None => (folder.join(&run.plan.name), run.plan.name.clone()),
        };
        report::write(findings, &folder, Exit::Store)?;
        Ok(Some(format!("{place}/report.html")))
    }

    fn write(&self, name: &str, page: impl FnOnce() -> String) -> Result<()> {
        let Some(folder) = &self.folder else {
            return Ok(());
        };
        let path = folder.join(name);
        let written = files::make_folder(folder).and_then(|()| files::write(&path, &page()));
        written.map_err(|error| cannot(&path, &error))
    }
}

fn cannot(path: &Path, error: &std::io::Error) -> Error {
    let what = format!("the page `{}`", path.display());
    let hint = "the runs are in the store; write the pages elsewhere with `weir claims --stored --out DIR`";
    Error::unwritten(&what, error, Exit::Store, hint)
}
