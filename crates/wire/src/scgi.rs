//! SCGI (Neil Schemenauer's specification of 2008): variables as a netstring, a CGI answer, the end of
//! the connection.

use crate::cgi::{Once, Pack, variables};
use crate::{Ask, Unsendable};

/// One SCGI connection, which carries one request.
pub type Scgi = Once<Netstring>;

/// Writes a request as a netstring of variables.
#[derive(Debug)]
pub struct Netstring;

impl Pack for Netstring {
    fn pack(ask: &Ask<'_>) -> Result<Vec<u8>, Unsendable> {
        let mut text = Vec::new();
        let marker = ("SCGI".to_owned(), b"1".to_vec());
        // `CONTENT_LENGTH` must come first, and is the first of the variables.
        for (name, value) in variables(ask)?.into_iter().chain([marker]) {
            text.extend(name.bytes());
            text.push(0);
            text.extend(value);
            text.push(0);
        }
        let mut bytes = format!("{}:", text.len()).into_bytes();
        bytes.extend(text);
        bytes.push(b',');
        bytes.extend(ask.body);
        Ok(bytes)
    }
}
