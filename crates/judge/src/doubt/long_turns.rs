use super::late::limit;
use super::{DoubtKind, Evidence, Held, Rule};
use crate::words::duration;

/// Quantiles that are compared, each with the turns that there are at least: a hundred beyond it.
const COMPARED: [(&str, f64, u64); 2] = [("p50", 0.5, 200), ("p99", 0.99, 10_000)];

pub(super) const RULE: Rule = Rule {
    title: "responses waited for the load generator",
    rule: "turns of the engine's loop are over within a tenth of the response time, or 50 µs: the median within that of the median, \
           and the p99 within that of the p99 (each with 100 turns beyond it and more)",
    disqualifies: "never",
    ..Rule::of(DoubtKind::LongTurns, look)
};

/// A response time ends when the loop looks at the response, which is once it is done with what it found before. The engine may
/// have time to spare and its turns be long nevertheless: many responses come at once, or a script takes long for each. Service
/// times carry this, too, so that nothing is free of it; it is a bound, and disqualifies nothing.
fn look(evidence: &Evidence) -> Held {
    let load = evidence.load;
    if load.turns.is_empty() {
        return RULE.silent("nobody timed the turns of the engine's loop");
    }
    let known = COMPARED.iter().filter_map(|(name, share, least)| {
        let took = load.turns.quantile(*share)?;
        let limit = limit(load.response.quantile(*share)?);
        (load.turns.count() >= *least).then_some((*name, took, limit))
    });
    let known: Vec<_> = known.collect();
    let Some((name, took, limit)) = known.last() else {
        return RULE.silent("there were too few turns to tell, or no response");
    };
    let words = |name: &str, took: f64| {
        format!("turns of the engine's loop took {} ({name}", duration(took))
    };
    let long = known.iter().find(|(_, took, limit)| took > limit);
    let Some((long, long_took, short)) = long else {
        return RULE.passed(format!(
            "{}, at most {})",
            words(name, *took),
            duration(*limit)
        ));
    };
    let because = format!(
        "{}, more than {}): a response may have waited as long until it was looked at",
        words(long, *long_took),
        duration(*short)
    );
    let advice = "response and service times carry this: give weir more `threads`, use fewer connections, or have a \
                  script do less for each response";
    RULE.doubted(false, because, advice)
}
