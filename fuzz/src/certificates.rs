//! Certificates: as files, as text, and as files that were altered by somebody who knows how to seal them.

use std::sync::LazyLock;

use quod_model::Registry;
use quod_proof::testkit::{Alterations, Judges, sealed};
use quod_proof::{Certificate, CertificateError, CertificateFile};
use quod_solver::{Games, NodeState, Unfold, games};

use crate::{as_text, message, split_number};

/// Larger ones are opened and not unpacked: what they unpack to is as large as they say.
const UNPACKED_MOVES_MAX: u64 = 1 << 12;
/// Positions after which a check is stopped.
const POSITIONS_MAX: u64 = 1 << 13;
/// How often a certificate is altered at the most.
const ALTERATIONS_MAX: usize = 8;

/// Good certificates, which are altered.
const GOOD: [&[u8]; 11] = [
    include_bytes!("../certificates/tictactoe.quod"),
    include_bytes!("../certificates/connect4.quod"),
    include_bytes!("../certificates/morris.quod"),
    include_bytes!("../certificates/awari.quod"),
    include_bytes!("../certificates/chess.quod"),
    include_bytes!("../certificates/antichess.quod"),
    include_bytes!("../certificates/woodpush.quod"),
    include_bytes!("../certificates/kalah.quod"),
    include_bytes!("../certificates/qubic.quod"),
    include_bytes!("../certificates/gomoku.quod"),
    include_bytes!("../certificates/gomoku-brief.quod"),
];

static GAMES: LazyLock<Registry<Judges>> = LazyLock::new(|| quod_games::add_to(Registry::default()));

static DOORS: LazyLock<Games> = LazyLock::new(games);

static DECODED: LazyLock<Vec<(Certificate, Alterations)>> = LazyLock::new(|| {
    let all: Vec<Certificate> =
        GOOD.iter().map(|file| Certificate::decode(file).expect("a good file")).collect();
    let games: Vec<String> = all.iter().map(|certificate| certificate.game.clone()).collect();
    let with_roots = |certificate: Certificate| {
        let judge = GAMES.open(&certificate.game).expect("a game");
        let mut number = 0;
        let mut choose = |count: usize| {
            number += 1;
            (number * 7 + number / 3) % count
        };
        let roots = judge.roots(&certificate.root, 16, &mut choose);
        (certificate, Alterations { roots, games: games.clone() })
    };
    all.into_iter().map(with_roots).collect()
});

/// Tries bytes as a file, and as the content of one whose checksum is right.
pub(crate) fn check_file(data: &[u8]) {
    check_whole(data);
    check_whole(&sealed(data));
}

fn check_whole(file: &[u8]) {
    let opened = match CertificateFile::open(file) {
        Ok(opened) => opened,
        Err(error) => return check_error(&error),
    };
    let moves = opened.parts.iter().fold(0, |sum: u64, part| sum.saturating_add(part.moves));
    if moves > UNPACKED_MOVES_MAX {
        return;
    }
    match opened.unpack() {
        Ok(certificate) => check_certificate(&certificate),
        Err(error) => check_error(&error),
    }
    judge(&opened.game, file);
}

/// Tries text, and what it says as a file.
pub(crate) fn check_text(data: &[u8]) {
    let certificate = match Certificate::from_text(&as_text(data)) {
        Ok(certificate) => certificate,
        Err(error) => return check_error(&error),
    };
    let file = certificate.encode();
    assert_eq!(Certificate::decode(&file).as_ref(), Ok(&certificate), "what is read as text can be a file");
    check_certificate(&certificate);
    judge(&certificate.game, &file);
}

/// Alters a good certificate as the bytes say.
pub(crate) fn check_edits(data: &[u8]) {
    let Some((number, rest)) = split_number(data, GOOD.len()) else { return };
    let (good, alterations) = &DECODED[number];
    let mut altered = good.clone();
    // Two bytes for each choice, as long as there are any.
    let mut choices = rest
        .chunks(2)
        .map(|bytes| usize::from(bytes[0]) + 256 * bytes.get(1).map_or(0, |byte| usize::from(*byte)));
    for _ in 0..ALTERATIONS_MAX {
        if choices.len() == 0 {
            break;
        }
        alterations.apply(&mut altered, &mut |count| choices.next().unwrap_or(0) % count);
    }
    check_certificate(&altered);
    judge(&altered.game, &altered.encode());
}

/// What is decoded has one meaning, in both forms.
fn check_certificate(certificate: &Certificate) {
    if certificate.parts.len() <= 2 {
        assert_eq!(Certificate::decode(&certificate.encode()).as_ref(), Ok(certificate), "as a file");
        let text = certificate.to_text();
        assert_eq!(Certificate::from_text(&text).as_ref(), Ok(certificate), "as text: {text}");
    } else {
        assert!(Certificate::decode(&certificate.encode()).is_err(), "an exact value is two claims");
    }
}

/// Two checkers have one opinion, if there is such a game.
fn judge(game: &str, file: &[u8]) {
    let Ok(judge) = GAMES.open(game) else { return };
    let judgement = judge.judge(file, POSITIONS_MAX);
    assert!(!judgement.is_split(), "{judgement:?}");
    match judgement.checked {
        Ok(_) => show(game, file),
        Err(error) => message::check(&error.to_string()),
    }
}

/// What is accepted can be gone through: every claim has a first position, and play that follows it stays within.
fn show(game: &str, file: &[u8]) {
    let door = DOORS.open(game).expect("a game that both registries have");
    let opened = CertificateFile::open(file).expect("it was accepted");
    let (checked, proof) = door.demonstrate(&opened, &mut |_| true).expect("it was accepted");
    assert_eq!(checked.claims.len(), proof.claimers().len());
    for claim in 0..checked.claims.len() {
        let how = Unfold { path: "", depth: 3, rows_max: 50 };
        let unfolded = proof.unfold(claim, &how).expect("an empty path can be played");
        let unfolded = unfolded.expect("a claim has a root");
        let rows = [unfolded.node].into_iter().chain(unfolded.rows);
        assert!(rows.into_iter().all(|row| row.state != NodeState::Open), "a proof leads outside of itself");
    }
}

fn check_error(error: &CertificateError) {
    message::check(&error.to_string());
}
