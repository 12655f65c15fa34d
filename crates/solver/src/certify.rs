//! From answers to a certificate.
//!
//! What a search has deleted is solved again where the strategy needs it, by the same search with memory of
//! its own. That was chosen over a log of solved facts: a log grows with everything ever solved, also with
//! what the proof does not need, and under a memory limit it competes with the search; solving again costs
//! only time (1.5 to 2.8 times the nodes in all, docs/measurements.md), and nothing when nothing was deleted.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};

use quod_model::{
    Citation, GoalCursor, Joining, LeafNumbers, Notation, Oracle, Relative, Repetition, StopReason, Value,
    Verdict,
};
use quod_proof::{Again, Certificate, Claim, Context, Part, Refusal, SolutionTree, Strategy, StrategyError};
use quod_search::{Deletion, GraphMethod, GraphOptions, Interval, PnOptions, Solved};

use crate::depth_first::DepthFirstMethod;
use crate::drive::Driver;
use crate::lines::{Lines, Playing};
use crate::plan::{Method, MinimaxMethod, ValueMethod};
use crate::run::Run;
use crate::solve::{Answer, staged};
use crate::table::Table;

/// A solution that says how many bytes it holds as long as it lives.
struct Held {
    tree: Rc<dyn Solved>,
    held: Rc<Cell<u64>>,
}

impl Held {
    fn new(tree: Rc<dyn Solved>, held: &Rc<Cell<u64>>) -> Self {
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

struct SolveAgain<'a, 'w, G: Notation> {
    driver: &'a mut Driver<'w>,
    /// The table of a depth-first search, which is asked first.
    table: Option<&'a dyn Table<G>>,
    /// Bytes for searches and for the trees that are kept.
    memory: u64,
    held: Rc<Cell<u64>>,
    at_least: i32,
    holds: bool,
    /// How parts are solved again.
    method: Method,
}

/// The search that solves parts again, with switches of its own. Where positions can come again it deletes nothing: its
/// parts must fit together.
fn again(method: Method, acyclic: bool) -> Method {
    let tree = PnOptions { delete_solved: Deletion::WhenFull, ..PnOptions::default() };
    match method {
        Method::Tree(_) => Method::Tree(tree),
        Method::Value(_) | Method::Minimax(_) if !method.joins_values() => Method::Tree(tree),
        Method::TwoLevel(_, second_level) => Method::TwoLevel(tree, second_level),
        Method::Value(ValueMethod { symmetric, .. }) | Method::Minimax(MinimaxMethod { symmetric, .. }) => {
            let options = GraphOptions {
                drop_solved: acyclic,
                fold_back: acyclic,
                ..GraphOptions::new(GraphMethod::Dag)
            };
            Method::Graph { options, joining: Joining::Converted, symmetric, staged: false }
        }
        Method::DepthFirst(DepthFirstMethod { symmetric, .. }) | Method::Bounds { symmetric } => {
            Method::Graph {
                options: GraphOptions::new(GraphMethod::Sound),
                joining: Joining::Everything,
                symmetric,
                staged: false,
            }
        }
        Method::Graph { options, joining, symmetric, staged } => {
            let complete = match options.method {
                GraphMethod::Dcg => GraphMethod::Sound,
                other => other,
            };
            let options =
                GraphOptions { drop_solved: acyclic, fold_back: acyclic, ..GraphOptions::new(complete) };
            Method::Graph { options, joining, symmetric, staged }
        }
    }
}

impl<G: Notation> Context<G> for SolveAgain<'_, '_, G> {
    fn solve_again(&mut self, cursor: &mut GoalCursor<'_, G>) -> Again {
        if let Some(table) = self.table {
            // Searches count the table themselves.
            let held = self.held.get().saturating_sub(table.bytes());
            return table.winning_move(cursor.position(), cursor.goal(), self.holds, held, self.driver);
        }
        if let Method::Graph { joining, .. } = self.method {
            cursor.join_from_here(joining);
        }
        let solved = self.solve_part(cursor);
        cursor.join_from_here(Joining::Nothing);
        solved
    }

    fn goes_on(&mut self, positions: u64, bytes: u64) -> bool {
        self.driver.certifies(positions, self.at_least, self.held.get() + bytes)
    }
}

impl<G: Notation> SolveAgain<'_, '_, G> {
    fn solve_part(&mut self, cursor: &mut GoalCursor<'_, G>) -> Again {
        let held = self.held.get();
        // The search and the copy of its solution share what is left.
        let room = self.memory.saturating_sub(held).max(self.memory / 20);
        let mut run = Run::new(staged(cursor, self.method), self.method, room / 4 * 3);
        let verdict = self.driver.run(run.search(), Interval::of_question(Relative(self.at_least)), held);
        match verdict {
            Verdict::Unknown(_) => Again::Stopped,
            _ if (verdict == Verdict::Proven) != self.holds => Again::Apart,
            // A copy of the solution is all that is needed; where even that is too large, its first move is.
            _ => match run.keep(false, room / 4, self.driver) {
                None => Again::Stopped,
                Some(kept) => {
                    self.driver.uses(held + kept.bytes());
                    Again::Solved(Rc::new(Held::new(kept, &self.held)))
                }
            },
        }
    }
}

/// What a certificate is to show.
pub(crate) struct Wanted<'a, G: Notation> {
    /// Claims, each with the answer that shows it and what is left of its tree, or with nothing where the rules show it at
    /// the root.
    pub(crate) claims: &'a [(Claim, Option<&'a Answer>)],
    /// What was known from outside.
    pub(crate) oracle: Option<&'a dyn Oracle<G>>,
    /// Whether the trees used nothing but rules and path.
    pub(crate) trees_lean_on_rules: bool,
    /// The search that found them.
    pub(crate) method: Method,
    /// Its table, if it went depth first.
    pub(crate) table: Option<&'a dyn Table<G>>,
}

