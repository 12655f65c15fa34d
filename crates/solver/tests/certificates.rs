//! What the checker must refuse: damaged files always, altered strategies unless a naive checker that works by
//! another method accepts them too.

use std::time::{Duration, Instant};

use quod_model::testkit::{random_cyclic, random_dag, random_tree};
use quod_model::{Game, Notation, Registry, Relative};
use quod_proof::testkit::{Alterations, Judge, Judges, altered_bytes, naive_check};
use quod_proof::{
    Certificate, CertificateFile, CheckError, Claim, Layout, Part, Refusal, Relation, check_bytes,
};
use quod_solver::{Place, Request, games, solve};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

fn certificate_of<G: Notation>(game: &G) -> Option<Certificate> {
    let request = Request { certificate: true, ..Request::default() };
    solve(game, &game.start(), &request, &mut ()).expect("the request is right").certificate
}

fn chooser(seed: u64) -> impl FnMut(usize) -> usize {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    move |count| random.random_range(0..count)
}

#[test]
fn altered_strategies_are_judged_as_the_naive_checker_does() {
    println!("6000 graphs, seeds 0 to 5999, ten alterations each");
    let (mut accepted, mut refused) = (0, 0);
    for seed in 0..6_000 {
        let graph = match seed % 3 {
            0 => random_tree(seed, 40),
            1 => random_dag(seed, 16),
            _ => random_cyclic(seed, 12),
        };
        let certificate = certificate_of(&graph).expect("a certificate");
        assert!(naive_check(&graph, &certificate, None), "the naive checker refuses seed {seed}");
        let roots = (0..graph.len()).map(|root| graph.name(u32::try_from(root).expect("small")).to_owned());
        let alterations = Alterations { roots: roots.collect(), games: Vec::new() };
        let mut choose = chooser(seed);
        for _ in 0..10 {
            let mut altered = certificate.clone();
            alterations.apply(&mut altered, &mut choose);
            let judgement = graph.judge(&altered.encode(), u64::MAX);
            assert!(!judgement.is_split(), "seed {seed}\n{graph}{altered:?}\n{judgement:?}");
            *(if judgement.naive { &mut accepted } else { &mut refused }) += 1;
        }
    }
    println!("{accepted} altered certificates are right too, {refused} are refused");
    assert!(accepted > 1_000 && refused > 10_000, "{accepted} accepted, {refused} refused");
}

#[test]
fn every_damaged_byte_and_every_cut_is_noticed() {
    every_damage_is_noticed(&quod_games::ConnectFour::<u64>::new(4, 4, 4).expect("the board fits"));
    every_damage_is_noticed(&quod_games::Qubic::new(3, 3, 3, 3).expect("the box fits"));
}

fn every_damage_is_noticed<G: Notation>(game: &G) {
    let file = certificate_of(game).expect("a proof").encode();
    assert!(check_bytes(game, &file).is_ok());
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    for at in 0..file.len() {
        for change in [1 << (at % 8), random.random_range(1..=255)] {
            let mut damaged = file.clone();
            damaged[at] ^= change;
            assert!(check_bytes(game, &damaged).is_err(), "byte {at} changed by {change}");
        }
        assert!(check_bytes(game, &file[..at]).is_err(), "cut to {at} bytes");
    }
    let mut longer = file.clone();
    longer.push(0);
    assert!(check_bytes(game, &longer).is_err());
}

#[test]
fn a_certificate_is_for_one_game_only() {
    let file = certificate_of(&quod_games::TicTacToe).expect("a proof").encode();
    let certificate = CertificateFile::open(&file).expect("a good file");
    let other = games().open("connect4:4x4").expect("a game");
    let error = other.check(&certificate, &mut |_| true).unwrap_err();
    assert_eq!(error.to_string(), "unreadable: it is about tictactoe, not about connect4:4x4");
}

/// What is laid out as it is played has no place for a test of cycles.
#[test]
fn games_that_may_go_on_for_ever_are_not_laid_out_as_they_are_played() {
    let game = random_cyclic(3, 12);
    let certificate = certificate_of(&game).expect("a proof");
    assert!(check_bytes(&game, &certificate.encode()).is_ok());
    let claim = certificate.parts[0].claim;
    let played = Certificate { layout: Layout::Brief, ..certificate };
    let refusal = Refusal::Endless;
    assert_eq!(check_bytes(&game, &played.encode()), Err(CheckError::Refused { claim, refusal }));
    assert!(!naive_check(&game, &played, None));
}

/// A certificate that was not checked to the end is neither accepted nor refused.
#[test]
fn a_stopped_check_says_nothing() {
    let game = quod_games::ConnectFour::<u64>::new(5, 4, 4).expect("the board fits");
    let file = certificate_of(&game).expect("a proof").encode();
    let file = CertificateFile::open(&file).expect("a good file");
    let error = quod_proof::check(&game, &file, &mut |_| false).unwrap_err();
    assert!(error == CheckError::Interrupted && !error.is_refusal(), "{error}");
}

