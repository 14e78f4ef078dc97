//! Variants that weir does not serve.

use std::path::Path;

use record::{App, Route};

use super::Resolver;
use crate::plan::address::Address;
use crate::plan::error::{PlanError, wrong};
use crate::plan::file::{PlanFile, VariantTable};

/// The apps of a plan that names none: of each variant what its URL asks for.
///
/// # Errors
/// A variant that weir is to serve has no app; a URL leads nowhere.
pub(crate) fn apps(path: &Path, file: &PlanFile) -> Result<Vec<App>, PlanError> {
    let app = |variant: &VariantTable| {
        if variant.client.is_some() {
            return Ok(App::elsewhere(Route::get("/".to_owned())));
        }
        let Some(url) = &variant.url else {
            let hint = "write `app = \"path/of/the/app\"`; only variants with a `url` or a `client` do without";
            return Err(wrong(path, "app", "is missing", hint));
        };
        let key = format!("variant[{}].route", variant.from);
        if variant.route.is_some() {
            let hint = "write the path into `url`, or give the plan an `app`";
            return Err(wrong(
                path,
                &key,
                "is a route of an app, and there is none",
                hint,
            ));
        }
        let address = address(path, variant.from, url)?;
        Ok(App::elsewhere(Route::get(address.path)))
    };
    file.variant.iter().map(app).collect()
}

fn address(path: &Path, index: usize, url: &str) -> Result<Address, PlanError> {
    Address::parse(url).map_err(|error| {
        let key = format!("variant[{index}].url");
        wrong(path, &key, &error.why(), error.hint())
    })
}

impl Resolver<'_> {
    /// A variant names the programs that weir starts, or a URL, and not both.
    pub(super) fn is_served(&self, index: usize, table: &VariantTable) -> Result<(), PlanError> {
        let key = |name: &str| format!("variant[{index}]{name}");
        if table.client.is_some() {
            return self.is_alone(index, table);
        }
        let Some(url) = &table.url else {
            let lacking = table.server.is_none() && table.front.0.is_empty();
            let problem = "has neither `server` nor `front`, nor a `url` or a `client`";
            let hint = "write `server = \"gunicorn\"`, `front = \"nginx\"` or both";
            return match lacking {
                true => Err(self.wrong(&key(""), problem, hint)),
                false if table.insecure => Err(self.wrong(
                    &key(".insecure"),
                    "is about a `url`, and there is none",
                    "leave it out: weir knows the certificates of what it starts",
                )),
                false => Ok(()),
            };
        };
        let started = [
            (table.server.is_some(), "server"),
            (!table.front.0.is_empty(), "front"),
            (!table.services.is_empty(), "services"),
            (table.supervisor.is_some(), "supervisor"),
            (!table.env.is_empty(), "env"),
        ];
        if let Some((_, name)) = started.iter().find(|(given, _)| *given) {
            let problem = format!(
                "weir starts nothing for a variant with a `url`, so that `{name}` has no meaning"
            );
            return Err(self.wrong(&key(""), &problem, &format!("leave out `url` or `{name}`")));
        }
        let address = address(self.path, index, url)?;
        if table.insecure && !address.tls {
            let hint = "leave it out, or write an `https` URL";
            return Err(self.wrong(
                &key(".insecure"),
                "is about TLS, which this URL is without",
                hint,
            ));
        }
        if !self.elsewhere && address.path != "/" {
            let problem = "has a path, and the plan has an `app` whose routes are loaded";
            let hint = "write the server alone, as in `url = \"https://staging.example:8443\"`";
            return Err(self.wrong(&key(".url"), problem, hint));
        }
        Ok(())
    }
}
