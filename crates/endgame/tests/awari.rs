//! Databases of Awari against published and reproduced figures.

use quod_endgame::{BuildOptions, Databases, SliceFile, build, verify};
use quod_games::{Awari, TicTacToe};
use quod_model::testkit::Truth;
use quod_model::{Game, Notation, Oracle, Value};

/// Won, drawn, lost and the sum of values, for each number of stones.
const COUNTS: [(u64, u64, u64, i64); 14] = [
    (0, 1, 0, 0),
    (5, 0, 7, -2),
    (25, 13, 40, -30),
    (123, 63, 178, -177),
    (580, 143, 642, -358),
    (2165, 0, 2203, -115),
    (5698, 1548, 5130, 3738),
    (14_921, 4487, 12_416, 19_081),
    (37_767, 8351, 29_464, 62_331),
    (85_285, 20_308, 62_367, 178_331),
    (157_721, 93_743, 101_252, 394_988),
    (371_960, 92_787, 240_685, 907_821),
    (714_486, 197_894, 439_698, 1_744_456),
    (1_364_947, 312_251, 818_946, 3_366_569),
];

#[test]
fn the_known_counts_come_out() {
    let game = Awari::default();
    let dir = tempfile::tempdir().unwrap();
    let options = BuildOptions { threads: 2, ..BuildOptions::up_to(13) };
    build(&game, dir.path(), &options, &mut |_| true).unwrap();
    let databases = Databases::open(dir.path(), &game).unwrap();
    let counts = databases.slices().iter().map(|slice| {
        let summary = slice.summary();
        (summary.won, summary.drawn, summary.lost, summary.sum)
    });
    assert_eq!(counts.collect::<Vec<_>>(), COUNTS);
    assert_eq!(databases.slices()[13].summary().fnv, 0x242c_1d26_2c56_8328);
    let numbers = databases.slices().iter().map(SliceFile::size).sum();
    assert_eq!(verify(&game, dir.path(), 2, &mut |_| true).unwrap(), Some(numbers));
    // With something captured before, and for the other player.
    let position = game.parse_position("1 0 0 1 0 0 / 1 0 2 0 0 0 N 3 1").unwrap();
    for (position, value) in Truth::new(&game, &position).iter() {
        assert_eq!(databases.value(&game, position), Some(value), "{}", game.position_text(position));
    }
}

#[test]
fn other_boards_have_their_true_values() {
    for (width, stones) in [(2, 2), (2, 3), (3, 1), (3, 2)] {
        let game = Awari::new(width, stones).unwrap();
        let dir = tempfile::tempdir().unwrap();
        let last = 2 * u32::from(width * stones);
        build(&game, dir.path(), &BuildOptions::up_to(last), &mut |_| true).unwrap();
        let databases = Databases::open(dir.path(), &game).unwrap();
        for (position, value) in Truth::new(&game, &game.start()).iter() {
            assert_eq!(databases.value(&game, position), Some(value), "{}", game.position_text(position));
        }
    }
}

#[test]
fn all_of_tic_tac_toe() {
    let dir = tempfile::tempdir().unwrap();
    build(&TicTacToe, dir.path(), &BuildOptions::up_to(9), &mut |_| true).unwrap();
    let databases = Databases::open(dir.path(), &TicTacToe).unwrap();
    for (position, value) in Truth::new(&TicTacToe, &TicTacToe.start()).iter() {
        assert_eq!(databases.value(&TicTacToe, position), Some(value), "{position:?}");
    }
    assert_eq!(databases.value(&TicTacToe, &TicTacToe.start()), Some(Value::DRAW));
    verify(&TicTacToe, dir.path(), 2, &mut |_| true).unwrap();
    let other = Databases::open(dir.path(), &Awari::default()).err().unwrap().to_string();
    assert!(
        other.contains("a slice of tictactoe (rules version 1), not of awari (rules version 1)"),
        "{other}"
    );
}
