//! Awari as the program of the experiment saw it (Allis, van der Meulen and van den Herik 1994, section 6), with what it did
//! differently from the rules. It is for comparing counts, never for claims.
//!
//! Pn-search: a child that can be evaluated at once (by the database, or because what was captured decides) is not asked
//! whether it starves the opponent, so that such a move is legal, and makes moves illegal that starve and cannot be evaluated.
//! Those count as nodes and do not enter the tree. Alpha-beta: a player all of whose moves starve the opponent has what is left.

use std::cell::Cell;

use quod_model::{
    AndOr, Basis, Bounded, Bounds, Child, Evaluation, Game, Goal, Minimax, Numbers, Oracle, Player,
    Published, Relative, Settled, Value,
};

use super::{Awari, Position};

/// The path of a program that looks at a position.
struct Path<'g> {
    game: &'g Awari,
    oracle: Option<&'g dyn Oracle<Awari>>,
    positions: Vec<Position>,
}

impl<'g> Path<'g> {
    fn new(game: &'g Awari, root: Position, oracle: Option<&'g dyn Oracle<Awari>>) -> Self {
        Self { game, oracle, positions: vec![root] }
    }

    fn here(&self) -> &Position {
        self.positions.last().expect("the path holds the root")
    }

    fn down(&mut self, codes: &[u32]) {
        for code in codes {
            let pit = u8::try_from(*code).expect("a pit");
            self.positions.push(self.game.after(self.here(), pit));
        }
    }

    fn up(&mut self, steps: usize) {
        self.positions.truncate(self.positions.len() - steps);
    }

    /// What is known without a look at the path: the end of the game, or what the database says.
    fn known(&self, position: &Position) -> Option<Value> {
        self.game.outcome(position).or_else(|| self.oracle?.value(self.game, position))
    }

    /// What endless play is worth, if one of the first `depth` positions comes again.
    fn repeated(&self, position: &Position, depth: usize) -> Option<Value> {
        let again = self.positions[..depth].contains(position);
        again.then(|| Relative(position.lead()).for_first(position.to_move))
    }

    /// The pits that have stones, with the positions that they lead to: the largest captures first, from the left.
    fn children(&self) -> ([(u8, Position); 6], usize) {
        let here = self.here();
        let (mut children, mut count) = ([(0, *here); 6], 0);
        for pit in (0..self.game.width()).filter(|pit| here.mover.pit(*pit) > 0) {
            children[count] = (pit, self.game.after(here, pit));
            count += 1;
        }
        children[..count].sort_by_key(|(_, after)| std::cmp::Reverse(after.other.store()));
        (children, count)
    }
}

/// Whether the player to move has no stone.
fn is_starved(position: &Position) -> bool {
    position.mover.is_empty()
}

struct PublishedGoal<'g> {
    path: Path<'g>,
    goal: Goal,
    beside: &'g Cell<u64>,
}

impl PublishedGoal<'_> {
    /// By the database, and by what was captured.
    fn at_once(&self, position: &Position) -> Option<bool> {
        let bounds = self.path.game.bounds(position);
        let known = |value| self.goal.is_reached_by(value);
        self.goal.settled_by(bounds).or_else(|| {
            let oracle = self.path.oracle?;
            oracle.value(self.path.game, position).map(known)
        })
    }

    fn settle(&self, position: &Position, depth: usize) -> Option<bool> {
        self.at_once(position).or_else(|| {
            let path = &self.path;
            let value = path.game.outcome(position).or_else(|| path.repeated(position, depth))?;
            Some(self.goal.is_reached_by(value))
        })
    }
}

