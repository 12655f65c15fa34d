//! What a search hands over: the tree of its solution, as far as it is still there.

/// A node of a search tree, as the search numbers it.
pub type NodeId = u32;

/// A solved search tree. Searches may have deleted parts of it: what is gone is `None`.
pub trait SolutionTree {
    /// The solved root.
    fn root(&self) -> NodeId;

    /// At a solved node where the winner is to move: a child that wins, with its move code.
    fn winning_child(&self, node: NodeId) -> Option<(u32, NodeId)>;

    /// The child that a move code leads to.
    fn child(&self, node: NodeId, code: u32) -> Option<NodeId>;
}
