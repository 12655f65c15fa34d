//! Mates as the authors' program searched for them (Breuker, Allis and van den Herik 1994, section 3.3; Schijf 1993, section
//! 5.5): for comparing counts, never for claims.
//!
//! What it did differently: its order of moves, which the way to a position decides (`order.rs`); and a square that a pawn has
//! passed is part of a position whether a pawn can capture there or not. Leaves have the numbers of mobility. On trees, a
//! position that stood on the path before fails; on graphs, the search sees to repetitions. The rule of fifty moves changes
//! none of the counts, and is left out.

mod order;

use std::cell::Cell;

use quod_model::{
    AndOr, Basis, Child, Evaluation, Game, Goal, Identity, Move as _, Numbers, Oracle, Published, Settled,
    Value,
};

use self::order::Lists;
use super::{Chess, Position, board_move};
use crate::men::{self, Step};

/// A position of the path, and the men in their order.
struct Place {
    position: Position,
    lists: Lists,
}

struct PublishedGoal<'g> {
    game: &'g Chess,
    goal: Goal,
    path: Vec<Place>,
}

/// The position with every square that a pawn has passed.
fn with_passed(mut position: Position) -> Position {
    position.en_passant = position.board.en_passant();
    position.board.set_halfmove_clock(0);
    position
}

fn after(position: &Position, step: Step) -> Position {
    let mut board = position.board.clone();
    board.play_unchecked(board_move(&position.board, step));
    with_passed(Position { board, en_passant: None })
}

impl PublishedGoal<'_> {
    fn here(&self) -> &Place {
        self.path.last().expect("the path holds the root")
    }

    fn is_or(&self, position: &Position) -> bool {
        men::player(position.board.side_to_move()) == self.goal.claimant
    }

    fn child(&self, step: Step, position: &Position, repeated: bool) -> Child {
        let is_or = self.is_or(position);
        let value = self.game.outcome(position).or(repeated.then_some(Value::DRAW));
        let numbers = match value {
            Some(value) => Numbers::solved(self.goal.is_reached_by(value)),
            None => Numbers::of_mover(is_or, 1, self.game.mobility(position)),
        };
        Child { code: step.code(), is_or, numbers }
    }

    fn identity_of(&self, position: &Position) -> Identity {
        Identity { key: position.key(), endless: self.goal.is_reached_by(Value::DRAW) }
    }
}

impl AndOr for PublishedGoal<'_> {
    fn is_or(&self) -> bool {
        self.is_or(&self.here().position)
    }

    fn down(&mut self, codes: &[u32]) {
        for code in codes {
            let (step, here) = (Step::from_code(*code), self.here());
            let lists = here.lists.after(&here.position.board, step);
            let position = after(&here.position, step);
            self.path.push(Place { position, lists });
        }
    }

    fn up(&mut self, steps: usize) {
        self.path.truncate(self.path.len() - steps);
    }

    fn evaluate(&mut self, _: Evaluation) -> Option<Settled> {
        let holds = self.goal.is_reached_by(self.game.outcome(&self.here().position)?);
        Some(Settled { holds, basis: Basis::Rules })
    }

    fn expand(&mut self, _: Evaluation, children: &mut Vec<Child>) {
        let here = self.here();
        for step in here.lists.moves(&here.position.board) {
            let position = after(&here.position, step);
            let repeated = self.path.iter().any(|place| place.position == position);
            children.push(self.child(step, &position, repeated));
        }
    }

    fn identity(&self) -> Option<Identity> {
        Some(self.identity_of(&self.here().position))
    }

    fn expand_joined(
        &mut self,
        _: Evaluation,
        children: &mut Vec<Child>,
        identities: &mut Vec<Option<Identity>>,
    ) {
        let here = self.here();
        for step in here.lists.moves(&here.position.board) {
            let position = after(&here.position, step);
            children.push(self.child(step, &position, false));
            identities.push(Some(self.identity_of(&position)));
        }
    }
}

impl Published for Chess {
    const EXPERIMENT: &'static str = "breuker1994";

    fn published_goal<'g>(
        &'g self,
        root: Position,
        goal: Goal,
        _: Option<&'g dyn Oracle<Self>>,
        _: &'g Cell<u64>,
    ) -> Box<dyn AndOr + 'g> {
        let position = with_passed(root);
        let lists = Lists::new(&position.board);
        Box::new(PublishedGoal { game: self, goal, path: vec![Place { position, lists }] })
    }
}
