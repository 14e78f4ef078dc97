use record::{Load, Metric, Plan, Run, Shape, Trial};

use crate::compare::{floor_share, paired, verdict};
use crate::one_end::held_to;
use crate::opinion::Comparison;
use crate::own_share;
use crate::seen_run::SeenRun;
use crate::words::{closest, listed, number};

/// One side of a comparison: a run, its trials, and one of its variants if one is meant.
pub type Side<'a> = (&'a Run, &'a [Trial], Option<&'a str>);

/// Why two sides cannot be compared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CompareError {
    /// The run has no such variant.
    #[error("run {run} has no variant `{variant}`")]
    UnknownVariant {
        /// The run.
        run: i64,
        /// The variant asked for.
        variant: String,
        /// The variants it has.
        variants: Vec<String>,
    },
    /// Both sides are the same variant of the same run, or the same run without a variant.
    #[error("both sides are the same: run {run}")]
    Same {
        /// The run.
        run: i64,
        /// The variants it has.
        variants: Vec<String>,
    },
    /// No variant was named, and the runs have none in common.
    #[error("runs {of} and {over} have no variant in common")]
    NothingInCommon {
        /// The run above the line.
        of: i64,
        /// Its variants.
        of_variants: Vec<String>,
        /// The run below the line.
        over: i64,
        /// Its variants.
        over_variants: Vec<String>,
    },
    /// A side has no trial that counts, or (in one run) no block has both.
    #[error("`{of}` and `{over}` cannot be compared: {because}")]
    NothingCounts {
        /// The side above the line.
        of: String,
        /// The side below the line.
        over: String,
        /// What is missing.
        because: String,
        /// The run to look at.
        run: i64,
    },
}

impl CompareError {
    /// What to type or do next.
    pub fn hint(&self) -> Option<String> {
        let all = |names: &[String]| listed(names.iter().map(String::as_str));
        Some(match self {
            Self::UnknownVariant {
                run,
                variant,
                variants,
            } => match closest(variant, variants.iter().map(String::as_str)) {
                Some(name) => format!("did you mean `{run}:{name}`?"),
                None => format!("it has {}", all(variants)),
            },
            Self::Same { run, variants } => format!(
                "name two different variants, as in `weir compare {run}:VARIANT {run}:VARIANT`; it has {}",
                all(variants)
            ),
            Self::NothingInCommon {
                of,
                of_variants,
                over,
                over_variants,
            } => format!(
                "name one on each side, as in `weir compare {of}:VARIANT {over}:VARIANT`; run {of} \
                 has {}, run {over} has {}",
                all(of_variants),
                all(over_variants)
            ),
            Self::NothingCounts { run, .. } => {
                format!("`weir show {run}` tells which trials were left out, and why")
            }
        })
    }
}

/// Compares two variants: of one run paired by block, of two runs as two samples (`paired` is false;
/// what drifted between the runs is then in no interval). Two runs without variants are compared
/// variant by variant by name; where one side names a variant, the other is taken by the same name.
/// Metrics that one of the sides does not have are left out ([`left_out`](crate::left_out()) names them).
///
/// # Errors
/// A variant is unknown, both sides are the same, or nothing is left to compare.
pub fn compare(of: Side, over: Side) -> Result<Vec<Comparison>, CompareError> {
    let (above, below) = (SeenRun::new(of.0, of.1), SeenRun::new(over.0, over.1));
    let within_one = of.0.id == over.0.id;
    let mut found = Vec::new();
    let pairs = variants(of, over)?;
    for (of, over) in &pairs {
        found.extend(Metric::columns().filter_map(|metric| {
            if within_one {
                paired(&above, of, over, metric)
            } else {
                unpaired((&above, of), (&below, over), metric)
            }
        }));
    }
    if found.is_empty() {
        let (of, over) = &pairs[0];
        return Err(nothing_counts((&above, of), (&below, over)));
    }
    Ok(found)
}

/// What differs between two runs besides what is compared: reasons to read the ratio with care.
pub fn differences(of: &Run, over: &Run) -> Vec<String> {
    let (a, b) = (&of.plan, &over.plan);
    let (ours, theirs) = (&of.host, &over.host);
    let checks = [
        (a.app.dir != b.app.dir, "the app is another one"),
        (revised(a, b), "the app's revision is another one"),
        (a.app.routes != b.app.routes, "the app's routes differ"),
        (asked(a) != asked(b), "the load differs"),
        (ours.cores != theirs.cores, "the number of cores differs"),
        (ours.cpu != theirs.cpu, "the processor differs"),
        (ours.kernel != theirs.kernel, "the kernel differs"),
        (of.weir != over.weir, "weir's own version differs"),
    ];
    let differ = checks.into_iter().filter(|(differs, _)| *differs);
    let differ = differ.map(|(_, words)| words.to_owned());
    differ.chain(urls(a, b)).chain(capacities(a, b)).collect()
}

/// The load of a plan as it was asked for, and of which variant's capacity its rates are shares: without what each run
/// measures or draws anew.
fn asked(plan: &Plan) -> (Load, Option<&str>) {
    let mut load = Load {
        shape: plan.load.shape.reseeded(0),
        ..plan.load.clone()
    };
    let capacity = plan.of_capacity.as_ref().and_then(|of| of.rate);
    if let (Shape::Open(arrivals), Some(capacity)) = (&mut load.shape, capacity) {
        // a share that was multiplied and divided again is not the same in its last digits
        let share = |rate: f64| (rate / capacity * 1e9).round() / 1e9;
        for segment in &mut arrivals.segments {
            (segment.from, segment.to) = (share(segment.from), share(segment.to));
        }
    }
    (load, plan.of_capacity.as_ref().map(|of| &*of.variant))
}

