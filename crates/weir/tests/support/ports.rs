//! Ports that nobody has.

use std::net::{Ipv4Addr, TcpListener};
use std::sync::atomic::{AtomicU32, Ordering};

/// The lowest of the ports that [`two_free_ports`] gives, and how many pairs there are.
const LOWEST: u16 = 10_000;
const PAIRS: u32 = 3_000;
/// How many pairs were asked for.
static ASKED: AtomicU32 = AtomicU32::new(0);

/// Two ports in a row that nobody has, and that nobody is given meanwhile: they lie below those that the kernel chooses (unless
/// `ip_local_port_range` was changed), and no other test asks for them.
pub(crate) fn two_free_ports() -> u16 {
    let free = |port: u16| TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok();
    for _ in 0..PAIRS {
        // tests of another process begin elsewhere
        let pair = (std::process::id() + ASKED.fetch_add(1, Ordering::Relaxed)) % PAIRS;
        let port = LOWEST + 2 * pair as u16;
        if free(port) && free(port + 1) {
            return port;
        }
    }
    panic!("no two ports in a row are free from {LOWEST} on");
}
