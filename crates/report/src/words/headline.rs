use judge::{Comparison, Faulted, Figure, Judged, Lead, VariantOpinion, Verdict};
use record::{Metric, RequestFile, Run};

use super::list;
use crate::units;

/// Ways that are named in a list.
const NAMED: usize = 2;

/// The run in one sentence: which variant serves the baseline's route fastest, and how sure that is, in the words in
/// which the table speaks of the same pair. Of versions of an app, whether each is slower.
pub fn headline(run: &Run, judged: &Judged) -> String {
    if let Some(search) = run.plan.search {
        return super::peak::headline(search, run, judged);
    }
    if !judged.faulted.is_empty() {
        return faulted(&judged.faulted);
    }
    let said = if judged.revised.is_empty() {
        first(run, judged)
    } else {
        super::revised::headline(&judged.revised)
    };
    said + &outran(&judged.lead)
}

/// Those of which nobody knows how fast they are, if there are any.
fn outran(lead: &Lead) -> String {
    let all = lead.outran.iter();
    let all: Vec<String> = all
        .map(|(name, rate)| format!("`{name}` (at least {})", units::rate(*rate)))
        .collect();
    match all.len() {
        0 => String::new(),
        _ => format!(
            " The load generator was too slow for {}, which may be faster.",
            list(&all)
        ),
    }
}

/// Which way leads, and how sure that is.
fn first(run: &Run, judged: &Judged) -> String {
    let lead = &judged.lead;
    let from = run.plan.load.requests_from.as_ref();
    let route = from.map_or_else(|| lead.route.clone(), RequestFile::name);
    let metric = lead.metric;
    let found = lead.rivals.first().and_then(|name| variant(judged, name));
    let Some((leader, best)) = found.and_then(|of| Some((of, of.figures.get(&metric)?))) else {
        return format!("No variant that serves `{route}` could be measured.");
    };
    let rate = told(metric, best);
    let name = &leader.name;
    match (lead.rivals.len(), lead.entered, run.plan.variants.len()) {
        (1, 1, 1) => return format!("`{name}` serves `{route}`: {rate}."),
        (1, 1, _) => {
            return format!(
                "No other variant serves `{route}` under the load of `{name}`: {rate}."
            );
        }
        (1, ..) => return format!("Only `{name}` could be measured on `{route}`: {rate}."),
        _ => {}
    }
    let ways = |count: usize| {
        if run.plan.variants.iter().all(|of| of.client.is_some()) {
            format!("{count} clients")
        } else {
            format!("{count} ways to serve `{route}`")
        }
    };
    let ratio = against_baseline(leader, metric);
    if lead.comparisons.iter().all(|of| of.interval.is_none()) {
        return format!(
            "`{name}` came first of {}: {rate}{ratio}. There are too few blocks for an interval, so chance \
             may have decided.",
            ways(lead.rivals.len())
        );
    }
    let unknown = unknown(lead);
    let ways = ways(lead.rivals.len() - unknown.len());
    let rest = if unknown.is_empty() {
        String::new()
    } else {
        format!(" Too few trials count of {}.", list(&unknown))
    };
    let peers = peers(lead);
    if peers.is_empty() {
        let own = lead.own_share.as_ref().filter(|_| !ratio.is_empty());
        let own = own.map_or_else(String::new, |own| format!("; {}", own.because));
        return format!("`{name}` is the fastest of {ways}: {rate}{ratio}{own}.{rest}");
    }
    let all = std::iter::once(name.as_str()).chain(peers.iter().map(|(name, _)| *name));
    let figure = |name| variant(judged, name)?.figures.get(&metric);
    let rates = all
        .clone()
        .filter_map(figure)
        .map(|of| told_wholly(metric, of));
    let names: Vec<String> = all.map(|name| format!("`{name}`")).collect();
    let (names, rates) = (list(&names), list(&rates.collect::<Vec<_>>()));
    format!("{names} lead {ways}{}: {rates}.{rest}", apart(name, &peers))
}