/// What two loads asked, where it is another URL.
fn urls(of: &Plan, over: &Plan) -> Option<String> {
    let url = |plan: &Plan| plan.one_load()?.url.clone();
    let (ours, theirs) = (url(of)?, url(over)?);
    (ours != theirs).then(|| format!("the URL is `{ours}` against `{theirs}`"))
}

/// The capacities that two runs measured before they began, where they differ by what can be seen of them.
fn capacities(of: &Plan, over: &Plan) -> Option<String> {
    let told = |plan: &Plan| Some(number(plan.of_capacity.as_ref()?.rate?));
    let (ours, theirs) = (told(of)?, told(over)?);
    let words = format!("rates are shares of a capacity of {ours} against {theirs} requests/s");
    (ours != theirs).then_some(words)
}

/// Whether two runs are of different commits, as far as both are known.
fn revised(of: &Plan, over: &Plan) -> bool {
    let (ours, theirs) = (&of.revisions, &over.revisions);
    !ours.is_empty() && !theirs.is_empty() && ours.values().ne(theirs.values())
}

/// The pairs of variant names to compare; never empty.
pub(crate) fn variants(of: Side, over: Side) -> Result<Vec<(String, String)>, CompareError> {
    let named = |name: &str| (name.to_owned(), name.to_owned());
    let pairs = match (of.2, over.2) {
        (Some(above), Some(below)) => vec![(above.to_owned(), below.to_owned())],
        (Some(name), None) | (None, Some(name)) => vec![named(name)],
        // what two addresses answered is compared whatever they are called
        (None, None) if [of.0, over.0].map(|run| run.plan.variants.len()) == [1, 1] => {
            vec![(names(of.0).remove(0), names(over.0).remove(0))]
        }
        (None, None) => names(of.0)
            .iter()
            .filter(|name| over.0.plan.variant(name).is_some())
            .map(|name| named(name))
            .collect(),
    };
    for (above, below) in &pairs {
        check_variant(of.0, above)?;
        check_variant(over.0, below)?;
    }
    if of.0.id == over.0.id && pairs.iter().all(|(above, below)| above == below) {
        return Err(CompareError::Same {
            run: of.0.id,
            variants: names(of.0),
        });
    }
    if pairs.is_empty() {
        return Err(CompareError::NothingInCommon {
            of: of.0.id,
            of_variants: names(of.0),
            over: over.0.id,
            over_variants: names(over.0),
        });
    }
    Ok(pairs)
}

/// What two variants are called in comparisons: by their names, where they are of two runs as `RUN:VARIANT`.
pub(crate) fn called(of: &Run, over: &Run, (first, second): (&str, &str)) -> (String, String) {
    if of.id == over.id {
        return (first.to_owned(), second.to_owned());
    }
    let (above, below) = (of.id, over.id);
    (format!("{above}:{first}"), format!("{below}:{second}"))
}

fn names(run: &Run) -> Vec<String> {
    let variants = run.plan.variants.iter();
    variants.map(|variant| variant.name.clone()).collect()
}

/// Whether a run has a variant of this name.
///
/// # Errors
/// It has none; the error names those that it has.
pub fn check_variant(run: &Run, variant: &str) -> Result<(), CompareError> {
    if run.plan.variant(variant).is_some() {
        return Ok(());
    }
    Err(CompareError::UnknownVariant {
        run: run.id,
        variant: variant.to_owned(),
        variants: names(run),
    })
}

fn unpaired(of: (&SeenRun, &str), over: (&SeenRun, &str), metric: Metric) -> Option<Comparison> {
    let values = |(seen_run, variant): (&SeenRun, &str)| -> Vec<f64> {
        let blocks = seen_run.by_block(variant, metric);
        blocks.into_values().collect()
    };
    let (above, below) = (values(of), values(over));
    let ratio = stats::unpaired_ratio(&above, &below)?;
    // the noisier of the two runs
    let floors = [of.0, over.0].map(|seen_run| floor_share(seen_run, metric));
    let floor = floors.into_iter().flatten().fold(0.0, f64::max);
    let names = called(of.0.run, over.0.run, (of.1, over.1));
    let pairs = above.len().min(below.len());
    let measured = verdict(metric, ratio, Some(floor));
    let verdict = held_to(of, over, metric, measured);
    let freed = own_share::of_pair(of, over, metric);
    Some(Comparison {
        paired: false,
        one_ended: verdict != measured,
        elsewhere: freed.map(|freed| freed.between(ratio.value)),
        ..Comparison::new(metric, names, ratio, pairs, verdict)
    })
}

/// That two variants have no metric in common, and why.
pub(crate) fn nothing_counts(of: (&SeenRun, &str), over: (&SeenRun, &str)) -> CompareError {
    let empty = [of, over].into_iter().find(|(seen_run, variant)| {
        let mut trials = seen_run.of(variant);
        !trials.any(|seen| seen.opinion.counts)
    });
    let because = match empty {
        Some((seen_run, variant)) => format!(
            "no trial of `{variant}` in run {} counts: {}",
            seen_run.run.id,
            seen_run.why_none_counts(variant)
        ),
        None => "no block has a counted trial of both".to_owned(),
    };
    CompareError::NothingCounts {
        of: of.1.to_owned(),
        over: over.1.to_owned(),
        because,
        run: empty.map_or(of.0.run.id, |(seen_run, _)| seen_run.run.id),
    }
}
