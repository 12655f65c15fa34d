//! From a request to a report: which questions are asked, and what is kept of each answer.

use std::borrow::BorrowMut;
use std::cell::Cell;
use std::path::Path;
use std::rc::Rc;

use quod_checkpoint::{Failure, Folder};
use quod_model::{
    Abilities, AndOr, Evaluation, Game, Goal, GoalCursor, InputError, LeafNumbers, Minimax, Notation, Oracle,
    Player, Relative, Repetition, StagedCursor, StopReason, Value, ValueCursor, Verdict,
};
use quod_proof::{Claim, Relation};
use quod_search::{Interval, Many, Series, Solved};

use crate::bounds::BoundsSearch;
use crate::certify::{Wanted, certify};
use crate::depth_first::TableSearch;
use crate::drive::{Driver, Watch};
use crate::goal::goal_text;
use crate::keep::{Keeper, Keeping, Stage, wrong};
use crate::length::{Length, Lengths, Plies};
use crate::line::{known_line, line, real_move};
use crate::longest::{self, Unit, Won};
use crate::opening::{is_opening, prove};
use crate::plan::{Method, Nature, Plan};
use crate::published::{Counted, search_published};
use crate::report::{LeansOn, Report, Solution, Stop};
use crate::request::{Aim, Algorithm, Init, Request, Switches};
use crate::run::{Run, ValueRun};
use crate::table::Table;

/// An answered question and what is left of the search that answered it.
#[derive(Clone)]
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

    pub(crate) fn bytes(&self) -> u64 {
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
    solve_leaning(game, root, request, None, watch)
}

/// The same with exact values from outside, if there are any. Certificates cite them.
///
/// # Errors
/// If the request cannot be carried out for this game.
pub fn solve_leaning<G: Notation>(
    game: &G,
    root: &G::Position,
    request: &Request,
    oracle: Option<&dyn Oracle<G>>,
    watch: &mut dyn Watch,
) -> Result<Solution, InputError> {
    solve_within(game, root, request, oracle, None, None, watch)
}

/// The same with checkpoints.
///
/// # Errors
/// If the request cannot be carried out for this game, or checkpoints cannot be kept or used.
pub fn solve_keeping<G: Notation>(
    game: &G,
    root: &G::Position,
    request: &Request,
    oracle: Option<&dyn Oracle<G>>,
    keeping: &Keeping,
    watch: &mut dyn Watch,
) -> Result<Solution, InputError> {
    if !is_opening(game, root) || !asks_who_wins(game.values(), request) {
        return solve_within(game, root, request, oracle, None, Some(keeping), watch);
    }
    if let Some(solution) = prove(game, root, request, keeping, watch)? {
        return Ok(solution);
    }
    // It goes on with another search, which may not have begun.
    let has_begun = || Folder::open(&keeping.folder).and_then(|mut folder| folder.newest()).is_ok();
    let keeping = Keeping { resume: keeping.resume && has_begun(), ..keeping.clone() };
    solve_within(game, root, request, oracle, None, Some(&keeping), watch)
}

/// Whether a win answers a question, and all that was said with it fits a proof in pieces.
fn asks_who_wins((lowest, highest): (Value, Value), request: &Request) -> bool {
    let is_open = match request.aim {
        Aim::Value => true,
        Aim::AtLeast(value) => lowest.0 < value && value <= highest.0,
    };
    let is_plain = request.length == Length::Any && request.switches == Switches::default();
    request.algorithm == Algorithm::Auto && is_open && is_plain
}

