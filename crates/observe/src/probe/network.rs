//! What the kernel counts of TCP in the network namespace of the thread that looks, from files that `proc(5)` describes.

use record::{CounterKind, Moment, NetworkFacts};

use super::Probe;
use crate::Seen;
use crate::samples::{Figure, Samples};

/// Where they are: `/proc/self` would have those of the process's main thread.
const FILES: &str = "/proc/thread-self/net";

/// What TCP sent, and what it had to do again or to turn away.
#[derive(Default)]
pub(super) struct Network {
    before: Option<NetworkFacts>,
    now: Option<NetworkFacts>,
}

impl Probe for Network {
    fn name(&self) -> &'static str {
        "network"
    }

    fn start(&mut self, at: Moment, samples: &mut Samples) {
        self.sample(at, samples);
        self.before = self.now;
    }

    fn sample(&mut self, at: Moment, samples: &mut Samples) {
        self.now = counts();
        let Some(now) = self.now else { return };
        let figures = [
            ("retransmitted", "segments", now.retransmitted),
            ("queue-full", "connections", now.queue_full),
            ("dropped", "connections", now.dropped),
            ("syn-retries", "segments", now.syn_retries),
        ];
        for (name, unit, value) in figures {
            let figure = Figure::new("machine", name, CounterKind::Total, unit);
            samples.add(figure, at, value as f64);
        }
        if let Some(closed) = time_wait() {
            let figure = Figure::new("machine", "time-wait", CounterKind::Gauge, "connections");
            samples.add(figure, at, closed as f64);
        }
    }

    fn pause(&mut self, at: Moment, samples: &mut Samples) {
        self.sample(at, samples);
    }

    fn resume(&mut self) {
        let (paused, now) = (self.now, counts());
        if let (Some(before), Some(paused), Some(now)) = (&mut self.before, paused, now) {
            *before = before.plus(now.since(paused));
        }
        self.now = now;
    }

    fn tell(self: Box<Self>, seen: &mut Seen) {
        let counts = self.now.zip(self.before);
        seen.network = counts.map(|(now, before)| now.since(before));
    }
}

/// The counts so far; none where there are no such files.
fn counts() -> Option<NetworkFacts> {
    let read = |name: &str| std::fs::read_to_string(format!("{FILES}/{name}")).ok();
    let (snmp, netstat) = (read("snmp")?, read("netstat")?);
    // there is no such file where there is no IPv6
    let bytes_of_6 = read("snmp6").and_then(|text| listed(&text, "Ip6OutOctets"));
    Some(NetworkFacts {
        segments: count(&snmp, "Tcp:", "OutSegs")?,
        retransmitted: count(&snmp, "Tcp:", "RetransSegs")?,
        queue_full: count(&netstat, "TcpExt:", "ListenOverflows")?,
        dropped: count(&netstat, "TcpExt:", "ListenDrops")?,
        opened: count(&snmp, "Tcp:", "ActiveOpens")?,
        delayed: count(&netstat, "TcpExt:", "DelayedACKs")?,
        resets: count(&snmp, "Tcp:", "OutRsts")?,
        syn_retries: count(&netstat, "TcpExt:", "TCPSynRetrans").unwrap_or(0),
        bytes: count(&netstat, "IpExt:", "OutOctets")? + bytes_of_6.unwrap_or(0),
        own: false, // whoever made the namespace knows
    })
}

/// Closed connections whose ports the kernel keeps for a minute.
fn time_wait() -> Option<u64> {
    let text = std::fs::read_to_string(format!("{FILES}/sockstat")).ok()?;
    kept(&text)
}

fn kept(text: &str) -> Option<u64> {
    let mut lines = text.lines();
    let of_tcp = lines.find_map(|line| line.strip_prefix("TCP:"))?;
    let mut words = of_tcp.split_whitespace();
    words.find(|word| *word == "tw")?;
    words.next()?.parse().ok()
}

