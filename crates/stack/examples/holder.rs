//! Starts a stack, prints `FOLDER SERVER-PID GUARDIAN-PID`, and holds it until its input ends. Tests
//! kill it to see what becomes of the stack.
//!
//! Usage: `holder APP CATALOGUE PYTHON GUARD ENTRY`

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use record::{Choice, Variant};
use stack::{Catalogue, GuardCommand, Machine, Options, StackError};

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [app, catalogue, python, guard, entry] = words.as_slice() else {
        eprintln!("usage: holder APP CATALOGUE PYTHON GUARD ENTRY");
        return ExitCode::FAILURE;
    };
    match hold([app, catalogue, python, guard].map(PathBuf::from), entry) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}\n{}", error.log_tail().join("\n"));
            ExitCode::FAILURE
        }
    }
}

fn hold([app, catalogue, python, guard]: [PathBuf; 4], entry: &str) -> Result<(), StackError> {
    let interrupted = AtomicBool::new(false);
    let app = stack::app::read(&app, Some(&python))?;
    let variant = Variant {
        name: "held".into(),
        title: String::new(),
        server: Some(Choice::of(entry)),
        fronts: Vec::new(),
        route: app.routes[0].name(),
        ..Variant::default()
    };
    let composition = Machine::new(Catalogue::load(&[catalogue])?, 1).compose(&variant, &app)?;
    let options = Options {
        guard: GuardCommand {
            program: guard,
            args: Vec::new(),
        },
        ..Options::new(&interrupted)
    };
    let running = stack::start(&composition, &options)?;
    let folder = running.programs()[0]
        .log
        .parent()
        .unwrap_or(&app.dir)
        .to_owned();
    println!(
        "{} {} {}",
        folder.display(),
        running.processes()[0].0,
        running.guardians()[0].0
    );
    let _ = std::io::stdin().lines().last();
    running.stop().map(|_| ())
}
