use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use record::Route;

use crate::compose::Program;
use crate::error::{StackError, shortage};
use crate::process::{Exit, Supervised, bounded};
use crate::serve::address::{in_use, listens, lost_its_address, ours, stranger};
use crate::serve::elsewhere::Elsewhere;
use crate::serve::fetch::{Endpoint, fetch};
use crate::serve::redirect::followed;
use crate::serve::sign::Sign;
use crate::serve::unexpected::{Steady, Unexpected};

/// How often a start is tried when another process takes the chosen ports.
pub(crate) const ATTEMPTS: u32 = 3;

/// Pause between two questions; the end of the process cuts it short.
const PAUSE: Duration = Duration::from_millis(20);

/// Longest time for the first answer. Later ones are given as long as all that went before: a connection
/// may be lost between a server that listens and its workers, and the first answer may take long.
const FIRST_ANSWER: Duration = Duration::from_secs(1);

/// How long to wait, and whether the user still wants to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patience<'a> {
    pub(crate) began: Instant,
    pub(crate) limit: Duration,
    pub(crate) interrupted: &'a AtomicBool,
}

impl<'a> Patience<'a> {
    pub(crate) fn new(limit: Duration, interrupted: &'a AtomicBool) -> Self {
        let began = Instant::now();
        Self {
            began,
            limit,
            interrupted,
        }
    }

    /// The same limit from now on.
    pub(crate) fn anew(self) -> Self {
        self.within(self.limit)
    }

    /// Another limit from now on.
    pub(crate) fn within(self, limit: Duration) -> Self {
        Self::new(limit, self.interrupted)
    }

    pub(crate) fn interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    pub(crate) fn lasts(&self) -> bool {
        !self.interrupted() && self.began.elapsed() < self.limit
    }

    /// Why a wait failed: what the user cut short did not fail by itself.
    pub(crate) fn or_interrupted(&self, error: StackError) -> StackError {
        if self.interrupted() {
            return StackError::Interrupted;
        }
        error
    }
}

/// Why a server did not become ready.
pub(crate) enum Unready {
    /// Somebody else has its address: worth another attempt with another one.
    AddressTaken(StackError),
    /// Anything else.
    Failed(StackError),
}

impl From<StackError> for Unready {
    fn from(error: StackError) -> Self {
        Self::Failed(error)
    }
}

/// Asks a server for a sign until it gives it.
pub(crate) fn wait(
    server: &mut Supervised,
    program: &Program,
    sign: &Sign,
    patience: Patience<'_>,
) -> Result<(), Unready> {
    let route = &sign.route;
    let endpoint = Endpoint::of(program, std::slice::from_ref(program));
    let mut last = Attempt::Nothing;
    let mut steady = Steady::default();
    let mut elsewhere = Elsewhere::default();
    loop {
        let pause = match last {
            Attempt::Nothing => Duration::ZERO,
            _ => PAUSE,
        };
        look(server, program, pause, patience)?;
        if !patience.lasts() {
            return Err(last.error(program, route, patience.limit).into());
        }
        let attempt = patience.began.elapsed().max(FIRST_ANSWER);
        let asked = Instant::now();
        let mut go_on = || {
            let at_work = server.exit_within(Duration::ZERO).is_none();
            let in_time = patience.lasts() && asked.elapsed() < attempt;
            in_time && at_work && !lost_its_address(program)
        };
        match fetch(&endpoint, route, &mut go_on) {
            Ok(answer) if sign.shown_by(answer.status) => return ours(server, program),
            Ok(answer) => {
                let mut wrong = Unexpected::new(&answer, route, &endpoint.own);
                let (status, by_app) = (answer.status, program.runs_app);
                if steady.answered(status, by_app, patience.began, Instant::now()) {
                    ours(server, program)?;
                    let mut go_on = || patience.lasts();
                    wrong.leads_to = followed(&endpoint, route, &answer, &mut go_on);
                    let last = Attempt::Answered(wrong);
                    return Err(last.error(program, route, patience.limit).into());
                }
                last = Attempt::Answered(wrong);
            }
            Err(no) if no.beyond => {
                let beyond = StackError::Beyond {
                    entry: program.entry.clone(),
                    request: route.request(),
                    problem: no.words,
                };
                return Err(beyond.into());
            }
            Err(no) => {
                steady.failed();
                if let Some(error) = elsewhere.told(server, program, patience.began.elapsed()) {
                    return Err(error.into());
                }
                last = last.or_failed(no.words, !patience.lasts());
            }
        }
    }
}

