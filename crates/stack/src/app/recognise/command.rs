//! Other people's command lines, made to run here: at the address that weir gives, with the programs of
//! this machine.

use std::path::Path;

/// The command of a line that serves, where the line does several things: its last, in the folder to which it goes
/// before, at the address that weir gives; and what is left out of it.
pub(super) fn serving(line: &str, unix: bool) -> (String, Vec<String>) {
    let parts: Vec<_> = line.split("&&").flat_map(|part| part.split(';')).collect();
    let whole = |part: &&str| shlex::split(part).is_some();
    let bare = |part: &str| {
        let part = part.trim();
        part.strip_prefix("exec ").unwrap_or(part).trim().to_owned()
    };
    let Some((last, before)) = parts.split_last().filter(|_| parts.iter().all(whole)) else {
        return (addressed(line, unix), Vec::new());
    };
    let before = before.iter().map(|part| part.trim().to_owned());
    let (kept, left): (Vec<_>, _) = before.partition(|part| part.starts_with("cd "));
    let last = addressed(&bare(last), unix);
    let quoted = shlex::try_quote(&format!("{} && exec {last}", kept.join(" && "))).map(Into::into);
    match quoted {
        Ok(inside) if !kept.is_empty() => {
            let inside: String = inside;
            (format!("sh -c {inside}"), left)
        }
        _ => (last, left),
    }
}

/// The command with the address that it names replaced by the one that weir gives it. What names a
/// variable has its address from outside already. A Unix socket stays one where `unix` says so.
pub(super) fn addressed(command: &str, unix: bool) -> String {
    let mut words: Vec<String> = Vec::new();
    for word in command.split_whitespace() {
        let joined = word.split_once('=');
        let replaced = joined.and_then(|(flag, value)| Some((flag, place(flag, value, unix)?)));
        let apart = words.last().and_then(|flag| place(flag, word, unix));
        match (replaced, apart) {
            _ if word.contains('$') => words.push(word.to_owned()),
            (Some((_, Stands::Instead(words_instead))), _) => words.push(words_instead.to_owned()),
            (Some((flag, Stands::Value(value))), _) => words.push(format!("{flag}={value}")),
            (None, Some(Stands::Value(value))) => words.push(value),
            (None, Some(Stands::Instead(words_instead))) => {
                words.pop();
                words.push(words_instead.to_owned());
            }
            (None, None) if is_address(word) => words.push("$HOST:$PORT".to_owned()),
            (None, None) => words.push(word.to_owned()),
        }
    }
    words.join(" ")
}

/// Whether a word is a host's number and a port, as after `manage.py runserver`.
fn is_address(word: &str) -> bool {
    let address: Result<std::net::SocketAddr, _> = word.parse();
    address.is_ok()
}

