//! The files of requests that a plan loads, beside the plan.

use std::path::{Path, PathBuf};

use record::{Load, Plan};

/// Their folder, below that of the plan.
const FOLDER: &str = "requests";

/// Bytes of a file that is copied: a longer one is named where it lies.
const LONGEST: u64 = 16 << 20;

/// The plan with its files of requests beside it, copied into a folder, and where they are below it. One that cannot be
/// copied, or names others that lie beside it, stays where it is.
pub(super) fn brought(plan: &Plan, place: &Path) -> (Plan, Vec<PathBuf>) {
    let (mut plan, mut copies) = (plan.clone(), Vec::new());
    let own = plan.variants.iter_mut().filter_map(|of| of.load.as_mut());
    for load in own.chain([&mut plan.load]) {
        if let Some(copy) = copied(load, place, &copies) {
            copies.push(copy);
        }
    }
    copies.sort();
    copies.dedup();
    (plan, copies)
}

/// Brings the file of one load.
fn copied(load: &mut Load, place: &Path, known: &[PathBuf]) -> Option<PathBuf> {
    let file = load.requests_from.clone()?;
    let from = file.path();
    let there = Path::new(FOLDER).join(from.file_name()?);
    let to = place.join(&there);
    let about = from.metadata().ok()?;
    if !about.is_file() || about.len() > LONGEST {
        return None;
    }
    let bytes = std::fs::read(from).ok()?;
    if known.contains(&there) {
        if std::fs::read(&to).ok()? != bytes {
            return None; // another one of the same name
        }
    } else {
        std::fs::create_dir_all(place.join(FOLDER)).ok()?;
        crate::files::write_private(&to, &bytes).ok()?; // requests may hold a session, or a password
    }
    let mut moved = load.clone();
    moved.requests_from = Some(file.at(to.clone()));
    if experiment::find_requests(&mut moved, place).is_err() {
        let _ = std::fs::remove_file(&to);
        let _ = std::fs::remove_dir(place.join(FOLDER));
        return None;
    }
    load.requests_from = Some(file.at(there.clone()));
    Some(there)
}
