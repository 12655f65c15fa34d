//! A line of play in which both sides keep to what is proven.

use quod_model::{Move, Notation, Oracle};
use quod_search::Solved;

use crate::solve::Answer;

/// With both bounds proven, each side plays its own strategy and the line shows the value. With one, its
/// owner plays it against the longest defence. The line ends where the trees do, or where it would repeat itself.
pub(crate) fn line<G: Notation>(
    game: &G,
    root: &G::Position,
    lower: Option<&Answer>,
    upper: Option<&Answer>,
) -> Vec<String> {
    let tree = |answer: &Answer| answer.tree.clone();
    let codes = match (lower, upper) {
        (Some(lower), Some(upper)) => match (tree(lower), tree(upper)) {
            (Some(lower), Some(upper)) => common_line(&*lower, &*upper),
            _ => Vec::new(),
        },
        (Some(one), None) | (None, Some(one)) => tree(one).map_or_else(Vec::new, |tree| tree.longest_line()),
        (None, None) => Vec::new(),
    };
    let symmetric = lower.or(upper).is_some_and(|answer| answer.symmetric);
    let mut position = root.clone();
    let mut words = Vec::new();
    for code in codes {
        let mv = real_move(game, &position, code, symmetric);
        words.push(game.move_text(&position, mv));
        position = game.after(&position, mv);
    }
    words
}

/// A line of the best moves that an oracle knows. It ends where the oracle does not know every move, or where it would repeat
/// itself.
pub(crate) fn known_line<G: Notation>(game: &G, root: &G::Position, oracle: &dyn Oracle<G>) -> Vec<String> {
    const LONGEST: usize = 100;
    let mut position = root.clone();
    let (mut words, mut met) = (Vec::new(), vec![root.clone()]);
    while game.outcome(&position).is_none() && words.len() < LONGEST {
        let mover = game.to_move(&position);
        let mut moves = Vec::new();
        game.moves(&position, &mut moves);
        let value = |mv: &G::Move| {
            let after = game.after(&position, *mv);
            game.outcome(&after).or_else(|| oracle.value(game, &after)).map(|value| value.seen_by(mover))
        };
        let values: Option<Vec<_>> = moves.iter().map(value).collect();
        let Some(values) = values else { break };
        // Of equal moves, one that leads on.
        let best = values.iter().zip(&moves).map(|(value, mv)| {
            let after = game.after(&position, *mv);
            (*value, !met.contains(&after), *mv, after)
        });
        let Some((_, leads_on, mv, after)) = best.rev().max_by_key(|(value, new, ..)| (*value, *new)) else {
            break;
        };
        if !leads_on && !words.is_empty() {
            break;
        }
        words.push(game.move_text(&position, mv));
        met.push(after.clone());
        position = after;
    }
    words
}

/// The move that a code stands for: with `symmetric`, the code is one of the canonical position, and the move leads to a
/// position that is symmetric to where that leads.
pub(crate) fn real_move<G: Notation>(
    game: &G,
    position: &G::Position,
    code: u32,
    symmetric: bool,
) -> G::Move {
    let mv = G::Move::from_code(code);
    let Some(canonical) = game.abilities().canonical.filter(|_| symmetric) else { return mv };
    let target = canonical(game, &game.after(&canonical(game, position), mv));
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    let alike = moves.into_iter().find(|mv| canonical(game, &game.after(position, *mv)) == target);
    alike.expect("a symmetric position has a symmetric move")
}

/// The one line that two strategies of opposite sides have in common. The first belongs to the side to move at
/// the root, whose nodes are OR nodes in both trees.
fn common_line(lower: &dyn Solved, upper: &dyn Solved) -> Vec<u32> {
    let mut codes = Vec::new();
    let mut met = std::collections::HashSet::new();
    let (mut low, mut high) = (lower.root(), upper.root());
    // Where both sides are content with endless play, the line would go on for ever.
    while met.insert((low, high)) {
        let own = if lower.is_or(low) { lower.winning_child(low) } else { upper.winning_child(high) };
        let Some((code, _)) = own else { break };
        let (Some(next_low), Some(next_high)) = (lower.child(low, code), upper.child(high, code)) else {
            break;
        };
        codes.push(code);
        (low, high) = (next_low, next_high);
    }
    codes
}
