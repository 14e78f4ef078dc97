//! A load whose requests a script thinks of.

use std::path::Path;
use std::sync::Arc;

use load::{Job, Part, RequestSource, Traffic};
use report::units;
use report::words::counted;
use script::{Options, Prints, Script};

use crate::error::{Error, Exit, Result};
use crate::output::note;

/// What a user says about a script.
#[derive(Clone, Copy, Debug)]
pub(in crate::commands) struct Wanted<'a> {
    pub(in crate::commands) file: &'a Path,
    /// The URL as it was typed.
    pub(in crate::commands) url: &'a str,
    /// For the script's `init()`.
    pub(in crate::commands) args: &'a [String],
    /// Standard output holds something that is no text for people.
    pub(in crate::commands) prints_aside: bool,
}

/// Sets a script up for a job of one request, which it then asks for itself. What it wants and does
/// not get is told.
///
/// # Errors
/// As of [`check`].
pub(in crate::commands) fn open(wanted: &Wanted, job: &mut Job) -> Result<Option<Arc<Script>>> {
    let prints = if wanted.prints_aside {
        Prints::Aside
    } else {
        Prints::Out
    };
    let Some(script) = set_up(wanted, job, prints)? else {
        return Ok(None);
    };
    for warning in script.warnings() {
        note(format!("warning: {warning}"));
    }
    let script = Arc::new(script);
    job.load.streams = job.load.streams.max(script.depth());
    job.load.make_room();
    job.traffic = Traffic::Made(Arc::clone(&script) as Arc<dyn RequestSource>);
    Ok(Some(script))
}

/// Looks whether a script can be set up for a job. Nothing of what it prints is shown.
///
/// # Errors
/// It cannot be read or fails, or it is a journey, and several requests are to be under way on each connection.
pub(super) fn check(wanted: &Wanted, job: &Job) -> Result<()> {
    set_up(wanted, job, Prints::Nowhere).map(drop)
}

fn set_up(wanted: &Wanted, job: &Job, prints: Prints) -> Result<Option<Script>> {
    let Traffic::Mix(parts) = &job.traffic else {
        return Ok(None);
    };
    let Some(Part {
        request, expected, ..
    }) = parts.first()
    else {
        return Ok(None);
    };
    let sound = job.load.check(); // each thread has a state of its own
    sound.map_err(load::LoadError::from)?;
    let script = Script::open(&Options {
        file: wanted.file.to_owned(),
        url: wanted.url.to_owned(),
        scheme: scheme(wanted.url).to_owned(),
        authority: job.host.clone(),
        path: request.path.clone(),
        headers: request.headers.clone(),
        target: job.target.clone(),
        args: wanted.args.to_vec(),
        threads: load::threads(&job.load, job.cores) as usize,
        expected: expected.clone(),
        instructions: Options::INSTRUCTIONS,
        prints,
    })?;
    if script.is_journey() && job.load.streams > 1 {
        let message = "a user of a script waits for its response before it sends the next request, and `--streams` and \
                       `--pipeline` do not";
        let hint = "leave them out: each connection is a user, and `-c` says how many there are";
        return Err(Error::new(Exit::Usage, message).hint(hint.to_owned()));
    }
    Ok(Some(script))
}

/// What so many users carry at a rate in requests/s, where nobody has said how many there are to be.
pub(super) fn users_for(users: u32, rate: f64) -> String {
    let second = rate.ceil() as u64;
    format!(
        "{} for {} requests/s: enough if a response and the sleep before it take {} together; each second of that needs \
         about {} (`-c {second}`)",
        counted(users.into(), "user"),
        units::number(rate),
        units::duration(f64::from(users) / rate),
        counted(second, "user")
    )
}

/// `http` of `http://…` and `http+unix:…`, and of a path on a socket.
fn scheme(url: &str) -> &str {
    let end = url.find(['+', ':']).filter(|_| !url.starts_with('/'));
    end.map_or("http", |end| &url[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn users_of_a_rate_are_told_with_the_time_for_which_they_are_enough() {
        let told = users_for(10, 200.0);
        let enough = "10 users for 200 requests/s: enough if a response and the sleep before it take 50.0 ms together";
        assert!(told.starts_with(enough), "{told}");
        assert!(told.ends_with("about 200 users (`-c 200`)"), "{told}");
        let rare = users_for(10, 0.5);
        assert!(rare.ends_with("about 1 user (`-c 1`)"), "{rare}");
    }
}
