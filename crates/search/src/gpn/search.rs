//! The search: which question is asked at the root, which leaf is expanded for it, and what becomes of the answers.

use std::ops::Range;
use std::rc::Rc;

use quod_checkpoint::{Failure, Reader, State, Writer};
use quod_model::{Bounded, Minimax, Numbers, Relative, StopReason, Verdict};
use quod_proof::NodeId;

use super::arena::{Arena, Child, OwnNumbers, QUESTIONS_MAX, ROOT, Room};
use super::collect::Collecting;
use super::effort::Effort;
use super::solution::Shown;
use crate::limits::{Budget, Counters, Progress, Search, Standing, take_steps};
use crate::many::Interval;
use crate::saved::{Restore, go_down_for_value};
use crate::view::{Seen, Step, View};

/// Whether every line of play is known to end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ends {
    /// It is: Max gets at least the worst outcome and Min gives at most the best one, without a proof.
    #[default]
    Known,
    /// It is not assumed (footnote 1 of the paper): that too must be proven.
    Unknown,
}

/// Which question is asked at the root, and how numbers guide the descents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GpnMethod {
    /// As published: at every descent the question that takes least, by sums.
    #[default]
    Published,
    /// Ours: one question until it is answered, by discounted sums.
    Focused,
}

impl GpnMethod {
    fn effort(self, options: &GpnOptions) -> Effort {
        match self {
            Self::Published => Effort::Sum,
            Self::Focused => Effort::Discounted { mobile: options.mobility && !options.joined },
        }
    }
}

/// The switches of the search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GpnOptions {
    /// Which question is asked, and how numbers guide.
    pub method: GpnMethod,
    /// Whether leaf numbers are 1 and the number of legal moves.
    pub mobility: bool,
    /// Whether every line of play is known to end.
    pub ends: Ends,
    /// Whether places of equal keys are one.
    pub joined: bool,
    /// Whether numbers are kept only for questions that are open at the root, and what cannot matter there is removed when
    /// memory is full.
    pub prune: bool,
}

/// After so many times of folding back the same memory will not do: what is found again is forgotten again.
const COLLECTIONS_MAX: u32 = 1_000;

/// A search for the value of the place where its cursor stands.
pub struct Gpn<'c> {
    cursor: Box<dyn Minimax + 'c>,
    core: Core,
}

/// The search without its cursor, so that searches of two levels can share one.
pub(super) struct Core {
    options: GpnOptions,
    questions: Questions,
    arena: Arena,
    /// From the root to where the cursor stands.
    path: Vec<NodeId>,
    /// The question of this descent.
    question: u16,
    /// Questions that matter at the root.
    window: Range<u16>,
    codes: Vec<u32>,
    bounded: Vec<Bounded>,
    children: Vec<Child>,
    collecting: Option<Collecting>,
    /// How often nodes have become leaves again.
    collections: u32,
    nodes: u64,
    expansions: u64,
    updates: u64,
}

#[cfg(test)]
impl Core {
    pub(super) fn arena(&self) -> &Arena {
        &self.arena
    }

    pub(super) fn path(&self) -> &[NodeId] {
        &self.path
    }

    pub(super) fn question(&self) -> u16 {
        self.question
    }
}

impl State for Core {
    fn write(&self, to: &mut Writer<'_>) -> std::io::Result<()> {
        self.arena.write(to)?;
        to.item([self.window.start, self.window.end, self.question])?;
        to.items(&self.path)?;
        to.item(self.collections)?;
        to.item([self.nodes, self.expansions, self.updates])
    }
}

impl Core {
    /// Takes the cursor down by a move that must be there.
    pub(super) fn go_down(&self, cursor: &mut dyn Minimax, code: u32) -> Result<(), Failure> {
        go_down_for_value(cursor, self.questions.outcome(self.question), std::iter::once(code))
    }

    /// Where the cursor stands.
    pub(super) fn place(&self) -> NodeId {
        *self.path.last().expect("the path holds the root")
    }

    /// Whether a node is a leaf, and these could be bounds of a place in questions.
    pub(super) fn could_have(&self, leaf: NodeId, open: (u16, u16)) -> bool {
        !self.arena.is_expanded(leaf) && open.0 <= open.1 && open.1 <= self.questions.count()
    }

