//! The search tree: 16 bytes a node, siblings side by side, no parent links.
//!
//! A node's link leads to its most-proving child, not to its first one: flags on the first and the last
//! sibling mark where the block begins and ends. So the link that every tree needs also remembers the
//! most-proving child (Allis et al. 1994, section 4.2, third saving), and no count of children is stored.

use quod_checkpoint::{Failure, Reader, State, Writer};
use quod_model::{Child, Numbers};
use quod_proof::{NodeId, SolutionTree};

use crate::blocks::{Blocks, Item, NONE};
use crate::limits::Solved;
use crate::saved::{Marks, Restore, restore_room, write_room};
use zerocopy::{FromBytes, Immutable, IntoBytes};

/// The size of a node.
pub const NODE_BYTES: usize = size_of::<Node>();

const ROOT: NodeId = 0;

const FIRST: u32 = 1 << 31;
const LAST: u32 = 1 << 30;
const OR: u32 = 1 << 29;
/// The bits of a code.
const CODE: u32 = (1 << 29) - 1;

#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable)]
#[repr(C)]
struct Node {
    pn: u32,
    dn: u32,
    /// The most-proving child; in a free block, the next free block of that size.
    link: NodeId,
    /// Flags, and the code of the move that leads here.
    meta: u32,
}

impl Item for Node {
    fn link(&self) -> u32 {
        self.link
    }
    fn set_link(&mut self, link: u32) {
        self.link = link;
    }
}

/// A search tree with proof and disproof numbers.
pub struct Tree {
    nodes: Blocks<Node>,
    peak: u64,
    /// Blocks that wait to be given back; empty between calls.
    pending: Vec<NodeId>,
}

impl Tree {
    /// A tree of a single root, with room for `bytes` bytes in all.
    ///
    /// If the system does not give that much room, the tree stays smaller.
    pub(crate) fn new(bytes: u64, numbers: Numbers, is_or: bool) -> Self {
        let meta = FIRST | LAST | if is_or { OR } else { 0 };
        let root = Node { pn: numbers.pn, dn: numbers.dn, link: NONE, meta };
        Self { nodes: Blocks::new(bytes / NODE_BYTES as u64, root), peak: 1, pending: Vec::new() }
    }

    /// Proof and disproof number.
    #[must_use]
    pub fn numbers(&self, node: NodeId) -> Numbers {
        let node = &self.nodes[node as usize];
        Numbers { pn: node.pn, dn: node.dn }
    }

    pub(crate) fn set_numbers(&mut self, node: NodeId, numbers: Numbers) {
        debug_assert!(numbers.is_consistent());
        let node = &mut self.nodes[node as usize];
        (node.pn, node.dn) = (numbers.pn, numbers.dn);
    }

    /// Whether it is an OR node.
    #[must_use]
    pub fn is_or(&self, node: NodeId) -> bool {
        self.nodes[node as usize].meta & OR != 0
    }

    /// The code of the move that leads to it; without meaning for the root.
    #[must_use]
    pub fn code(&self, node: NodeId) -> u32 {
        self.nodes[node as usize].meta & CODE
    }

    /// The most-proving child: the leftmost one with the smallest number that counts.
    #[inline]
    #[must_use]
    pub fn most_proving_child(&self, node: NodeId) -> Option<NodeId> {
        let link = self.nodes[node as usize].link;
        (link != NONE).then_some(link)
    }

    /// The most-proving child and the code of the move to it.
    #[inline]
    pub(crate) fn step_down(&self, node: NodeId) -> Option<(NodeId, u32)> {
        let child = self.most_proving_child(node)?;
        Some((child, self.code(child)))
    }

    /// The children, in their order.
    #[must_use]
    pub fn children(&self, node: NodeId) -> std::ops::Range<NodeId> {
        match self.most_proving_child(node) {
            None => NONE..NONE,
            Some(child) => {
                let (mut begin, mut end) = (child, child);
                while self.nodes[begin as usize].meta & FIRST == 0 {
                    begin -= 1;
                }
                while self.nodes[end as usize].meta & LAST == 0 {
                    end += 1;
                }
                begin..end + 1
            }
        }
    }

    /// How many nodes are held.
    #[must_use]
    pub fn live(&self) -> u64 {
        self.nodes.live() as u64
    }

    /// All nodes have numbers below this one.
    pub(crate) fn ids(&self) -> NodeId {
        self.nodes.len() as NodeId
    }

