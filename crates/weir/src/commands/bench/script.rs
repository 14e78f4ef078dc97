//! A load whose requests a script thinks of.

use load::Job;
use script::{Options, Script};

use crate::args::BenchArgs;
use crate::error::Result;

/// The script that was asked for, set up for this job. What it wants and does not get is told.
pub(super) fn open(args: &BenchArgs, job: &Job, path: &str) -> Result<Option<Script>> {
    let Some(file) = &args.script.script else {
        return Ok(None);
    };
    let script = Script::open(&Options {
        file: file.clone(),
        url: args.url.clone(),
        scheme: scheme(&args.url).to_owned(),
        authority: job.host.clone(),
        path: path.to_owned(),
        headers: args.header.clone(),
        target: job.target.clone(),
        args: args.script.args.clone(),
        threads: load::threads(&job.load) as usize,
        expected: job.expected.clone(),
    })?;
    for warning in script.warnings() {
        anstream::eprintln!("warning: {warning}");
    }
    Ok(Some(script))
}

/// `http` of `http://…` and `http+unix:…`, and of a path on a socket.
fn scheme(url: &str) -> &str {
    let end = url.find(['+', ':']).filter(|_| !url.starts_with('/'));
    end.map_or("http", |end| &url[..end])
}