/// The same where the caller knows that the value lies within bounds, which no certificate can show: only what they leave open
/// is asked. A best move is one that gets more than they say.
pub(crate) fn solve_within<G: Notation>(
    game: &G,
    root: &G::Position,
    request: &Request,
    oracle: Option<&dyn Oracle<G>>,
    known: Option<Interval>,
    keeping: Option<&Keeping>,
    watch: &mut dyn Watch,
) -> Result<Solution, InputError> {
    debug_assert!(known.is_none() || !request.certificate);
    let abilities = game.abilities();
    let repeats = matches!(game.repetition(), Repetition::Worth(_));
    let (guesses, converts) = (abilities.guess.is_some(), abilities.converts.is_some());
    let outcomes = i64::from(game.values().1.0) - i64::from(game.values().0.0) + 1;
    let judge = abilities.decide.map(|_| match abilities.decides_quickly {
        true => Evaluation::Judged,
        false => Evaluation::Delayed,
    });
    // Of a search from bound to bound no checkpoints are written: another one is chosen then.
    let foresees = abilities.foresee.is_some() && keeping.is_none();
    let published = abilities.published;
    let plan = request.plan(Nature {
        guesses,
        stages: abilities.stages.is_some(),
        threats: abilities.threats.is_some(),
        repeats,
        converts,
        judge,
        foresees,
        outcomes,
        experiment: published.map(|published| published.experiment),
    })?;
    check_length(request, abilities.wins_by_own_move, oracle.is_some(), plan.published)?;
    // Going from bound to bound asks the game alone.
    let oracle = oracle.filter(|_| !matches!(plan.method, Method::Bounds { .. }));
    let kept = keeping.map(|keeping| {
        check_keeping(request, &plan)?;
        let leans = oracle.map(|oracle| oracle.cite().hexadecimal()).unwrap_or_default();
        let (place, method) = (game.position_text(root), plan.method.identity());
        let identity = format!(
            "{}\n{place}\nrules {} {:?} {:?} {:?} {method} {leans}",
            game.game_text(),
            game.rules_version(),
            request.aim,
            plan.init,
            plan.many
        );
        Keeper::open(keeping, identity)
    });
    let (keeper, resumption) = kept.transpose()?.unzip();
    let resumption = resumption.flatten();
    let memory = match plan.method {
        // It goes on as it began.
        _ if let (None, Some(resumption)) = (request.limits.memory, &resumption) => resumption.memory,
        // A table of another size forgets other things: counts would change with what happens to be free.
        Method::DepthFirst(_) | Method::Bounds { .. } if request.limits.memory.is_none() => {
            1 << request.memory().ilog2()
        }
        _ => request.memory(),
    };
    let leaf = leaf_numbers(abilities, plan.init, || game.game_text())?;
    let claimant = game.to_move(root);
    let seen = |(lower, upper)| Value::range_seen_by((lower, upper), claimant);
    let range = seen(game.values());
    let (lower, upper) = abilities.bounds.map_or(range, |bounds| seen(bounds(game, root)));
    let whole = Interval { lower: lower.max(range.0), upper: upper.min(range.1) };
    let known = known.map_or(whole, |known| known.within(whole));
    let mut driver = Driver::new(request.limits, known, watch);
    let shared_bytes = resumption.as_ref().and_then(|resumption| resumption.table_bytes);
    if let Some(keeper) = keeper {
        driver.keep(keeper.with_memory(memory), resumption);
    }
    let unusable = |failure: &Failure| {
        let folder = keeping.map_or(Path::new(""), |keeping| &*keeping.folder);
        wrong(folder, failure)
    };
    if let Some(bytes) = shared_bytes.filter(|bytes| *bytes > memory) {
        let why = format!("its table takes {bytes} bytes, and the limit of memory is {memory}");
        return Err(unusable(&Failure::unfit(why)));
    }
    let stage = driver
        .resumed(|from| Stage::read(plan.method, claimant, memory, Series::new(plan.many), from))
        .map_err(|failure| unusable(&failure))?;
    // A strategy needs room too.
    let table_bytes =
        if request.certificate || plan.method.looks_for_threats() { memory / 4 * 3 } else { memory };
    let (depth_first, bounds);
    let mut table: Option<&dyn Table<G>> = None;
    let published = published.filter(|_| plan.published);
    let lengths = |at_least| {
        let leaf = abilities.guess.map_or(LeafNumbers::Mobility, LeafNumbers::Guess);
        Lengths { game, root, goal: Goal::new(claimant, at_least), leaf, memory }
    };
    let mut length = None;
    let (lower, upper) = match plan.method {
        _ if let (Length::Within(plies), Aim::AtLeast(value)) = (request.length, request.aim) => {
            let (verdict, way) = lengths(Relative(value)).ask(Some(plies), 0, &mut driver);
            if verdict == Verdict::Proven {
                driver.interval.answer(Relative(value), true);
                let at_most = way.as_ref().map_or(plies, |way| way.plies);
                length = Some(Plies { at_least: 1, at_most: Some(at_most) });
            } else if verdict == Verdict::Disproven {
                length = Some(Plies { at_least: plies + 1, at_most: None });
            }
            (way.map(|way| way.answer), None)
        }
        Method::Tree(_) | Method::Graph { .. } if let Some(published) = published => {
            let beside = Cell::new(0);
            let search = |goal| {
                beside.set(0);
                let cursor = (published.goal)(game, root.clone(), goal, oracle, &beside);
                Counted::new(Run::new(cursor, plan.method, memory), &beside)
            };
            search_published(search, claimant, request.aim, plan.many, &mut driver);
            (None, None)
        }
        Method::DepthFirst(method) => {
            let search = TableSearch::within(game, method, leaf, whole, table_bytes, shared_bytes);
            depth_first = search.with_oracle(oracle);
            driver.shares_table(depth_first.table_bytes());
            table = Some(&depth_first);
            search_table(game, root, request.aim, plan.many, &depth_first, stage, &mut driver)
        }
        Method::Bounds { symmetric } => {
            bounds = BoundsSearch::new(game, symmetric, table_bytes);
            table = Some(&bounds);
            bounds.answer(root, request.aim, &mut driver)
        }
        Method::Value(_) | Method::Minimax(_) => {
            let cursor: Box<dyn Minimax + '_> = match published.and_then(|published| published.value) {
                Some(published) => published(game, root.clone(), oracle),
                None => {
                    let cursor = ValueCursor::new(game, root.clone(), leaf).with_oracle(oracle);
                    let symmetric = plan.method.symmetric();
                    Box::new(if plan.method.joins_values() {
                        cursor.joining_converted(symmetric)
                    } else {
                        cursor
                    })
                }
            };
            search_value(claimant, request.aim, cursor, plan.method, memory, stage, &mut driver)
        }
        Method::Tree(_) | Method::TwoLevel(..) | Method::Graph { .. } => {
            let cursor = |goal| GoalCursor::new(game, root.clone(), goal, leaf).with_oracle(oracle);
            search_questions(cursor, game.to_move(root), request.aim, &plan, memory, stage, &mut driver)
        }
    };
    if let Some(failure) = driver.failure() {
        return Err(unusable(failure));
    }

    let trees_lean_on_rules = plan.method.evaluation() == Evaluation::Immediate || abilities.decide.is_none();
    let make_certificate = |bounds: &Bounds, table, driver: &mut Driver<'_>| {
        let whole = Interval { lower: range.0, upper: range.1 };
        let claims = claims(request.aim, driver.interval, whole, bounds.0.as_ref(), bounds.1.as_ref());
        let wanted = Wanted { claims: &claims, oracle, trees_lean_on_rules, method: plan.method, table };
        certify(game, root, &wanted, memory, driver)
    };
    // Lines of threats are an argument: a win by them is told when it was played out by the rules, against every reply.
    let stands_on_threats =
        |answer: &Answer| table.is_some_and(|table| table.threats(answer.goal, answer.holds).is_some());
    let mut bounds = (lower, upper);
    let mut played = None;
    if bounds.0.iter().chain(&bounds.1).any(stands_on_threats) {
        driver.resume();
        let made = make_certificate(&bounds, table, &mut driver);
        if made.is_err() {
            (bounds, driver.interval) = ((None, None), known);
        }
        let unplayed =
            |problem| format!("a win was found, but not played out against every reply: {problem}");
        played = Some(made.map_err(unplayed));
    }
    let unplayed = played.as_ref().is_some_and(Result::is_err);
    let interval = driver.interval;
    let mut verdict = verdict(request.aim, interval);
    if verdict == "unknown" && length.is_some() {
        // The goal was to get there in time.
        verdict = "disproven";
    }
    let solved = verdict != "unknown";
    let stopped = driver.stopped().or(unplayed.then_some(StopReason::Memory));
    driver.resume();
    let (lower, upper) = bounds;
    let (lower, table) = match lower {
        Some(found) if request.length == Length::Shortest => {
            let lengths = lengths(found.goal.at_least);
            let known = lengths.way(found.clone());
            match lengths.shorten(known, &mut driver) {
                Some((way, plies)) => {
                    length = Some(plies);
                    // What is left of a table knows longer ways.
                    (Some(way.answer), None)
                }
                None => (Some(found), table),
            }
        }
        lower => (lower, table),
    };
    driver.resume();
    let tree = lower.as_ref().and_then(|answer| answer.tree.as_ref());
    let first = tree.and_then(|tree| tree.winning_child(tree.root())).map(|(code, _)| code);
    let line = match table {
        _ if oracle.is_some_and(|oracle| oracle.value(game, root).is_some()) => {
            oracle.map_or_else(Vec::new, |oracle| known_line(game, root, oracle))
        }
        None => line(game, root, lower.as_ref(), upper.as_ref()),
        Some(table) => table.line(root, interval, known, first),
    };
    let length_of = |answer: Option<&Answer>, goal, holds, first| {
        let won = Won { goal, holds, unit: Unit::MovesOfWinner };
        match (table, answer) {
            (Some(table), _) => longest::of_table(table, root, won, first),
            (None, Some(Answer { tree: Some(tree), symmetric, .. })) => {
                longest::of_tree(game, root, won, &**tree, *symmetric)
            }
            _ => None,
        }
    };
    let wins_in = if interval.lower > Relative(0) {
        length_of(lower.as_ref(), Goal::new(claimant, interval.lower), true, first)
    } else {
        None
    };
    let loses_in = if interval.upper < Relative(0) {
        length_of(upper.as_ref(), Goal::new(claimant, interval.upper.above()), false, None)
    } else {
        None
    };
    let achieved = lower.is_some() || (solved && verdict == "proven" && known.lower == whole.lower);
    let best_move = achieved.then(|| best_move(game, root, lower.as_ref(), &line)).flatten();
    let in_time = matches!(length, Some(Plies { at_most: None, .. }));
    let (certificate, certificate_problem) = if request.certificate && in_time {
        (None, Some("that there is no win in time is shown by no certificate".to_owned()))
    } else if request.certificate {
        // That of a win that was made shorter is another one.
        let played = played.filter(|_| unplayed || table.is_some());
        let made = played.unwrap_or_else(|| make_certificate(&(lower, upper), table, &mut driver));
        made.map_or_else(|problem| (None, Some(problem)), |certificate| (Some(certificate), None))
    } else {
        (None, played.and_then(Result::err))
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
        goal: match request.length {
            Length::Within(plies) => format!("{} within {plies} plies", goal_text(game, request.aim)),
            _ => goal_text(game, request.aim),
        },
        verdict,
        value: (interval.lower == interval.upper).then_some(interval.lower.0),
        lower: interval.lower.0,
        upper: interval.upper.0,
        best_move,
        line,
        length,
        algorithm: plan.name,
        why: plan.why,
        threat_nodes: counters.threat_nodes,
        nodes: counters.nodes,
        expansions: counters.expansions,
        updates: counters.updates,
        peak_nodes: counters.peak_nodes,
        peak_edges: counters.peak_edges,
        graph_bytes: counters.graph_bytes,
        deepened_nodes: counters.deepened_nodes,
        resumed_nodes: driver.resumed_nodes(),
        checkpoints: driver.checkpoints(),
        opening: None,
        memory_bytes: counters.memory_bytes,
        resident_bytes: crate::memory::peak_resident(),
        seconds: driver.elapsed().as_secs_f64(),
        stop: match stopped.filter(|_| !solved) {
            None => Stop::Solved,
            Some(StopReason::Nodes) => Stop::Nodes,
            Some(StopReason::Time) => Stop::Time,
            Some(StopReason::Memory) => Stop::Memory,
            Some(StopReason::Interrupted) => Stop::Interrupted,
            Some(StopReason::Repetition) => Stop::Repetition,
        },
        databases: oracle
            .map(Oracle::cite)
            .map(|citation| LeansOn { slices: citation.slices, checksum: citation.hexadecimal() }),
        certificate: None,
    };
    Ok(Solution {
        report,
        value_text,
        wins_in,
        loses_in,
        certificate,
        certificate_problem,
        picture: game.draw(root),
    })
}

