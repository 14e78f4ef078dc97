//! Which runs are being measured: who measures one holds a name of the system, which is free again when that process has
//! ended, however it did. In the store it would stay behind a weir that was killed.

use std::io::ErrorKind;
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::net::{SocketAddr, UnixListener};

use crate::open::Identity;

/// A run that this process measures.
#[derive(Debug)]
pub(crate) struct Measuring {
    /// Its name is what counts: nothing connects to it.
    _held: UnixListener,
}

impl Measuring {
    /// Holds the name of a run of the store that is this file. None where that cannot be had: then nothing is lost but the
    /// guard.
    pub(crate) fn begin(file: Option<Identity>, run: i64) -> Option<Self> {
        let held = UnixListener::bind_addr(&name(file?, run)?).ok()?;
        Some(Self { _held: held })
    }
}

/// Whether a process of this machine measures a run of the store that is this file.
pub(crate) fn is_measured(file: Option<Identity>, run: i64) -> bool {
    let name = file.and_then(|file| name(file, run));
    let tried = name.map(|name| UnixListener::bind_addr(&name));
    tried.is_some_and(|tried| tried.is_err_and(|error| error.kind() == ErrorKind::AddrInUse))
}

/// A name that is no file: sockets in the abstract namespace go with the process that opened them.
fn name((device, inode): Identity, run: i64) -> Option<SocketAddr> {
    SocketAddr::from_abstract_name(format!("weir-run-{device}-{inode}-{run}")).ok()
}
