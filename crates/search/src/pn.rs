//! Proof-number search on trees (Allis, van der Meulen and van den Herik 1994, figures 4 to 8).
//!
//! Select the most-proving leaf, expand it, update its ancestors, until the root is solved. The savings of
//! section 4.2 are here: updating stops at the first unchanged ancestor, the next descent starts there, and
//! every node remembers its most-proving child. Ties go to the leftmost child.
//!
//! Memory (section 4.1): solved subtrees can be deleted as soon as they are solved or when memory is full;
//! after that the least-proving leaves can be given up.

use quod_checkpoint::{Failure, Reader, State, Writer};
use quod_model::{AndOr, Child, Evaluation, Numbers, StopReason, Verdict};
use quod_proof::{NodeId, SolutionTree};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::least_proving::delete_least_proving;
use crate::limits::{Budget, Counters, Progress, Search, take_steps};
use crate::saved::{Restore, go_down, restore_shuffle, write_shuffle};
use crate::tree::Tree;
use crate::view::View;

/// When solved subtrees are deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deletion {
    /// Never.
    Never,
    /// As soon as they are solved, as published.
    AtOnce,
    /// All together when memory is full.
    WhenFull,
}

/// How far up numbers are updated after an expansion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Updates {
    /// Up to the first ancestor whose numbers do not change; the next descent starts there.
    Early,
    /// Up to the root, as in figure 7.
    Full,
}

/// In which order children stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// As the problem generates them.
    Generated,
    /// Drawn anew at every expansion, from this seed.
    Random(u64),
}

/// The switches of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PnOptions {
    /// When nodes are judged.
    pub evaluation: Evaluation,
    /// When solved subtrees are deleted.
    pub delete_solved: Deletion,
    /// Whether least-proving leaves are given up when memory is full and no solved subtree is left to delete.
    pub delete_least_proving: bool,
    /// How far up numbers are updated.
    pub updates: Updates,
    /// The order of children.
    pub order: Order,
}

impl PnOptions {
    /// Whether a tree may have lost parts of its solution.
    #[must_use]
    pub fn deletes(&self) -> bool {
        self.delete_solved != Deletion::Never || self.delete_least_proving
    }
}

impl Default for PnOptions {
    fn default() -> Self {
        Self {
            evaluation: Evaluation::Immediate,
            delete_solved: Deletion::Never,
            delete_least_proving: false,
            updates: Updates::Early,
            order: Order::Generated,
        }
    }
}

/// A proof-number search below the place where its cursor stands.
pub struct Pn<'c> {
    cursor: Box<dyn AndOr + 'c>,
    core: PnCore,
}

/// The search without its cursor, so that searches of two levels can share one.
pub(crate) struct PnCore {
    options: PnOptions,
    tree: Tree,
    /// From the root to where the cursor stands.
    path: Vec<NodeId>,
    /// Buffers: the codes of a descent, the children of an expansion.
    codes: Vec<u32>,
    children: Vec<Child>,
    shuffle: Option<Xoshiro256PlusPlus>,
    nodes: u64,
    expansions: u64,
    updates: u64,
    /// Nodes that are not solved, where solved parts are deleted at once; and the most there ever were after an update.
    unsolved: u64,
    unsolved_peak: u64,
}

impl PnCore {
    /// A search below the cursor's place, with `memory_bytes_max` bytes for its tree.
    pub(crate) fn new(cursor: &mut dyn AndOr, options: PnOptions, memory_bytes_max: u64) -> Self {
        // The root is judged at once and by no judge, so that an answer comes with a move.
        let settled = cursor.evaluate(Evaluation::Immediate);
        let numbers = settled.map_or(Numbers::ONE, |settled| Numbers::solved(settled.holds));
        let tree = Tree::new(memory_bytes_max, numbers, cursor.is_or());
        let root = tree.root();
        let shuffle = match options.order {
            Order::Generated => None,
            Order::Random(seed) => Some(Xoshiro256PlusPlus::seed_from_u64(seed)),
        };
        Self {
            options,
            tree,
            path: vec![root],
            codes: Vec::new(),
            children: Vec::new(),
            shuffle,
            nodes: 0,
            expansions: 0,
            updates: 0,
            unsolved: 1,
            unsolved_peak: 1,
        }
    }

    /// The answer, if there is one: known, or out of reach because too much was given up.
    pub(crate) fn verdict(&self) -> Option<Verdict> {
        let numbers = self.tree.numbers(self.tree.root());
        if numbers.is_proven() {
            Some(Verdict::Proven)
        } else if numbers.is_disproven() {
            Some(Verdict::Disproven)
        } else if numbers.is_abandoned() {
            Some(Verdict::Unknown(StopReason::Memory))
        } else {
            None
        }
    }

