//! How long a win takes at the most, by the rules alone.
//!
//! A line of play does not show that: a table that has forgotten a defence shows a line without it, and so does a tree that
//! has lost a part. Here all play against the winner's choices is gone through, to the ends of the game.

use std::collections::HashMap;
use std::hash::Hash;

use quod_model::{Goal, Move as _, Notation};
use quod_search::Solved;

use crate::line::real_move;
use crate::table::Table;

/// Positions that are gone through, where people ask for the length: a second or so.
const POSITIONS_MAX: usize = 1 << 20;
/// And where they do not.
const POSITIONS_FEW: usize = 1 << 14;

fn positions_max<G: Notation>(game: &G) -> usize {
    if game.usual_goal().is_some() { POSITIONS_MAX } else { POSITIONS_FEW }
}

/// The most plies of play in which the claimant keeps to a tree and reaches its goal. Nothing if the tree is not whole, or there
/// are too many positions.
pub(crate) fn of_tree<G: Notation>(
    game: &G,
    root: &G::Position,
    goal: Goal,
    tree: &dyn Solved,
    symmetric: bool,
) -> Option<u32> {
    let canonical = game.abilities().canonical.filter(|_| symmetric);
    let placed = |position: G::Position| canonical.map_or(position.clone(), |of| of(game, &position));
    let mut moves = Vec::new();
    longest((tree.root(), placed(root.clone())), positions_max(game), |(node, position)| {
        if let Some(value) = game.outcome(position) {
            return goal.is_reached_by(value).then(Vec::new);
        }
        if game.to_move(position) == goal.claimant {
            let (code, child) = tree.winning_child(*node)?;
            let after = game.after(position, G::Move::from_code(code));
            return Some(vec![(child, placed(after))]);
        }
        moves.clear();
        game.moves(position, &mut moves);
        let child = |mv: &G::Move| Some((tree.child(*node, mv.code())?, placed(game.after(position, *mv))));
        moves.iter().map(child).collect()
    })
}

/// The same where the claimant keeps to what a table knows, but for the first move.
pub(crate) fn of_table<G: Notation>(
    table: &dyn Table<G>,
    root: &G::Position,
    goal: Goal,
    first: Option<u32>,
) -> Option<u32> {
    if table.knows_one_question() {
        return None;
    }
    let game = table.game();
    let mut moves = Vec::new();
    longest(root.clone(), positions_max(game), |position| {
        if let Some(value) = game.outcome(position) {
            return goal.is_reached_by(value).then(Vec::new);
        }
        if game.to_move(position) == goal.claimant {
            let first = first.filter(|_| position == root);
            let code = first.or_else(|| table.known_move(position, goal, true))?;
            let mv = real_move(game, position, code, table.is_symmetric());
            return Some(vec![game.after(position, mv)]);
        }
        moves.clear();
        game.moves(position, &mut moves);
        Some(moves.iter().map(|mv| game.after(position, *mv)).collect())
    })
}

/// The length of the longest way from `root` along `next`, which says nothing where it does not know. Nothing if there is such a
/// place, if a way comes back to where it was, or if there are more than so many places.
fn longest<N: Clone + Eq + Hash>(
    root: N,
    places_max: usize,
    mut next: impl FnMut(&N) -> Option<Vec<N>>,
) -> Option<u32> {
    struct Visit<N> {
        place: N,
        ahead: Vec<N>,
        length: u32,
    }
    // Nothing stands for a place that is under way.
    let mut lengths: HashMap<N, Option<u32>> = HashMap::from([(root.clone(), None)]);
    let ahead = next(&root)?;
    let mut way = vec![Visit { place: root, ahead, length: 0 }];
    loop {
        let visit = way.last_mut()?;
        let Some(place) = visit.ahead.last() else {
            let Visit { place, length, .. } = way.pop()?;
            lengths.insert(place, Some(length));
            if way.is_empty() {
                return Some(length);
            }
            continue;
        };
        match lengths.get(place) {
            Some(Some(length)) => {
                visit.length = visit.length.max(length + 1);
                visit.ahead.pop();
            }
            Some(None) => return None,
            None if lengths.len() >= places_max => return None,
            None => {
                let place = place.clone();
                let ahead = next(&place)?;
                lengths.insert(place.clone(), None);
                way.push(Visit { place, ahead, length: 0 });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_way_is_found_where_all_is_known() {
        let graph = |edges: &'static [&'static [usize]]| {
            move |place: &usize| edges.get(*place).map(|ahead| ahead.to_vec())
        };
        let acyclic: &[&[usize]] = &[&[1, 2], &[3], &[1, 3], &[]];
        assert_eq!(longest(0, 9, graph(acyclic)), Some(3));
        assert_eq!((longest(0, 4, graph(acyclic)), longest(0, 3, graph(acyclic))), (Some(3), None));
        assert_eq!(longest(0, 9, graph(&[&[1], &[0]])), None, "it comes back");
        assert_eq!(longest(0, 9, graph(&[&[1, 2], &[]])), None, "one is not known");
    }
}
