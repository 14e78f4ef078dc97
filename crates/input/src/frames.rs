//! What zstd has packed, frame by frame: a file may be several that were put one behind the other, and tools write frames
//! that hold nothing of it.

use std::io::{BufRead, Error, ErrorKind, Read, Result, copy, sink};

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// What a frame begins with.
const FRAME: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];

/// Whether zstd has packed what begins so: with a frame, or with one that is to be skipped.
pub(crate) fn is_zstd(begin: &[u8]) -> bool {
    begin.starts_with(FRAME) || matches!(begin, [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..])
}

/// What is in all frames, as it was before it was packed.
pub(crate) struct Frames<R> {
    from: R,
    decoder: FrameDecoder,
}

impl<R: BufRead> Frames<R> {
    /// Begins with the first frame.
    ///
    /// # Errors
    /// It cannot be unpacked, or read.
    pub(crate) fn new(from: R) -> Result<Self> {
        let mut frames = Self {
            from,
            decoder: FrameDecoder::new(),
        };
        frames.begin()?;
        Ok(frames)
    }

    /// Begins the next frame; whether there is one.
    fn begin(&mut self) -> Result<bool> {
        while !self.from.fill_buf()?.is_empty() {
            // one that has read a frame refuses windows that a new one takes
            self.decoder = FrameDecoder::new();
            match self.decoder.init(&mut self.from) {
                Ok(()) => return Ok(true),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => self.skip(u64::from(length))?,
                Err(error) => return Err(Error::new(ErrorKind::InvalidData, error.to_string())),
            }
        }
        Ok(false)
    }

    fn skip(&mut self, length: u64) -> Result<()> {
        let skipped = copy(&mut self.from.by_ref().take(length), &mut sink())?;
        if skipped < length {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        Ok(())
    }
}

impl<R: BufRead> Read for Frames<R> {
    fn read(&mut self, into: &mut [u8]) -> Result<usize> {
        loop {
            while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                let one = BlockDecodingStrategy::UptoBlocks(1);
                let decoded = self.decoder.decode_blocks(&mut self.from, one);
                decoded.map_err(Error::other)?;
            }
            if self.decoder.can_collect() > 0 {
                return self.decoder.read(into);
            }
            if !self.begin()? {
                return Ok(0);
            }
        }
    }
}
