//! MTD(f): a value by null-window searches, each at the bound that the last one found, beginning with a guess.
//!
//! Plaat's driver: SSS* begins at the top, this one anywhere. All questions share one table.

use std::cell::RefCell;
use std::rc::Rc;

use quod_model::{Game, Numbers, StopReason, Value, Verdict};

use super::looks;
use super::null_window::{NullWindow, bounds_of, key};
use crate::limits::{Budget, Counters, DepthFirst, Progress, Search, Standing};
use crate::many::Interval;
use crate::table::Table;

/// Bounds on the values of many positions of a game, in a table that forgets. Searches share it one after the other.
#[derive(Clone)]
pub struct BoundsTable(Rc<RefCell<Table>>);

impl BoundsTable {
    /// Of so many bytes at the most.
    #[must_use]
    pub fn new(bytes_max: u64) -> Self {
        Self(Rc::new(RefCell::new(Table::new(bytes_max))))
    }

    /// The bytes in use.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.0.borrow().bytes()
    }

    /// What is known of the value of a position; with `symmetric`, searches have joined it with symmetric ones.
    #[must_use]
    pub fn bounds<G: Game>(
        &self,
        game: &G,
        position: &G::Position,
        symmetric: bool,
    ) -> Option<(Value, Value)> {
        let canonical = game.abilities().canonical.filter(|_| symmetric);
        let fact = self.0.borrow().fact(key(game, position, canonical))?;
        Some(bounds_of(fact, game.values().0))
    }
}

/// The search of one value.
pub struct Mtdf<'g, G: Game> {
    game: &'g G,
    root: G::Position,
    table: BoundsTable,
    window: NullWindow<'g, G>,
    /// What is proven, within what is asked.
    lower: Value,
    upper: Value,
    /// Where the next question is asked.
    guess: Value,
    /// The question under way.
    at_least: Option<Value>,
    /// A move that gets the player to move what is proven.
    root_move: Option<u32>,
    deepest: usize,
    shallowest: usize,
}

impl<'g, G: Game> Mtdf<'g, G> {
    /// A search for the value of `root` for the side to move there, within the range `asked`, from a guess for First. The table
    /// is of this game, and of searches that join symmetric positions as this one does. No position may come again.
    #[must_use]
    pub fn new(
        game: &'g G,
        root: G::Position,
        asked: Interval,
        guess: Value,
        symmetric: bool,
        table: BoundsTable,
    ) -> Self {
        let mover = game.to_move(&root);
        let (one, other) = (asked.lower.for_first(mover), asked.upper.for_first(mover));
        let (mut lower, mut upper) = (one.min(other), one.max(other));
        if let Some(value) = game.outcome(&root) {
            lower = value.clamp(lower, upper);
            upper = lower;
        }
        Self {
            game,
            root,
            table,
            window: NullWindow::new(game, symmetric),
            lower,
            upper,
            guess,
            at_least: None,
            root_move: None,
            deepest: 0,
            shallowest: 0,
        }
    }

    /// The code of a move that gets the player to move what is proven, if a search has found one.
    #[must_use]
    pub fn root_move(&self) -> Option<u32> {
        self.root_move
    }

    #[cfg(test)]
    pub(super) fn use_table_from(&mut self, worth: (u64, u64)) {
        self.window.use_table_from(worth);
    }

    fn proven(&self) -> Interval {
        let mover = self.game.to_move(&self.root);
        let (lower, upper) = Value::range_seen_by((self.lower, self.upper), mover);
        Interval { lower, upper }
    }

    fn is_solved(&self) -> bool {
        self.lower >= self.upper
    }

    /// The next question: the guess, or the first one above if that is known.
    fn question(&self) -> Value {
        let guess = self.guess.clamp(self.lower, self.upper);
        if guess == self.lower { guess.above() } else { guess }
    }

    fn step(&mut self, table: &mut Table, nodes_max: u64) -> Result<(), StopReason> {
        let (at_least, answer) = match self.at_least {
            Some(at_least) => (at_least, self.window.step(table, nodes_max)?),
            None => {
                let at_least = self.question();
                let answer = self.window.begin(&self.root, at_least, nodes_max)?;
                self.at_least = Some(at_least);
                (at_least, answer)
            }
        };
        let depth = self.window.depth();
        (self.shallowest, self.deepest) = (self.shallowest.min(depth), self.deepest.max(depth));
        let Some(value) = answer else { return Ok(()) };
        if value >= at_least {
            self.lower = value.min(self.upper);
        } else {
            self.upper = value.max(self.lower);
        }
        self.root_move = self.window.root_move().or(self.root_move);
        (self.guess, self.at_least) = (value, None);
        Ok(())
    }
}

impl<G: Game> Search for Mtdf<'_, G> {
    fn advance(&mut self, budget: Budget) -> Progress {
        let table = Rc::clone(&self.table.0);
        let table = &mut *table.borrow_mut();
        (self.shallowest, self.deepest) = (usize::MAX, 0);
        for _ in 0..budget.steps_max {
            if self.is_solved() {
                return Progress::Done(Verdict::Proven);
            }
            if let Err(reason) = self.step(table, budget.nodes_max) {
                return Progress::Done(Verdict::Unknown(reason));
            }
        }
        if self.is_solved() { Progress::Done(Verdict::Proven) } else { Progress::Running }
    }

    fn root_numbers(&self) -> Numbers {
        Numbers::ONE
    }

    fn standing(&self) -> Option<Standing> {
        let question = self.at_least.unwrap_or_else(|| self.question());
        let at_least = looks::wanted(self.game.to_move(&self.root), question);
        Some(Standing { proven: self.proven(), at_least })
    }

    fn depth_first(&self) -> Option<DepthFirst> {
        let (solved, moves) = self.window.root_moves();
        let (filled, places) = self.table.0.borrow().fill();
        let depth = |ply: usize| u32::try_from(ply).unwrap_or(u32::MAX);
        let shallowest = depth(self.shallowest.min(self.deepest));
        Some(DepthFirst { moves, solved, shallowest, deepest: depth(self.deepest), filled, places })
    }

    fn counters(&self) -> Counters {
        self.window.counters(&self.table.0.borrow())
    }
}

/// What rules, judge and foresight say of a position that a question is asked about.
pub fn seen_at_a_glance<G: Game>(game: &G, position: &G::Position, at_least: Value) -> (Value, Value) {
    let abilities = game.abilities();
    let (mut lower, mut upper) = looks::bounds(game, &abilities, position, at_least);
    if lower < upper
        && let Some(foresee) = abilities.foresee
    {
        let seen = foresee(game, position, None, at_least, &mut quod_model::Sight::default());
        (lower, upper) = (lower.max(seen.0), upper.min(seen.1));
    }
    (lower, upper)
}
