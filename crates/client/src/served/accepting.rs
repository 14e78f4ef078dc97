//! Clients that connect: taken in, turned away, or not heard of for want of a descriptor.

use std::io;
use std::net::TcpStream;

use kernel::BESIDE_CONNECTIONS;
use rustix::event::epoll::{self, EventData, EventFlags};

use super::{LISTENER, Served};
use crate::forward::AT_ONCE;
use crate::link::Link;
use crate::secure::Identity;

/// Most connections that are open at once; more are turned away.
const MOST_CONNECTIONS: u64 = 4_096;

/// How many connections there are descriptors for, one at least, beside those to a server to which requests are passed on and
/// those of probes. The limit stays as it is: whatever weir starts later would have the higher one, too.
pub(super) fn room(forwards: bool) -> usize {
    let own = if forwards { AT_ONCE } else { 0 };
    let (open, limit) = (kernel::open_descriptors(), kernel::descriptor_limit());
    let probes = kernel::for_probes(limit.saturating_sub(open));
    let taken = open + BESIDE_CONNECTIONS + own + probes;
    let room = limit.saturating_sub(taken);
    room.clamp(1, MOST_CONNECTIONS) as usize
}

impl Served {
    pub(super) fn accept(&mut self) {
        loop {
            match self.listener.accept() {
                Ok((socket, _)) if self.links.len() < self.most => {
                    self.talk.connections += 1;
                    let _ = self.take_in(socket);
                }
                Ok(_) => self.talk.turned_away += 1,
                Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => {}
                Err(error) => {
                    // without a descriptor left, the loop does not spin on what it cannot accept
                    if error.kind() != io::ErrorKind::WouldBlock {
                        self.hear_of_clients(false);
                    }
                    return;
                }
            }
        }
    }

    /// Whether to be told of clients that want to connect.
    pub(super) fn hear_of_clients(&mut self, hear: bool) {
        let flags = if hear {
            EventFlags::IN
        } else {
            EventFlags::empty()
        };
        let data = EventData::new_u64(LISTENER);
        let _ = epoll::modify(&self.epoll, &self.listener, data, flags);
        self.deaf = !hear;
    }

    fn take_in(&mut self, socket: TcpStream) -> io::Result<()> {
        socket.set_nonblocking(true)?;
        socket.set_nodelay(true)?;
        let number = self.next;
        self.next += 1;
        let watched = EventFlags::IN;
        epoll::add(&self.epoll, &socket, EventData::new_u64(number), watched)?;
        let secure = self.identity.as_ref().map(Identity::layer).transpose()?;
        let keeps = self.forward.is_some();
        let link = Link::new(socket, secure, watched, keeps);
        self.links.insert(number, link);
        if self.links.len() as u64 > self.talk.at_once {
            // what was told that it is the last response of its connection has no use for that, however late it hangs up
            let open = self.links.values().filter(|link| !link.is_closing());
            self.talk.at_once = self.talk.at_once.max(open.count() as u64);
        }
        Ok(())
    }
}
