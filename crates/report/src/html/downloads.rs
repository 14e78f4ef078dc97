//! Files that lie in a page itself, for readers to keep: a page has one file and needs no other.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;

use super::hidden;

/// Most bytes that all files of a page take in it.
const MOST: usize = 4 << 20;

/// A link to a file that lies in it.
#[derive(Serialize)]
pub(crate) struct Download {
    /// The name under which it is kept.
    name: String,
    /// The file as a `data:` URL: of letters, digits and `:;,/+=` alone.
    url: String,
}

/// What of a page is left for files.
pub(crate) struct Room(usize);

impl Room {
    /// That of a page without files.
    pub(crate) fn new() -> Self {
        Self(MOST)
    }

    /// JSON without the secrets in it; `None` where there is no room for it.
    pub(crate) fn json(&mut self, name: &str, text: &str) -> Option<Download> {
        self.keep(name, "application/json", hidden(text).as_bytes())
    }

    /// What gzip has packed, as it is; likewise.
    pub(crate) fn packed(&mut self, name: &str, bytes: &[u8]) -> Option<Download> {
        self.keep(name, "application/gzip", bytes)
    }

    fn keep(&mut self, name: &str, kind: &str, bytes: &[u8]) -> Option<Download> {
        let url = format!("data:{kind};base64,{}", STANDARD.encode(bytes));
        self.0 = self.0.checked_sub(url.len())?;
        // a variant may be called like a URL
        let plain = |c: char| c.is_alphanumeric() || "._-@=+".contains(c);
        let name = name.replace(|c| !plain(c), "-");
        Some(Download { name, url })
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;
    use crate::html::hide_with;

    /// The same in all tests of this program, as the first one stays.
    fn hide(text: &str) -> Cow<'_, str> {
        Cow::Owned(text.replace("a://b", "***"))
    }

    #[test]
    fn a_file_in_a_page_is_what_was_put_there_but_for_its_secrets() {
        hide_with(hide);
        let kept = |of: Option<Download>| {
            let of = of.unwrap();
            let (kind, bytes) = of.url.split_once(";base64,").unwrap();
            let bytes = STANDARD.decode(bytes).unwrap();
            (of.name, kind.to_owned(), String::from_utf8(bytes).unwrap())
        };
        let mut room = Room::new();
        let json = kept(room.json("http://a/b.json", r#"["a://b"]"#));
        let [name, kind, text] =
            ["http---a-b.json", "data:application/json", r#"["***"]"#].map(str::to_owned);
        assert_eq!(json, (name, kind, text));
        let (_, kind, text) = kept(room.packed("a.gz", b"a://b"));
        assert_eq!((&*kind, &*text), ("data:application/gzip", "a://b"));
    }

    #[test]
    fn what_is_too_large_for_what_is_left_is_no_part_of_a_page() {
        let mut room = Room::new();
        let file = vec![0; MOST / 2];
        assert!(room.packed("", &file).is_some());
        assert!(room.packed("", &file).is_none());
        assert!(room.packed("", b"small").is_some());
    }
}
