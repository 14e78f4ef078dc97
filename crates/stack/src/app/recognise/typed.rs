//! Which server of the catalogue a command runs, and how it sets it.

use std::path::Path;

use record::Choice;

use crate::entry::{Catalogue, Configured, Entry, Typed, knob};

/// The option of a shell behind which a line of its own stands.
const FLAG: &str = "-c";

/// The server of the catalogue that a command runs, with the knobs that it sets; none where that cannot be read, as where its
/// users set more in a file of the app's folder or in a variable.
pub(super) fn server(command: &str, dir: &Path, catalogue: &Catalogue) -> Option<Choice> {
    let words = words(command)?;
    let known = catalogue.entries().filter_map(|entry| {
        let typed = entry.typed.as_ref()?;
        Some((typed.place(&words)?, entry, typed))
    });
    // the others are words of the first one's options
    let (at, entry, typed): (usize, &Entry, &Typed) = known.min_by_key(|of| of.0)?;
    let file = match &entry.today {
        Some(Configured::Command(today)) => dir.join(&today.file).is_file(),
        _ => false,
    };
    let told = |name: &String| command.contains(name) || std::env::var_os(name).is_some();
    if file || entry.unset.iter().any(told) {
        return None;
    }
    let knobs = typed.read(&words[at + 1..], entry)?;
    Some(Choice::of(&entry.name).with(knobs))
}

/// What it is, in one line.
pub(super) fn told(server: &Choice) -> String {
    let knobs = server.knobs.iter();
    let knobs: Vec<_> = knobs
        .map(|(name, value)| format!("`{name}` {}", knob::text(value)))
        .collect();
    let set = match knobs.join(", ") {
        none if none.is_empty() => "as it comes".to_owned(),
        some => format!("with {some}"),
    };
    format!("that is `{}` {set}", server.entry)
}

/// The words of a command; of a shell's line those of the line.
fn words(command: &str) -> Option<Vec<String>> {
    let words = shlex::split(command)?;
    match &words[..] {
        [.., flag, line] if flag == FLAG => shlex::split(line),
        _ => Some(words),
    }
}

#[cfg(test)]
mod tests {
    use record::Knob;

    use super::*;

    fn read(command: &str) -> Option<(String, Vec<(String, Knob)>)> {
        let catalogue = Catalogue::load(&[]).unwrap();
        let found = server(command, Path::new("/nowhere"), &catalogue)?;
        Some((found.entry, found.knobs.into_iter().collect()))
    }

    #[test]
    fn the_options_of_a_command_are_knobs() {
        let number = |name: &str, value| (name.to_owned(), Knob::Number(value));
        let class = |name: &str| ("worker-class".to_owned(), Knob::Text(name.to_owned()));
        let line =
            "gunicorn app.main:app -k uvicorn.workers.UvicornWorker --workers 5 --timeout=60";
        let knobs = vec![
            number("timeout", 60),
            class("uvicorn"),
            number("workers", 5),
        ];
        let wanted = Some(("gunicorn".to_owned(), knobs));
        assert_eq!(read(line), wanted);
        assert_eq!(read(&format!("PATH=\"/x/bin:$PATH\" {line}")), wanted);
        assert_eq!(read(&format!("sh -c 'cd src && exec {line}'")), wanted);
        let module = read(".venv/bin/python -m uvicorn app:app --host 0.0.0.0 --workers 2");
        assert_eq!(
            module,
            Some(("uvicorn".to_owned(), vec![number("workers", 2)]))
        );
        let short = read("/srv/bin/gunicorn -w3 app:app");
        assert_eq!(
            short,
            Some(("gunicorn".to_owned(), vec![number("workers", 3)]))
        );
        let server = Choice::of("gunicorn").with([number("workers", 3)].into());
        assert_eq!(told(&server), "that is `gunicorn` with `workers` 3");
        assert_eq!(
            told(&Choice::of("uvicorn")),
            "that is `uvicorn` as it comes"
        );
    }

    #[test]
    fn what_cannot_be_read_is_not_guessed() {
        for line in [
            "./serve --workers 2",
            "gunicorn -c conf.py -w 2 app:app",
            "gunicorn -w $WORKERS app:app",
            "gunicorn -k mine.Worker app:app",
            "WEB_CONCURRENCY=3 gunicorn app:app",
        ] {
            assert_eq!(read(line), None, "{line}");
        }
    }
}
