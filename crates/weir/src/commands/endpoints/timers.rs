//! Timers of statsd as programs send them: datagrams to an address of this machine.

use std::io::ErrorKind;
use std::net::{SocketAddr, UdpSocket};
use std::time::{Duration, Instant};

use ::endpoints::{Endpoints, Format, How, read_plain};

use crate::error::{Error, Exit, Result};
use crate::invocation::Invocation;
use crate::output::note;

/// How often a user who has enough is noticed.
const TICK: Duration = Duration::from_millis(100);
/// Most datagrams that are taken after the end.
const MOST_LEFT: u32 = 10_000;
/// The largest datagram.
const LARGEST: usize = 1 << 16;

/// Counts what comes, for so many seconds at most, and until the user has enough.
pub(super) fn add(
    address: SocketAddr,
    seconds: Option<f64>,
    endpoints: &mut Endpoints,
    invocation: &Invocation,
) -> Result<()> {
    if !address.ip().is_loopback() {
        let message =
            format!("`{address}` is no address of this machine alone: strangers could send there");
        let hint = format!("use --udp 127.0.0.1:{}", address.port());
        return Err(Error::new(Exit::Usage, message).hint(hint));
    }
    let cannot = |error: std::io::Error| {
        let message = format!("cannot listen at `{address}`: {error}");
        let hint = "name a port that is free (`ss -lun` lists those that are not), or 0 for any";
        Error::new(Exit::Usage, message).hint(hint.to_owned())
    };
    let socket = UdpSocket::bind(address).map_err(cannot)?;
    socket.set_read_timeout(Some(TICK)).map_err(cannot)?;
    if !invocation.quiet() {
        let own = socket.local_addr().map_err(cannot)?;
        note(format!("listening for timers at {own}; Ctrl-C ends it"));
    }
    let began = Instant::now();
    let is_over = || {
        let passed = began.elapsed().as_secs_f64();
        invocation.is_interrupted() || seconds.is_some_and(|most| passed >= most)
    };
    let mut datagram = vec![0; LARGEST];
    let mut left = MOST_LEFT;
    while left > 0 {
        if is_over() {
            left -= 1; // what has come already counts, and no flood keeps it going
            socket.set_nonblocking(true).map_err(cannot)?;
        }
        match socket.recv(&mut datagram) {
            Ok(length) => {
                let mut each = |entry: &::endpoints::Entry| endpoints.add(entry, false);
                let how = How {
                    format: Some(Format::Statsd),
                    unit: None,
                };
                // what is no timer is somebody else's, and nothing that is sent is unpacked
                let _ = read_plain(&datagram[..length], how, &mut each);
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock && is_over() => break,
            Err(error)
                if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
            Err(error) => return Err(cannot(error)),
        }
    }
    Ok(())
}
