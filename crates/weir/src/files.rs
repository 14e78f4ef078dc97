//! Files that weir writes: each is made new under another name and takes its own when it is whole. What lies
//! there under that name is never written through: in a folder that others share, it could be a link of theirs.

use std::fs;
use std::io::{self, ErrorKind, Write as _};
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _, PermissionsExt as _};
use std::path::Path;

use crate::mask;

/// What a new file may be at most; the user's mask takes from it.
const MODE: u32 = 0o666;
/// The same of one that may hold secrets.
const PRIVATE: u32 = 0o600;

/// Writes a text without the secrets of its URLs.
///
/// # Errors
/// A link of this name, a folder behind another user's link, and what the system refuses.
pub(crate) fn write(path: &Path, text: &str) -> io::Result<()> {
    write_bytes(path, mask::text(text).as_bytes())
}

/// Writes bytes as they are.
///
/// # Errors
/// As of [`write`].
pub(crate) fn write_bytes(path: &Path, bytes: &[u8]) -> io::Result<()> {
    written(path, bytes, MODE)
}

/// The same for its user alone, from the moment on at which it is there.
///
/// # Errors
/// As of [`write`].
pub(crate) fn write_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    written(path, bytes, PRIVATE)
}

/// Opens a file that others read while it grows, and which so has its own name from the begin on.
///
/// # Errors
/// As of [`can_write`].
pub(crate) fn growing(path: &Path) -> io::Result<fs::File> {
    let mut how = fs::OpenOptions::new();
    how.append(true);
    if !is_stream(path) {
        can_write(path)?;
        remove(path)?;
        how.create_new(true);
    }
    how.open(path)
}

