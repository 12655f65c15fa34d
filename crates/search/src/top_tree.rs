//! A tree in memory above searches that forget: its leaves are jobs, for threads here or for machines elsewhere.
//!
//! Whoever has time takes the most-proving leaf, searches below it for a while and brings back what was found: an answer, or
//! numbers and children. While a leaf is searched, it counts as if it had the answer that looks nearer, so that the next one goes
//! where work is needed then (virtual wins and losses, Pawlewicz and Hayward 2013). Real numbers and these are kept apart.
//!
//! The tree knows no repetitions and no table: children that stand on their path come with their answer.

use quod_checkpoint::{Failure, Reader, State, Writer};
use quod_model::Numbers;
use quod_proof::{NodeId, SolutionTree};

use crate::limits::{Solved, longest_line};
use crate::saved::{Restore, restore_room, write_room};
use crate::table::{INFINITE, MOST};

const ROOT: usize = 0;

/// A child that a job brings back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TopChild {
    /// What leads to it.
    pub code: u32,
    /// Whether it is an OR node.
    pub is_or: bool,
    /// Its proof and disproof number; those of a solved one if it is.
    pub numbers: Pair,
}

/// A proof and a disproof number, wide enough for sums over graphs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The proof number.
    pub pn: u64,
    /// The disproof number.
    pub dn: u64,
}

impl Pair {
    /// An unsolved leaf about which nothing is known.
    pub const ONE: Self = Self { pn: 1, dn: 1 };

    /// The numbers of a solved place.
    #[must_use]
    pub fn solved(holds: bool) -> Self {
        if holds { Self { pn: 0, dn: INFINITE } } else { Self { pn: INFINITE, dn: 0 } }
    }

    /// Whether it is solved.
    #[must_use]
    pub fn is_solved(self) -> bool {
        self.pn == 0 || self.dn == 0
    }

    /// As far as they fit.
    #[must_use]
    pub fn narrow(self) -> Numbers {
        let narrow = |number: u64| number.min(Numbers::MOST.into()) as u32;
        if self.is_solved() {
            Numbers::solved(self.pn == 0)
        } else {
            Numbers { pn: narrow(self.pn), dn: narrow(self.dn) }
        }
    }

    fn seen_by(self, is_or: bool) -> (u64, u64) {
        if is_or { (self.pn, self.dn) } else { (self.dn, self.pn) }
    }

    fn of_mover(is_or: bool, own: u64, other: u64) -> Self {
        if is_or { Self { pn: own, dn: other } } else { Self { pn: other, dn: own } }
    }
}

/// Work to be done below a leaf.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    leaf: usize,
    /// The way from the root.
    pub codes: Vec<u32>,
    /// After so many expansions the work should be brought back.
    pub expansions_max: u64,
}

impl Job {
    /// The number of its leaf, by which [`TopTree::taken`] finds it again.
    #[must_use]
    pub fn leaf(&self) -> u64 {
        self.leaf as u64
    }
}

struct Node {
    parent: u32,
    begin: u32,
    count: u32,
    code: u32,
    /// Leaves at or below it that are neither solved nor taken.
    free: u32,
    /// How often it was brought back without children and unsolved.
    tries: u8,
    is_or: bool,
    taken: bool,
    real: Pair,
    /// With what is taken counted as solved.
    seen: Pair,
}

/// The tree.
pub struct TopTree {
    nodes: Vec<Node>,
    nodes_max: usize,
    /// The expansions of a job at first.
    job: u64,
}

impl TopTree {
    /// A tree of so many bytes at the most, with jobs of so many expansions at first.
    #[must_use]
    pub fn new(bytes_max: u64, is_or: bool, job: u64) -> Self {
        let nodes_max = (bytes_max / size_of::<Node>() as u64).clamp(1, 1 << 30) as usize;
        let root = Node::leaf(0, &TopChild { code: 0, is_or, numbers: Pair::ONE });
        Self { nodes: vec![root], nodes_max, job }
    }

    /// The numbers of the root.
    #[must_use]
    pub fn numbers(&self) -> Pair {
        self.nodes[ROOT].real
    }

    /// The moves at the root, and how many of them are solved.
    #[must_use]
    pub fn moves(&self) -> (usize, usize) {
        let children = self.children(ROOT);
        (children.len(), children.filter(|child| self.nodes[*child].real.is_solved()).count())
    }

    fn children(&self, node: usize) -> std::ops::Range<usize> {
        let Node { begin, count, .. } = self.nodes[node];
        begin as usize..(begin + count) as usize
    }

