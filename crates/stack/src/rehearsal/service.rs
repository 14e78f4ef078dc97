//! A service by itself, in everything it listens to.

use std::collections::BTreeMap;

use record::{App, Choice, Interface, ServiceUse, Variant};

use super::links::links;
use super::{Rehearsal, Scene, over, variant};
use crate::entry::Entry;
use crate::error::Result;

impl Rehearsal<'_> {
    /// Variants of nothing but the service; the app is told all that the entry gives.
    pub(super) fn as_service(&self, entry: &Entry, own: &Choice) -> Result<Scene> {
        let all = entry.gives.keys();
        let env = all.map(|word| (word.to_uppercase(), format!("{{{{ {word} }}}}")));
        let used = ServiceUse {
            env: env.collect(),
            prepare: Vec::new(),
        };
        let app = App {
            services: BTreeMap::from([(entry.name.clone(), used)]),
            ..self.sample(Interface::Wsgi, &[])?
        };
        let variants = links(&entry.listens).map(|link| Variant {
            services: BTreeMap::from([(entry.name.clone(), over(link, own))]),
            ..variant(&app, link.to_string())
        });
        Ok(Scene {
            variants: variants.collect(),
            app,
        })
    }
}
