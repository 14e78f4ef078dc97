//! What is said of the time that a run takes.

use experiment::{Outlook, Slot};
use record::{Outcome, Stress};
use report::harmless::one_line;
use report::units;
use report::words::{counted, too_few_blocks};

/// A time to come, which nobody knows to three digits: `12 min`, `1.9 h`, `40 s`.
pub(crate) fn about(seconds: f64) -> String {
    let step = match seconds {
        of if of < 60.0 => 1.0,
        of if of < 600.0 => 10.0,
        of if of < 7_200.0 => 60.0,
        _ => 360.0,
    };
    units::round_duration((seconds / step).round() * step)
}

/// What is right is looked at before the first trial.
pub(super) fn reference(server: &str) -> String {
    format!("taking the reference responses from {server}")
}

/// What is measured before the first trial.
pub(super) fn capacity(variant: &str) -> String {
    format!("measuring the capacity of {variant}, of which rates are shares")
}

/// What came of it.
pub(super) fn rates(variant: &str, rate: f64) -> String {
    let rate = units::number(rate);
    format!("the capacity of {variant}, of which rates are shares: {rate} requests/s")
}

/// Which part of a run it is: `block 2 of 6`, of `at_most` so many where it may end before, or the trouble that is added
/// there.
pub(super) fn place(block: u32, blocks: u32, stress: Option<Stress>, at_most: bool) -> String {
    let at_most = if at_most { "at most " } else { "" };
    match stress {
        Some(stress) => stress.name().replace('-', " "),
        None => format!("block {} of {at_most}{blocks}", block + 1),
    }
}

/// What is said behind a variant's name: the second half of the A/A pair, which group it is in where that is not the first,
/// and which attempt it is.
pub(super) fn turn(slot: &Slot, attempt: u32) -> String {
    let pair = slot.again.then(|| " (again: A/A)".to_owned());
    let group = (slot.group > 0).then(|| format!(" (group {})", slot.group + 1));
    let attempt = (attempt > 0).then(|| format!(" (attempt {})", attempt + 1));
    [pair, group, attempt].into_iter().flatten().collect()
}

/// Whether a run may have fewer trials than are counted: it ends when all is decided, or has no time for its last blocks or
/// its stress.
pub(super) fn is_limit(outlook: &Outlook) -> bool {
    outlook.at_most || outlook.most > outlook.trials
}

/// `96 trials, about 12 min`; with a budget, how much of the plan fits it.
pub(super) fn estimate(outlook: &Outlook) -> String {
    let trials = counted(outlook.most, "trial");
    let fits = if outlook.blocks < outlook.of {
        format!(": {}", fitting(outlook))
    } else {
        String::new()
    };
    let at_most = if is_limit(outlook) { "at most " } else { "" };
    format!("{at_most}{trials}, about {}{fits}", about(outlook.left))
}

/// There is time for more than was said: for so many trials in all.
pub(super) fn more(trials: u64) -> String {
    let trials = counted(trials, "trial");
    format!("there is time for more than was thought: at most {trials}")
}

/// A run that is gone on with, and of which there is nothing left.
pub(super) fn complete(run: i64, trials: u64) -> String {
    let trials = counted(trials, "trial");
    format!("nothing is left to measure: run {run} is complete, with {trials}")
}

/// Where trials take place: each in a network of its own, or in the machine's, as the system refused others.
pub(super) fn network(refused: Option<&str>) -> String {
    match refused {
        None => "each trial has a network of its own: weir may make one here".to_owned(),
        Some(reason) => format!(
            "trials take place in the machine's network, and counts contain whatever else it sends: weir may not make a \
             network for each trial here: {reason}"
        ),
    }
}

/// What a trial came to: its rate and mean, or why it failed.
pub(super) fn summary(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Failed(failure) => {
            let lines: Vec<&str> = failure.error.lines().map(str::trim).collect();
            format!("failed: {}", lines.join(" "))
        }
        Outcome::Measured(measured) => {
            let load = &measured.load;
            let mean = load.response.mean().map(units::duration);
            let trouble = load.failures() + load.timed_out;
            let trouble = (trouble > 0).then(|| format!(" · {trouble} failed"));
            format!(
                "{} · mean {}{}",
                units::rate(load.throughput()),
                mean.unwrap_or_else(|| "unknown".into()),
                trouble.unwrap_or_default()
            )
        }
    }
}

/// Points that a run was to add, and had no time for.
pub(super) fn unrefined(run: i64) -> String {
    format!("no time was left for points where curves turn: `weir run --resume {run}` adds them")
}

/// `9,012 packets in FILE`, and how many are not in it; none where none were captured.
pub(super) fn captured(outcome: &Outcome) -> Option<String> {
    let Outcome::Measured(measured) = outcome else {
        return None;
    };
    let of = measured.observed.capture.as_ref()?;
    let (packets, file) = (counted(of.packets, "packet"), one_line(&of.file));
    let full = match of.left_out {
        0 => String::new(),
        more => format!("; it is full, and {} more came", units::count(more)),
    };
    let lost = match of.lost {
        0 => String::new(),
        lost => format!("; {} more were lost", units::count(lost)),
    };
    Some(format!("{packets} in `{file}`{full}{lost}"))
}

