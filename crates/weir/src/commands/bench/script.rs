//! A load whose requests a script thinks of.

use load::{Job, Part, Traffic};
use script::{Options, Script};

use crate::args::BenchArgs;
use crate::error::Result;

/// The script that was asked for, set up for this job. What it wants and does not get is told.
pub(super) fn open(args: &BenchArgs, job: &Job) -> Result<Option<Script>> {
    let (Some(file), Traffic::Mix(parts)) = (&args.script.script, &job.traffic) else {
        return Ok(None);
    };
    let Some(Part {
        request, expected, ..
    }) = parts.first()
    else {
        return Ok(None);
    };
    let script = Script::open(&Options {
        file: file.clone(),
        url: args.url.clone(),
        scheme: scheme(&args.url).to_owned(),
        authority: job.host.clone(),
        path: request.path.clone(),
        headers: request.headers.clone(),
        target: job.target.clone(),
        args: args.script.args.clone(),
        threads: load::threads(&job.load) as usize,
        expected: expected.clone(),
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
