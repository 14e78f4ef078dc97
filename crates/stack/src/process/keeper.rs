//! The last line: a process that no name and no family ties to weir, and that clears away once weir and its guardians
//! were all killed.

use std::ffi::CStr;
use std::io::Write as _;
use std::path::Path;
use std::process::{Child, ChildStdin, Stdio};
use std::sync::{Mutex, PoisonError};

use crate::process::kept::GuardCommand;
use crate::process::order::Order;

/// What `ps` calls it.
pub(crate) const NAME: &str = "keeper";
/// The same for the kernel.
pub(crate) const COMMAND: &CStr = c"keeper";

/// This process's keeper, started with the first folder.
static KEEPER: Mutex<Option<Keeper>> = Mutex::new(None);

struct Keeper {
    process: Child,
    orders: ChildStdin,
}

/// Has a folder cleared away once neither weir nor a guardian is left to do it. Without a keeper the next weir does.
pub(crate) fn keep(guard: &GuardCommand, folder: &Path) {
    let mut keeper = KEEPER.lock().unwrap_or_else(PoisonError::into_inner);
    if keeper.as_mut().is_none_or(Keeper::is_gone) {
        *keeper = Keeper::start(guard).ok();
    }
    if let Some(keeper) = &mut *keeper {
        let order = Order::Keep {
            folder: folder.to_owned(),
        };
        let line = serde_json::to_string(&order).expect("orders are plain values");
        let _ = writeln!(keeper.orders, "{line}");
    }
}

impl Keeper {
    fn start(guard: &GuardCommand) -> std::io::Result<Self> {
        let mut process = guard
            .command(NAME)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let orders = process.stdin.take().ok_or(std::io::ErrorKind::BrokenPipe)?;
        Ok(Self { process, orders })
    }

    fn is_gone(&mut self) -> bool {
        !matches!(self.process.try_wait(), Ok(None))
    }
}
