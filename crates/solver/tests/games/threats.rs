//! Answers that stand on lines of threats, against searches and truths that know none.

use quod_games::{Gomoku, Qubic};
use quod_model::testkit::Truth;
use quod_model::{Game, Notation};
use quod_proof::testkit::naive_check;
use quod_proof::{Certificate, Layout, check_bytes};
use quod_solver::{
    Aim, Algorithm, Keeping, Limits, Phase, Place, Report, Request, Snapshot, Stop, Watch, games, read_suite,
    solve, solve_keeping,
};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::verdicts::{Tally, judge};

const LITTLE: u64 = 64 << 10;
const ENOUGH: u64 = 16 << 20;

fn cuboid([x, y, z, row]: [u8; 4]) -> Qubic {
    Qubic::new(x, y, z, row).expect("the box fits")
}

fn board(size: u32, row: u32) -> Gomoku<4> {
    Gomoku::new(size, row).expect("the board fits")
}

/// A position that so many random moves lead to, and that is not over.
fn random_position<G: Game>(game: &G, stones: u32, random: &mut Xoshiro256PlusPlus) -> G::Position {
    loop {
        let mut position = game.start();
        for _ in 0..stones {
            let mut moves = Vec::new();
            if game.outcome(&position).is_none() {
                game.moves(&position, &mut moves);
                position = game.after(&position, moves[random.random_range(0..moves.len())]);
            }
        }
        if game.outcome(&position).is_none() {
            return position;
        }
    }
}

/// Wins are laid out as they are played, and another checker accepts them too.
fn check_layout<G: Notation>(game: &G, certificate: &Certificate, value: i32) {
    let layout = if value == 0 { Layout::Positions } else { Layout::Brief };
    assert_eq!(certificate.layout, layout, "value {value}: {certificate:?}");
    assert!(naive_check(game, certificate, None), "{certificate:?}");
}

#[test]
fn answers_by_threats_are_true_in_any_memory() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let random = &mut random;
    true_in_any_memory(&cuboid([3, 3, 3, 3]), 11..=16, random);
    true_in_any_memory(&cuboid([4, 4, 2, 4]), 20..=24, random);
    true_in_any_memory(&cuboid([4, 4, 2, 3]), 18..=22, random);
    true_in_any_memory(&cuboid([4, 4, 4, 4]), 51..=56, random);
    true_in_any_memory(&board(4, 3), 4..=6, random);
    true_in_any_memory(&board(5, 4), 12..=16, random);
    true_in_any_memory(&board(6, 5), 24..=28, random);
    true_in_any_memory(&board(5, 4).with_exact_rows(), 12..=16, random);
}

fn true_in_any_memory<G: Notation>(
    game: &G,
    stones: std::ops::RangeInclusive<u32>,
    random: &mut Xoshiro256PlusPlus,
) {
    let roots = 25;
    let (mut tally, mut wins) = (Tally::default(), 0);
    for _ in 0..roots {
        let root = random_position(game, random.random_range(stones.clone()), random);
        let truth = Truth::new(game, &root);
        let value = truth.value(&root).seen_by(game.to_move(&root)).0;
        wins += u32::from(value != 0);
        for (threads, memory) in [(1, LITTLE), (1, ENOUGH), (2, LITTLE), (2, ENOUGH)] {
            let limits = Limits { memory: Some(memory), ..Limits::default() };
            let threads = Some(threads);
            let request = Request { certificate: true, limits, threads, ..Request::default() };
            let unsolved = tally.unsolved + tally.uncertified;
            let certificate =
                judge(game, &truth, &root, None, &request, |report| format!("{report:#?}"), &mut tally);
            if let Some(certificate) = certificate.filter(|_| tally.unsolved == unsolved) {
                check_layout(game, &certificate, value);
            }
            assert!(memory == LITTLE || tally.unsolved + tally.uncertified == unsolved, "{request:?}");
        }
    }
    println!(
        "{}: {wins} wins of {roots} positions, {} searches, {} unsolved and {} without a certificate for lack of memory",
        game.game_text(),
        tally.searches,
        tally.unsolved,
        tally.uncertified
    );
    assert!(wins > 5, "{}: {wins} wins", game.game_text());
}

/// Positions of which only searches know the value: one that looks for threats, and one that does not.
#[test]
fn searches_with_and_without_threats_agree() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(2);
    let random = &mut random;
    agree(&cuboid([3, 3, 3, 3]), 2..=8, 10, random);
    agree(&cuboid([4, 4, 2, 4]), 17..=20, 10, random);
    agree(&cuboid([4, 4, 2, 3]), 3..=10, 10, random);
    agree(&cuboid([4, 4, 4, 4]), 40..=48, 20, random);
    agree(&board(5, 3), 2..=6, 10, random);
    agree(&board(6, 4), 12..=20, 20, random);
    agree(&board(7, 5).with_exact_rows(), 30..=36, 20, random);
}

fn agree<G: Notation>(
    game: &G,
    stones: std::ops::RangeInclusive<u32>,
    roots: u32,
    random: &mut Xoshiro256PlusPlus,
) {
    let mut compared = 0;
    for _ in 0..roots {
        let root = random_position(game, random.random_range(stones.clone()), random);
        let limits = Limits { memory: Some(ENOUGH), nodes: Some(200_000), ..Limits::default() };
        let plain = Request { algorithm: Algorithm::Dfpn, limits, ..Request::default() };
        let plain = solve(game, &root, &plain, &mut ()).expect("a right request").report;
        for threads in [1, 2] {
            let limits = Limits { memory: Some(ENOUGH), nodes: Some(200_000), ..Limits::default() };
            let threads = Some(threads);
            let request = Request { certificate: true, limits, threads, ..Request::default() };
            let solution = solve(game, &root, &request, &mut ()).expect("a right request");
            let report = &solution.report;
            let agree = report.lower <= plain.upper && plain.lower <= report.upper;
            assert!(agree, "{report:#?}\n{plain:#?}");
            compared += u32::from(report.stop == Stop::Solved && plain.stop == Stop::Solved);
            if let (Some(certificate), Some(value)) = (&solution.certificate, report.value) {
                let checked = check_bytes(game, &certificate.encode()).expect("it is accepted");
                assert_eq!(checked.exact.map(|(value, _)| value.0), Some(value));
                check_layout(game, certificate, value);
            }
        }
    }
    println!("{}: {compared} of {} answers compared", game.game_text(), 2 * roots);
    assert!(compared >= roots, "{}: {compared} compared", game.game_text());
}