    /// The most nodes that were held at once.
    #[must_use]
    pub fn peak(&self) -> u64 {
        self.peak
    }

    /// The bytes in use, free blocks between them included. They never get fewer.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.nodes.bytes() + (self.pending.capacity() * size_of::<NodeId>()) as u64
    }

    /// How many more nodes fit, if their blocks had the right sizes.
    pub(crate) fn room(&self) -> u64 {
        self.capacity() - self.live()
    }

    /// How many nodes fit in all.
    pub(crate) fn capacity(&self) -> u64 {
        self.nodes.capacity() as u64
    }

    /// Lets it grow to so many nodes, beyond what was reserved.
    pub(crate) fn set_capacity(&mut self, nodes: u64) {
        self.nodes.set_capacity(usize::try_from(nodes.min(u64::from(u32::MAX))).unwrap_or(usize::MAX));
    }

    /// Hangs children below a leaf. False if there is no room.
    pub(crate) fn add_children(&mut self, node: NodeId, children: &[Child]) -> bool {
        debug_assert!(self.nodes[node as usize].link == NONE && !children.is_empty());
        let filled = children.iter().map(|child| {
            // A code that reached into the flags would make false proofs.
            assert!(child.code <= CODE, "the move code {} is too large", child.code);
            debug_assert!(child.numbers.is_consistent());
            let meta = child.code | if child.is_or { OR } else { 0 };
            Node { pn: child.numbers.pn, dn: child.numbers.dn, link: NONE, meta }
        });
        let Some(begin) = self.nodes.put(filled, usize::MAX) else { return false };
        let (first, last) = (begin as usize, begin as usize + children.len() - 1);
        self.nodes[first].meta |= FIRST;
        self.nodes[last].meta |= LAST;
        self.nodes[node as usize].link = begin;
        self.peak = self.peak.max(self.live());
        true
    }

    /// Recomputes a node from its children (figure 4 of Allis et al. 1994) and remembers its most-proving
    /// child. Returns whether its numbers changed.
    #[inline]
    pub(crate) fn update(&mut self, node: NodeId) -> bool {
        let Node { pn, dn, link, meta } = self.nodes[node as usize];
        debug_assert!(link != NONE);
        let mut begin = link as usize;
        while self.nodes[begin].meta & FIRST == 0 {
            begin -= 1;
        }
        let siblings = &self.nodes[begin..];
        let (new_pn, new_dn, best) = if meta & OR != 0 {
            let (least, total, best) = fold(siblings, |child| child.pn, |child| child.dn);
            (least, total, best)
        } else {
            let (least, total, best) = fold(siblings, |child| child.dn, |child| child.pn);
            (total, least, best)
        };
        debug_assert!(Numbers { pn: new_pn, dn: new_dn }.is_consistent());
        let node = &mut self.nodes[node as usize];
        (node.pn, node.dn, node.link) = (new_pn, new_dn, (begin + best) as NodeId);
        (new_pn, new_dn) != (pn, dn)
    }

    /// [`Tree::update`] when nothing below the node has changed but its most-proving child, whose numbers were `old`.
    ///
    /// The other children need not be read unless that child has become harder for the side to move: it was the
    /// leftmost with the smallest number and still is, and the sum changes by what its other number changed.
    #[inline]
    pub(crate) fn update_from_child(&mut self, node: NodeId, old: Numbers) -> bool {
        let Node { pn, dn, link, meta } = self.nodes[node as usize];
        let child = self.numbers(link);
        let is_or = meta & OR != 0;
        let (phi, old_phi, delta, old_delta, sum) = if is_or {
            (child.pn, old.pn, child.dn, old.dn, dn)
        } else {
            (child.dn, old.dn, child.pn, old.pn, pn)
        };
        // Sums that have stopped at the largest number cannot be corrected.
        if phi > old_phi || phi == 0 || sum.max(delta).max(old_delta) >= Numbers::MOST {
            return self.update(node);
        }
        let total = u64::from(sum) - u64::from(old_delta) + u64::from(delta);
        let total = total.min(u64::from(Numbers::MOST)) as u32;
        let (new_pn, new_dn) = if is_or { (phi, total) } else { (total, phi) };
        debug_assert!(Numbers { pn: new_pn, dn: new_dn }.is_consistent());
        let node = &mut self.nodes[node as usize];
        (node.pn, node.dn) = (new_pn, new_dn);
        (new_pn, new_dn) != (pn, dn)
    }

    /// Gives back everything below a node, and says how much of that was not solved.
    pub(crate) fn delete_below(&mut self, node: NodeId) -> u64 {
        let children = self.children(node);
        if children.is_empty() {
            return 0;
        }
        let mut unsolved = 0;
        self.nodes[node as usize].link = NONE;
        self.pending.push(children.start);
        while let Some(begin) = self.pending.pop() {
            let mut end = begin;
            loop {
                unsolved += u64::from(!self.numbers(end).is_solved());
                let below = self.children(end);
                if !below.is_empty() {
                    self.pending.push(below.start);
                }
                if self.nodes[end as usize].meta & LAST != 0 {
                    break;
                }
                end += 1;
            }
            self.nodes.give(begin, (end + 1 - begin) as usize);
        }
        unsolved
    }

    /// Gives back everything below solved nodes, the root's own children excepted.
    pub(crate) fn delete_below_solved(&mut self) {
        let mut open: Vec<NodeId> = self.children(ROOT).collect();
        while let Some(node) = open.pop() {
            if self.numbers(node).is_solved() {
                self.delete_below(node);
            } else {
                open.extend(self.children(node));
            }
        }
    }
}

