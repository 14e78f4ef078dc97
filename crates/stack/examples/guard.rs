//! The guardian alone, for tests: what `weir guard` is in the binary.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(stack::guardian::main(&[]))
}
