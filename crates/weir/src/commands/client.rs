//! `weir client`: how a program talks that makes HTTP requests.

mod upstream;

use std::time::{Duration, Instant};

use ::experiment::{Asked, PLACE, Pointed, Reached, VARIABLE, may_name};
use ::judge::{Account, Comparison};
use ::record::Metric;
use ::report::harmless::one_line;
use ::report::terminal::{self, Clients};
use ::stack::{CpuTime, GuardCommand, Ran, StackError};

use crate::args::ClientArgs;
use crate::error::{Error, Exit, Result};
use crate::invocation::Invocation;
use crate::output::note_line;
use upstream::{unanswered, upstream};

/// How soon Ctrl-C is heard.
const LOOK: Duration = Duration::from_millis(50);
/// Seconds without a request at the end of a command's time that are worth a word.
const SILENT: f64 = 1.0;
/// How a command ended that the user ended.
const INTERRUPTED: &str = "was interrupted";

pub(crate) fn run(args: &ClientArgs, invocation: &Invocation) -> Result<Exit> {
    if args.dns {
        may_name().map_err(|error| nameless(&error))?;
    }
    if let Some(against) = &args.against {
        return versus(args, &words(against)?, invocation);
    }
    let account = pointed(&args.command, args, invocation)?;
    invocation.show(&account, || terminal::client(&account, invocation.width()))?;
    Ok(if invocation.is_interrupted() {
        Exit::Interrupted
    } else if unanswered(&account).is_some() {
        Exit::Target
    } else if account.succeeded {
        Exit::Done
    } else {
        Exit::Invalid
    })
}

/// The words of a command that is one argument.
fn words(command: &str) -> Result<Vec<String>> {
    let words = shlex::split(command).filter(|words| !words.is_empty());
    words.ok_or_else(|| {
        let message = format!("`{}` is no command", one_line(command));
        Error::new(Exit::Usage, message).hint(
            "write it as in a shell, with its quotes closed: --against 'python3 old.py'".to_owned(),
        )
    })
}

/// Runs two commands in turn, each the first of a pair as often as the second. Ctrl-C ends it with the pairs that there are.
fn versus(args: &ClientArgs, against: &[String], invocation: &Invocation) -> Result<Exit> {
    let (mut of, mut over) = (Vec::new(), Vec::new());
    for number in 0..args.pairs {
        let second_first = number % 2 == 1;
        match pair(args, against, second_first, invocation) {
            Ok(Some(pair)) => {
                of.push(pair.0);
                over.push(pair.1);
            }
            Ok(None) => break,
            Err(_) if invocation.is_interrupted() => break,
            Err(error) => return Err(error),
        }
        if invocation.is_interrupted() {
            break;
        }
    }
    if of.is_empty() {
        return Err(interrupted());
    }
    let both = Clients {
        comparisons: compared(&of, &over),
        of: of.swap_remove(0),
        over: over.swap_remove(0),
    };
    let shown = invocation.show(&both, || terminal::clients(&both, invocation.width()))?;
    Ok(if invocation.is_interrupted() {
        Exit::Interrupted
    } else {
        shown
    })
}

/// Both commands, the one after the other; nothing where the user ended one of them.
fn pair(
    args: &ClientArgs,
    against: &[String],
    second_first: bool,
    invocation: &Invocation,
) -> Result<Option<(Account, Account)>> {
    let mut commands = [&args.command[..], against];
    if second_first {
        commands.reverse();
    }
    let [one, other] = commands;
    let Some(one) = whole(one, args, invocation)? else {
        return Ok(None);
    };
    let Some(other) = whole(other, args, invocation)? else {
        return Ok(None);
    };
    Ok(Some(if second_first {
        (other, one)
    } else {
        (one, other)
    }))
}

/// A command of a pair; nothing where the user ended it before its time.
fn whole(
    command: &[String],
    args: &ClientArgs,
    invocation: &Invocation,
) -> Result<Option<Account>> {
    let account = pointed(command, args, invocation)?;
    if account.ended == INTERRUPTED {
        return Ok(None);
    }
    if let Some(error) = unanswered(&account) {
        return Err(error);
    }
    if account.succeeded {
        return Ok(Some(account));
    }
    let message = format!("`{}` {}", one_line(&command.join(" ")), account.ended);
    Err(Error::new(Exit::Invalid, message).hint(
        "two clients can be compared that both end with code 0, or when their time is up"
            .to_owned(),
    ))
}

fn interrupted() -> Error {
    Error::new(Exit::Interrupted, "interrupted")
}

