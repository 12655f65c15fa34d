//! A game of one's own with the whole command line of Quod: `cargo run -p own-game -- solve nim:3-4-5`.

mod nim;

use std::process::ExitCode;

fn main() -> ExitCode {
    quod_cli::run(quod_cli::games().with(nim::Named))
}
