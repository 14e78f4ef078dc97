//! What the kernel counts of TCP in this network namespace, from files that `proc(5)` describes.

use record::{CounterKind, Moment, NetworkFacts};

use super::Probe;
use crate::Seen;
use crate::samples::{Figure, Samples};

/// What TCP had to do again or to turn away.
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
        ];
        for (name, unit, value) in figures {
            let figure = Figure::new("machine", name, CounterKind::Total, unit);
            samples.add(figure, at, value as f64);
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
    let snmp = std::fs::read_to_string("/proc/self/net/snmp").ok()?;
    let netstat = std::fs::read_to_string("/proc/self/net/netstat").ok()?;
    Some(NetworkFacts {
        segments: count(&snmp, "Tcp:", "OutSegs")?,
        retransmitted: count(&snmp, "Tcp:", "RetransSegs")?,
        queue_full: count(&netstat, "TcpExt:", "ListenOverflows")?,
        opened: count(&snmp, "Tcp:", "ActiveOpens")?,
        delayed: count(&netstat, "TcpExt:", "DelayedACKs")?,
    })
}

/// A count by its name: names stand on the first line of a group, numbers in the same places of the
/// second.
fn count(text: &str, group: &str, name: &str) -> Option<u64> {
    let mut lines = text.lines().filter_map(|line| line.strip_prefix(group));
    let (names, numbers) = (lines.next()?, lines.next()?);
    let place = names.split_whitespace().position(|word| word == name)?;
    numbers.split_whitespace().nth(place)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{count, counts};

    #[test]
    fn a_count_stands_below_its_name() {
        let text = "Ip: A B\nIp: 1 2\nTcp: MaxConn OutSegs RetransSegs\nTcp: -1 50 7\n";
        assert_eq!(count(text, "Tcp:", "RetransSegs"), Some(7));
        assert_eq!(count(text, "Tcp:", "MaxConn"), None, "it is no count");
        assert_eq!(count(text, "Udp:", "OutSegs"), None);
    }

    #[test]
    fn the_kernel_counts_what_is_sent() {
        let before = counts().unwrap();
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let _client = std::net::TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        assert!(
            counts().unwrap().since(before).segments >= 3,
            "a handshake has three"
        );
    }
}
