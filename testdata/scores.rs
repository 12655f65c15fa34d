//! Reads `connect4_scores.txt`: moves from the empty board and the score behind them.

/// All positions of the file.
pub fn known() -> Vec<(String, i32)> {
    let lines = include_str!("connect4_scores.txt").lines().filter(|line| !line.starts_with('#'));
    let pair = |line: &str| {
        let (moves, score) = line.split_once(' ').expect("moves and a score");
        (moves.to_owned(), score.parse().expect("a score is a number"))
    };
    lines.map(pair).collect()
}
