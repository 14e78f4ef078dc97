//! `fuzz TARGET SECONDS [SEED]`: drives a target for so long, with the pinned compiler.

use std::process::ExitCode;
use std::time::Duration;

use fuzz::{Budget, drive, find, samples, targets};

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let target = args.first().and_then(|name| find(name));
    let seconds = args.get(1).and_then(|text| text.parse().ok());
    let (Some(target), Some(seconds)) = (target, seconds) else {
        let names: Vec<_> = targets().iter().map(|target| target.name).collect();
        eprintln!(
            "usage: fuzz TARGET SECONDS [SEED]; targets: {}",
            names.join(", ")
        );
        return ExitCode::from(2);
    };
    let seed = args.get(2).and_then(|text| text.parse().ok());
    let seed = seed.unwrap_or_else(rand::random);
    let samples = match samples(&target) {
        Ok(samples) => samples,
        Err(error) => {
            eprintln!("error: no samples for `{}`: {error}", target.name);
            return ExitCode::FAILURE;
        }
    };
    let budget = Budget::Time(Duration::from_secs(seconds));
    match drive(&target, &samples, budget, seed) {
        Ok(inputs) => {
            println!(
                "{}: {inputs} inputs, seed {seed}, no flaw found",
                target.name
            );
            ExitCode::SUCCESS
        }
        Err(input) => {
            eprintln!("flaw in `{}`, seed {seed}, found by:", target.name);
            eprintln!("{}", input.escape_ascii());
            ExitCode::FAILURE
        }
    }
}
