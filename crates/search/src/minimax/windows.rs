//! The depth-first searches for a value: alpha-beta, null-window search, PVS, SCOUT, NegaC* and plain minimax, with and without
//! iterative deepening.

use quod_model::{Minimax, Numbers, Relative, StopReason, Verdict};
use quod_proof::{SearchTree, Solution};

use super::calls::Calls;
use super::engine::{ENDLESS, Engine, Keep};
use super::frame::Window;
use super::rule::Rule;
use super::solutions::{solutions, tree_bytes};
use super::table::{Table, TableOptions};
use super::tree::{ROOT, Tree};
use crate::limits::{Budget, Counters, DepthFirst, Progress, Search, Standing, take_steps};
use crate::many::{Interval, Many};

/// Which algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WindowMethod {
    /// Alpha-beta (figure 3 of de Bruin, Pijls and Plaat).
    AlphaBeta,
    /// Null windows from a guess towards the value (figure 4).
    Nws,
    /// Principal variation search (section 5).
    Pvs,
    /// Pearl's SCOUT: values without windows, and tests.
    Scout,
    /// Weill's NegaC*: null windows that halve what is left.
    NegacStar,
    /// Plain minimax.
    Brute,
}

/// The switches of a depth-first search for a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WindowOptions {
    /// The algorithm.
    pub method: WindowMethod,
    /// Whether the search goes deeper by one ply after the other ([`WindowMethod::AlphaBeta`] alone).
    pub deepen: bool,
    /// Its transposition table, if it deepens.
    pub table: Option<TableOptions>,
    /// What is kept of the tree.
    pub keep: Keep,
}

impl WindowOptions {
    /// An algorithm as published.
    #[must_use]
    pub fn new(method: WindowMethod) -> Self {
        Self { method, deepen: false, table: None, keep: Keep::default() }
    }
}

/// A depth-first search for the value of the place where its cursor stands.
///
/// ```
/// use quod_model::{Game, LeafNumbers, Relative, ValueCursor};
/// use quod_model::testkit::Graph;
/// use quod_search::{Budget, Interval, Search, WindowMethod, WindowOptions, WindowSearch};
///
/// let game: Graph = "a max: b c\n b = 0\n c min: d e\n d = 2\n e = 1".parse().unwrap();
/// let cursor = ValueCursor::new(&game, game.start(), LeafNumbers::One);
/// let range = Interval { lower: Relative(0), upper: Relative(2) };
/// let mut search = WindowSearch::new(cursor, range, WindowOptions::new(WindowMethod::AlphaBeta), 1 << 20);
/// search.advance(Budget::UNLIMITED);
/// // A strategy of each side shows that the value is 1.
/// let (lower, upper) = search.into_solutions();
/// assert_eq!((lower.unwrap().value(), upper.unwrap().value()), (Relative(1), Relative(1)));
/// ```
pub struct WindowSearch<'c> {
    cursor: Box<dyn Minimax + 'c>,
    pub(super) engine: Engine,
    options: WindowOptions,
    asked: Interval,
    /// What the rules say of the root.
    rules: (Relative, Relative),
    /// What finished calls have shown.
    proven: Interval,
    calls: Calls,
    /// What the last null window asked.
    last: Option<Relative>,
    begun: bool,
    memory_bytes_max: u64,
}

impl<'c> WindowSearch<'c> {
    /// A search for a value within `asked`: what lies outside counts as its end. It has `memory_bytes_max` bytes.
    pub fn new(
        cursor: impl Minimax + 'c,
        asked: Interval,
        options: WindowOptions,
        memory_bytes_max: u64,
    ) -> Self {
        let mut cursor: Box<dyn Minimax + 'c> = Box::new(cursor);
        let rules = cursor.bounds();
        // A table leaves half of the memory to the tree.
        let table = options.table.map(|table| Table::new(table, memory_bytes_max / 2));
        let rest = memory_bytes_max - table.as_ref().map_or(0, Table::bytes);
        let tree = Tree::new(tree_bytes(rest), cursor.is_max(), rules);
        let (rule, calls) = match options.method {
            WindowMethod::AlphaBeta => (Rule::AlphaBeta, Calls::Once),
            WindowMethod::Nws => (Rule::AlphaBeta, Calls::Nws),
            WindowMethod::Pvs => (Rule::Principal, Calls::Once),
            WindowMethod::Scout => (Rule::Scout, Calls::Once),
            WindowMethod::NegacStar => (Rule::AlphaBeta, Calls::NegacStar),
            WindowMethod::Brute => (Rule::Everything, Calls::Once),
        };
        let about = asked.question(Many::Binary).unwrap_or(asked.upper);
        // Lines of play can be long where positions come again. A short one needs no more than this.
        let path_bytes_max = (rest / 4).max(16 << 10);
        let mut engine = Engine::new(tree, rule, options.keep, table, about, path_bytes_max);
        if options.deepen {
            engine.horizon = 0;
        }
        Self {
            cursor,
            engine,
            options,
            asked,
            rules,
            proven: Interval { lower: rules.0, upper: rules.1 },
            calls,
            last: None,
            begun: false,
            memory_bytes_max,
        }
    }

