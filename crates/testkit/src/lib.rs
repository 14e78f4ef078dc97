//! Development only: a scripted HTTP peer, an origin that keeps account of itself, a real nginx, an authority for certificates, condition waiting, temporary folders.
//!
//! Tests of every crate stand on these: a [`ScriptedPeer`] misbehaves exactly as told, an
//! [`Origin`] knows the truth about counts and times, and [`Nginx`] is the real thing. Ports are chosen by the kernel; dropping a value stops what it
//! started. Everything here panics when the test machine cannot do what is asked: that is a failed
//! test, and a skipped one only where [`may_skip`] is told so.

mod authority;
mod mounts;
mod nginx;
mod origin;
mod peer;
mod skip;
mod socket;
mod step;

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::{Duration, Instant};

pub use authority::{Authority, Certified};
pub use mounts::with_own_mounts;
pub use nginx::Nginx;
pub use origin::{Account, Conversation, Exchange, Origin, Speech, Turn};
pub use peer::ScriptedPeer;
pub use skip::may_skip;
pub use socket::{Refusing, UnacceptingUnix};
pub use step::{Gate, Step, answer};
pub use tempfile::TempDir;

/// Times between two looks at a condition, the shortest and the longest.
const BETWEEN: (Duration, Duration) = (Duration::from_millis(2), Duration::from_millis(50));
/// Into so many parts the time so far is divided for it: a look may cost what it is waited for.
const PARTS: u32 = 50;

/// Waits until `condition` holds; whether it did before `patience` ran out. The one place where a
/// test may wait for something that cannot be waited on. What takes long is looked at less often.
pub fn eventually(patience: Duration, mut condition: impl FnMut() -> bool) -> bool {
    let began = Instant::now();
    loop {
        if condition() {
            return true;
        }
        let passed = began.elapsed();
        if passed >= patience {
            return false;
        }
        let (shortest, longest) = BETWEEN;
        #[expect(clippy::disallowed_methods, reason = "a bounded poll of a condition")]
        std::thread::sleep((passed / PARTS).clamp(shortest, longest));
    }
}

/// Lets everybody run a file.
///
/// # Panics
/// When there is no such file, or it is another user's.
pub fn executable(file: impl AsRef<Path>) {
    std::fs::set_permissions(file, Permissions::from_mode(0o755)).expect("a file of the test's");
}

/// A fresh folder, removed when the value is dropped.
///
/// # Panics
/// When the temporary folder of the machine cannot be written.
#[must_use]
pub fn temp_dir() -> TempDir {
    tempfile::Builder::new()
        .prefix("weir-test-")
        .tempdir()
        .expect("a temporary folder")
}
