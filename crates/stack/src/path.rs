//! Paths that are said to others: in configurations, whose languages each have letters of their own, and between
//! weir and a guardian.

use std::ffi::{OsStr, OsString};
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

/// Files and folders that are looked at below a folder.
const LOOKED_AT: usize = 2_000;

/// Whether a file that is `wanted` lies in a folder or below it, or so much that not all of it is looked at. Hidden folders and
/// links to folders are not entered.
pub(crate) fn holds(folder: &Path, wanted: impl Fn(&Path) -> bool) -> bool {
    let mut folders = vec![folder.to_owned()];
    let mut seen = 0;
    while let Some(folder) = folders.pop() {
        let Ok(listing) = std::fs::read_dir(folder) else {
            continue;
        };
        for item in listing.filter_map(Result::ok) {
            seen += 1;
            if seen > LOOKED_AT {
                return true;
            }
            let below = item.file_type().is_ok_and(|kind| kind.is_dir());
            if !below && wanted(&item.path()) {
                return true;
            }
            if below && !item.file_name().as_bytes().starts_with(b".") {
                folders.push(item.path());
            }
        }
    }
    false
}

/// Ends of the names of files that browsers load, as a regular expression has them.
pub(crate) const ENDS: &str = "avif|css|gif|htm|html|ico|jpeg|jpg|js|mjs|mp3|mp4|otf|pdf|png|svg|ttf|txt|wasm|webm|webmanifest|webp|woff|woff2";

/// Whether browsers load a file, by its path below a web root: its name has such an end, and it is neither hidden nor a
/// package's.
pub(crate) fn is_loaded(below: &Path) -> bool {
    let end = below.extension().and_then(OsStr::to_str);
    let loaded = end.is_some_and(|end| ENDS.split('|').any(|one| one == end));
    loaded && !is_hidden(below) && !below.iter().any(|part| part == "vendor")
}

/// Whether a file or a folder that holds it is hidden, by its path below a web root.
pub(crate) fn is_hidden(below: &Path) -> bool {
    below.iter().any(|part| part.as_bytes().starts_with(b"."))
}

/// Whether a web server hands a file to PHP, and not to its client, by custom.
pub(crate) fn is_script(file: &Path) -> bool {
    let end = file.extension().and_then(OsStr::to_str);
    end.is_some_and(|end| ["php", "phtml", "phar"].contains(&end))
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
    fn files_are_found_below_a_folder_and_what_is_too_much_counts_as_one() {
        let folder = testkit::temp_dir();
        let root = folder.path();
        let is = |name: &'static str| move |path: &Path| path.ends_with(name);
        std::fs::create_dir_all(root.join("a/b")).unwrap();
        std::fs::create_dir(root.join(".git")).unwrap();
        std::fs::write(root.join("a/b/x.php"), "").unwrap();
        std::fs::write(root.join(".git/y.php"), "").unwrap();
        std::os::unix::fs::symlink(root.join("a/b"), root.join("link")).unwrap();
        assert!(holds(root, is("b/x.php")) && !holds(root, is("link/x.php")));
        assert!(!holds(root, is("y.php")) && !holds(&root.join("none"), |_| true));
        for number in 0..LOOKED_AT {
            std::fs::write(root.join(number.to_string()), "").unwrap();
        }
        assert!(holds(root, |_| false));
    }

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
