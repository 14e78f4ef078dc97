//! `weir explain`: why each variant of a run is as fast as it is, and what to try next.

mod trying;

use judge::CompareError;
use report::terminal;
use report::view::explained;

use crate::args::ExplainArgs;
use crate::commands::known::Known;
use crate::error::{Exit, Result};
use crate::invocation::{Invocation, named};
use crate::output::note;

pub(crate) fn run(args: &ExplainArgs, invocation: &mut Invocation) -> Result<Exit> {
    let store = invocation.store_to_read()?;
    let run = named(&store, args.of.run)?;
    let variant = args.of.variant.as_deref();
    if let Some(name) = variant.filter(|name| run.plan.variant(name).is_none()) {
        let variants = run.plan.variants.iter();
        return Err(CompareError::UnknownVariant {
            run: run.id,
            variant: name.to_owned(),
            variants: variants.map(|of| of.name.clone()).collect(),
        }
        .into());
    }
    let known = Known::read(run.id, &store)?;
    drop(store);
    let findings = known.judged();
    let said = explained(&findings, variant);
    if args.tried {
        return trying::run(&run, &said, args, invocation);
    }
    let shown = invocation.show(&said, || terminal::findings(&said, invocation.width()))?;
    if let Some((name, _, change)) = trying::advice(&said).next().filter(|_| !invocation.quiet()) {
        let command = format!("weir explain {}:{name} --try", run.id);
        note(format!(
            "`{command}` measures `{name}` with {change} and without"
        ));
    }
    Ok(shown)
}
