//! A problem with a limit on length: the goal must be reached in time.

use super::{AndOr, Basis, Child, Evaluation, Identity, Settled, is_held_back};
use crate::Numbers;

/// The problem of a cursor where whoever has not reached the goal after so many steps has failed. What is left of them is part
/// of a place: places that differ in it are two, and none comes again. Only for goals that a move of the claimant reaches
/// ([`crate::Abilities::wins_by_own_move`]).
pub struct LimitedCursor<C> {
    inner: C,
    /// Steps that are left, at each place of the path.
    left: Vec<u32>,
}

impl<C: AndOr> LimitedCursor<C> {
    /// The problem from where the cursor stands, with so many moves.
    pub fn new(inner: C, plies: u32) -> Self {
        Self { inner, left: vec![plies] }
    }

    fn left(&self) -> u32 {
        *self.left.last().expect("the path holds where it began")
    }

    fn left_behind(&self, code: u32) -> u32 {
        self.left().saturating_sub(u32::from(!is_held_back(code)))
    }
}

/// Whether too little is left to reach a goal from a place where it is not reached yet. If the other side moves, that side must do
/// so before the goal can be reached by a move of the claimant.
fn is_late(is_or: bool, left: u32) -> bool {
    left < if is_or { 1 } else { 2 }
}

fn limited(identity: Option<Identity>, left: u32) -> Option<Identity> {
    const STEP: u128 = 0x9fb2_1c65_1e98_df25_a076_1d64_78bd_642f;
    identity.map(|identity| Identity { key: identity.key ^ u128::from(left).wrapping_mul(STEP), ..identity })
}

impl<C: AndOr> AndOr for LimitedCursor<C> {
    fn is_or(&self) -> bool {
        self.inner.is_or()
    }

    fn down(&mut self, codes: &[u32]) {
        for code in codes {
            self.left.push(self.left_behind(*code));
        }
        self.inner.down(codes);
    }

    fn up(&mut self, steps: usize) {
        self.left.truncate(self.left.len() - steps);
        self.inner.up(steps);
    }

    fn evaluate(&mut self, evaluation: Evaluation) -> Option<Settled> {
        let late = is_late(self.inner.is_or(), self.left());
        let failed = Settled { holds: false, basis: Basis::Path };
        self.inner.evaluate(evaluation).or(late.then_some(failed))
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
        let (begin, identities_begin) = (children.len(), identities.len());
        self.inner.expand_joined(evaluation, children, identities);
        for (child, identity) in children[begin..].iter_mut().zip(&mut identities[identities_begin..]) {
            let left = self.left_behind(child.code);
            *identity = limited(*identity, left);
            if !child.numbers.is_solved() && is_late(child.is_or, left) {
                child.numbers = Numbers::DISPROVEN;
            }
        }
    }

    fn identity(&self) -> Option<Identity> {
        limited(self.inner.identity(), self.left())
    }
}
