//! Work on the whole graph, which goes on in slices before anything else does: fixed points, collections, a larger index.

use quod_model::StopReason;
use quod_proof::NodeId;

use super::GraphPn;
use crate::graph::arena::{ROOT, is_fact};
use crate::graph::collect::Collecting;
use crate::graph::options::GraphMethod;
use crate::graph::status::Settling;

/// How often memory may be collected: a search that has filled it so often is not going to fit.
const COLLECTIONS_MAX: u32 = 1000;

/// How many nodes one step of a job takes: some milliseconds.
const NODES_PER_STEP: usize = 1 << 14;
/// How many ordinary steps take as long.
pub(super) const STEPS_OF_A_JOB: u64 = 1 << 10;

/// Work on the whole graph.
pub(super) enum Job {
    /// The fixed points, and what comes after them.
    Settle(Settling, Then),
    /// Memory is collected; how many bytes there were.
    Collect(Collecting, u64),
    /// The index grows; how many nodes it has.
    Index(NodeId),
}

/// What comes when facts and assumptions are told apart.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Then {
    /// The search is over.
    Nothing,
    /// The search goes on.
    GoOn,
    /// Assumptions had used the root up: if it is still open, a leaf that can tell is expanded.
    Doubt,
    /// Memory is collected.
    Collect,
}

impl GraphPn<'_> {
    /// Frees memory as the options allow and goes back to the root, since the path may be gone.
    pub(super) fn make_room(&mut self) -> Result<(), StopReason> {
        if !self.options.deletes() || self.options.method == GraphMethod::Dcg {
            return Err(StopReason::Memory);
        }
        self.shorten_path(1);
        self.job = Some(match self.options.method {
            GraphMethod::Sound => Job::Settle(Settling::new(&self.graph), Then::Collect),
            _ => self.collection(),
        });
        Ok(())
    }

    fn collection(&self) -> Job {
        Job::Collect(Collecting::new(self.options.fold_back), self.graph.bytes())
    }

    /// Goes on with work on the whole graph; what comes after it follows at once.
    pub(super) fn go_on(&mut self, mut job: Job, nodes_max: u64) -> Result<(), StopReason> {
        let done = match &mut job {
            Job::Settle(settling, _) => self.graph.settle(settling, NODES_PER_STEP),
            Job::Collect(collecting, _) => self.graph.collect(collecting, NODES_PER_STEP),
            Job::Index(nodes) => {
                let end = (*nodes).saturating_add(NODES_PER_STEP as NodeId).min(self.graph.len() as NodeId);
                self.graph.index_nodes(*nodes..end);
                *nodes = end;
                end == self.graph.len() as NodeId
            }
        };
        self.graph.remember_peak();
        match job {
            _ if !done => self.job = Some(job),
            Job::Collect(_, before) => self.collected(before)?,
            Job::Index(_) => {}
            Job::Settle(_, then) => {
                self.assumptions = false;
                self.looked_through = self.graph.len();
                match then {
                    Then::Nothing => {}
                    Then::Doubt => self.doubt(nodes_max)?,
                    Then::GoOn => {
                        self.graph.reopen_assumptions();
                        self.update_path();
                    }
                    Then::Collect => {
                        self.graph.reopen_assumptions();
                        self.job = Some(self.collection());
                    }
                }
            }
        }
        Ok(())
    }

    /// Memory was collected: is it enough?
    fn collected(&mut self, before: u64) -> Result<(), StopReason> {
        self.collections += 1;
        self.looked_through = self.graph.len();
        // Less than an eighth is not worth the next time.
        let too_little = self.graph.bytes() > before - before / 8;
        if (too_little || self.collections > COLLECTIONS_MAX) && !is_fact(self.graph.numbers(ROOT)) {
            return Err(StopReason::Memory);
        }
        if self.options.method == GraphMethod::Sound {
            self.update_path();
        }
        Ok(())
    }
}