/// Games, positions and goals: with one claim and with two, with cycles and without, with symmetries, bounds and a past, and laid out as they are played.
const GAMES: [(&str, Option<&str>, &str); 14] = [
    ("tictactoe", None, "value"),
    ("connect4:4x4", None, "value"),
    ("morris:3", None, "win"),
    ("morris:3", Some("o.x/x.o/ox. x 0 0"), "value"),
    ("morris:6", Some("..x/.x./..x./o../o.o x 0 0"), "value"),
    ("woodpush:6", None, "value"),
    ("awari:3x2", None, "value"),
    ("kalah:3x3", None, "value"),
    ("chess", Some("8/8/8/3k4/8/3K4/8/6Q1 w - -"), "mate"),
    ("antichess", Some("8/8/8/3p1p2/4P3/8/8/8 w - - 0 1"), "win"),
    ("qubic:3x3x3", None, "value"),
    ("qubic:4x4x2,row=3", None, "value"),
    ("qubic:4x4x2", Some("..../..../.o../.oo.|...x/..../..x./..x."), "value"),
    (
        "qubic:4x4x4",
        Some("..../..../..x./....|...x/.x../..../x..x|.o../o.../..../..o.|..../..../o.../...."),
        "value",
    ),
];
/// Alterations of all of them in an ordinary test run; `QUOD_JUDGE_CERTIFICATES` sets another number.
const ALTERED: usize = 100_000;
/// More than any altered strategy covers: a stored move leads to no more positions than the other side has moves.
const POSITIONS_MAX: u64 = 1 << 20;
/// The naive checker goes down by recursion, as deep as a strategy is.
const STACK_BYTES: usize = 256 << 20;
/// No file may take longer to be judged, by both checkers.
const PATIENCE: Duration = Duration::from_secs(5);

/// Whoever alters a certificate can seal it again. None is accepted that the naive checker refuses.
#[test]
fn altered_certificates_of_games_are_judged_as_the_naive_checker_does() {
    let worker = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(alter_games).expect("a thread");
    assert!(worker.join().is_ok(), "see above");
}

fn alter_games() {
    let altered = std::env::var("QUOD_JUDGE_CERTIFICATES").map(|number| number.parse().expect("a number"));
    let each = altered.unwrap_or(ALTERED).div_ceil(GAMES.len());
    let judges = quod_games::add_to(Registry::<Judges>::default());
    for (seed, (game, position, goal)) in (0..).zip(GAMES) {
        let door = games().open(game).expect("a game");
        let place = Place { position: position.map(str::to_owned), moves: None };
        let aim = door.aim(Some(goal)).expect("a goal");
        let request = Request { aim, certificate: true, ..Request::default() };
        let solution = door.solve(&place, &request, &mut ()).expect("a right request");
        let certificate = solution.certificate.expect("a proof");
        assert_eq!(certificate.layout == Layout::Brief, game.starts_with("qubic"), "{game}");
        assert_eq!(Certificate::from_text(&certificate.to_text()).as_ref(), Ok(&certificate), "{game}");
        let file = certificate.encode();
        let mut choose = chooser(seed);
        let judge = judges.open(game).expect("a game");
        let roots = judge.roots(&certificate.root, 40, &mut choose);
        let games = GAMES.map(|(name, ..)| name.to_owned()).to_vec();
        let alterations = Alterations { roots, games };
        assert!(judge.judge(&file, u64::MAX).naive, "the naive checker refuses {game}");
        let (mut accepted, mut slowest) = (0, Duration::ZERO);
        for number in 0..each {
            let begun = Instant::now();
            let altered = match number % 3 {
                0 => altered_bytes(&file, &mut choose),
                _ => {
                    let mut altered = certificate.clone();
                    (0..=choose(3)).for_each(|_| alterations.apply(&mut altered, &mut choose));
                    altered.encode()
                }
            };
            // As the program does it: the file names its game.
            let Ok(opened) = CertificateFile::open(&altered) else { continue };
            let Ok(judge) = judges.open(&opened.game) else { continue };
            let judgement = judge.judge(&altered, POSITIONS_MAX);
            let told = || format!("{game}, alteration {number}: {:?}\n{judgement:?}", opened.unpack());
            assert!(!judgement.is_split(), "{}", told());
            assert!(judgement.checked != Err(CheckError::Interrupted), "{}", told());
            accepted += usize::from(judgement.naive);
            slowest = slowest.max(begun.elapsed());
            assert!(slowest < PATIENCE, "{slowest:?}: {}", told());
        }
        assert!(
            accepted > 0 && accepted * 2 < each,
            "{accepted} of {each} accepted: alterations must matter"
        );
        let positions: u64 = certificate.parts.iter().map(|part| part.positions).sum();
        println!(
            "{game}: {positions} positions, {each} alterations, {accepted} of them right too, at most {slowest:.1?}"
        );
    }
}

/// A small file whose strategy is endless keeps nobody busy for longer than it says.
#[test]
fn more_positions_than_the_file_says_are_refused_at_once() {
    // Hardly any ending breaks this claim, and hardly any position shows it.
    let game = quod_games::Awari::new(6, 4).expect("a board that there is");
    let claim = Claim { relation: Relation::AtLeast, value: Relative(-46) };
    let part = Part { claim, positions: 10, moves: vec![0; 1 << 20] };
    let certificate = Certificate::new(&game, &game.start(), None, vec![part]);
    let begun = Instant::now();
    let refusal = Refusal::Positions { said: 10, found: 4096 };
    assert_eq!(check_bytes(&game, &certificate.encode()), Err(CheckError::Refused { claim, refusal }));
    assert!(begun.elapsed() < PATIENCE, "{:?}", begun.elapsed());
}
