//! Other people's command lines, made to run here: at the address that weir gives, with the programs of
//! this machine.

use std::path::Path;

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
            (None, None) => words.push(word.to_owned()),
        }
    }
    words.join(" ")
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
        "-p" | "--port" | "--http-port" => "$PORT".to_owned(),
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
    use std::path::Path;

    use super::{addressed, runnable};

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
    fn a_program_of_another_machine_is_looked_for_here() {
        let python = Path::new("/venv/bin/python");
        assert_eq!(
            runnable("/srv/shop/venv/bin/gunicorn shop:app", Some(python)),
            "PATH=\"/venv/bin:$PATH\" gunicorn shop:app"
        );
        assert_eq!(runnable("/bin/sh -c true", None), "/bin/sh -c true");
    }
}
