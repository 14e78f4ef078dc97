//! Which of the ways to serve an app may be tried, and which are not.

use std::path::Path;

use experiment::Candidates;
use record::{NotTried, Plan, Variant};
use report::words::counted;
use stack::Catalogue;

use crate::args::TryArgs;
use crate::error::{Error, Exit, Result};
use crate::invocation::Invocation;
use crate::output::note;

/// Programs that are named in a line of those that are not installed.
const NAMED: usize = 4;

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

/// Says it: in a line where a run will have it all, else a line for each reason.
pub(super) fn tell(all: &[NotTried], in_short: bool, invocation: &Invocation) {
    if !invocation.quiet() {
        lines(all, in_short).iter().for_each(note);
    }
}

fn lines(all: &[NotTried], in_short: bool) -> Vec<String> {
    if in_short && all.len() > 1 {
        return vec![short(all)];
    }
    all.iter().map(told).collect()
}

/// What is not tried for one reason, in a line.
pub(super) fn told(of: &NotTried) -> String {
    format!("not tried: {}", with_how(of, of.listed()))
}

/// How many there are, what those need that need something, and why the others are not where that is one reason.
fn short(all: &[NotTried]) -> String {
    let (need, others): (Vec<&NotTried>, Vec<&NotTried>) =
        all.iter().partition(|of| of.how.is_some());
    let (needy, rest) = (number(&need), number(&others));
    let told = need.iter();
    let mut told: Vec<String> = told
        .map(|of| with_how(of, record::first_of(&of.names, NAMED)))
        .collect();
    match &others[..] {
        [] => {}
        [one] => told.push(with_how(one, record::first_of(&one.names, NAMED))),
        _ => told.push(format!(
            "{rest} for reasons that `weir show` has after the run"
        )),
    }
    let setups = counted(needy + rest, "setup");
    format!("{setups} not tried: {}", told.join("; "))
}

fn number(all: &[&NotTried]) -> u64 {
    all.iter().map(|of| of.names.len() as u64).sum()
}

fn with_how(of: &NotTried, names: String) -> String {
    let how = of.how.as_ref().map(|how| format!(" ({how})"));
    names + ": " + &of.why + &how.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn not_tried(names: &[&str], why: &str, how: Option<&str>) -> NotTried {
        NotTried {
            names: names.iter().map(|name| (*name).to_owned()).collect(),
            why: why.to_owned(),
            how: how.map(str::to_owned),
        }
    }

    #[test]
    fn what_is_not_tried_is_one_line_before_a_run() {
        let all = [
            not_tried(&["a", "b"], "the same as `c`", None),
            not_tried(&["d"], "it has no WSGI", None),
            not_tried(
                &["e", "f", "g", "h", "i", "j"],
                "not installed",
                Some("type x"),
            ),
        ];
        let line = "9 setups not tried: e, f, g, h, and 2 more: not installed (type x); 3 for reasons that `weir show` has \
                    after the run";
        assert_eq!(lines(&all, true), [line]);
        let one_reason =
            "7 setups not tried: e, f, g, h, and 2 more: not installed (type x); d: it has no WSGI";
        assert_eq!(lines(&all[1..], true), [one_reason]);
        let whole = lines(&all, false);
        assert_eq!(whole.len(), 3);
        assert_eq!(whole[0], "not tried: a, b: the same as `c`");
        assert_eq!(lines(&all[1..2], true), ["not tried: d: it has no WSGI"]);
        assert!(lines(&[], true).is_empty());
    }
}
