//! The one way through a strategy that writer and checker share: depth first from the root, the claimer's
//! move where the claimer is to move, the other side's moves in ascending order, each position once.
//!
//! Every leaf must keep the claim; every cycle must pass only through positions where endless play keeps it.

use quod_model::{CanonicalFn, Game, Move, Oracle, Player, Repetition};
use rustc_hash::FxHashMap;

use crate::claim::Claim;

/// Why a strategy does not show its claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Play can end below the claim.
    #[error("the strategy allows an ending that breaks the claim")]
    LeafFails,
    /// The opponent can go around forever where that breaks the claim.
    #[error("the strategy can be led around forever where endless play breaks the claim")]
    CycleFails,
    /// A stored move that the position does not have.
    #[error("a stored move does not exist in its position")]
    NoSuchMove,
    /// The stored moves end too early.
    #[error("moves are missing at the end")]
    MovesMissing,
    /// Stored moves are left over.
    #[error("moves are left over at the end")]
    MovesLeft,
    /// The strategy covers another number of positions than the file says.
    #[error("the file says {said} positions, the strategy covers {found}")]
    Positions {
        /// In the file.
        said: u64,
        /// Found by going through.
        found: u64,
    },
    /// A layout for games that end, of a game in which positions can come again.
    #[error("its layout is for games in which no position comes again")]
    Endless,
    /// The caller wanted to stop.
    #[error("interrupted")]
    Interrupted,
}

/// Where the claimer's moves come from, and who watches.
pub(crate) trait Moves<G: Game> {
    /// The place of the claimer's move among `count` moves in ascending order.
    fn next(&mut self, position: &G::Position, count: usize) -> Result<usize, Refusal>;

    /// Told now and then how many positions were visited; false stops.
    fn goes_on(&mut self, positions: u64) -> bool;

    /// How many positions there are at the most, if that is known and can be believed.
    fn positions_max(&self) -> usize {
        0
    }
}

/// The depth of positions that are left behind.
const DONE: u32 = u32::MAX;

struct Frame {
    /// Where this frame's moves begin, continue and end in the common buffer.
    begin: usize,
    next: usize,
    end: usize,
    /// The depth of the deepest frame up to this one whose endless value breaks the claim, plus one.
    last_failing: usize,
}

struct Traversal<'t, G: Game> {
    game: &'t G,
    claim: Claim,
    mover: Player,
    canonical: Option<CanonicalFn<G>>,
    oracle: Option<&'t dyn Oracle<G>>,
    visited: FxHashMap<G::Position, u32>,
    path: Vec<G::Position>,
    frames: Vec<Frame>,
    moves: Vec<G::Move>,
}

/// Goes through a strategy and returns how many positions it covers.
pub(crate) fn traverse<G: Game>(
    game: &G,
    root: &G::Position,
    claim: Claim,
    joined: bool,
    oracle: Option<&dyn Oracle<G>>,
    source: &mut dyn Moves<G>,
) -> Result<u64, Refusal> {
    let mover = game.to_move(root);
    // What holds for every value of the game needs no strategy.
    match claim.settled_by(game.values(), mover) {
        Some(true) => return Ok(0),
        Some(false) => return Err(Refusal::LeafFails),
        None => {}
    }
    let mut traversal = Traversal {
        game,
        claim,
        mover,
        canonical: game.abilities().canonical.filter(|_| joined),
        oracle,
        visited: FxHashMap::with_capacity_and_hasher(source.positions_max(), Default::default()),
        path: Vec::new(),
        frames: Vec::new(),
        moves: Vec::new(),
    };
    traversal.enter(traversal.identity(root.clone()), source)?;
    while let Some(frame) = traversal.frames.last_mut() {
        if frame.next < frame.end {
            let mv = traversal.moves[frame.next];
            frame.next += 1;
            let here = traversal.path.last().expect("a frame has a position");
            let child = traversal.identity(game.after(here, mv));
            traversal.enter(child, source)?;
        } else {
            let frame = traversal.frames.pop().expect("it is the last one");
            traversal.moves.truncate(frame.begin);
            let position = traversal.path.pop().expect("a frame has a position");
            traversal.visited.insert(position, DONE);
        }
    }
    Ok(traversal.visited.len() as u64)
}

/// Whether the rules, or the oracle that the claim leans on, say that a position keeps or breaks the claim.
pub(crate) fn settled<G: Game>(
    game: &G,
    claim: Claim,
    mover: Player,
    oracle: Option<&dyn Oracle<G>>,
    position: &G::Position,
) -> Option<bool> {
    if let Some(value) = game.outcome(position) {
        return Some(claim.is_kept_by(value, mover));
    }
    let bounds = game.abilities().bounds;
    if let Some(kept) = bounds.and_then(|bounds| claim.settled_by(bounds(game, position), mover)) {
        return Some(kept);
    }
    let value = oracle?.value(game, position)?;
    Some(claim.is_kept_by(value, mover))
}

impl<G: Game> Traversal<'_, G> {
    fn identity(&self, position: G::Position) -> G::Position {
        match self.canonical {
            Some(canonical) => canonical(self.game, &position),
            None => position,
        }
    }

    fn settled(&self, position: &G::Position) -> Option<bool> {
        settled(self.game, self.claim, self.mover, self.oracle, position)
    }

    fn endless_fails(&self, position: &G::Position) -> bool {
        match self.game.repetition() {
            Repetition::Impossible => true,
            Repetition::Worth(worth) => !self.claim.is_kept_by(worth(self.game, position), self.mover),
        }
    }

    fn enter(&mut self, position: G::Position, source: &mut dyn Moves<G>) -> Result<(), Refusal> {
        match self.settled(&position) {
            Some(true) => return Ok(()),
            Some(false) => return Err(Refusal::LeafFails),
            None => {}
        }
        match self.visited.get(&position) {
            Some(&DONE) => return Ok(()),
            Some(&depth) => {
                let last_failing = self.frames.last().map_or(0, |frame| frame.last_failing);
                let fails = last_failing > depth as usize;
                return if fails { Err(Refusal::CycleFails) } else { Ok(()) };
            }
            None => {}
        }
        let count = self.visited.len() as u64 + 1;
        if count.is_multiple_of(4096) && !source.goes_on(count) {
            return Err(Refusal::Interrupted);
        }
        let begin = self.moves.len();
        self.game.moves(&position, &mut self.moves);
        self.moves[begin..].sort_unstable_by_key(|mv| mv.code());
        if self.game.to_move(&position) == self.claim.claimer(self.mover) {
            let legal = begin..self.moves.len();
            let count = legal.len();
            if legal.clone().any(|at| self.settled(&self.game.after(&position, self.moves[at])) == Some(true))
            {
                self.moves.truncate(begin);
                self.visited.insert(position, DONE);
                return Ok(());
            }
            let choice = source.next(&position, count)?;
            if choice >= count {
                return Err(Refusal::NoSuchMove);
            }
            self.moves[begin] = self.moves[begin + choice];
            self.moves.truncate(begin + 1);
        }
        let depth = self.frames.len();
        let last_failing = if self.endless_fails(&position) {
            depth + 1
        } else {
            self.frames.last().map_or(0, |frame| frame.last_failing)
        };
        self.visited.insert(position.clone(), u32::try_from(depth).expect("a path of fewer than 2^32"));
        self.path.push(position);
        self.frames.push(Frame { begin, next: begin, end: self.moves.len(), last_failing });
        Ok(())
    }
}
