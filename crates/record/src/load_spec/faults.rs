//! The rulebook of faults: a window by time with room for them, and a rate that is the same before and after.

use super::rules::{Checked, words};
use crate::{Amount, Blow, Fault, Flaw, Load, limits};

/// Seconds between the last fault and the end of the window, at least: a load is looked at five times a second, so that a fault
/// comes and ends up to 0.2 s late, and one that is due just before the end would not come at all.
const ROOM: f64 = 0.5;

impl Load {
    pub(super) fn faults_rules(&self) -> Checked<()> {
        let ends = self.faults.iter();
        let Some(last) = ends.max_by(|one, other| one.until().total_cmp(&other.until())) else {
            return Ok(());
        };
        let Amount::Seconds(window) = self.amount else {
            return wrong(
                "come at times of a window, and this one ends by a number of requests",
                "end the window by time: {seconds = 30}",
            );
        };
        if self.goal.is_some() {
            return wrong(
                "come at times of one window, and {goal} has one for each rate that it tries",
                "leave out one of the two",
            );
        }
        let arrivals = self.shape.arrivals();
        if arrivals.is_some_and(|arrivals| !arrivals.is_steady()) {
            return wrong(
                "need a steady rate: how long recovery takes is told by the rate before the first fault",
                "give {rate = 500} in place of one that changes",
            );
        }
        in_order(&self.faults)?;
        connect(&self.faults)?;
        fit(last, window)
    }
}

fn in_order(faults: &[Fault]) -> Checked<()> {
    let times = || faults.iter().map(|fault| fault.at);
    if faults.len() > limits::FAULTS {
        let most = limits::FAULTS;
        return wrong(format!("at most {most} fit a window"), "leave some out");
    }
    if !times().all(|at| at > 0.0) || !times().is_sorted_by(|one, next| one < next) {
        return wrong(
            "come one after the other, each at more than 0 seconds",
            "order them by {at}, such as 3 and 6",
        );
    }
    Ok(())
}

/// What opens connections opens some, and no more than there are local ports for.
fn connect(faults: &[Fault]) -> Checked<()> {
    let most = limits::FAULT_CONNECTIONS;
    let fits = |fault: &Fault| match fault.blow {
        Blow::Connect { connections, held } => (1..=most).contains(&connections) && held >= 0.0,
        Blow::Kill(_) | Blow::StalePid(_) | Blow::Hang(_) => true,
    };
    if faults.iter().all(fits) {
        return Ok(());
    }
    wrong(
        format!("open 1 to {most} connections, and hold them for 0 seconds or longer"),
        "write `connections = 500`, with `held = 2` where they are to stay",
    )
}

/// The window has room for the one that is over last, and is short enough to show when responses came again.
fn fit(last: &Fault, window: f64) -> Checked<()> {
    let longest = limits::WINDOW_OF_FAULTS;
    if window > longest {
        return wrong(
            format!(
                "the window has {} seconds, and in more than {} it cannot be told when responses came again",
                words(window),
                words(longest)
            ),
            "shorten the window: {seconds = 60}",
        );
    }
    if last.until() > window - ROOM {
        let stays = last.until() > last.at;
        let comes = if stays { "ends" } else { "comes" };
        return wrong(
            format!(
                "the last {comes} at {} seconds, and the window has {} seconds",
                words(last.until()),
                words(window)
            ),
            "let that be half a second before the window closes or earlier, with time to recover",
        );
    }
    Ok(())
}

fn wrong(problem: impl Into<String>, hint: &str) -> Checked<()> {
    Err(Flaw::new("faults", problem, hint))
}
