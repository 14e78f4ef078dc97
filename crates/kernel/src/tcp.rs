use std::io;
use std::mem::{MaybeUninit, size_of};
use std::os::fd::{AsFd, AsRawFd as _};
use std::time::Duration;

/// What the kernel knows about a TCP connection (`TCP_INFO`, `tcp(7)`; the fields are those of
/// `struct tcp_info` in `linux/tcp.h`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TcpInfo {
    /// Smoothed round-trip time (RFC 6298).
    pub rtt: Duration,
    /// Its mean deviation (RFC 6298).
    pub rttvar: Duration,
    /// Segments sent again since the connection was opened.
    pub retransmits: u32,
    /// Segments sent and not acknowledged yet.
    pub unacked: u32,
    /// Segments that may be under way at once.
    pub congestion_window: u32,
    /// Segments received, those without data too; 0 where the kernel does not tell.
    pub segments_received: u32,
    /// Segments with data received; 0 where the kernel does not tell.
    pub data_segments_received: u32,
    /// Bytes of data received, each once.
    pub bytes_received: u64,
}

/// Asks the kernel about a TCP connection. Costs a system call; on the way of each request it would
/// be too much.
///
/// # Why this is sound
/// The kernel is given a zeroed structure of its own layout, and its size, beyond which it does not
/// write. An older kernel fills less of it; the rest stays zero.
///
/// # Errors
/// The descriptor is not a TCP socket.
pub fn tcp_info(socket: impl AsFd) -> io::Result<TcpInfo> {
    #[expect(clippy::cast_possible_truncation, reason = "a few hundred bytes")]
    let mut length = size_of::<libc::tcp_info>() as libc::socklen_t;
    let mut info = MaybeUninit::<libc::tcp_info>::zeroed();
    #[allow(unsafe_code, reason = "no library asks for TCP_INFO safely")]
    // SAFETY: the descriptor is borrowed and so open; both pointers are to live values of ours,
    // writable, and `length` is the first one's size.
    let outcome = unsafe {
        libc::getsockopt(
            socket.as_fd().as_raw_fd(),
            libc::IPPROTO_TCP,
            libc::TCP_INFO,
            info.as_mut_ptr().cast(),
            &raw mut length,
        )
    };
    if outcome != 0 {
        return Err(io::Error::last_os_error());
    }
    #[allow(unsafe_code, reason = "the structure was made as bytes")]
    // SAFETY: it holds integers only, for which any bytes are valid, and all were zero before.
    let info = unsafe { info.assume_init() };
    Ok(read(&info))
}

fn read(info: &libc::tcp_info) -> TcpInfo {
    let micros = |value: u32| Duration::from_micros(value.into());
    TcpInfo {
        rtt: micros(info.tcpi_rtt),
        rttvar: micros(info.tcpi_rttvar),
        retransmits: info.tcpi_total_retrans,
        unacked: info.tcpi_unacked,
        congestion_window: info.tcpi_snd_cwnd,
        segments_received: info.tcpi_segs_in,
        data_segments_received: info.tcpi_data_segs_in,
        bytes_received: info.tcpi_bytes_received,
    }
}
