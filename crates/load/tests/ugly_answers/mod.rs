//! Every answer and every failure that a server can think of: read rightly, or named rightly.

mod failures;
mod hopeless;
mod right;

use load::LoadError;

fn said(outcome: Result<record::LoadFacts, LoadError>) -> (String, String) {
    let error = outcome.unwrap_err();
    (error.to_string(), error.hint().unwrap_or_default())
}
