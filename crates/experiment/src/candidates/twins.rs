//! Candidates that mean the same as a variant that is tried anyway.

use std::collections::BTreeMap;

use record::{App, Knob, Variant};
use stack::{Machine, Spoken, StackError};

use super::Candidates;

/// The programs of a variant, from the one that clients speak to inwards: the entry of each, its knobs, how it is spoken to,
/// and how many of it there are. Two variants of which these are equal are one.
type Meaning = Vec<(String, BTreeMap<String, Knob>, Spoken, u32)>;

/// What a variant means on this machine.
pub(super) fn meaning(
    variant: &Variant,
    app: &App,
    machine: &Machine,
) -> Result<Meaning, StackError> {
    let parts = machine.compose(variant, app)?.parts.into_iter();
    let parts = parts.map(|part| (part.entry.name, part.knobs, part.spoken, part.instances));
    Ok(parts.collect())
}

impl Candidates {
    /// Puts a variant before the others, and leaves out those that mean the same, but for the ones of these names. What was left
    /// out the variant's title says.
    pub fn put_first(
        &mut self,
        mut variant: Variant,
        app: &App,
        machine: &Machine,
        keep: &[String],
    ) {
        let meant = meaning(&variant, app, machine).ok();
        let is_twin = |other: &Variant| {
            let same = || meaning(other, app, machine).ok() == meant;
            meant.is_some() && other.route == variant.route && !keep.contains(&other.name) && same()
        };
        let all = std::mem::take(&mut self.variants).into_iter();
        let (twins, others): (Vec<Variant>, Vec<Variant>) = all.partition(is_twin);
        let twins: Vec<String> = twins.into_iter().map(|twin| twin.name).collect();
        self.priority.retain(|name| !twins.contains(name));
        let why = format!("the same as `{}`", variant.name);
        let left_out = twins.iter().map(|name| (name.clone(), why.clone()));
        self.left_out.extend(left_out);
        if !twins.is_empty() {
            variant.title = format!("{}, the same as {}", variant.title, twins.join(", "));
        }
        self.variants = std::iter::once(variant).chain(others).collect();
    }
}

#[cfg(test)]
mod tests {
    use record::{Choice, Interface, Route};
    use stack::Catalogue;

    use super::*;

    fn variant(name: &str, entry: &str, knobs: &[(&str, &str)]) -> Variant {
        let knobs = knobs.iter();
        let knobs =
            knobs.map(|(knob, value)| ((*knob).to_owned(), Knob::Text((*value).to_owned())));
        Variant {
            name: name.to_owned(),
            title: name.to_owned(),
            server: Some(Choice::of(entry).with(knobs.collect())),
            route: "/".to_owned(),
            ..Variant::default()
        }
    }

    /// The titles of what is tried, and the names of what is not.
    fn beside(today: Variant, keep: &[&str]) -> (Vec<String>, Vec<String>) {
        let app = App {
            interface: Interface::Wsgi,
            entry: "app:app".to_owned(),
            routes: vec![Route::get("/")],
            python: Some("/usr/bin/python3".into()),
            ..App::default()
        };
        let machine = Machine::new(Catalogue::load(&[]).unwrap(), 2);
        let names = ["one", "cores"].map(str::to_owned).to_vec();
        let mut candidates = Candidates {
            variants: vec![
                variant("one", "gunicorn", &[("workers", "1")]),
                variant("cores", "gunicorn", &[("workers", "cores")]),
            ],
            priority: names,
            ..Candidates::default()
        };
        let keep: Vec<String> = keep.iter().map(|name| (*name).to_owned()).collect();
        candidates.put_first(today, &app, &machine, &keep);
        let left_out = candidates.left_out.into_iter();
        let left_out: Vec<String> = left_out.map(|(name, _)| name).collect();
        assert_eq!(candidates.priority.len(), 2 - left_out.len());
        let variants = candidates.variants.into_iter();
        (variants.map(|variant| variant.title).collect(), left_out)
    }

    #[test]
    fn what_means_the_same_is_tried_once_and_said() {
        let (titles, left_out) = beside(variant("today", "gunicorn", &[("workers", "2")]), &[]);
        assert_eq!(titles, ["today, the same as cores", "one"]);
        assert_eq!(left_out, ["cores"]);
    }

    #[test]
    fn what_the_user_named_is_kept_and_so_is_what_differs() {
        let same = variant("today", "gunicorn", &[("workers", "2")]);
        assert_eq!(beside(same, &["cores"]).0, ["today", "one", "cores"]);
        let other = variant("today", "gunicorn", &[("workers", "3")]);
        assert_eq!(beside(other, &[]).0, ["today", "one", "cores"]);
    }
}
