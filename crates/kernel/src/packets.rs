use std::io::{self, IoSliceMut};
use std::mem::{MaybeUninit, size_of};
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::time::Duration;

use nix::errno::Errno;
use nix::sys::socket::{
    AddressFamily, ControlMessageOwned, MsgFlags, SockFlag, SockProtocol, SockType, recvmsg,
    setsockopt, socket, sockopt,
};
use nix::sys::time::{TimeSpec, TimeVal};

/// The packets of a network, as its interfaces see them (`packet(7)`).
#[derive(Debug)]
pub struct Packets(OwnedFd);

/// A packet, link-layer header first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packet {
    /// When the kernel had it, since 1970.
    pub at: Duration,
    /// Bytes of it that were read: those that the buffer has room for.
    pub read: usize,
    /// Bytes of it.
    pub length: usize,
}

impl Packets {
    /// Packets of the calling thread's network from now on, each once: as it is received. The kernel keeps up to so many
    /// bytes of them until they are read, and loses others.
    ///
    /// # Errors
    /// The user may not (`CAP_NET_RAW`).
    pub fn open(room: usize) -> io::Result<Self> {
        let (family, kind) = (AddressFamily::Packet, SockType::Raw);
        let flags = SockFlag::SOCK_CLOEXEC;
        let packets = Self(socket(family, kind, flags, SockProtocol::EthAll)?);
        packets.ignore_sent()?;
        setsockopt(&packets.0, sockopt::RcvBufForce, &room)?;
        setsockopt(&packets.0, sockopt::ReceiveTimestampns, &true)?;
        Ok(packets)
    }

    /// How long [`Self::next`] waits.
    ///
    /// # Errors
    /// The system's.
    pub fn wait(&self, most: Duration) -> io::Result<()> {
        let time = TimeVal::new(most.as_secs().cast_signed(), most.subsec_micros().into());
        Ok(setsockopt(&self.0, sockopt::ReceiveTimeout, &time)?)
    }

    /// The next packet; none where none came in time.
    ///
    /// # Errors
    /// The system's.
    pub fn next(&self, buffer: &mut [u8]) -> io::Result<Option<Packet>> {
        let room = buffer.len();
        let mut space = nix::cmsg_space!(TimeSpec);
        let mut parts = [IoSliceMut::new(buffer)];
        let number = self.0.as_raw_fd();
        let message = match recvmsg::<()>(number, &mut parts, Some(&mut space), MsgFlags::MSG_TRUNC)
        {
            Ok(message) => message,
            Err(Errno::EAGAIN | Errno::EINTR) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let at = message.cmsgs()?.find_map(|of| match of {
            ControlMessageOwned::ScmTimestampns(at) => Some(Duration::from(at)),
            _ => None,
        });
        Ok(Some(Packet {
            at: at.unwrap_or_default(),
            read: message.bytes.min(room),
            length: message.bytes,
        }))
    }

    /// Packets that were lost for want of room, since this was asked last.
    ///
    /// # Why this is sound
    /// The kernel is given a structure of its own layout, zeroed, and its size, beyond which it does not write.
    ///
    /// # Errors
    /// The system's.
    pub fn lost(&self) -> io::Result<u64> {
        #[expect(clippy::cast_possible_truncation, reason = "a few bytes")]
        let mut length = size_of::<libc::tpacket_stats>() as libc::socklen_t;
        let mut counts = MaybeUninit::<libc::tpacket_stats>::zeroed();
        #[allow(unsafe_code, reason = "no library asks for PACKET_STATISTICS safely")]
        // SAFETY: the descriptor is our own and open; both pointers are to live values of ours, writable, and `length`
        // is the first one's size.
        let outcome = unsafe {
            libc::getsockopt(
                self.0.as_raw_fd(),
                libc::SOL_PACKET,
                libc::PACKET_STATISTICS,
                counts.as_mut_ptr().cast(),
                &raw mut length,
            )
        };
        if outcome != 0 {
            return Err(io::Error::last_os_error());
        }
        #[allow(unsafe_code, reason = "the structure was made as bytes")]
        // SAFETY: it holds integers only, for which any bytes are valid, and all were zero before.
        let counts = unsafe { counts.assume_init() };
        Ok(counts.tp_drops.into())
    }

    /// Over loopback a packet that is sent is received: once is enough.
    fn ignore_sent(&self) -> io::Result<()> {
        let yes: libc::c_int = 1;
        #[expect(clippy::cast_possible_truncation, reason = "a few bytes")]
        let length = size_of::<libc::c_int>() as libc::socklen_t;
        #[allow(unsafe_code, reason = "no library has this option")]
        // SAFETY: the descriptor is our own and open; the pointer is to a live integer, whose size is given.
        let outcome = unsafe {
            libc::setsockopt(
                self.0.as_raw_fd(),
                libc::SOL_PACKET,
                libc::PACKET_IGNORE_OUTGOING,
                (&raw const yes).cast(),
                length,
            )
        };
        if outcome == 0 {
            Ok(())
        } else {
            Err(io::Error::last_os_error())
        }
    }
}