    /// Takes the leaf that needs work most; nothing if all are taken or the root is solved.
    pub fn take(&mut self) -> Option<Job> {
        if self.nodes[ROOT].real.is_solved() || self.nodes[ROOT].free == 0 {
            return None;
        }
        let (mut node, mut codes) = (ROOT, Vec::new());
        while self.nodes[node].count > 0 {
            let is_or = self.nodes[node].is_or;
            let free = self.children(node).filter(|child| self.nodes[*child].free > 0);
            let next = free.min_by_key(|child| {
                let Node { seen, real, .. } = self.nodes[*child];
                // What will be solved by others comes last.
                let numbers = if seen.is_solved() { real } else { seen };
                (seen.is_solved(), numbers.seen_by(is_or).0)
            });
            node = next.expect("a node with free leaves below has such a child");
            codes.push(self.nodes[node].code);
        }
        let leaf = &mut self.nodes[node];
        leaf.take();
        let tries = leaf.tries.min(40);
        self.update_above(node);
        Some(Job { leaf: node, codes, expansions_max: self.job << tries })
    }

    /// Brings back what was found below a leaf: its numbers, and its children unless it is solved.
    pub fn bring(&mut self, job: &Job, numbers: Pair, children: &[TopChild]) {
        let begin = self.nodes.len();
        // What the system does not give is not there either.
        let room = begin + children.len() <= self.nodes_max && self.nodes.try_reserve(children.len()).is_ok();
        let leaf = &mut self.nodes[job.leaf];
        leaf.taken = false;
        (leaf.real, leaf.seen) = (numbers, numbers);
        leaf.free = u32::from(!numbers.is_solved());
        if children.is_empty() || !room {
            leaf.tries = leaf.tries.saturating_add(1);
        } else {
            (leaf.begin, leaf.count) = (begin as u32, children.len() as u32);
            self.nodes.extend(children.iter().map(|child| Node::leaf(job.leaf as u32, child)));
            self.update(job.leaf);
        }
        self.update_above(job.leaf);
    }

    /// Whether the work of a job is still needed: nothing above it is solved.
    #[must_use]
    pub fn needs(&self, job: &Job) -> bool {
        let mut node = job.leaf;
        while node != ROOT {
            node = self.nodes[node].parent as usize;
            if self.nodes[node].real.is_solved() {
                return false;
            }
        }
        true
    }

    fn update_above(&mut self, mut node: usize) {
        while node != ROOT {
            node = self.nodes[node].parent as usize;
            self.update(node);
        }
    }

    fn update(&mut self, node: usize) {
        let is_or = self.nodes[node].is_or;
        let fold = |numbers: &dyn Fn(&Node) -> Pair| {
            let children = self.nodes[self.children(node)].iter();
            let (mut own, mut other) = (INFINITE, 0u64);
            for child in children {
                let (child_own, child_other) = numbers(child).seen_by(is_or);
                own = own.min(child_own);
                other = if child_own == 0 { INFINITE } else { other.saturating_add(child_other).min(MOST) };
                if own == 0 {
                    return Pair::of_mover(is_or, 0, INFINITE);
                }
            }
            Pair::of_mover(is_or, own, other)
        };
        let (real, seen) = (fold(&|child| child.real), fold(&|child| child.seen));
        let free = self.nodes[self.children(node)].iter().map(|child| child.free).sum();
        let node = &mut self.nodes[node];
        // Nothing below a solved node needs work.
        (node.real, node.seen, node.free) = (real, seen, if real.is_solved() { 0 } else { free });
    }
}

impl Node {
    /// Somebody works at it.
    fn take(&mut self) {
        self.taken = true;
        self.free = 0;
        self.seen = Pair::solved(self.real.pn <= self.real.dn);
    }

    fn leaf(parent: u32, child: &TopChild) -> Self {
        let TopChild { code, is_or, numbers } = *child;
        let free = u32::from(!numbers.is_solved());
        Self {
            parent,
            begin: 0,
            count: 0,
            code,
            free,
            tries: 0,
            is_or,
            taken: false,
            real: numbers,
            seen: numbers,
        }
    }
}

impl TopTree {
    fn played(&self, node: NodeId) -> impl Iterator<Item = (u32, NodeId)> {
        let Node { is_or, real, .. } = self.nodes[node as usize];
        let winner = is_or == (real.pn == 0);
        let children = self.children(node as usize);
        let kept = children.filter(move |child| self.nodes[*child].real == real);
        kept.take(if winner { 1 } else { usize::MAX }).map(|child| (self.nodes[child].code, child as NodeId))
    }
}

impl SolutionTree for TopTree {
    fn root(&self) -> NodeId {
        ROOT as NodeId
    }

    fn winning_child(&self, node: NodeId) -> Option<(u32, NodeId)> {
        let Node { is_or, real, .. } = self.nodes[node as usize];
        let wins = real.is_solved() && is_or == (real.pn == 0);
        self.played(node).next().filter(|_| wins)
    }

    fn child(&self, node: NodeId, code: u32) -> Option<NodeId> {
        let child = self.children(node as usize).find(|child| self.nodes[*child].code == code)?;
        Some(child as NodeId)
    }
}

impl Solved for TopTree {
    fn is_or(&self, node: NodeId) -> bool {
        self.nodes[node as usize].is_or
    }