/// A count by its name: names stand on the first line of a group, numbers in the same places of the
/// second.
fn count(text: &str, group: &str, name: &str) -> Option<u64> {
    let mut lines = text.lines().filter_map(|line| line.strip_prefix(group));
    let (names, numbers) = (lines.next()?, lines.next()?);
    let place = names.split_whitespace().position(|word| word == name)?;
    numbers.split_whitespace().nth(place)?.parse().ok()
}

/// A count by its name, which stands before it on a line.
fn listed(text: &str, name: &str) -> Option<u64> {
    let mut lines = text.lines().map(str::split_whitespace);
    let mut words = lines.find(|words| words.clone().next() == Some(name))?;
    words.nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::net::{TcpListener, TcpStream};
    use std::time::Duration;

    use socket2::{Domain, SockRef, Socket, Type};
    use testkit::eventually;

    use super::{count, counts, kept, listed, time_wait};

    #[test]
    fn a_count_stands_below_its_name() {
        let text = "Ip: A B\nIp: 1 2\nTcp: MaxConn OutSegs RetransSegs\nTcp: -1 50 7\n";
        assert_eq!(count(text, "Tcp:", "RetransSegs"), Some(7));
        assert_eq!(count(text, "Tcp:", "MaxConn"), None, "it is no count");
        assert_eq!(count(text, "Udp:", "OutSegs"), None);
        let text = "Ip6InOctets   \t7\nIp6OutOctets  \t12\n";
        assert_eq!(listed(text, "Ip6OutOctets"), Some(12));
        assert_eq!(listed(text, "Ip6OutOctet"), None);
    }

    #[test]
    fn closed_connections_are_counted_where_the_kernel_keeps_them() {
        let text =
            "sockets: used 9\nTCP: inuse 5 orphan 0 tw 12 alloc 9 mem 1\nUDP: inuse 1 mem 0\n";
        assert_eq!(kept(text), Some(12));
        assert_eq!(kept("TCP: inuse 5\n"), None);
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (mut server, _) = listener.accept().unwrap();
        drop(client);
        server.read_to_end(&mut Vec::new()).unwrap();
        drop(server);
        assert!(
            time_wait() >= Some(1),
            "whoever closes first keeps its port"
        );
    }

    #[test]
    fn the_kernel_counts_what_is_sent() {
        for at in ["127.0.0.1:0", "[::1]:0"] {
            let before = counts().unwrap();
            let listener = TcpListener::bind(at).unwrap();
            let mut client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
            let (mut server, _) = listener.accept().unwrap();
            client.write_all(&[0; 10_000]).unwrap();
            server.read_exact(&mut [0; 10_000]).unwrap();
            server.write_all(b"unread").unwrap();
            client.peek(&mut [0]).unwrap();
            drop(client);
            let seen = counts().unwrap().since(before);
            assert!(seen.segments >= 5, "a handshake has three: {seen:?}");
            assert!(seen.bytes >= 10_000, "{seen:?}");
            assert!(seen.resets >= 1, "what is closed unread is reset: {seen:?}");
        }
    }

    #[test]
    fn who_finds_the_accept_queue_full_is_dropped() {
        let before = counts().unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        SockRef::from(&listener).listen(1).unwrap();
        let address = listener.local_addr().unwrap();
        // one that waits, and the one more that Linux lets in
        let waiting = [(); 2].map(|()| TcpStream::connect(address).unwrap());
        let next = Socket::new(Domain::IPV4, Type::STREAM.nonblocking(), None).unwrap();
        next.connect(&address.into()).unwrap_err();
        let counted = eventually(Duration::from_secs(10), || {
            let seen = counts().unwrap().since(before);
            seen.queue_full >= 1 && seen.dropped >= seen.queue_full
        });
        assert!(counted, "{:?}", counts().unwrap().since(before));
        drop((waiting, next));
    }
}
