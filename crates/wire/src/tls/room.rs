//! Records of which rustls says how much room they need.

use rustls::unbuffered::{EncodeError, EncryptError, InsufficientSizeError};

use crate::Result;

/// Appends what `write` makes to `out`, which is given more room if it says that there is too little.
pub(super) fn append<E: TooSmall>(
    out: &mut Vec<u8>,
    room: usize,
    mut write: impl FnMut(&mut [u8]) -> Result<usize, E>,
) -> Result<(), rustls::Error> {
    let before = out.len();
    out.resize(before + room, 0);
    let mut outcome = write(&mut out[before..]);
    if let Some(needed) = outcome.as_ref().err().and_then(TooSmall::needed) {
        out.resize(before + needed, 0);
        outcome = write(&mut out[before..]);
    }
    let written = outcome.as_ref().copied().unwrap_or(0);
    out.truncate(before + written);
    outcome
        .map(drop)
        .map_err(|why| rustls::Error::General(why.to_string()))
}

/// An error that may say how much room is needed.
pub(super) trait TooSmall: std::fmt::Display {
    fn needed(&self) -> Option<usize>;
}

impl TooSmall for EncodeError {
    fn needed(&self) -> Option<usize> {
        match self {
            Self::InsufficientSize(InsufficientSizeError { required_size }) => Some(*required_size),
            Self::AlreadyEncoded => None,
        }
    }
}

impl TooSmall for EncryptError {
    fn needed(&self) -> Option<usize> {
        match self {
            Self::InsufficientSize(InsufficientSizeError { required_size }) => Some(*required_size),
            Self::EncryptExhausted => None,
        }
    }
}
