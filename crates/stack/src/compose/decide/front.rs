//! What stands before an app server, or serves files alone.

use record::{Choice, Interface, Protocol, Route};

use super::Deciding;
use crate::compose::composition::Part;
use crate::compose::site::{among_scripts, served_file};
use crate::entry::{Entry, Kind};
use crate::error::Result;

impl Deciding<'_> {
    pub(super) fn front_end(
        &self,
        choice: &Choice,
        caller: Option<&Entry>,
        behind: Option<Protocol>,
        route: &Route,
    ) -> Result<Part> {
        let entry = self.catalogue.choose(Kind::FrontEnd, &choice.entry)?;
        if behind.is_none() {
            self.can_serve_files(entry, route)?;
        }
        let name = &entry.name;
        if choice.instances > 1 {
            let why = format!("`{name}` is a front end, and a variant has one of each");
            return Err(self.refuse(why, "set `instances` on the server"));
        }
        let spoken = self.spoken(entry, choice.link, &entry.listens, caller)?;
        self.settled(entry, choice, spoken, behind)
    }

    fn can_serve_files(&self, entry: &Entry, route: &Route) -> Result<()> {
        let (name, path) = (&entry.name, &route.path);
        let (why, hint) = match &self.app.site {
            _ if !entry.runs.contains(&Interface::Static) => (
                format!("`{name}` serves no files by itself"),
                "set `server`",
            ),
            None => (
                format!("without an app server `{name}` serves files, and the app declares none"),
                "set `server`, or declare `[site]` with `dir` and `url` in app.toml",
            ),
            Some(site) if !path.starts_with(&site.url) => {
                let url = &site.url;
                let why = format!(
                    "without an app server only files below `{url}` are there, and the route is `{path}`"
                );
                (why, "set `server`, or load the route of a file")
            }
            Some(_) if route.method.has_body() => {
                let asked = route.request();
                let why =
                    format!("without an app server files are read, and the route is `{asked}`");
                (why, "set `server`, or load the route of a file")
            }
            Some(site)
                if among_scripts(self.app, site) && served_file(self.app, route).is_none() =>
            {
                let why = format!(
                    "without an app server only files that browsers load are there, and the route is `{path}`"
                );
                (why, "set `server`, or load the route of a file")
            }
            Some(_) => return Ok(()),
        };
        Err(self.refuse(why, hint))
    }
}
