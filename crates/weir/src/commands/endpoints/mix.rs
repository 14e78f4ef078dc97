//! The requests of a log as a mix that `weir bench` and `weir try` load.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::Read as _;
use std::path::Path;

use ::endpoints::{Asked, Endpoint};

use crate::error::{Error, Exit, Result};
use crate::files;
use crate::invocation::Invocation;
use crate::mask;
use crate::output::note;

/// Most requests of a mix: what is rarer is not worth a load.
const MIXED: usize = 100;
/// Most endpoints that a note names.
const NAMED: usize = 3;

const HEAD: &str = "\
# Requests of a log, each as often as it was asked for; `weir bench URL --mix` loads them.
";
/// What follows the head where routes have several targets.
const DRAWN: &str = "\
# Where one route was asked for under several paths and queries, its source has some of them, drawn at random from the
# requests: those that were asked for often are in it several times. What the others have in a cache is not loaded.
";

/// Refuses to replace a file that holds something else than a mix of weir's: who reads `--mix` as `weir bench` means it names
/// a mix of their own.
///
/// # Errors
/// There is such a file, or one that cannot be read.
pub(super) fn may_write(file: &Path) -> Result<()> {
    let is_file = fs::symlink_metadata(file).is_ok_and(|there| there.is_file());
    if !is_file {
        return Ok(());
    }
    let mut begin = Vec::new();
    let read =
        File::open(file).and_then(|from| from.take(HEAD.len() as u64).read_to_end(&mut begin));
    if read.is_ok() && (begin.is_empty() || begin == HEAD.as_bytes()) {
        return Ok(());
    }
    let problem = format!(
        "`{}` is there already, and weir did not write it",
        file.display()
    );
    let hint = "`--write-mix` writes a mix: name a new file; `weir bench URL --mix FILE` loads one";
    Err(Error::new(Exit::Usage, problem).hint(hint.to_owned()))
}

/// Writes a mix that asks for each endpoint as often as the log does. Only what is read: a request that changes something needs
/// a body that the log does not have. And only what was answered as one expects it, where the log says how.
///
/// # Errors
/// It has no such request, or the mix cannot be written.
pub(super) fn write(file: &Path, sorted: &[Endpoint], invocation: &Invocation) -> Result<()> {
    let asked = sorted.iter().filter(|of| of.now.count > 0);
    let mut requests = asked
        .filter_map(|of| Some((of, targets(of)?)))
        .collect::<Vec<_>>();
    if requests.is_empty() {
        return Err(nothing_fits(file, sorted));
    }
    requests.truncate(MIXED);
    let mut text = HEAD.to_owned();
    if requests.iter().any(|(of, _)| of.asked.different > 1) {
        text.push_str(DRAWN);
    }
    for (number, (of, targets)) in requests.iter().enumerate() {
        add(&mut text, number + 1, of, targets);
    }
    files::write(file, &text).map_err(|error| {
        let what = format!("`{}`", file.display());
        let hint = "name a file in a folder that you may write to";
        Error::unwritten(&what, &error, Exit::Usage, hint)
    })?;
    if !invocation.quiet() {
        tell(file, sorted, &requests);
    }
    Ok(())
}

/// What to ask for of an endpoint, secrets masked; nothing if it cannot be asked for.
fn targets(of: &Endpoint) -> Option<Vec<String>> {
    // neither the name of a route, nor a stranger's template, nor what no request line holds
    let plain = |target: &&str| {
        target.starts_with('/') && target.bytes().all(|of| of.is_ascii_graphic() && of != b'{')
    };
    let drawn = of.asked.targets.iter().map(String::as_str);
    let mut targets: Vec<_> = drawn.filter(plain).collect();
    if targets.is_empty() {
        targets.extend(Some(of.example.as_str()).filter(plain));
    }
    // what stands for many routes has no name that begins as a path does
    let is_route = of.route.starts_with('/');
    let is_asked = is_route && of.method == "GET" && of.asked.right > 0;
    let masked = targets.into_iter().map(|of| mask::text(of).into_owned());
    let masked = masked.collect::<Vec<_>>();
    (is_asked && !masked.is_empty()).then_some(masked)
}

