//! The uwsgi protocol (uWSGI's documentation, "The uwsgi Protocol"): one packet of variables with
//! modifiers 0, an HTTP or CGI answer, the end of the connection.

use crate::cgi::{Once, Pack, variables};
use crate::{Ask, Unsendable};

/// One uwsgi connection, which carries one request.
pub type Uwsgi = Once<Block>;

/// Writes a request as a block of variables behind a header of four bytes.
#[derive(Debug)]
pub struct Block;

impl Pack for Block {
    fn pack(ask: &Ask<'_>) -> Result<Vec<u8>, Unsendable> {
        let too_long =
            || Unsendable::new("request", ask.path, "more than 65535 bytes of variables");
        let length = |bytes: usize| u16::try_from(bytes).map_err(|_| too_long());
        let mut block = Vec::new();
        for (name, value) in variables(ask)? {
            for part in [name.as_bytes(), &value] {
                block.extend(length(part.len())?.to_le_bytes());
                block.extend(part);
            }
        }
        let mut bytes = vec![0]; // modifier 1: a request for a WSGI, Rack or PSGI application
        bytes.extend(length(block.len())?.to_le_bytes());
        bytes.push(0);
        bytes.extend(block);
        bytes.extend(ask.body);
        Ok(bytes)
    }
}
