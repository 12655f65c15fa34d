//! A checked claim that somebody can go through, playing against it.

use quod_model::{Game, Move, Oracle, Player};
use rustc_hash::FxHashMap;

use crate::claim::Claim;
use crate::traversal::settled;

/// A claim that was checked, with the moves that show it.
pub struct Demonstration<G: Game> {
    /// The claim.
    pub claim: Claim,
    /// The player to move at the root.
    mover: Player,
    joined: bool,
    /// Whether threats that are made again are left out.
    brief: bool,
    /// The claimer's move where the rules do not show one, by what a position is known by: the position that the move was found in, and its place among
    /// the legal moves there in ascending order.
    moves: FxHashMap<G::Position, (G::Position, usize)>,
}

/// What a demonstration says of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply<M> {
    /// The rules, or what the claim leans on, show that the claim is kept here.
    Kept,
    /// The claimer makes this move.
    Own(M),
    /// The other side may do what it likes.
    Any,
    /// Play that follows the claimer's moves does not come here.
    Outside,
}

impl<G: Game> Demonstration<G> {
    pub(crate) fn new(claim: Claim, mover: Player, (joined, brief): (bool, bool)) -> Self {
        Self { claim, mover, joined, brief, moves: FxHashMap::default() }
    }

    pub(crate) fn remember(&mut self, identity: G::Position, position: G::Position, place: usize) {
        self.moves.insert(identity, (position, place));
    }

    /// Who must show the claim.
    #[must_use]
    pub fn claimer(&self) -> Player {
        self.claim.claimer(self.mover)
    }

    /// What it says of a position that play has come to from the root. `oracle` is the one that it was checked with.
    pub fn reply(&self, game: &G, position: &G::Position, oracle: Option<&dyn Oracle<G>>) -> Reply<G::Move> {
        let settled = |position: &G::Position| settled(game, self.claim, self.mover, oracle, position);
        if self.claim.settled_by(game.values(), self.mover) == Some(true) {
            return Reply::Kept;
        }
        match settled(position) {
            Some(true) => return Reply::Kept,
            Some(false) => return Reply::Outside,
            None => {}
        }
        if game.to_move(position) != self.claimer() {
            return Reply::Any;
        }
        let sorted = |position: &G::Position| {
            let mut moves = Vec::new();
            game.moves(position, &mut moves);
            moves.sort_unstable_by_key(|mv| mv.code());
            moves
        };
        let moves = sorted(position);
        let wins = |mv: &&G::Move| settled(&game.after(position, **mv)) == Some(true);
        if let Some(mv) = moves.iter().find(wins) {
            return Reply::Own(*mv);
        }
        // Not every move is stored that leaves the opponent none which does not lose at once.
        let threat = || {
            let lost = |mv: &&G::Move| {
                let (after, mut replies) = (game.after(position, **mv), Vec::new());
                game.unpunished(&after, &mut replies);
                replies.is_empty() && game.to_move(&after) != self.claimer() && settled(&after).is_none()
            };
            let threat = if self.brief { moves.iter().find(lost) } else { None };
            threat.map_or(Reply::Outside, |mv| Reply::Own(*mv))
        };
        let Some(canonical) = game.abilities().canonical.filter(|_| self.joined) else {
            let place = self.moves.get(position).map(|(_, place)| *place);
            return place.and_then(|place| moves.get(place)).map_or_else(threat, |mv| Reply::Own(*mv));
        };
        // The move is one of a symmetric position; of the moves here, one that leads to the like.
        let Some((one, place)) = self.moves.get(&canonical(game, position)) else { return threat() };
        let Some(mv) = sorted(one).get(*place).copied() else { return Reply::Outside };
        if one == position {
            return Reply::Own(mv);
        }
        let target = canonical(game, &game.after(one, mv));
        let alike = moves.into_iter().find(|mv| canonical(game, &game.after(position, *mv)) == target);
        alike.map_or(Reply::Outside, Reply::Own)
    }
}
