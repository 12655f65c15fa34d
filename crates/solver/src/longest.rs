//! How long a win takes at the most, by the rules alone.
//!
//! A line of play does not show that: a table that has forgotten a defence shows a line without it, and so does a tree that
//! has lost a part. Here all play against the winner's choices is gone through, to the ends of the game.

use std::collections::HashMap;
use std::hash::Hash;

use quod_model::{Goal, Move as _, Notation, Player};
use quod_search::Solved;

use crate::line::real_move;
use crate::table::Table;

/// Positions that are gone through, where people ask for the length: a second or so.
const POSITIONS_MAX: usize = 1 << 20;
/// And where they do not.
const POSITIONS_FEW: usize = 1 << 14;

/// What is counted: every ply, or only those of the winner.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    Plies,
    MovesOfWinner,
}

/// An answer to a question, of which it is asked how long it takes to show.
#[derive(Clone, Copy)]
pub(crate) struct Won {
    pub(crate) goal: Goal,
    /// Whether the goal is reached: then its claimant has won, otherwise the other one.
    pub(crate) holds: bool,
    pub(crate) unit: Unit,
}

impl Won {
    fn winner(self) -> Player {
        if self.holds { self.goal.claimant } else { self.goal.claimant.other() }
    }

    /// What a move of this player counts.
    fn count(self, mover: Player) -> u32 {
        u32::from(self.unit == Unit::Plies || mover == self.winner())
    }

    /// People ask for the length of a win where it has a name, such as mate; of a loss nobody asks that much.
    fn positions_max<G: Notation>(self, game: &G) -> usize {
        if self.holds && game.usual_goal().is_some() { POSITIONS_MAX } else { POSITIONS_FEW }
    }
}

/// The longest play in which the winner keeps to a tree. Nothing if the tree is not whole, or there are too many positions.
pub(crate) fn of_tree<G: Notation>(
    game: &G,
    root: &G::Position,
    won: Won,
    tree: &dyn Solved,
    symmetric: bool,
) -> Option<u32> {
    let canonical = game.abilities().canonical.filter(|_| symmetric);
    let placed = |position: G::Position| canonical.map_or(position.clone(), |of| of(game, &position));
    let mut moves = Vec::new();
    longest((tree.root(), placed(root.clone())), won.positions_max(game), |(node, position)| {
        if let Some(value) = game.outcome(position) {
            return (won.goal.is_reached_by(value) == won.holds).then(|| (0, Vec::new()));
        }
        let count = won.count(game.to_move(position));
        if game.to_move(position) == won.winner() {
            let (code, child) = tree.winning_child(*node)?;
            let after = game.after(position, G::Move::from_code(code));
            return Some((count, vec![(child, placed(after))]));
        }
        moves.clear();
        game.moves(position, &mut moves);
        let child = |mv: &G::Move| Some((tree.child(*node, mv.code())?, placed(game.after(position, *mv))));
        Some((count, moves.iter().map(child).collect::<Option<_>>()?))
    })
}

/// The same where the winner keeps to what a table knows, but for the first move.
pub(crate) fn of_table<G: Notation>(
    table: &dyn Table<G>,
    root: &G::Position,
    won: Won,
    first: Option<u32>,
) -> Option<u32> {
    if table.knows_one_question() {
        return None;
    }
    let game = table.game();
    let mut moves = Vec::new();
    let lines = table.threats(won.goal, won.holds);
    longest(root.clone(), won.positions_max(game), |position| {
        if let Some(value) = game.outcome(position) {
            return (won.goal.is_reached_by(value) == won.holds).then(|| (0, Vec::new()));
        }
        let count = won.count(game.to_move(position));
        if game.to_move(position) == won.winner() {
            let first = first.filter(|_| position == root);
            let threat = || lines.as_ref().and_then(|lines| lines.first_move(game, position));
            if let Some(mv) = if first.is_none() { threat() } else { None } {
                return Some((count, vec![game.after(position, mv)]));
            }
            let code = first.or_else(|| table.known_move(position, won.goal, won.holds))?;
            let mv = real_move(game, position, code, table.is_symmetric());
            return Some((count, vec![game.after(position, mv)]));
        }
        moves.clear();
        game.moves(position, &mut moves);
        // Of those that lose at once, one stands for all.
        let mut kept = Vec::new();
        game.unpunished(position, &mut kept);
        let lost = moves.iter().find(|mv| !kept.contains(mv)).copied();
        Some((count, kept.iter().copied().chain(lost).map(|mv| game.after(position, mv)).collect()))
    })
}

/// The length of the longest way from `root` along `next`, which says what a step from a place counts and where it may lead, or nothing where it does
/// not know. Nothing if there is such a place, if a way comes back to where it was, or if there are more than so many places.
fn longest<N: Clone + Eq + Hash>(
    root: N,
    places_max: usize,
    mut next: impl FnMut(&N) -> Option<(u32, Vec<N>)>,
) -> Option<u32> {
    struct Visit<N> {
        place: N,
        /// What a step from here counts, and where it may lead.
        count: u32,
        ahead: Vec<N>,
        length: u32,
    }
    // Nothing stands for a place that is under way.
    let mut lengths: HashMap<N, Option<u32>> = HashMap::from([(root.clone(), None)]);
    let (count, ahead) = next(&root)?;
    let mut way = vec![Visit { place: root, count, ahead, length: 0 }];
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
                visit.length = visit.length.max(length + visit.count);
                visit.ahead.pop();
            }
            Some(None) => return None,
            None if lengths.len() >= places_max => return None,
            None => {
                let place = place.clone();
                let (count, ahead) = next(&place)?;
                lengths.insert(place.clone(), None);
                way.push(Visit { place, count, ahead, length: 0 });
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
            move |place: &usize| edges.get(*place).map(|ahead| (1, ahead.to_vec()))
        };
        let acyclic: &[&[usize]] = &[&[1, 2], &[3], &[1, 3], &[]];
        assert_eq!(longest(0, 9, graph(acyclic)), Some(3));
        assert_eq!((longest(0, 4, graph(acyclic)), longest(0, 3, graph(acyclic))), (Some(3), None));
        assert_eq!(longest(0, 9, graph(&[&[1], &[0]])), None, "it comes back");
        assert_eq!(longest(0, 9, graph(&[&[1, 2], &[]])), None, "one is not known");
    }
}