/// The number of the side to move (the smallest child counts, leftmost first), the other side's number (all
/// children add up), and the place of the child that counts. Siblings end at the one with the flag `LAST`.
#[inline(always)]
fn fold(siblings: &[Node], phi: impl Fn(&Node) -> u32, delta: impl Fn(&Node) -> u32) -> (u32, u32, usize) {
    let (mut least, mut best, mut sum) = (u32::MAX, 0, 0u64);
    for (at, child) in siblings.iter().enumerate() {
        if phi(child) < least {
            (least, best) = (phi(child), at);
        }
        sum += u64::from(delta(child));
        if child.meta & LAST != 0 {
            break;
        }
    }
    let total = if least == 0 {
        Numbers::INFINITE
    } else if sum < u64::from(Numbers::MOST) {
        sum as u32
    } else {
        // Rare: the sum is too large, or one of its numbers is unreachable and makes it so.
        let count = siblings.iter().position(|child| child.meta & LAST != 0).map_or(0, |last| last + 1);
        let unreachable = siblings[..count].iter().any(|child| delta(child) == Numbers::UNREACHABLE);
        if unreachable { Numbers::UNREACHABLE } else { Numbers::MOST }
    };
    (least, total, best)
}

impl Tree {
    /// A node as its parent was given it, with the numbers that it has now.
    fn as_child(&self, node: NodeId) -> Child {
        Child { code: self.code(node), is_or: self.is_or(node), numbers: self.numbers(node) }
    }

    /// The children of the root.
    pub(crate) fn root_children(&self) -> impl Iterator<Item = Child> {
        self.children(ROOT).map(|node| self.as_child(node))
    }

    /// Whether the side to move at a solved node is the one that has won there.
    fn winner_moves(&self, node: NodeId) -> bool {
        self.is_or(node) == self.numbers(node).is_proven()
    }

    /// A copy of what matters of a solved tree: one winning child where the winner moves, all children where
    /// the loser does. Nothing if it takes more than `bytes_max` bytes, or if the root is not solved.
    #[must_use]
    pub fn solution(&self, bytes_max: u64) -> Option<Self> {
        if !self.numbers(ROOT).is_solved() {
            return None;
        }
        let mut copy = Self::new(NODE_BYTES as u64, self.numbers(ROOT), self.is_or(ROOT));
        copy.set_capacity(bytes_max / NODE_BYTES as u64);
        let mut open = vec![(ROOT, ROOT)];
        let mut children = Vec::new();
        while let Some((from, to)) = open.pop() {
            let kept = match self.winning_child(from) {
                Some((_, child)) if self.winner_moves(from) => child..child + 1,
                _ => self.children(from),
            };
            if kept.is_empty() {
                continue;
            }
            children.clear();
            children.extend(kept.clone().map(|node| self.as_child(node)));
            if !copy.add_children(to, &children) {
                return None;
            }
            let begin = copy.children(to).start;
            open.extend(kept.zip(begin..));
        }
        Some(copy)
    }