    fn bytes(&self) -> u64 {
        (self.nodes.capacity() * size_of::<Node>()) as u64
    }

    fn longest_line(&self) -> Vec<u32> {
        longest_line(ROOT as NodeId, |node| self.played(node))
    }

    fn state(&self) -> Option<&dyn State> {
        Some(self)
    }
}

impl State for TopTree {
    fn write(&self, to: &mut Writer<'_>) -> std::io::Result<()> {
        write_room(&self.nodes, to)?;
        to.item(self.nodes.len() as u64)?;
        for node in &self.nodes {
            to.item([node.parent, node.begin, node.count, node.code])?;
            to.item([node.real.pn, node.real.dn])?;
            to.item([node.tries, u8::from(node.is_or), u8::from(node.taken)])?;
        }
        Ok(())
    }
}

impl Restore for TopTree {
    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Failure> {
        self.nodes.clear();
        restore_room(&mut self.nodes, self.nodes_max, from)?;
        let count = from.item::<u64>()?;
        if count == 0 || count > self.nodes_max as u64 {
            return Err(Failure::damaged("its tree of jobs has another size"));
        }
        for number in 0..count {
            let [parent, begin, children, code] = from.item()?;
            let [pn, dn] = from.item()?;
            let [tries, is_or, taken] = from.item::<[u8; 3]>()?;
            // Children stand together, behind their parent, and know it.
            let parents = number == 0 || u64::from(parent) < number;
            let below = children == 0
                || (u64::from(begin) > number && u64::from(begin) + u64::from(children) <= count);
            if !parents || !below {
                return Err(Failure::damaged("it holds no tree of jobs"));
            }
            let mut node =
                Node::leaf(parent, &TopChild { code, is_or: is_or != 0, numbers: Pair { pn, dn } });
            (node.begin, node.count, node.tries) = (begin, children, tries);
            if taken != 0 {
                node.take();
            }
            self.nodes.push(node);
        }
        let knows = |node: usize| self.children(node).all(|child| self.nodes[child].parent as usize == node);
        if !(0..self.nodes.len()).all(knows) {
            return Err(Failure::damaged("it holds no tree of jobs"));
        }
        self.update_all();
        Ok(())
    }
}

impl TopTree {
    /// Recomputes what is not a leaf; children stand behind their parents.
    fn update_all(&mut self) {
        for node in (0..self.nodes.len()).rev() {
            if self.nodes[node].count > 0 {
                self.update(node);
            }
        }
    }

    /// Nobody works at anything: all jobs can be taken again.
    pub fn release(&mut self) {
        for node in self.nodes.iter_mut().filter(|node| node.taken) {
            node.taken = false;
            node.seen = node.real;
            node.free = u32::from(!node.real.is_solved());
        }
        self.update_all();
    }

    /// The way to a leaf that somebody works at, if it is one.
    #[must_use]
    pub fn taken(&self, leaf: u64, expansions_max: u64) -> Option<Job> {
        let leaf = usize::try_from(leaf).ok()?;
        self.nodes.get(leaf).filter(|node| node.taken && node.count == 0)?;
        let (mut node, mut codes) = (leaf, Vec::new());
        while node != ROOT {
            codes.push(self.nodes[node].code);
            node = self.nodes[node].parent as usize;
        }
        codes.reverse();
        Some(Job { leaf, codes, expansions_max })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn child(code: u32, pn: u64, dn: u64) -> TopChild {
        TopChild { code, is_or: false, numbers: Pair { pn, dn } }
    }

    #[test]
    fn jobs_go_where_work_is_needed_and_end_where_it_is_not() {
        let mut tree = TopTree::new(1 << 16, true, 10);
        let root = tree.take().expect("the root is free");
        assert_eq!((root.codes.len(), root.expansions_max, tree.take()), (0, 10, None));
        tree.bring(&root, Pair { pn: 2, dn: 9 }, &[child(0, 5, 3), child(1, 2, 4), child(2, 3, 2)]);
        assert_eq!((tree.numbers(), tree.moves()), (Pair { pn: 2, dn: 9 }, (3, 0)));
        // The second looks as if it will be proven: then nothing else is needed, and the next best comes next.
        let best = tree.take().expect("a leaf");
        let next = tree.take().expect("another leaf");
        assert_eq!((&best.codes[..], &next.codes[..]), (&[1][..], &[2][..]));
        assert!(tree.needs(&best) && tree.needs(&next));
        // A job that comes back with nothing is longer the next time.
        tree.bring(&next, Pair { pn: 1, dn: 2 }, &[]);
        let again = tree.take().expect("the same leaf");
        assert_eq!((&again.codes[..], again.expansions_max), (&[2][..], 20));
        tree.bring(&best, Pair::solved(true), &[]);
        assert!(tree.numbers() == Pair::solved(true) && !tree.needs(&again) && tree.take().is_none());
        assert_eq!((tree.winning_child(0).map(|(code, _)| code), tree.longest_line()), (Some(1), vec![1]));
    }
}
