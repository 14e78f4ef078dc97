use std::collections::BTreeSet;

use record::{Interface, Protocol};

use super::texts::Text;
use super::{Entry, Kind};
use crate::entry::expression::{names_in_condition, names_in_template};

impl Entry {
    /// The first thing that is wrong with it, as far as that shows without running it.
    pub(super) fn flaw(&self) -> Option<String> {
        if !is_word(&self.name) {
            return Some(format!(
                "`name` must be lower-case words joined by `-`, not `{}`",
                self.name
            ));
        }
        if let Some((name, spec)) = self
            .knobs
            .iter()
            .find(|(name, spec)| !is_word(name) || spec.flaw().is_some())
        {
            let flaw = spec
                .flaw()
                .unwrap_or_else(|| "its name must be lower-case words joined by `-`".into());
            return Some(format!("knob `{name}`: {flaw}"));
        }
        self.flaw_in_paths()
            .or_else(|| self.flaw_in_patterns())
            .or_else(|| self.flaw_in_templates())
            .or_else(|| self.flaw_in_candidates())
            .or_else(|| self.counters.as_ref()?.flaw())
            .or_else(|| self.today.as_ref()?.flaw(self))
    }

    fn flaw_in_candidates(&self) -> Option<String> {
        let interface = self.runs.first().copied().unwrap_or(Interface::Static);
        self.candidates.iter().find_map(|candidate| {
            let flaw = match self.settle(&candidate.knobs, interface, 1, None) {
                Err(error) => error.to_string(),
                Ok(_) if candidate.alone && !self.runs.contains(&Interface::Static) => {
                    "`alone` is for entries that run `static`".to_owned()
                }
                Ok(_) if self.is_service() => "a service is no way to serve an app".to_owned(),
                Ok(_) if candidate.behind && self.kind == Kind::FrontEnd => {
                    "`behind` is for app servers".to_owned()
                }
                Ok(_) => return None,
            };
            Some(format!("candidate `{}`: {flaw}", candidate.name))
        })
    }

    fn is_service(&self) -> bool {
        self.kind == Kind::Service
    }

    fn flaw_in_paths(&self) -> Option<String> {
        if self.listens.values().all(Vec::is_empty) {
            return Some("`listens` is empty: clients could not reach it".into());
        }
        match self.kind {
            _ if self.is_service() != self.listens.contains_key(&Protocol::Native) => {
                Some("a service listens to `native`, and nothing else does".into())
            }
            Kind::Service if self.listens.len() > 1 => {
                Some("a service listens to `native` only: weir does not speak to it".into())
            }
            Kind::Service if !(self.runs.is_empty() && self.speaks.is_empty()) => Some(
                "a service loads nothing and has nothing behind it: leave `runs` and `speaks` out"
                    .into(),
            ),
            Kind::Service if self.gives.is_empty() => {
                Some("a service needs `gives`: how those who use it reach it".into())
            }
            Kind::AppServer | Kind::FrontEnd if self.ready.is_some() || !self.gives.is_empty() => {
                Some("`ready` and `gives` are for services".into())
            }
            Kind::AppServer if self.runs.is_empty() => Some("an app server needs `runs`".into()),
            Kind::AppServer if !self.speaks.is_empty() => Some("`speaks` is for front ends".into()),
            Kind::FrontEnd if self.listens.keys().any(|protocol| protocol.dials_in()) => {
                Some("a front end is dialled, and does not dial: say so in `speaks`".into())
            }
            Kind::FrontEnd if self.runs.is_empty() && self.speaks.is_empty() => {
                Some("a front end needs `speaks`, or `runs = [\"static\"]`".into())
            }
            _ => self
                .files
                .iter()
                .find(|file| {
                    std::path::Path::new(&file.path).components().count() != 1
                        || file.path.contains("..")
                })
                .map(|file| {
                    format!(
                        "file `{}` must be a plain name: it lies in the private folder",
                        file.path
                    )
                }),
        }
    }

    fn flaw_in_patterns(&self) -> Option<String> {
        let asked = self.ask.as_ref().map(|ask| regex::Regex::new(&ask.pattern));
        match asked {
            Some(Err(error)) => return Some(format!("`ask.pattern`: {}", last_line(&error))),
            Some(Ok(pattern)) if pattern.captures_len() != 3 => {
                return Some("`ask.pattern` needs two groups: a name and its default".into());
            }
            _ => {}
        }
        let version = regex::Regex::new(&self.find.version.pattern);
        match (version, regex::Regex::new(&self.address_in_use)) {
            (Err(error), _) => Some(format!("`find.version.pattern`: {}", last_line(&error))),
            (Ok(pattern), _) if pattern.captures_len() < 2 => {
                Some("`find.version.pattern` needs a group around the version".into())
            }
            (_, Err(error)) => Some(format!("`address-in-use`: {}", last_line(&error))),
            _ => None,
        }
    }

    /// Templates must parse, name only knobs that exist, and leave no knob unused.
    fn flaw_in_templates(&self) -> Option<String> {
        let mut used = BTreeSet::new();
        for Text {
            place,
            written: text,
            condition,
        } in self.texts()
        {
            let names = if condition {
                names_in_condition(text)
            } else {
                names_in_template(text)
            };
            match names {
                Ok(names) => used.extend(names.into_iter().map(|name| (name, place))),
                Err(problem) => {
                    return Some(format!("{place}: {problem} in `{}`", text.lines().next()?));
                }
            }
        }
        let knob = |name: &str| {
            name.strip_prefix("knobs.")
                .map(|knob| knob.replace('_', "-"))
        };
        if let Some((name, place)) = used
            .iter()
            .filter_map(|(name, place)| Some((knob(name)?, place)))
            .find(|(name, _)| !self.knobs.contains_key(name))
        {
            return Some(format!("{place}: there is no knob `{name}`"));
        }
        // A role says what a knob means; it does not hand it to the server.
        let handed = used
            .iter()
            .filter(|(_, place)| !place.starts_with("roles."));
        let used: BTreeSet<_> = handed.filter_map(|(name, _)| knob(name)).collect();
        self.knobs
            .keys()
            .find(|name| !used.contains(*name))
            .map(|name| format!("knob `{name}` is used in no template"))
    }
}

pub(super) fn is_word(name: &str) -> bool {
    let of_word = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    !name.is_empty() && name.chars().all(of_word)
}

pub(super) fn last_line(error: &regex::Error) -> String {
    error
        .to_string()
        .lines()
        .last()
        .unwrap_or_default()
        .to_owned()
}
