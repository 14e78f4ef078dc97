//! The server to which `weir client --to` passes requests on.

use ::experiment::{Address, Upstream};
use ::judge::Account;
use ::record::{Protocol, Target};
use ::report::harmless::one_line;

use crate::error::{Error, Exit, Result};
use crate::mask;

/// The server to which requests are passed on.
pub(super) fn upstream(to: &str) -> Result<Upstream> {
    let wrong = |why: &str| {
        let url = mask::url(to);
        let message = format!("cannot pass requests on to `{}`: {why}", url.escape_debug());
        Error::new(Exit::Usage, message).hint(
            "give a server by its scheme, host and port: `--to http://127.0.0.1:8000/`".to_owned(),
        )
    };
    let at = Address::parse(to)?.reached();
    if at.protocol != Protocol::Http1 || at.tls {
        return Err(wrong("that is done over HTTP/1.1 without TLS"));
    }
    if at.path != "/" || at.authorization.is_some() {
        return Err(wrong("each request has a path and credentials of its own"));
    }
    let Target::Tcp(address) = at.target else {
        return Err(wrong("that is done over TCP"));
    };
    Ok(Upstream {
        address,
        host: at.host,
    })
}

/// A server that answered nothing of what was passed on to it: how the client talks to it was not measured.
pub(super) fn unanswered(account: &Account) -> Option<Error> {
    let forwarded = account.talk.forwarded.as_ref()?;
    if forwarded.answered > 0 || forwarded.failed == 0 {
        return None;
    }
    let command = account.command.join(" ");
    let why = forwarded.example.as_deref().unwrap_or_default();
    let message = format!(
        "the server answered none of the requests of `{}`: {}",
        one_line(&command),
        one_line(why)
    );
    let hint = "see that it runs, and listens where `--to` says".to_owned();
    Some(Error::new(Exit::Target, message).hint(hint))
}
