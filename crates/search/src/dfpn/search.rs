//! The search: a path with thresholds, driven step by step.

use std::sync::Arc;

use quod_checkpoint::State;
use quod_model::{AndOr, Child, Evaluation, Identity, Numbers, StopReason, Verdict};
use rustc_hash::FxHashMap;

use super::frame::{ALWAYS, ENDLESS, Folded, Frame, OR, SHARED, Slot, next_rank};
use super::options::{DfpnOptions, Thresholds};
use super::shared::{SharedTable, Tables};
use crate::backup::{Backup, Masked, Operator, Sum, Weak};
use crate::limits::{Budget, Counters, DepthFirst, Progress, Search};
use crate::saved::Restore;
use crate::table::{INFINITE, Key, MOST, Open, RANK_MOST, Seen, UnderPath, rounded};
use crate::top_tree::{Pair, TopChild};

pub(super) const NONE: u32 = u32::MAX;
/// After so many expansions entries are counted, and it is looked whether the table needs room: threads that did so every time
/// would wait for each other.
const COUNTED: u64 = if cfg!(test) { 3 } else { 64 };
/// A child that took so much work is busy if a thread is there.
const BUSY_WORK: u32 = if cfg!(test) { 3 } else { 64 };
/// A threshold that no finite number reaches.
pub(super) const NEVER: u64 = MOST + 1;

/// A depth-first search of one question below the place where its cursor stands, on a table that others may share.
pub struct Dfpn<'c> {
    pub(super) cursor: Box<dyn AndOr + Send + 'c>,
    pub(super) options: DfpnOptions,
    /// The number of the question in the table.
    question: u16,
    shared: Arc<SharedTable>,
    /// Whether other threads search on the same table.
    team: bool,
    pub(super) frames: Vec<Frame>,
    pub(super) slots: Vec<Slot>,
    /// How many steps the cursor stands below the last frame.
    pub(super) below: usize,
    /// Depths of the places of the path, where they can come again.
    pub(super) on_path: FxHashMap<u64, u32>,
    /// How often thresholds are still extended: the counter of TCA (Kishimoto 2010).
    pub(super) extensions: u32,
    /// What [`SharedTable::solved`] was when the path was last looked up.
    solved_seen: u32,
    pub(super) answer: Option<bool>,
    /// The numbers of the root when it was last left or looked at.
    pub(super) root: Numbers,
    /// A move that shows the answer, if the side to move at the root has it.
    pub(super) root_move: Option<u32>,
    children: Vec<Child>,
    identities: Vec<Option<Identity>>,
    /// Entries that came into use since they were last counted.
    pub(super) fresh: i64,
    pub(super) nodes: u64,
    pub(super) expansions: u64,
    pub(super) updates: u64,
    pub(super) threat_nodes: u64,
    deepest: u32,
    shallowest: u32,
}

/// What to do next.
enum Next {
    /// The last frame is to be expanded.
    Expand,
    /// The last frame is to be looked at.
    Look,
    /// There is an answer.
    End,
}

impl<'c> Dfpn<'c> {
    /// A search for the answer to a question below the cursor's place. The number of the question, from 1 on, says which
    /// value it is about, so that searches for other values can use what this one finds. `team` says whether others search on
    /// the same table at the same time.
    ///
    /// # Panics
    /// If the number of the question is too large for the table.
    pub fn new(
        cursor: impl AndOr + Send + 'c,
        options: DfpnOptions,
        question: u16,
        shared: Arc<SharedTable>,
        team: bool,
    ) -> Self {
        assert!((1..=crate::QUESTION_MOST).contains(&question), "no such question");
        let mut cursor: Box<dyn AndOr + Send + 'c> = Box::new(cursor);
        // The root is judged at once and by no judge, so that an answer comes with a move.
        let answer = cursor.evaluate(Evaluation::Immediate).map(|settled| settled.holds);
        // A root that is known by nothing gets a key of its own: what is known by the way from it is then known to this search
        // alone, for the same way from another root leads elsewhere.
        let key = match cursor.identity() {
            Some(identity) => Key::new(identity.key),
            None => Key::NOWHERE.then(shared.new_root()),
        };
        let root = Frame {
            key,
            way: key.then(u64::from(question)),
            pn_max: NEVER,
            dn_max: NEVER,
            begin: 0,
            chosen: NONE,
            is_or: cursor.is_or(),
            extensions: 0,
            expansions: 0,
            work: 0,
            depth: 0,
        };
        let mut search = Self {
            cursor,
            options,
            question,
            solved_seen: shared.solved(),
            shared,
            team,
            frames: vec![root],
            slots: Vec::new(),
            below: 0,
            on_path: FxHashMap::default(),
            extensions: 0,
            answer,
            root: answer.map_or(Numbers::ONE, Numbers::solved),
            root_move: None,
            children: Vec::new(),
            identities: Vec::new(),
            fresh: 0,
            nodes: 0,
            expansions: 0,
            updates: 0,
            threat_nodes: 0,
            deepest: 0,
            shallowest: 0,
        };
        if options.thresholds != Thresholds::Dfpn {
            search.frames[0].pn_max = 2;
            search.frames[0].dn_max = if options.thresholds == Thresholds::PnStar { NEVER } else { 2 };
        }
        search.on_path.insert(root.key.check(), 0);
        search
    }