    /// Whether it can be written down: not while memory is collected.
    pub(super) fn can_be_written(&self) -> bool {
        self.collecting.is_none()
    }

    /// Takes back what was written, and takes the cursor from the root to where it stood.
    pub(super) fn restore(&mut self, cursor: &mut dyn Minimax, from: &mut Reader<'_>) -> Result<(), Failure> {
        let questions = self.questions.count();
        let mut question = 0;
        let window = |from: &mut Reader<'_>| {
            let [start, end, asked] = from.item()?;
            question = asked;
            let inside = start <= end && end <= questions && asked <= questions.saturating_sub(1);
            if inside { Ok(start..end) } else { Err(Failure::damaged("a question that nobody asks")) }
        };
        self.window = self.arena.restore(questions, window, from)?;
        self.question = question;
        self.path = from.items()?;
        self.collections = from.item()?;
        [self.nodes, self.expansions, self.updates] = from.item()?;
        let codes: Option<Vec<u32>> =
            self.path.windows(2).map(|step| self.arena.code_to(step[0], step[1])).collect();
        let Some(codes) = codes.filter(|_| self.path.first() == Some(&ROOT)) else {
            return Err(Failure::damaged("its path is none"));
        };
        go_down_for_value(cursor, self.questions.outcome(self.question), codes.into_iter())
    }
}

impl View for Core {
    fn nodes(&self) -> u64 {
        self.arena.live()
    }

    fn ids_end(&self) -> NodeId {
        self.arena.len() as NodeId
    }

    fn seen(&self, node: NodeId) -> Seen {
        Seen {
            is_or: self.arena.is_max(node),
            numbers: self.arena.shown(node, self.question),
            bounds: Some(self.questions.interval(self.arena.open(node))),
        }
    }

    fn steps(&self, node: NodeId, steps: &mut Vec<Step>) {
        steps.extend(self.arena.children(node).map(|(code, node)| Step { code, node, is_back: false }));
    }

    fn best(&self, node: NodeId) -> Option<u32> {
        let distracting = self.questions.distracting(self.question);
        self.arena.best_child(node, self.question, distracting).map(|(code, _)| code)
    }
}

/// Outcomes as questions.
///
/// Where play is known to end, question i is "more than `worst` + i?". Where it is not, question i is "at least `worst` + i?", and
/// one more stands for "more than the best outcome": it is answered with no when Min can force the end.
#[derive(Clone, Copy)]
pub(super) struct Questions {
    worst: Relative,
    best: Relative,
    ends: Ends,
}

impl Questions {
    fn count(self) -> u16 {
        let outcomes = i64::from(self.best.0) - i64::from(self.worst.0) + 1;
        let count = if self.ends == Ends::Known { outcomes - 1 } else { outcomes + 1 };
        assert!(count <= QUESTIONS_MAX as i64, "too many outcomes");
        count as u16
    }

    /// The open questions of a place with these bounds.
    fn open(self, lower: Relative, upper: Relative) -> (u16, u16) {
        let above = |value: Relative| (value.0.clamp(self.worst.0, self.best.0) - self.worst.0) as u16;
        let (low, high) = (above(lower), above(upper));
        match self.ends {
            Ends::Known => (low, high),
            Ends::Unknown if lower == upper => (low + 1, low + 1),
            // That play can only end within bounds does not mean that it ends.
            Ends::Unknown => {
                (if low == 0 { 0 } else { low + 1 }, if upper >= self.best { self.count() } else { high + 1 })
            }
        }
    }

    /// What answered questions say of the value.
    fn interval(self, (low, high): (u16, u16)) -> Interval {
        let value = |number: u16| Relative(self.worst.0 + i32::from(number));
        match self.ends {
            Ends::Known => Interval { lower: value(low), upper: value(high) },
            Ends::Unknown => {
                Interval { lower: value(low.max(1) - 1), upper: value(high.min(self.count() - 1) - 1) }
            }
        }
    }

    /// The outcome that a question is about.
    fn outcome(self, question: u16) -> Relative {
        match self.ends {
            Ends::Known => Relative(self.worst.0 + i32::from(question) + 1),
            Ends::Unknown => Relative(self.worst.0 + i32::from(question)),
        }
    }

    /// The question about the outcome just above (or the same one, if there is none below): what Min minimises when Max is
    /// attracted by this one.
    fn distracting(self, question: u16) -> u16 {
        if self.ends == Ends::Unknown && question == 0 { 1 } else { question }
    }
}

