//! The variant that every other variant has to beat: the app as it is run now.

use std::collections::BTreeMap;

use experiment::Candidates;
use record::{App, Choice, Interface, Knob, Variant};
use stack::{Machine, Today};

use crate::output::note;

/// What that variant is called.
pub(super) const NAME: &str = "today";

/// The entry that runs a command as it is.
const OWN_COMMAND: &str = "command";

/// The app as it is run now; behind a front end alone, with the first server that can stand there, as
/// nothing says which one does. None where nothing installed can.
pub(super) fn variant(
    today: &Today,
    app: &App,
    candidates: &Candidates,
    machine: &Machine,
) -> Option<Variant> {
    if today.missing.is_some() {
        return None;
    }
    let own = today.command.as_ref().map(|command| {
        let knob = ("command".to_owned(), Knob::Text(command.clone()));
        // an app that is a command is run by it where nothing else is said, as its candidates are
        let is_app = app.interface == Interface::Program && app.entry == *command;
        let knobs: BTreeMap<_, _> = (!is_app).then_some(knob).into_iter().collect();
        Choice::of(OWN_COMMAND).with(knobs)
    });
    let fronted = candidates.variants.iter().filter(|variant| {
        let fronts = variant.fronts.iter().map(|front| &front.entry);
        fronts.eq(today.front.iter().map(|front| &front.entry))
    });
    let servers = match own {
        Some(own) => vec![own],
        None => fronted
            .filter_map(|variant| variant.server.clone())
            .collect(),
    };
    let from = today.from.join(", ");
    let variants = servers.into_iter().map(|server| Variant {
        name: NAME.to_owned(),
        title: format!("{} as you run it today ({from})", app.name),
        server: Some(Choice {
            link: today.link,
            ..server
        }),
        fronts: today.front.clone().into_iter().collect(),
        route: app.routes[0].name(),
        ..Variant::default()
    });
    variants.into_iter().find(|variant| {
        let composed = machine.compose(variant, app);
        composed.is_ok_and(|it| stack::lacking(&it).is_none())
    })
}

/// Says what was found of it, and whether it is tried. Candidates that are the same are told with what is not tried.
pub(super) fn tell(today: &Today, used: bool) {
    let from = today.from.join("`, `");
    let used = match (&today.missing, used) {
        (Some(program), _) => format!("but `{program}` is not on this machine, so it is left out"),
        (None, true) => format!("the variant `{NAME}`"),
        (None, false) => "but nothing that is installed can run it so".to_owned(),
    };
    note(format!("  `{from}` says how you run it today: {used}"));
    for line in &today.notes {
        note(format!("  {line}"));
    }
}
