//! A graph and its search in a checkpoint. The index is not written: nodes know their keys.

use std::io::Result as IoResult;

use quod_checkpoint::{Failure, Reader, State, Writer};
use quod_model::{Child, Numbers};
use quod_proof::NodeId;

use super::arena::{
    FIRST, Graph, IDS_MAX, LAST, MARK, NONE, ON_PATH, PENDING, ROOT, SECOND, TOUCHED, UNJOINED,
};
use super::options::GraphMethod;
use super::search::GraphPn;
use crate::backup::Backup;
use crate::index::Index;
use crate::saved::{Marks, Restore, go_down, restore_room, restore_shuffle, write_room, write_shuffle};

impl State for Graph {
    fn write(&self, to: &mut Writer<'_>) -> IoResult<()> {
        to.items(&self.hot)?;
        to.items(&self.cold)?;
        to.items(&self.words)?;
        // A graph that is kept for its solution has none.
        to.item(if self.index.is_empty() { 0 } else { self.index.size() as u64 })?;
        to.item([self.edges, self.peak_nodes, self.peak_edges, self.peak_bytes])?;
        to.flag(self.endless[0])?;
        to.flag(self.endless[1])?;
        write_room(&self.waiting, to)
    }
}

impl Restore for Graph {
    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Failure> {
        from.items_into(&mut self.hot, IDS_MAX)?;
        from.items_into(&mut self.cold, self.hot.len())?;
        from.items_into(&mut self.words, IDS_MAX)?;
        let size = from.item::<u64>()?;
        [self.edges, self.peak_nodes, self.peak_edges, self.peak_bytes] = from.item()?;
        self.endless = [from.flag()?, from.flag()?];
        restore_room(&mut self.waiting, self.hot.len(), from)?;
        // Nobody needs a larger index than one that has just grown, by half.
        let most = 2 + self.hot.len() as u64;
        if size > most || !self.is_whole() {
            return Err(Failure::damaged("it holds no graph"));
        }
        self.index = Index::new();
        if size == 0 {
            return Ok(());
        }
        let index = Index::try_of_size(size as usize);
        self.index = index.ok_or_else(|| Failure::unfit("there is no memory for its index"))?;
        let joined = self.hot.iter().filter(|hot| hot.flags & UNJOINED == 0).count();
        if !self.index.has_room(joined) {
            return Err(Failure::damaged("its index is too small"));
        }
        self.index_nodes(0..self.hot.len() as NodeId);
        Ok(())
    }
}

impl Graph {
    /// A graph that can take back one that was written, of so many bytes at the most.
    #[must_use]
    pub fn for_restoring(bytes_max: u64) -> Self {
        let root = Child { code: 0, is_or: true, numbers: Numbers::ONE };
        let mut graph = Self::new(0, Backup::default(), root, None);
        graph.bytes_max = bytes_max;
        graph
    }

    /// Whether all links lead to where they should. Where keys and numbers are other ones, a search would be wrong; where links are, it
    /// would break.
    fn is_whole(&self) -> bool {
        let (nodes, words) = (self.hot.len(), self.words.len());
        if nodes == 0 || self.cold.len() != nodes || self.words.first() != Some(&NONE) {
            return false;
        }
        // Blocks stand one behind the other: a node, then its edges.
        let mut begins = Marks::new(words);
        let (mut at, mut edges) = (1, 0);
        while at < words {
            if self.words[at] as usize >= nodes {
                return false;
            }
            at += 1;
            let first = at;
            loop {
                if at + 3 > words {
                    return false;
                }
                let [child, next, code] = [self.words[at], self.words[at + 1], self.words[at + 2]];
                // Edges to the same child are linked from the youngest to the oldest.
                let linked = next == NONE
                    || next == SECOND
                    || ((next as usize) < at
                        && begins.has(next as usize)
                        && self.words[next as usize] == child
                        && self.words[next as usize + 1] != SECOND);
                if child as usize >= nodes || !linked || (at == first) != (code & FIRST != 0) {
                    return false;
                }
                begins.add(at);
                (at, edges) = (at + 3, edges + 1);
                if code & LAST != 0 {
                    break;
                }
            }
        }
        let is_edge = |edge: u32| (edge as usize) < words && begins.has(edge as usize);
        let in_order = |node: usize| {
            let (hot, parents) = (&self.hot[node], self.cold[node].parents);
            let numbers = Numbers { pn: hot.pn, dn: hot.dn };
            let best = hot.best == NONE || (is_edge(hot.best) && self.owner(hot.best) as usize == node);
            let linked = parents == NONE
                || (is_edge(parents) && self.child(parents) as usize == node && !self.is_second(parents));
            let solved = numbers.is_solved() == (numbers.pn.max(numbers.dn) >= PENDING);
            let one = !numbers.is_solved() || numbers.pn.min(numbers.dn) == 0;
            best && linked && solved && one
        };
        edges == self.edges && (0..nodes).all(in_order)
    }
}

