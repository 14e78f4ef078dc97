use std::collections::BTreeSet;

use record::{Interface, Protocol};

use super::texts::Text;
use super::{Entry, Kind, KnobKind, KnobSpec, OwnTest};
use crate::entry::expression::{names_in_condition, names_in_template};

impl Entry {
    /// The first thing that is wrong with it, as far as that shows without running it.
    pub(super) fn flaw(&self) -> Option<String> {
        let name = &self.name;
        if !is_word(name) {
            return Some(format!(
                "`name` must be lower-case words joined by `-`, not `{name}`"
            ));
        }
        let flaw = |(name, spec): (&String, &KnobSpec)| {
            let named = || (!is_word(name)).then(|| NO_WORD.to_owned());
            let flaw = spec.flaw().or_else(|| self.unspoken(spec)).or_else(named)?;
            Some(format!("knob `{name}`: {flaw}"))
        };
        (self.knobs.iter().find_map(flaw))
            .or_else(|| self.flaw_in_paths())
            .or_else(|| self.flaw_in_patterns())
            .or_else(|| self.flaw_in_templates())
            .or_else(|| self.flaw_in_scale())
            .or_else(|| self.flaw_in_recycles())
            .or_else(|| self.flaw_in_candidates())
            .or_else(|| self.counters.as_ref()?.flaw())
            .or_else(|| self.noted.as_ref()?.flaw())
            .or_else(|| self.today.as_ref()?.flaw(self))
            .or_else(|| self.typed.as_ref()?.flaw(self))
    }

    /// A default over a protocol that it speaks to no server.
    fn unspoken(&self, spec: &KnobSpec) -> Option<String> {
        let mut protocols = spec.default_over.keys();
        let protocol = protocols.find(|protocol| !self.speaks.contains_key(*protocol))?;
        Some(format!(
            "`default-over` names `{}`, which it does not speak",
            protocol.name()
        ))
    }

    fn is_number(&self, name: &str) -> bool {
        let knob = self.knobs.get(name);
        knob.is_some_and(|knob| knob.kind == KnobKind::Integer)
    }

    fn flaw_in_scale(&self) -> Option<String> {
        let mut each = self.scale.each();
        let (of, knob) = each.find(|(_, knob)| !self.is_number(knob))?;
        Some(format!(
            "scale.{of}: there is no knob `{knob}` that is an integer"
        ))
    }

    fn flaw_in_recycles(&self) -> Option<String> {
        let knob = self.recycles.as_ref()?;
        (!self.is_number(knob))
            .then(|| format!("`recycles`: there is no knob `{knob}` that is an integer"))
    }

    fn flaw_in_candidates(&self) -> Option<String> {
        let interface = self.runs.first().copied().unwrap_or(Interface::Static);
        self.candidates.iter().find_map(|candidate| {
            let flaw = match self.settle(&candidate.knobs, interface, 1, None, None) {
                Err(error) => error.to_string(),
                Ok(_) if candidate.alone && !self.runs.contains(&Interface::Static) => {
                    "`alone` is for entries that run `static`".to_owned()
                }
                Ok(_) if self.is_service() => "a service is no way to serve an app".to_owned(),
                Ok(_) if candidate.behind && self.kind == Kind::FrontEnd => {
                    "`behind` is for app servers".to_owned()
                }
                Ok(_) if candidate.instances.is_some() && !candidate.behind => {
                    "`instances` is for app servers that are tried `behind` front ends".to_owned()
                }
                Ok(_) => match candidate.instances(1) {
                    Err(why) => format!("`instances`: {why}"),
                    Ok(_) => return None,
                },
            };
            Some(format!("candidate `{}`: {flaw}", candidate.name))
        })
    }

    fn is_service(&self) -> bool {
        self.kind == Kind::Service
    }

