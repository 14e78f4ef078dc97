//! What stands before an app server, or serves files alone.

use record::{Choice, Interface, Route};

use super::Bench;
use crate::compose::composition::Part;
use crate::entry::{Entry, Kind};
use crate::error::StackError;

impl Bench<'_> {
    pub(super) fn front_end(
        &self,
        choice: &Choice,
        caller: Option<&Entry>,
        innermost: bool,
        route: &Route,
    ) -> Result<Part, StackError> {
        let entry = self.catalogue.choose(Kind::FrontEnd, &choice.entry)?;
        if innermost {
            self.can_serve_files(entry, route)?;
        }
        if choice.instances > 1 {
            return Err(self.refuse(
                format!(
                    "`{}` is a front end, and a stage has one of each",
                    entry.name
                ),
                "set `instances` on the server",
            ));
        }
        self.part(entry, choice, &entry.listens, caller)
    }

    fn can_serve_files(&self, entry: &Entry, route: &Route) -> Result<(), StackError> {
        let (why, hint) = match &self.app.site {
            _ if !entry.runs.contains(&Interface::Static) => (
                format!("`{}` serves no files by itself", entry.name),
                "set `server`",
            ),
            None => (
                format!(
                    "without an app server `{}` serves files, and the app declares none",
                    entry.name
                ),
                "set `server`, or declare `[site]` with `dir` and `url` in app.toml",
            ),
            Some(site) if !route.path.starts_with(&site.url) => (
                format!(
                    "without an app server only files below `{}` are there, and the route is `{}`",
                    site.url, route.path
                ),
                "set `server`, or load the route of a file",
            ),
            Some(_) if route.method.has_body() => (
                format!(
                    "without an app server files are read, and the route is `{}`",
                    route.request()
                ),
                "set `server`, or load the route of a file",
            ),
            Some(_) => return Ok(()),
        };
        Err(self.refuse(why, hint))
    }
}