impl Core {
    /// A search below the cursor's place for values within `range`, with `memory_bytes_max` bytes for its tree.
    pub(super) fn new(
        cursor: &mut dyn Minimax,
        range: Interval,
        options: GpnOptions,
        memory_bytes_max: u64,
    ) -> Self {
        let questions = Questions { worst: range.lower, best: range.upper, ends: options.ends };
        let (lower, upper) = cursor.bounds();
        let open = questions.open(lower, upper);
        let room = Room { bytes_max: memory_bytes_max, reserved: memory_bytes_max };
        Self::with_questions(cursor, questions, open, options, room)
    }

    /// A search below the cursor's place for some questions of another one.
    pub(super) fn nested(&self, cursor: &dyn Minimax, open: (u16, u16), memory_bytes_max: u64) -> Self {
        let options = GpnOptions { prune: true, ..self.options };
        let room = Room { bytes_max: memory_bytes_max, reserved: 0 };
        Self::with_questions(cursor, self.questions, open, options, room)
    }

    fn with_questions(
        cursor: &dyn Minimax,
        questions: Questions,
        open: (u16, u16),
        options: GpnOptions,
        room: Room,
    ) -> Self {
        let window = if options.prune { open.0..open.1 } else { 0..questions.count() };
        Self {
            options,
            questions,
            arena: Arena::new(
                room,
                options.method.effort(&options),
                options.joined,
                questions.count(),
                cursor.is_max(),
                open,
            ),
            path: vec![ROOT],
            question: 0,
            window,
            codes: Vec::new(),
            bounded: Vec::new(),
            children: Vec::new(),
            collecting: None,
            collections: 0,
            nodes: 0,
            expansions: 0,
            updates: 0,
        }
    }

    fn interval(&self) -> Interval {
        self.questions.interval(self.arena.open(ROOT))
    }

    pub(super) fn standing(&self) -> Standing {
        Standing { proven: self.interval(), at_least: self.questions.outcome(self.question) }
    }

    /// A value that is known is the answer.
    pub(super) fn verdict(&self) -> Option<Verdict> {
        self.is_solved().then_some(Verdict::Proven)
    }

    pub(super) fn is_solved(&self) -> bool {
        let Interval { lower, upper } = self.interval();
        lower >= upper
    }

    /// Asks a question at the root, descends to a leaf for it, expands that, and updates its ancestors.
    pub(super) fn step(&mut self, cursor: &mut dyn Minimax, nodes_max: u64) -> Result<(), StopReason> {
        if let Some(leaf) = self.find_leaf(cursor)? {
            self.generate(cursor, nodes_max)?;
            let children = std::mem::take(&mut self.children);
            let attached = self.attach(cursor, leaf, &children, &[]);
            self.children = children;
            attached?;
        }
        Ok(())
    }

    /// Asks a question at the root and descends to a leaf for it. Nothing if there was other work to do.
    pub(super) fn find_leaf(&mut self, cursor: &mut dyn Minimax) -> Result<Option<NodeId>, StopReason> {
        /// Nodes that take about as long as a step of the search: those who drive it count steps.
        const SLICE: usize = 16;
        if let Some(job) = &mut self.collecting {
            if let Some(worthwhile) = self.arena.collect(job, SLICE) {
                let folded_back = job.folds_back();
                self.collecting = None;
                if !worthwhile {
                    if folded_back || self.collections >= COLLECTIONS_MAX {
                        return Err(StopReason::Memory);
                    }
                    self.collections += 1;
                    self.collecting = Some(Collecting::new(&mut self.arena, true));
                }
            }
            return Ok(None);
        }
        if self.arena.starts_new_index() {
            self.collecting = Some(Collecting::only_index());
            return Ok(None);
        }
        if self.path.len() == 1 {
            self.question = self.choose();
        }
        let node = self.descend(cursor);
        if self.arena.is_expanded(node) {
            self.update_ancestors(cursor);
            return Ok(None);
        }
        Ok(Some(node))
    }

    /// The question of the next descent.
    fn choose(&self) -> u16 {
        match self.options.method {
            GpnMethod::Published => self.attracting(),
            GpnMethod::Focused => self.middle(),
        }
    }

