//! Whose a program's address is: its own, or that of somebody who took it first.

use record::Target;

use crate::compose::Program;
use crate::error::StackError;
use crate::process::owner::{Squatter, squatter};
use crate::process::{Supervised, bounded};
use crate::serve::readiness::{ATTEMPTS, Unready};

/// The correct response must come from our server, not from one that took its port first.
pub(crate) fn ours(server: &Supervised, program: &Program) -> Result<(), Unready> {
    match stranger(server, program) {
        None => Ok(()),
        Some(other) => Err(Unready::AddressTaken(StackError::Stranger {
            entry: program.entry.clone(),
            address: words(&program.listen),
            processes: other.processes,
            ends: other.ends,
        })),
    }
}

/// Who else listens at its address.
pub(crate) fn stranger(server: &Supervised, program: &Program) -> Option<Squatter> {
    match program.listen {
        Target::Tcp(address) => squatter(address, server.guardian_pid()),
        Target::Unix(_) => None,
    }
}

/// Whether its address is one at which it listens, not one that it dials.
pub(crate) fn listens(program: &Program) -> bool {
    !program.spoken.protocol.dials_in()
}

/// Whether it says itself that somebody else has its address.
pub(crate) fn lost_its_address(program: &Program) -> bool {
    let pattern =
        regex::Regex::new(&program.address_in_use).expect("checked when the entry was read");
    pattern.is_match(&bounded::end(&program.log))
}

/// What is said once every attempt met somebody else there; or at another address, which stands in the app, where its
/// own is free.
pub(crate) fn in_use(program: &Program) -> StackError {
    let given = words(&program.listen);
    let is_free = match program.listen {
        Target::Tcp(address) => std::net::TcpListener::bind(address).is_ok(),
        Target::Unix(_) => false,
    };
    if program.runs_app && is_free {
        return StackError::Elsewhere {
            entry: program.entry.clone(),
            at: "another address, which is in use".to_owned(),
            given,
            log_tail: bounded::tail(&program.log),
        };
    }
    StackError::AddressInUse {
        entry: program.entry.clone(),
        address: given,
        attempts: ATTEMPTS,
        log_tail: bounded::tail(&program.log),
    }
}

fn words(target: &Target) -> String {
    match target {
        Target::Tcp(address) => address.to_string(),
        Target::Unix(path) => path.display().to_string(),
    }
}
