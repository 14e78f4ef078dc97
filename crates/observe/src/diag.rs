//! The TCP sockets of this network, as the kernel lists them (`sock_diag(7)`): those in some states, without the others being
//! looked at, where `/proc/net/tcp` writes a line for each that there is.

use std::io;

use netlink_packet_core::{
    NLM_F_DUMP, NLM_F_REQUEST, NetlinkHeader, NetlinkMessage, NetlinkPayload,
};
use netlink_packet_sock_diag::SockDiagMessage;
use netlink_packet_sock_diag::constants::{AF_INET, AF_INET6, IPPROTO_TCP};
use netlink_packet_sock_diag::inet::{
    ExtensionFlags, InetRequest, InetResponseHeader, SocketId, StateFlags,
};
use netlink_sys::protocols::NETLINK_SOCK_DIAG;
use netlink_sys::{Socket, SocketAddr};

/// Sockets beyond which nobody looks on: the kernel writes a message for each.
pub(crate) const MOST: usize = 20_000;
/// Bytes of what the kernel writes at once, at most (`NLMSG_GOODSIZE` of its dumps).
const MESSAGE: usize = 32_768;

/// Those in these states, as far as there are not more than [`MOST`]: then one more than that.
///
/// # Errors
/// The system's, which tells in some containers nothing of its sockets.
pub(crate) fn sockets(states: &StateFlags) -> io::Result<Vec<InetResponseHeader>> {
    let mut sockets = Vec::new();
    for (family, any) in [
        (AF_INET, SocketId::new_v4()),
        (AF_INET6, SocketId::new_v6()),
    ] {
        list(&request(family, any, states.clone()), &mut sockets)?;
    }
    Ok(sockets)
}

fn list(request: &[u8], sockets: &mut Vec<InetResponseHeader>) -> io::Result<()> {
    let mut socket = Socket::new(NETLINK_SOCK_DIAG)?;
    socket.bind_auto()?;
    socket.connect(&SocketAddr::new(0, 0))?;
    socket.send(request, 0)?;
    let mut buffer = vec![0; MESSAGE];
    loop {
        let size = socket.recv(&mut &mut buffer[..], 0)?;
        let mut rest = &buffer[..size.min(MESSAGE)];
        while !rest.is_empty() {
            let message = NetlinkMessage::<SockDiagMessage>::deserialize(rest);
            let message = message.map_err(io::Error::other)?;
            match message.payload {
                NetlinkPayload::InnerMessage(SockDiagMessage::InetResponse(of)) => {
                    sockets.push(of.header);
                }
                NetlinkPayload::Done(_) => return Ok(()),
                NetlinkPayload::Error(error) => return Err(error.to_io()),
                _ => {}
            }
            if sockets.len() > MOST {
                return Ok(());
            }
            // each begins on a boundary of four bytes
            let length = (message.header.length as usize).next_multiple_of(4).max(4);
            rest = rest.get(length..).unwrap_or_default();
        }
    }
}

fn request(family: u8, any: SocketId, states: StateFlags) -> Vec<u8> {
    let mut header = NetlinkHeader::default();
    header.flags = NLM_F_REQUEST | NLM_F_DUMP;
    let request = InetRequest {
        family,
        protocol: IPPROTO_TCP,
        extensions: ExtensionFlags::empty(),
        states,
        socket_id: any,
    };
    let mut message = NetlinkMessage::new(header, SockDiagMessage::InetRequest(request).into());
    message.finalize();
    let mut bytes = vec![0; message.buffer_len()];
    message.serialize(&mut bytes);
    bytes
}
