//! What runs beside a stage's programs for the app to use.

use record::{Choice, closest};

use super::Bench;
use crate::compose::composition::Part;
use crate::entry::{
    Kind,
    offers::{or_none, ways, words},
};
use crate::error::StackError;

impl Bench<'_> {
    /// The services of the stage, by the app's names for them.
    pub(super) fn services(&self) -> Result<Vec<Part>, StackError> {
        let services = self.stage.services.iter();
        services
            .map(|(name, choice)| self.service(name, choice))
            .collect()
    }

    fn service(&self, name: &str, choice: &Choice) -> Result<Part, StackError> {
        if !self.app.services.contains_key(name) {
            return Err(self.unused(name));
        }
        let entry = self.catalogue.choose(Kind::Service, &choice.entry)?;
        if choice.instances > 1 {
            return Err(self.refuse(
                format!("`{}` is a service, and a stage has one of each name", entry.name),
                "give each a name of its own, which the app must know: `services = { one = \"…\", other = \"…\" }`",
            ));
        }
        let Some(spoken) = ways(&entry.listens, choice.link)
            .next()
            .filter(|way| !way.tls)
        else {
            return Err(self.refuse(
                format!(
                    "`{}` listens to {}, and the plan asks for `{}`",
                    entry.name,
                    words(&entry.listens),
                    choice.link
                ),
                "choose a transport as its `link`, as in `link = \"tcp\"`",
            ));
        };
        let part = self.settled(entry, choice, spoken)?;
        Ok(Part {
            service: Some(name.to_owned()),
            ..part
        })
    }

    /// A service that the app does not know.
    fn unused(&self, name: &str) -> StackError {
        let known = || self.app.services.keys().map(String::as_str);
        let hint = match closest(name, known()) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => format!(
                "services that its app.toml names: {}",
                or_none(&known().collect::<Vec<_>>())
            ),
        };
        self.refuse(
            format!("the app `{}` uses no service `{name}`", self.app.name),
            hint,
        )
    }
}
