//! When a service is ready: weir does not speak its protocol.

use std::cell::RefCell;
use std::net::TcpStream;
use std::os::unix::net::UnixStream;
use std::time::Duration;

use record::Target;

use crate::compose::Program;
use crate::process::{Supervised, printed_in};
use crate::serve::address::ours;
use crate::serve::readiness::{self, Patience, Unready};

/// Longest time for one question.
const QUESTION: Duration = Duration::from_secs(5);

/// Waits until the service says that it serves; one that cannot be asked does once it accepts connections.
pub(crate) fn wait(
    server: &mut Supervised,
    program: &Program,
    patience: Patience<'_>,
) -> Result<(), Unready> {
    let last = RefCell::new(String::new());
    let asked = |_: &Supervised| ask(program).map_err(|why| last.replace(why)).is_ok();
    readiness::until(server, program, patience, || last.borrow().clone(), asked)?;
    ours(server, program)
}

/// Whether it serves, or why it does not.
fn ask(program: &Program) -> Result<(), String> {
    let Some(argv) = &program.ready else {
        return connect(&program.listen).map_err(|error| error.to_string());
    };
    printed_in(argv, Some(&program.cwd), &program.env, QUESTION).map(drop)
}

fn connect(target: &Target) -> std::io::Result<()> {
    match target {
        Target::Tcp(address) => TcpStream::connect_timeout(address, QUESTION).map(drop),
        Target::Unix(path) => UnixStream::connect(path).map(drop),
    }
}
