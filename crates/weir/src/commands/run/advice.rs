//! What is told of a plan before it is run: what does not fit together, and which windows are whole.

use record::{Arrivals, Plan};
use report::words;
use stack::{Advice, Machine};

use crate::error::Result;
use crate::output::note;

/// Says which windows of a plan are whole, and why.
pub(super) fn tell_windows(plan: &Plan) {
    if let Some(whole) = words::whole(plan) {
        note(format!("note: {whole}"));
    }
}

/// Says that a plan has too few blocks for a verdict, where something is required of it, or where it `compares` and is looked at
/// before it is run.
pub(super) fn tell_few(plan: &Plan, compares: bool) {
    let required = plan.claims.iter().any(|claim| claim.required);
    let few = words::too_few_blocks(plan.blocks).filter(|_| required || compares);
    if let Some(few) = few {
        let blocks = words::counted(u64::from(plan.blocks), "block");
        let unmet = if required {
            ", so that what is required cannot be met: give `--blocks 4` or more"
        } else {
            ""
        };
        note(format!("note: {blocks}: {few}{unmet}"));
    }
}

/// Says what does not fit together, each thing once, with the variants that have it.
pub(super) fn advise(plan: &Plan, machine: &Machine) -> Result<()> {
    let mut found = Vec::new();
    for variant in plan.variants.iter().filter(|variant| variant.is_stack()) {
        let composition = machine.compose(variant, plan.app_of(variant))?;
        let load = plan.load_of(variant);
        let rate = load.shape.arrivals().map(Arrivals::highest_rate);
        found.extend(stack::advice(&composition, load.timeout, rate)?);
    }
    lines(found).iter().for_each(note);
    Ok(())
}

/// A line for each thing: who has it, what it is, what that means and where the rule was read. Things that mean the same are
/// one line.
fn lines(found: Vec<Advice>) -> Vec<String> {
    let mut things: Vec<(Advice, Vec<String>)> = Vec::new();
    for advice in found {
        let alike = |known: &Advice| known.text == advice.text;
        match things.iter_mut().find(|(known, _)| alike(known)) {
            Some((_, variants)) => variants.push(advice.variant),
            None => things.push((advice.clone(), vec![advice.variant])),
        }
    }
    let mut lines: Vec<(Advice, Vec<String>)> = Vec::new();
    for (advice, variants) in things {
        let told = format!("{}: {}", variants.join(", "), advice.text);
        let alike = |known: &Advice| known.means.is_some() && known.means == advice.means;
        match lines.iter_mut().find(|(known, _)| alike(known)) {
            Some((_, all)) => all.push(told),
            None => lines.push((advice, vec![told])),
        }
    }
    let line = |(advice, told): (Advice, Vec<String>)| {
        let (told, source) = (told.join("; "), advice.source);
        let means = advice.means.map(|means| format!(": {means}"));
        format!("advice: {told}{} ({source})", means.unwrap_or_default())
    };
    lines.into_iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn advice(variant: &str, text: &str, means: Option<&str>) -> Advice {
        Advice {
            variant: variant.to_owned(),
            text: text.to_owned(),
            means: means.map(str::to_owned),
            source: "there",
        }
    }

    #[test]
    fn what_several_variants_have_is_said_once() {
        let ports = Some("ports run out");
        let all = vec![
            advice("a", "one opens each", ports),
            advice("b", "a queue is cut", None),
            advice("b", "one opens each", ports),
            advice("c", "two opens each", ports),
            advice("c", "a limit is odd", None),
        ];
        let told = [
            "advice: a, b: one opens each; c: two opens each: ports run out (there)",
            "advice: b: a queue is cut (there)",
            "advice: c: a limit is odd (there)",
        ];
        assert_eq!(lines(all), told);
    }
}
