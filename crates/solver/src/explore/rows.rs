//! A tree as rows: the part of it that somebody has unfolded.

use quod_model::{InputError, Notation, Numbers};
use quod_search::Interval;

use super::bounds_text;

/// Which part of a tree is wanted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unfold<'t> {
    /// The moves from the root of the tree to the node.
    pub path: &'t str,
    /// How many levels below it.
    pub depth: u32,
    /// How many rows at the most.
    pub rows_max: usize,
}

/// A part of a tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Unfolded {
    /// The node that was asked for.
    pub node: TreeRow,
    /// What is below it, in preorder.
    pub rows: Vec<TreeRow>,
    /// Whether there was more than the most rows.
    pub cut: bool,
}

/// A node of a tree.
#[derive(Clone, Debug, PartialEq)]
pub struct TreeRow {
    /// The move that leads to it; nothing at the root.
    pub mv: Option<String>,
    /// How far it is below the node that was asked for.
    pub depth: u32,
    /// Whether the side is to move that wants the question answered with yes, or the claim kept.
    pub is_or: bool,
    /// Proof and disproof number, if there are any.
    pub numbers: Option<Numbers>,
    /// What is known of its value, in searches for many outcomes: for the side to move at the root, in the game's words.
    pub bounds: Option<String>,
    /// What is known of it.
    pub state: NodeState,
    /// How many children it has that can be listed.
    pub children: usize,
    /// Whether it has children that were not kept.
    pub is_cut: bool,
    /// Whether it is the most-proving child of its parent, or the move of a strategy.
    pub is_best: bool,
}

/// What is known of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeState {
    /// Nothing.
    Open,
    /// The answer is yes.
    Proven,
    /// The answer is no.
    Disproven,
    /// The rules settle it.
    End,
    /// A position that has come again.
    Again,
}

/// What a tree knows of one node.
pub(crate) struct Known<M, N> {
    pub(crate) is_or: bool,
    pub(crate) numbers: Option<Numbers>,
    pub(crate) bounds: Option<Interval>,
    pub(crate) state: NodeState,
    pub(crate) is_cut: bool,
    pub(crate) branches: Vec<Branch<M, N>>,
}

/// A move to another node.
pub(crate) struct Branch<M, N> {
    pub(crate) mv: M,
    pub(crate) node: N,
    pub(crate) is_best: bool,
    /// Whether the tree looks no further there, because that position has come again.
    pub(crate) is_back: bool,
}

/// A tree of any kind over the positions of a game.
pub(crate) trait Branches<G: Notation> {
    /// What stands for a node.
    type Node: Copy;

    fn root(&self) -> Self::Node;

    /// What it knows of a node, at which play has come to `position`.
    fn known(&self, position: &G::Position, node: Self::Node) -> Known<G::Move, Self::Node>;

    /// Whether nodes that are solved are unfolded too.
    fn unfolds_solved(&self) -> bool;
}

/// A node on the way down.
struct Place<G: Notation, N> {
    position: G::Position,
    branches: Vec<Branch<G::Move, N>>,
    next: usize,
}

struct Walk<'g, G: Notation, B: Branches<G>> {
    game: &'g G,
    tree: &'g B,
    path: Vec<Place<G, B::Node>>,
}

impl<G: Notation, B: Branches<G>> Walk<'_, G, B> {
    /// Goes down to a node and says what it is.
    fn enter(
        &mut self,
        position: G::Position,
        node: B::Node,
        branch: Option<(String, bool, bool)>,
    ) -> TreeRow {
        let game = self.game;
        let mut known = self.tree.known(&position, node);
        let again = branch.as_ref().is_some_and(|(_, _, is_back)| *is_back)
            || self.path.iter().any(|place| place.position == position);
        if game.outcome(&position).is_some() {
            known.state = NodeState::End;
            known.branches.clear();
        } else if again {
            known.state = NodeState::Again;
            known.branches.clear();
        }
        let (mv, is_best) = branch.map_or((None, false), |(mv, is_best, _)| (Some(mv), is_best));
        let row = TreeRow {
            mv,
            depth: 0,
            is_or: known.is_or,
            numbers: known.numbers,
            bounds: known.bounds.map(|bounds| bounds_text(game, bounds.lower, bounds.upper)),
            state: known.state,
            children: known.branches.len(),
            is_cut: known.is_cut,
            is_best,
        };
        self.path.push(Place { position, branches: known.branches, next: 0 });
        row
    }

    fn step(&mut self, branch: usize) -> TreeRow {
        let Place { position, branches, .. } = &self.path[self.path.len() - 1];
        let Branch { mv, node, is_best, is_back } = branches[branch];
        let text = self.game.move_text(position, mv);
        let after = self.game.after(position, mv);
        self.enter(after, node, Some((text, is_best, is_back)))
    }
}

/// Lists a part of a tree; nothing if there is no such node in it.
pub(crate) fn unfold<G: Notation, B: Branches<G>>(
    game: &G,
    root: &G::Position,
    tree: &B,
    how: &Unfold<'_>,
) -> Result<Option<Unfolded>, InputError> {
    let mut walk = Walk { game, tree, path: Vec::new() };
    let mut node = walk.enter(root.clone(), tree.root(), None);
    for word in game.split_moves(how.path) {
        let Place { position, branches, .. } = &walk.path[walk.path.len() - 1];
        let mv = game.parse_move(position, word)?;
        let Some(branch) = branches.iter().position(|branch| branch.mv == mv) else { return Ok(None) };
        node = walk.step(branch);
    }
    let top = walk.path.len();
    let (mut rows, mut cut) = (Vec::new(), false);
    while walk.path.len() >= top {
        let depth = walk.path.len() - top;
        let place = walk.path.last_mut().expect("it is not above the node");
        let branch = place.next;
        if branch == place.branches.len() || depth as u64 >= u64::from(how.depth) {
            walk.path.pop();
            continue;
        }
        if rows.len() == how.rows_max {
            cut = true;
            break;
        }
        place.next += 1;
        let row = TreeRow { depth: depth as u32 + 1, ..walk.step(branch) };
        if !tree.unfolds_solved() && row.state != NodeState::Open {
            walk.path.pop();
        }
        rows.push(row);
    }
    Ok(Some(Unfolded { node, rows, cut }))
}