/// That responses differ from the reference in times and dates alone; none where they are the same.
pub(super) fn times(outcome: &Outcome) -> Option<String> {
    let Outcome::Measured(measured) = outcome else {
        return None;
    };
    let times = measured.stack.verified.times.as_ref()?;
    let times = one_line(times);
    Some(format!(
        "responses differ in times and dates alone, which are not compared: {times}"
    ))
}

/// Whether not all blocks fit, and fewer than a verdict needs.
pub(super) fn are_too_few(outlook: &Outlook) -> bool {
    outlook.blocks < outlook.of && too_few_blocks(outlook.blocks).is_some()
}

/// `2 of 6 blocks fit the budget of 20 min: no interval, no verdict; all of them take about 60 min`.
pub(super) fn fitting(outlook: &Outlook) -> String {
    let blocks = counted(u64::from(outlook.of), "block");
    let alone = outlook.blocks == 1;
    let little = |budget: &f64| alone && outlook.left > *budget;
    let all = format!("all of them take about {}", about(outlook.all));
    if let Some(budget) = outlook.budget.filter(little) {
        let budget = units::round_duration(budget);
        return format!(
            "one of {blocks} alone is more than the budget of {budget}, and is run: no interval, no verdict; {all}"
        );
    }
    let verb = if outlook.blocks == 1 { "fits" } else { "fit" };
    let budget = match outlook.budget {
        Some(budget) => format!(" the budget of {}", units::round_duration(budget)),
        None => String::new(),
    };
    let few = too_few_blocks(outlook.blocks).map_or_else(String::new, |few| format!(": {few}"));
    format!("{} of {blocks} {verb}{budget}{few}; {all}", outlook.blocks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_to_come_is_rough() {
        for (seconds, words) in [
            (0.2, "0 s"),
            (42.3, "42 s"),
            (125.0, "130 s"),
            (742.0, "12 min"),
            (5_000.0, "83 min"),
            (6_900.0, "115 min"),
            (9_000.0, "2.5 h"),
        ] {
            assert_eq!(about(seconds), words, "{seconds}");
        }
    }

    #[test]
    fn what_a_trial_is_among_its_variants_is_told_behind_the_name() {
        let slot = |again, group| Slot {
            variant: "a".to_owned(),
            again,
            group,
        };
        assert_eq!(turn(&slot(false, 0), 0), "");
        assert_eq!(turn(&slot(true, 0), 1), " (again: A/A) (attempt 2)");
        assert_eq!(turn(&slot(false, 1), 0), " (group 2)");
    }

    #[test]
    fn the_machines_network_is_told_with_the_reason() {
        assert!(network(None).starts_with("each trial has a network of its own"));
        let told = network(Some("Operation not permitted (os error 1)"));
        assert!(
            told.ends_with("network for each trial here: Operation not permitted (os error 1)")
        );
    }

    #[test]
    fn a_block_is_one_of_at_most_so_many_where_the_run_may_end_before() {
        assert_eq!(place(1, 6, None, false), "block 2 of 6");
        assert_eq!(place(1, 6, None, true), "block 2 of at most 6");
        let idle = Some(Stress::IdleConnections);
        assert_eq!(place(7, 6, idle, true), "idle connections");
    }

    #[test]
    fn what_does_not_fit_is_said_with_what_it_costs() {
        let outlook = Outlook {
            trials: 96,
            most: 96,
            left: 743.0,
            blocks: 8,
            of: 8,
            all: 3_000.0,
            at_most: false,
            budget: Some(1_200.0),
        };
        assert_eq!(estimate(&outlook), "96 trials, about 12 min");
        let needed = Outlook {
            at_most: true,
            ..outlook
        };
        assert_eq!(estimate(&needed), "at most 96 trials, about 12 min");
        let stress = Outlook {
            most: 102,
            ..outlook
        };
        assert_eq!(estimate(&stress), "at most 102 trials, about 12 min");
        let few = Outlook {
            trials: 24,
            most: 24,
            blocks: 2,
            ..outlook
        };
        assert_eq!(
            estimate(&few),
            "24 trials, about 12 min: 2 of 8 blocks fit the budget of 20 min: no interval, no verdict; all of them take \
             about 50 min"
        );
        let none = Outlook {
            blocks: 1,
            left: 1_500.0,
            ..few
        };
        assert_eq!(
            fitting(&none),
            "one of 8 blocks alone is more than the budget of 20 min, and is run: no interval, no verdict; all of them \
             take about 50 min"
        );
        let enough = Outlook {
            blocks: 7,
            ..outlook
        };
        assert_eq!(
            fitting(&enough),
            "7 of 8 blocks fit the budget of 20 min; all of them take about 50 min"
        );
        assert!(are_too_few(&few) && are_too_few(&none));
        assert!(!are_too_few(&enough) && !are_too_few(&outlook));
        let all = Outlook { of: 1, ..none };
        assert!(!are_too_few(&all), "no more were wanted");
    }
}
