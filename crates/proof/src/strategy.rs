//! From what a search knows to a positional strategy.
//!
//! The solution tree is walked depth first from the root, and a position gets its move when everything
//! below it is finished. A position that is finished is not walked again, and where a move leads to one,
//! that move is taken: strategies stay small. Why this is sound where positions can come again: the move of
//! a position leads only to positions that were finished before it, or, by a repetition that keeps the claim,
//! to one of its ancestors. So every cycle of the strategy passes through such a repetition, and endless
//! play there keeps the claim.
//!
//! What the search has deleted, or decided by other means than the rules, is solved again where the walk
//! stands, under the same path: that search has the same answer, because the tree had it there. Where positions
//! can come again, that holds only for trees that used nothing but rules and path: a judge knows the value of a
//! position, which under a path that has passed its key position is another one.

use std::rc::Rc;

use quod_model::{AndOr, Basis, CanonicalFn, Evaluation, Game, GoalCursor, Move};
use rustc_hash::FxHashMap;

use crate::solution::{NodeId, SolutionTree};

/// A positional strategy of the side that claims something: one move for each of its positions that can
/// be reached against it and is not won by the next move.
pub struct Strategy<G: Game> {
    /// Finished positions; for those of the claimer the place of its move among the legal moves in
    /// ascending order, where the checker does not find a winning move itself.
    finished: FxHashMap<G::Position, Option<u32>>,
}

/// Why there is no strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StrategyError {
    /// More positions than the limit allows.
    #[error("the strategy needs more memory than the limit leaves")]
    Memory,
    /// The caller wanted to stop, or a part could not be solved again within the limits.
    #[error("a limit was reached while the strategy was put together")]
    Stopped,
    /// A part has another answer under the path that the tree leads to it by.
    #[error("parts of the solution do not fit together")]
    Apart,
}

/// What came of solving a part again.
pub enum Again {
    /// Its solution.
    Solved(Rc<dyn SolutionTree>),
    /// The first move of a solution, where the rest is asked for move by move. Unless the game repeats nothing, it must lead
    /// nearer to the end wherever endless play breaks the claim.
    Move(u32),
    /// A limit was reached.
    Stopped,
    /// It has another answer. That can be where positions can come again, and the search that solved the part had forgotten
    /// an older solution of a position above it.
    Apart,
}

/// What the walk asks of its caller.
pub trait Context<G: Game> {
    /// Solves the problem at the cursor's place again.
    fn solve_again(&mut self, cursor: &mut GoalCursor<'_, G>) -> Again;

    /// Told now and then how many positions are finished and how many bytes they take; false stops the work.
    fn goes_on(&mut self, positions: u64, bytes: u64) -> bool;
}

/// A place of the walk in a search tree, if it is there.
type Place = Option<(Rc<dyn SolutionTree>, NodeId)>;

struct Frame<G: Game> {
    place: Place,
    /// The identity of the position.
    canonical: G::Position,
    /// Moves still to be walked: one for the claimer, all for the opponent.
    moves: Vec<G::Move>,
    next: usize,
    /// The claimer's choice.
    choice: Option<G::Move>,
}

struct Walk<'w, 'g, G: Game> {
    cursor: GoalCursor<'g, G>,
    holds: bool,
    canonical: Option<CanonicalFn<G>>,
    /// The most bytes that the strategy may take.
    bytes_max: u64,
    context: &'w mut dyn Context<G>,
    strategy: Strategy<G>,
    frames: Vec<Frame<G>>,
}

impl<G: Game> Strategy<G> {
    /// The strategy of the cursor's goal, which was proven (`holds`) or disproven where it stands. The tree may be missing;
    /// it must not lean on a judge where positions can come again, and its moves must be those of the
    /// positions that the cursor has. The strategy takes `bytes_max` bytes at the most.
    ///
    /// # Errors
    /// If a limit is reached.
    ///
    /// # Panics
    /// If the tree is no solution of that goal: a bug of the search.
    pub fn of_solution(
        cursor: GoalCursor<'_, G>,
        holds: bool,
        tree: Option<Rc<dyn SolutionTree>>,
        bytes_max: u64,
        context: &mut dyn Context<G>,
    ) -> Result<Self, StrategyError> {
        let mut walk = Walk {
            canonical: cursor.game().abilities().canonical,
            cursor,
            holds,
            bytes_max,
            context,
            strategy: Self { finished: FxHashMap::default() },
            frames: Vec::new(),
        };
        let place = tree.map(|tree| {
            let node = tree.root();
            (tree, node)
        });
        walk.run(place)?;
        Ok(walk.strategy)
    }

    /// The bytes that it takes, with those that writing it down will take beside it: which positions were visited is kept in a
    /// second table of as many places. A hash table has a power of two of them, at most 7/8 of them full, and a byte of its own for each;
    /// while it grows it is there one and a half times, which is less than both.
    fn bytes(&self) -> u64 {
        let places = (self.finished.len() as u64 * 8 / 7 + 1).next_power_of_two();
        let both = size_of::<(G::Position, Option<u32>)>() + size_of::<(G::Position, u32)>() + 2;
        places * both as u64
    }

    /// How many positions it has.
    pub(crate) fn len(&self) -> usize {
        self.finished.len()
    }

