use judge::Stressed;
use record::Stress;

use crate::units;
use crate::words::counted;

/// `0.0051 ×, p99 2.10 s, 3 % errors`: the throughput over the usual one.
pub(crate) fn stressed(of: &Stressed) -> String {
    if of.failure.is_some() {
        let failed = if of.felled { "failed" } else { "not measured" };
        return failed.to_owned();
    }
    let rate = match of.ratio {
        Some(ratio) => units::ratio_within(ratio, None),
        None => format!("{} req/s", units::number(of.throughput)),
    };
    let known = of.p99.map(|figure| units::duration(figure.value));
    let p99 = known.or_else(|| of.p99_at_least.map(units::at_least));
    let p99 = p99.map(|told| format!("p99 {told}"));
    let what = if of.recovery.is_some() {
        "lost" // a fault costs requests
    } else {
        "errors"
    };
    let errors = of.errors.filter(|share| *share > 0.0);
    let errors = errors.map(|share| format!("{} {what}", units::about(share)));
    let wrong = (of.wrong > 0).then(|| counted(of.wrong, "wrong response"));
    let back = of.recovery.map(|seconds| match of.back {
        Some(true) if seconds > 0.0 => format!("back after {}", units::duration(seconds)),
        Some(true) if of.stress == Stress::KilledMain => "its workers served on".to_owned(),
        Some(true) => "never gone".to_owned(),
        _ => format!("not back within {}", units::duration(seconds)),
    });
    // nobody knows for how long what is left of it serves
    let gone = of.gone.then(|| "nobody started it again".to_owned());
    let parts: Vec<String> = [Some(rate), p99, errors, wrong, back, gone]
        .into_iter()
        .flatten()
        .collect();
    parts.join(", ")
}
