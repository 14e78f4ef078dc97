//! Which of the ways to serve an app may be tried, and which are not.

use std::path::Path;

use experiment::Candidates;
use record::{NotTried, Plan, Variant};
use stack::Catalogue;

use crate::args::TryArgs;
use crate::error::{Error, Exit, Result};

/// The variants that the user named, or all.
pub(super) fn asked(
    args: &TryArgs,
    candidates: &Candidates,
    catalogue: &Catalogue,
) -> Result<Vec<Variant>> {
    let names = &args.budget.variants;
    let known = |name: &&String| {
        candidates
            .variants
            .iter()
            .any(|variant| variant.name == **name)
    };
    let unknown = names.iter().filter(|name| !known(name));
    let wrong = unknown.map(|name| unknown_way(name, args.folder(), candidates, catalogue));
    if let Some(error) = wrong.reduce(Error::and) {
        return Err(error);
    }
    let wanted = |variant: &&Variant| names.is_empty() || names.contains(&variant.name);
    Ok(candidates.variants.iter().filter(wanted).cloned().collect())
}

/// Why a name is no way to serve the app here, and what is.
fn unknown_way(name: &str, folder: &Path, candidates: &Candidates, catalogue: &Catalogue) -> Error {
    let made_of = experiment::made_of(&[name.to_owned()], catalogue).unwrap_or_default();
    let missing = made_of
        .iter()
        .find(|&entry| candidates.missing.iter().any(|of| of == entry));
    if let Some(entry) = missing {
        let message = format!("`{name}` needs `{entry}`, which is not installed");
        let hint = format!(
            "`weir doctor {}` prints the command that installs it",
            folder.display()
        );
        return Error::new(Exit::Missing, message).hint(hint);
    }
    let left_out = candidates.left_out.iter().find(|(of, _)| of == name);
    let unfit = made_of
        .iter()
        .find(|&entry| !candidates.installed.iter().any(|of| of == entry));
    let all = candidates.variants.iter().map(|of| of.name.as_str());
    let choose = || format!("choose of {}", all.clone().collect::<Vec<_>>().join(", "));
    let (message, hint) = match (left_out, unfit) {
        (Some((_, why)), _) => (format!("`{name}` cannot serve this app: {why}"), choose()),
        (None, Some(entry)) => (
            format!("`{name}` cannot serve this app: `{entry}` is not for apps of its kind"),
            choose(),
        ),
        (None, None) => (
            format!("no way to serve this app is called `{name}`"),
            record::meant(name, all.clone(), choose),
        ),
    };
    Error::new(Exit::Usage, message).hint(hint)
}

/// The variants of which something is required.
pub(super) fn required(plan: &Plan) -> Vec<String> {
    let conditions = plan.claims.iter().flat_map(|claim| &claim.expect);
    let means = conditions.filter_map(|condition| condition.means.as_ref().ok());
    means.flat_map(|means| means.variants(plan)).collect()
}

/// What could serve the app and is not tried, whatever the budget: by reason, and what is not installed.
pub(super) fn not_tried(candidates: &Candidates, installs: bool) -> Vec<NotTried> {
    let mut all: Vec<NotTried> = Vec::new();
    for (name, why) in &candidates.left_out {
        match all.iter_mut().find(|of| of.why == *why) {
            Some(of) => of.names.push(name.clone()),
            None => all.push(NotTried {
                names: vec![name.clone()],
                why: why.clone(),
                how: None,
            }),
        }
    }
    if !candidates.missing.is_empty() {
        let brings = "`--install` brings what suits it best, `weir doctor APP` prints the commands";
        let prints = "`weir doctor APP` prints the commands";
        all.push(NotTried {
            names: candidates.missing.clone(),
            why: "not installed".to_owned(),
            how: Some(if installs { brings } else { prints }.to_owned()),
        });
    }
    all
}

/// The same for people, in a line.
pub(super) fn told(of: &NotTried) -> String {
    let how = of.how.as_ref().map(|how| format!("\n  {how}"));
    format!(
        "not tried: {}: {}{}",
        of.listed(),
        of.why,
        how.unwrap_or_default()
    )
}