    /// The move with which the side to move at the root gets what is proven, if that side does.
    #[must_use]
    pub fn root_move(&self) -> Option<u32> {
        self.root_move
    }

    /// Leaves every place of the path but the root, so that the table knows what was found there. The search can go on.
    pub fn come_back(&mut self) {
        let shared = Arc::clone(&self.shared);
        let tables = shared.read();
        if self.answer.is_none() && self.frames.len() > 1 {
            // Nothing is known below the last one.
            let last = self.top();
            self.pop(&last, false);
            while self.frames.len() > 1 {
                let frame = self.top();
                let folded = self.fold(&frame);
                if folded.own == 0 || folded.other == 0 {
                    self.finish_by_children(&tables, &frame, folded.own == 0);
                } else {
                    let (pn, dn) = numbers_of(frame.is_or, folded);
                    self.leave(&tables, &frame, pn, dn);
                }
            }
        }
        tables.facts.count(std::mem::take(&mut self.fresh));
        self.come_up();
    }

    /// The numbers of the root.
    #[must_use]
    pub fn numbers(&self) -> Pair {
        match self.answer {
            Some(holds) => Pair::solved(holds),
            None if self.slots.is_empty() => Pair::ONE,
            None => {
                let (pn, dn) = numbers_of(self.frames[0].is_or, self.fold(&self.frames[0]));
                Pair { pn, dn }
            }
        }
    }

    /// The children of the root as they are known, when the search has come back there.
    pub fn root_children(&self) -> impl Iterator<Item = TopChild> {
        let or = self.frames[0].is_or;
        self.slots.iter().map(move |slot| TopChild {
            code: slot.code,
            is_or: slot.has(OR),
            numbers: if or {
                Pair { pn: slot.own, dn: slot.other }
            } else {
                Pair { pn: slot.other, dn: slot.own }
            },
        })
    }

    fn verdict(&self) -> Option<Verdict> {
        self.answer.map(|holds| if holds { Verdict::Proven } else { Verdict::Disproven })
    }

    fn depth(&self) -> u32 {
        self.frames.len() as u32 - 1
    }

    fn top(&self) -> Frame {
        *self.frames.last().expect("the path holds the root")
    }

    /// Expands the last frame, and goes up and down to the next one that is to be expanded.
    #[inline]
    fn step(&mut self, tables: &Tables, nodes_max: u64) -> Result<(), StopReason> {
        let mut next = match self.overtaken(tables) {
            Some(next) => next,
            None => self.expand(tables, nodes_max)?,
        };
        while let Next::Look = next {
            next = self.look(tables);
        }
        Ok(())
    }

