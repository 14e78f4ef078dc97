//! The uwsgi protocol (uWSGI's documentation, "The uwsgi Protocol"): one packet of variables with
//! modifiers 0, an HTTP or CGI answer, the end of the connection.

use crate::cgi::{Once, Pack};
use crate::{Ask, Unsendable};

/// One uwsgi connection, which carries one request.
pub type Uwsgi = Once<Block>;

/// Writes a request as a block of variables behind a header of four bytes.
#[derive(Debug)]
pub struct Block;

/// Kept free for where the connection comes from: two names, an address, a port, their lengths.
const ORIGIN: usize = 2 * 11 + 45 + 5 + 4 * 2;

impl Pack for Block {
    /// What is too long for its length makes the block too long as well.
    fn variable(name: &[u8], value: &[u8], out: &mut Vec<u8>) {
        for part in [name, value] {
            out.extend((part.len() as u16).to_le_bytes());
            out.extend(part);
        }
    }

    fn end(variables: &mut Vec<u8>, ask: &Ask<'_>) -> Result<(), Unsendable> {
        if u16::try_from(variables.len() + ORIGIN).is_ok() {
            return Ok(());
        }
        let what = "more than 65535 bytes of variables";
        Err(Unsendable::new("request", ask.path, what))
    }

    fn header(length: usize, out: &mut Vec<u8>) {
        let [low, high] = (length as u16).to_le_bytes();
        out.extend([0, low, high, 0]); // modifier 1: a request for a WSGI, Rack or PSGI application
    }
}