/// The one against the other by each metric that all their runs have.
fn compared(of: &[Account], over: &[Account]) -> Vec<Comparison> {
    let name = |accounts: &[Account]| accounts[0].command.join(" ");
    let names = (name(of), name(over));
    let figure = |metric, account: &Account| match metric {
        Metric::Throughput => account.rate,
        _ => account.cpu_per_request,
    };
    let metrics = [Metric::Throughput, Metric::CpuPerRequest].into_iter();
    let compared = metrics.filter_map(|metric| {
        let pairs = of.iter().zip(over);
        let pairs = pairs.map(|(of, over)| figure(metric, of).zip(figure(metric, over)));
        let pairs: Vec<_> = pairs.collect::<Option<_>>()?;
        judge::side_by_side_figures(metric, (&names.0, &names.1), &pairs)
    });
    compared.collect()
}

/// Runs the command against an origin of its own.
fn pointed(command: &[String], args: &ClientArgs, invocation: &Invocation) -> Result<Account> {
    let client = client(command, args)?;
    let reached = Reached {
        tls: args.tls,
        by_name: args.dns,
        to: args.to.as_deref().map(upstream).transpose()?,
    };
    let started = Pointed::start(&GuardCommand::default(), &client, &[], reached);
    let mut pointed = started.map_err(|error| unstarted(command, error))?;
    let deadline = Instant::now() + Duration::from_secs_f64(args.duration);
    let mut asked = None;
    while !invocation.is_interrupted() && !pointed.ends_within(LOOK) && Instant::now() < deadline {
        asked = asked.or_else(|| pointed.has_asked().then(Instant::now));
    }
    let since_first = asked.map_or(0.0, |at| at.elapsed().as_secs_f64());
    let Asked {
        ran,
        cpu_before,
        talk,
    } = pointed.end()?;
    let succeeded = ran.late || ran.code == Some(0);
    if !succeeded && !invocation.quiet() {
        explain(command, &ran);
    }
    let how = if ran.late && invocation.is_interrupted() {
        INTERRUPTED.to_owned()
    } else if ran.late {
        late(since_first - talk.seconds)
    } else {
        ran.how
    };
    let cpu = [cpu_before, ran.cpu].map(CpuTime::total);
    let account = Account::of(command.to_vec(), how, succeeded, cpu, talk);
    if account.talk.connections == 0 {
        if invocation.is_interrupted() {
            return Err(interrupted());
        }
        return Err(silent(&account));
    }
    Ok(account)
}

/// How a command ended that did not end by itself, so many seconds after its last request.
fn late(silent: f64) -> String {
    let ended = "was ended, as its time was up".to_owned();
    if silent < SILENT {
        return ended;
    }
    format!("{ended}, {silent:.1} s after its last request")
}

/// The command, in the folder that weir runs in, and what it is answered.
fn client(command: &[String], args: &ClientArgs) -> Result<record::Client> {
    let dir = std::env::current_dir().map_err(|error| {
        let message = format!("cannot look at the folder that weir runs in: {error}");
        Error::new(Exit::Internal, message)
    })?;
    let of = record::Client::of(command.to_vec(), dir);
    let sized = |length| "x".repeat(usize::try_from(length).unwrap_or_default());
    let body = args.body.clone().or_else(|| args.body_bytes.map(sized));
    Ok(record::Client {
        status: args.status,
        delay: args.delay,
        body: body.unwrap_or(of.body),
        command: of.command,
        dir: of.dir,
    })
}

fn unstarted(words: &[String], error: StackError) -> Error {
    if !error.is_no_program() {
        return error.into();
    }
    let name = words.first().map_or("", |name| name);
    let message = format!("`{}` is no program that can be run", one_line(name));
    Error::new(Exit::Missing, message).hint(
        "name a program on your PATH or by its path, then its arguments: `weir client -- curl {url}`"
            .to_owned(),
    )
}

fn nameless(error: &std::io::Error) -> Error {
    let message = format!("weir cannot make a network in which its origin has a name: {error}");
    Error::new(Exit::Missing, message).hint(
        "run weir as root, and in a container with the capability SYS_ADMIN; or leave `--dns` out"
            .to_owned(),
    )
}

/// A command that failed, and what it said last.
fn explain(words: &[String], ran: &Ran) {
    note_line(&format!("note: `{}` {}", words.join(" "), ran.how));
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
    if account
        .talk
        .names
        .as_ref()
        .is_some_and(|of| of.questions == 0)
    {
        return Error::new(Exit::Invalid, message).hint(format!(
            "it has to look up the host of {VARIABLE} where `/etc/resolv.conf` says; or leave `--dns` out"
        ));
    }
    Error::new(Exit::Invalid, message).hint(format!(
        "give it the origin's URL: from the environment variable {VARIABLE}, or as an argument in place of `{PLACE}`"
    ))
}
