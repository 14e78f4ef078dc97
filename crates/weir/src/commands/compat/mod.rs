//! `weir wrk` and `weir ab`: other tools' command lines, with weir's engine behind them.

pub(super) mod ab;
mod ending;
mod probe;
pub(super) mod wrk;

use experiment::Address;
use load::{Expected, Job, Request, Traffic};
use record::{Load, Tls};

use crate::error::{Error, Exit, Result};
use crate::invocation::Invocation;

/// An option that weir knows and does not do.
fn refused(option: &str, why: &str) -> Error {
    Error::new(Exit::Usage, format!("`{option}` is refused: {why}"))
        .hint("leave it out, or look at `weir help bench`".to_owned())
}

/// Each prints what its tool prints.
fn no_json(invocation: &Invocation) -> Result<()> {
    if !invocation.json() {
        return Ok(());
    }
    let message = "`--json` is refused: this prints what the other tool prints";
    let hint = "`weir bench URL -c 10 -d 10s --json` loads as well, and prints JSON";
    Err(Error::new(Exit::Usage, message).hint(hint.to_owned()))
}

fn request(place: &Address, method: &str, headers: &[(String, String)]) -> Request {
    Request {
        method: method.to_owned(),
        path: place.path.clone(),
        headers: headers.to_vec(),
        body: Vec::new(),
    }
}

/// These tools take any certificate.
fn tls(place: &Address) -> Option<Tls> {
    place.tls.then(|| Tls {
        insecure: true,
        ..Tls::default()
    })
}

fn job(place: Address, request: Request, expected: Expected, load: Load, cores: u32) -> Job {
    Job {
        // these tools print whatever came of it
        may_break: true,
        cores,
        busy_wait: false,
        target: place.target,
        protocol: place.protocol,
        host: place.host,
        cgi: load::Cgi::default(),
        traffic: Traffic::one(request, expected),
        load,
    }
}
