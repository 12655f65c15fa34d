//! Depth-first searches: one table for all questions about a root, on one thread or several.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use quod_model::{
    AndOr, Evaluation, Game, Goal, GoalCursor, Joining, LeafNumbers, Notation, Relative, Verdict,
};
use quod_proof::{Again, NodeId, SolutionTree};
use quod_search::{Backup, Dfpn, DfpnOptions, Interval, QUESTION_MOST, Search, SharedTable, Solved};

use crate::drive::Driver;
use crate::line::real_move;

/// A depth-first search with its switches.
#[derive(Clone, Copy)]
pub(crate) struct DepthFirstMethod {
    pub(crate) options: DfpnOptions,
    pub(crate) joining: Joining,
    pub(crate) symmetric: bool,
    pub(crate) threads: usize,
}

/// A table with the searches that fill it.
pub(crate) struct TableSearch<'g, G: Game> {
    game: &'g G,
    method: DepthFirstMethod,
    leaf: LeafNumbers<G>,
    /// The smallest value: the first question is about the next one.
    lowest: Relative,
    /// Whether there are so many values that questions get tables of their own.
    wide: bool,
    table: RefCell<Arc<SharedTable>>,
    table_bytes: u64,
    /// The question that a table of its own is for.
    asked: Cell<Relative>,
}

impl<'g, G: Notation> TableSearch<'g, G> {
    pub(crate) fn new(
        game: &'g G,
        method: DepthFirstMethod,
        leaf: LeafNumbers<G>,
        range: Interval,
        table_bytes: u64,
    ) -> Self {
        let wide = i64::from(range.upper.0) - i64::from(range.lower.0) > i64::from(QUESTION_MOST);
        let table = RefCell::new(new_table(method, table_bytes));
        Self {
            game,
            method,
            leaf,
            lowest: range.lower,
            wide,
            table,
            table_bytes,
            asked: Cell::new(range.lower),
        }
    }

    fn table(&self) -> Arc<SharedTable> {
        Arc::clone(&self.table.borrow())
    }

    /// Whether its moves are those of canonical positions.
    pub(crate) fn is_symmetric(&self) -> bool {
        self.method.symmetric
    }

    /// The bytes that the table takes.
    pub(crate) fn bytes(&self) -> u64 {
        self.table().bytes()
    }

    /// The number of a question in the table.
    fn question(&self, at_least: Relative) -> u16 {
        if self.wide {
            if self.asked.replace(at_least) != at_least {
                self.table.replace(new_table(self.method, self.table_bytes));
            }
            return 1;
        }
        u16::try_from(at_least.0 - self.lowest.0).expect("questions are above the smallest value, and few")
    }

