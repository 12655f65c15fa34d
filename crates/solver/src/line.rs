//! A line of play in which both sides keep to what is proven.

use quod_model::{Move, Notation};
use quod_proof::SolutionTree;

use crate::solve::Answer;

/// With both bounds proven, each side plays its own strategy and the line shows the value. With one, its
/// owner plays it against the longest defence. The line ends where the trees do.
pub(crate) fn line<G: Notation>(
    game: &G,
    root: &G::Position,
    lower: Option<&Answer>,
    upper: Option<&Answer>,
) -> Vec<String> {
    let tree = |answer: &Answer| answer.tree.clone();
    let codes = match (lower, upper) {
        (Some(lower), Some(upper)) => match (tree(lower), tree(upper)) {
            (Some(lower), Some(upper)) => common_line(&lower, &upper),
            _ => Vec::new(),
        },
        (Some(one), None) | (None, Some(one)) => tree(one).map_or_else(Vec::new, |tree| tree.longest_line()),
        (None, None) => Vec::new(),
    };
    let mut position = root.clone();
    let mut words = Vec::new();
    for code in codes {
        let mv = G::Move::from_code(code);
        words.push(game.move_text(&position, mv));
        position = game.after(&position, mv);
    }
    words
}

/// The one line that two strategies of opposite sides have in common. The first belongs to the side to move at
/// the root, whose nodes are OR nodes in both trees.
fn common_line(lower: &quod_search::Tree, upper: &quod_search::Tree) -> Vec<u32> {
    let mut codes = Vec::new();
    let (mut low, mut high) = (lower.root(), upper.root());
    loop {
        let own = if lower.is_or(low) { lower.winning_child(low) } else { upper.winning_child(high) };
        let Some((code, _)) = own else { return codes };
        let (Some(next_low), Some(next_high)) = (lower.child(low, code), upper.child(high, code)) else {
            return codes;
        };
        codes.push(code);
        (low, high) = (next_low, next_high);
    }
}
