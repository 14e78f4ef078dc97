//! `weir endpoints`: what each endpoint of a service costs, from its logs, its timers, or a load of weir's own.

mod mix;
mod timers;
mod traffic;

use std::fs::File;
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};

use ::endpoints::{Costs, Endpoints, How, Log, Read, ReadError, read};
use ::report::harmless::one_line;
use ::report::terminal;

use crate::args::EndpointsArgs;
use crate::error::{Error, Exit, Result};
use crate::invocation::Invocation;
use crate::output::note;

pub(crate) fn run(args: &EndpointsArgs, invocation: &Invocation) -> Result<Exit> {
    args.mix.as_deref().map(mix::may_write).transpose()?;
    let mut endpoints = Endpoints::new(args.route.clone()).giving(judge::enough);
    if args.mix.is_some() {
        endpoints = endpoints.draw();
    }
    let mut logs = Vec::new();
    match (args.udp, &args.run) {
        (Some(address), _) => timers::add(address, args.seconds, &mut endpoints, invocation)?,
        (None, Some(side)) => traffic::add(side, &mut endpoints, invocation)?,
        (None, None) => logs = of_logs(args, &mut endpoints, invocation)?,
    }
    for route in endpoints.unused().filter(|_| !invocation.quiet()) {
        let route = one_line(route.text());
        note(format!(
            "`--route '{route}'` fits none of the paths, or none that an earlier `--route` has not taken"
        ));
    }
    let account = Costs {
        total: endpoints.together(),
        logs,
        endpoints: endpoints.sorted(args.sort),
    };
    if let Some(file) = &args.mix {
        mix::write(file, &account.endpoints, invocation)?;
    }
    let exit = invocation.show(&account, || {
        terminal::endpoints(&account, args.top, invocation.width())
    })?;
    // what was read of a damaged log is worth showing, and is not what was asked for
    let is_cut = account.logs.iter().any(|log| log.cut.is_some());
    Ok(if is_cut { Exit::File } else { exit })
}

fn of_logs(
    args: &EndpointsArgs,
    endpoints: &mut Endpoints,
    invocation: &Invocation,
) -> Result<Vec<Log>> {
    let piped = [PathBuf::from("-")];
    let logs = match &args.logs[..] {
        [] if std::io::stdin().is_terminal() => return Err(no_log()),
        [] => &piped[..],
        logs => logs,
    };
    let earlier = args.diff.iter().map(|log| (log, true));
    let all = logs.iter().map(|log| (log, false)).chain(earlier);
    all.map(|(log, earlier)| {
        let found = of_log(log, args, earlier, endpoints)?;
        let name = log.display().to_string();
        if let Some(cut) = &found.cut {
            note(format!(
                "`{name}` {}: its first {} lines are counted, and no more",
                one_line(cut),
                found.lines
            ));
        }
        if !invocation.quiet() {
            tell(&name, &found, args);
        }
        Ok(Log::new(name, earlier, found))
    })
    .collect()
}

/// Nothing was named, and nobody types a log.
fn no_log() -> Error {
    let hint = "name a log, or pipe one in: `weir endpoints access.log`";
    Error::new(Exit::Usage, "there is no log to read").hint(hint.to_owned())
}

fn of_log(
    log: &Path,
    args: &EndpointsArgs,
    earlier: bool,
    endpoints: &mut Endpoints,
) -> Result<Read> {
    let how = How {
        format: args.format,
        unit: args.unit,
    };
    let mut each = |entry: &::endpoints::Entry| endpoints.add(entry, earlier);
    let found = if log == Path::new("-") {
        read(std::io::stdin().lock(), how, &mut each)
    } else {
        // a pipe is as good as a file
        match File::open(log) {
            Ok(file) => read(file, how, &mut each),
            Err(error) => Err(error.into()),
        }
    };
    found.map_err(|error| cannot(log, &error))
}

fn cannot(log: &Path, error: &ReadError) -> Error {
    let piped = log == Path::new("-");
    let name = if piped {
        "standard input".to_owned()
    } else {
        format!("`{}`", log.display())
    };
    let message = format!("{name}: {}", one_line(&error.to_string()));
    let hint = match error {
        ReadError::Io(_) => {
            "give a log that exists and that you may read, plain or by gzip or zstd"
        }
        ReadError::Cut(_) => "give the whole file: it may still be written, or copied",
        ReadError::Empty if piped => "name a log, or pipe one in: `weir endpoints access.log`",
        ReadError::Empty => "give a log with requests",
        ReadError::Unknown { .. } => {
            "weir reads the common and the combined format with times after them, LTSV, JSON, HAProxy's httplog, timers of \
             statsd, and OpenTelemetry's JSON of spans"
        }
    };
    Error::new(Exit::File, message).hint(hint.to_owned())
}

/// What was not understood of a log, and what it does not say.
fn tell(name: &str, found: &Read, args: &EndpointsArgs) {
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
    if found.requests > 0 && found.timed == 0 && found.odd.is_none() {
        note(format!(
            "`{name}` says how often each endpoint was asked for, and not for how long: have the server write the time \
             of a request too (`$request_time`, `%D`)"
        ));
    }
    let units = &found.units;
    if args.unit.is_some() && !units.is_empty() && units.iter().all(|of| !of.is_given) {
        note(format!(
            "`--unit` changes nothing: the format {}, or each time of `{name}`, says the unit",
            found.format.name()
        ));
    }
}