    fn cursor(&self, position: &G::Position, goal: Goal) -> GoalCursor<'g, G> {
        GoalCursor::new(self.game, position.clone(), goal, self.leaf)
            .joining(self.method.joining, self.method.symmetric)
    }

    fn searches(&self, position: &G::Position, goal: Goal) -> Vec<Dfpn<'g>> {
        let (question, table) = (self.question(goal.at_least), self.table());
        let team = self.method.threads > 1;
        let search = |_| {
            Dfpn::new(self.cursor(position, goal), self.method.options, question, Arc::clone(&table), team)
        };
        (0..self.method.threads).map(search).collect()
    }

    /// Searches for an answer. If the side to move has it, its move comes too.
    pub(crate) fn search(
        &self,
        position: &G::Position,
        goal: Goal,
        held: u64,
        driver: &mut Driver<'_>,
    ) -> (Verdict, Option<u32>) {
        let asked = Interval::of_question(goal.at_least);
        let mut searches = self.searches(position, goal);
        if let [search] = &mut searches[..] {
            return (driver.run(search, asked, held), search.root_move());
        }
        let (verdict, by) = driver.run_team(&mut searches, asked, held);
        (verdict, by.and_then(|by| searches[by].root_move()))
    }

    /// Whether a goal looks reachable after a short search: its answer, or which number is smaller.
    pub(crate) fn looks(&self, position: &G::Position, goal: Goal, driver: &mut Driver<'_>) -> bool {
        /// Expansions of such a search.
        const SHORT: u64 = 2_000;
        let (question, table) = (self.question(goal.at_least), self.table());
        let mut search = Dfpn::new(self.cursor(position, goal), self.method.options, question, table, false);
        let verdict = driver.run_steps(&mut search, Interval::of_question(goal.at_least), 0, SHORT);
        let numbers = search.root_numbers();
        match verdict {
            Some(Verdict::Proven) => true,
            Some(Verdict::Disproven) => false,
            _ => numbers.pn <= numbers.dn,
        }
    }

    /// A move of the side that has what it claims here: one that the table knows, or one that a search finds again.
    pub(crate) fn winning_move(
        &self,
        position: &G::Position,
        goal: Goal,
        holds: bool,
        held: u64,
        driver: &mut Driver<'_>,
    ) -> Again {
        if let Some(code) = self.known_move(position, goal, holds) {
            return Again::Move(code);
        }
        match self.search(position, goal, held, driver) {
            (Verdict::Unknown(_), _) => Again::Stopped,
            (_, None) => Again::Apart,
            (verdict, Some(code)) if (verdict == Verdict::Proven) == holds => Again::Move(code),
            _ => Again::Apart,
        }
    }

    /// The shortest of the moves that are known to keep an answer.
    fn known_move(&self, position: &G::Position, goal: Goal, holds: bool) -> Option<u32> {
        let known = self.known(position, goal).into_iter();
        let keeping = known.filter(|(_, answer)| answer.is_some_and(|(answer, _)| answer == holds));
        keeping.min_by_key(|(_, answer)| answer.map(|(_, rank)| rank)).map(|(code, _)| code)
    }

    /// The moves with the answers to a question behind them, as far as they are known, and how long those take to show.
    fn known(&self, position: &G::Position, goal: Goal) -> Vec<(u32, Option<(bool, u16)>)> {
        let (mut children, mut identities) = (Vec::new(), Vec::new());
        let evaluation = match self.method.options.evaluation {
            Evaluation::Delayed => Evaluation::Judged,
            other => other,
        };
        self.cursor(position, goal).expand_joined(evaluation, &mut children, &mut identities);
        let (question, table) = (self.question(goal.at_least), self.table());
        let answer = |(child, identity): (&quod_model::Child, &Option<_>)| {
            let answer = if child.numbers.is_solved() {
                Some((child.numbers.is_proven(), 0))
            } else {
                identity.and_then(|identity| table.answer(identity, question))
            };
            (child.code, answer)
        };
        children.iter().zip(&identities).map(answer).collect()
    }

    /// A line of play in which the sides keep to what is proven, as far as the table still knows it. Where one of them has
    /// nothing to keep, it takes what holds longest.
    pub(crate) fn line(
        &self,
        root: &G::Position,
        proven: Interval,
        range: Interval,
        first: Option<u32>,
    ) -> Vec<String> {
        const LONGEST: usize = 1_000;
        let (game, claimant) = (self.game, self.game.to_move(root));
        let (below, above) = (Goal::new(claimant, proven.lower), Goal::new(claimant, proven.upper.above()));
        let mut position = root.clone();
        let (mut words, mut met) = (Vec::new(), Vec::new());
        while game.outcome(&position).is_none() && !met.contains(&position) && words.len() < LONGEST {
            let own = game.to_move(&position) == claimant;
            let keeps_lower = proven.lower > range.lower;
            let keeps_upper = proven.upper < range.upper;
            let code = match (own, keeps_lower, keeps_upper) {
                _ if words.is_empty() && first.is_some() => first,
                (true, true, _) => self.known_move(&position, below, true),
                (false, _, true) => self.known_move(&position, above, false),
                (_, true, _) => self.longest(&position, below, true),
                (_, _, true) => self.longest(&position, above, false),
                _ => None,
            };
            let Some(code) = code else { break };
            let mv = real_move(game, &position, code, self.method.symmetric);
            words.push(game.move_text(&position, mv));
            met.push(position.clone());
            position = game.after(&position, mv);
        }
        words
    }

    fn longest(&self, position: &G::Position, goal: Goal, holds: bool) -> Option<u32> {
        let known = self.known(position, goal);
        let longest = known.iter().filter(|(_, answer)| answer.is_some_and(|(answer, _)| answer == holds));
        longest.max_by_key(|(_, answer)| answer.map(|(_, rank)| rank)).map(|(code, _)| *code)
    }
}

fn new_table(method: DepthFirstMethod, bytes: u64) -> Arc<SharedTable> {
    let DfpnOptions { cyclic, backup, .. } = method.options;
    Arc::new(SharedTable::new(bytes, cyclic, backup == Backup::Masked))
}

/// The move that shows an answer, where nothing else is kept.
pub(crate) struct FirstMove(pub(crate) u32);

impl SolutionTree for FirstMove {
    fn root(&self) -> NodeId {
        0
    }
    fn winning_child(&self, node: NodeId) -> Option<(u32, NodeId)> {
        (node == 0).then_some((self.0, 1))
    }
    fn child(&self, _: NodeId, _: u32) -> Option<NodeId> {
        None
    }
}

impl Solved for FirstMove {
    fn is_or(&self, _: NodeId) -> bool {
        true
    }
    fn bytes(&self) -> u64 {
        0
    }
    fn longest_line(&self) -> Vec<u32> {
        vec![self.0]
    }
}
