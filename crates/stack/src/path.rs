//! Paths that are said to others: in configurations, whose languages each have letters of their own, and between
//! weir and a guardian.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer, Serialize as _, Serializer};

/// Whether no language of a configuration, a shell or a URL takes any of its letters for something else.
pub(crate) fn is_plain(path: &Path) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+@,=".contains(c);
    path.to_str().is_some_and(|text| text.chars().all(plain))
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
    use crate::process::order::Order;

    #[test]
    fn any_path_can_be_ordered() {
        for bytes in [
            b"/plain".to_vec(),
            b"/a b\n\"'".to_vec(),
            b"/\xff\xfe".to_vec(),
        ] {
            let folder = PathBuf::from(OsString::from_vec(bytes));
            let line = serde_json::to_string(&Order::Watch {
                folder: folder.clone(),
            });
            let line = line.unwrap();
            assert!(!line.contains('\n'));
            match serde_json::from_str(&line).unwrap() {
                Order::Watch { folder: heard } => assert_eq!(heard, folder),
                other => panic!("{other:?}"),
            }
        }
    }
}
