use record::Talk;
use serde::Serialize;

use crate::habits::{Habit, HabitKind, habits};
use crate::seen_run::SeenRun;

/// How a client of a plan talked, over its trials that count.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Talked {
    /// How it did in one of them, the first that shows most of what is usual.
    pub talk: Talk,
    /// What stands out in it, and in more than half of all.
    pub habits: Vec<Usual>,
}

/// What stands out in more than half of a client's trials.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Usual {
    /// As the trial of `talk` has it.
    #[serde(flatten)]
    pub habit: Habit,
    /// Trials that have it.
    pub in_trials: u32,
    /// Trials that count.
    pub of_trials: u32,
}

/// Of a variant that is a client, unless none of its trials counts.
pub(crate) fn of_variant(seen_run: &SeenRun, variant: &str) -> Option<Talked> {
    let counted = seen_run.of(variant).filter(|seen| seen.opinion.counts);
    let talks = counted.filter_map(|seen| seen.trial.measured()?.load.talk.as_ref());
    usual(&talks.collect::<Vec<_>>())
}

fn usual(talks: &[&Talk]) -> Option<Talked> {
    let each: Vec<_> = talks.iter().map(|talk| habits(talk)).collect();
    let having = |kind: HabitKind| {
        let has = |habits: &&Vec<Habit>| habits.iter().any(|of| of.kind == kind);
        each.iter().filter(has).count()
    };
    let usual = |habits: &[Habit]| -> Vec<Usual> {
        let often = habits.iter().map(|of| (of, having(of.kind)));
        let often = often.filter(|(_, trials)| 2 * trials > talks.len());
        often
            .map(|(of, trials)| Usual {
                habit: of.clone(),
                in_trials: trials as u32,
                of_trials: talks.len() as u32,
            })
            .collect()
    };
    let told = talks.iter().zip(&each);
    let told = told.map(|(talk, habits)| (*talk, usual(habits)));
    // the first of those with as many
    let (talk, habits) = told.rev().max_by_key(|(_, habits)| habits.len())?;
    Some(Talked {
        talk: talk.clone(),
        habits,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn talk(requests: u64, connections: u64) -> Talk {
        Talk {
            requests,
            connections,
            ..Talk::default()
        }
    }

    #[test]
    fn what_most_trials_show_is_usual() {
        let (kept, anew, more) = (talk(100, 1), talk(100, 100), talk(90, 90));
        let told = usual(&[&kept, &anew, &more]).unwrap();
        assert_eq!(told.talk, anew, "the first that has it");
        let [of] = &told.habits[..] else {
            panic!("{told:?}")
        };
        let shown = (of.habit.kind, of.in_trials, of.of_trials);
        assert_eq!(shown, (HabitKind::Anew, 2, 3));
    }

    #[test]
    fn what_half_of_them_show_is_not() {
        let (kept, anew) = (talk(100, 1), talk(100, 100));
        let told = usual(&[&kept, &anew]).unwrap();
        assert_eq!((told.talk, told.habits), (kept, vec![]));
        assert_eq!(usual(&[]), None);
    }
}
