//! `quod-check`: the separate checker of certificates.

use std::process::ExitCode;

fn main() -> ExitCode {
    quod_check::run(&quod_check::games())
}
