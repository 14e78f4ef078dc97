//! SCGI (Neil Schemenauer's specification of 2008): variables as a netstring, a CGI answer, the end of
//! the connection.

use crate::cgi::{Once, Pack};
use crate::{Ask, Unsendable};

/// One SCGI connection, which carries one request.
pub type Scgi = Once<Netstring>;

/// Writes a request as a netstring of variables.
#[derive(Debug)]
pub struct Netstring;

impl Pack for Netstring {
    const AFTER: &[u8] = b",";

    fn variable(name: &[u8], value: &[u8], out: &mut Vec<u8>) {
        for part in [name, value] {
            out.extend(part);
            out.push(0);
        }
    }

    /// `CONTENT_LENGTH` must come first, and is the first of the variables.
    fn end(variables: &mut Vec<u8>, _: &Ask<'_>) -> Result<(), Unsendable> {
        Self::variable(b"SCGI", b"1", variables);
        Ok(())
    }

    fn header(length: usize, out: &mut Vec<u8>) {
        out.extend(format!("{length}:").into_bytes());
    }
}