impl State for GraphPn<'_> {
    fn write(&self, to: &mut Writer<'_>) -> IoResult<()> {
        self.graph.write(to)?;
        to.items(&self.path)?;
        to.items(&self.pending.iter().copied().collect::<Vec<_>>())?;
        write_shuffle(self.shuffle.as_ref(), to)?;
        to.flag(self.assumptions)?;
        to.item(self.looked_through as u64)?;
        to.item(self.claim.map_or(0u8, |claim| 1 + u8::from(claim)))?;
        to.item(self.collections)?;
        to.item([self.end_nodes, self.nodes, self.expansions, self.updates])
    }
}

impl Restore for GraphPn<'_> {
    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Failure> {
        self.graph.restore(from)?;
        self.path = from.items()?;
        let pending: Vec<NodeId> = from.items()?;
        restore_shuffle(&mut self.shuffle, from)?;
        self.assumptions = from.flag()?;
        self.looked_through = usize::try_from(from.item::<u64>()?).unwrap_or(usize::MAX);
        self.claim = match from.item::<u8>()? {
            0 => None,
            claim @ (1 | 2) => Some(claim == 2),
            _ => return Err(Failure::damaged("a claim that is none")),
        };
        self.collections = from.item()?;
        [self.end_nodes, self.nodes, self.expansions, self.updates] = from.item()?;
        let nodes = self.graph.len();
        if pending.iter().chain(&self.path).any(|node| *node as usize >= nodes) {
            return Err(Failure::damaged("a node that is none"));
        }
        let graph = &self.graph;
        let codes: Option<Vec<u32>> =
            self.path.windows(2).map(|step| graph.code_to(step[0], step[1])).collect();
        let flagged = |flag: u32| (0..nodes as NodeId).filter(|node| graph.has(*node, flag)).count();
        // Marks are on nodes that wait, and on no others.
        let mut marked: Vec<NodeId> = pending.iter().copied().filter(|node| graph.has(*node, MARK)).collect();
        marked.sort_unstable();
        marked.dedup();
        // The methods that follow best edges mark the root alone.
        let on_path = self.path.iter().filter(|node| graph.has(**node, ON_PATH)).count();
        let all = if self.options.method == GraphMethod::Sound { self.path.len() } else { 1 };
        let standing = self.path.first() == Some(&ROOT)
            && (on_path, flagged(ON_PATH)) == (all, all)
            && flagged(MARK) == marked.len();
        self.touched = flagged(TOUCHED);
        let touched = self.path.iter().filter(|node| graph.has(**node, TOUCHED)).count();
        let Some(codes) = codes.filter(|_| standing && touched == self.touched) else {
            return Err(Failure::damaged("its path is none"));
        };
        self.pending = pending.into();
        go_down(&mut *self.cursor, self.options.evaluation, codes.into_iter())
    }
}

impl Graph {
    /// The move from a node to a child: the best one, if it is the one.
    fn code_to(&self, node: NodeId, child: NodeId) -> Option<u32> {
        let best = self.best(node).filter(|(best, _)| *best == child).map(|(_, code)| code);
        best.or_else(|| {
            let edge = self.edges_of(node).find(|edge| self.child(*edge) == child)?;
            Some(self.code(edge))
        })
    }
}