    /// Generates the children of the last frame and looks up what is known of them.
    #[inline]
    fn expand(&mut self, tables: &Tables, nodes_max: u64) -> Result<Next, StopReason> {
        let (frame, depth) = (self.top(), self.depth());
        if self.options.evaluation == Evaluation::Delayed
            && depth > 0
            && let Some(settled) = self.cursor.evaluate(Evaluation::Delayed)
        {
            return Ok(self.finish(tables, settled.holds, ALWAYS, 0));
        }
        self.children.clear();
        self.identities.clear();
        self.cursor.expand_joined(self.options.evaluation, &mut self.children, &mut self.identities);
        let count = self.children.len() as u64;
        if self.nodes + count > nodes_max {
            return Err(StopReason::Nodes);
        }
        self.nodes += count;
        self.threat_nodes += self.cursor.looked();
        self.expansions += 1;
        // A search that came back to its root begins there again.
        self.slots.truncate(frame.begin as usize);
        (self.deepest, self.shallowest) = (self.deepest.max(depth), self.shallowest.min(depth));
        let begin = self.slots.len();
        for (child, identity) in self.children.iter().zip(&self.identities) {
            let key = match identity {
                Some(identity) => Key::new(identity.key),
                None => frame.key.then(u64::from(child.code)),
            };
            let (own, other) = oriented(frame.is_or, child.numbers);
            let endless = identity.is_some_and(|identity| identity.endless);
            let flags = if child.is_or { OR } else { 0 } | if endless { ENDLESS } else { 0 };
            let slot = Slot { key, own, other, code: child.code, low: ALWAYS, work: 0, rank: 0, flags };
            if slot.is_won() {
                // Nothing else matters.
                self.slots.truncate(begin);
                self.slots.push(slot);
                return Ok(Next::Look);
            }
            if slot.is_open() {
                tables.facts.prefetch(key);
            }
            self.slots.push(slot);
        }
        let mut old = false;
        for at in begin..self.slots.len() {
            if self.slots[at].is_open() {
                self.look_up(tables, &frame, at);
                let slot = self.slots[at];
                if slot.is_won() && slot.low == ALWAYS {
                    break;
                }
                old |= slot.is_open() && slot.low <= depth;
            }
        }
        if self.options.cyclic && old {
            self.extensions += 1;
        }
        Ok(Next::Look)
    }

    /// What the tables and the path know of a child.
    #[inline]
    fn look_up(&mut self, tables: &Tables, frame: &Frame, at: usize) {
        let slot = &mut self.slots[at];
        match tables.facts.probe(slot.key, self.question) {
            Seen::Answer(holds, rank) => return slot.solve(holds == frame.is_or, ALWAYS, rank),
            Seen::Open(open) => {
                slot.low = open.depth;
                slot.work = open.work.min(u64::from(u32::MAX)) as u32;
                (slot.own, slot.other) = if frame.is_or { (open.pn, open.dn) } else { (open.dn, open.pn) };
            }
            Seen::Nothing => {}
        }
        if self.options.cyclic {
            let met = self.on_path.get(&slot.key.check());
            if let Some(ancestor) = met.filter(|depth| self.frames[**depth as usize].key == slot.key) {
                let holds = slot.has(ENDLESS);
                slot.solve(holds == frame.is_or, *ancestor, RANK_MOST);
            } else if let Some(path) = tables.paths.under_path(frame.way.then(u64::from(slot.code))) {
                slot.solve(path.holds == frame.is_or, path.low, RANK_MOST);
            }
        }
    }

    #[inline(always)]
    fn fold_with<O: Operator>(&self, frame: &Frame) -> Folded {
        let cost = u64::from(self.options.edge_cost);
        let mut folded = Folded { own: INFINITE, other: 0, best: 0, second: INFINITE };
        let mut total = O::default();
        for (at, slot) in self.slots[frame.begin as usize..].iter().enumerate() {
            if slot.is_lost() {
                continue;
            }
            if slot.is_won() {
                return Folded { own: 0, other: INFINITE, best: at, second: INFINITE };
            }
            let own = (slot.own + cost).min(MOST);
            total.add((slot.other + cost).min(MOST), || slot.has(SHARED));
            if own < folded.own {
                (folded.second, folded.own) = (folded.own, own);
                folded.best = at;
            } else if own < folded.second {
                folded.second = own;
            }
        }
        folded.other = total.total().min(MOST);
        folded
    }

