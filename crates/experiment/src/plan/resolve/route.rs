//! Which of its app's routes a variant loads.

use record::{App, Fault, Load, Method, Route, Variant};

use super::Resolver;
use crate::plan::error::PlanError;

impl Resolver<'_> {
    /// The name of the route that is meant; the app's first where none is named.
    pub(super) fn route(
        &self,
        index: usize,
        wanted: Option<&str>,
        app: &App,
    ) -> Result<String, PlanError> {
        let Some(wanted) = wanted else {
            return Ok(app.routes[0].name());
        };
        app.route(wanted).map(Route::name).map_err(|why| {
            let names = record::listed(app.routes.iter().map(Route::name));
            let hint = format!("use one of {names}, or declare it in the app's `app.toml`");
            self.wrong(
                &format!("variant[{index}].route"),
                &format!("the app {why}"),
                &hint,
            )
        })
    }

    /// A page is a document, which is fetched; what befalls processes befalls those of an app server that weir runs.
    pub(super) fn can_be_loaded(&self, variant: &Variant, load: &Load) -> Result<(), PlanError> {
        let app = variant.app.as_deref().unwrap_or(&self.app);
        let fetched = app
            .route(&variant.route)
            .is_ok_and(|route| route.method == Method::Get);
        let misses = |fault: &Fault| fault.connections() == 0 || variant.client.is_some();
        if variant.server.is_none() && load.faults.iter().any(misses) {
            return Err(self.wrong(
                "load.faults",
                &format!(
                    "`{}` has no app server of weir's for them to befall",
                    variant.name
                ),
                &format!(
                    "give `{}` a `server`, or a `load` of its own with `faults = []`",
                    variant.name
                ),
            ));
        }
        self.has_a_time(variant, load)?;
        if let Some(Err(error)) = load.goal.as_deref().map(judge::goals) {
            return Err(self.wrong(
                "load.goal",
                &error.to_string(),
                "write `goal = \"p99 < 200ms\"`",
            ));
        }
        if load.page.is_none() || fetched {
            return Ok(());
        }
        Err(self.wrong(
            "load.page",
            &format!("`{}` is no page: pages are fetched with GET", variant.route),
            &format!(
                "let `{}` load another route, or leave `page` out",
                variant.name
            ),
        ))
    }
}
