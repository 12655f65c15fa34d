//! The separate checker. It knows the rules of games and the format of certificates, and no search: what it
//! accepts was verified without trusting the program that found it.

use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use quod_model::{Adapter, Game, Notation, Registry};
use quod_proof::{Certificate, CheckError, Checked, check};

/// What the checker wants of a game.
pub trait Judge {
    /// Checks a certificate.
    ///
    /// # Errors
    /// If it is not accepted.
    fn check(&self, certificate: &Certificate) -> Result<Checked, CheckError>;
}

struct Rules<G>(G);

impl<G: Notation> Judge for Rules<G> {
    fn check(&self, certificate: &Certificate) -> Result<Checked, CheckError> {
        check(&self.0, certificate, &mut |_| true)
    }
}

/// Makes a [`Judge`] of every game.
pub struct Judges;

impl Adapter for Judges {
    type Door = dyn Judge;
    fn wrap<G: Game + Notation>(game: G) -> Box<dyn Judge> {
        Box::new(Rules(game))
    }
}

/// The games of Quod. Add your own with [`Registry::with`].
#[must_use]
pub fn games() -> Registry<Judges> {
    quod_games::add_to(Registry::default())
}

const USAGE: &str = "\
Checks certificates of game values by the rules of the game alone.

Usage: quod-check FILE                     check a certificate
       quod-check --to-text FILE [TEXT]    write it in a form to read and edit
       quod-check --from-text TEXT FILE    make a certificate of such a text

Exit status: 0 accepted, 1 refused, 2 unreadable or wrong usage.
Example: quod solve connect4:4x4 --certificate c4.quod && quod-check c4.quod
";

/// The program: reads the arguments, prints, and returns the exit status.
#[must_use]
pub fn run(games: &Registry<Judges>) -> ExitCode {
    let arguments: Vec<String> =
        std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match words[..] {
        ["-h" | "--help"] => {
            print!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        ["-V" | "--version"] => {
            println!("quod-check {}", env!("CARGO_PKG_VERSION"));
            return ExitCode::SUCCESS;
        }
        ["--to-text", file] => to_text(file).map(|text| print!("{text}")),
        ["--to-text", file, out] => to_text(file).and_then(|text| write(out, text.as_bytes())),
        ["--from-text", text, out] => from_text(text).and_then(|file| write(out, &file)),
        [file] if !file.starts_with('-') => check_file(games, file).map(|report| print!("{report}")),
        _ => Err((2, format!("wrong usage\n\n{USAGE}"))),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err((status, message)) => {
            eprintln!("quod-check: {}", message.trim_end());
            ExitCode::from(status)
        }
    }
}

/// An exit status and a message.
type Failure = (u8, String);

fn check_file(games: &Registry<Judges>, file: &str) -> Result<String, Failure> {
    let begun = Instant::now();
    let failure = |error: CheckError| (if error.is_refusal() { 1 } else { 2 }, format!("{file}: {error}"));
    let certificate = decode(file)?;
    let game = games.open(&certificate.game).map_err(|error| failure(error.into()))?;
    let checked = game.check(&certificate).map_err(failure)?;
    Ok(format!("{checked}  checked in {:.2} s\n", begun.elapsed().as_secs_f64()))
}

fn decode(file: &str) -> Result<Certificate, Failure> {
    Certificate::decode(&read(file)?).map_err(|error| (2, format!("{file}: unreadable: {error}")))
}

fn to_text(file: &str) -> Result<String, Failure> {
    Ok(decode(file)?.to_text())
}

fn from_text(file: &str) -> Result<Vec<u8>, Failure> {
    let text = String::from_utf8(read(file)?).map_err(|_| (2, format!("{file}: this is not text")))?;
    let certificate = Certificate::from_text(&text).map_err(|error| (2, format!("{file}: {error}")))?;
    Ok(certificate.encode())
}

fn read(file: &str) -> Result<Vec<u8>, Failure> {
    std::fs::read(Path::new(file)).map_err(|error| (2, format!("cannot read {file}: {error}")))
}

fn write(file: &str, bytes: &[u8]) -> Result<(), Failure> {
    std::fs::write(file, bytes).map_err(|error| (2, format!("cannot write {file}: {error}")))
}
