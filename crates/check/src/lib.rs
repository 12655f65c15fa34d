//! The separate checker. It knows the rules of games and the format of certificates, and no search: what it
//! accepts was verified without trusting the program that found it.

use std::io::{ErrorKind, Write as _};
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use quod_endgame::Databases;
use quod_model::{Adapter, Game, Notation, Oracle, Registry};
use quod_proof::{Certificate, CertificateFile, CheckError, Checked, check_leaning};

/// What the checker wants of a game.
pub trait Judge {
    /// Checks a certificate; `databases` is the folder of those that it may cite.
    ///
    /// # Errors
    /// If it is not accepted.
    fn check(
        &self,
        certificate: &CertificateFile<'_>,
        databases: Option<&Path>,
    ) -> Result<Checked, CheckError>;
}

struct Rules<G>(G);

impl<G: Notation> Judge for Rules<G> {
    fn check(
        &self,
        certificate: &CertificateFile<'_>,
        databases: Option<&Path>,
    ) -> Result<Checked, CheckError> {
        let opened = match (databases, certificate.cites) {
            (Some(dir), Some(cited)) => {
                let unusable = |error: quod_endgame::Error| CheckError::DatabaseUnusable(error.to_string());
                let opened = Databases::open(dir, &self.0).map_err(unusable)?.limited(cited.slices);
                opened.check_values().map_err(unusable)?;
                Some(opened)
            }
            _ => None,
        };
        let oracle = opened.as_ref().map(|databases| databases as &dyn Oracle<G>);
        check_leaning(&self.0, certificate, oracle, &mut |_| true)
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
       quod-check --db DIR FILE            check one that cites endgame databases, which are in the folder
       quod-check --to-text FILE [TEXT]    write it in a form to read and edit
       quod-check --from-text TEXT FILE    make a certificate of such a text

Exit status: 0 accepted, 1 refused, 2 unreadable or wrong usage, 3 anything else.
Example: quod solve connect4:4x4 --certificate c4.quod && quod-check c4.quod
";

/// The program: reads the arguments, prints, and returns the exit status.
#[must_use]
pub fn run(games: &Registry<Judges>) -> ExitCode {
    let arguments: Vec<String> =
        std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match words[..] {
        ["-h" | "--help"] => print(USAGE),
        ["-V" | "--version"] => print(concat!("quod-check ", env!("CARGO_PKG_VERSION"), "\n")),
        ["--to-text", file] => to_text(file).and_then(|text| print(&text)),
        ["--to-text", file, out] => to_text(file).and_then(|text| write(out, text.as_bytes())),
        ["--from-text", text, out] => from_text(text).and_then(|file| write(out, &file)),
        [file] if !file.starts_with('-') => check_file(games, file, None).and_then(|report| print(&report)),
        ["--db", dir, file] => {
            check_file(games, file, Some(Path::new(dir))).and_then(|report| print(&report))
        }
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

/// Writes to standard output; a reader that has gone away has read enough.
fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err((3, format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}

fn check_file(games: &Registry<Judges>, file: &str, databases: Option<&Path>) -> Result<String, Failure> {
    let begun = Instant::now();
    let failure = |error: CheckError| (if error.is_refusal() { 1 } else { 2 }, format!("{file}: {error}"));
    if let Some(dir) = databases.filter(|dir| !dir.is_dir()) {
        return Err((2, format!("{}: there is no such folder", dir.display())));
    }
    let bytes = read(file)?;
    let certificate = CertificateFile::open(&bytes).map_err(|error| failure(error.into()))?;
    let game = games.open(&certificate.game).map_err(|error| failure(error.into()))?;
    let checked = game.check(&certificate, databases).map_err(failure)?;
    Ok(format!("{checked}  checked in {:.2} s\n", begun.elapsed().as_secs_f64()))
}

fn to_text(file: &str) -> Result<String, Failure> {
    let certificate = Certificate::decode(&read(file)?);
    Ok(certificate.map_err(|error| (2, format!("{file}: unreadable: {error}")))?.to_text())
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
