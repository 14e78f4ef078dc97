//! How an app is run as it stands: by a `Procfile`, a server's configuration, or a systemd unit.

use std::path::Path;

use minijinja::context;
use minijinja::value::Serde;
use record::App;

use super::text;
use crate::catalogue::Catalogue;
use crate::expression;

/// A shell's command line that serves the app on `$HOST:$PORT`, and the file that says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Today {
    /// The command.
    pub command: String,
    /// The file.
    pub from: String,
}

pub(super) fn find(dir: &Path, app: Option<&App>, catalogue: &Catalogue) -> Option<Today> {
    procfile(dir)
        .or_else(|| configured(dir, app?, catalogue))
        .or_else(|| unit(dir))
}

fn procfile(dir: &Path) -> Option<Today> {
    let text = text(dir, "Procfile")?;
    let web = text.lines().find_map(|line| line.strip_prefix("web:"))?;
    Some(Today {
        command: addressed(web.trim()),
        from: "Procfile".to_owned(),
    })
}

/// A configuration that a server of the catalogue finds by itself, or by custom.
fn configured(dir: &Path, app: &App, catalogue: &Catalogue) -> Option<Today> {
    let words = context! { python => Serde(&app.python), app => context! { entry => &app.entry } };
    catalogue
        .entries()
        .filter(|entry| entry.can_load(app))
        .filter_map(|entry| entry.today.as_ref())
        .filter(|today| dir.join(&today.file).is_file())
        .find_map(|today| {
            Some(Today {
                command: expression::render(&today.command, &words).ok()?,
                from: today.file.clone(),
            })
        })
}

/// The first systemd unit of the folder, or of a folder that such units lie in.
fn unit(dir: &Path) -> Option<Today> {
    let places = ["", "deploy", "systemd", "etc", "contrib", "ops"];
    let files = places
        .iter()
        .filter_map(|place| std::fs::read_dir(dir.join(place)).ok());
    let mut units: Vec<_> = files
        .flatten()
        .filter_map(|item| Some(item.ok()?.path()))
        .filter(|file| file.extension().is_some_and(|end| end == "service"))
        .collect();
    units.sort();
    units.into_iter().find_map(|file| {
        let unit = std::fs::read_to_string(&file).ok()?;
        let start = unit
            .lines()
            .find_map(|line| line.trim().strip_prefix("ExecStart="))?;
        Some(Today {
            command: addressed(start.trim_start_matches(['-', '@', '+', '!', ':'])),
            from: file
                .strip_prefix(dir)
                .unwrap_or(&file)
                .display()
                .to_string(),
        })
    })
}

/// The command with the address that it names replaced by the one that weir gives it. What names a
/// variable has its address from outside already.
fn addressed(command: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    for word in command.split_whitespace() {
        let place = |flag: &str| match flag {
            "-b" | "--bind" | "--listen" => Some("$HOST:$PORT"),
            "-p" | "--port" => Some("$PORT"),
            _ => None,
        };
        let joined = word
            .split_once('=')
            .and_then(|(flag, _)| Some((flag, place(flag)?)));
        let apart = words.last().and_then(|flag| place(flag));
        words.push(match (joined, apart) {
            _ if word.contains('$') => word.to_owned(),
            (Some((flag, place)), _) => format!("{flag}={place}"),
            (None, Some(place)) => place.to_owned(),
            (None, None) => word.to_owned(),
        });
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::addressed;

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
                "uvicorn shop:app --port 80",
                "uvicorn shop:app --port $PORT",
            ),
            ("bundle exec puma -p $PORT", "bundle exec puma -p $PORT"),
        ] {
            assert_eq!(addressed(written), meant);
        }
    }
}
