//! `weir endpoints`: what each endpoint of a service costs, from its logs, its timers, or a load of weir's own.

mod timers;
mod traffic;

use std::fmt::Write as _;
use std::fs::File;
use std::path::Path;

use ::endpoints::{Endpoint, Endpoints, Read, ReadError, read};
use ::report::harmless::one_line;
use ::report::terminal;

use crate::args::EndpointsArgs;
use crate::error::{Error, Exit, Result};
use crate::files;
use crate::invocation::Invocation;
use crate::output::note;

/// Most requests of a mix: what is rarer is not worth a load.
const MIXED: usize = 100;

pub(crate) fn run(args: &EndpointsArgs, invocation: &Invocation) -> Result<Exit> {
    let mut endpoints = Endpoints::new(args.route.clone());
    match (args.udp, &args.run) {
        (Some(address), _) => timers::add(address, args.seconds, &mut endpoints, invocation)?,
        (None, Some(side)) => traffic::add(side, &mut endpoints, invocation)?,
        (None, None) => of_logs(args, &mut endpoints, invocation)?,
    }
    let sorted = endpoints.sorted();
    if let Some(file) = &args.mix {
        write_mix(file, &sorted)?;
    }
    invocation.show(&sorted, || {
        terminal::endpoints(&sorted, args.top, invocation.width())
    })
}

fn of_logs(args: &EndpointsArgs, endpoints: &mut Endpoints, invocation: &Invocation) -> Result<()> {
    let earlier = args.diff.iter().map(|log| (log, true));
    for (log, earlier) in args.logs.iter().map(|log| (log, false)).chain(earlier) {
        let found = of_log(log, args, earlier, endpoints)?;
        if !invocation.quiet() {
            tell(log, &found);
        }
    }
    Ok(())
}

fn of_log(
    log: &Path,
    args: &EndpointsArgs,
    earlier: bool,
    endpoints: &mut Endpoints,
) -> Result<Read> {
    let mut each = |entry: &::endpoints::Entry| endpoints.add(entry, earlier);
    let found = if log == Path::new("-") {
        read(std::io::stdin().lock(), args.format, &mut each)
    } else {
        // a pipe is as good as a file
        match File::open(log) {
            Ok(file) => read(file, args.format, &mut each),
            Err(error) => Err(error.into()),
        }
    };
    found.map_err(|error| cannot(log, &error))
}

fn cannot(log: &Path, error: &ReadError) -> Error {
    let message = format!("`{}`: {}", log.display(), one_line(&error.to_string()));
    let hint = match error {
        ReadError::Io(_) => {
            "give a log that exists and that you may read, plain or by gzip or zstd"
        }
        ReadError::Empty => "give a log with requests",
        ReadError::Unknown { .. } => {
            "weir reads the common and the combined format with times after them, LTSV, JSON, HAProxy's httplog, timers of \
             statsd, and OpenTelemetry's JSON of spans"
        }
    };
    Error::new(Exit::Usage, message).hint(hint.to_owned())
}

/// What was not understood of a log, and what it does not say.
fn tell(log: &Path, found: &Read) {
    let name = log.display();
    if let Some(unread) = &found.unread {
        note(format!(
            "`{name}`: {} of {} lines are not in the format {}; line {} is `{}`",
            unread.lines,
            found.lines,
            found.format.name(),
            unread.first,
            one_line(&unread.text)
        ));
    }
    if found.requests > 0 && found.timed == 0 {
        note(format!(
            "`{name}` says how often each endpoint was asked for, and not for how long: have the server write the time \
             of a request too (`$request_time`, `%D`)"
        ));
    }
}

/// A mix that asks for each endpoint as often as the log does. Only what is read: a request that changes something needs a body
/// that the log does not have.
fn write_mix(file: &Path, sorted: &[Endpoint]) -> Result<()> {
    // neither the name of a route, nor a stranger's template, nor what no request line holds
    let plain = |path: &str| path.bytes().all(|of| of.is_ascii_graphic() && of != b'{');
    let is_read =
        |of: &&Endpoint| of.method == "GET" && of.example.starts_with('/') && plain(&of.example);
    let mut mix = "# Requests of a log, each as often as it was asked for; `weir bench URL --mix` loads them.\n".to_owned();
    let requests = sorted.iter().filter(is_read).filter(|of| of.now.count > 0);
    for of in requests.take(MIXED) {
        let quoted = |text: &str| serde_json::Value::from(text).to_string();
        let _ = write!(
            mix,
            "\n[[request]]\nname = {}\nweight = {}\npath = {}\n",
            quoted(&format!("{} {}", of.method, of.route)),
            of.now.count,
            quoted(&of.example)
        );
    }
    files::write(file, &mix).map_err(|error| {
        let what = format!("`{}`", file.display());
        let hint = "name a file in a folder that you may write to";
        Error::unwritten(&what, &error, Exit::Usage, hint)
    })
}
