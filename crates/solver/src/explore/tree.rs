//! What a search holds, as a tree of moves.

use quod_model::{Move, Notation, Numbers};
use quod_proof::NodeId;
use quod_search::Step;

use super::rows::{Branch, Branches, Known, NodeState};
use crate::drive::Look;

/// The tree of a search, or the solution in it.
pub(crate) struct SearchBranches<'v, G> {
    game: &'v G,
    look: Look<'v>,
    /// Whether only what shows the answer is listed.
    solution: bool,
}

impl<'v, G: Notation> SearchBranches<'v, G> {
    pub(crate) fn new(game: &'v G, look: Look<'v>, solution: bool) -> Self {
        Self { game, look, solution }
    }

    /// The moves of a position with the steps that stand for them.
    fn moves(&self, position: &G::Position, node: NodeId) -> Vec<(G::Move, Step)> {
        let mut steps = Vec::new();
        self.look.view.steps(node, &mut steps);
        let (game, canonical) = (self.game, self.game.abilities().canonical.filter(|_| self.look.symmetric));
        let Some(canonical) = canonical else {
            return steps.into_iter().map(|step| (G::Move::from_code(step.code), step)).collect();
        };
        // Steps are moves of the canonical position; every move that leads to the like is one of them.
        let one = canonical(game, position);
        let target = |step: &Step| canonical(game, &game.after(&one, G::Move::from_code(step.code)));
        let targets: Vec<(G::Position, Step)> = steps.iter().map(|step| (target(step), *step)).collect();
        let mut moves = Vec::new();
        if !targets.is_empty() {
            game.moves(position, &mut moves);
        }
        let step = |mv: G::Move| {
            let after = canonical(game, &game.after(position, mv));
            targets.iter().find(|(target, _)| *target == after).map(|(_, step)| (mv, *step))
        };
        moves.into_iter().filter_map(step).collect()
    }
}

fn state(numbers: Numbers) -> NodeState {
    match numbers {
        Numbers::PROVEN => NodeState::Proven,
        Numbers::DISPROVEN => NodeState::Disproven,
        // Solved numbers that lean on a repetition are no facts.
        _ => NodeState::Open,
    }
}

impl<G: Notation> Branches<G> for SearchBranches<'_, G> {
    type Node = NodeId;

    fn root(&self) -> NodeId {
        self.look.view.top()
    }

    fn known(&self, position: &G::Position, node: NodeId) -> Known<G::Move, NodeId> {
        let view = self.look.view;
        let seen = view.seen(node);
        let here = state(seen.numbers);
        let mut moves = self.moves(position, node);
        let mut best = view.best(node);
        if here != NodeState::Open {
            let winner_moves = seen.is_or == (here == NodeState::Proven);
            let shows = |step: &Step| state(view.seen(step.node).numbers) == here;
            if self.solution {
                moves.retain(|(_, step)| shows(step));
            }
            // Whoever has lost has no best move.
            let shown = moves.iter().find(|(_, step)| Some(step.code) == best && shows(step));
            let chosen = shown.or_else(|| moves.iter().find(|(_, step)| shows(step))).copied();
            best = chosen.filter(|_| winner_moves).map(|(_, step)| step.code);
            if self.solution && winner_moves {
                moves = chosen.into_iter().collect();
            }
        }
        let branch = |(mv, step): (G::Move, Step)| {
            // Symmetric moves are one step, and one of them is enough.
            let is_best = best.take_if(|code| *code == step.code).is_some();
            Branch { mv, node: step.node, is_best, is_back: step.is_back }
        };
        Known {
            is_or: seen.is_or,
            // Numbers that lean on an assumption would look like a fact.
            numbers: Some(seen.numbers).filter(|numbers| here != NodeState::Open || !numbers.is_solved()),
            bounds: seen.bounds,
            state: here,
            is_cut: view.is_cut(node),
            branches: moves.into_iter().map(branch).collect(),
        }
    }

    fn unfolds_solved(&self) -> bool {
        self.solution
    }
}
