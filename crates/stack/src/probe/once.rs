//! What was answered once in the life of this process, and is not asked again.
//!
//! A server's version, and its own test of a configuration, take as long as a start of its interpreter, and a stack is started
//! some dozens of times in a run. Only good answers are kept: what was missing or refused is asked again, as it may have been
//! mended.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

static ANSWERED: Mutex<BTreeMap<String, String>> = Mutex::new(BTreeMap::new());

/// The answer to a question, which says all that the answer depends on.
///
/// # Errors
/// That of asking.
pub(crate) fn once<E>(
    question: String,
    ask: impl FnOnce() -> std::result::Result<String, E>,
) -> std::result::Result<String, E> {
    if let Some(known) = known(&question) {
        return Ok(known);
    }
    let answer = ask()?; // others may ask something else meanwhile
    keep(question, answer.clone());
    Ok(answer)
}

/// The answer to a question that was asked before, if it is kept.
pub(crate) fn known(question: &str) -> Option<String> {
    answered().get(question).cloned()
}

/// Keeps an answer.
pub(crate) fn keep(question: String, answer: String) {
    answered().insert(question, answer);
}

fn answered() -> std::sync::MutexGuard<'static, BTreeMap<String, String>> {
    ANSWERED.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::once;

    #[test]
    fn a_good_answer_is_kept_and_another_asked_again() {
        let ask =
            |answer: Result<&str, ()>| once("a question".to_owned(), || answer.map(str::to_owned));
        assert_eq!(ask(Err(())), Err(()));
        assert_eq!(ask(Ok("yes")), Ok("yes".to_owned()));
        assert_eq!(ask(Err(())), Ok("yes".to_owned()));
        let other = once("another".to_owned(), || Ok::<_, ()>("no".to_owned()));
        assert_eq!(other, Ok("no".to_owned()));
    }
}