    /// A copy of a solved root with its children alone.
    #[must_use]
    pub fn first_move(&self) -> Option<Self> {
        let children: Vec<Child> = self.root_children().collect();
        if children.is_empty() || !self.numbers(ROOT).is_solved() {
            return None;
        }
        let bytes = (children.len() + 1) * NODE_BYTES;
        let mut copy = Self::new(bytes as u64, self.numbers(ROOT), self.is_or(ROOT));
        copy.add_children(ROOT, &children).then(|| {
            copy.update(ROOT);
            copy
        })
    }

    /// The moves to the deepest leaf of a solution: the longest defence against the winner's choice.
    #[must_use]
    pub fn longest_line(&self) -> Vec<u32> {
        let (mut line, mut longest) = (Vec::new(), Vec::new());
        let mut open = vec![(ROOT, 0)];
        while let Some((node, depth)) = open.pop() {
            line.truncate(depth);
            if node != ROOT {
                line[depth - 1..].fill(self.code(node));
            }
            if depth > longest.len() {
                longest.clone_from(&line);
            }
            line.push(0);
            match self.winning_child(node) {
                Some((_, child)) if self.winner_moves(node) => open.push((child, depth + 1)),
                // The leftmost of the deepest is found first.
                _ => open.extend(self.children(node).rev().map(|child| (child, depth + 1))),
            }
        }
        longest
    }
}

impl SolutionTree for Tree {
    fn root(&self) -> NodeId {
        ROOT
    }

    fn winning_child(&self, node: NodeId) -> Option<(u32, NodeId)> {
        let child = self.most_proving_child(node)?;
        let wins = if self.is_or(node) { Numbers::is_proven } else { Numbers::is_disproven };
        wins(self.numbers(child)).then(|| (self.code(child), child))
    }

    fn child(&self, node: NodeId, code: u32) -> Option<NodeId> {
        self.children(node).find(|child| self.code(*child) == code)
    }
}

impl Solved for Tree {
    fn is_or(&self, node: NodeId) -> bool {
        Tree::is_or(self, node)
    }

    fn bytes(&self) -> u64 {
        Tree::bytes(self)
    }

    fn longest_line(&self) -> Vec<u32> {
        Tree::longest_line(self)
    }

    fn state(&self) -> Option<&dyn State> {
        Some(self)
    }
}

impl State for Tree {
    fn write(&self, to: &mut Writer<'_>) -> std::io::Result<()> {
        self.nodes.write(to)?;
        to.item(self.peak)?;
        write_room(&self.pending, to)
    }
}

impl Restore for Tree {
    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Failure> {
        let unused = self.nodes.restore(from)?;
        self.peak = from.item()?;
        restore_room(&mut self.pending, self.nodes.len(), from)?;
        if self.is_whole(unused) { Ok(()) } else { Err(Failure::damaged("it holds no tree")) }
    }
}

impl Tree {
    /// A tree that can take back one that was written, of so many bytes at the most.
    #[must_use]
    pub fn for_restoring(bytes_max: u64) -> Self {
        let mut tree = Self::new(NODE_BYTES as u64, Numbers::ONE, true);
        tree.set_capacity(bytes_max / NODE_BYTES as u64);
        tree
    }

    /// Whether every node that is in use hangs in the tree once, and has the numbers that its children give it.
    fn is_whole(&mut self, mut met: Marks) -> bool {
        let mut used = (0..self.nodes.len()).filter(|node| !met.has(*node));
        if !used.all(|node| self.numbers(node as NodeId).is_consistent()) {
            return false;
        }
        let mut open = vec![ROOT];
        let mut count = 0;
        while let Some(node) = open.pop() {
            count += 1;
            let Node { link, .. } = self.nodes[node as usize];
            if !met.add(node as usize) {
                return false;
            }
            if link != NONE {
                let Some(block) =
                    self.block_of(link).filter(|block| !block.clone().any(|child| met.has(child as usize)))
                else {
                    return false;
                };
                open.extend(block);
                if self.update(node) || self.most_proving_child(node) != Some(link) {
                    return false;
                }
            }
        }
        count == self.nodes.live()
    }

