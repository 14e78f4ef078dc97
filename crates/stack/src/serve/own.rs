//! The addresses of a stack's own programs in what it sends: each start chooses others, so they are masked before
//! responses are compared.

use record::Target;
use regex::bytes::{NoExpand, Regex};

use crate::compose::Program;
use crate::serve::fetch::HOST;

/// What stands for an address of the stack's own: the name by which it is asked.
#[derive(Clone, Debug, Default)]
pub(crate) struct OwnAddresses {
    /// None where weir does not run the server.
    pattern: Option<Regex>,
}

impl OwnAddresses {
    /// Of all these programs.
    pub(crate) fn of(programs: &[Program]) -> Self {
        Self::at(programs.iter().map(|program| &program.listen))
    }

    fn at<'a>(targets: impl Iterator<Item = &'a Target>) -> Self {
        let words = targets.map(|target| match target {
            Target::Tcp(address) => format!(
                r"(?i:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\])(?::|%3a|%3A){}\b",
                address.port()
            ),
            Target::Unix(path) => regex::escape(&path.display().to_string()),
        });
        let words: Vec<_> = words.collect();
        let pattern = (!words.is_empty()).then(|| Regex::new(&words.join("|")));
        Self {
            pattern: pattern.map(|pattern| pattern.expect("made of escaped parts")),
        }
    }

    /// The same bytes without these addresses, and whether there were any.
    pub(crate) fn masked(&self, bytes: Vec<u8>) -> (Vec<u8>, bool) {
        let present = self.pattern.as_ref().filter(|of| of.is_match(&bytes));
        match present {
            None => (bytes, false),
            Some(of) => {
                let host = NoExpand(HOST.as_bytes());
                (of.replace_all(&bytes, host).into_owned(), true)
            }
        }
    }

    /// The same of a text.
    pub(crate) fn masked_text(&self, text: &str) -> String {
        let (bytes, _) = self.masked(text.as_bytes().to_vec());
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_spelling_of_an_own_address_is_masked_and_no_other_port() {
        let targets = [
            Target::Tcp("127.0.0.1:8001".parse().unwrap()),
            Target::Unix("/tmp/w+/a.sock".into()),
        ];
        let own = OwnAddresses::at(targets.iter());
        for (text, masked) in [
            ("http://127.0.0.1:8001/a", "http://localhost/a"),
            (
                "http://Localhost:8001, [::1]:8001",
                "http://localhost, localhost",
            ),
            (
                "next=http%3A%2F%2Flocalhost%3A8001%2F",
                "next=http%3A%2F%2Flocalhost%2F",
            ),
            ("unix:/tmp/w+/a.sock", "unix:localhost"),
            (
                "127.0.0.1:80012 and 10.0.0.1:8001",
                "127.0.0.1:80012 and 10.0.0.1:8001",
            ),
        ] {
            assert_eq!(own.masked_text(text), masked);
        }
        assert!(!OwnAddresses::default().masked(b"127.0.0.1:8001".to_vec()).1);
    }
}
