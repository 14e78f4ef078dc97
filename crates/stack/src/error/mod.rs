mod advice;
mod app;
pub(crate) mod log;
pub(crate) mod shortage;

pub use advice::Remedy;
pub use app::AppError;

/// How every attempt to make a folder of weir's own is named.
pub(crate) const FOLDER: &str = "making a folder for weir";

/// What this crate's functions return, unless they say otherwise.
pub(crate) type Result<T, E = StackError> = std::result::Result<T, E>;

/// Why a stack could not be described, started, trusted or stopped.
#[derive(Debug, thiserror::Error)]
pub enum StackError {
    /// A catalogue entry is wrong.
    #[error("catalogue entry `{file}`: {problem}")]
    Entry {
        /// Path of the entry, below the catalogue for built-in ones.
        file: String,
        /// What is wrong, with the line or key.
        problem: String,
    },
    /// An app cannot be described, or cannot run as it is.
    #[error(transparent)]
    App(#[from] AppError),
    /// There is no interpreter for the app.
    #[error("no Python for the app: {problem}")]
    NoPython {
        /// Where it was looked for.
        problem: String,
    },
    /// A plan names an entry that the catalogue lacks.
    #[error("unknown {kind} `{name}`")]
    UnknownEntry {
        /// `app server` or `front end`.
        kind: &'static str,
        /// The name in the plan.
        name: String,
        /// What to type instead.
        hint: String,
    },
    /// A plan sets a knob that is unknown, out of range or of the wrong type.
    #[error("knob `{knob}` of `{entry}`: {problem}")]
    Knob {
        /// The entry.
        entry: String,
        /// The knob's name in the plan.
        knob: String,
        /// What is wrong, with the range.
        problem: String,
        /// What to type instead.
        hint: String,
    },
    /// This combination cannot work.
    #[error("variant `{variant}` cannot be served: {why}")]
    Refused {
        /// The variant.
        variant: String,
        /// Why not.
        why: String,
        /// What would work.
        hint: String,
    },
    /// A template of an entry cannot be rendered.
    #[error("catalogue entry `{entry}`: {place}: {problem}")]
    Template {
        /// The entry.
        entry: String,
        /// Which template: `argv`, `files.nginx.conf`.
        place: String,
        /// What is wrong.
        problem: String,
    },
    /// A server or something it needs is not installed.
    #[error("`{entry}` cannot be started: {what} is missing ({why})")]
    Missing {
        /// The entry.
        entry: String,
        /// What is missing.
        what: String,
        /// How that was found.
        why: String,
        /// The command that installs it.
        install: Option<String>,
    },
    /// A program could not be asked what there is of it: that says nothing of whether it is installed.
    #[error("`{entry}` cannot be started: `{command}` could not be asked: {problem}")]
    Unasked {
        /// The entry.
        entry: String,
        /// What was run.
        command: String,
        /// Why it said nothing.
        problem: String,
        /// The system's number of what the machine ran out of, if it did.
        shortage: Option<i32>,
    },
    /// The machine ran out of something that a server needs.
    #[error("`{entry}` {what}: {problem}")]
    Short {
        /// The entry.
        entry: String,
        /// What it did ("was not ready after 30 s").
        what: String,
        /// What ran out.
        problem: String,
        /// The system's number of it.
        number: i32,
        /// Last lines of its log.
        log_tail: Vec<String>,
    },
    /// The server itself refuses its configuration.
    #[error("`{entry}` refuses its configuration: {}", log::cause(log_tail))]
    Check {
        /// The entry.
        entry: String,
        /// What the check printed.
        log_tail: Vec<String>,
    },
    /// A setup command of the app failed.
    #[error("setup command `{command}` {how}")]
    Setup {
        /// The command.
        command: String,
        /// How it ended.
        how: String,
        /// The end of what it printed.
        log_tail: Vec<String>,
    },
    /// A command before a program's start failed.
    #[error(
        "`{entry}` cannot be started: `{command}` {how}: {}",
        log::cause(log_tail)
    )]
    Prepare {
        /// The entry.
        entry: String,
        /// The command.
        command: String,
        /// How it ended.
        how: String,
        /// The end of what it printed.
        log_tail: Vec<String>,
    },
    /// A server ended before it was ready.
    #[error("`{entry}` {how} before it was ready: {}", log::cause(log_tail))]
    Exited {
        /// The entry.
        entry: String,
        /// How it ended ("ended with code 3").
        how: String,
        /// Last lines of its log.
        log_tail: Vec<String>,
    },
    /// A server ended while it should have served.
    #[error(
        "`{entry}` {how} while it should have served: {}",
        log::cause(log_tail)
    )]
    Died {
        /// The entry.
        entry: String,
        /// How it ended.
        how: String,
        /// Last lines of its log.
        log_tail: Vec<String>,
    },
    /// A server answers, but never as expected.
    #[error("`{entry}` answers `{request}` with {problem}{}", logged(log_tail))]
    WrongAnswer {
        /// The entry.
        entry: String,
        /// The request.
        request: String,
        /// The last answer ("status 302 to `/login`, expected 200").
        problem: String,
        /// What to do about it.
        remedy: Box<Remedy>,
        /// Last lines of its log.
        log_tail: Vec<String>,
    },
    /// A server answers with more than weir reads.
    #[error("`{entry}` answers `{request}` with more than weir reads: {problem}")]
    Beyond {
        /// The entry.
        entry: String,
        /// The request.
        request: String,
        /// What is too much.
        problem: String,
    },
    /// A server does not answer at all.
    #[error(
        "`{entry}` was not ready after {seconds} s: {last}{}",
        logged(log_tail)
    )]
    NotReady {
        /// The entry.
        entry: String,
        /// How long weir waited.
        seconds: u64,
        /// What the last attempt met.
        last: String,
        /// Last lines of its log.
        log_tail: Vec<String>,
    },
    /// An app's own program listens elsewhere than where it was told to.
    #[error(
        "`{entry}` listens at {at}, and not at {given}, which it was given{}",
        logged(log_tail)
    )]
    Elsewhere {
        /// The entry.
        entry: String,
        /// Where it listens.
        at: String,
        /// Where it should.
        given: String,
        /// Last lines of its log.
        log_tail: Vec<String>,
    },
    /// Somebody took the address between choosing and binding, again and again.
    #[error("`{entry}` found its address `{address}` in use, {attempts} times with fresh ports")]
    AddressInUse {
        /// The entry.
        entry: String,
        /// The last address tried.
        address: String,
        /// How often.
        attempts: u32,
        /// Last lines of its log.
        log_tail: Vec<String>,
    },
    /// Somebody else answers on the address that the server was given.
    #[error("{processes} answers on `{address}` in place of `{entry}`")]
    Stranger {
        /// The entry.
        entry: String,
        /// The address.
        address: String,
        /// All processes that listen there, the first by its name as well.
        processes: String,
        /// What ends them, as a shell takes it, where that is known.
        ends: Option<String>,
    },
    /// The stack answers differently from the reference.
    #[error("`{request}` gets a wrong response: {problem}")]
    Differs {
        /// The request.
        request: String,
        /// The first difference.
        problem: String,
        /// A few lines around it.
        context: Vec<String>,
        /// Patterns of the parts that differ, if these are all and may be meant to.
        dynamic: Vec<String>,
        /// What to do, where that is known better than from the difference.
        hint: Option<Box<str>>,
    },
    /// A request of weir's own failed.
    #[error("`{request}` failed: {problem}")]
    Fetch {
        /// The request.
        request: String,
        /// Why.
        problem: String,
    },
    /// The guardian does not do its work.
    #[error("the guardian of `{entry}` {problem}")]
    Guardian {
        /// The entry.
        entry: String,
        /// What is wrong.
        problem: String,
    },
    /// The user interrupted.
    #[error("interrupted")]
    Interrupted,
    /// The operating system refused something.
    #[error("{doing}: {error}")]
    System {
        /// What weir was doing, with the path.
        doing: String,
        /// What the system said.
        error: std::io::Error,
    },
}

/// What a server that still runs complained about, if it did.
fn logged(log_tail: &[String]) -> String {
    let complaint = log::complaint(log_tail);
    complaint.map_or_else(String::new, |line| format!("; it logged: {line}"))
}
