//! A search of either kind, from its method to what is kept of it.

use std::rc::Rc;

use quod_model::AndOr;
use quod_search::{GraphPn, Pn, Search, Solved, Tree};

use crate::drive::Driver;
use crate::request::Method;

pub(crate) enum Run<'c> {
    Tree(Box<Pn<'c>>),
    Graph(Box<GraphPn<'c>>),
}

impl<'c> Run<'c> {
    pub(crate) fn new(cursor: impl AndOr + 'c, method: Method, memory: u64) -> Self {
        match method {
            Method::Tree(options) => Self::Tree(Box::new(Pn::new(cursor, options, memory))),
            Method::Graph { options, .. } => Self::Graph(Box::new(GraphPn::new(cursor, options, memory))),
        }
    }

    pub(crate) fn search(&mut self) -> &mut dyn Search {
        match self {
            Self::Tree(search) => &mut **search,
            Self::Graph(search) => &mut **search,
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
            Self::Tree(search) => {
                let tree = search.into_tree();
                let copy = tree.solution(room);
                driver.uses(tree.bytes() + copy.as_ref().map_or(0, Tree::bytes));
                let kept = match copy {
                    None if whole => Some(tree),
                    None => tree.first_move(),
                    copy => copy,
                };
                kept.map(|tree| Rc::new(tree) as Rc<dyn Solved>)
            }
        }
    }

    /// The bytes in use.
    pub(crate) fn bytes(&self) -> u64 {
        match self {
            Self::Tree(search) => search.tree().bytes(),
            Self::Graph(search) => search.graph().bytes(),
        }
    }
}
