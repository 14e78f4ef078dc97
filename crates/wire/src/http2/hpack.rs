//! Header compression (RFC 7541): a decoder that knows all of it, and the writing of blocks that mean
//! the same however often and on whatever connection they are sent.

mod huffman;
mod table;
#[cfg(test)]
mod tests;

use crate::{Malformed, Result};
use table::{LARGEST, STATIC, Table};

/// The decoding side of one connection.
#[derive(Debug, Default)]
pub(super) struct Decoder {
    table: Table,
    /// Room for a name and a value, reused.
    name: Vec<u8>,
    value: Vec<u8>,
}

impl Decoder {
    /// A number that is the same only as long as equal blocks mean the same fields.
    pub(super) fn epoch(&self) -> u64 {
        self.table.changes
    }

    /// Reads a whole block; calls `on` with each field's name and value.
    pub(super) fn decode(
        &mut self,
        mut block: &[u8],
        mut on: impl FnMut(&[u8], &[u8]) -> Result<()>,
    ) -> Result<()> {
        let mut sizes = true; // changes of the table's size stand before the first field
        while let Some(&first) = block.first() {
            if first & 0xe0 == 0x20 {
                let size = integer(&mut block, 5)?;
                if !sizes || size > LARGEST {
                    return Err(Malformed::Compression);
                }
                self.table.resize(size);
                continue;
            }
            sizes = false;
            if first & 0x80 != 0 {
                let number = integer(&mut block, 7)?;
                let (name, value) = self.table.get(number).ok_or(Malformed::Compression)?;
                on(name, value)?;
            } else {
                self.literal(&mut block, first & 0x40 != 0, &mut on)?;
            }
        }
        Ok(())
    }

    /// A field with a value of its own (section 6.2); `kept` in the table or not.
    fn literal(
        &mut self,
        block: &mut &[u8],
        kept: bool,
        on: &mut impl FnMut(&[u8], &[u8]) -> Result<()>,
    ) -> Result<()> {
        let number = integer(block, if kept { 6 } else { 4 })?;
        let name = if number == 0 {
            string(block, &mut self.value)?
        } else {
            self.table.get(number).ok_or(Malformed::Compression)?.0
        };
        self.name.clear();
        self.name.extend_from_slice(name);
        let value = string(block, &mut self.value)?;
        on(&self.name, value)?;
        if kept {
            self.table.insert(&self.name, value);
        }
        Ok(())
    }
}

/// A number of which the first byte holds `bits` bits (section 5.1).
fn integer(block: &mut &[u8], bits: u32) -> Result<usize> {
    let full = (1usize << bits) - 1;
    let (&first, mut rest) = block.split_first().ok_or(Malformed::Compression)?;
    let mut number = usize::from(first) & full;
    if number < full {
        *block = rest;
        return Ok(number);
    }
    // Four bytes more reach beyond any length that a block can have.
    for shift in [0, 7, 14, 21] {
        let (&byte, after) = rest.split_first().ok_or(Malformed::Compression)?;
        rest = after;
        number += usize::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            *block = rest;
            return Ok(number);
        }
    }
    Err(Malformed::Compression)
}

/// A string (section 5.2), which needs `room` only if it is coded.
fn string<'a, 'b: 'a>(block: &mut &'b [u8], room: &'a mut Vec<u8>) -> Result<&'a [u8]> {
    let coded = block.first().is_some_and(|first| first & 0x80 != 0);
    let length = integer(block, 7)?;
    let (text, rest) = block
        .split_at_checked(length)
        .ok_or(Malformed::Compression)?;
    *block = rest;
    if !coded {
        return Ok(text);
    }
    room.clear();
    huffman::decode(text, room)?;
    Ok(room)
}

/// What empties the peer's table, where a block may begin with it.
pub(super) const NO_TABLE: u8 = 0x20;

/// Appends a field, by numbers that never change where there are such, else as a literal that leaves
/// the peer's table alone.
pub(super) fn encode(name: &str, value: &str, block: &mut Vec<u8>) {
    let known = |given: &(&str, &str)| *given == (name, value);
    if let Some(at) = STATIC.iter().position(known) {
        block.push(0x80 | (at + 1) as u8);
        return;
    }
    if let Some(at) = STATIC.iter().position(|(given, _)| *given == name) {
        number(at + 1, 4, block);
    } else {
        block.push(0);
        number(name.len(), 7, block);
        block.extend(name.bytes());
    }
    number(value.len(), 7, block);
    block.extend(value.bytes());
}

/// Appends a number whose first byte has nothing else than it in `bits` bits.
fn number(value: usize, bits: u32, block: &mut Vec<u8>) {
    let full = (1usize << bits) - 1;
    if value < full {
        block.push(value as u8);
        return;
    }
    block.push(full as u8);
    let mut rest = value - full;
    while rest >= 0x80 {
        block.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    block.push(rest as u8);
}
