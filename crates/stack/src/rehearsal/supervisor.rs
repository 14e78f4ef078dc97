//! A supervisor, and the first app server that is here below it.

use record::{Choice, Interface, Variant};

use super::{Rehearsal, Scene, variant};
use crate::entry::{Entry, Kind};
use crate::error::Result;

impl Rehearsal<'_> {
    /// The small program that serves by itself, started by the supervisor.
    pub(super) fn as_supervisor(&self, entry: &Entry, own: &Choice) -> Result<Scene> {
        let app = self.sample(Interface::Program, &[])?;
        let servers = self.machine.catalogue().entries();
        let mut able = servers.filter(|of| of.kind == Kind::AppServer && of.can_load(&app));
        let server = able.find(|of| self.here(of).is_some());
        let variants = server.map(|server| Variant {
            server: Some(Choice::of(&server.name)),
            supervisor: Some(own.clone()),
            ..variant(&app, format!("{} below {}", server.name, entry.name))
        });
        Ok(Scene {
            variants: variants.into_iter().collect(),
            app,
        })
    }
}
