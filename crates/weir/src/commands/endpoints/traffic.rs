//! The requests of a load of weir's own: of a mix, a recording or a page each by its name.

use ::endpoints::{Endpoints, Entry};
use record::{Distribution, Trial};

use crate::args::Side;
use crate::commands::stack::served;
use crate::error::{Error, Exit, Result};
use crate::invocation::{Invocation, named};

/// Counts the requests of all trials of a run, or of one of its variants.
pub(super) fn add(side: &Side, endpoints: &mut Endpoints, invocation: &Invocation) -> Result<()> {
    let store = invocation.store_to_read()?;
    let run = named(&store, side.run)?;
    let names = || run.plan.variants.iter().map(|of| &of.name);
    let variant = match (&side.variant, &run.plan.variants[..]) {
        (Some(name), _) => {
            judge::check_variant(&run, name)?;
            name
        }
        (None, [only]) => &only.name,
        (None, _) => {
            let first = names().next().map_or("VARIANT", |name| name);
            let message = format!("run {} has several variants", run.id);
            let typed = format!("{}:{first}", run.id);
            let quoted = shlex::try_quote(&typed);
            let quoted = quoted.unwrap_or(std::borrow::Cow::Borrowed(&typed));
            let hint = format!("name one of them: `weir endpoints --run {quoted}`");
            return Err(Error::new(Exit::Usage, message).hint(hint));
        }
    };
    let route = &served(&run.plan, variant)?.route;
    let trials = store.trials(run.id)?;
    let own = trials.iter().filter(|of| of.variant == *variant);
    let loads = own.filter_map(Trial::measured).map(|of| &of.load);
    let mut any = false;
    for load in loads {
        any = true;
        if load.named.is_empty() {
            of_one(endpoints, route, &load.response);
        }
        for of in &load.named {
            of_one(endpoints, &of.name, &of.response);
        }
    }
    if any {
        return Ok(());
    }
    let message = format!("no trial of `{variant}` of run {} was measured", run.id);
    let hint = format!("`weir show {}` says why", run.id);
    Err(Error::new(Exit::Invalid, message).hint(hint))
}

/// All requests of one name: `GET /users`, or a path.
fn of_one(endpoints: &mut Endpoints, name: &str, times: &Distribution) {
    let method = |of: &str| of.bytes().all(|byte| byte.is_ascii_uppercase());
    let (method, path) = match name.split_once(' ') {
        Some((word, path)) if method(word) => (word, path),
        _ => ("", name),
    };
    for (seconds, count) in times.cells() {
        let entry = Entry {
            method: method.into(),
            path: path.into(),
            is_route: true,
            seconds: Some(seconds),
            times: count,
            ..Entry::default()
        };
        endpoints.add(&entry, false);
    }
}