    /// Chooses among the children once more, by virtual numbers: threads that are below a child make it look more
    /// expensive, so that others go elsewhere (Kaneko 2010). Much more expensive where the side to move seems to lose, for then
    /// all children need work; a little where one child will do.
    fn spread(&self, frame: &Frame, folded: &mut Folded) {
        let slots = &self.slots[frame.begin as usize..];
        if slots.iter().all(|slot| slot.work < BUSY_WORK) {
            return;
        }
        let part = if folded.other < folded.own { 2 } else { 16 };
        let (mut least, mut best, mut second) = (INFINITE, folded.best, INFINITE);
        for (at, slot) in slots.iter().enumerate().filter(|(_, slot)| slot.is_open()) {
            let present = if slot.work < BUSY_WORK { 0 } else { self.shared.present(slot.key) };
            let seen = slot.own + present * (slot.own / part + 1);
            if seen < least {
                (second, least) = (least, seen);
                best = at;
            } else if seen < second {
                second = seen;
            }
        }
        (folded.best, folded.second) = (best, second);
    }

    #[inline]
    fn fold(&self, frame: &Frame) -> Folded {
        match self.options.backup {
            Backup::Sum => self.fold_with::<Sum>(frame),
            Backup::Weak => self.fold_with::<Weak>(frame),
            Backup::Masked => self.fold_with::<Masked>(frame),
        }
    }

    /// The largest other number that a child may have while that of all is below `most`.
    #[inline(always)]
    fn room_with<O: Operator>(&self, frame: &Frame, chosen: usize, most: u64) -> u64 {
        let cost = u64::from(self.options.edge_cost);
        let slots = &self.slots[frame.begin as usize..];
        let mut others = O::default();
        for (at, slot) in slots.iter().enumerate() {
            if at != chosen && !slot.is_lost() {
                others.add((slot.other + cost).min(MOST), || slot.has(SHARED));
            }
        }
        others.room(slots[chosen].has(SHARED), most)
    }

    /// Looks at the children of the last frame: leaves it, or goes down to one of them.
    #[inline]
    fn look(&mut self, tables: &Tables) -> Next {
        let (frame, depth) = (self.top(), self.depth());
        let mut folded = self.fold(&frame);
        self.updates += 1;
        if folded.own == 0 || folded.other == 0 {
            return self.finish_by_children(tables, &frame, folded.own == 0);
        }
        let (pn, dn) = numbers_of(frame.is_or, folded);
        let (mut pn_max, mut dn_max) = (frame.pn_max, frame.dn_max);
        if self.extensions > 0 {
            (pn_max, dn_max) = (pn_max.max(pn + 1), dn_max.max(dn + 1));
        }
        let extended = frame.extensions > 0 && self.extensions == 0 && frame.chosen != NONE;
        let reached = match self.options.thresholds {
            Thresholds::Dfpn => pn >= pn_max || dn >= dn_max,
            Thresholds::PnStar => pn >= pn_max,
            Thresholds::Pds => pn >= pn_max && dn >= dn_max,
        };
        if depth > 0 && (reached || extended) {
            return self.leave(tables, &frame, pn, dn);
        }
        if depth == 0 {
            self.root = Pair { pn, dn }.narrow();
            if reached {
                // Depth-first searches with thresholds at the root raise them there.
                if self.options.thresholds == Thresholds::PnStar || pn <= dn {
                    self.frames[0].pn_max = pn + 1;
                } else {
                    self.frames[0].dn_max = dn + 1;
                }
                return Next::Look;
            }
        }
        if self.team {
            self.spread(&frame, &mut folded);
        }
        if self.options.hysteresis {
            self.stay(&frame, if frame.is_or { pn_max } else { dn_max }, &mut folded);
        }
        self.go_down(tables, &frame, folded, (pn_max, dn_max));
        Next::Expand
    }

    /// Keeps to the child that was searched last while it costs little more than the best.
    fn stay(&self, frame: &Frame, own_max: u64, folded: &mut Folded) {
        if frame.chosen == NONE || frame.chosen as usize == folded.best {
            return;
        }
        let slots = &self.slots[frame.begin as usize..];
        let (last, least) = (slots[frame.chosen as usize], slots[folded.best].own);
        if last.is_open() && last.own < own_max.min(self.options.epsilon.above(least)) {
            (folded.second, folded.best) = (least, frame.chosen as usize);
        }
    }

