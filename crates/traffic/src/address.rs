use std::borrow::Cow;

use percent_encoding::{AsciiSet, CONTROLS, NON_ALPHANUMERIC, utf8_percent_encode};

/// What a path and query as people write them may hold and a request line may not: the WHATWG's
/// path and query sets. `%` stays, as it begins what is encoded already.
const LOOSE: &AsciiSet = &CONTROLS.add(b' ').add(b'"').add(b'#').add(b'<').add(b'>');

/// All but RFC 3986's unreserved characters (section 2.3): a value means itself wherever it stands.
const STRICT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// A path and query that can be sent: spaces, controls and what is not ASCII are percent-encoded.
pub(crate) fn path(text: &str) -> Cow<'_, str> {
    utf8_percent_encode(text, LOOSE).into()
}

/// A value that stands inside a path, a query or a form.
pub(crate) fn value(text: &str) -> Cow<'_, str> {
    utf8_percent_encode(text, STRICT).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_request_line_cannot_hold_is_encoded() {
        assert_eq!(path("/a b/ä?q=%20&x=<1>"), "/a%20b/%C3%A4?q=%20&x=%3C1%3E");
        assert_eq!(
            value("a b/c?d&e=f%ü-._~"),
            "a%20b%2Fc%3Fd%26e%3Df%25%C3%BC-._~"
        );
    }
}