    /// The question in the middle of the open ones. It stays so until it is answered, for what is open changes then only.
    fn middle(&self) -> u16 {
        let (low, high) = self.arena.open(ROOT);
        low + (high - low - 1) / 2
    }

    /// The question of the attracting outcome (section 4.4): not yet achieved, with the smallest sum of its greater and its
    /// smaller number. The best outcome is at most itself without a proof, where play is known to end.
    fn attracting(&self) -> u16 {
        let (low, high) = self.arena.open(ROOT);
        let last = match self.questions.ends {
            Ends::Known => high,
            Ends::Unknown => high.min(self.questions.count() - 1),
        };
        let effort = |question: u16| {
            let greater = self.arena.numbers(ROOT, question).pn;
            let smaller = if question + 1 < high { self.arena.numbers(ROOT, question + 1).dn } else { 0 };
            u64::from(greater) + u64::from(smaller)
        };
        (low..last).min_by_key(|question| effort(*question)).expect("an open root has an open question")
    }

    /// Goes down to a leaf (Algorithm 1): Max takes the child with the smallest greater number of the attracting outcome, Min
    /// the one with the smallest smaller number of the distracting one, leftmost first. In a graph it may end at a
    /// node whose children have answered the question since it was last updated.
    fn descend(&mut self, cursor: &mut dyn Minimax) -> NodeId {
        let question = self.question;
        let distracting = self.questions.distracting(question);
        let mut node = *self.path.last().expect("the path holds the root");
        self.codes.clear();
        loop {
            let best = self.arena.best_child(node, question, distracting);
            let Some((code, child)) = best else { break };
            self.path.push(child);
            self.codes.push(code);
            node = child;
        }
        if !self.codes.is_empty() {
            cursor.down(&self.codes);
        }
        node
    }

    /// Generates the children of the leaf where the cursor stands.
    pub(super) fn generate(&mut self, cursor: &mut dyn Minimax, nodes_max: u64) -> Result<(), StopReason> {
        self.bounded.clear();
        cursor.expand(self.questions.outcome(self.question), &mut self.bounded);
        let count = self.bounded.len() as u64;
        if self.nodes + count > nodes_max {
            return Err(StopReason::Nodes);
        }
        self.nodes += count;
        self.expansions += 1;
        self.children.clear();
        let questions = self.questions;
        self.children.extend(
            self.bounded.iter().map(|child| Child::new(child, questions.open(child.lower, child.upper))),
        );
        Ok(())
    }

    /// Gives the leaf where the cursor stands its children, the first of them with numbers of their own, and updates its
    /// ancestors. If there is no room, that is made first, and the search comes back here later.
    pub(super) fn attach(
        &mut self,
        cursor: &mut dyn Minimax,
        leaf: NodeId,
        children: &[Child],
        own: &[OwnNumbers],
    ) -> Result<(), StopReason> {
        if self.arena.add_children(leaf, children, &self.window) {
            self.arena.set_numbers_of_children(leaf, own);
            self.update_ancestors(cursor);
            return Ok(());
        }
        if !self.options.prune {
            return Err(StopReason::Memory);
        }
        self.leave(cursor);
        self.collecting = Some(Collecting::new(&mut self.arena, false));
        Ok(())
    }

    /// Recomputes the last node of the path and its ancestors, up to the first that does not change: the next descent begins
    /// there (the current-node enhancement of section 4.6).
    fn update_ancestors(&mut self, cursor: &mut dyn Minimax) {
        let mut at = self.path.len() - 1;
        loop {
            self.updates += 1;
            let changed = self.arena.update(self.path[at], &self.window);
            if at == 0 || !changed {
                break;
            }
            at -= 1;
        }
        if at == 0 && self.options.prune {
            let (low, high) = self.arena.open(ROOT);
            self.window = low..high;
        }
        let steps = self.path.len() - 1 - at;
        if steps > 0 {
            self.path.truncate(at + 1);
            cursor.up(steps);
        }
    }

    /// The questions that are open all along the path: the bounds of relevancy (section 4.5).
    pub(super) fn relevant(&self) -> (u16, u16) {
        self.path
            .iter()
            .map(|node| self.arena.open(*node))
            .fold((0, u16::MAX), |all, open| (all.0.max(open.0), all.1.min(open.1)))
    }

