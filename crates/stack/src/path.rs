//! Paths that are said to others: in configurations, whose languages each have letters of their own, and between
//! weir and a guardian.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer, Serialize as _, Serializer};

/// Whether no language of a configuration, a shell or a URL takes any of its letters for something else.
pub fn is_plain(path: &Path) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+@,=".contains(c);
    path.to_str().is_some_and(|text| text.chars().all(plain))
}

/// Longest path of a folder of temporary files: a Unix socket's address holds 107 bytes.
const LONGEST: usize = 40;

/// Where weir's folders are made: the user's choice, or `/tmp` where that would make paths which are too long for a
/// Unix socket, or which the configuration of a server somewhere takes for something else.
pub(crate) fn temporary() -> PathBuf {
    usable(std::env::temp_dir())
}

fn usable(wanted: PathBuf) -> PathBuf {
    let usable = wanted.is_absolute() && wanted.as_os_str().len() <= LONGEST && is_plain(&wanted);
    if usable { wanted } else { "/tmp".into() }
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Said {
    Text(PathBuf),
    Bytes(Vec<u8>),
}

/// As text where it is one, else as its bytes.
pub(crate) fn serialize<S: Serializer>(path: &Path, to: S) -> Result<S::Ok, S::Error> {
    match path.to_str() {
        Some(text) => to.serialize_str(text),
        None => path.as_os_str().as_bytes().serialize(to),
    }
}

pub(crate) fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<PathBuf, D::Error> {
    Ok(match Said::deserialize(from)? {
        Said::Text(path) => path,
        Said::Bytes(bytes) => OsString::from_vec(bytes).into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_a_configuration_could_misread_are_not_used() {
        let is_used = |wanted: &str| usable(wanted.into()) == Path::new(wanted);
        assert!(is_used("/tmp") && is_used("/var/tmp") && is_used("/home/x_y/t-1.2"));
        for odd in [
            "relative",
            "/with space",
            "/with\"quote",
            "/with'quote",
            "/with\nline",
            "/with;semicolon",
            "/with$dollar",
            "/with{brace",
            "/a/path/that/is/much/too/long/for/a/socket",
        ] {
            assert_eq!(usable(odd.into()), Path::new("/tmp"), "{odd}");
        }
        let bytes = OsString::from_vec(b"/not\xffutf-8".to_vec());
        assert_eq!(usable(bytes.into()), Path::new("/tmp"));
    }
}
