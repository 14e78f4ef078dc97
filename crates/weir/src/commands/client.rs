//! `weir client`: how a program talks that makes HTTP requests.

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use ::client::{Account, Answer, Origin};
use ::report::harmless::one_line;
use ::report::terminal;
use ::stack::{Errand, GuardCommand, Ran, StackError, cpu_below};

use crate::args::ClientArgs;
use crate::error::{Error, Exit, Result};
use crate::invocation::Invocation;
use crate::output::note_line;

/// What stands for the origin's URL in the command's arguments.
const PLACE: &str = "{url}";
/// How the command's environment names it.
const VARIABLE: &str = "WEIR_URL";
/// How soon Ctrl-C is heard.
const LOOK: Duration = Duration::from_millis(50);

pub(crate) fn run(args: &ClientArgs, invocation: &Invocation) -> Result<Exit> {
    let account = pointed(args, invocation)?;
    if account.talk.connections == 0 {
        return Err(silent(&account));
    }
    invocation.show(&account, || terminal::client(&account, invocation.width()))?;
    Ok(if account.succeeded {
        Exit::Done
    } else {
        Exit::Invalid
    })
}

/// Runs the command against an origin of its own.
fn pointed(args: &ClientArgs, invocation: &Invocation) -> Result<Account> {
    let mut errand = Errand::new(&GuardCommand::default())?;
    let guardian = errand.guardian();
    let before = Arc::new(OnceLock::new());
    let at_first = Arc::clone(&before);
    let origin = Origin::start(answer(args), move || {
        let _ = at_first.set(cpu_below(guardian));
    });
    let origin = origin.map_err(|error| StackError::System {
        doing: "starting weir's own origin".to_owned(),
        error,
    })?;
    let url = origin.url();
    let argv: Vec<_> = args
        .command
        .iter()
        .map(|word| word.replace(PLACE, &url))
        .collect();
    errand
        .start(&argv, vec![(VARIABLE.to_owned(), url)])
        .map_err(|error| unstarted(&argv, error))?;
    let deadline = Instant::now() + Duration::from_secs_f64(args.duration);
    while !errand.ends_within(LOOK) && Instant::now() < deadline {
        if invocation.is_interrupted() {
            return Err(Error::new(Exit::Interrupted, "interrupted"));
        }
    }
    let ran = errand.end()?;
    let talk = origin.end();
    let succeeded = ran.late || ran.code == Some(0);
    if !succeeded && !invocation.quiet() {
        explain(&argv, &ran);
    }
    let cpu_before = before.get().copied().unwrap_or(ran.cpu);
    let how = if ran.late {
        "was ended, as its time was up".to_owned()
    } else {
        ran.how
    };
    Ok(Account::of(
        args.command.clone(),
        how,
        succeeded,
        [cpu_before.min(ran.cpu), ran.cpu],
        talk,
    ))
}

fn answer(args: &ClientArgs) -> Answer {
    let sized = |length| vec![b'x'; usize::try_from(length).unwrap_or_default()];
    let body = args.body.clone().map(String::into_bytes);
    Answer {
        status: args.status,
        body: body
            .or_else(|| args.body_bytes.map(sized))
            .unwrap_or_else(|| Answer::default().body),
        delay: Duration::from_secs_f64(args.delay),
    }
}

fn unstarted(argv: &[String], error: StackError) -> Error {
    if !error.is_no_program() {
        return error.into();
    }
    let name = argv.first().map_or("", |name| name);
    let message = format!("`{}` is no program that can be run", one_line(name));
    Error::new(Exit::Missing, message).hint(
        "name a program on your PATH or by its path, then its arguments: `weir client -- curl {url}`"
            .to_owned(),
    )
}

/// A command that failed, and what it said last.
fn explain(argv: &[String], ran: &Ran) {
    note_line(&format!("note: `{}` {}", argv.join(" "), ran.how));
    for line in &ran.said {
        note_line(&format!("| {line}"));
    }
}

/// A command that asked for nothing.
fn silent(account: &Account) -> Error {
    let command = account.command.join(" ");
    let message = format!(
        "`{}` opened no connection to weir's origin, and {}",
        one_line(&command),
        account.ended
    );
    Error::new(Exit::Invalid, message).hint(format!(
        "give it the origin's URL: from the environment variable {VARIABLE}, or as an argument in place of `{PLACE}`"
    ))
}