    /// Selects a leaf, develops it, and updates its ancestors. The tree stays as it is if it must stop.
    #[inline]
    pub(crate) fn step(&mut self, cursor: &mut dyn AndOr, nodes_max: u64) -> Result<(), StopReason> {
        let leaf = self.descend(cursor);
        let settled = match self.options.evaluation {
            Evaluation::Delayed if leaf != self.tree.root() => cursor.evaluate(Evaluation::Delayed),
            _ => None,
        };
        match settled {
            Some(settled) => self.settle(cursor, leaf, Numbers::solved(settled.holds)),
            None => {
                if self.expand(cursor, leaf, nodes_max)? {
                    self.update_ancestors(cursor, None);
                }
            }
        }
        Ok(())
    }

    /// Goes down along most-proving children to a leaf: first through the tree, where it waits for memory, then with
    /// the cursor along the whole path at once.
    #[inline]
    pub(crate) fn descend(&mut self, cursor: &mut dyn AndOr) -> NodeId {
        let mut node = *self.path.last().expect("the path holds the root");
        self.codes.clear();
        while let Some((child, code)) = self.tree.step_down(node) {
            self.path.push(child);
            self.codes.push(code);
            node = child;
        }
        if !self.codes.is_empty() {
            cursor.down(&self.codes);
        }
        debug_assert!(self.tree.numbers(node).is_open());
        node
    }

    /// Generates the children of a leaf. False if making room has sent the search back to the root.
    fn expand(&mut self, cursor: &mut dyn AndOr, leaf: NodeId, nodes_max: u64) -> Result<bool, StopReason> {
        self.children.clear();
        cursor.expand(self.options.evaluation, &mut self.children);
        let count = self.children.len() as u64;
        if self.nodes + count > nodes_max {
            return Err(StopReason::Nodes);
        }
        if let Some(random) = &mut self.shuffle {
            self.children.shuffle(random);
        }
        self.nodes += count;
        self.expansions += 1;
        if self.tree.add_children(leaf, &self.children) {
            self.unsolved += unsolved(&self.children);
            return Ok(true);
        }
        // The children are generated again when the search comes back here.
        self.make_room(cursor, count)?;
        Ok(false)
    }

    /// Develops the leaf where the cursor stands with what another search has found there: the numbers of its root and
    /// the children of that, if it has any.
    pub(crate) fn develop(
        &mut self,
        cursor: &mut dyn AndOr,
        leaf: NodeId,
        numbers: Numbers,
        children: &[Child],
    ) -> Result<(), StopReason> {
        if children.is_empty() {
            self.settle(cursor, leaf, numbers);
        } else if self.tree.add_children(leaf, children) {
            self.unsolved += unsolved(children);
            self.update_ancestors(cursor, None);
        } else {
            self.make_room(cursor, children.len() as u64)?;
        }
        Ok(())
    }

    /// Gives the leaf where the cursor stands the numbers of a solved node, and updates its ancestors.
    fn settle(&mut self, cursor: &mut dyn AndOr, leaf: NodeId, numbers: Numbers) {
        let old = self.tree.numbers(leaf);
        self.tree.set_numbers(leaf, numbers);
        self.unsolved -= u64::from(numbers.is_solved());
        self.path.pop();
        cursor.up(1);
        self.update_ancestors(cursor, Some(old));
    }

    /// Lets the tree grow to so many nodes, beyond what was reserved for it.
    pub(crate) fn set_capacity(&mut self, nodes: u64) {
        self.tree.set_capacity(nodes);
    }

    /// Deletes what the options allow, so that a block of `count` nodes finds room, and goes back to the
    /// root, since the path may be gone.
    fn make_room(&mut self, cursor: &mut dyn AndOr, count: u64) -> Result<(), StopReason> {
        let before = self.tree.live();
        // Nothing is given up while there is something that nobody needs.
        if self.options.delete_solved == Deletion::WhenFull || self.options.delete_least_proving {
            self.tree.delete_below_solved();
        }
        if self.tree.live() == before {
            if !self.options.delete_least_proving {
                return Err(StopReason::Memory);
            }
            // Enough at once that the next time is far away; more than there is room for if no free block
            // has the right size.
            let batch = self.tree.capacity() / 16 + count;
            let room = self.tree.room() + batch;
            delete_least_proving(&mut self.tree, room, &mut self.updates);
        }
        self.leave(cursor);
        Ok(())
    }

