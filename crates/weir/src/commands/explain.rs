//! `weir explain`: why each variant of a run is as fast as it is, and what to try next.

mod trying;

use judge::VariantOpinion;
use record::{Run, RunStatus};
use report::terminal;
use report::view::explained;

use crate::args::ExplainArgs;
use crate::commands::known::Known;
use crate::error::{Error, Exit, Result};
use crate::invocation::{Invocation, named};
use crate::output::note;

pub(crate) fn run(args: &ExplainArgs, invocation: &mut Invocation) -> Result<Exit> {
    let store = invocation.store_to_read()?;
    let run = named(&store, args.of.run)?;
    let variant = args.of.variant.as_deref();
    if let Some(name) = variant {
        judge::check_variant(&run, name)?;
    }
    let known = Known::read(run.id, &store)?;
    drop(store);
    let findings = known.judged();
    let wanted = |of: &&VariantOpinion| variant.is_none_or(|name| of.name == name);
    let said = explained(&findings, variant);
    let mut opinions = findings.judged.variants.iter().filter(wanted);
    if opinions.all(|of| of.counted == 0) && said.iter().all(|of| of.aside.is_none()) {
        return Err(nothing_counts(&run, variant));
    }
    if args.tried {
        return trying::run(&run, &said, args, invocation);
    }
    let shown = invocation.show(&said, || terminal::findings(&said, invocation.width()))?;
    let untried = trying::advice(&said).find(|(_, finding, _)| finding.measured.is_none());
    if let Some((name, _, change)) = untried.filter(|_| !invocation.quiet()) {
        let command = format!("weir explain {}:{name} --try", run.id);
        note(format!(
            "`{command}` measures `{name}` with {change} and without"
        ));
    }
    Ok(shown)
}

/// Nothing was measured that could be explained.
fn nothing_counts(run: &Run, variant: Option<&str>) -> Error {
    let (of, id) = (
        variant.map_or_else(String::new, |name| format!(" of `{name}`")),
        run.id,
    );
    let (message, hint) = if run.status == RunStatus::Begun {
        (
            format!("no trial{of} of run {id} is over yet"),
            "ask again when one is".to_owned(),
        )
    } else {
        (
            format!("no trial{of} of run {id} counts, so that there is nothing to explain"),
            format!("`weir show {id}` says why"),
        )
    };
    Error::new(Exit::Invalid, message).hint(hint)
}