/// Every puzzle is won, with a certificate, and takes next to no search.
#[test]
fn puzzles_are_solved_and_certified() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/gomoku_puzzles.epd");
    let text = std::fs::read_to_string(file).expect("the puzzles are there");
    let door = games().open("gomoku:15").expect("a game");
    let puzzles = read_suite(&*door, "puzzles", &text).expect("a suite");
    assert!(puzzles.len() >= 200, "{} puzzles", puzzles.len());
    let game = board(15, 5);
    let (mut nodes, mut longest) = (0, 0);
    for (number, puzzle) in puzzles.iter().enumerate() {
        // All are searched, and every eighth is certified and checked.
        let certificate = number % 8 == 0;
        let request = Request { aim: Aim::AtLeast(1), certificate, ..Request::default() };
        let place = Place { position: Some(puzzle.position.clone()), moves: None };
        let solution = door.solve(&place, &request, &mut ()).expect("a right request");
        assert_eq!(solution.report.verdict, "proven", "{}: {:?}", puzzle.id, solution.report);
        nodes += solution.report.nodes;
        longest = longest.max(solution.wins_in.unwrap_or(0));
        if let Some(certificate) = solution.certificate {
            check_bytes(&game, &certificate.encode()).expect("it is accepted");
        }
    }
    println!("{} puzzles, {nodes} nodes, up to {longest} moves", puzzles.len());
    assert!(nodes < 20 * puzzles.len() as u64, "{nodes} nodes");
}

/// Somebody who stops the work after so many looks.
struct Impatient(u32);

impl Watch for Impatient {
    fn goes_on(&mut self, _: &Snapshot) -> bool {
        self.0 = self.0.saturating_sub(1);
        self.0 > 0
    }
}

/// Somebody who stops the work when it is played out.
struct Spoiler;

impl Watch for Spoiler {
    fn goes_on(&mut self, snapshot: &Snapshot) -> bool {
        !matches!(snapshot.phase, Phase::Certificate(_))
    }
}

/// A win by threats is told when every reply was played, also where nobody asks for a certificate.
#[test]
fn wins_by_threats_are_played_out_before_they_are_told() {
    let game = board(15, 5);
    let mut position = game.start();
    for word in ["h8", "h9", "i9", "h10"] {
        position = game.after(&position, game.parse_move(&position, word).expect("a move"));
    }
    for certificate in [false, true] {
        let request = Request { certificate, threads: Some(1), aim: Aim::AtLeast(1), ..Request::default() };
        let told = solve(&game, &position, &request, &mut ()).expect("a right request");
        assert_eq!((told.report.verdict, told.certificate.is_some()), ("proven", certificate));
        let untold = solve(&game, &position, &request, &mut Spoiler).expect("a right request");
        let Report { verdict, stop, upper, lower, best_move, .. } = untold.report;
        assert_eq!((verdict, stop, lower, upper, best_move), ("unknown", Stop::Interrupted, -1, 1, None));
        let problem = untold.certificate_problem.expect("somebody stopped it");
        assert!(problem.contains("a win was found, but not played out"), "{problem}");
    }
}

/// An opening is proved piece by piece, goes on where it was stopped, finds damaged pieces, and ends with one certificate.
#[test]
fn openings_are_proved_in_pieces_that_are_joined() {
    let game = board(7, 4);
    let folder = tempfile::tempdir().expect("a folder");
    let keeping = Keeping {
        folder: folder.path().join("opening"),
        every: std::time::Duration::from_secs(300),
        resume: false,
        label: "[]".to_owned(),
    };
    let request = Request { certificate: true, ..Request::default() };
    let prove = |watch: &mut dyn Watch| {
        solve_keeping(&game, &game.start(), &request, None, &keeping, watch).expect("a folder of its own")
    };
    let stopped = prove(&mut Impatient(2));
    let pieces = || {
        let files = std::fs::read_dir(&keeping.folder).expect("a folder").flatten();
        files.map(|file| file.path()).filter(|path| path.extension().is_some_and(|end| end == "quod"))
    };
    let first = pieces().count();
    println!("stopped after {first} pieces: {:?}", stopped.report.stop);
    let whole = prove(&mut ());
    assert_eq!((whole.report.value, whole.report.stop), (Some(1), Stop::Solved));
    let certificate = whole.certificate.expect("it was asked for");
    let checked = check_bytes(&game, &certificate.encode()).expect("it is accepted");
    assert_eq!(checked.exact.map(|(value, _)| value.0), Some(1));
    // A piece that is damaged is proved again.
    let piece = pieces().next().expect("there are pieces");
    let mut bytes = std::fs::read(&piece).expect("it is there");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&piece, bytes).expect("it can be written");
    let again = prove(&mut ());
    assert_eq!(again.certificate.map(|certificate| certificate.encode()), Some(certificate.encode()));
    // Another question does not fit into the folder.
    let other = board(8, 4);
    assert!(solve_keeping(&other, &other.start(), &request, None, &keeping, &mut ()).is_err());
}