    /// Goes down to the chosen child, with the thresholds up to which it stays the one to search.
    fn go_down(&mut self, tables: &Tables, frame: &Frame, folded: Folded, (pn_max, dn_max): (u64, u64)) {
        let (own_max, other_max) = if frame.is_or { (pn_max, dn_max) } else { (dn_max, pn_max) };
        let cost = u64::from(self.options.edge_cost);
        let mut chosen = folded.best;
        let slots = &self.slots[frame.begin as usize..];
        let (mut own, mut other);
        match self.options.thresholds {
            Thresholds::Dfpn => {
                own = own_max.min(match folded.second {
                    INFINITE => NEVER,
                    second => self.options.epsilon.above(second),
                });
                other = match self.options.backup {
                    Backup::Sum => other_max - (folded.other - slots[chosen].other - cost).min(other_max),
                    Backup::Weak => self.room_with::<Weak>(frame, chosen, other_max),
                    Backup::Masked => self.room_with::<Masked>(frame, chosen, other_max),
                };
                (own, other) = (own.saturating_sub(cost), other.saturating_sub(cost));
            }
            Thresholds::PnStar => {
                if !frame.is_or {
                    // The hardest to prove first: the others wait.
                    let open = slots.iter().enumerate().filter(|(_, slot)| slot.is_open());
                    chosen = open
                        .max_by_key(|(at, slot)| (slot.other, usize::MAX - at))
                        .map_or(chosen, |(at, _)| at);
                }
                let rest = folded.other - slots[chosen].other.min(folded.other);
                (own, other) = if frame.is_or {
                    (slots[chosen].own + 1, NEVER)
                } else {
                    (NEVER, pn_max.saturating_sub(rest))
                };
            }
            Thresholds::Pds => {
                let slot = slots[chosen];
                (own, other) = (slot.own, slot.other);
                if other_max > folded.other && (slot.other <= slot.own || own_max <= folded.own) {
                    other += 1;
                } else {
                    own += 1;
                }
            }
        }
        let slot = slots[chosen];
        if self.options.thresholds == Thresholds::Dfpn {
            // However the numbers were put together, a child that is searched makes progress.
            (own, other) = (own.max(slot.own + 1), other.max(slot.other + 1));
        }
        let (pn_max, dn_max) = if frame.is_or { (own, other) } else { (other, own) };
        self.enter(tables, chosen, slot, (pn_max, dn_max));
    }

    fn enter(&mut self, tables: &Tables, chosen: usize, slot: Slot, (pn_max, dn_max): (u64, u64)) {
        let parent = self.top();
        let depth = self.frames.len() as u32;
        self.frames.last_mut().expect("the path holds the root").chosen = chosen as u32;
        self.come_up();
        self.cursor.down(&[slot.code]);
        if self.team && slot.work >= BUSY_WORK {
            self.shared.arrive(slot.key);
        }
        if self.options.backup == Backup::Masked {
            self.find_source(tables, &parent, &slot);
        }
        let way = if self.options.cyclic {
            self.on_path.insert(slot.key.check(), depth);
            parent.way.then(u64::from(slot.code))
        } else {
            Key::default()
        };
        let extensions = self.extensions;
        if extensions > 0 && slot.low == ALWAYS {
            self.extensions -= 1;
        }
        self.frames.push(Frame {
            key: slot.key,
            way,
            pn_max,
            dn_max,
            begin: self.slots.len() as u32,
            chosen: NONE,
            is_or: slot.has(OR),
            extensions,
            expansions: self.expansions,
            work: slot.work,
            depth: slot.low.min(depth),
        });
    }

    /// Takes the cursor to where the last frame is.
    fn come_up(&mut self) {
        let steps = std::mem::take(&mut self.below);
        if steps > 0 {
            self.cursor.up(steps);
        }
    }

    /// Whether two children of a place of the path lead to the child that is entered, by the way it was last reached: their
    /// numbers are no longer added up there (Nagai 2002; Kishimoto 2010).
    fn find_source(&mut self, tables: &Tables, parent: &Frame, slot: &Slot) {
        /// Ways that are longer are not followed.
        const STEPS: usize = 16;
        let Some(sources) = &tables.sources else { return };
        let (mut from, here) = (slot.key.bits(), parent.key.bits());
        let mut at = sources.parent(from);
        sources.record(from, here);
        for _ in 0..STEPS {
            if at == here || at == 0 {
                return;
            }
            if let Some(depth) = self.frames.iter().rposition(|frame| frame.key.bits() == at) {
                let frame = self.frames[depth];
                let end = self.frames.get(depth + 1).map_or(self.slots.len(), |next| next.begin as usize);
                let slots = &mut self.slots[frame.begin as usize..end];
                let other = slots.iter().position(|slot| slot.key.bits() == from);
                if let Some(other) = other.filter(|other| *other != frame.chosen as usize) {
                    slots[other].flags |= SHARED;
                    slots[frame.chosen as usize].flags |= SHARED;
                }
                return;
            }
            (from, at) = (at, sources.parent(at));
        }
    }