    fn flaw_in_paths(&self) -> Option<String> {
        let flaw = match self.kind {
            Kind::Supervisor => return self.flaw_in_supervisor(),
            _ if self.listens.values().all(Vec::is_empty) => {
                "`listens` is empty: clients could not reach it"
            }
            _ if self.is_service() != self.listens.contains_key(&Protocol::Native) => {
                "a service listens to `native`, and nothing else does"
            }
            Kind::Service if self.listens.len() > 1 => {
                "a service listens to `native` only: weir does not speak to it"
            }
            Kind::Service if !(self.runs.is_empty() && self.speaks.is_empty()) => {
                "a service loads nothing and has nothing behind it: leave `runs` and `speaks` out"
            }
            Kind::Service if self.gives.is_empty() => {
                "a service needs `gives`: the variables by which programs reach it"
            }
            Kind::AppServer | Kind::FrontEnd if self.ready.is_some() || !self.gives.is_empty() => {
                "`ready` and `gives` are for services"
            }
            Kind::AppServer if self.runs.is_empty() => "an app server needs `runs`",
            Kind::AppServer if !self.speaks.is_empty() => "`speaks` is for front ends",
            _ if !self.params.is_empty() && !self.listens.contains_key(&Protocol::FastCgi) => {
                "`params` are for servers that listen to `fastcgi`"
            }
            Kind::FrontEnd if self.listens.keys().any(|protocol| protocol.dials_in()) => {
                "a front end is dialled, and does not dial: say so in `speaks`"
            }
            Kind::FrontEnd if self.runs.is_empty() && self.speaks.is_empty() => {
                "a front end needs `speaks`, or `runs = [\"static\"]`"
            }
            _ => return self.files.iter().find_map(|file| flaw_in_path(&file.path)),
        };
        Some(flaw.to_owned())
    }

    /// Nobody connects to a supervisor, and it serves nothing itself.
    fn flaw_in_supervisor(&self) -> Option<String> {
        let empty = self.listens.is_empty() && self.runs.is_empty() && self.speaks.is_empty();
        let own = self.gives.is_empty() && self.candidates.is_empty() && self.prepare.is_empty();
        let own = own && self.params.is_empty();
        let asked = self.ready.is_some() || self.check.is_some() || !self.env.is_empty();
        let flaw = "a supervisor has `argv`, `files`, `stop`, `find`, `install`, `needs` and `knobs`, and no other key of servers";
        if !(empty && own) || asked {
            return Some(flaw.to_owned());
        }
        self.files.iter().find_map(|file| flaw_in_path(&file.path))
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
        for text in self.texts() {
            let (place, written, names) = match text {
                Text::Condition(place, text) => (place, text, names_in_condition(text)),
                Text::Template(place, text) => (place, text, names_in_template(text)),
            };
            match names {
                Ok(names) => used.extend(names.into_iter().map(|name| (name, place))),
                Err(problem) => {
                    let line = written.lines().next()?;
                    return Some(format!("{place}: {problem} in `{line}`"));
                }
            }
        }
        let knob = |name: &str| Some(name.strip_prefix("knobs.")?.replace('_', "-"));
        let unknown = |(name, place): &(String, &str)| {
            let name = knob(name).filter(|name| !self.knobs.contains_key(name))?;
            Some(format!("{place}: there is no knob `{name}`"))
        };
        let told = ("checking".to_owned(), "argv");
        if matches!(self.check, Some(OwnTest::Start(_))) && !used.contains(&told) {
            let flaw = "`check = \"argv\"` needs an argument that depends on `checking`: it would start the server";
            return Some(flaw.to_owned());
        }
        // A role says what a knob means; it does not hand it to the server.
        let handed = used
            .iter()
            .filter(|(_, place)| !place.starts_with("roles."));
        let handed: BTreeSet<_> = handed.filter_map(|(name, _)| knob(name)).collect();
        let mut knobs = self.knobs.keys();
        used.iter().find_map(unknown).or_else(|| {
            let unused = knobs.find(|name| !handed.contains(*name));
            unused.map(|name| format!("knob `{name}` is used in no template"))
        })
    }
}

fn flaw_in_path(path: &str) -> Option<String> {
    let plain = std::path::Path::new(path).components().count() == 1 && !path.contains("..");
    (!plain).then(|| format!("file `{path}` must be a plain name: it lies in the private folder"))
}

/// What is said of a name that is not [a word](is_word).
pub(super) const NO_WORD: &str = "its name must be lower-case words joined by `-`";

pub(super) fn is_word(name: &str) -> bool {
    let of_word = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    !name.is_empty() && name.chars().all(of_word)
}

pub(super) fn last_line(error: &regex::Error) -> String {
    let text = error.to_string();
    text.lines().last().unwrap_or_default().to_owned()
}