/// Refuses to look for short wins where that means nothing.
fn check_length(
    request: &Request,
    wins_by_own_move: bool,
    leans: bool,
    published: bool,
) -> Result<(), InputError> {
    let switch = match request.length {
        Length::Any => return Ok(()),
        Length::Within(_) => "--within",
        Length::Shortest => "--shortest",
    };
    let error = |problem| Err(InputError::new("switch", switch, problem));
    if !wins_by_own_move {
        return error("wins of this game are not counted in moves of the winner")
            .map_err(|error: InputError| error.hint("those of chess are"));
    }
    if !matches!(request.aim, Aim::AtLeast(1..)) {
        return error("only a win has a length").map_err(|error: InputError| error.hint("as in --goal win"));
    }
    if leans {
        return error("a database tells values, and not how long it takes to get them");
    }
    if published {
        return error("what an experiment finds by rules of its own has no length");
    }
    Ok(())
}

/// Refuses checkpoints of searches that cannot be written down.
fn check_keeping(request: &Request, plan: &Plan) -> Result<(), InputError> {
    let error = |problem: String| Err(InputError::new("switch", "--checkpoint", problem));
    if !plan.method.can_be_kept() {
        return error(format!("{} keeps no checkpoints", plan.name)).map_err(|error: InputError| {
            error.hint("pn, pn2, pn-graph and their relatives, gpn, mopn, dfpn and theirs do")
        });
    }
    if matches!(request.length, Length::Within(_)) {
        return error("a search for a win within so many moves keeps none".to_owned());
    }
    if plan.published {
        return error("what counts as an experiment did keeps none".to_owned());
    }
    Ok(())
}