impl AndOr for PublishedGoal<'_> {
    fn is_or(&self) -> bool {
        self.path.here().to_move == self.goal.claimant
    }

    fn down(&mut self, codes: &[u32]) {
        self.path.down(codes);
    }

    fn up(&mut self, steps: usize) {
        self.path.up(steps);
    }

    fn evaluate(&mut self, _: Evaluation) -> Option<Settled> {
        let holds = self.settle(self.path.here(), self.path.positions.len() - 1)?;
        Some(Settled { holds, basis: Basis::Knowledge })
    }

    fn expand(&mut self, _: Evaluation, children: &mut Vec<Child>) {
        let (moves, count) = self.path.children();
        let moves = &moves[..count];
        let is_legal = |position: &Position| !is_starved(position) || self.at_once(position).is_some();
        let any_legal = moves.iter().any(|(_, position)| is_legal(position));
        for (pit, position) in moves {
            if any_legal && !is_legal(position) {
                self.beside.set(self.beside.get() + 1);
                continue;
            }
            let settled = self.settle(position, self.path.positions.len());
            let numbers = settled.map_or(Numbers::ONE, Numbers::solved);
            let is_or = position.to_move == self.goal.claimant;
            children.push(Child { code: u32::from(*pit), is_or, numbers });
        }
    }
}

struct PublishedValue<'g> {
    path: Path<'g>,
    max: Player,
}

impl PublishedValue<'_> {
    fn bounds_of(&self, position: &Position, depth: usize) -> (Relative, Relative) {
        let (path, game) = (&self.path, self.path.game);
        let known = path.known(position).or_else(|| path.repeated(position, depth));
        let bounds = known.map_or_else(|| game.bounds(position), |value| (value, value));
        Value::range_seen_by(bounds, self.max)
    }
}

impl Minimax for PublishedValue<'_> {
    fn is_max(&self) -> bool {
        self.path.here().to_move == self.max
    }

    fn down(&mut self, codes: &[u32]) {
        self.path.down(codes);
    }

    fn up(&mut self, steps: usize) {
        self.path.up(steps);
    }

    fn bounds(&mut self) -> (Relative, Relative) {
        self.bounds_of(self.path.here(), self.path.positions.len() - 1)
    }

    fn expand(&mut self, _: Relative, children: &mut Vec<Bounded>) {
        let (moves, count) = self.path.children();
        let feeds = |(_, position): &&(u8, Position)| !is_starved(position);
        let any_feeds = moves[..count].iter().any(|child| feeds(&child));
        for (pit, position) in moves[..count].iter().filter(|child| !any_feeds || feeds(child)) {
            let (lower, upper) = self.bounds_of(position, self.path.positions.len());
            let is_max = position.to_move == self.max;
            let key = Some(self.path.game.key(position));
            children.push(Bounded {
                code: u32::from(*pit),
                is_max,
                lower,
                upper,
                numbers: Numbers::ONE,
                key,
            });
        }
    }

    /// What was captured and what is left. A player all of whose moves starve the opponent has that without making one.
    fn glance(&mut self, code: u32) -> Option<(Relative, Relative)> {
        let position = self.path.game.after(self.path.here(), u8::try_from(code).expect("a pit"));
        if is_starved(&position) {
            return Some((Relative(i32::MAX), Relative(i32::MIN)));
        }
        Some(Value::range_seen_by(self.path.game.bounds(&position), self.max))
    }
}

impl Published for Awari {
    const EXPERIMENT: &'static str = "allis1994";

    fn published_goal<'g>(
        &'g self,
        root: Position,
        goal: Goal,
        oracle: Option<&'g dyn Oracle<Self>>,
        beside: &'g Cell<u64>,
    ) -> Box<dyn AndOr + 'g> {
        Box::new(PublishedGoal { path: Path::new(self, root, oracle), goal, beside })
    }
}

impl quod_model::PublishedValue for Awari {
    fn published_value<'g>(
        &'g self,
        root: Position,
        oracle: Option<&'g dyn Oracle<Self>>,
    ) -> Box<dyn Minimax + 'g> {
        Box::new(PublishedValue { path: Path::new(self, root, oracle), max: root.to_move })
    }
}
