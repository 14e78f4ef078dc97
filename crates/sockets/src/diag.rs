//! TCP sockets as the kernel lists them (`sock_diag(7)`): those in some states, without the others being looked at.

use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::sync::atomic::{AtomicBool, Ordering};

use netlink_packet_core::{
    NLM_F_DUMP, NLM_F_REQUEST, NetlinkHeader, NetlinkMessage, NetlinkPayload,
};
use netlink_packet_sock_diag::SockDiagMessage;
use netlink_packet_sock_diag::constants::{
    AF_INET, AF_INET6, IPPROTO_TCP, TCP_LISTEN, TCP_TIME_WAIT,
};
use netlink_packet_sock_diag::inet::nlas::Nla;
use netlink_packet_sock_diag::inet::{
    ExtensionFlags, InetRequest, InetResponse, SocketId, StateFlags,
};
use netlink_sys::protocols::NETLINK_SOCK_DIAG;
use netlink_sys::{Socket as Netlink, SocketAddr as Place};

use crate::{Socket, State};

/// Bytes of what the kernel writes at once, at most (`NLMSG_GOODSIZE` of its dumps).
const MESSAGE: usize = 32_768;

/// Whether the kernel lists no TCP sockets.
static SILENT: AtomicBool = AtomicBool::new(false);

/// Those in these states, as far as there are not more than `most`: then one more than that.
///
/// # Errors
/// The system's, which tells in some containers nothing of its sockets.
pub fn list(states: &[State], most: usize) -> io::Result<Vec<Socket>> {
    let flag = |state: &State| match state {
        State::Listens => StateFlags::LISTEN,
        State::Connected => StateFlags::ESTABLISHED,
        State::Kept => StateFlags::TIME_WAIT,
    };
    let states: StateFlags = states.iter().map(flag).collect();
    of_tcp(&states, &ExtensionFlags::empty(), most, told)
}

/// Attempts to connect that each socket which listens has turned away since it began, by its inode: its accept queue was full, or
/// too many connections were being opened. The kernel counts an attempt again each time that the client repeats it; `ss -ltm` shows
/// the count as `d`.
///
/// # Errors
/// The system's, which tells in some containers nothing of its sockets.
pub fn turned_away() -> io::Result<BTreeMap<u64, u32>> {
    let drops = |of: &InetResponse| {
        let drops = of.nlas.iter().find_map(|of| match of {
            Nla::MemInfo(memory) => Some(memory.drops),
            _ => None,
        });
        drops.map(|drops| (u64::from(of.header.inode), drops))
    };
    let listens = StateFlags::LISTEN;
    let each = of_tcp(&listens, &ExtensionFlags::SKMEMINFO, usize::MAX, drops)?;
    Ok(each.into_iter().flatten().collect())
}

/// What is told of each in these states, with these extensions, up to one more than `most`.
pub(crate) fn of_tcp<T>(
    states: &StateFlags,
    extensions: &ExtensionFlags,
    most: usize,
    told: impl Fn(&InetResponse) -> T,
) -> io::Result<Vec<T>> {
    let each = |message: SockDiagMessage| match message {
        SockDiagMessage::InetResponse(of) => Some(told(&of)),
        _ => None,
    };
    let mut found = Vec::new();
    for (family, any) in [
        (AF_INET, SocketId::new_v4()),
        (AF_INET6, SocketId::new_v6()),
    ] {
        if found.len() <= most {
            let request = InetRequest {
                family,
                protocol: IPPROTO_TCP,
                extensions: extensions.clone(),
                states: states.clone(),
                socket_id: any,
            };
            let request = SockDiagMessage::InetRequest(request);
            ask(request, &SILENT, most, &mut found, each)?;
        }
    }
    Ok(found)
}

/// Asks the kernel, and adds what is told of each socket to those that are there, up to one more than `most`. Where it has `NotFound`
/// to say it is silent from then on, and not asked again: each time it would start a program that looks for a module of its own.
pub(crate) fn ask<T>(
    request: SockDiagMessage,
    silent: &AtomicBool,
    most: usize,
    found: &mut Vec<T>,
    told: impl Fn(SockDiagMessage) -> Option<T>,
) -> io::Result<()> {
    if silent.load(Ordering::Relaxed) {
        return Err(ErrorKind::NotFound.into());
    }
    let mut socket = Netlink::new(NETLINK_SOCK_DIAG)?;
    socket.bind_auto()?;
    socket.connect(&Place::new(0, 0))?;
    socket.send(&bytes(request), 0)?;
    let mut buffer = vec![0; MESSAGE];
    loop {
        let size = socket.recv(&mut &mut buffer[..], 0)?;
        let answer = &buffer[..size.min(MESSAGE)];
        match add(answer, most, found, &told) {
            Ok(false) => {}
            Ok(true) => return Ok(()),
            Err(error) => {
                silent.fetch_or(error.kind() == ErrorKind::NotFound, Ordering::Relaxed);
                return Err(error);
            }
        }
    }
}

