//! What runs beside a variant's programs for the app to use.

use record::Choice;

use super::Deciding;
use crate::compose::composition::Part;
use crate::entry::{
    Kind,
    offers::{meant, ways, words},
};
use crate::error::{Result, StackError};

impl Deciding<'_> {
    /// The services of the variant, by the app's names for them.
    pub(super) fn services(&self) -> Result<Vec<Part>> {
        let services = self.variant.services.iter();
        let services = services.map(|(name, choice)| self.service(name, choice));
        services.collect()
    }

    fn service(&self, name: &str, choice: &Choice) -> Result<Part> {
        if !self.app.services.contains_key(name) {
            return Err(self.unused(name));
        }
        let entry = self.catalogue.choose(Kind::Service, &choice.entry)?;
        let name_of = &entry.name;
        if choice.instances > 1 {
            return Err(self.refuse(
                format!("`{name_of}` is a service, and a variant has one of each name"),
                "give each a name of its own, which the app must know: `services = { one = \"…\", other = \"…\" }`",
            ));
        }
        let mut ways = ways(&entry.listens, choice.link);
        let Some(spoken) = ways.next().filter(|way| !way.tls) else {
            let (listens, link) = (words(&entry.listens), choice.link);
            return Err(self.refuse(
                format!("`{name_of}` listens to {listens}, and the plan asks for `{link}`"),
                "choose a transport as its `link`, as in `link = \"tcp\"`",
            ));
        };
        Ok(Part {
            service: Some(name.to_owned()),
            ..self.settled(entry, choice, spoken, None)?
        })
    }

    /// A service that the app does not know.
    fn unused(&self, name: &str) -> StackError {
        let known: Vec<_> = self.app.services.keys().map(String::as_str).collect();
        let hint = meant(name, &known, "services that its app.toml names");
        let why = format!("the app `{}` uses no service `{name}`", self.app.name);
        self.refuse(why, hint)
    }
}
