//! From a request to a report: which questions are asked, and what is kept of each answer.

use std::rc::Rc;

use quod_model::{
    Abilities, Game, Goal, GoalCursor, InputError, LeafNumbers, Notation, Relative, StopReason, Value,
    Verdict,
};
use quod_proof::Claim;
use quod_search::{Interval, Pn, Tree};

use crate::certify::certify;
use crate::drive::{Driver, Watch};
use crate::line::line;
use crate::report::{Report, Solution, Stop};
use crate::request::{Aim, Init, Plan, Request};

/// An answered question and what is left of the tree that answered it.
pub(crate) struct Answer {
    pub(crate) goal: Goal,
    pub(crate) holds: bool,
    pub(crate) tree: Option<Rc<Tree>>,
}

impl Answer {
    pub(crate) fn claim(&self) -> Claim {
        Claim::of(self.goal, self.holds)
    }

    fn bytes(&self) -> u64 {
        self.tree.as_ref().map_or(0, |tree| tree.bytes())
    }
}

/// Answers a request about a position.
///
/// # Errors
/// If the request cannot be carried out for this game.
///
/// ```
/// use quod_model::testkit::Graph;
/// use quod_solver::{Request, solve};
///
/// let game: Graph = "a max: b c\n b = 0\n c min: d e\n d = 2\n e = 1".parse().unwrap();
/// let solution = solve(&game, &0, &Request::default(), &mut ()).unwrap();
/// assert_eq!((solution.report.value, solution.report.line), (Some(1), vec!["c".into(), "e".into()]));
/// ```
pub fn solve<G: Notation>(
    game: &G,
    root: &G::Position,
    request: &Request,
    watch: &mut dyn Watch,
) -> Result<Solution, InputError> {
    let plan = request.plan(game.abilities().guess.is_some())?;
    let memory = request.memory()?;
    let leaf = leaf_numbers(game.abilities(), plan.init, || game.game_text())?;
    let claimant = game.to_move(root);
    let (lower, upper) = Value::range_seen_by(game.values(), claimant);
    let mut driver = Driver::new(request.limits, Interval { lower, upper }, watch);

    let mut lower: Option<Answer> = None;
    let mut upper: Option<Answer> = None;
    let mut verdict = Verdict::Proven;
    while let Some(at_least) = next_question(request.aim, driver.interval, &plan) {
        let goal = Goal::new(claimant, at_least);
        let held = lower.iter().chain(&upper).map(Answer::bytes).sum::<u64>();
        let cursor = GoalCursor::new(game, root.clone(), goal, leaf);
        let mut search = Pn::new(cursor, plan.pn, memory - held);
        verdict = driver.run(&mut search, at_least.0, held);
        let holds = match verdict {
            Verdict::Proven => true,
            Verdict::Disproven => false,
            Verdict::Unknown(_) => break,
        };
        driver.interval.answer(at_least, holds);
        let more = request.aim == Aim::Value && next_question(request.aim, driver.interval, &plan).is_some();
        let complete = !more && !plan.pn.deletes();
        let tree = keep(search.into_tree(), complete, memory - held, &mut driver).map(Rc::new);
        let answer = Some(Answer { goal, holds, tree });
        if holds {
            lower = answer;
        } else {
            upper = answer;
        }
        if request.aim != Aim::Value {
            break;
        }
    }

    let stopped = driver.stopped();
    driver.resume();
    let answers: Vec<&Answer> = lower.iter().chain(&upper).collect();
    let moves = line(game, root, lower.as_ref(), upper.as_ref());
    let (certificate, certificate_problem) = if request.certificate {
        match certify(game, root, &answers, memory, &mut driver) {
            Ok(certificate) => (Some(certificate), None),
            Err(problem) => (None, Some(problem)),
        }
    } else {
        (None, None)
    };
    let interval = driver.interval;
    let solved = match request.aim {
        Aim::Value => interval.lower == interval.upper,
        Aim::AtLeast(_) => !matches!(verdict, Verdict::Unknown(_)),
    };
    let value_text = match (solved, request.aim) {
        (true, Aim::Value) => game.value_text(interval.lower),
        (true, Aim::AtLeast(value)) => game.value_text(Relative(value)),
        (false, _) => String::new(),
    };
    let counters = driver.counters();
    let achieves = lower.is_some() || (request.aim == Aim::Value && solved);
    let report = Report {
        game: game.game_text(),
        position: game.position_text(root),
        to_move: game.player_name(claimant),
        goal: request.aim.to_string(),
        verdict: match verdict {
            Verdict::Disproven if request.aim != Aim::Value => "disproven",
            _ if solved => "proven",
            _ => "unknown",
        },
        value: (interval.lower == interval.upper).then_some(interval.lower.0),
        lower: interval.lower.0,
        upper: interval.upper.0,
        best_move: moves.first().filter(|_| achieves).cloned(),
        line: moves,
        algorithm: plan.name,
        why: plan.why,
        nodes: counters.nodes,
        expansions: counters.expansions,
        updates: counters.updates,
        peak_nodes: counters.peak_nodes,
        memory_bytes: counters.memory_bytes,
        seconds: driver.elapsed().as_secs_f64(),
        stop: match stopped.filter(|_| !solved) {
            None => Stop::Solved,
            Some(StopReason::Nodes) => Stop::Nodes,
            Some(StopReason::Time) => Stop::Time,
            Some(StopReason::Memory) => Stop::Memory,
            Some(StopReason::Interrupted) => Stop::Interrupted,
        },
        certificate: None,
    };
    Ok(Solution { report, value_text, certificate, certificate_problem, picture: game.draw(root) })
}

/// The next "at least v?", or nothing when the request is answered.
fn next_question(aim: Aim, interval: Interval, plan: &Plan) -> Option<Relative> {
    match aim {
        Aim::Value => interval.question(plan.many),
        Aim::AtLeast(value) => Some(Relative(value)),
    }
}

/// What is kept of a solved tree: a copy of its solution if that leaves most of the memory to what comes, else
/// all of it if nothing is missing and no search follows. What is not kept can be found again.
fn keep(tree: Tree, complete: bool, memory: u64, driver: &mut Driver<'_>) -> Option<Tree> {
    let room = memory.saturating_sub(tree.bytes()) / 2;
    let copy = tree.solution(room.max(memory / 16));
    driver.uses(tree.bytes() + copy.as_ref().map_or(0, Tree::bytes));
    copy.or_else(|| complete.then_some(tree))
}

fn leaf_numbers<G: Game>(
    abilities: Abilities<G>,
    init: Init,
    name: impl Fn() -> String,
) -> Result<LeafNumbers<G>, InputError> {
    match init {
        Init::One => Ok(LeafNumbers::One),
        Init::Mobility => Ok(LeafNumbers::Mobility),
        Init::Guess => abilities.guess.map(LeafNumbers::Guess).ok_or_else(|| {
            InputError::new("leaf numbers", "guess", format!("{} has no guess of its own", name()))
                .hint("one and mobility work for every game")
        }),
    }
}