/// Those that lead, in a few words: the fastest way, or those that it cannot be told apart from; nothing where fewer
/// than two ways were measured.
pub fn leaders(judged: &Judged) -> Option<String> {
    let lead = &judged.lead;
    let compared = lead.rivals.len() > 1 && judged.peak.is_none();
    let first = lead.rivals.first().filter(|_| compared)?;
    let all = std::iter::once(first.as_str()).chain(peers(lead).into_iter().map(|(name, _)| name));
    let all: Vec<&str> = all.collect();
    Some(match all.len() {
        1..=NAMED => all.join(" or "),
        more => format!("{} or {} others", first, more - 1),
    })
}

/// Those that the leader is not surely better than, and whether they are the same.
fn peers(lead: &Lead) -> Vec<(&str, bool)> {
    rivals(lead)
        .filter_map(|(name, comparison)| match comparison?.verdict {
            Verdict::Better => None,
            verdict => Some((name, verdict == Verdict::Same)),
        })
        .collect()
}

/// Those of which too few trials count to compare them with the leader.
fn unknown(lead: &Lead) -> Vec<String> {
    let unknown = rivals(lead).filter(|(_, comparison)| comparison.is_none());
    unknown.map(|(name, _)| format!("`{name}`")).collect()
}

/// The others, and the leader against each, where that has an interval.
fn rivals(lead: &Lead) -> impl Iterator<Item = (&str, Option<&Comparison>)> {
    let of = |name: &str| -> Option<&Comparison> {
        let mut comparisons = lead.comparisons.iter();
        comparisons.find(|of| of.over == name && of.interval.is_some())
    };
    let others = lead.rivals.iter().skip(1);
    others.map(move |name| (name.as_str(), of(name)))
}

/// ` and cannot be told apart`, ` and are the same`; of which it is the one, and of which the other.
fn apart(leader: &str, peers: &[(&str, bool)]) -> String {
    let names = |same: bool| -> Vec<String> {
        let named = peers.iter().filter(|(_, is)| *is == same);
        named.map(|(name, _)| format!("`{name}`")).collect()
    };
    match (names(true), names(false)) {
        (_, unsure) if unsure.is_empty() => " and are the same".to_owned(),
        (same, _) if same.is_empty() => " and cannot be told apart".to_owned(),
        (same, unsure) => {
            let are = if same.len() == 1 { "is" } else { "are" };
            format!(
                ", where {} {are} the same as `{leader}`, and {} cannot be told apart from it",
                list(&same),
                list(&unsure)
            )
        }
    }
}

fn variant<'j>(judged: &'j Judged, name: &str) -> Option<&'j VariantOpinion> {
    judged.variants.iter().find(|variant| variant.name == name)
}

fn told(metric: Metric, figure: &Figure) -> String {
    let what = match metric {
        Metric::Mean => "mean response time ",
        _ => "",
    };
    format!("{what}{}", units::figure(metric, figure))
}

fn told_wholly(metric: Metric, figure: &Figure) -> String {
    let missing = match figure.interval {
        Some(_) => "",
        None => " (no interval)",
    };
    format!("{}{missing}", told(metric, figure))
}

fn against_baseline(variant: &VariantOpinion, metric: Metric) -> String {
    let mut comparisons = variant.against_baseline.iter();
    let own = comparisons.find(|comparison| comparison.metric == metric);
    own.map_or_else(String::new, |comparison| {
        let ratio = units::ratio_within(comparison.ratio, comparison.interval);
        format!(", {ratio} that of `{}`", comparison.over)
    })
}

/// Who got over its faults first, of those that did in every trial.
fn faulted(all: &[Faulted]) -> String {
    let back = all.iter().filter(|of| of.never == 0);
    let with_time = back.filter_map(|of| Some((of, of.recovery?[0])));
    let first = with_time.min_by(|(_, one), (_, other)| one.total_cmp(other));
    let Some((of, seconds)) = first else {
        let said = if all.iter().all(|of| of.trials == 0) {
            "Nothing was struck: no process of an app server was there when a fault was due."
        } else {
            "Nothing that was struck came back within its window."
        };
        return said.to_owned();
    };
    let name = &of.variant;
    let lost = units::percent(of.lost[0]);
    if seconds <= 0.0 {
        return format!(
            "`{name}` went on serving when it was struck; {lost} of the requests were lost."
        );
    }
    let seconds = units::duration(seconds);
    format!(
        "`{name}` was back first, {seconds} after it was struck; {lost} of the requests were lost."
    )
}
