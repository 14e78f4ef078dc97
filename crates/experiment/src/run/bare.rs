use record::{Choice, Link, Plan, Variant};
use stack::{Composition, StackError};

use crate::cores;
use crate::run::lab::Lab;

/// The app server by itself. One that dials in listens instead, if it can, or keeps the front end that it dials.
pub(crate) fn bare(lab: &Lab, plan: &Plan, variant: &Variant) -> Result<Composition, StackError> {
    let compose = |fronts: &[Choice], server: Option<Choice>| {
        let bare = Variant {
            fronts: fronts.to_vec(),
            server,
            ..variant.clone()
        };
        cores::compose(lab.place.machine, plan, &bare)
    };
    let server = variant.server.clone().map(|server| Choice {
        instances: 1,
        ..server
    });
    let listening = server.clone().map(|server| Choice {
        link: match server.link.protocol {
            Some(protocol) if protocol.dials_in() => Link::default(),
            _ => server.link,
        },
        ..server
    });
    compose(&[], listening).or_else(|refused| {
        let innermost = &variant.fronts[variant.fronts.len().saturating_sub(1)..];
        let behind = compose(innermost, server);
        let dials_in = |it: &Composition| {
            let server = it.app_server();
            server.is_some_and(|part| part.spoken.protocol.dials_in())
        };
        behind.ok().filter(dials_in).ok_or(refused)
    })
}
