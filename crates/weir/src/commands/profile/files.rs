//! What is written of a profile, and read again.

use std::io::Read as _;
use std::path::Path;

use ::report::profile::{Folded, Profiled, difference, flame_graph, pprof, speedscope};

use crate::error::{Error, Exit, Result};
use crate::files;
use crate::input;
use crate::invocation::Invocation;
use crate::output::{note, print};

/// The file of folded stacks in the folder that is written.
const FOLDED: &str = "profile.folded";
/// The one that says who wrote it.
const SPEEDSCOPE: &str = "profile.speedscope.json";
/// Those of flame graphs.
const FLAMES: &str = "profile.svg";
const DIFFERENCE: &str = "difference.svg";

/// Bytes in which such a file says it.
const START: u64 = 1_024;

/// The stacks of an earlier profile: of the folder into which it was written, or of a file in the same form.
pub(super) fn read(path: &Path) -> Result<Folded> {
    let file = if path.is_dir() {
        path.join(FOLDED)
    } else {
        path.to_owned()
    };
    let hint =
        "name a run of `weir list`, or a folder or a file of folded stacks that `--out` wrote";
    if path.is_dir() && !file.exists() {
        let message = format!("`{}` has no profile: no `{FOLDED}` in it", path.display());
        return Err(Error::new(Exit::Usage, message).hint(hint.to_owned()));
    }
    let text = input::read(&file).map_err(|error| error.hint(hint.to_owned()))?;
    let text = String::from_utf8_lossy(&text);
    Folded::read(&path.display().to_string(), &text).map_err(|why| {
        let message = format!("`{}` has no folded stacks: {why}", file.display());
        Error::new(Exit::File, message).hint(hint.to_owned())
    })
}

/// Writes what other tools read of it, and how it differs from an earlier one, into a folder.
pub(super) fn write(
    of: &Profiled,
    earlier: Option<&Folded>,
    folder: &Path,
    invocation: &Invocation,
) -> Result<()> {
    let what = format!("the profile to `{}`", folder.display());
    let longer = |why: &str| {
        let message = format!("cannot write {what}: {why}");
        Error::new(Exit::Usage, message)
            .hint("sample for longer, and while it is loaded".to_owned())
    };
    let cannot = |error: std::io::Error| {
        let hint = "name a folder that you may write to";
        Error::unwritten(&what, &error, Exit::Usage, hint)
    };
    if of.stacks.is_empty() {
        return Err(longer("nothing was sampled"));
    }
    let drawn = drawn(of, earlier).map_err(|why| longer(&why))?;
    let packed = pprof(of).map_err(cannot)?;
    files::make_folder(folder).map_err(cannot)?;
    let tell = |path: &Path| {
        if invocation.json() {
            return Ok(());
        }
        print(&format!("{}\n", path.display()))
    };
    if is_ours(folder) {
        let earlier = [FOLDED, FLAMES, DIFFERENCE].into_iter();
        for name in earlier.filter(|name| !drawn.iter().any(|(of, _)| of == name)) {
            files::remove(&folder.join(name)).map_err(cannot)?;
        }
    }
    let texts = [(SPEEDSCOPE, speedscope(of))];
    for (name, text) in drawn.into_iter().chain(texts) {
        let path = folder.join(name);
        files::write(&path, &text).map_err(cannot)?;
        tell(&path)?;
    }
    let path = folder.join("profile.pb.gz");
    files::write_bytes(&path, &packed).map_err(cannot)?;
    tell(&path)
}

/// What there is of threads on CPU. Where none was, what they waited for is in the other files.
fn drawn(
    of: &Profiled,
    earlier: Option<&Folded>,
) -> std::result::Result<Vec<(&'static str, String)>, String> {
    let stacks = Folded::of(of);
    if stacks.is_empty() {
        note(
            "no thread was on CPU: there is no flame graph, and the files for speedscope and pprof have what threads waited for",
        );
        return Ok(Vec::new());
    }
    let mut all = vec![(FOLDED, stacks.to_string()), (FLAMES, flame_graph(of)?)];
    if let Some(earlier) = earlier.filter(|of| !of.is_empty()) {
        all.push((DIFFERENCE, difference(earlier, &stacks)?));
    }
    Ok(all)
}

/// Whether an earlier profile of weir lies in the folder, of which nothing is to remain beside this one.
fn is_ours(folder: &Path) -> bool {
    let path = folder.join(SPEEDSCOPE);
    let start = path.is_file().then(|| {
        let mut start = Vec::new();
        let file = std::fs::File::open(path)?;
        file.take(START).read_to_end(&mut start)?;
        std::io::Result::Ok(start)
    });
    start
        .and_then(std::io::Result::ok)
        .is_some_and(|start| String::from_utf8_lossy(&start).contains(r#""exporter":"weir""#))
}
