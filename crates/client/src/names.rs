//! A name server for one name: the origin's.

use std::io;
use std::net::{IpAddr, Ipv4Addr, UdpSocket};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use record::{Lookups, Talk};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use simple_dns::rdata::RData;
use simple_dns::{CLASS, Packet, PacketFlag, QTYPE, RCODE, ResourceRecord, TYPE};

use crate::background::Background;

/// The one name.
const NAME: &str = Talk::NAME;
/// The port at which names are asked for (RFC 1035, section 4.2).
pub const NAME_PORT: u16 = 53;

/// Seconds for which what it says may be kept.
const KEPT: u32 = 60;
/// Longest sleep: how soon it hears that it is to end.
const LOOK: Duration = Duration::from_millis(20);
/// Questions that are taken from a socket in a row.
const AT_ONCE: usize = 64;
/// Name servers of which a resolver knows (`resolv.conf(5)`).
const MOST_SERVERS: usize = 3;

/// Answers who asks for the origin's name, in a thread of its own.
#[derive(Debug)]
pub struct NameServer(Background<Lookups>);

impl NameServer {
    /// Begins to answer what comes to these sockets: the name is that of 127.0.0.1.
    ///
    /// # Errors
    /// The system has no thread for it.
    pub fn start(sockets: Vec<UdpSocket>) -> io::Result<Self> {
        for socket in &sockets {
            socket.set_nonblocking(true)?;
        }
        Background::start("names", move |over| serve(&sockets, over)).map(Self)
    }

    /// Answers what has come, and says what was asked for.
    ///
    /// # Panics
    /// When its thread did.
    pub fn end(self) -> Lookups {
        self.0.end()
    }
}

/// Where a resolver with this configuration asks (`resolv.conf(5)`): the first three, or this machine.
pub fn name_servers(configuration: &str) -> Vec<IpAddr> {
    let words = configuration.lines().map(str::split_whitespace);
    let servers = words.filter_map(|mut words| {
        let is_one = words.next() == Some("nameserver");
        is_one.then(|| words.next()?.parse().ok()).flatten()
    });
    let servers: Vec<_> = servers.take(MOST_SERVERS).collect();
    if servers.is_empty() {
        return vec![Ipv4Addr::LOCALHOST.into()];
    }
    servers
}

/// What was asked for so far.
#[derive(Default)]
struct Asked {
    questions: u64,
    ipv4: u64,
    ipv6: u64,
    others: u64,
}

fn serve(sockets: &[UdpSocket], over: &AtomicBool) -> Lookups {
    let mut asked = Asked::default();
    let sleep = Timespec::try_from(LOOK).ok();
    loop {
        let ending = over.load(Ordering::Relaxed);
        if !ending {
            let each = sockets.iter();
            let mut waiting: Vec<_> = each.map(|of| PollFd::new(of, PollFlags::IN)).collect();
            // interrupted by a signal it is as one that waited long enough
            let _ = poll(&mut waiting, sleep.as_ref());
        }
        for socket in sockets {
            asked.answer(socket);
        }
        if ending {
            return asked.told();
        }
    }
}

impl Asked {
    fn answer(&mut self, socket: &UdpSocket) {
        let mut buffer = [0; 4_096];
        for _ in 0..AT_ONCE {
            let Ok((length, from)) = socket.recv_from(&mut buffer) else {
                return;
            };
            if let Some(reply) = self.reply(&buffer[..length]) {
                let _ = socket.send_to(&reply, from);
            }
        }
    }

