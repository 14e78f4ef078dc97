//! Which programs are asked their version in a home of their own, so that what they leave there goes with the answer.
//!
//! Some make folders below their user's home whenever they run. What a compiled program of the system needs to say its
//! version lies beside it. Everything else is asked at home: the shims of a version manager (they lie below the home, and
//! find its versions there), and scripts, whose interpreter finds the packages of its user there.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

/// What a compiled program begins with.
const COMPILED: [u8; 4] = *b"\x7fELF";

/// Whether a program needs nothing of its user's home to say its version.
pub(super) fn is_needless(program: &Path) -> bool {
    std::env::var_os("HOME").is_some_and(|home| is_apart(program, Path::new(&home)))
}

/// Whether it is compiled, and neither it nor what it is a link to lies below this home.
fn is_apart(program: &Path, home: &Path) -> bool {
    let (Ok(file), Ok(place)) = (program.canonicalize(), home.canonicalize()) else {
        return false;
    };
    let outside = !program.starts_with(home) && !file.starts_with(place);
    outside && is_compiled(&file).unwrap_or(false)
}

fn is_compiled(file: &Path) -> std::io::Result<bool> {
    let mut first = [0; COMPILED.len()];
    File::open(file)?.read_exact(&mut first)?;
    Ok(first == COMPILED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_compiled_program_outside_the_home_can_do_without_it() {
        let place = tempfile::tempdir().unwrap();
        let home = place.path().join("home");
        std::fs::create_dir(&home).unwrap();
        let with = |name: &str, content: &[u8]| {
            let path = place.path().join(name);
            std::fs::write(&path, content).unwrap();
            path
        };
        let compiled = with("compiled", b"\x7fELF and more");
        assert!(is_apart(&compiled, &home));
        assert!(!is_apart(&with("script", b"#!/bin/sh\n"), &home));
        assert!(!is_apart(&with("short", b"\x7f"), &home));
        assert!(!is_apart(&place.path().join("none"), &home));
        let shim = with("home/shim", b"\x7fELF and more");
        assert!(!is_apart(&shim, &home));
        let (inward, outward) = (place.path().join("inward"), home.join("outward"));
        std::os::unix::fs::symlink(&shim, &inward).unwrap();
        std::os::unix::fs::symlink(&compiled, &outward).unwrap();
        assert!(!is_apart(&inward, &home));
        assert!(!is_apart(&outward, &home));
    }
}
