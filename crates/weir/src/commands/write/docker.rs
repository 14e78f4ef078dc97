//! The line by which a Dockerfile starts the server of a stack.

use std::path::Path;

use record::{Interface, Target};
use stack::{Composition, Deployed};

/// Where a server in a container listens: at each of its addresses, as others reach it from outside.
const HOST: &str = "0.0.0.0";

/// Files of the system that a container has as well.
const EVERYWHERE: &str = "/dev/";

/// How a container starts what is written, for an app with a Dockerfile.
pub(super) struct Docker {
    /// `CMD ["gunicorn", "shop:app"]`.
    pub(super) line: String,
    /// What that line does not say, in sentences.
    pub(super) about: String,
}

/// The line of a server that clients connect to; none of an app without a Dockerfile, of several programs, of the user's own
/// command, which stands in that file already, and of a server that has its address or what it runs in a file that is not in it.
pub(super) fn of(deployed: &Deployed, composition: &Composition, place: &Path) -> Option<Docker> {
    let dir = &composition.app.dir;
    let server = composition.app_server()?;
    let own = server.entry.runs.contains(&Interface::Program);
    let ([program], Target::Tcp(_)) = (&deployed.programs[..], &deployed.address) else {
        return None;
    };
    let says = |mark: &str| program.argv.iter().any(|word| word.contains(mark));
    let has_address = says(Deployed::HOST) && says(Deployed::PORT);
    if own || !has_address || !dir.join("Dockerfile").is_file() {
        return None;
    }
    let port = deployed.first;
    let addressed = program.argv.iter().map(|word| {
        let word = word.replace(Deployed::HOST, HOST);
        word.replace(Deployed::PORT, &port.to_string())
    });
    let (argv, left) = inside(addressed, place, dir);
    if left.iter().any(|what| !what.starts_with('-')) {
        return None;
    }
    let mut about = vec![format!(
        "It serves at port {port} of the container, which needs {} {} and the app.",
        program.entry, program.version
    )];
    if !left.is_empty() {
        let left = record::listed(&left);
        about.push(format!("Left out, as a path of this machine: {left}."));
    }
    let files = program.files.iter().map(|file| &file.path);
    let files: Vec<&String> = files.collect();
    if !files.is_empty() {
        let files = record::listed(&files);
        about.push(format!("What is in {files} is not in that line."));
    }
    let variables: Vec<&String> = program.env.iter().map(|(name, _)| name).collect();
    if !variables.is_empty() {
        let variables = record::listed(&variables);
        about.push(format!("Its environment is not in that line: {variables}."));
    }
    Some(Docker {
        line: format!("CMD {}", serde_json::to_string(&argv).ok()?),
        about: about.join(" "),
    })
}

/// A command as a container has it, and what is left out of it: options whose value is a path of this machine. A program is called by
/// its name, and a file of the app as in the app's folder.
fn inside(
    argv: impl Iterator<Item = String>,
    place: &Path,
    dir: &Path,
) -> (Vec<String>, Vec<String>) {
    let (mut kept, mut left): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    for word in argv {
        let joined = word.split_once('=').filter(|of| of.0.starts_with('-'));
        let value = joined.map_or(word.as_str(), |(_, value)| value);
        if !value.starts_with('/') || value.starts_with(EVERYWHERE) {
            kept.push(word);
            continue;
        }
        if kept.is_empty() {
            let name = value.rsplit('/').next().unwrap_or(value);
            kept.push(name.to_owned());
            continue;
        }
        let path = Path::new(value);
        let own = path.strip_prefix(dir).ok();
        match (own.filter(|_| !path.starts_with(place)), joined) {
            (Some(own), Some((flag, _))) => kept.push(format!("{flag}={}", relative(own))),
            (Some(own), None) => kept.push(relative(own)),
            (None, Some((flag, _))) => left.push(flag.to_owned()),
            (None, None) => {
                let flag = kept.pop_if(|before| before.starts_with('-') && !before.contains('='));
                left.push(flag.unwrap_or_else(|| value.to_owned()));
            }
        }
    }
    (kept, left)
}

/// A path below the app's folder, as a command that runs there names it.
fn relative(own: &Path) -> String {
    match own.display().to_string() {
        path if path.is_empty() => ".".to_owned(),
        path => path,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_container_has_no_path_of_this_machine() {
        let (place, dir) = (Path::new("/srv/shop/deploy"), Path::new("/srv/shop"));
        let said = |line: &str| {
            let words = line.split(' ').map(str::to_owned);
            let (kept, left) = inside(words, place, dir);
            (kept.join(" "), left.join(" "))
        };
        for (line, kept, left) in [
            (
                "/srv/shop/.venv/bin/python -m gunicorn --config /srv/shop/deploy/g.py --workers 2 shop:app",
                "python -m gunicorn --workers 2 shop:app",
                "--config",
            ),
            (
                "serve --tmp /dev/shm --log=/var/log/x --root=/srv/shop/public /srv/shop",
                "serve --tmp /dev/shm --root=public .",
                "--log",
            ),
            ("serve /etc/passwd -", "serve -", "/etc/passwd"),
        ] {
            assert_eq!(said(line), (kept.to_owned(), left.to_owned()), "{line}");
        }
    }
}