    /// What is said to a question; nothing to what is none.
    fn reply(&mut self, question: &[u8]) -> Option<Vec<u8>> {
        let packet = Packet::parse(question).ok()?;
        if packet.has_flags(PacketFlag::RESPONSE) {
            return None;
        }
        let asks = packet.questions.first()?;
        let mut reply = Packet::new_reply(packet.id());
        reply.set_flags(PacketFlag::AUTHORITATIVE_ANSWER | PacketFlag::RECURSION_AVAILABLE);
        if packet.has_flags(PacketFlag::RECURSION_DESIRED) {
            reply.set_flags(PacketFlag::RECURSION_DESIRED);
        }
        let name = asks.qname.to_string();
        let is_ours = name.trim_end_matches('.').eq_ignore_ascii_case(NAME);
        self.questions += u64::from(is_ours);
        match asks.qtype {
            _ if !is_ours => {
                self.others += 1;
                *reply.rcode_mut() = RCODE::NameError;
            }
            QTYPE::TYPE(TYPE::A) => {
                self.ipv4 += 1;
                let here = RData::A(Ipv4Addr::LOCALHOST.into());
                let record = ResourceRecord::new(asks.qname.clone(), CLASS::IN, KEPT, here);
                reply.answers.push(record);
            }
            QTYPE::TYPE(TYPE::AAAA) => self.ipv6 += 1,
            _ => {}
        }
        reply.questions.push(asks.clone());
        reply.build_bytes_vec().ok()
    }

    fn told(self) -> Lookups {
        Lookups {
            lookups: self.ipv4.max(self.ipv6),
            questions: self.questions,
            others: self.others,
        }
    }
}

#[cfg(test)]
mod tests {
    use simple_dns::{Name, Question};

    use super::*;

    fn question(name: &str, of: TYPE) -> Vec<u8> {
        let mut packet = Packet::new_query(7);
        let name = Name::new(name).unwrap();
        let question = Question::new(name, of.into(), CLASS::IN.into(), false);
        packet.questions.push(question);
        packet.build_bytes_vec().unwrap()
    }

    #[test]
    fn its_name_is_told_and_no_other() {
        let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let at = socket.local_addr().unwrap();
        let server = NameServer::start(vec![socket]).unwrap();
        let client = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let limit = Some(Duration::from_mins(1));
        client.set_read_timeout(limit).unwrap();
        let mut buffer = [0; 4_096];
        let mut ask = |question: &[u8]| {
            client.send_to(question, at).unwrap();
            let length = client.recv(&mut buffer).unwrap();
            let reply = Packet::parse(&buffer[..length]).unwrap();
            assert_eq!(reply.id(), 7);
            (reply.rcode(), reply.answers.len())
        };
        // what is no question has no answer, and the next one has
        client.send_to(b"\xff\x00\x80", at).unwrap();
        assert_eq!(ask(&question(NAME, TYPE::A)), (RCODE::NoError, 1));
        let shouted = question("Origin.WEIR.test", TYPE::A);
        assert_eq!(ask(&shouted), (RCODE::NoError, 1));
        assert_eq!(ask(&question(NAME, TYPE::AAAA)), (RCODE::NoError, 0));
        assert_eq!(ask(&question(NAME, TYPE::MX)), (RCODE::NoError, 0));
        let other = question("origin.weir.test.lan", TYPE::A);
        assert_eq!(ask(&other), (RCODE::NameError, 0));
        let expected = Lookups {
            lookups: 2,
            questions: 4,
            others: 1,
        };
        assert_eq!(server.end(), expected);
    }

    #[test]
    fn name_servers_are_those_of_the_configuration() {
        let of = |text: &str| -> Vec<String> {
            let servers = name_servers(text).into_iter();
            servers.map(|of| of.to_string()).collect()
        };
        assert_eq!(of(""), ["127.0.0.1"]);
        assert_eq!(of("# nameserver 9.9.9.9\nsearch lan\n"), ["127.0.0.1"]);
        let four = "nameserver 10.0.0.1\nnameserver\tfd00::1 # ours\nnameserver x\nnameserver 127.0.0.53\nnameserver 1.1.1.1\n";
        assert_eq!(of(four), ["10.0.0.1", "fd00::1", "127.0.0.53"]);
    }
}
