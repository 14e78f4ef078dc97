use crate::Result;

/// Cuts a stream into frames that say their own length; each is handed on whole, without a copy when
/// one read brought all of it.
#[derive(Debug)]
pub(crate) struct Frames {
    /// Bytes of a frame that say its length.
    header: usize,
    /// The whole length of the frame that begins with these bytes; asked with fewer than a header
    /// as well, so that garbage is known when it comes.
    length: fn(&[u8]) -> Result<Option<usize>>,
    /// The start of a frame that has not arrived whole. Lengths are of two bytes, which bounds it.
    partial: Vec<u8>,
}

impl Frames {
    pub(crate) fn new(header: usize, length: fn(&[u8]) -> Result<Option<usize>>) -> Self {
        Self {
            header,
            length,
            partial: Vec::new(),
        }
    }

    /// Takes bytes that arrived; calls `on` for each frame that is whole.
    pub(crate) fn receive(
        &mut self,
        mut bytes: &[u8],
        mut on: impl FnMut(&[u8]) -> Result<()>,
    ) -> Result<()> {
        while !bytes.is_empty() {
            if self.partial.is_empty() {
                match (self.length)(bytes)? {
                    Some(whole) if whole <= bytes.len() => {
                        on(&bytes[..whole])?;
                        bytes = &bytes[whole..];
                    }
                    _ => {
                        self.partial.extend_from_slice(bytes);
                        return Ok(());
                    }
                }
                continue;
            }
            let wanted = (self.length)(&self.partial)?.unwrap_or(self.header);
            let piece = bytes.len().min(wanted - self.partial.len());
            self.partial.extend_from_slice(&bytes[..piece]);
            bytes = &bytes[piece..];
            if (self.length)(&self.partial)? == Some(self.partial.len()) {
                on(&self.partial)?;
                self.partial.clear(); // its allocation serves the next frame
            }
        }
        Ok(())
    }
}