fn written(path: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
    if is_stream(path) {
        return fs::OpenOptions::new()
            .write(true)
            .open(path)?
            .write_all(bytes);
    }
    fresh(path)?;
    let folder = folder_of(path)?;
    own_way(folder)?;
    let mut file = tempfile::Builder::new()
        .prefix(".weir-")
        .permissions(fs::Permissions::from_mode(mode))
        .tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// Removes a file, where there is one.
///
/// # Errors
/// As of [`write`].
pub(crate) fn remove(path: &Path) -> io::Result<()> {
    fresh(path)?;
    own_way(folder_of(path)?)?;
    match fs::remove_file(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

/// Removes a folder with all that is in it, where there is one.
///
/// # Errors
/// Another user's link on the way, what is no folder, and what the system refuses.
pub(crate) fn remove_folder(folder: &Path) -> io::Result<()> {
    own_way(folder)?;
    match fs::symlink_metadata(folder) {
        Ok(there) if there.is_dir() => fs::remove_dir_all(folder),
        Ok(_) => Err(refused(folder, "is no folder")),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

/// Nothing lies there but a file.
fn fresh(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(there) if there.is_symlink() => Err(refused(path, "is a link")),
        Ok(there) if !there.is_file() => Err(refused(path, "is no file")),
        _ => Ok(()),
    }
}

fn folder_of(path: &Path) -> io::Result<&Path> {
    match path.parent() {
        Some(folder) if folder.as_os_str().is_empty() => Ok(Path::new(".")),
        Some(folder) => Ok(folder),
        None => Err(refused(path, "is no file")),
    }
}

/// Makes a folder and those above it.
///
/// # Errors
/// Another user's link on the way, and what the system refuses.
pub(crate) fn make_folder(folder: &Path) -> io::Result<()> {
    own_way(folder)?;
    fs::create_dir_all(folder)
}

/// Whether a file of this name can be written, which a file beside it tells that is gone again.
///
/// # Errors
/// As of [`write`], and a folder that is not there, by its name.
pub(crate) fn can_write(path: &Path) -> io::Result<()> {
    if is_stream(path) {
        return Ok(());
    }
    fresh(path)?;
    let folder = folder_of(path)?;
    if !folder.exists() {
        let message = format!("there is no folder `{}`", folder.display());
        return Err(io::Error::new(ErrorKind::NotFound, message));
    }
    tried(folder)
}

/// Whether files can be written into this folder, which need not be there yet. Nothing stays of the look.
///
/// # Errors
/// As of [`make_folder`] and [`write`].
pub(crate) fn can_fill(folder: &Path) -> io::Result<()> {
    let new = folder.ancestors().take_while(|part| !part.exists());
    let new: Vec<&Path> = new.filter(|part| !part.as_os_str().is_empty()).collect();
    let outcome = make_folder(folder).and_then(|()| tried(folder));
    for part in new {
        let _ = fs::remove_dir(part); // made above, or never made
    }
    outcome
}

fn tried(folder: &Path) -> io::Result<()> {
    own_way(folder)?;
    let probe = folder.join(format!(".weir-{}", std::process::id()));
    fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&probe)?;
    fs::remove_file(&probe)
}

/// A device or a pipe, which takes bytes and keeps none: to rename a file over it would take it away from its readers.
fn is_stream(path: &Path) -> bool {
    let is_pipe = || fs::symlink_metadata(path).is_ok_and(|there| there.file_type().is_fifo());
    path.starts_with("/dev") || is_pipe()
}

/// The way to a folder leads over no link of another user. The system's own links (`/tmp` on some) are root's.
/// The kernel refuses to follow such links where `fs.protected_symlinks` is set; not everywhere it is.
fn own_way(folder: &Path) -> io::Result<()> {
    let me = rustix::process::geteuid().as_raw();
    for part in folder.ancestors() {
        match fs::symlink_metadata(part) {
            Ok(there) if there.is_symlink() && ![0, me].contains(&there.uid()) => {
                let why = format!("is a link of another user ({})", there.uid());
                return Err(refused(part, &why));
            }
            _ => {}
        }
    }
    Ok(())
}

fn refused(path: &Path, why: &str) -> io::Error {
    let message = format!("`{}` {why}, and weir writes new files only", path.display());
    io::Error::new(ErrorKind::AlreadyExists, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_made_new() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("report.html");
        let other = place.path().join("other");
        write(&path, "one").unwrap();
        fs::hard_link(&path, &other).unwrap();
        write(&path, "two").unwrap();
        let read = |path: &Path| fs::read_to_string(path).unwrap();
        assert_eq!((read(&path), read(&other)), ("two".into(), "one".into()));
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 2);
        let mask = rustix::process::umask(rustix::fs::Mode::empty());
        rustix::process::umask(mask);
        let mode = fs::metadata(&path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, MODE & !mask.bits());
    }

    #[test]
    fn it_is_known_before_whether_a_file_can_be_written() {
        let place = tempfile::tempdir().unwrap();
        can_write(&place.path().join("times.hdr")).unwrap();
        can_fill(&place.path().join("a/b")).unwrap();
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0);
        let missing = can_write(&place.path().join("no/times.hdr")).unwrap_err();
        let folder = format!("no folder `{}/no`", place.path().display());
        assert!(missing.to_string().contains(&folder), "{missing}");
        fs::write(place.path().join("file"), "").unwrap();
        assert!(can_fill(&place.path().join("file")).is_err());
        assert!(can_fill(Path::new("/proc/foo")).is_err());
        for mine in [can_write(place.path()), can_write(Path::new("/proc/foo"))] {
            assert!(!mine.unwrap_err().to_string().contains(".weir-"));
        }
    }

    #[test]
    fn a_growing_file_is_made_anew_and_read_while_it_grows() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("live.ndjson");
        fs::write(&path, "of before").unwrap();
        let mut file = growing(&path).unwrap();
        file.write_all(b"one\n").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "one\n");
        assert!(growing(&place.path().join("no/live.ndjson")).is_err());
        assert!(growing(Path::new("/dev/null")).is_ok());
    }

    #[test]
    fn nothing_is_written_through_a_link() {
        let place = tempfile::tempdir().unwrap();
        let victim = place.path().join("victim");
        fs::write(&victim, "mine").unwrap();
        let path = place.path().join("report.html");
        std::os::unix::fs::symlink(&victim, &path).unwrap();
        let refused = write(&path, "theirs").unwrap_err().to_string();
        assert!(refused.contains("is a link"), "{refused}");
        assert_eq!(fs::read_to_string(&victim).unwrap(), "mine");
        assert!(write(place.path(), "theirs").is_err());
    }

    #[test]
    fn a_folder_behind_another_users_link_is_refused() {
        if !rustix::process::geteuid().is_root() {
            return; // nobody else can make a link of another user's
        }
        let place = tempfile::tempdir().unwrap();
        let (target, link) = (place.path().join("target"), place.path().join("reports"));
        fs::create_dir(&target).unwrap();
        std::os::unix::fs::symlink(&target, &link).unwrap();
        assert!(
            make_folder(&link.join("run-1")).is_ok(),
            "one's own link is followed"
        );
        std::os::unix::fs::lchown(&link, Some(65_534), Some(65_534)).unwrap();
        for folder in [link.join("run-2"), link.clone()] {
            let refused = make_folder(&folder).unwrap_err().to_string();
            assert!(
                refused.contains("link of another user (65534)"),
                "{refused}"
            );
        }
        assert!(write(&link.join("file"), "").is_err());
        assert_eq!(fs::read_dir(&target).unwrap().count(), 1);
    }

    #[test]
    fn devices_take_bytes_and_stay() {
        write(Path::new("/dev/null"), "gone").unwrap();
        assert!(
            fs::metadata("/dev/null")
                .unwrap()
                .file_type()
                .is_char_device()
        );
    }
}
