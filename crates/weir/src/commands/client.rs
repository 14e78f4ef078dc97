//! `weir client`: how a program talks that makes HTTP requests.

use std::fs::File;
use std::io::{self, Write as _};
use std::os::fd::AsRawFd as _;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use ::client::{Account, Answer, Identity, Origin};
use ::judge::Comparison;
use ::record::Metric;
use ::report::harmless::one_line;
use ::report::terminal::{self, Clients};
use ::stack::{Errand, GuardCommand, Ran, StackError, cpu_below};

use crate::args::ClientArgs;
use crate::error::{Error, Exit, Result};
use crate::invocation::Invocation;
use crate::output::note_line;

/// What stands for the origin's URL in the command's arguments.
const PLACE: &str = "{url}";
/// How the command's environment names it.
const VARIABLE: &str = "WEIR_URL";
/// How it names the file with the certificate to trust, and how what is widely used does.
const TRUSTED: [&str; 5] = [
    "WEIR_CA",
    "SSL_CERT_FILE",
    "REQUESTS_CA_BUNDLE",
    "CURL_CA_BUNDLE",
    "NODE_EXTRA_CA_CERTS",
];
/// How soon Ctrl-C is heard.
const LOOK: Duration = Duration::from_millis(50);

pub(crate) fn run(args: &ClientArgs, invocation: &Invocation) -> Result<Exit> {
    if let Some(against) = &args.against {
        return versus(args, &words(against)?, invocation);
    }
    let account = pointed(&args.command, args, invocation)?;
    invocation.show(&account, || terminal::client(&account, invocation.width()))?;
    Ok(if account.succeeded {
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

/// Runs two commands in turn, each the first of a pair as often as the second.
fn versus(args: &ClientArgs, against: &[String], invocation: &Invocation) -> Result<Exit> {
    let (mut of, mut over) = (Vec::new(), Vec::new());
    for pair in 0..args.pairs {
        let mut both = [(&args.command[..], &mut of), (against, &mut over)];
        if pair % 2 == 1 {
            both.reverse();
        }
        for (command, accounts) in both {
            let account = pointed(command, args, invocation)?;
            if !account.succeeded {
                let message = format!("`{}` {}", one_line(&command.join(" ")), account.ended);
                return Err(Error::new(Exit::Invalid, message).hint(
                    "two clients can be compared that both end with code 0, or when their time is up"
                        .to_owned(),
                ));
            }
            accounts.push(account);
        }
    }
    let both = Clients {
        comparisons: compared(&of, &over),
        of: of.swap_remove(0),
        over: over.swap_remove(0),
    };
    invocation.show(&both, || terminal::clients(&both, invocation.width()))
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
    let mut errand = Errand::new(&GuardCommand::default())?;
    let guardian = errand.guardian();
    let before = Arc::new(OnceLock::new());
    let at_first = Arc::clone(&before);
    let system = |error| StackError::System {
        doing: "starting weir's own origin".to_owned(),
        error,
    };
    let identity = args.tls.then(Identity::new).transpose().map_err(system)?;
    let trusted = identity.as_ref().map(|of| in_memory(of.certificate()));
    let trusted = trusted.transpose().map_err(system)?;
    let origin = Origin::start(answer(args), identity, move || {
        let _ = at_first.set(cpu_below(guardian));
    });
    let origin = origin.map_err(system)?;
    let url = origin.url();
    let words: Vec<_> = command
        .iter()
        .map(|word| word.replace(PLACE, &url))
        .collect();
    errand
        .start(&words, told(url, trusted.as_ref()))
        .map_err(|error| unstarted(&words, error))?;
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
        explain(&words, &ran);
    }
    let cpu_before = before.get().copied().unwrap_or(ran.cpu);
    let how = if ran.late {
        "was ended, as its time was up".to_owned()
    } else {
        ran.how
    };
    let cpu = [cpu_before.min(ran.cpu), ran.cpu];
    let account = Account::of(command.to_vec(), how, succeeded, cpu, talk);
    if account.talk.connections == 0 {
        return Err(silent(&account));
    }
    Ok(account)
}

/// A file without a name, that ends with weir.
fn in_memory(text: &str) -> io::Result<File> {
    let file = rustix::fs::memfd_create(c"weir-ca", rustix::fs::MemfdFlags::CLOEXEC)?;
    let mut file = File::from(file);
    file.write_all(text.as_bytes())?;
    Ok(file)
}

/// What the command's environment says of the origin.
fn told(url: String, trusted: Option<&File>) -> Vec<(String, String)> {
    let mut told = vec![(VARIABLE.to_owned(), url)];
    if let Some(file) = trusted {
        let path = format!("/proc/{}/fd/{}", std::process::id(), file.as_raw_fd());
        told.extend(TRUSTED.map(|name| (name.to_owned(), path.clone())));
    }
    told
}

fn answer(args: &ClientArgs) -> Answer {
    let sized = |length| vec![b'x'; usize::try_from(length).unwrap_or_default()];
    let text = args.body.clone().map(String::into_bytes);
    let body = text.or_else(|| args.body_bytes.map(sized));
    Answer {
        status: args.status,
        body: body.map_or_else(|| Answer::default().body, Into::into),
        delay: Duration::from_secs_f64(args.delay),
    }
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
    Error::new(Exit::Invalid, message).hint(format!(
        "give it the origin's URL: from the environment variable {VARIABLE}, or as an argument in place of `{PLACE}`"
    ))
}
