//! An app of which nothing is known but how it is run: by a `Procfile`, a unit or a container.

use super::folders::deeper;
use super::missed::Missed;
use super::{Recognised, Today, Wish, program, unprepared};
use crate::entry::Catalogue;
use crate::error::{Result, log};

/// The program that is run.
/// Errors: it is not on this machine, and nothing else tells an app.
pub(super) fn find(
    wish: &Wish<'_>,
    today: Today,
    mut missed: Missed,
    catalogue: &Catalogue,
) -> Result<Recognised> {
    let from = today.from.first().cloned().unwrap_or_default();
    if let Some(lost) = today.missing {
        if missed.failures() > 0 {
            return Err(missed.error(wish.dir));
        }
        if let Some(found) = deeper(wish, &mut missed, catalogue)? {
            return Ok(found);
        }
        let lost = log::as_line(&lost);
        let lacking = format!("`{from}` runs `{lost}`, which is not on this machine");
        let hint = "install or build it here, or give `weir try --command 'CMD'` with $PORT in it";
        return Err(unprepared(wish, &lacking, hint));
    }
    let mut because = missed.lines();
    because.push(format!("`{from}` says how it is run"));
    because.extend(today.notes);
    let command = today.command.unwrap_or_default();
    Ok(Recognised {
        because,
        ..program(wish, &command, &[])
    })
}
