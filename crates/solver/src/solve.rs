//! From a request to a report: which questions are asked, and what is kept of each answer.

use std::rc::Rc;

use quod_model::{
    Abilities, Evaluation, Game, Goal, GoalCursor, InputError, LeafNumbers, Notation, Relative, Repetition,
    StopReason, Value, ValueCursor, Verdict,
};
use quod_proof::{Claim, Relation};
use quod_search::{Interval, Many, Series, Solved};

use crate::bounds::BoundsSearch;
use crate::certify::{Wanted, certify};
use crate::depth_first::TableSearch;
use crate::drive::{Driver, Watch};
use crate::line::{line, real_move};
use crate::report::{Report, Solution, Stop};
use crate::request::{Aim, Init, Method, Nature, Plan, Request};
use crate::run::{Run, ValueRun};
use crate::table::Table;

/// An answered question and what is left of the search that answered it.
pub(crate) struct Answer {
    pub(crate) goal: Goal,
    pub(crate) holds: bool,
    pub(crate) tree: Option<Rc<dyn Solved>>,
    /// Whether its moves are those of canonical positions.
    pub(crate) symmetric: bool,
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
    let abilities = game.abilities();
    let repeats = matches!(game.repetition(), Repetition::Worth(_));
    let (guesses, converts) = (abilities.guess.is_some(), abilities.converts.is_some());
    let outcomes = i64::from(game.values().1.0) - i64::from(game.values().0.0) + 1;
    let judge = abilities.decide.map(|_| match abilities.decides_quickly {
        true => Evaluation::Judged,
        false => Evaluation::Delayed,
    });
    let foresees = abilities.foresee.is_some();
    let plan = request.plan(Nature { guesses, repeats, converts, judge, foresees, outcomes })?;
    let memory = match plan.method {
        // A table of another size forgets other things: counts would change with what happens to be free.
        Method::DepthFirst(_) | Method::Bounds { .. } if request.limits.memory.is_none() => {
            1 << request.memory().ilog2()
        }
        _ => request.memory(),
    };
    let leaf = leaf_numbers(abilities, plan.init, || game.game_text())?;
    let claimant = game.to_move(root);
    let range = Value::range_seen_by(game.values(), claimant);
    let mut driver = Driver::new(request.limits, Interval { lower: range.0, upper: range.1 }, watch);

    let whole = driver.interval;
    // A strategy needs room too.
    let table_bytes = if request.certificate { memory / 4 * 3 } else { memory };
    let (depth_first, bounds);
    let mut table: Option<&dyn Table<G>> = None;
    let (lower, upper) = match plan.method {
        Method::DepthFirst(method) => {
            depth_first = TableSearch::within(game, method, leaf, whole, table_bytes);
            table = Some(&depth_first);
            search_table(game, root, request.aim, plan.many, &depth_first, &mut driver)
        }
        Method::Bounds { symmetric } => {
            bounds = BoundsSearch::new(game, symmetric, table_bytes);
            table = Some(&bounds);
            bounds.answer(root, request.aim, &mut driver)
        }
        Method::Value(_) | Method::Minimax(_) => {
            search_value(game, root, request.aim, leaf, plan.method, memory, &mut driver)
        }
        Method::Tree(_) | Method::TwoLevel(..) | Method::Graph { .. } => {
            search_questions(game, root, request.aim, leaf, &plan, memory, &mut driver)
        }
    };

