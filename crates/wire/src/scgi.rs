//! SCGI (Neil Schemenauer's specification of 2008): variables as a netstring, a CGI answer, the end of
//! the connection.

use crate::cgi::{Once, Pack, variables};
use crate::packet::Packet;
use crate::{Ask, Unsendable};

/// One SCGI connection, which carries one request.
pub type Scgi = Once<Netstring>;

/// Writes a request as a netstring of variables.
#[derive(Debug)]
pub struct Netstring;

impl Pack for Netstring {
    fn pack(ask: &Ask<'_>) -> Result<Packet, Unsendable> {
        let variables = variables(ask)?;
        let mut text = Vec::new();
        // `CONTENT_LENGTH` must come first, and is the first of the variables.
        for (name, value) in &variables.fixed {
            Self::variable(name.as_bytes(), value, &mut text);
        }
        Self::variable(b"SCGI", b"1", &mut text);
        Ok(Packet {
            after: [b",", ask.body].concat(),
            tells_origin: variables.tells_origin,
            ..Packet::new(ask, text)
        })
    }

    fn variable(name: &[u8], value: &[u8], out: &mut Vec<u8>) {
        for part in [name, value] {
            out.extend(part);
            out.push(0);
        }
    }

    fn header(length: usize, out: &mut Vec<u8>) {
        out.extend(format!("{length}:").into_bytes());
    }
}
