//! What a file holds that gzip or zstd may have packed.

use std::io::{BufRead, Read, Result};

use flate2::bufread::MultiGzDecoder;

use crate::frames::{Frames, is_zstd};

/// What a file begins with that gzip has packed.
const GZIP: &[u8] = &[0x1f, 0x8b];

/// A file's text, as it was before it was packed.
pub enum Unpacked<'a, R> {
    /// Nothing has packed it.
    Plain(R),
    /// It is unpacked as it is read: all members of gzip, all frames of zstd. Of a file that ends in the middle what is there
    /// is read, and then an error.
    Packed(Box<dyn Read + 'a>),
}

/// Unpacks what gzip or zstd has packed, which its begin says.
///
/// # Errors
/// It cannot be read, or its first frame cannot be unpacked.
pub fn unpacked<'a, R: BufRead + 'a>(mut from: R) -> Result<Unpacked<'a, R>> {
    let begin = from.fill_buf()?;
    if begin.starts_with(GZIP) {
        Ok(Unpacked::Packed(Box::new(MultiGzDecoder::new(from))))
    } else if is_zstd(begin) {
        Ok(Unpacked::Packed(Box::new(Frames::new(from)?)))
    } else {
        Ok(Unpacked::Plain(from))
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::Compression;
    use flate2::write::GzEncoder;
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    use super::*;

    /// What is read of it, whether that is all, and whether it was packed.
    fn read(bytes: &[u8]) -> (Vec<u8>, bool, bool) {
        let mut text = Vec::new();
        let (whole, packed) = match unpacked(bytes).unwrap() {
            Unpacked::Plain(mut plain) => (plain.read_to_end(&mut text).is_ok(), false),
            Unpacked::Packed(mut packed) => (packed.read_to_end(&mut text).is_ok(), true),
        };
        (text, whole, packed)
    }

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
        packer.write_all(text).unwrap();
        packer.finish().unwrap()
    }

    fn zstd(text: &[u8]) -> Vec<u8> {
        compress_to_vec(text, CompressionLevel::Fastest)
    }

    #[test]
    fn all_that_was_packed_is_read_and_the_rest_stays_as_it_is() {
        assert_eq!(read(b"GET /"), (b"GET /".to_vec(), true, false));
        assert_eq!(read(b""), (Vec::new(), true, false));
        // a frame of three bytes that is to be skipped
        let skipped = b"\x5a\x2a\x4d\x18\x03\0\0\0abc".to_vec();
        for packed in [
            [gzip(b"one"), gzip(b"two")].concat(),
            [zstd(b"one"), skipped.clone(), zstd(b"two")].concat(),
            [skipped.clone(), zstd(b"onetwo")].concat(),
        ] {
            assert_eq!(read(&packed), (b"onetwo".to_vec(), true, true));
        }
        assert_eq!(read(&skipped), (Vec::new(), true, true));
    }

    #[test]
    fn of_what_ends_in_the_middle_the_begin_is_read() {
        for pack in [gzip, zstd] {
            let packed = [pack(b"one"), pack(b"two")].concat();
            let (text, whole, _) = read(&packed[..packed.len() - 2]);
            assert!(text.starts_with(b"one") && !whole, "{text:?}");
        }
        let Err(error) = unpacked(&[0x28_u8, 0xb5, 0x2f, 0xfd, 0][..]) else {
            panic!("it has no frame");
        };
        assert!(!error.to_string().is_empty());
    }
}
