//! Secrets in what a page shows. Whoever writes pages knows what secrets look like; they are looked for before a text is
//! escaped, since HTML writes otherwise what they are known by: the slashes of a URL, the quotes around a header's value.

use std::borrow::Cow;
use std::sync::OnceLock;

use crate::harmless::harmless;

/// Gives a text without its secrets.
pub type Hide = fn(&str) -> Cow<'_, str>;

/// Set once, before a page is drawn.
static HIDE: OnceLock<Hide> = OnceLock::new();

/// Has every text go through this before it is shown on a page. The first one stays.
pub fn hide_with(hide: Hide) {
    let _ = HIDE.set(hide);
}

/// A text as a page shows it, before it is escaped: nothing in it steers, and it has no secrets.
pub(crate) fn hidden(text: &str) -> Cow<'_, str> {
    let clean = harmless(text);
    let Some(hide) = HIDE.get() else {
        return clean;
    };
    match clean {
        Cow::Borrowed(text) => hide(text),
        Cow::Owned(text) => Cow::Owned(hide(&text).into_owned()),
    }
}