    /// Recomputes the numbers of the last node of the path and of its ancestors (figure 7). `changed_child` are the
    /// old numbers of its most-proving child, if only that has changed; nothing if its children are new.
    fn update_ancestors(&mut self, cursor: &mut dyn AndOr, mut changed_child: Option<Numbers>) {
        let mut at = self.path.len() - 1;
        loop {
            let node = self.path[at];
            self.updates += 1;
            let old = self.tree.numbers(node);
            let changed = match changed_child {
                Some(child) => self.tree.update_from_child(node, child),
                None => self.tree.update(node),
            };
            changed_child = Some(old);
            if self.options.delete_solved == Deletion::AtOnce && at > 0 && self.tree.numbers(node).is_solved()
            {
                self.unsolved -= 1 + self.tree.delete_below(node);
            }
            if at == 0 || (!changed && self.options.updates == Updates::Early) {
                break;
            }
            at -= 1;
        }
        self.unsolved_peak = self.unsolved_peak.max(self.unsolved);
        let steps = self.path.len() - 1 - at;
        if steps > 0 {
            self.path.truncate(at + 1);
            cursor.up(steps);
        }
    }

    /// Goes back to the root.
    pub(crate) fn leave(&mut self, cursor: &mut dyn AndOr) {
        cursor.up(self.path.len() - 1);
        self.path.truncate(1);
    }

    pub(crate) fn counters(&self) -> Counters {
        let buffers = (self.path.capacity() + self.codes.capacity()) * size_of::<NodeId>()
            + self.children.capacity() * size_of::<Child>();
        Counters {
            nodes: self.nodes,
            expansions: self.expansions,
            updates: self.updates,
            peak_nodes: self.tree.peak(),
            memory_bytes: self.tree.bytes() + buffers as u64,
            ..Counters::default()
        }
    }

    pub(crate) fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Where the cursor stands.
    pub(crate) fn place(&self) -> NodeId {
        *self.path.last().expect("the path holds the root")
    }

    pub(crate) fn into_tree(self) -> Tree {
        self.tree
    }
}

impl State for PnCore {
    fn write(&self, to: &mut Writer<'_>) -> std::io::Result<()> {
        self.tree.write(to)?;
        to.items(&self.path)?;
        write_shuffle(self.shuffle.as_ref(), to)?;
        to.item([self.nodes, self.expansions, self.updates, self.unsolved, self.unsolved_peak])
    }
}

impl PnCore {
    /// Takes back what was written, and takes the cursor from the root to where it stood.
    pub(crate) fn restore(&mut self, cursor: &mut dyn AndOr, from: &mut Reader<'_>) -> Result<(), Failure> {
        self.tree.restore(from)?;
        self.path = from.items()?;
        restore_shuffle(&mut self.shuffle, from)?;
        [self.nodes, self.expansions, self.updates, self.unsolved, self.unsolved_peak] = from.item()?;
        let step = |step: &[NodeId]| self.tree.children(step[0]).contains(&step[1]);
        if self.path.first() != Some(&self.tree.root()) || !self.path.windows(2).all(step) {
            return Err(Failure::damaged("its path is none"));
        }
        let codes = self.path[1..].iter().map(|node| self.tree.code(*node));
        go_down(cursor, self.options.evaluation, codes)
    }
}

/// How many of these are not solved.
fn unsolved(children: &[Child]) -> u64 {
    children.iter().filter(|child| !child.numbers.is_solved()).count() as u64
}

impl<'c> Pn<'c> {
    /// A search of the problem below the cursor's place, with `memory_bytes_max` bytes for its tree.
    pub fn new(cursor: impl AndOr + 'c, options: PnOptions, memory_bytes_max: u64) -> Self {
        let mut cursor: Box<dyn AndOr + 'c> = Box::new(cursor);
        let core = PnCore::new(&mut *cursor, options, memory_bytes_max);
        Self { cursor, core }
    }

    /// The tree, to look into.
    #[must_use]
    pub fn tree(&self) -> &Tree {
        self.core.tree()
    }

    /// Ends the search and keeps its tree.
    #[must_use]
    pub fn into_tree(self) -> Tree {
        self.core.into_tree()
    }

    /// The most nodes that were not solved after an update, the root included: what a tree from which solved nodes are removed
    /// holds (section 7.1). It means something where solved subtrees are deleted at once and nothing else is.
    #[must_use]
    pub fn peak_unsolved(&self) -> u64 {
        self.core.unsolved_peak
    }
}

impl Search for Pn<'_> {
    fn advance(&mut self, budget: Budget) -> Progress {
        take_steps(
            self,
            budget,
            |search| search.core.verdict(),
            |search, nodes_max| search.core.step(&mut *search.cursor, nodes_max),
        )
    }

    fn root_numbers(&self) -> Numbers {
        self.core.tree.numbers(self.core.tree.root())
    }

    fn view(&self) -> Option<&dyn View> {
        Some(&self.core.tree)
    }

    fn state(&self) -> Option<&dyn State> {
        Some(&self.core)
    }

    fn restored(&mut self) -> Option<&mut dyn Restore> {
        Some(self)
    }

    fn counters(&self) -> Counters {
        self.core.counters()
    }
}

impl Restore for Pn<'_> {
    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Failure> {
        self.core.restore(&mut *self.cursor, from)
    }
}