/// Waits until a program has done something that it is not asked for; `not_yet` is what to say when it does not.
pub(crate) fn until(
    server: &mut Supervised,
    program: &Program,
    patience: Patience<'_>,
    not_yet: impl Fn() -> String,
    done: impl Fn(&Supervised) -> bool,
) -> Result<(), Unready> {
    loop {
        look(server, program, Duration::ZERO, patience)?;
        if done(server) {
            return Ok(());
        }
        if !patience.lasts() {
            let last = Attempt::Failed(not_yet());
            let error = last.error(program, &Route::get("/"), patience.limit);
            return Err(error.into());
        }
        server.exit_within(PAUSE);
    }
}

/// Whether there is any use in waiting, after a pause that the end of the process cuts short.
fn look(
    server: &mut Supervised,
    program: &Program,
    pause: Duration,
    patience: Patience<'_>,
) -> Result<(), Unready> {
    if patience.interrupted() {
        return Err(StackError::Interrupted.into());
    }
    let exit = server.exit_within(pause);
    // one that ends without a word of it had its address taken all the same
    let taken = || exit.is_some() && listens(program) && stranger(server, program).is_some();
    if lost_its_address(program) || taken() {
        return Err(Unready::AddressTaken(in_use(program)));
    }
    exit.map_or(Ok(()), |exit| Err(exited(program, exit).into()))
}

/// What the last question met.
enum Attempt {
    Nothing,
    Answered(Unexpected),
    Failed(String),
}

impl Attempt {
    /// A question that the end of our patience cut short says less than an answer before it.
    fn or_failed(self, words: String, cut: bool) -> Self {
        match self {
            Self::Answered(_) if cut => self,
            _ => Self::Failed(words),
        }
    }

    fn error(self, program: &Program, route: &Route, limit: Duration) -> StackError {
        let (entry, seconds) = (program.entry.clone(), limit.as_secs());
        let log_tail = bounded::tail(&program.log);
        if let Some(number) = shortage::seen(&log_tail.join("\n"), &program.log) {
            return short(program, format!("was not ready after {seconds} s"), number);
        }
        let last = match self {
            Self::Answered(answer) => {
                return answer.error(&entry, route, log_tail);
            }
            Self::Nothing => "it was not asked".to_owned(),
            Self::Failed(words) => words,
        };
        StackError::NotReady {
            entry,
            seconds,
            last,
            log_tail,
        }
    }
}

/// An error whose reason is that the machine ran out of something.
pub(crate) fn short(program: &Program, what: String, number: i32) -> StackError {
    StackError::Short {
        entry: program.entry.clone(),
        what,
        problem: shortage::words(number),
        number,
        log_tail: bounded::tail(&program.log),
    }
}

fn exited(program: &Program, exit: Exit) -> StackError {
    let (how, log_tail) = (exit.words(), bounded::tail(&program.log));
    if let Some(number) = shortage::seen(&log_tail.join("\n"), &program.log) {
        return short(program, format!("{how} before it was ready"), number);
    }
    StackError::Exited {
        entry: program.started().to_owned(),
        how,
        log_tail,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::serve::own::OwnAddresses;

    #[test]
    fn an_answer_is_not_forgotten_for_a_question_that_was_cut_short() {
        let words = || "no response in time".to_owned();
        let answered = || {
            let answer = wire::Answer {
                status: 500,
                ..wire::Answer::default()
            };
            let own = OwnAddresses::default();
            Attempt::Answered(Unexpected::new(&answer, &Route::get("/"), &own))
        };
        let kept = answered().or_failed(words(), true);
        assert!(matches!(kept, Attempt::Answered(_)));
        let newer = answered().or_failed(words(), false);
        assert!(matches!(newer, Attempt::Failed(_)));
        let first = Attempt::Nothing.or_failed(words(), true);
        assert!(matches!(first, Attempt::Failed(_)));
    }
}
