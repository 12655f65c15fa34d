//! From answers to a certificate.
//!
//! What a search has deleted is solved again where the strategy needs it, by the same search with memory of
//! its own. That was chosen over a log of solved facts: a log grows with everything ever solved, also with
//! what the proof does not need, and under a memory limit it competes with the search; solving again costs
//! only time (1.5 to 2.8 times the nodes in all, docs/measurements.md), and nothing when nothing was deleted.

use std::cell::Cell;
use std::rc::Rc;

use quod_model::{GoalCursor, Notation, Repetition, StopReason, Verdict};
use quod_proof::{Certificate, Claim, Context, Part, SolutionTree, Strategy, StrategyError};
use quod_search::{Deletion, Pn, PnOptions, Tree};

use crate::drive::Driver;
use crate::solve::Answer;

/// A tree that says how many bytes it holds as long as it lives.
struct Held {
    tree: Tree,
    held: Rc<Cell<u64>>,
}

impl Held {
    fn new(tree: Tree, held: &Rc<Cell<u64>>) -> Self {
        held.set(held.get() + tree.bytes());
        Self { tree, held: Rc::clone(held) }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.held.set(self.held.get() - self.tree.bytes());
    }
}

impl SolutionTree for Held {
    fn root(&self) -> u32 {
        self.tree.root()
    }
    fn winning_child(&self, node: u32) -> Option<(u32, u32)> {
        self.tree.winning_child(node)
    }
    fn child(&self, node: u32, code: u32) -> Option<u32> {
        self.tree.child(node, code)
    }
}

struct SolveAgain<'a, 'w> {
    driver: &'a mut Driver<'w>,
    /// Bytes for searches and for the trees that are kept.
    memory: u64,
    held: Rc<Cell<u64>>,
    at_least: i32,
    holds: bool,
}

impl<G: Notation> Context<G> for SolveAgain<'_, '_> {
    fn solve_again(&mut self, cursor: &mut GoalCursor<'_, G>) -> Option<Rc<dyn SolutionTree>> {
        let options = PnOptions { delete_solved: Deletion::WhenFull, ..PnOptions::default() };
        let held = self.held.get();
        // The search and the copy of its solution share what is left.
        let room = self.memory.saturating_sub(held).max(self.memory / 20);
        let mut search = Pn::new(cursor, options, room / 4 * 3);
        let verdict = self.driver.run(&mut search, self.at_least, held);
        let holds = match verdict {
            Verdict::Proven => true,
            Verdict::Disproven => false,
            Verdict::Unknown(_) => return None,
        };
        assert_eq!(holds, self.holds, "a part of the solution has another answer when solved again");
        let tree = search.into_tree();
        // A copy of the solution is all that is needed; where even that is too large, its first move is.
        let copy = tree.solution(room / 4).or_else(|| tree.first_move())?;
        self.driver.uses(held + tree.bytes() + copy.bytes());
        Some(Rc::new(Held::new(copy, &self.held)))
    }

    fn goes_on(&mut self, positions: u64) -> bool {
        self.driver.certifies(positions, self.at_least, self.held.get())
    }
}

/// What a certificate is to show.
pub(crate) struct Wanted<'a> {
    /// Answers with what is left of their trees.
    pub(crate) answers: &'a [&'a Answer],
    /// What the range of values shows, if there are no answers.
    pub(crate) trivial: Option<Claim>,
    /// Whether the trees used nothing but rules and path.
    pub(crate) trees_lean_on_rules: bool,
}

/// Makes the certificate of one or two answers about `root`.
pub(crate) fn certify<G: Notation>(
    game: &G,
    root: &G::Position,
    wanted: &Wanted<'_>,
    memory: u64,
    driver: &mut Driver<'_>,
) -> Result<Certificate, String> {
    let answers = wanted.answers;
    let mut parts = Vec::new();
    if answers.is_empty() {
        let claim = wanted.trivial.ok_or("nothing was proven")?;
        parts.push(Part::of_range(claim));
    }
    let acyclic = matches!(game.repetition(), Repetition::Impossible);
    let kept: u64 = answers.iter().filter_map(|answer| answer.tree.as_ref()).map(|tree| tree.bytes()).sum();
    for answer in answers {
        let held = Rc::new(Cell::new(kept));
        let at_least = answer.goal.at_least.0;
        // A full tree leaves nothing: a tenth more is then allowed, half for the strategy, half for searches.
        let bytes_max = (memory.saturating_sub(kept) / 2).max(memory / 20);
        let tree = answer.tree.clone().filter(|_| acyclic || wanted.trees_lean_on_rules);
        let mut context = SolveAgain { driver, memory, held, at_least, holds: answer.holds };
        let strategy = Strategy::of_solution(
            game,
            root,
            answer.goal,
            answer.holds,
            tree.map(|tree| tree as Rc<dyn SolutionTree>),
            bytes_max,
            &mut context,
        )
        .map_err(|error| problem(error, driver))?;
        let part = Part::record(game, root, answer.claim(), &strategy);
        parts.push(part.expect("a strategy made from a solution shows its claim"));
    }
    Ok(Certificate::new(game, root, parts))
}

fn problem(error: StrategyError, driver: &Driver<'_>) -> String {
    match driver.stopped() {
        Some(StopReason::Interrupted) => "interrupted before it was put together".to_owned(),
        Some(reason) => format!("the limit of {reason} was reached while it was put together"),
        None => error.to_string(),
    }
}
