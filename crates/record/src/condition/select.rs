//! Which variants a name means: one, or those of a sweep at some of its levels.

use crate::metric::Dimension;
use crate::{Level, Metric, Sweep, Variant};

use super::ExpectError;
use crate::closest::{listed, meant};

/// The variants that a name means. It is a variant's own, or that of a family, which is all its variants, or
/// a family with levels after an `@`: `` `haproxy@server-maxconn=1,connections=10..500` ``. Points that
/// a run added where a curve turned are meant by their own names alone.
///
/// # Errors
/// What is wrong with it, and what may have been meant.
pub fn select<'a>(
    variants: &'a [Variant],
    name: &str,
) -> Result<Vec<&'a Variant>, (String, String)> {
    if let Some(variant) = variants.iter().find(|variant| variant.name == name) {
        return Ok(vec![variant]);
    }
    let (family, levels) = match name.split_once('@') {
        Some((family, levels)) => (family, levels.split(',').collect()),
        None => (name, Vec::new()),
    };
    let points = variants.iter();
    let points = points.filter_map(|variant| Some((variant, variant.sweep.as_ref()?)));
    let own = |(_, sweep): &(&Variant, &Sweep)| sweep.family == family && !sweep.added;
    let mut chosen: Vec<(&Variant, &Sweep)> = points.filter(own).collect();
    if chosen.is_empty() {
        return Err(unknown(variants, name));
    }
    for wanted in levels {
        let Some((factor, level)) = wanted.split_once('=') else {
            let hint = "levels are written `NAME@factor=level`, or `factor=low..high`";
            return Err((format!("`{wanted}` is not a level"), hint.to_owned()));
        };
        let kept = chosen.iter().filter(|(_, sweep)| {
            let mut own = sweep.levels.iter();
            own.any(|own| own.factor == factor && matches(own, level))
        });
        let kept: Vec<_> = kept.copied().collect();
        if kept.is_empty() {
            return Err(no_level(&chosen, factor, level));
        }
        chosen = kept;
    }
    Ok(chosen.into_iter().map(|(variant, _)| variant).collect())
}

fn matches(own: &Level, wanted: &str) -> bool {
    let ends = wanted.split_once("..");
    let ends = ends.and_then(|(low, high)| Some((low.parse().ok()?, high.parse().ok()?)));
    match (ends, own.number) {
        (Some((low, high)), Some(number)) => (low..=high).contains(&number),
        _ => own.level == wanted,
    }
}

fn unknown(variants: &[Variant], name: &str) -> (String, String) {
    let mut known: Vec<&str> = Vec::new();
    for variant in variants {
        let sweep = variant.sweep.as_ref();
        let name = sweep.map_or(&variant.name, |sweep| &sweep.family);
        if !known.contains(&name.as_str()) {
            known.push(name);
        }
    }
    let all = || format!("the variants are {}", listed(known.iter().copied()));
    let hint = meant(name, known.iter().copied(), all);
    (format!("no variant is called `{name}`"), hint)
}

fn no_level(chosen: &[(&Variant, &Sweep)], factor: &str, level: &str) -> (String, String) {
    let all = || chosen.iter().flat_map(|(_, sweep)| &sweep.levels);
    let mut levels: Vec<&str> = Vec::new();
    for own in all().filter(|own| own.factor == factor) {
        if !levels.contains(&own.level.as_str()) {
            levels.push(&own.level);
        }
    }
    if levels.is_empty() {
        let mut factors: Vec<&str> = all().map(|own| own.factor.as_str()).collect();
        factors.sort_unstable();
        factors.dedup();
        let hint = format!("it varies by {}", listed(factors));
        return (format!("nothing there varies by `{factor}`"), hint);
    }
    let hint = format!("its levels are {}", listed(levels));
    (format!("`{factor}` is never {level}"), hint)
}

impl super::Expect {
    /// Checks that every variant it names exists, and has the figure.
    ///
    /// # Errors
    /// The first name that means none, with the one that may have been meant; or that means a client, of whose response
    /// times only it knows.
    pub fn check_names(&self, variants: &[Variant]) -> Result<(), ExpectError> {
        for figure in self.figures() {
            let wrong = |(problem, hint)| {
                let width = figure.variant.len() + 2;
                ExpectError::new(&self.text, figure.at, width, problem, hint)
            };
            let meant = select(variants, &figure.variant).map_err(wrong)?;
            let client = meant.iter().find(|variant| variant.client.is_some());
            if let Some(client) = client.filter(|_| is_of_responses(figure.metric)) {
                let problem = format!(
                    "`{}` is a client, and of its response times only it knows",
                    client.name
                );
                let hint = "ask for `throughput`, `cpu-per-request` or `opens`".to_owned();
                return Err(wrong((problem, hint)));
            }
        }
        Ok(())
    }
}

/// Whether whoever asks has to be asked for it.
fn is_of_responses(metric: Metric) -> bool {
    metric.row().dimension == Dimension::Time && metric != Metric::CpuPerRequest
}
