//! What starts a variant's app server, and starts it again when it has ended.

use record::Choice;

use super::Deciding;
use crate::compose::composition::Supervisor;
use crate::entry::Kind;
use crate::error::Result;

impl Deciding<'_> {
    /// The supervisor of the variant, if it has one.
    pub(super) fn supervisor(&self) -> Result<Option<Supervisor>> {
        self.variant
            .supervisor
            .as_ref()
            .map(|of| self.supervised_by(of))
            .transpose()
    }

    fn supervised_by(&self, choice: &Choice) -> Result<Supervisor> {
        let entry = self.catalogue.choose(Kind::Supervisor, &choice.entry)?;
        if self.variant.server.is_none() {
            return Err(self.refuse(
                format!("`{}` has no app server to supervise", entry.name),
                "name one: `server = \"…\"`",
            ));
        }
        if choice.instances > 1 || choice.link != record::Link::default() {
            return Err(self.refuse(
                format!("`{}` is a supervisor: each instance of the app server has one, and nobody connects to it", entry.name),
                "leave out `instances` and `link`, or write them into `server`",
            ));
        }
        Ok(Supervisor {
            knobs: self.knobs(entry, choice, None)?,
            entry: entry.clone(),
        })
    }
}
