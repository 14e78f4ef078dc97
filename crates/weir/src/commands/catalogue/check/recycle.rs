//! What it costs that each worker is replaced after so many requests, as is done against leaks of memory.

use record::{Amount, Knob, LoadFacts, Trial};
use report::units;

use super::faults::{Set, happened};
use super::tester::{Befallen, Tester, load_words};
use crate::error::Result;

/// Requests after which a worker is replaced: so few that it is several times in a window.
const AFTER: i64 = 100;
/// Seconds of a window.
const SECONDS: f64 = 2.0;
/// Windows with that limit, and as many without it.
const PAIRS: u32 = 3;

/// What befalls it.
pub(super) fn what() -> String {
    format!("a worker restarts after {AFTER} requests")
}

/// Loads a variant as it is, and with this knob as the limit. None where it is too slow for a worker to come to its limit.
pub(super) fn costs(tester: &Tester, set: &Set, knob: &str) -> Result<Befallen> {
    let usual = set.variant.clone();
    let mut recycled = usual.clone();
    recycled.name.push_str("+recycled");
    let Some(server) = &mut recycled.server else {
        return Ok(Ok(None));
    };
    server.knobs.insert(knob.to_owned(), Knob::Number(AFTER));
    let names = [usual.name.clone(), recycled.name.clone()];
    let (app, variants) = (set.scene.app.clone(), vec![usual, recycled]);
    let amount = Amount::Seconds(SECONDS);
    let mut plan = Tester::plan(app, variants, names[0].clone(), amount);
    plan.blocks = PAIRS;
    let (trials, ended) = tester.run(&plan, &mut |_| {})?;
    if let Err(error) = ended {
        return Ok(Err(load_words(&error)));
    }
    let standing: Vec<&Trial> = judge::standing(&trials).collect();
    let load = |block: u32, name: &str| {
        let own = standing.iter().filter(|of| of.block == block);
        let mut own = own.filter(|of| of.variant == name);
        own.find_map(|of| of.measured()).map(|of| &of.load)
    };
    let pair = |block: u32| Some((load(block, &names[0])?, load(block, &names[1])?));
    Ok(told(&(0..PAIRS).filter_map(pair).collect::<Vec<_>>()))
}

/// What pairs of loads say: as it is, and with the limit.
fn told(pairs: &[(&LoadFacts, &LoadFacts)]) -> Befallen {
    let ratios = pairs.iter().map(|(usual, recycled)| {
        let usual = usual.throughput();
        (usual > 0.0).then(|| recycled.throughput() / usual)
    });
    let mut ratios: Vec<f64> = ratios.flatten().collect();
    ratios.sort_by(f64::total_cmp);
    let (Some(least), Some(most)) = (ratios.first(), ratios.last()) else {
        return Err("nothing was measured".to_owned());
    };
    let asked: u64 = pairs.iter().map(|(_, of)| of.scheduled).sum();
    let failed: u64 = pairs.iter().map(|(_, of)| of.lost()).sum();
    // each window begins with workers that were just started
    let fewest = pairs.iter().map(|(_, of)| of.scheduled).min();
    if fewest < Some(AFTER.unsigned_abs()) {
        return Ok(None);
    }
    let share = |ratio: f64| units::percent(1.0 - ratio);
    let costs = if *most >= 1.0 {
        format!("costs nothing that {} pairs of windows show", ratios.len())
    } else {
        let median = ratios[ratios.len() / 2];
        format!(
            "costs {} of the throughput ({} to {})",
            share(median),
            share(*most),
            share(*least)
        )
    };
    let failed = format!(
        "{} of {} requests failed",
        units::count(failed),
        units::count(asked)
    );
    Ok(Some(happened(format!("{costs}; {failed}"))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(completed: u64, timed_out: u64) -> LoadFacts {
        LoadFacts {
            seconds: 2.0,
            scheduled: completed + timed_out,
            completed,
            timed_out,
            ..LoadFacts::default()
        }
    }

    fn said(pairs: &[(u64, u64)]) -> String {
        let loads: Vec<_> = pairs
            .iter()
            .map(|(usual, recycled)| (load(*usual, 0), load(*recycled, 1)))
            .collect();
        let pairs: Vec<_> = loads.iter().map(|(one, other)| (one, other)).collect();
        told(&pairs).unwrap().map_or_else(String::new, |of| of.said)
    }

    #[test]
    fn the_cost_is_that_of_the_pair_in_the_middle() {
        assert_eq!(
            said(&[(1_000, 900), (1_000, 950), (1_000, 800)]),
            "costs 10.0 % of the throughput (5.00 % to 20.0 %); 3 of 2,653 requests failed"
        );
    }

    #[test]
    fn what_may_be_chance_is_no_cost() {
        let told = said(&[(1_000, 900), (1_000, 1_010), (1_000, 990)]);
        assert!(told.starts_with("costs nothing that 3 pairs"), "{told}");
        let slow = said(&[(50, 40), (50, 40), (50, 40)]);
        assert_eq!(slow, "", "no worker came to its limit in a window");
    }

    #[test]
    fn without_a_pair_nothing_is_said() {
        assert!(told(&[]).is_err());
    }
}