    /// Where the claimer's move stands among the legal moves in ascending order. `position` is a canonical
    /// one where the game has symmetries.
    #[must_use]
    pub fn choice(&self, position: &G::Position) -> Option<u32> {
        self.finished.get(position).copied().flatten()
    }
}

impl<G: Game> Walk<'_, '_, G> {
    fn run(&mut self, place: Place) -> Result<(), StrategyError> {
        self.enter(place)?;
        while let Some(frame) = self.frames.last_mut() {
            if let Some(mv) = frame.moves.get(frame.next) {
                frame.next += 1;
                let code = mv.code();
                let place = frame
                    .place
                    .as_ref()
                    .and_then(|(tree, node)| tree.child(*node, code).map(|child| (Rc::clone(tree), child)));
                self.cursor.down(&[code]);
                let depth = self.frames.len();
                self.enter(place)?;
                if self.frames.len() == depth {
                    self.cursor.up(1);
                }
            } else {
                let frame = self.frames.pop().expect("it is the last one");
                self.finish(frame.canonical, frame.choice)?;
                if !self.frames.is_empty() {
                    self.cursor.up(1);
                }
            }
        }
        Ok(())
    }

    /// Looks at the position where the cursor stands and pushes a frame if it must be walked.
    fn enter(&mut self, place: Place) -> Result<(), StrategyError> {
        if let Some(settled) = self.cursor.evaluate(Evaluation::Immediate) {
            if settled.holds != self.holds && settled.basis == Basis::Path && place.is_none() {
                // Moves that were asked for one by one have led around.
                return Err(StrategyError::Apart);
            }
            assert_eq!(settled.holds, self.holds, "a leaf of the solution breaks the claim");
            return Ok(());
        }
        let canonical = self.canonical_of(self.cursor.position());
        if self.strategy.finished.contains_key(&canonical) {
            return Ok(());
        }
        let mut moves = Vec::new();
        self.cursor.moves(&mut moves);
        if self.cursor.is_or() != self.holds {
            self.frames.push(Frame { place, canonical, moves, next: 0, choice: None });
            return Ok(());
        }
        if moves.iter().any(|mv| self.wins_at_once(*mv)) {
            return self.finish(canonical, None);
        }
        let game = self.cursor.game();
        let known = moves.iter().copied().find(|mv| {
            let child = self.canonical_of(&game.after(self.cursor.position(), *mv));
            self.strategy.finished.contains_key(&child)
        });
        if let Some(mv) = known {
            return self.finish(canonical, Some(mv));
        }
        let (place, code) = self.winning_move(place)?;
        let mv = G::Move::from_code(code);
        self.frames.push(Frame { place, canonical, moves: vec![mv], next: 0, choice: Some(mv) });
        Ok(())
    }

    /// The claimer's move where the cursor stands: from the tree, or by solving again.
    fn winning_move(&mut self, place: Place) -> Result<(Place, u32), StrategyError> {
        if let Some((tree, node)) = place
            && let Some((code, _)) = tree.winning_child(node)
        {
            return Ok((Some((tree, node)), code));
        }
        let tree = match self.context.solve_again(&mut self.cursor) {
            Again::Solved(tree) => tree,
            Again::Move(code) => return Ok((None, code)),
            Again::Stopped => return Err(StrategyError::Stopped),
            Again::Apart => return Err(StrategyError::Apart),
        };
        let root = tree.root();
        let (code, _) = tree.winning_child(root).expect("a solved root keeps its winning move");
        Ok((Some((tree, root)), code))
    }

    fn wins_at_once(&mut self, mv: G::Move) -> bool {
        self.cursor.down(&[mv.code()]);
        let settled = self.cursor.evaluate(Evaluation::Immediate);
        self.cursor.up(1);
        // Without a judge, knowledge is what an oracle says, and the checker asks that too.
        settled.is_some_and(|settled| settled.holds == self.holds && settled.basis != Basis::Path)
    }

    fn canonical_of(&self, position: &G::Position) -> G::Position {
        match self.canonical {
            Some(canonical) => canonical(self.cursor.game(), position),
            None => position.clone(),
        }
    }

    /// Records a position whose every continuation is finished. The cursor stands on it (or on a position
    /// symmetric to it). The first record stays: only it is known to lead to older ones.
    fn finish(&mut self, canonical: G::Position, choice: Option<G::Move>) -> Result<(), StrategyError> {
        let choice = choice.map(|mv| {
            let game = self.cursor.game();
            let target = self.canonical_of(&game.after(self.cursor.position(), mv));
            let mut moves = Vec::new();
            game.moves(&canonical, &mut moves);
            moves.sort_unstable_by_key(|mv| mv.code());
            let place = moves
                .iter()
                .position(|other| self.canonical_of(&game.after(&canonical, *other)) == target)
                .expect("a symmetric position has a symmetric move");
            u32::try_from(place).expect("fewer than 2^32 moves")
        });
        self.strategy.finished.entry(canonical).or_insert(choice);
        let count = self.strategy.finished.len() as u64;
        let bytes = self.strategy.bytes();
        if bytes > self.bytes_max {
            return Err(StrategyError::Memory);
        }
        if count.is_multiple_of(1024) && !self.context.goes_on(count, bytes) {
            return Err(StrategyError::Stopped);
        }
        Ok(())
    }
}
