//! `quod`: the command line.

use std::process::ExitCode;

fn main() -> ExitCode {
    quod_cli::run(quod_cli::games())
}