/// What is left of the searches that showed a lower and an upper bound.
type Bounds = (Option<Answer>, Option<Answer>);

/// One search after the other, each for one question.
fn search_questions<'g, G: Notation>(
    cursor: impl Fn(Goal) -> GoalCursor<'g, G>,
    claimant: Player,
    aim: Aim,
    plan: &Plan,
    memory: u64,
    stage: Option<Stage>,
    driver: &mut Driver<'_>,
) -> Bounds {
    let (mut lower, mut upper) = stage.map_or((None, None), |stage| (stage.lower, stage.upper));
    while let Some(at_least) = next_question(aim, driver.interval, plan.many) {
        let goal = Goal::new(claimant, at_least);
        let held = lower.iter().chain(&upper).map(Answer::bytes).sum::<u64>();
        let mut cursor = cursor(goal);
        if let Method::Graph { joining, symmetric, .. } = plan.method {
            cursor = cursor.joining(joining, symmetric);
        }
        let mut run = Run::new(staged(cursor, plan.method), plan.method, memory.saturating_sub(held));
        let (asked, symmetric) = (Interval::of_question(at_least), plan.method.symmetric());
        let series = Series::new(plan.many);
        let stage = || Stage { asked, series, lower: lower.clone(), upper: upper.clone() };
        let search = |driver: &mut Driver<'_>| driver.run_shown(run.search(), asked, held, symmetric);
        let holds = match driver.keeping(stage, search) {
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
        let answer = Some(Answer { goal, holds, tree, symmetric });
        if holds {
            lower = answer;
        } else {
            upper = answer;
        }
    }
    (lower, upper)
}

/// The problem of a cursor, with moves in stages if the method wants that.
pub(crate) fn staged<'c, 'g: 'c, G: Notation>(
    cursor: impl BorrowMut<GoalCursor<'g, G>> + AndOr + 'c,
    method: Method,
) -> Box<dyn AndOr + 'c> {
    match cursor.borrow().game().abilities().stages {
        Some(stages) if method.staged() => Box::new(StagedCursor::new(cursor, stages)),
        _ => Box::new(cursor),
    }
}

