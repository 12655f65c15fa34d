//! A checked certificate as a tree of moves.

use std::sync::Arc;

use quod_endgame::Databases;
use quod_model::{InputError, Notation, Oracle, Player};
use quod_proof::{Demonstration, Reply};

use super::rows::{Branch, Branches, Known, NodeState, Unfold, Unfolded, unfold};

/// A checked certificate that somebody goes through.
pub trait Proof: Send + Sync {
    /// Who must show each of its claims.
    fn claimers(&self) -> Vec<Player>;

    /// Lists a part of the strategy of a claim; nothing if play does not come there, or there is no such claim.
    ///
    /// # Errors
    /// If the path cannot be played.
    fn unfold(&self, claim: usize, how: &Unfold<'_>) -> Result<Option<Unfolded>, InputError>;
}

/// A certificate of one game.
pub(crate) struct Shown<G: Notation> {
    pub(crate) game: Arc<G>,
    pub(crate) databases: Option<Arc<Databases<G>>>,
    pub(crate) root: G::Position,
    pub(crate) demonstrations: Vec<Demonstration<G>>,
}

struct StrategyBranches<'s, G: Notation> {
    shown: &'s Shown<G>,
    demonstration: &'s Demonstration<G>,
}

impl<G: Notation> Branches<G> for StrategyBranches<'_, G> {
    type Node = ();

    fn root(&self) {}

    fn known(&self, position: &G::Position, (): ()) -> Known<G::Move, ()> {
        let game = &*self.shown.game;
        let oracle = self.shown.databases.as_deref().map(|databases| databases as &dyn Oracle<G>);
        let mut moves = Vec::new();
        let mut state = NodeState::Proven;
        let reply = self.demonstration.reply(game, position, oracle);
        match reply {
            Reply::Kept => state = NodeState::End,
            Reply::Own(mv) => moves.push(mv),
            Reply::Any => game.moves(position, &mut moves),
            Reply::Outside => state = NodeState::Open,
        }
        let is_best = matches!(reply, Reply::Own(_));
        Known {
            is_or: game.to_move(position) == self.demonstration.claimer(),
            numbers: None,
            bounds: None,
            state,
            is_cut: false,
            branches: moves.into_iter().map(|mv| Branch { mv, node: (), is_best, is_back: false }).collect(),
        }
    }

    fn unfolds_solved(&self) -> bool {
        true
    }
}

impl<G: Notation> Proof for Shown<G> {
    fn claimers(&self) -> Vec<Player> {
        self.demonstrations.iter().map(Demonstration::claimer).collect()
    }

    fn unfold(&self, claim: usize, how: &Unfold<'_>) -> Result<Option<Unfolded>, InputError> {
        let Some(demonstration) = self.demonstrations.get(claim) else { return Ok(None) };
        unfold(&*self.game, &self.root, &StrategyBranches { shown: self, demonstration }, how)
    }
}