    /// Leaves the last frame unsolved.
    fn leave(&mut self, tables: &Tables, frame: &Frame, pn: u64, dn: u64) -> Next {
        let (pn, dn) = (rounded(pn), rounded(dn));
        let spent = self.expansions - frame.expansions;
        let work = spent + u64::from(frame.work);
        let open = Open { pn, dn, depth: frame.depth, work };
        self.fresh += tables.facts.store_open(frame.key, self.question, open);
        self.pop(frame, false);
        let parent = self.top();
        let slot = &mut self.slots[parent.begin as usize + parent.chosen as usize];
        (slot.own, slot.other) = if parent.is_or { (pn, dn) } else { (dn, pn) };
        slot.low = frame.depth;
        slot.work = work.min(u64::from(u32::MAX)) as u32;
        self.refresh(tables, &parent, spent);
        Next::Look
    }

    /// Looks up again what other threads have found about the children of a frame, after a long absence.
    fn refresh(&mut self, tables: &Tables, parent: &Frame, spent: u64) {
        const LONG: u64 = if cfg!(test) { 2 } else { 64 };
        if self.team && spent >= LONG {
            for at in parent.begin as usize..self.slots.len() {
                if self.slots[at].is_open() && at != (parent.begin + parent.chosen) as usize {
                    self.look_up(tables, parent, at);
                }
            }
        }
    }

    /// The last frame is solved by its children: by one that is won, or by all, which are lost.
    fn finish_by_children(&mut self, tables: &Tables, frame: &Frame, won: bool) -> Next {
        let holds = frame.is_or == won;
        let slots = &self.slots[frame.begin as usize..];
        let (low, rank) = if won {
            // Of several that win, the one that assumes least and is shortest.
            let best = slots.iter().filter(|slot| slot.is_won());
            let best = best.min_by_key(|slot| (std::cmp::Reverse(slot.low), slot.rank_for(holds)));
            let best = best.expect("one is won");
            if self.frames.len() == 1 {
                self.root_move = Some(best.code);
            }
            (best.low, best.rank_for(holds))
        } else {
            slots
                .iter()
                .fold((ALWAYS, 0), |(low, rank), slot| (low.min(slot.low), rank.max(slot.rank_for(holds))))
        };
        self.finish(tables, holds, low, next_rank(rank))
    }

    /// The last frame is solved, under the assumption that places of the path from depth `low` on come again. If they are
    /// all below it or itself, that is a fact: whoever wants to leave the set of places that its answer leans on comes
    /// back into it or loses (the low-link rule).
    fn finish(&mut self, tables: &Tables, holds: bool, low: u32, rank: u16) -> Next {
        let (frame, depth) = (self.top(), self.depth());
        let low = if low >= depth { ALWAYS } else { low };
        let spent = self.expansions - frame.expansions;
        let work = spent + u64::from(frame.work);
        if low == ALWAYS {
            self.fresh += tables.facts.store_answer(frame.key, self.question, holds, rank, work);
        } else {
            tables.paths.count(tables.paths.store_path(frame.way, UnderPath { holds, low }, work));
            // Its numbers were those of this path.
            self.fresh += tables.facts.forget_open(frame.key, self.question);
        }
        if depth == 0 {
            self.answer = Some(holds);
            self.root = Numbers::solved(holds);
            return Next::End;
        }
        self.pop(&frame, low == ALWAYS);
        let parent = self.top();
        let slot = &mut self.slots[parent.begin as usize + parent.chosen as usize];
        slot.solve(holds == parent.is_or, low, rank);
        self.refresh(tables, &parent, spent);
        Next::Look
    }

