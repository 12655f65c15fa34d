//! A goal in a game whose players look at some moves before others.

use std::borrow::BorrowMut;

use super::{AndOr, Child, Evaluation, GoalCursor, Identity, Settled};
use crate::{Game, Move, Numbers, StagesFns};

/// The codes of steps to moves that are held back begin here; the first stage of those is added.
pub(super) const HELD_BACK: u32 = <u32 as Move>::CODE_LIMIT;

/// Whether a code stands for moves that are held back, and not for one.
#[must_use]
pub fn is_held_back(code: u32) -> bool {
    code >= HELD_BACK
}

/// What tells a place with the moves from a stage on from the whole place.
pub(super) fn stage_key(stage: u8) -> u128 {
    const STEP: u128 = 0x2545_f491_4f6c_dd1d_9e37_79b9_7f4a_7c15;
    u128::from(stage).wrapping_mul(STEP)
}

/// A goal cursor that shows moves in stages: the moves of a stage, and one child more that stands for all later ones. That child
/// is a node of its own, of the same kind, in which the game has not gone on; [`is_held_back`] knows its code. The problem is the
/// same, whether one good move is enough, now or later, or all are needed: what is proven or disproven holds for the goal. But
/// moves that nobody needs to look at are never made.
pub struct StagedCursor<G: Game, C> {
    inner: C,
    fns: StagesFns<G>,
    /// The first stage that is left at each step of the path.
    path: Vec<u8>,
    moves: Vec<G::Move>,
    stages: Vec<u8>,
}

impl<'g, G: Game, C: BorrowMut<GoalCursor<'g, G>>> StagedCursor<G, C> {
    /// The problem of a cursor from where it stands.
    pub fn new(inner: C, fns: StagesFns<G>) -> Self {
        Self { inner, fns, path: vec![0], moves: Vec::new(), stages: Vec::new() }
    }

    fn inner(&self) -> &GoalCursor<'g, G> {
        self.inner.borrow()
    }

    fn stage(&self) -> u8 {
        *self.path.last().expect("the path holds where it began")
    }

    /// Lists the moves here with their stages. The first stage that is left and has moves, and how many moves are behind it.
    fn list(&mut self) -> (u8, u32) {
        self.moves.clear();
        self.stages.clear();
        let inner: &GoalCursor<'g, G> = self.inner.borrow();
        inner.moves(&mut self.moves);
        (self.fns.stages)(inner.game(), inner.position(), inner.goal(), &self.moves, &mut self.stages);
        let least = self.stage();
        let stage = self.stages.iter().copied().filter(|stage| *stage >= least).min().unwrap_or(least);
        (stage, self.stages.iter().filter(|other| **other > stage).count() as u32)
    }

    /// The identity of the place with the moves from a stage on.
    fn identity_from(&self, stage: u8) -> Option<Identity> {
        let identity = self.inner().identity()?;
        Some(Identity { key: identity.key ^ stage_key(stage), ..identity })
    }
}

impl<'g, G: Game, C: BorrowMut<GoalCursor<'g, G>>> AndOr for StagedCursor<G, C> {
    fn is_or(&self) -> bool {
        self.inner().is_or()
    }

    fn down(&mut self, codes: &[u32]) {
        for code in codes {
            if is_held_back(*code) {
                self.path.push((*code - HELD_BACK) as u8);
            } else {
                self.inner.borrow_mut().down(&[*code]);
                self.path.push(0);
            }
        }
    }

    fn up(&mut self, steps: usize) {
        let left = self.path.len() - steps;
        let made = self.path[left..].iter().filter(|stage| **stage == 0).count();
        self.path.truncate(left);
        self.inner.borrow_mut().up(made);
    }

    fn evaluate(&mut self, evaluation: Evaluation) -> Option<Settled> {
        // What was no end before is none now.
        if self.stage() > 0 { None } else { self.inner.borrow_mut().evaluate(evaluation) }
    }

    fn expand(&mut self, evaluation: Evaluation, children: &mut Vec<Child>) {
        self.expand_joined(evaluation, children, &mut Vec::new());
    }

    fn expand_joined(
        &mut self,
        evaluation: Evaluation,
        children: &mut Vec<Child>,
        identities: &mut Vec<Option<Identity>>,
    ) {
        let (stage, left) = self.list();
        let inner = self.inner();
        for (mv, _) in self.moves.iter().zip(&self.stages).filter(|(_, of)| **of == stage) {
            let (child, identity) = inner.child_joined(*mv, evaluation);
            children.push(child);
            identities.push(identity);
        }
        if left > 0 {
            let (game, position, goal) = (inner.game(), inner.position(), inner.goal());
            let (pn, dn) = (self.fns.held_back)(game, position, goal, stage, left);
            let numbers = Numbers::guessed(pn, dn);
            let next = stage + 1;
            children.push(Child { code: HELD_BACK + u32::from(next), is_or: inner.is_or(), numbers });
            identities.push(self.identity_from(next));
        }
    }

    fn identity(&self) -> Option<Identity> {
        self.identity_from(self.stage())
    }
}
