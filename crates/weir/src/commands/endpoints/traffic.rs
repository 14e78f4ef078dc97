//! The requests of a load of weir's own: of a mix, a recording or a page each by its name.

use ::endpoints::{Endpoints, Entry};
use record::{Distribution, LoadFacts, Trial};

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
            of_one(endpoints, route, &load.response, bytes_of_one(load));
        }
        for of in &load.named {
            of_one(endpoints, &of.name, &of.response, of.bytes);
        }
    }
    if any {
        return Ok(());
    }
    let message = format!("no trial of `{variant}` of run {} was measured", run.id);
    let hint = format!("`weir show {}` says why", run.id);
    Err(Error::new(Exit::Invalid, message).hint(hint))
}

/// Bytes of the bodies of a load that asks the same again and again; absent where they were not all as long.
fn bytes_of_one(load: &LoadFacts) -> Option<u64> {
    let lengths = load.bodies.lengths?;
    let all = load.completed + load.drained;
    (lengths.shortest == lengths.longest).then_some(lengths.longest * all)
}

/// All requests of one name: `GET /users`, or a path. The size of each body is not known, so that all have the first ones.
fn of_one(endpoints: &mut Endpoints, name: &str, times: &Distribution, bytes: Option<u64>) {
    let method = |of: &str| of.bytes().all(|byte| byte.is_ascii_uppercase());
    let (method, path) = match name.split_once(' ') {
        Some((word, path)) if method(word) => (word, path),
        _ => ("", name),
    };
    for (place, (seconds, count)) in times.cells().enumerate() {
        let entry = Entry {
            method: method.into(),
            path: path.into(),
            is_route: true,
            seconds: Some(seconds),
            times: count,
            bytes: bytes.map(|all| if place == 0 { all } else { 0 }),
            ..Entry::default()
        };
        endpoints.add(&entry, false);
    }
}
