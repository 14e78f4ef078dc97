//! The Huffman code of RFC 7541, appendix B. It is canonical (codes of a length are consecutive, in
//! the order of their symbols), so that the lengths alone define it.

use crate::{Malformed, Result};

/// Bits of each byte's code, and last those of EOS, the end that is never written.
const LENGTHS: [u8; SYMBOLS] = [
    13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 30, 28,
    28, 28, 28, 28, 28, 28, 28, 28, 6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6, 5, 5,
    5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10, 13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
    7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6, 15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6,
    6, 5, 6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28, 20, 22, 20, 20, 22, 22, 22, 23, 22,
    23, 23, 23, 23, 23, 24, 23, 24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24, 22,
    21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23, 21, 21, 22, 21, 23, 22, 23, 23, 20,
    22, 22, 22, 23, 22, 22, 23, 26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25, 19,
    21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27, 20, 24, 20, 21, 22, 21, 21, 23, 22,
    22, 25, 25, 24, 24, 26, 23, 26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26, 30,
];

const SYMBOLS: usize = 257;
const EOS: u16 = 256;
const LONGEST: usize = 30;

/// All codes of one length.
#[derive(Clone, Copy)]
struct Class {
    /// The first of them, at the left of 32 bits.
    first: u64,
    /// Above the last of them and all that it begins, at the left of 32 bits.
    limit: u64,
    /// Where their symbols begin.
    symbols: usize,
}

/// The classes by their length, and the symbols in the order of their codes.
const CODE: ([Class; LONGEST + 1], [u16; SYMBOLS]) = canonical();

const fn canonical() -> ([Class; LONGEST + 1], [u16; SYMBOLS]) {
    let empty = Class {
        first: 0,
        limit: 0,
        symbols: 0,
    };
    let (mut classes, mut symbols) = ([empty; LONGEST + 1], [0; SYMBOLS]);
    let (mut length, mut next, mut filled) = (1, 0u64, 0);
    while length <= LONGEST {
        classes[length].first = next;
        classes[length].symbols = filled;
        let mut symbol = 0;
        while symbol < SYMBOLS {
            if LENGTHS[symbol] as usize == length {
                symbols[filled] = symbol as u16;
                filled += 1;
                next += 1 << (32 - length);
            }
            symbol += 1;
        }
        classes[length].limit = next;
        length += 1;
    }
    (classes, symbols)
}

/// Appends what `coded` stands for.
pub(super) fn decode(coded: &[u8], out: &mut Vec<u8>) -> Result<()> {
    static CLASSES: [Class; LONGEST + 1] = CODE.0;
    static SYMBOLS_BY_CODE: [u16; SYMBOLS] = CODE.1;
    let mut rest = coded.iter();
    // The lowest `bits` bits of `held` are still to be read.
    let (mut held, mut bits) = (0u64, 0usize);
    loop {
        while bits < 32
            && let Some(&byte) = rest.next()
        {
            held = held << 8 | u64::from(byte);
            bits += 8;
        }
        let window = if bits < 32 {
            (held << (32 - bits)) as u32 | u32::MAX >> bits // what is missing reads as padding
        } else {
            (held >> (bits - 32)) as u32
        };
        if bits < 8 && window == u32::MAX {
            return Ok(()); // nothing is left but padding, which is the start of EOS
        }
        let window = u64::from(window);
        let length = (5..LONGEST)
            .find(|&length| window < CLASSES[length].limit)
            .unwrap_or(LONGEST);
        let Class { first, symbols, .. } = CLASSES[length];
        let symbol = SYMBOLS_BY_CODE[symbols + ((window - first) >> (32 - length)) as usize];
        if length > bits || symbol == EOS {
            return Err(Malformed::Compression);
        }
        out.push(symbol as u8);
        bits -= length;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(coded: &[u8]) -> Result<String, Malformed> {
        let mut out = Vec::new();
        decode(coded, &mut out).map(|()| String::from_utf8(out).unwrap())
    }

    #[test]
    fn every_symbol_comes_back() {
        let mut codes = [(0u64, 0usize); SYMBOLS];
        for length in 1..=LONGEST {
            let Class {
                first,
                limit,
                symbols,
            } = CODE.0[length];
            let count = ((limit - first) >> (32 - length)) as usize;
            for n in 0..count {
                let symbol = CODE.1[symbols + n];
                codes[usize::from(symbol)] = ((first >> (32 - length)) + n as u64, length);
            }
        }
        // A few codes as appendix B writes them.
        for (symbol, code) in [
            (0, (0x1ff8, 13)),
            (48, (0x0, 5)),
            (97, (0x3, 5)),
            (255, (0x3ff_ffee, 26)),
            (256, (0x3fff_ffff, 30)),
        ] {
            assert_eq!(codes[symbol], code, "{symbol}");
        }
        for symbol in 0..=255u8 {
            let (code, length) = codes[usize::from(symbol)];
            let twice = u128::from(code) << length | u128::from(code);
            let padded = twice << (128 - 2 * length) | u128::MAX >> (2 * length);
            let mut out = Vec::new();
            decode(&padded.to_be_bytes()[..(2 * length).div_ceil(8)], &mut out).unwrap();
            assert_eq!(out, [symbol, symbol]);
        }
    }

    #[test]
    fn padding_is_short_and_all_ones() {
        assert_eq!(decoded(b""), Ok(String::new()));
        assert_eq!(decoded(&[0b0000_0111]), Ok("0".into()));
        assert_eq!(decoded(&[0b0000_0110]), Err(Malformed::Compression));
        assert_eq!(decoded(&[0b0000_0111, 0xff]), Err(Malformed::Compression));
        assert_eq!(decoded(&[0xff; 4]), Err(Malformed::Compression), "EOS");
        assert_eq!(
            decoded(&[0xff]),
            Err(Malformed::Compression),
            "a byte of padding"
        );
    }
}