    fn pop(&mut self, frame: &Frame, fact: bool) {
        self.frames.pop();
        self.slots.truncate(frame.begin as usize);
        self.below += 1;
        self.extensions = self.extensions.min(frame.extensions);
        if self.options.cyclic {
            self.on_path.remove(&frame.key.check());
        }
        if self.team && frame.work >= BUSY_WORK {
            self.shared.depart(frame.key, fact);
        }
    }

    /// Whether another thread has solved a place of the path: then the search goes back to there. Whoever solves the root knows
    /// the move that shows it, and says so; nobody takes that answer from the table.
    #[inline]
    fn overtaken(&mut self, tables: &Tables) -> Option<Next> {
        if !self.team || self.shared.solved() == self.solved_seen {
            return None;
        }
        self.solved_seen = self.shared.solved();
        let solved = self.frames.iter().enumerate().skip(1).find_map(|(depth, frame)| {
            match tables.facts.probe(frame.key, self.question) {
                Seen::Answer(holds, rank) => Some((depth, holds, rank)),
                _ => None,
            }
        });
        let (depth, holds, rank) = solved?;
        while self.frames.len() > depth + 1 {
            let frame = self.top();
            self.pop(&frame, false);
        }
        Some(self.finish(tables, holds, ALWAYS, rank))
    }
}

/// Numbers as a side sees them that takes the smallest of its own.
#[inline]
fn oriented(is_or: bool, numbers: Numbers) -> (u64, u64) {
    let wide = |number: u32| if number == Numbers::INFINITE { INFINITE } else { number.into() };
    let (own, other) = numbers.seen_by_mover(is_or);
    (wide(own), wide(other))
}

#[inline]
fn numbers_of(is_or: bool, folded: Folded) -> (u64, u64) {
    if is_or { (folded.own, folded.other) } else { (folded.other, folded.own) }
}

impl Drop for Dfpn<'_> {
    fn drop(&mut self) {
        if self.team {
            for frame in self.frames.iter().filter(|frame| frame.work >= BUSY_WORK) {
                self.shared.depart(frame.key, false);
            }
        }
    }
}

impl Search for Dfpn<'_> {
    fn advance(&mut self, budget: Budget) -> Progress {
        let shared = Arc::clone(&self.shared);
        let mut tables = shared.read();
        (self.deepest, self.shallowest) = (0, u32::MAX);
        for _ in 0..budget.steps_max {
            if self.answer.is_none() {
                if let Err(reason) = self.step(&tables, budget.nodes_max) {
                    return Progress::Done(Verdict::Unknown(reason));
                }
                if self.expansions.is_multiple_of(COUNTED) {
                    tables.facts.count(std::mem::take(&mut self.fresh));
                    tables = shared.make_room(tables);
                }
            }
            if let Some(verdict) = self.verdict() {
                // The cursor is left where it was found.
                self.come_up();
                return Progress::Done(verdict);
            }
        }
        Progress::Running
    }

    fn root_numbers(&self) -> Numbers {
        self.root
    }

    fn depth_first(&self) -> Option<DepthFirst> {
        let end = self.frames.get(1).map_or(self.slots.len(), |next| next.begin as usize);
        let moves = &self.slots[..end];
        let (filled, places) = self.shared.fill();
        Some(DepthFirst {
            moves: moves.len(),
            solved: moves.iter().filter(|slot| !slot.is_open()).count(),
            shallowest: self.shallowest.min(self.deepest),
            deepest: self.deepest,
            filled,
            places,
        })
    }

    fn state(&self) -> Option<&dyn State> {
        Some(self)
    }

    fn restored(&mut self) -> Option<&mut dyn Restore> {
        Some(self)
    }

    fn counters(&self) -> Counters {
        let buffers = self.frames.capacity() * size_of::<Frame>()
            + self.slots.capacity() * size_of::<Slot>()
            + self.on_path.capacity() * 16
            + self.children.capacity() * size_of::<Child>()
            + self.identities.capacity() * size_of::<Option<Identity>>();
        let (filled, _) = self.shared.fill();
        Counters {
            nodes: self.nodes,
            expansions: self.expansions,
            updates: self.updates,
            threat_nodes: self.threat_nodes,
            peak_nodes: filled,
            memory_bytes: self.shared.bytes() + buffers as u64,
            ..Counters::default()
        }
    }
}