/// An oracle that remembers whether it knew something.
struct Asked<'a, G: Notation> {
    oracle: &'a dyn Oracle<G>,
    knew: AtomicBool,
}

impl<G: Notation> Oracle<G> for Asked<'_, G> {
    fn value(&self, game: &G, position: &G::Position) -> Option<Value> {
        let value = self.oracle.value(game, position);
        self.knew.fetch_or(value.is_some(), Ordering::Relaxed);
        value
    }

    fn cite(&self) -> Citation {
        self.oracle.cite()
    }
}

/// Makes the certificate of one or two answers about `root`.
pub(crate) fn certify<G: Notation>(
    game: &G,
    root: &G::Position,
    wanted: &Wanted<'_, G>,
    memory: u64,
    driver: &mut Driver<'_>,
) -> Result<Certificate, String> {
    if wanted.claims.is_empty() {
        return Err("nothing was proven".to_owned());
    }
    let mut parts = Vec::new();
    let acyclic = matches!(game.repetition(), Repetition::Impossible);
    let answers = wanted.claims.iter().filter_map(|(_, answer)| *answer);
    let trees: u64 = answers.map(Answer::bytes).sum();
    let kept = trees + wanted.table.map_or(0, Table::bytes);
    let asked = wanted.oracle.map(|oracle| Asked { oracle, knew: AtomicBool::new(false) });
    for (claim, answer) in wanted.claims {
        let Some(answer) = answer else {
            parts.push(Part::of_range(*claim));
            continue;
        };
        if let Some(table) = wanted.table
            && let Some(lines) = table.threats(answer.goal, answer.holds)
        {
            let part = play_out(game, root, (*claim, answer), lines, table, (kept, memory), driver)?;
            return Ok(Certificate::played(game, root, vec![part]));
        }
        let held = Rc::new(Cell::new(kept));
        let at_least = answer.goal.at_least.0;
        // A full tree leaves nothing: a tenth more is then allowed, half for the strategy, half for searches.
        let bytes_max = (memory.saturating_sub(kept) / 2).max(memory / 20);
        // Where positions can come again, what a judge has said does not fit into paths.
        let fits = acyclic || wanted.trees_lean_on_rules;
        let tree = answer.tree.clone().filter(|_| fits);
        let table = wanted.table.filter(|_| fits);
        let method = again(wanted.method, acyclic);
        let mut strategy_from = |tree: Option<Rc<dyn Solved>>, table| {
            // Small leaf numbers serve the searches that solve a part again. Those of stages are the game's own.
            let guess = game.abilities().guess.filter(|_| wanted.method.staged());
            let leaf = guess.map_or(LeafNumbers::Mobility, LeafNumbers::Guess);
            let cursor = GoalCursor::new(game, root.clone(), answer.goal, leaf)
                .with_oracle(wanted.oracle)
                .joining(Joining::Nothing, answer.symmetric);
            let held = Rc::clone(&held);
            let mut context =
                SolveAgain { driver, table, memory, held, at_least, holds: answer.holds, method };
            let tree = tree.map(|tree| tree as Rc<dyn SolutionTree>);
            Strategy::of_solution(cursor, answer.holds, tree, bytes_max, &mut context)
        };
        let strategy = match strategy_from(tree, table) {
            // A search that has forgotten solutions where positions can come again: begin once more, forgetting nothing.
            Err(StrategyError::Apart) => strategy_from(None, None),
            other => other,
        }
        .map_err(|error| problem(error, driver))?;
        let oracle = asked.as_ref().map(|asked| asked as &dyn Oracle<G>);
        let mut progress = |positions| driver.certifies(positions, at_least, held.get());
        match Part::record(game, root, *claim, &strategy, oracle, &mut progress) {
            Err(Refusal::Interrupted) => return Err(problem(StrategyError::Stopped, driver)),
            part => parts.push(part.expect("a strategy made from a solution shows its claim")),
        }
    }
    // What leans on rules alone cites nothing, and can be checked by anybody.
    let cites = asked.filter(|asked| asked.knew.load(Ordering::Relaxed)).map(|asked| asked.cite());
    Ok(Certificate::new(game, root, cites, parts))
}

