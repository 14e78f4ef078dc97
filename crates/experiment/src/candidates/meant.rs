//! What the user's own command is, where it runs a server of the catalogue.

use std::fmt::Write as _;

use record::{App, Choice, Knob};
use stack::{Composition, Machine};

use super::Candidates;

impl Candidates {
    /// Takes note that the user's own command is this server, as it is set there, and says in the titles of the variants with as
    /// many processes of it that they have.
    pub fn note_own(&mut self, own: Choice, app: &App, machine: &Machine) {
        let entry = machine.catalogue().entry(&own.entry);
        let knob = entry.and_then(|entry| entry.scale.processes.as_ref());
        let number = knob.and_then(|knob| Some((knob, own.knobs.get(knob)?)));
        if let Some((knob, Knob::Number(number))) = number {
            for variant in &mut self.variants {
                let composition = machine.compose(variant, app).ok();
                let part = composition.as_ref().and_then(Composition::app_server);
                let as_many = part.is_some_and(|part| {
                    part.entry.name == own.entry
                        && part.knobs.get(knob) == Some(&Knob::Number(*number))
                });
                if as_many {
                    let _ = write!(variant.title, "; `{knob}` {number}, as it is today");
                }
            }
        }
        self.meant = Some(own);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use record::{Interface, Route, Variant};
    use stack::Catalogue;

    use super::*;

    #[test]
    fn as_many_processes_as_today_are_said_to_be() {
        let app = App {
            interface: Interface::Wsgi,
            entry: "app:app".to_owned(),
            routes: vec![Route::get("/")],
            python: Some("/usr/bin/python3".into()),
            ..App::default()
        };
        let machine = Machine::new(Catalogue::load(&[]).unwrap(), 2);
        let workers = |value: Knob| BTreeMap::from([("workers".to_owned(), value)]);
        let variant = |title: &str, entry: &str, formula: &str| Variant {
            title: title.to_owned(),
            server: Some(Choice::of(entry).with(workers(Knob::Text(formula.to_owned())))),
            route: "/".to_owned(),
            ..Variant::default()
        };
        let mut candidates = Candidates {
            variants: vec![
                variant("many", "gunicorn", "2*cores+1"),
                variant("cores", "gunicorn", "cores"),
                variant("other", "bjoern", "5"),
            ],
            ..Candidates::default()
        };
        let own = Choice::of("gunicorn").with(workers(Knob::Number(5)));
        candidates.note_own(own.clone(), &app, &machine);
        let titles = candidates.variants.iter().map(|of| of.title.as_str());
        let titles: Vec<&str> = titles.collect();
        assert_eq!(
            titles,
            ["many; `workers` 5, as it is today", "cores", "other"]
        );
        assert_eq!(candidates.meant, Some(own));
    }
}
