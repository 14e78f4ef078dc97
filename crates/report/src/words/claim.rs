use judge::{ClaimVerdict, ConditionVerdict, Exchange, Holds};
use record::condition::Expectation;
use record::{Claim, Plan};

use super::sign::sign;
use crate::units;

/// Whether a statement holds.
pub fn holds(holds: Holds) -> &'static str {
    match holds {
        Holds::Holds => "holds",
        Holds::DoesNotHold => "does not hold",
        Holds::CannotTell => "cannot tell",
    }
}

/// What a claim came to: `holds`, or `holds, as measured` where the load generator's own share may turn it.
pub fn claim_verdict(of: &ClaimVerdict) -> &'static str {
    marked(of.holds, of.as_measured)
}

/// What a condition came to, in the same words.
pub fn condition_verdict(of: &ConditionVerdict) -> &'static str {
    marked(of.holds, of.is_as_measured())
}

fn marked(of: Holds, as_measured: bool) -> &'static str {
    match of {
        Holds::Holds if as_measured => "holds, as measured",
        Holds::DoesNotHold if as_measured => "does not hold, as measured",
        of => holds(of),
    }
}

/// Where the measurement of a claim departs from that of its report: what its plan says of all its claims, and what
/// it says of this one.
pub fn differs(plan: &Plan, claim: &Claim) -> Vec<String> {
    plan.differs.iter().chain(&claim.differs).cloned().collect()
}

/// The measured left side of a condition: `1.88 × [1.81, 1.95]`, `≥ 1.88 × [1.81, 1.95]` where the load generator held it down, or
/// `—`.
pub fn measured(condition: &ConditionVerdict) -> String {
    let Some(value) = condition.value else {
        return units::NOTHING.to_owned();
    };
    match &condition.about {
        // ranks and agreements are numbers
        Some(Expectation::Ranking(of)) => match (&of.rival, condition.interval) {
            (Some(_), Some((first, last))) => format!("{value:.0} [{first:.0}, {last:.0}]"),
            (Some(_), None) => format!("{value:.0}"),
            (None, interval) => units::number_within(value, interval),
        },
        Some(Expectation::Figures(of)) if of.over.is_none() => {
            let text = |value| units::metric(of.of.metric, value);
            let ends = condition.interval;
            let ends = ends.map(|(low, high)| format!(" [{}, {}]", text(low), text(high)));
            format!("{}{}", text(value), ends.unwrap_or_default())
        }
        _ => {
            let elsewhere = condition.own_share.as_ref().map(|own| own.between);
            let ratio = units::ratio_within(value, condition.interval);
            format!("{}{ratio}", sign(value, elsewhere))
        }
    }
}

/// What a condition asks for, without the side that is measured: `>= 1.6`.
pub fn expected(condition: &ConditionVerdict) -> &str {
    let text = condition.text.as_str();
    ["within ", "<= ", ">= ", "< ", "> ", "= "]
        .iter()
        .filter_map(|sign| text.rfind(sign))
        .min()
        .map_or(text, |at| &text[at..])
}

/// What an exchange of two variants' trials makes of a verdict.
pub fn exchanged(found: &Exchange) -> String {
    match &found.of {
        Some(([one, other], now)) => format!(
            "with the trials of `{one}` and `{other}` exchanged: {}",
            holds(*now)
        ),
        None => "no exchange of two variants' trials changes the verdict".into(),
    }
}

#[cfg(test)]
mod tests {
    use judge::OwnShare;

    use super::*;

    fn condition(text: &str, value: Option<f64>, interval: Option<(f64, f64)>) -> ConditionVerdict {
        ConditionVerdict {
            text: text.to_owned(),
            about: record::Condition::read(text).means.ok(),
            value,
            interval,
            holds: Holds::Holds,
            own_share: None,
        }
    }

    #[test]
    fn a_ratio_is_times_and_a_figure_has_its_unit() {
        let ratio = "throughput of `b` / throughput of `a` >= 1.6";
        let of = condition(ratio, Some(1.881), Some((1.806, 1.952)));
        assert_eq!(measured(&of), "1.88 × [1.81, 1.95]");
        assert_eq!(expected(&of), ">= 1.6");
        let held_down = ConditionVerdict {
            own_share: Some(OwnShare {
                between: (1.881, 2.5),
                same: true,
                shares: Vec::new(),
                because: String::new(),
            }),
            ..of.clone()
        };
        assert_eq!(measured(&held_down), "≥ 1.88 × [1.81, 1.95]");
        let errors = condition("errors of `a` <= 0.01", Some(0.0), Some((0.0, 0.002)));
        assert_eq!(measured(&errors), "0 % [0 %, 0.200 %]");
        assert_eq!(
            measured(&condition("p99 of `a` < 0.5", Some(0.226), None)),
            "226 ms"
        );
        assert_eq!(measured(&condition(ratio, None, None)), "—");
        let largest = condition("largest mean of `x` < 1", Some(0.5), None);
        assert_eq!(measured(&largest), "500 ms");
        let within = condition(
            "mean of `b` / mean of `a` within 0.40 .. 0.65",
            Some(0.5),
            None,
        );
        assert_eq!(expected(&within), "within 0.40 .. 0.65");
    }
}