/// Writes a win by threats down as it is played. It is the only part: nobody gets more than a win.
fn play_out<G: Notation>(
    game: &G,
    root: &G::Position,
    (claim, answer): (Claim, &Answer),
    lines: Lines<G>,
    table: &dyn Table<G>,
    (held, memory): (u64, u64),
    driver: &mut Driver<'_>,
) -> Result<Part, String> {
    let mut playing = Playing {
        lines,
        table,
        goal: answer.goal,
        holds: answer.holds,
        driver,
        held: 0,
        bytes_max: memory.max(held) - held + memory / 20,
        recent: Vec::new(),
        apart: false,
    };
    let played = Part::play(game, root, claim, &mut playing);
    match played {
        Ok(part) => Ok(part),
        Err(Refusal::Interrupted) if playing.apart => Err(StrategyError::Apart.to_string()),
        Err(Refusal::Interrupted) => Err(problem(StrategyError::Memory, playing.driver)),
        Err(refusal) => panic!("moves that win do not show it: {refusal}"),
    }
}

fn problem(error: StrategyError, driver: &Driver<'_>) -> String {
    match driver.stopped() {
        Some(StopReason::Interrupted) => "interrupted before it was put together".to_owned(),
        Some(reason) => format!("the limit of {reason} was reached while it was put together"),
        None => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quod_model::testkit::Graph;
    use quod_model::{Game, Goal, Player};
    use quod_proof::check_bytes;

    /// A solution as a search could leave it that has forgotten why b is won: a moves to b, and b only has a.
    struct Circle;

    impl SolutionTree for Circle {
        fn root(&self) -> u32 {
            0
        }
        fn winning_child(&self, node: u32) -> Option<(u32, u32)> {
            (node == 0).then_some((0, 1))
        }
        fn child(&self, node: u32, code: u32) -> Option<u32> {
            (node == 0 && code == 0).then_some(1)
        }
    }

    impl Solved for Circle {
        fn is_or(&self, _: u32) -> bool {
            true
        }
        fn bytes(&self) -> u64 {
            0
        }
        fn longest_line(&self) -> Vec<u32> {
            Vec::new()
        }
    }

    #[test]
    fn parts_that_do_not_fit_together_are_solved_again_as_a_whole() {
        let game: Graph = "endless -1\na max: b c\nb max: a\nc min: d\nd = 1".parse().expect("a graph");
        let (root, goal) = (game.start(), Goal::new(Player::First, Relative(1)));
        let answer = Answer { goal, holds: true, tree: Some(Rc::new(Circle)), symmetric: false };
        let options = GraphOptions::new(GraphMethod::Sound);
        let wanted = Wanted {
            claims: &[(answer.claim(), Some(&answer))],
            oracle: None,
            trees_lean_on_rules: true,
            method: Method::Graph { options, joining: Joining::Everything, symmetric: false, staged: false },
            table: None,
        };
        let interval = Interval { lower: Relative(-1), upper: Relative(1) };
        let watch = &mut ();
        let mut driver = Driver::new(crate::Limits::default(), interval, watch);
        let certificate = certify(&game, &root, &wanted, 1 << 20, &mut driver).expect("a certificate");
        check_bytes(&game, &certificate.encode()).expect("it is accepted");
    }
}
