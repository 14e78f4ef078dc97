//! Drives a target with its samples and with what becomes of them.

use std::fs;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use wire::Protocol;

use crate::Target;
use crate::mutate::mutated;

/// When to stop.
#[derive(Clone, Copy, Debug)]
pub enum Budget {
    /// After so many inputs.
    Inputs(u64),
    /// After so long.
    Time(Duration),
}

/// The samples of a target: `fuzz/corpus/NAME/*`, in the order of their names. A protocol without a folder has
/// HTTP/1's.
///
/// # Errors
/// When the folder cannot be read.
pub fn samples(target: &Target) -> io::Result<Vec<Vec<u8>>> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let own = corpus.join(target.name);
    let borrows = !own.is_dir() && Protocol::of_word(target.name).is_some();
    let folder = if borrows { corpus.join("http1") } else { own };
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)?
        .map(|file| file.map(|file| file.path()))
        .collect::<io::Result<_>>()?;
    paths.sort();
    paths.iter().map(fs::read).collect()
}

/// Runs a target over its samples, then over mutations of them that follow from `seed`, until the
/// budget is used up; how many inputs that were.
///
/// # Errors
/// The first input that made it panic; the panic's own message is on standard error.
pub fn drive(
    target: &Target,
    samples: &[Vec<u8>],
    budget: Budget,
    seed: u64,
) -> Result<u64, Vec<u8>> {
    let start = Instant::now();
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut inputs = 0;
    for sample in samples {
        attempt(target, sample.clone())?;
        inputs += 1;
    }
    while !samples.is_empty() && !budget.is_used_up(inputs, start) {
        let sample = &samples[random.random_range(0..samples.len())];
        let other = &samples[random.random_range(0..samples.len())];
        attempt(target, mutated(sample, other, &mut random))?;
        inputs += 1;
    }
    Ok(inputs)
}

impl Budget {
    fn is_used_up(self, inputs: u64, start: Instant) -> bool {
        match self {
            Self::Inputs(most) => inputs >= most,
            Self::Time(most) => start.elapsed() >= most,
        }
    }
}

fn attempt(target: &Target, input: Vec<u8>) -> Result<(), Vec<u8>> {
    let outcome = catch_unwind(AssertUnwindSafe(|| (target.run)(&input)));
    outcome.map_err(|_| input)
}
