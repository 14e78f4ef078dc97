use record::Target;

use crate::transport::Stream;

/// Connections on which nothing is said: they wait in the accept queue, or keep who accepted them waiting. They are closed when
/// this is dropped.
#[derive(Debug)]
pub struct Silent(Vec<Stream>);

impl Silent {
    /// Begins to open so many at once. Those that are refused at once, by the target or by this machine, are left out; over TCP
    /// others may still wait for room in the queue.
    pub fn open(target: &Target, wanted: u32) -> Self {
        let begin = |_| Stream::connect(target, u64::from(wanted), |_| Ok(())).ok();
        Self((0..wanted).filter_map(begin).collect())
    }

    /// How many there are.
    pub fn count(&self) -> u32 {
        self.0.len() as u32
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    #[test]
    fn those_that_nobody_takes_are_left_out() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let target = Target::Tcp(listener.local_addr().unwrap());
        let open = Silent::open(&target, 3);
        assert_eq!(open.count(), 3);
        let (mut first, _) = listener.accept().unwrap();
        drop(open);
        let said = std::io::Read::read(&mut first, &mut [0]).unwrap();
        assert_eq!(said, 0, "it is closed, and nothing was said");
        let nowhere = Target::Unix("/nowhere.sock".into());
        assert_eq!(Silent::open(&nowhere, 3).count(), 0);
    }
}