    let interval = driver.interval;
    let verdict = verdict(request.aim, interval);
    let solved = verdict != "unknown";
    let stopped = driver.stopped();
    driver.resume();
    let line = match table {
        None => line(game, root, lower.as_ref(), upper.as_ref()),
        Some(table) => {
            let tree = lower.as_ref().and_then(|answer| answer.tree.as_ref());
            let first = tree.and_then(|tree| tree.winning_child(tree.root())).map(|(code, _)| code);
            table.line(root, interval, whole, first)
        }
    };
    let achieved = lower.is_some() || (solved && verdict == "proven");
    let best_move = achieved.then(|| best_move(game, root, lower.as_ref(), &line)).flatten();
    let (certificate, certificate_problem) = if request.certificate {
        let trees_lean_on_rules =
            plan.method.evaluation() == Evaluation::Immediate || abilities.decide.is_none();
        let answers: Vec<&Answer> = lower.iter().chain(&upper).collect();
        let wanted = Wanted {
            answers: &answers,
            trivial: trivial_claim(request.aim, interval, solved),
            trees_lean_on_rules,
            method: plan.method,
            table,
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
        peak_edges: counters.peak_edges,
        graph_bytes: counters.graph_bytes,
        deepened_nodes: counters.deepened_nodes,
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

/// What is left of the searches that showed a lower and an upper bound.
type Bounds = (Option<Answer>, Option<Answer>);

/// One search after the other, each for one question.
fn search_questions<G: Notation>(
    game: &G,
    root: &G::Position,
    aim: Aim,
    leaf: LeafNumbers<G>,
    plan: &Plan,
    memory: u64,
    driver: &mut Driver<'_>,
) -> Bounds {
    let mut lower: Option<Answer> = None;
    let mut upper: Option<Answer> = None;
    while let Some(at_least) = next_question(aim, driver.interval, plan.many) {
        let goal = Goal::new(game.to_move(root), at_least);
        let held = lower.iter().chain(&upper).map(Answer::bytes).sum::<u64>();
        let mut cursor = GoalCursor::new(game, root.clone(), goal, leaf);
        if let Method::Graph { joining, symmetric, .. } = plan.method {
            cursor = cursor.joining(joining, symmetric);
        }
        let mut run = Run::new(cursor, plan.method, memory.saturating_sub(held));
        let holds = match driver.run(run.search(), Interval::of_question(at_least), held) {
            Verdict::Proven => true,
            Verdict::Disproven => false,
            Verdict::Unknown(_) => break,
        };
        driver.interval.answer(at_least, holds);
        let last = next_question(aim, driver.interval, plan.many).is_none();
        let whole = last && !plan.method.deletes();
        let free = memory.saturating_sub(held);
        // Most of the memory is left to what comes.
        let room = (free.saturating_sub(run.bytes()) / 2).max(free / 16);
        let tree = run.keep(whole, room, driver);
        let answer = Some(Answer { goal, holds, tree, symmetric: plan.method.symmetric() });
        if holds {
            lower = answer;
        } else {
            upper = answer;
        }
    }
    (lower, upper)
}

/// One search after the other on one table.
pub(crate) fn search_table<G: Notation>(
    game: &G,
    root: &G::Position,
    aim: Aim,
    many: Many,
    table: &TableSearch<'_, G>,
    driver: &mut Driver<'_>,
) -> Bounds {
    let (mut lower, mut upper) = (None, None);
    let claimant = game.to_move(root);
    let mut series = Series::new(many);
    if many == Many::Guess && aim == Aim::Value {
        let interval = driver.interval;
        let looks = |at_least| table.looks(root, Goal::new(claimant, at_least), driver);
        series = Series::around(interval.guess(looks));
    }
    loop {
        let at_least = match aim {
            Aim::Value => series.next(driver.interval),
            Aim::AtLeast(_) => next_question(aim, driver.interval, many),
        };
        let Some(at_least) = at_least else { break };
        let goal = Goal::new(claimant, at_least);
        let (verdict, tree) = table.search(root, goal, 0, driver);
        let holds = match verdict {
            Verdict::Proven => true,
            Verdict::Disproven => false,
            Verdict::Unknown(_) => break,
        };
        driver.interval.answer(at_least, holds);
        let answer = Some(Answer { goal, holds, tree, symmetric: table.is_symmetric() });
        if holds {
            lower = answer;
        } else {
            upper = answer;
        }
    }
    (lower, upper)
}

/// One search for all that is asked.
fn search_value<G: Notation>(
    game: &G,
    root: &G::Position,
    aim: Aim,
    leaf: LeafNumbers<G>,
    method: Method,
    memory: u64,
    driver: &mut Driver<'_>,
) -> Bounds {
    let known = driver.interval;
    let asked = match aim {
        Aim::Value => known,
        Aim::AtLeast(value) => Interval::of_question(Relative(value)),
    };
    if verdict(aim, known) != "unknown" {
        return (None, None);
    }
    let symmetric = method.symmetric();
    let mut cursor = ValueCursor::new(game, root.clone(), leaf);
    if method.joins_values() {
        cursor = cursor.joining_converted(symmetric);
    }
    let mut run = ValueRun::new(cursor, asked, method, memory);
    driver.run(run.search(), asked, 0);
    let Interval { lower, upper } = driver.interval;
    let answer = |at_least: Relative, holds: bool, shown: Option<Rc<dyn Solved>>| {
        shown.map(|shown| Answer {
            goal: Goal::new(game.to_move(root), at_least),
            holds,
            tree: Some(shown),
            symmetric,
        })
    };
    let searched = run.search().counters().memory_bytes;
    let (below, above) = run.into_solutions();
    if let Method::Minimax(_) = method {
        // Solutions are copies, made while the tree is there.
        let copied: u64 = below.iter().chain(&above).map(|solution| solution.bytes()).sum();
        driver.uses(searched + copied);
    }
    (answer(lower, true, below), answer(upper.above(), false, above))
}

/// The next "at least v?", or nothing when the request is answered.
fn next_question(aim: Aim, interval: Interval, many: Many) -> Option<Relative> {
    match aim {
        Aim::Value => interval.question(many),
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
        let symmetric = lower.is_some_and(|answer| answer.symmetric);
        return Some(game.move_text(root, real_move(game, root, code, symmetric)));
    }
    let mut moves = Vec::new();
    game.moves(root, &mut moves);
    line.first().cloned().or_else(|| Some(game.move_text(root, *moves.first()?)))
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