    /// The block that a node stands in, whatever its flags say.
    fn block_of(&self, node: NodeId) -> Option<std::ops::Range<NodeId>> {
        let flags = |at: NodeId| self.nodes.get(at as usize).map(|node| node.meta);
        let (mut begin, mut end) = (node, node);
        while flags(begin)? & FIRST == 0 {
            begin = begin.checked_sub(1)?;
        }
        while flags(end)? & LAST == 0 {
            end += 1;
        }
        Some(begin..end + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// Numbers from all corners: solved, abandoned, half unreachable, huge and small.
    fn random_numbers(random: &mut Xoshiro256PlusPlus) -> Numbers {
        let mut number = || match random.random_range(0..4) {
            0 => Numbers::UNREACHABLE,
            1 => Numbers::MOST - random.random_range(0..3),
            _ => random.random_range(1..5),
        };
        let (pn, dn) = (number(), number());
        match random.random_range(0..6) {
            0 => Numbers::PROVEN,
            1 => Numbers::DISPROVEN,
            _ => Numbers { pn, dn },
        }
    }

    /// Figure 4 of the paper, with the rules for what is given up, by plain folds.
    fn folded(is_or: bool, children: &[Numbers]) -> (Numbers, usize) {
        let phi = |child: &Numbers| if is_or { child.pn } else { child.dn };
        let delta = |child: &Numbers| if is_or { child.dn } else { child.pn };
        let best = (0..children.len()).min_by_key(|at| phi(&children[*at])).expect("children");
        let least = phi(&children[best]);
        let total = if least == 0 {
            Numbers::INFINITE
        } else if children.iter().any(|child| delta(child) == Numbers::UNREACHABLE) {
            Numbers::UNREACHABLE
        } else {
            let sum: u64 = children.iter().map(|child| u64::from(delta(child))).sum();
            u32::try_from(sum).map_or(Numbers::MOST, |sum| sum.min(Numbers::MOST))
        };
        let numbers = if is_or { Numbers { pn: least, dn: total } } else { Numbers { pn: total, dn: least } };
        (numbers, best)
    }

    #[test]
    fn updates_fold_the_children_whatever_their_numbers() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        for _ in 0..50_000 {
            let is_or = random.random_bool(0.5);
            let mut children: Vec<Numbers> =
                (0..random.random_range(1..6)).map(|_| random_numbers(&mut random)).collect();
            let mut tree = Tree::new(1 << 10, Numbers::ONE, is_or);
            let given: Vec<Child> =
                children.iter().map(|numbers| Child { code: 7, is_or: !is_or, numbers: *numbers }).collect();
            assert!(tree.add_children(ROOT, &given));
            let check = |tree: &Tree, children: &[Numbers]| {
                let (numbers, best) = folded(is_or, children);
                assert!(numbers.is_consistent(), "{children:?}");
                assert_eq!(tree.numbers(ROOT), numbers, "{is_or} {children:?}");
                assert_eq!(tree.most_proving_child(ROOT), Some(1 + best as NodeId), "{is_or} {children:?}");
            };
            tree.update(ROOT);
            check(&tree, &children);
            // Then only the most-proving child changes, again and again.
            for _ in 0..4 {
                let link = tree.most_proving_child(ROOT).expect("it has children");
                let old = tree.numbers(link);
                let new = random_numbers(&mut random);
                tree.set_numbers(link, new);
                children[link as usize - 1] = new;
                tree.update_from_child(ROOT, old);
                check(&tree, &children);
            }
        }
    }

    /// A code that reaches into the flags would make false proofs.
    #[test]
    #[should_panic(expected = "the move code 536870912 is too large")]
    fn codes_that_reach_into_the_flags_are_not_taken() {
        let mut tree = Tree::new(1 << 10, Numbers::ONE, true);
        tree.add_children(ROOT, &[Child { code: CODE + 1, is_or: false, numbers: Numbers::ONE }]);
    }

    #[test]
    fn blocks_are_used_again() {
        let mut tree = Tree::new(9 * NODE_BYTES as u64, Numbers::ONE, true);
        let child = |code| Child { code, is_or: false, numbers: Numbers::ONE };
        assert!(tree.add_children(ROOT, &[child(0), child(1), child(2), child(3)]));
        assert!(tree.add_children(1, &[child(4), child(5), child(6), child(7)]));
        assert!(!tree.add_children(2, &[child(8)]), "it is full");
        tree.delete_below(1);
        assert_eq!((tree.live(), tree.peak()), (5, 9));
        // The block of four serves for three and one.
        assert!(tree.add_children(2, &[child(8), child(9), child(10)]));
        assert!(tree.add_children(3, &[child(11)]));
        assert!(!tree.add_children(4, &[child(12)]));
        assert_eq!(tree.children(2).map(|node| tree.code(node)).collect::<Vec<_>>(), [8, 9, 10]);
        assert_eq!(tree.bytes(), tree.nodes.bytes() + tree.pending.capacity() as u64 * 4);
    }
}