    /// A known value or an answered question is the answer. It is looked for between calls: an algorithm ends where its own rules say.
    fn verdict(&self) -> Option<Verdict> {
        let Interval { lower, upper } = self.proven;
        let settled = lower >= upper || lower >= self.asked.upper || upper <= self.asked.lower;
        (self.engine.is_idle() && settled).then_some(Verdict::Proven)
    }

    fn step(&mut self, nodes_max: u64) -> Result<(), StopReason> {
        if self.engine.is_idle() {
            self.call();
        } else {
            self.engine.step(&mut *self.cursor, nodes_max)?;
        }
        if self.engine.is_idle() {
            let (lower, upper) = self.engine.tree.bounds(ROOT);
            self.proven =
                Interval { lower: self.proven.lower.max(lower), upper: self.proven.upper.min(upper) };
        }
        Ok(())
    }

    /// Begins the next call.
    fn call(&mut self) {
        if self.options.deepen && self.begun {
            // Nothing but the order of moves outlives an iteration, as published.
            self.engine.horizon += 1;
            self.engine.tree.begin_again(self.rules);
        }
        self.begun = true;
        let window = match self.options.method {
            WindowMethod::Brute => Window::OPEN,
            _ => self.calls.next(self.asked, self.proven, self.last),
        };
        self.last = Some(window.beta);
        self.engine.call(window);
    }

    /// Ends the search and keeps what shows its lower and its upper bound, where those are more than was asked about.
    #[must_use]
    pub fn into_solutions(self) -> (Option<Solution>, Option<Solution>) {
        let proven = self.standing().map_or(self.proven, |standing| standing.proven);
        let used = self.engine.tree.bytes() + self.engine.bytes();
        solutions(&self.engine.tree, self.asked, proven, self.memory_bytes_max, used)
    }
}

impl Search for WindowSearch<'_> {
    fn advance(&mut self, budget: Budget) -> Progress {
        take_steps(self, budget, Self::verdict, Self::step)
    }

    /// There are none: open, or known.
    fn root_numbers(&self) -> Numbers {
        if self.verdict().is_some() { Numbers::PROVEN } else { Numbers::ONE }
    }

    fn standing(&self) -> Option<Standing> {
        let (lower, upper) = self.engine.tree.bounds(ROOT);
        let proven = Interval { lower: self.proven.lower.max(lower), upper: self.proven.upper.min(upper) };
        Some(Standing { proven, at_least: self.last.unwrap_or(self.asked.upper).min(self.asked.upper) })
    }

    fn depth_first(&self) -> Option<DepthFirst> {
        let tree = &self.engine.tree;
        let (filled, places) = self.engine.table.as_ref().map_or((0, 0), Table::filling);
        let depth = u32::try_from(self.engine.depth()).unwrap_or(u32::MAX);
        Some(DepthFirst {
            moves: tree.count(ROOT) as usize,
            solved: tree.children(ROOT).filter(|(_, child)| tree.is_closed(*child)).count(),
            shallowest: depth,
            deepest: if self.engine.horizon == ENDLESS { depth } else { self.engine.horizon },
            filled,
            places,
        })
    }

    fn counters(&self) -> Counters {
        let engine = &self.engine;
        Counters {
            nodes: engine.nodes,
            expansions: engine.expansions,
            updates: engine.updates,
            peak_nodes: engine.tree.peak(),
            // A root that is known at a glance is looked at.
            deepened_nodes: if self.options.deepen { engine.deepened.max(1) } else { 0 },
            memory_bytes: engine.tree.bytes() + engine.bytes(),
            ..Counters::default()
        }
    }
}