/// One search after the other on one table.
pub(crate) fn search_table<G: Notation>(
    game: &G,
    root: &G::Position,
    aim: Aim,
    many: Many,
    table: &TableSearch<'_, G>,
    stage: Option<Stage>,
    driver: &mut Driver<'_>,
) -> Bounds {
    let (mut lower, mut upper) = (None, None);
    let claimant = game.to_move(root);
    let mut series = Series::new(many);
    let mut under_way = None;
    if let Some(stage) = stage {
        (lower, upper, series, under_way) = (stage.lower, stage.upper, stage.series, Some(stage.asked.upper));
    } else if many == Many::Guess && aim == Aim::Value {
        let interval = driver.interval;
        let looks = |at_least| table.looks(root, Goal::new(claimant, at_least), driver);
        series = Series::around(interval.guess(looks));
        if driver.stopped().is_some() {
            // Whoever goes on guesses again.
            return (None, None);
        }
    }
    loop {
        let at_least = under_way.take().or_else(|| match aim {
            Aim::Value => series.next(driver.interval),
            Aim::AtLeast(_) => next_question(aim, driver.interval, many),
        });
        let Some(at_least) = at_least else { break };
        let goal = Goal::new(claimant, at_least);
        let asked = Interval::of_question(at_least);
        let stage = || Stage { asked, series, lower: lower.clone(), upper: upper.clone() };
        let (verdict, tree) = driver.keeping(stage, |driver| table.search(root, goal, 0, driver));
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
fn search_value<'c>(
    claimant: Player,
    aim: Aim,
    cursor: Box<dyn Minimax + 'c>,
    method: Method,
    memory: u64,
    stage: Option<Stage>,
    driver: &mut Driver<'_>,
) -> Bounds {
    let known = driver.interval;
    let asked = match aim {
        // What is known now may be what the search that goes on has found.
        _ if let Some(stage) = &stage => stage.asked,
        Aim::Value => known,
        Aim::AtLeast(value) => Interval::of_question(Relative(value)),
    };
    if stage.is_none() && verdict(aim, known) != "unknown" {
        return (None, None);
    }
    let symmetric = method.symmetric();
    let mut run = ValueRun::new(cursor, asked, method, memory);
    let stage = || Stage { asked, series: Series::new(Many::Binary), lower: None, upper: None };
    driver.keeping(stage, |driver| driver.run_shown(run.search(), asked, 0, symmetric));
    let Interval { lower, upper } = driver.interval;
    let answer = |at_least: Relative, holds: bool, shown: Option<Rc<dyn Solved>>| {
        shown.map(|shown| Answer { goal: Goal::new(claimant, at_least), holds, tree: Some(shown), symmetric })
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
pub(crate) fn next_question(aim: Aim, interval: Interval, many: Many) -> Option<Relative> {
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

/// What a certificate of a solved request claims, and the answers that show it. Where there is none, the rules show it at the
/// root; what the range of the game's values shows needs no saying.
fn claims<'a>(
    aim: Aim,
    proven: Interval,
    range: Interval,
    lower: Option<&'a Answer>,
    upper: Option<&'a Answer>,
) -> Vec<(Claim, Option<&'a Answer>)> {
    let claim = |relation, value, answer: Option<&'a Answer>| {
        (answer.map_or(Claim { relation, value }, Answer::claim), answer)
    };
    let at_least = |value| claim(Relation::AtLeast, value, lower);
    let at_most = |value| claim(Relation::AtMost, value, upper);
    match aim {
        Aim::Value => {
            let (mut claims, solved) = (Vec::new(), proven.lower == proven.upper);
            if lower.is_some() || (solved && proven.lower > range.lower) {
                claims.push(at_least(proven.lower));
            }
            if upper.is_some() || (solved && proven.upper < range.upper) {
                claims.push(at_most(proven.upper));
            }
            if claims.is_empty() && solved {
                claims.push(at_least(proven.lower));
            }
            claims
        }
        Aim::AtLeast(value) if value <= proven.lower.0 => vec![at_least(Relative(value))],
        Aim::AtLeast(value) if value > proven.upper.0 => vec![at_most(Relative(value).below())],
        Aim::AtLeast(_) => Vec::new(),
    }
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
