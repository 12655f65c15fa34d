//! Depth-first searches: one table for all questions about a root, on one thread or several.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use quod_checkpoint::{Failure, Reader};
use quod_model::{
    AndOr, Evaluation, Game, Goal, GoalCursor, Joining, LeafNumbers, Move as _, Notation, Oracle, Relative,
    RememberingCursor, ThreatCursor, Verdict, is_held_back,
};
use quod_search::{Backup, Dfpn, DfpnOptions, Interval, QUESTION_MOST, Search, SharedTable, Solved};

use crate::drive::Driver;
use crate::jobs::{Jobs, SharedJobs, Worker};
use crate::keep::Shared;
use crate::lines::Lines;
use crate::table::{FirstMove, Table};

/// A depth-first search with its switches.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DepthFirstMethod {
    pub(crate) options: DfpnOptions,
    pub(crate) symmetric: bool,
    pub(crate) threads: usize,
    /// Whether a tree in memory hands out jobs.
    pub(crate) jobs: bool,
    /// Whether lines of threats are looked for.
    pub(crate) threats: bool,
}

/// One question about one position, for as many searches as like.
pub(crate) struct Site<'g, G: Game> {
    pub(crate) game: &'g G,
    pub(crate) root: G::Position,
    pub(crate) goal: Goal,
    pub(crate) question: u16,
    pub(crate) method: DepthFirstMethod,
    pub(crate) table: Arc<SharedTable>,
    leaf: LeafNumbers<G>,
    oracle: Option<&'g dyn Oracle<G>>,
}

impl<'g, G: Game> Site<'g, G> {
    pub(crate) fn cursor(&self, position: &G::Position) -> Box<dyn AndOr + Send + 'g> {
        let Self { game, goal, leaf, method, oracle, .. } = *self;
        if method.threats
            && let Some(cursor) = ThreatCursor::new(game, position, goal, method.symmetric)
        {
            return Box::new(RememberingCursor::new(cursor));
        }
        let cursor = GoalCursor::new(game, position.clone(), goal, leaf).with_oracle(oracle);
        Box::new(cursor.joining(Joining::Everything, method.symmetric))
    }

    /// A search below a position.
    pub(crate) fn search(&self, position: &G::Position) -> Dfpn<'g> {
        let team = self.method.threads > 1;
        Dfpn::new(self.cursor(position), self.method.options, self.question, Arc::clone(&self.table), team)
    }
}

/// The part of the memory that a tree of jobs takes.
const TREE_PART: u64 = 16;

