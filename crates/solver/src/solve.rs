//! From a request to a report: which questions are asked, and what is kept of each answer.

use std::rc::Rc;

use quod_model::{
    Abilities, Evaluation, Game, Goal, GoalCursor, InputError, LeafNumbers, Move, Notation, Relative,
    StopReason, Value, Verdict,
};
use quod_proof::{Claim, Relation, SolutionTree};
use quod_search::{Interval, Pn, Tree};

use crate::certify::{Wanted, certify};
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
    let memory = request.memory();
    let leaf = leaf_numbers(game.abilities(), plan.init, || game.game_text())?;
    let claimant = game.to_move(root);
    let range = Value::range_seen_by(game.values(), claimant);
    let mut driver = Driver::new(request.limits, Interval { lower: range.0, upper: range.1 }, watch);

    let mut lower: Option<Answer> = None;
    let mut upper: Option<Answer> = None;
    while let Some(at_least) = next_question(request.aim, driver.interval, &plan) {
        let goal = Goal::new(claimant, at_least);
        let held = lower.iter().chain(&upper).map(Answer::bytes).sum::<u64>();
        let cursor = GoalCursor::new(game, root.clone(), goal, leaf);
        let mut search = Pn::new(cursor, plan.pn, memory.saturating_sub(held));
        let holds = match driver.run(&mut search, at_least.0, held) {
            Verdict::Proven => true,
            Verdict::Disproven => false,
            Verdict::Unknown(_) => break,
        };
        driver.interval.answer(at_least, holds);
        let last = next_question(request.aim, driver.interval, &plan).is_none();
        let whole = last && !plan.pn.deletes();
        let tree = keep(search.into_tree(), whole, memory.saturating_sub(held), &mut driver).map(Rc::new);
        let answer = Some(Answer { goal, holds, tree });
        if holds {
            lower = answer;
        } else {
            upper = answer;
        }
    }

    let interval = driver.interval;
    let verdict = verdict(request.aim, interval);
    let solved = verdict != "unknown";
    let stopped = driver.stopped();
    driver.resume();
    let line = line(game, root, lower.as_ref(), upper.as_ref());
    let achieved = lower.is_some() || (solved && verdict == "proven");
    let best_move = achieved.then(|| best_move(game, root, lower.as_ref(), &line)).flatten();
    let (certificate, certificate_problem) = if request.certificate {
        let trees_lean_on_rules =
            plan.pn.evaluation == Evaluation::Immediate || game.abilities().decide.is_none();
        let answers: Vec<&Answer> = lower.iter().chain(&upper).collect();
        let wanted = Wanted {
            answers: &answers,
            trivial: trivial_claim(request.aim, interval, solved),
            trees_lean_on_rules,
        };
        match certify(game, root, &wanted, memory, &mut driver) {
            Ok(certificate) => (Some(certificate), None),
            Err(problem) => (None, Some(problem)),
        }
    } else {
        (None, None)
    };
    let value_text = match request.aim {
        _ if !solved => String::new(),
        Aim::Value => game.value_text(interval.lower),
        Aim::AtLeast(value) => game.value_text(Relative(value)),
    };
    let counters = driver.counters();
    let report = Report {
        game: game.game_text(),
        position: game.position_text(root),
        to_move: game.player_name(claimant),
        goal: request.aim.to_string(),
        verdict,
        value: (interval.lower == interval.upper).then_some(interval.lower.0),
        lower: interval.lower.0,
        upper: interval.upper.0,
        best_move,
        line,
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
            Some(StopReason::Repetition) => Stop::Repetition,
        },
        certificate: None,
    };
    Ok(Solution { report, value_text, certificate, certificate_problem, picture: game.draw(root) })
}

/// The next "at least v?", or nothing when the request is answered.
fn next_question(aim: Aim, interval: Interval, plan: &Plan) -> Option<Relative> {
    match aim {
        Aim::Value => interval.question(plan.many),
        Aim::AtLeast(value) => {
            let open = interval.lower.0 < value && value <= interval.upper.0;
            open.then_some(Relative(value))
        }
    }
}

/// What the proven bounds say of the request.
fn verdict(aim: Aim, interval: Interval) -> &'static str {
    match aim {
        Aim::Value if interval.lower == interval.upper => "proven",
        Aim::AtLeast(value) if value <= interval.lower.0 => "proven",
        Aim::AtLeast(value) if value > interval.upper.0 => "disproven",
        _ => "unknown",
    }
}

/// What is claimed when the range of values has answered the request without a search.
fn trivial_claim(aim: Aim, interval: Interval, solved: bool) -> Option<Claim> {
    let (relation, value) = match aim {
        _ if !solved => return None,
        Aim::Value => (Relation::AtLeast, interval.lower),
        Aim::AtLeast(value) if value <= interval.lower.0 => (Relation::AtLeast, Relative(value)),
        Aim::AtLeast(value) => (Relation::AtMost, Relative(value).below()),
    };
    Some(Claim { relation, value })
}

/// A move that keeps the proven lower bound. Where the rules alone give that bound, every move does.
fn best_move<G: Notation>(
    game: &G,
    root: &G::Position,
    lower: Option<&Answer>,
    line: &[String],
) -> Option<String> {
    if game.outcome(root).is_some() {
        return None;
    }
    let tree = lower.and_then(|answer| answer.tree.as_ref());
    if let Some((code, _)) = tree.and_then(|tree| tree.winning_child(tree.root())) {
        return Some(game.move_text(root, G::Move::from_code(code)));
    }
    let mut moves = Vec::new();
    game.moves(root, &mut moves);
    line.first().cloned().or_else(|| Some(game.move_text(root, *moves.first()?)))
}

/// What is kept of a solved tree: a copy of its solution if that leaves most of the memory to what comes; else all of
/// it if nothing is missing and no search follows; else the root with its children, for the sake of the best move.
/// What is not kept can be found again.
fn keep(tree: Tree, whole: bool, memory: u64, driver: &mut Driver<'_>) -> Option<Tree> {
    let room = memory.saturating_sub(tree.bytes()) / 2;
    let copy = tree.solution(room.max(memory / 16));
    driver.uses(tree.bytes() + copy.as_ref().map_or(0, Tree::bytes));
    match copy {
        None if whole => Some(tree),
        None => tree.first_move(),
        copy => copy,
    }
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
