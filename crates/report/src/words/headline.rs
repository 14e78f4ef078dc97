use judge::{Comparison, Faulted, Figure, Judged, Lead, VariantOpinion, Verdict};
use record::{Metric, RequestFile, Run};

use super::{list, ratio};
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
        return nothing(&route, judged);
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
    let rest = rest(lead, &unknown);
    if lead.leaders.is_empty() {
        return format!(
            "None of {ways} leads: in the blocks that both have, each is surely worse than another.{rest}"
        );
    }
    let peers = peers(lead);
    if peers.is_empty() {
        let own = lead.own_share.as_ref().filter(|_| !ratio.is_empty());
        let own = own.map_or_else(String::new, |own| format!("; {}", own.because));
        return format!("`{name}` is the fastest of {ways}: {rate}{ratio}{own}.{rest}");
    }
    let figure = |name: &String| variant(judged, name)?.figures.get(&metric);
    let rates = lead.leaders.iter().filter_map(figure);
    let rates = rates.map(|of| told_wholly(metric, of));
    let (names, rates) = (named(&lead.leaders), list(&rates.collect::<Vec<_>>()));
    format!("{names} lead {ways}{}: {rates}.{rest}", apart(name, &peers))
}

/// That no figure of a route counts: nothing was measured, or why what was does not.
fn nothing(route: &str, judged: &Judged) -> String {
    let mut doubts = judged.trials.iter().flat_map(|of| &of.doubts);
    let grave = doubts.find(|of| of.disqualifies);
    match grave {
        Some(doubt) if judged.trials.iter().all(|of| !of.counts) => {
            let why: &str = if doubt.kind.is_of_others() {
                doubt.kind.rule().title(true) // which programs is said once, below
            } else {
                &doubt.because
            };
            format!("What was measured of `{route}` does not count: {why}.")
        }
        _ => format!("No variant that serves `{route}` could be measured."),
    }
}

/// What to run, in a few words: what the run says to deploy, and what is as good; where it does not say, those that lead, if that
/// is sure. Nothing where there was nothing to choose from, or chance may have chosen. What is for development only is no answer.
pub fn best(judged: &Judged) -> Option<String> {
    let lead = &judged.lead;
    let compared = lead.rivals.len() > 1 || judged.decision.is_some();
    let measured = judged.variants.iter().filter(|of| of.counted > 0);
    if !compared || measured.count() < 2 || judged.peak.is_some() {
        return None;
    }
    let for_use = |name: &&String| !lead.development.contains(name);
    let mut comparisons = lead.comparisons.iter();
    let surely = lead.outran.is_empty() && comparisons.any(|of| of.verdict == Verdict::Better);
    let all: Vec<&String> = match &judged.decision {
        Some(of) => std::iter::once(&of.variant).chain(&of.as_good).collect(),
        None if surely => lead.leaders.iter().filter(for_use).collect(),
        None => Vec::new(),
    };
    let first = *all.first()?;
    Some(match all.len() {
        1 => first.clone(),
        NAMED => format!("{first} or {}", all[1]),
        more => format!("{first} or {} others", more - 1),
    })
}

/// Those that lead beside the first, and whether they are the same as it.
fn peers(lead: &Lead) -> Vec<(&str, bool)> {
    let others = lead.leaders.iter().skip(1);
    let same = |name: &str| against(lead, name).is_some_and(|of| of.verdict == Verdict::Same);
    others.map(|name| (name.as_str(), same(name))).collect()
}

/// Those of which too few trials count to compare them with the leader.
fn unknown(lead: &Lead) -> Vec<String> {
    let others = lead.rivals.iter().skip(1);
    let unknown = others.filter(|name| against(lead, name).is_none());
    unknown.cloned().collect()
}

/// The leader against another, where that has an interval.
fn against<'l>(lead: &'l Lead, name: &str) -> Option<&'l Comparison> {
    let mut comparisons = lead.comparisons.iter();
    comparisons.find(|of| of.over == name && of.interval.is_some())
}

/// What keeps the others from leading, where it is not the leader that is surely better: another one, or too few trials.
fn rest(lead: &Lead, unknown: &[String]) -> String {
    let leader = lead.leaders.first();
    let unsure = leader.map_or_else(String::new, |leader| {
        format!("; of `{leader}` that is not sure")
    });
    let beaten = lead.beaten.chunk_by(|one, next| one.by == next.by);
    let beaten = beaten.map(|all| {
        let those: Vec<String> = all.iter().map(|of| of.rival.clone()).collect();
        let (by, those) = (&all[0].by, named(&those));
        format!(" `{by}` is surely better than {those}{unsure}.")
    });
    let few =
        (!unknown.is_empty()).then(|| format!(" Too few trials count of {}.", named(unknown)));
    beaten.chain(few).collect()
}

/// Names as variants are named in a sentence.
fn named(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    list(&names)
}

/// ` and cannot be told apart`, ` and are the same`; of which it is the one, and of which the other.
fn apart(leader: &str, peers: &[(&str, bool)]) -> String {
    let names = |same: bool| -> Vec<String> {
        let named = peers.iter().filter(|(_, is)| *is == same);
        named.map(|(name, _)| (*name).to_owned()).collect()
    };
    match (names(true), names(false)) {
        (_, unsure) if unsure.is_empty() => " and are the same".to_owned(),
        (same, _) if same.is_empty() => " and cannot be told apart".to_owned(),
        (same, unsure) => {
            let are = if same.len() == 1 { "is" } else { "are" };
            format!(
                ", where {} {are} the same as `{leader}`, and {} cannot be told apart from it",
                named(&same),
                named(&unsure)
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
        let ratio = ratio(comparison);
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
    let first = if all.len() > 1 { " first," } else { "" };
    format!(
        "`{name}` was back{first} {seconds} after it was struck; {lost} of the requests were lost."
    )
}