/// Why nothing is written: what the requests are instead.
fn nothing_fits(file: &Path, sorted: &[Endpoint]) -> Error {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for of in sorted.iter().filter(|of| of.now.count > 0) {
        *counts.entry(unfit(of)).or_default() += of.now.count;
    }
    let counts = counts.into_iter();
    let told = counts.map(|(what, count)| format!("{} {what}", report::units::count(count)));
    let told = told.collect::<Vec<_>>().join(", ");
    let told = if told.is_empty() {
        "there is none"
    } else {
        &told
    };
    let problem = format!(
        "no request can be written into `{}`: {told}",
        file.display()
    );
    let hint = "name an access log with requests by GET that were answered with 200 or 304, or write the mix yourself: \
                `weir help mix` explains it";
    Error::new(Exit::File, problem).hint(hint.to_owned())
}

/// What the requests of an endpoint are that cannot be asked for.
fn unfit(of: &Endpoint) -> &'static str {
    match &*of.method {
        "" => "whose method is not known, as of timers",
        "GET" if of.asked.right == 0 => "answered otherwise than with 200 or 304",
        "GET" => "without a path that can be asked for",
        _ => "with another method than GET",
    }
}

fn add(text: &mut String, number: usize, of: &Endpoint, targets: &[String]) {
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let first = targets.first().map_or("/", String::as_str);
    let is_one = targets.iter().all(|target| target == first);
    let path = if is_one {
        first.to_owned()
    } else {
        let _ = writeln!(
            text,
            "\n[source.asked{number}]  # {} of {} paths and queries\nlist = [",
            different(targets),
            number_of(&of.asked)
        );
        for target in targets {
            // each begins with the slash that the path has already
            let _ = writeln!(text, "  {},", quoted(&target[1..]));
        }
        text.push_str("]\n");
        format!("/{{{{ asked{number} | raw }}}}")
    };
    let _ = write!(
        text,
        "\n[[request]]\nname = {}\nweight = {}\npath = {}\n",
        quoted(&format!("{} {}", of.method, of.route)),
        of.asked.right,
        quoted(&path)
    );
}

fn different(targets: &[String]) -> usize {
    targets.iter().collect::<BTreeSet<_>>().len()
}

/// How many there were: `4,980`, or `about 4,980`.
fn number_of(asked: &Asked) -> String {
    let about = if asked.is_estimate { "about " } else { "" };
    format!("{about}{}", report::units::count(asked.different))
}

/// What the mix does not have of the log.
fn tell(file: &Path, sorted: &[Endpoint], requests: &[(&Endpoint, Vec<String>)]) {
    let name = file.display();
    let all: u64 = sorted.iter().map(|of| of.now.count).sum();
    let mixed: u64 = requests.iter().map(|(of, _)| of.asked.right).sum();
    if mixed < all {
        note(format!(
            "`{name}` stands for {} of {} requests ({}): it asks with GET alone, for {MIXED} endpoints at most, and for what was \
             answered with 200 or 304 where the log says how",
            report::units::count(mixed),
            report::units::count(all),
            report::units::percent(mixed as f64 / all as f64)
        ));
    }
    let part = |of: &Endpoint, targets: &[String]| {
        let drawn = different(targets);
        let fewer = of.asked.different > drawn as u64;
        fewer.then(|| {
            format!(
                "`{} {}` {drawn} of {}",
                of.method,
                of.route,
                number_of(&of.asked)
            )
        })
    };
    let parts = requests
        .iter()
        .filter_map(|(of, targets)| part(of, targets));
    let parts: Vec<_> = parts.collect();
    if !parts.is_empty() {
        note(format!(
            "`{name}` has some of the paths and queries that were asked for: {}",
            record::first_of(&parts, NAMED)
        ));
    }
    tell_masked(&name.to_string(), requests);
}

/// Whose values are masked in the mix: these requests are not what was asked for.
fn tell_masked(name: &str, requests: &[(&Endpoint, Vec<String>)]) {
    let (mut keys, mut count) = (BTreeSet::<&str>::new(), 0);
    for (of, targets) in requests {
        let mut masked = 0;
        for found in targets.iter().map(|target| mask::keys(target)) {
            masked += u64::from(!found.is_empty());
            keys.extend(found);
        }
        count += (of.asked.right * masked).div_ceil(targets.len() as u64);
    }
    if count > 0 {
        note(format!(
            "values of {} were masked in {}: `{name}` has `***` in their place, which `--mix` sends as it is; put your own \
             values in, or take these requests out",
            record::listed(keys),
            record::units::counted(count, "request")
        ));
    }
}
