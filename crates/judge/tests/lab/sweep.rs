//! Sweeps out of the air.

use record::{Cause, Distribution, Level, Load, Run, Sweep, Trial, Variant};

use super::{REQUESTS, facts, run, trial};

/// A run with a family for each name, each with these levels of `factor`; connections are as many
/// where that is the factor.
pub(crate) fn families(names: &[&str], factor: &str, levels: &[f64]) -> Run {
    let mut run = run(&[names[0]]);
    let template = run.plan.variants.remove(0);
    let load = run.plan.load.clone();
    for family in names {
        for level in levels {
            let variant = Variant {
                name: format!("{family}@{factor}={level}"),
                load: (factor == "connections").then(|| Load {
                    connections: *level as u32,
                    ..load.clone()
                }),
                sweep: Some(Sweep {
                    family: (*family).to_owned(),
                    levels: vec![Level {
                        factor: factor.to_owned(),
                        level: level.to_string(),
                        number: Some(*level),
                    }],
                    added: false,
                }),
                ..template.clone()
            };
            run.plan.variants.push(variant);
        }
    }
    run.plan.baseline.clone_from(&run.plan.variants[0].name);
    run
}

/// A trial of a closed loop with so many clients, in which Little's law holds.
pub(crate) fn loaded(block: u32, variant: &str, clients: f64, rate: f64) -> Trial {
    let mut trial = trial(block, variant, rate);
    let load = &mut facts(&mut trial).load;
    load.connections = clients as u32;
    load.connects = clients as u64;
    load.response = Distribution::default();
    for _ in 0..REQUESTS {
        load.response.record((clients / rate * 1e9) as u64);
    }
    trial
}

/// Six blocks of a sweep over connections, each a little faster than the one before.
pub(crate) fn swept(family: &str, levels: &[f64], rate: impl Fn(f64) -> f64) -> Vec<Trial> {
    let blocks = (0..6).flat_map(|block| levels.iter().map(move |level| (block, *level)));
    blocks
        .map(|(block, clients)| {
            let faster = 1.0 + f64::from(block) / 100.0;
            let variant = format!("{family}@connections={clients}");
            loaded(block, &variant, clients, rate(clients) * faster)
        })
        .collect()
}

/// The same trial with a share of its requests refused.
pub(crate) fn refusing(mut trial: Trial, share: f64) -> Trial {
    let load = &mut facts(&mut trial).load;
    let refused = (REQUESTS as f64 * share) as u64;
    load.completed -= refused;
    load.failed.insert(Cause::Refused, refused);
    load.statuses.insert(200, load.completed);
    load.bodies.compared = load.completed;
    trial
}
