//! A search that people watch.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use quod_solver::{Algorithm, Door, KeptTree, Limits, Look, Phase, Place, Request, Snapshot, Unfold, Watch};
use serde_json::{Value, json};
use tokio::sync::oneshot;

use super::{Job, usual_memory};
use crate::failure::Failure;
use crate::wire::{self, SearchFields, TreeFields, TreeKind};

/// The most nodes of a tree that are kept when its search is gone.
const KEPT_NODES_MAX: usize = 8 << 20;
const TOLD_EVERY: Duration = Duration::from_millis(100);

/// What somebody wants to see of a tree.
pub(crate) struct Question {
    pub(crate) fields: TreeFields,
    pub(crate) answer: oneshot::Sender<Result<Value, Failure>>,
}

/// Reads what is asked for.
pub(crate) fn request(door: &dyn Door, fields: &SearchFields) -> Result<Request, Failure> {
    let name = fields.algorithm.as_deref().unwrap_or("auto");
    let algorithm = Algorithm::ALL.into_iter().find(|algorithm| algorithm.name() == name);
    let algorithm = algorithm
        .ok_or_else(|| Failure::new(StatusCode::BAD_REQUEST, format!("there is no search \"{name}\"")))?;
    let bad = |problem: &str| Failure::new(StatusCode::BAD_REQUEST, problem.to_owned());
    let time = match fields.seconds {
        None => None,
        Some(seconds) => Some(
            Duration::try_from_secs_f64(seconds).map_err(|_| bad("the time must be a number of seconds"))?,
        ),
    };
    let memory = fields.memory.unwrap_or_else(usual_memory);
    if memory < 64 << 10 {
        return Err(bad("the memory is too small: 64 KiB is the least"));
    }
    let memory = memory.min(quod_solver::three_quarters_free());
    Ok(Request {
        aim: door.aim(fields.goal.as_deref().filter(|goal| !goal.is_empty()))?,
        algorithm,
        limits: Limits { nodes: fields.nodes, memory: Some(memory), time },
        certificate: true,
        ..Request::default()
    })
}

struct Watcher<'j> {
    job: &'j Job,
    door: &'j dyn Door,
    place: &'j Place,
    told: Option<(Instant, &'static str)>,
    /// The nodes of the tree that was looked into last.
    tree: Option<u64>,
}

impl Watch for Watcher<'_> {
    fn goes_on(&mut self, snapshot: &Snapshot) -> bool {
        let state = match snapshot.phase {
            _ if self.job.rests() => "paused",
            Phase::Search(..) | Phase::Pieces(..) => "searching",
            Phase::Certificate(_) => "certificate",
        };
        let due = |(at, before): (Instant, &str)| at.elapsed() >= TOLD_EVERY || before != state;
        if self.told.is_none_or(due) {
            self.told = Some((Instant::now(), state));
            self.job.tell("progress", self.progress(snapshot, state));
        }
        !self.job.is_stopped()
    }

    fn rests(&mut self) -> bool {
        self.job.rests()
    }

    fn look(&mut self, look: &Look<'_>) {
        self.tree = Some(look.view.nodes());
        let questions = {
            let mut shown = self.job.shown();
            shown.live = true;
            std::mem::take(&mut shown.questions)
        };
        for question in questions {
            if self.job.is_stopped() {
                break;
            }
            // Who does not wait any more needs no answer.
            let _ = question.answer.send(unfold(self.door, self.place, look, &question.fields));
        }
        if look.ended {
            let kept = Arc::new(KeptTree::copy(look, KEPT_NODES_MAX));
            let mut shown = self.job.shown();
            (shown.tree, shown.live) = (Some(kept), false);
        }
    }
}

impl Watcher<'_> {
    fn progress(&self, snapshot: &Snapshot, state: &str) -> Value {
        let (pn, dn, depth_first, positions) = match snapshot.phase {
            Phase::Search(numbers, depth_first) => {
                let (pn, dn) = wire::numbers(numbers);
                (pn, dn, depth_first, 0)
            }
            Phase::Certificate(positions) => (None, None, None, positions),
            Phase::Pieces(..) => (None, None, None, 0),
        };
        json!({
            "state": state,
            "seconds": snapshot.elapsed.as_secs_f64(),
            "nodes": snapshot.nodes,
            "memory": snapshot.memory_bytes,
            "pn": pn,
            "dn": dn,
            "at_least": snapshot.at_least,
            "question": self.door.question_text(self.place, snapshot.at_least).ok(),
            "lower": snapshot.lower,
            "upper": snapshot.upper,
            "bounds": self.door.bounds_text(snapshot.lower, snapshot.upper),
            "tree": self.tree,
            "moves": depth_first.map(|depth_first| depth_first.moves),
            "solved": depth_first.map(|depth_first| depth_first.solved),
            "positions": positions,
        })
    }
}

pub(super) fn work(job: &Job, door: &Arc<dyn Door>, place: &Place, request: &Request) {
    job.shown().root = Some((Arc::clone(door), place.clone()));
    let mut watcher = Watcher { job, door: &**door, place, told: None, tree: None };
    let solved = door.solve(place, request, &mut watcher);
    let tree = watcher.tree;
    job.shown().live = false;
    let solution = match solved {
        Ok(solution) => solution,
        Err(error) => return job.fail(&error.to_string(), false),
    };
    let file = solution.certificate.as_ref().map(|certificate| Arc::new(certificate.encode()));
    let bytes = file.as_ref().map(|file| json!({ "bytes": file.len() }));
    job.shown().certificate = file;
    job.tell(
        "end",
        json!({
            "report": solution.report,
            "answer": solution.value_text,
            "sentence": solution.sentence(),
            "tree": tree,
            "certificate": bytes,
            "certificate_problem": solution.certificate_problem,
        }),
    );
}

/// Lists a part of a search tree.
pub(super) fn unfold(
    door: &dyn Door,
    place: &Place,
    look: &Look<'_>,
    fields: &TreeFields,
) -> Result<Value, Failure> {
    let rows_max = fields.rows.unwrap_or(2_000).min(super::ROWS_MAX);
    let how = Unfold { path: &fields.path, depth: fields.depth, rows_max };
    let solution = fields.kind == TreeKind::Solution;
    let unfolded = door.unfold(place, look, solution, &how)?;
    let gone = || Failure::new(StatusCode::GONE, "the search does not hold that node (any more)");
    let question = door.question_text(place, look.at_least)?;
    Ok(wire::unfolded(&unfolded.ok_or_else(gone)?, Some(question), Some(look.view.nodes())))
}