/// A table with the searches that fill it.
pub(crate) struct TableSearch<'g, G: Game> {
    game: &'g G,
    method: DepthFirstMethod,
    leaf: LeafNumbers<G>,
    oracle: Option<&'g dyn Oracle<G>>,
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
    /// In so many bytes; where these are few, on fewer threads. A table that was `shared` before keeps its size.
    pub(crate) fn within(
        game: &'g G,
        mut method: DepthFirstMethod,
        leaf: LeafNumbers<G>,
        range: Interval,
        bytes: u64,
        shared: Option<u64>,
    ) -> Self {
        /// What a thread needs for its path, and to be worth while.
        const THREAD_BYTES: u64 = 64 << 10;
        method.threads = method.threads.min((bytes / THREAD_BYTES / 2) as usize).max(1);
        let tree_bytes = if method.jobs { bytes / TREE_PART } else { 0 };
        let path_bytes = (bytes / 2).min(method.threads as u64 * THREAD_BYTES);
        let table_bytes = shared.unwrap_or(bytes - tree_bytes - path_bytes);
        Self { table_bytes, ..Self::on(game, method, leaf, range, new_table(method, table_bytes)) }
    }

    /// The bytes of its table, at the most.
    pub(crate) fn table_bytes(&self) -> u64 {
        self.table_bytes
    }

    /// On a table that others may fill too, with the answers to one question.
    pub(crate) fn on(
        game: &'g G,
        method: DepthFirstMethod,
        leaf: LeafNumbers<G>,
        range: Interval,
        table: Arc<SharedTable>,
    ) -> Self {
        let wide = i64::from(range.upper.0) - i64::from(range.lower.0) > i64::from(QUESTION_MOST);
        Self {
            game,
            method,
            leaf,
            oracle: None,
            lowest: range.lower,
            wide,
            table_bytes: table.bytes(),
            table: RefCell::new(table),
            asked: Cell::new(range.lower),
        }
    }

    /// The same with exact values from outside, if there are any.
    pub(crate) fn with_oracle(self, oracle: Option<&'g dyn Oracle<G>>) -> Self {
        Self { oracle, ..self }
    }

    fn table(&self) -> Arc<SharedTable> {
        Arc::clone(&self.table.borrow())
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

    fn site(&self, position: &G::Position, goal: Goal) -> Site<'g, G> {
        // A question may need a table of its own.
        let question = self.question(goal.at_least);
        let Self { game, method, leaf, oracle, .. } = *self;
        Site { game, root: position.clone(), goal, question, method, table: self.table(), leaf, oracle }
    }

    /// Searches for an answer. If the side to move has it, its move comes too; of a tree of jobs, all of it.
    pub(crate) fn search(
        &self,
        position: &G::Position,
        goal: Goal,
        held: u64,
        driver: &mut Driver<'_>,
    ) -> (Verdict, Option<Rc<dyn Solved>>) {
        let asked = Interval::of_question(goal.at_least);
        let site = self.site(position, goal);
        let first_move = |code| Rc::new(FirstMove(code)) as Rc<dyn Solved>;
        if site.method.jobs {
            let jobs = Jobs::new(&site, self.table_bytes / TREE_PART);
            let make = || Worker::new(&site, &jobs);
            let shared = SharedJobs { table: &site.table, jobs: &jobs };
            let (verdict, _) = driver.run_team(site.method.threads, make, drop, &shared, asked, held);
            let (tree, root_move) = jobs.end();
            let tree = root_move.map_or_else(|| Rc::new(tree) as Rc<dyn Solved>, first_move);
            return (verdict, Some(tree));
        }
        let (make, end) = (|| site.search(position), |search: Dfpn<'_>| search.root_move());
        let shared = &*site.table;
        let (verdict, root_move) = driver.run_team(site.method.threads, make, end, shared, asked, held);
        let root_move = self.real_root_move(position, goal, verdict, root_move.flatten());
        (verdict, root_move.map(first_move))
    }

    /// The move that a search has found; a step to moves that were held back is none, but the table knows which of them it was.
    fn real_root_move(
        &self,
        position: &G::Position,
        goal: Goal,
        verdict: Verdict,
        found: Option<u32>,
    ) -> Option<u32> {
        match found {
            Some(code) if is_held_back(code) => self.known_move(position, goal, verdict == Verdict::Proven),
            other => other,
        }
    }

    /// Searches for a short while, on one thread.
    fn search_shortly(
        &self,
        position: &G::Position,
        goal: Goal,
        held: u64,
        driver: &mut Driver<'_>,
    ) -> (Option<Verdict>, Dfpn<'g>) {
        /// Expansions of such a search.
        const SHORT: u64 = 2_000;
        let mut search = self.site(position, goal).search(position);
        let verdict = driver.run_steps(&mut search, Interval::of_question(goal.at_least), held, SHORT);
        search.come_back();
        (verdict, search)
    }

    /// Whether a goal looks reachable after a short search: its answer, or which number is smaller.
    pub(crate) fn looks(&self, position: &G::Position, goal: Goal, driver: &mut Driver<'_>) -> bool {
        let (verdict, search) = self.search_shortly(position, goal, 0, driver);
        let numbers = search.root_numbers();
        match verdict {
            Some(Verdict::Proven) => true,
            Some(Verdict::Disproven) => false,
            // Whoever has the move and is not seen to lose tries to win.
            _ if self.method.threats => true,
            _ => numbers.pn <= numbers.dn,
        }
    }
}