/// Adds what is told of each socket in an answer; whether nothing more comes, or there are more than `most`.
fn add<T>(
    answer: &[u8],
    most: usize,
    found: &mut Vec<T>,
    told: &impl Fn(SockDiagMessage) -> Option<T>,
) -> io::Result<bool> {
    let mut rest = answer;
    while !rest.is_empty() {
        let message = NetlinkMessage::<SockDiagMessage>::deserialize(rest);
        let message = message.map_err(io::Error::other)?;
        match message.payload {
            NetlinkPayload::InnerMessage(of) => found.extend(told(of)),
            // a list that broke off is none
            NetlinkPayload::Done(done) if done.code < 0 => {
                return Err(io::Error::from_raw_os_error(done.code.saturating_neg()));
            }
            NetlinkPayload::Done(_) => return Ok(true),
            NetlinkPayload::Error(error) => return Err(error.to_io()),
            _ => {}
        }
        if found.len() > most {
            return Ok(true);
        }
        // each begins on a boundary of four bytes
        let length = (message.header.length as usize).next_multiple_of(4).max(4);
        rest = rest.get(length..).unwrap_or_default();
    }
    Ok(false)
}

fn told(of: &InetResponse) -> Socket {
    let of = &of.header;
    let id = &of.socket_id;
    // of one that listens the second figure is the room for those that wait
    let (state, room, unacknowledged) = match of.state {
        TCP_LISTEN => (State::Listens, Some(of.send_queue), 0),
        TCP_TIME_WAIT => (State::Kept, None, 0),
        _ => (State::Connected, None, of.send_queue),
    };
    Socket {
        state,
        local: (id.source_address, id.source_port).into(),
        remote: (id.destination_address, id.destination_port).into(),
        inode: of.inode.into(),
        user: of.uid,
        unread: of.recv_queue,
        room,
        unacknowledged,
    }
}

fn bytes(request: SockDiagMessage) -> Vec<u8> {
    let mut header = NetlinkHeader::default();
    header.flags = NLM_F_REQUEST | NLM_F_DUMP;
    let mut message = NetlinkMessage::new(header, request.into());
    message.finalize();
    let mut bytes = vec![0; message.buffer_len()];
    message.serialize(&mut bytes);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A family of sockets that the kernel knows nothing to tell of: X.25.
    const UNTOLD: u8 = 9;

    fn asked(family: u8, silent: &AtomicBool) -> io::Result<()> {
        let request = InetRequest {
            family,
            protocol: IPPROTO_TCP,
            extensions: ExtensionFlags::empty(),
            states: StateFlags::LISTEN,
            socket_id: SocketId::new_v4(),
        };
        let request = SockDiagMessage::InetRequest(request);
        ask(request, silent, usize::MAX, &mut Vec::new(), |_| Some(()))
    }

    #[test]
    fn who_has_nothing_to_tell_is_asked_once() {
        let silent = AtomicBool::new(false);
        asked(AF_INET, &silent).unwrap();
        assert!(!silent.load(Ordering::Relaxed));
        let error = asked(UNTOLD, &silent).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotFound);
        assert!(silent.load(Ordering::Relaxed));
        let error = asked(AF_INET, &silent).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotFound, "it would have answered");
    }

    #[test]
    fn a_list_that_broke_off_is_none() {
        // `NLMSG_DONE`: length and kind, flags and two numbers of no interest, and how it went
        let done = |code: i32| {
            let (length, kind) = (20_u32.to_ne_bytes(), 3_u16.to_ne_bytes());
            [&length[..], &kind, &[0; 10], &code.to_ne_bytes()].concat()
        };
        let read = |code| {
            add(&done(code), 9, &mut Vec::new(), &|_: SockDiagMessage| {
                Some(())
            })
        };
        assert!(read(0).unwrap());
        assert_eq!(read(-12).unwrap_err().kind(), ErrorKind::OutOfMemory);
    }
}
