//! What `--out` and `--hdr` write.

use std::path::Path;

use record::Stretch;
use report::bench::{Bench, Loads};
use serde::Serialize;

use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::files;

/// All files of one load.
pub(super) fn write_one(folder: &Path, bench: &Bench) -> Result<()> {
    let files = [
        ("run.json", pretty(&report::bench::document(bench))?),
        ("intervals.ndjson", ndjson(bench)?),
        ("report.html", report::bench::page(bench)),
    ];
    write(folder, &files)?;
    write_hdr(&folder.join("times.hdr"), &[*bench])
}

/// Those of several: each has a folder, and above them stands what they are together.
pub(super) fn write_several(
    folder: &Path,
    whole: &impl Serialize,
    loads: &Loads,
    benches: &[Bench],
) -> Result<()> {
    let files = [
        ("run.json", pretty(whole)?),
        ("report.html", report::bench::loads_page(loads)),
    ];
    write(folder, &files)?;
    write_hdr(&folder.join("times.hdr"), benches)?;
    for (number, bench) in (1..).zip(benches) {
        write_one(&folder.join(format!("load-{number}")), bench)?;
    }
    Ok(())
}

/// Writes the response times piece by piece and the service times as a whole; those of several loads one
/// after the other, with the load's number in their tags.
pub(super) fn write_hdr(path: &Path, benches: &[Bench]) -> Result<()> {
    let tags: Vec<_> = (1..=benches.len())
        .map(|number| match benches.len() {
            1 => ["response".to_owned(), "service".to_owned()],
            _ => [format!("response-{number}"), format!("service-{number}")],
        })
        .collect();
    let mut stretches = Vec::new();
    let mut begun = 0.0;
    for (bench, [response, service]) in benches.iter().zip(&tags) {
        stretches.extend(bench.slices.iter().map(|slice| Stretch {
            name: response,
            from: begun + slice.from,
            length: slice.until - slice.from,
            times: &slice.response,
        }));
        stretches.push(Stretch {
            name: service,
            from: begun,
            length: bench.load.seconds,
            times: &bench.load.service,
        });
        begun += bench.load.seconds;
    }
    let mut text = Vec::new();
    record::interval_log(&mut text, &stretches)
        .and_then(|()| files::write_bytes(path, &text))
        .map_err(|error| cannot_write(path, &error))
}

pub(super) fn ndjson(bench: &Bench) -> Result<String> {
    report::bench::ndjson(bench).map_err(|error| Error::new(Exit::Internal, error.to_string()))
}

fn pretty(document: &impl Serialize) -> Result<String> {
    serde_json::to_string_pretty(document)
        .map_err(|error| Error::new(Exit::Internal, error.to_string()))
}

fn write(folder: &Path, files: &[(&str, String)]) -> Result<()> {
    files::make_folder(folder).map_err(|error| cannot_write(folder, &error))?;
    for (name, text) in files {
        let path = folder.join(name);
        files::write(&path, text).map_err(|error| cannot_write(&path, &error))?;
    }
    Ok(())
}

fn cannot_write(path: &Path, error: &std::io::Error) -> Error {
    let message = format!("cannot write `{}`: {error}", path.display());
    Error::new(Exit::Usage, message).hint("name a place that you may write to".to_owned())
}