impl<G: Notation> Table<G> for TableSearch<'_, G> {
    fn game(&self) -> &G {
        self.game
    }

    fn is_symmetric(&self) -> bool {
        self.method.symmetric
    }

    fn bytes(&self) -> u64 {
        self.table().bytes()
    }

    fn knows_one_question(&self) -> bool {
        self.wide
    }

    fn search_again(
        &self,
        position: &G::Position,
        goal: Goal,
        held: u64,
        driver: &mut Driver<'_>,
    ) -> (Verdict, Option<u32>) {
        let (short, search) = self.search_shortly(position, goal, held, driver);
        if let Some(verdict) = short {
            return (verdict, self.real_root_move(position, goal, verdict, search.root_move()));
        }
        let (verdict, tree) = self.search(position, goal, held, driver);
        (verdict, tree.and_then(|tree| tree.winning_child(tree.root())).map(|(code, _)| code))
    }

    fn known(
        &self,
        position: &G::Position,
        goal: Goal,
        wanted: Option<bool>,
    ) -> Vec<(u32, Option<(bool, u16)>)> {
        let site = self.site(position, goal);
        let (mut children, mut identities, mut known) = (Vec::new(), Vec::new(), Vec::new());
        let evaluation = match self.method.options.evaluation {
            Evaluation::Delayed => Evaluation::Judged,
            other => other,
        };
        let Site { question, table, .. } = &site;
        let mut cursor = site.cursor(position);
        loop {
            cursor.expand_joined(evaluation, &mut children, &mut identities);
            let later = children.pop_if(|child| is_held_back(child.code));
            for (child, identity) in children.drain(..).zip(&identities) {
                let answer = if child.numbers.is_solved() {
                    Some((child.numbers.is_proven(), 0))
                } else {
                    identity.and_then(|identity| table.answer(identity, *question))
                };
                known.push((child.code, answer));
            }
            identities.clear();
            let is_wanted =
                |(_, answer): &(u32, Option<(bool, u16)>)| answer.map(|(holds, _)| holds) == wanted;
            match later {
                // Looking at the moves of a stage takes long where lines of threats are looked for.
                Some(later) if wanted.is_none() || !known.iter().any(is_wanted) => cursor.down(&[later.code]),
                _ => return known,
            }
        }
    }

    fn threats(&self, goal: Goal, holds: bool) -> Option<Lines<G>> {
        if self.method.threats { Lines::of_winner(self.game, goal, holds) } else { None }
    }

    fn known_move(&self, position: &G::Position, goal: Goal, holds: bool) -> Option<u32> {
        // Whoever keeps an answer and wins by threats keeps it by them.
        let mover = self.game.to_move(position);
        if self.method.threats
            && (mover == goal.claimant) == holds
            && let Some(threats) = Lines::of_player(self.game, mover)
        {
            let canonical = self.game.abilities().canonical.filter(|_| self.method.symmetric);
            let place = canonical.map_or(position.clone(), |canonical| canonical(self.game, position));
            if let Some(line) = threats.line(self.game, &place) {
                return Some(line[0].code());
            }
        }
        self.quickest_move(position, goal, holds)
    }
}

impl Shared for SharedTable {
    fn restore(&self, _: bool, from: &mut Reader<'_>) -> Result<(), Failure> {
        SharedTable::restore(self, from)
    }
}

pub(crate) fn new_table(method: DepthFirstMethod, bytes: u64) -> Arc<SharedTable> {
    let DfpnOptions { cyclic, backup, .. } = method.options;
    Arc::new(SharedTable::new(bytes, cyclic, backup == Backup::Masked))
}

#[cfg(test)]
mod tests;