enum Stands {
    /// Another value of the same flag.
    Value(String),
    /// Other words for flag and value.
    Instead(&'static str),
}

/// What stands for the value of a flag that says where to listen.
fn place(flag: &str, value: &str, unix: bool) -> Option<Stands> {
    let socket = value.starts_with("unix:") || value.contains(".sock");
    let scheme = value.find("://").map_or("", |end| &value[..end + 3]);
    let value = match flag {
        "-p" | "--port" | "--http-port" if value.parse::<u16>().is_ok() => "$PORT".to_owned(),
        "--host" => "$HOST".to_owned(),
        "--uds" | "--fd" if unix => return Some(Stands::Instead("--uds $SOCKET")),
        "--uds" | "--fd" => return Some(Stands::Instead("--host $HOST --port $PORT")),
        "-b" | "--bind" | "--listen" | "--http" | "--http-socket" | "--socket"
        | "--uwsgi-socket" | "--fastcgi-socket" | "--scgi-socket" => match (socket, scheme) {
            (true, "") if unix && value.starts_with("unix:") => "unix:$SOCKET".to_owned(),
            (true, "") if unix => "$SOCKET".to_owned(),
            (true, _) if unix => format!("{scheme}$SOCKET"),
            (true, "") => "$HOST:$PORT".to_owned(),
            (true, _) => "tcp://$HOST:$PORT".to_owned(),
            // a name alone is the host of a server that is told its port by another flag
            (false, "") if flag.starts_with("-b") && !value.contains(':') => "$HOST".to_owned(),
            (false, scheme) => format!("{scheme}$HOST:$PORT"),
        },
        _ => return None,
    };
    Some(Stands::Value(value))
}

/// The command with programs of a virtual environment found in the one that is here: a unit names a path
/// of the machine it was written for, and a `Procfile` relies on an environment that is active.
pub(super) fn runnable(command: &str, python: Option<&Path>) -> String {
    let words: Vec<String> = command.split_whitespace().map(at_home).collect();
    let bin = python.and_then(Path::parent);
    let path = bin.map(|bin| format!("PATH=\"{}:$PATH\" ", bin.display()));
    path.unwrap_or_default() + &words.join(" ")
}

/// The program of a command, where it is not on this machine: neither installed, nor in the environment of a Python, nor
/// in the app's folder.
pub(super) fn absent(command: &str, dir: &Path, python: Option<&Path>) -> Option<String> {
    let words = shlex::split(command)?;
    let program = words.into_iter().find(|word| !word.contains('='))?;
    let bin = python.and_then(Path::parent);
    let there = program.contains('$')
        || which::which_in(&program, std::env::var_os("PATH"), dir).is_ok()
        || bin.is_some_and(|bin| bin.join(&program).is_file());
    (!there).then_some(program)
}

/// A program's name in place of a path that is not here.
fn at_home(word: &str) -> String {
    let path = Path::new(word);
    let bin = path.parent().is_some_and(|folder| folder.ends_with("bin"));
    match path.file_name().and_then(|name| name.to_str()) {
        Some(name) if bin && path.is_absolute() && !path.exists() => name.to_owned(),
        _ => word.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;
    use std::path::Path;

    use super::{absent, addressed, runnable, serving};

    #[test]
    fn a_fixed_address_gives_way_to_the_one_weir_chooses() {
        for (written, meant) in [
            (
                "gunicorn -w 4 -b 0.0.0.0:8000 shop:app",
                "gunicorn -w 4 -b $HOST:$PORT shop:app",
            ),
            (
                "gunicorn --bind=unix:/run/shop.sock shop:app",
                "gunicorn --bind=$HOST:$PORT shop:app",
            ),
            (
                "gunicorn --bind 0.0.0.0:$PORT shop:app",
                "gunicorn --bind 0.0.0.0:$PORT shop:app",
            ),
            (
                "uvicorn shop:app --host 0.0.0.0 --port 80",
                "uvicorn shop:app --host $HOST --port $PORT",
            ),
            (
                "uvicorn shop:app --uds /run/shop.sock",
                "uvicorn shop:app --host $HOST --port $PORT",
            ),
            ("bundle exec puma -p $PORT", "bundle exec puma -p $PORT"),
            ("puma -b tcp://0.0.0.0:3000", "puma -b tcp://$HOST:$PORT"),
            ("puma -b unix:///run/shop.sock", "puma -b tcp://$HOST:$PORT"),
            (
                "manage.py runserver 0.0.0.0:8000",
                "manage.py runserver $HOST:$PORT",
            ),
            ("rails s -b 0.0.0.0 -p 3000", "rails s -b $HOST -p $PORT"),
        ] {
            assert_eq!(addressed(written, false), meant);
        }
        for (written, meant) in [
            (
                "gunicorn --bind=unix:/run/s.sock a:b",
                "gunicorn --bind=unix:$SOCKET a:b",
            ),
            ("uvicorn a:b --uds /run/s.sock", "uvicorn a:b --uds $SOCKET"),
            ("uwsgi --socket /run/s.sock", "uwsgi --socket $SOCKET"),
            (
                "gunicorn -b 127.0.0.1:8000 a:b",
                "gunicorn -b $HOST:$PORT a:b",
            ),
        ] {
            assert_eq!(addressed(written, true), meant);
        }
    }

    #[test]
    fn of_a_line_that_does_several_things_the_last_serves() {
        for (line, command, left) in [
            ("gunicorn a:b", "gunicorn a:b", vec![]),
            ("exec gunicorn a:b", "gunicorn a:b", vec![]),
            (
                "./migrate && gunicorn a:b",
                "gunicorn a:b",
                vec!["./migrate"],
            ),
            (
                "cd shop && ./migrate; exec gunicorn a:b",
                "sh -c 'cd shop && exec gunicorn a:b'",
                vec!["./migrate"],
            ),
            ("sh -c 'a && b'", "sh -c 'a && b'", vec![]),
        ] {
            assert_eq!(
                serving(line, false),
                (
                    command.to_owned(),
                    left.into_iter().map(str::to_owned).collect()
                )
            );
        }
    }

    #[test]
    fn a_program_that_is_not_on_this_machine_is_named() {
        let dir = testkit::temp_dir();
        let bin = dir.path().join("venv/bin");
        std::fs::create_dir_all(&bin).unwrap();
        for program in [bin.join("shop-serve"), dir.path().join("start.sh")] {
            std::fs::write(&program, "#!/bin/sh\n").unwrap();
            std::fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).unwrap();
        }
        let python = bin.join("python");
        for (command, missing) in [
            ("PATH=\"/venv/bin:$PATH\" shop-serve -p $PORT", None),
            ("./start.sh", None),
            ("sh -c 'cd a && exec b'", None),
            ("$SERVER shop", None),
            ("MODE=fast shop-lost -p $PORT", Some("shop-lost")),
            ("./lost.sh", Some("./lost.sh")),
        ] {
            let found = absent(command, dir.path(), Some(&python));
            assert_eq!(found.as_deref(), missing, "{command}");
        }
    }

    #[test]
    fn a_program_of_another_machine_is_looked_for_here() {
        let python = Path::new("/venv/bin/python");
        assert_eq!(
            runnable("/srv/shop/venv/bin/gunicorn shop:app", Some(python)),
            "PATH=\"/venv/bin:$PATH\" gunicorn shop:app"
        );
        assert_eq!(runnable("/bin/sh -c true", None), "/bin/sh -c true");
    }
}
