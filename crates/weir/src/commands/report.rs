//! `weir report`: the files of a run, written from the store.

use std::path::{Path, PathBuf};

use ::report::JudgedRun;

use crate::args::RunName;
use crate::commands::known::Known;
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::files;
use crate::invocation::{Invocation, named};
use crate::output::{print, print_json};

pub(crate) fn run(name: RunName, out: Option<&Path>, invocation: &Invocation) -> Result<Exit> {
    let store = invocation.store_to_read()?;
    let id = named(&store, name)?.id;
    let known = Known::read(id, &store)?;
    let files = write(
        &known.judged(),
        &invocation.report_folder(id, out),
        Exit::Store,
    )?;
    if invocation.json() {
        print_json(&files)?;
    } else {
        for (_, file) in files {
            print(&format!("{}\n", file.display()))?;
        }
    }
    Ok(Exit::Done)
}

/// Writes the HTML report and the JSON export into a folder, which is made if need be.
/// It ends with `otherwise` where it cannot, for other reasons than a full disk.
pub(crate) fn write(
    findings: &JudgedRun,
    folder: &Path,
    otherwise: Exit,
) -> Result<Vec<(&'static str, PathBuf)>> {
    let export = serde_json::to_string_pretty(&::report::json::export(findings))
        .map_err(|error| Error::new(Exit::Internal, error.to_string()))?;
    let page = ::report::html::page(findings);
    let files = [
        ("report", "report.html", page),
        ("export", "run.json", export),
    ];
    let cannot = |error: std::io::Error| {
        let what = format!("the report to `{}`", folder.display());
        let hint = format!(
            "the run is in the store; write it elsewhere with `weir report {} --out DIR`",
            findings.run.id
        );
        Error::unwritten(&what, &error, otherwise, &hint)
    };
    files::make_folder(folder).map_err(cannot)?;
    files
        .into_iter()
        .map(|(what, name, content)| {
            let path = folder.join(name);
            files::write(&path, &content).map_err(cannot)?;
            Ok((what, path))
        })
        .collect()
}
