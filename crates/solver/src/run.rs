//! A search of either kind, from its method to what is kept of it.

use std::rc::Rc;

use quod_model::{AndOr, Minimax};
use quod_search::{Gpn, Gpn2, GraphPn, Interval, Pn, Pn2, Search, Solved, Sss2, SssStar, Tree, WindowSearch};

use crate::drive::Driver;
use crate::plan::{Method, MinimaxKind, MinimaxMethod, ValueMethod};

pub(crate) enum Run<'c> {
    Tree(Box<Pn<'c>>),
    TwoLevel(Box<Pn2<'c>>),
    Graph(Box<GraphPn<'c>>),
}

impl<'c> Run<'c> {
    pub(crate) fn new(cursor: impl AndOr + 'c, method: Method, memory: u64) -> Self {
        match method {
            Method::Tree(options) => Self::Tree(Box::new(Pn::new(cursor, options, memory))),
            Method::TwoLevel(options, second_level) => {
                Self::TwoLevel(Box::new(Pn2::new(cursor, options, second_level, memory)))
            }
            Method::Value(_) | Method::Minimax(_) | Method::Bounds { .. } | Method::DepthFirst(_) => {
                unreachable!("these have runs of their own")
            }
            Method::Graph { options, .. } => Self::Graph(Box::new(GraphPn::new(cursor, options, memory))),
        }
    }

    pub(crate) fn search(&mut self) -> &mut dyn Search {
        match self {
            Self::Tree(search) => &mut **search,
            Self::TwoLevel(search) => &mut **search,
            Self::Graph(search) => &mut **search,
        }
    }

    /// The search, to look at.
    pub(crate) fn running(&self) -> &dyn Search {
        match self {
            Self::Tree(search) => &**search,
            Self::TwoLevel(search) => &**search,
            Self::Graph(search) => &**search,
        }
    }

    /// What is kept of a solved search, in `room` bytes beside it. Of a graph, its solution. Of a tree, a copy of its
    /// solution if there is room; else all of it if `whole` says that nothing is missing and no search follows; else the
    /// root with its children, for the sake of the best move. What is not kept can be found again.
    pub(crate) fn keep(self, whole: bool, room: u64, driver: &mut Driver<'_>) -> Option<Rc<dyn Solved>> {
        match self {
            Self::Graph(search) => {
                let mut graph = search.into_graph();
                graph.keep_solution();
                Some(Rc::new(graph))
            }
            Self::Tree(search) => keep_tree(search.into_tree(), whole, room, driver),
            Self::TwoLevel(search) => keep_tree(search.into_tree(), whole, room, driver),
        }
    }

    /// The bytes in use.
    pub(crate) fn bytes(&self) -> u64 {
        match self {
            Self::Tree(search) => search.tree().bytes(),
            Self::TwoLevel(search) => search.tree().bytes(),
            Self::Graph(search) => search.graph().bytes(),
        }
    }
}

fn keep_tree(tree: Tree, whole: bool, room: u64, driver: &mut Driver<'_>) -> Option<Rc<dyn Solved>> {
    let copy = tree.solution(room);
    driver.uses(tree.bytes() + copy.as_ref().map_or(0, Tree::bytes));
    let kept = match copy {
        None if whole => Some(tree),
        None => tree.first_move(),
        copy => copy,
    };
    kept.map(|tree| Rc::new(tree) as Rc<dyn Solved>)
}

/// A search for a value.
pub(crate) enum ValueRun<'c> {
    One(Box<Gpn<'c>>),
    Two(Box<Gpn2<'c>>),
    Windows(Box<WindowSearch<'c>>),
    Sss2(Box<Sss2<'c>>),
    SssStar(Box<SssStar<'c>>),
}

/// What shows a bound.
type Shows = Option<Rc<dyn Solved>>;

fn shared(solution: Option<impl Solved + 'static>) -> Shows {
    solution.map(|solution| Rc::new(solution) as Rc<dyn Solved>)
}

impl<'c> ValueRun<'c> {
    pub(crate) fn new(cursor: impl Minimax + 'c, asked: Interval, method: Method, memory: u64) -> Self {
        match method {
            Method::Value(method) => Self::numbers(cursor, asked, method, memory),
            Method::Minimax(MinimaxMethod { kind: MinimaxKind::Windows(options), .. }) => {
                Self::Windows(Box::new(WindowSearch::new(cursor, asked, options, memory)))
            }
            Method::Minimax(MinimaxMethod { kind: MinimaxKind::Sss2, .. }) => {
                Self::Sss2(Box::new(Sss2::new(cursor, asked, memory)))
            }
            Method::Minimax(MinimaxMethod { kind: MinimaxKind::SssStar, .. }) => {
                Self::SssStar(Box::new(SssStar::new(cursor, asked, memory)))
            }
            Method::Tree(_)
            | Method::TwoLevel(..)
            | Method::Graph { .. }
            | Method::Bounds { .. }
            | Method::DepthFirst(_) => {
                unreachable!("it is no search for a value")
            }
        }
    }

    fn numbers(cursor: impl Minimax + 'c, asked: Interval, method: ValueMethod, memory: u64) -> Self {
        match method.second_level {
            None => Self::One(Box::new(Gpn::new(cursor, asked, method.options, memory))),
            Some(second_level) => {
                Self::Two(Box::new(Gpn2::new(cursor, asked, method.options, second_level, memory)))
            }
        }
    }

    pub(crate) fn search(&mut self) -> &mut dyn Search {
        match self {
            Self::One(search) => &mut **search,
            Self::Two(search) => &mut **search,
            Self::Windows(search) => &mut **search,
            Self::Sss2(search) => &mut **search,
            Self::SssStar(search) => &mut **search,
        }
    }

    /// What shows its lower and its upper bound.
    pub(crate) fn into_solutions(self) -> (Shows, Shows) {
        fn both(solutions: (Option<impl Solved + 'static>, Option<impl Solved + 'static>)) -> (Shows, Shows) {
            (shared(solutions.0), shared(solutions.1))
        }
        match self {
            Self::One(search) => both(search.into_solutions()),
            Self::Two(search) => both(search.into_solutions()),
            Self::Windows(search) => both(search.into_solutions()),
            Self::Sss2(search) => both(search.into_solutions()),
            Self::SssStar(search) => both(search.into_solutions()),
        }
    }
}