    /// What it holds, unless memory is being collected.
    pub(super) fn view(&self) -> Option<&dyn View> {
        self.collecting.is_none().then_some(self as &dyn View)
    }

    /// The numbers of the root's question.
    pub(super) fn root_numbers(&self) -> Numbers {
        self.arena.shown(ROOT, self.question)
    }

    /// The open questions of the root, and the numbers of each.
    pub(super) fn root(&self) -> OwnNumbers {
        let open = self.arena.open(ROOT);
        OwnNumbers {
            open,
            numbers: (open.0..open.1).map(|question| self.arena.numbers(ROOT, question)).collect(),
        }
    }

    /// The numbers of a child as a leaf.
    pub(super) fn leaf_numbers(&self, child: &Child) -> Numbers {
        self.options.method.effort(&self.options).of_leaf(child.numbers, child.is_max)
    }

    /// The children that were generated last.
    pub(super) fn generated(&self) -> &[Child] {
        &self.children
    }

    /// How many nodes are held, and the bytes that they take.
    pub(super) fn held(&self) -> (u64, u64) {
        (self.arena.live(), self.arena.bytes())
    }

    /// Goes back to the root.
    pub(super) fn leave(&mut self, cursor: &mut dyn Minimax) {
        cursor.up(self.path.len() - 1);
        self.path.truncate(1);
    }

    pub(super) fn into_solutions(self) -> (Option<Shown>, Option<Shown>) {
        let Interval { lower, upper } = self.interval();
        let (low, high) = self.arena.open(ROOT);
        let bytes = self.arena.bytes();
        let arena = Rc::new(self.arena);
        let below = (lower > self.questions.worst).then(|| Shown::new(&arena, low - 1, true, bytes));
        let rest = if below.is_some() { 0 } else { bytes };
        let above = (upper < self.questions.best).then(|| Shown::new(&arena, high, false, rest));
        (below, above)
    }

    pub(super) fn counters(&self) -> Counters {
        let buffers = (self.path.capacity() + self.codes.capacity()) * size_of::<NodeId>()
            + self.bounded.capacity() * size_of::<Bounded>()
            + self.children.capacity() * size_of::<Child>();
        Counters {
            nodes: self.nodes,
            expansions: self.expansions,
            updates: self.updates,
            peak_nodes: self.arena.peak(),
            memory_bytes: self.arena.bytes() + buffers as u64,
            ..Counters::default()
        }
    }
}

impl<'c> Gpn<'c> {
    /// A search of the place where the cursor stands, for values within `range`: what lies outside counts as its end. It has
    /// `memory_bytes_max` bytes for its tree.
    ///
    /// # Panics
    /// If there are more outcomes than [`QUESTIONS_MAX`].
    pub fn new(
        cursor: impl Minimax + 'c,
        range: Interval,
        options: GpnOptions,
        memory_bytes_max: u64,
    ) -> Self {
        let mut cursor: Box<dyn Minimax + 'c> = Box::new(cursor);
        let core = Core::new(&mut *cursor, range, options, memory_bytes_max);
        Self { cursor, core }
    }

    /// Ends the search and keeps what shows its lower and its upper bound, where those are more than `range` said. Both
    /// share the tree, whose bytes the first of them answers for.
    #[must_use]
    pub fn into_solutions(self) -> (Option<Shown>, Option<Shown>) {
        self.core.into_solutions()
    }
}

impl Search for Gpn<'_> {
    fn advance(&mut self, budget: Budget) -> Progress {
        take_steps(
            self,
            budget,
            |search| search.core.verdict(),
            |search, nodes_max| search.core.step(&mut *search.cursor, nodes_max),
        )
    }

    fn root_numbers(&self) -> Numbers {
        self.core.root_numbers()
    }

    fn standing(&self) -> Option<Standing> {
        Some(self.core.standing())
    }

    fn view(&self) -> Option<&dyn View> {
        self.core.view()
    }

    fn state(&self) -> Option<&dyn State> {
        self.core.can_be_written().then_some(&self.core)
    }

    fn restored(&mut self) -> Option<&mut dyn Restore> {
        Some(self)
    }

    fn counters(&self) -> Counters {
        self.core.counters()
    }
}

impl Restore for Gpn<'_> {
    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Failure> {
        self.core.restore(&mut *self.cursor, from)
    }
}
