//! Post-mortems against the truth: every value, every cost, every better move.

use quod_games::{ConnectFour, Morris};
use quod_model::testkit::{Truth, random_dag_of, random_maze};
use quod_model::{Game, Notation, Player};
use quod_solver::{
    Analysis, AnalysisEnd, AnalyzeRequest, Follow, Judgement, Limits, Request, Snapshot, Watch, analyze,
};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A game of random moves, of `plies` moves at the most.
fn random_score<G: Notation>(game: &G, seed: u64, plies: usize) -> String {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let (mut position, mut played) = (game.start(), Vec::new());
    while game.outcome(&position).is_none() && played.len() < plies {
        let mut moves = Vec::new();
        game.moves(&position, &mut moves);
        played.push(moves[random.random_range(0..moves.len())]);
        position = game.after(&position, played[played.len() - 1]);
    }
    game.score_text(&game.start(), &played)
}

/// Compares what is said with the truth; how many mistakes there are.
fn check<G: Notation>(game: &G, truth: &Truth<G>, score: &str, how: &AnalyzeRequest) -> (Analysis, usize) {
    let analysis = analyze(game, &game.start(), score, how, None, &mut ()).expect("it is a score");
    let mut position = game.start();
    let mut mistakes = 0;
    for told in &analysis.moves {
        let mover = game.to_move(&position);
        let for_mover = |position: &G::Position| truth.value(position).seen_by(mover).0;
        let mv = game.parse_move(&position, &told.text).expect("it was played");
        let next = game.after(&position, mv);
        let (before, after) = (for_mover(&position), for_mover(&next));
        assert_eq!(told.by_first, mover == Player::First);
        for (range, value) in [(&told.before, before), (&told.after, after)] {
            assert!(range.lower <= value && value <= range.upper, "{score}: {told:?}, {value}");
            assert_eq!(range.value, (range.lower == range.upper).then_some(value));
        }
        let cost = before - after;
        assert!(told.cost_least <= cost && cost <= told.cost_most, "{score}: {told:?}");
        match told.judgement {
            Judgement::Best => assert_eq!(cost, 0),
            Judgement::Mistake => assert!(cost > 0),
            Judgement::Unknown => assert!(told.cost_least == 0 && told.cost_most > 0),
        }
        assert_eq!(told.best_move.is_some(), told.judgement == Judgement::Mistake, "{score}: {told:?}");
        if let Some(better) = &told.best_move {
            mistakes += 1;
            let better = game.after(&position, game.parse_move(&position, better).expect("it is legal"));
            assert!(
                for_mover(&better) >= told.before.lower && for_mover(&better) > after,
                "{score}: {told:?}"
            );
        }
        position = next;
    }
    let exact = analysis.moves.iter().filter(|told| told.before.value.is_some()).count();
    assert_eq!(analysis.solved, exact + usize::from(analysis.last.value.value.is_some()));
    (analysis, mistakes)
}

fn within(nodes: Option<u64>) -> AnalyzeRequest {
    let limits = Limits { nodes, memory: Some(1 << 22), time: None };
    AnalyzeRequest {
        request: Request { limits, threads: Some(1), ..Request::default() },
        ..AnalyzeRequest::default()
    }
}

/// Whole games are solved exactly; with few nodes, what is said is still true.
fn check_games<G: Notation>(game: &G, games: u64, plies: usize) -> (usize, usize) {
    let truth = Truth::new(game, &game.start());
    let (mut mistakes, mut unsolved) = (0, 0);
    for seed in 0..games {
        let score = random_score(game, seed, plies);
        let (whole, found) = check(game, &truth, &score, &within(None));
        assert_eq!((whole.solved_from, whole.end), (Some(1), AnalysisEnd::Start), "{score}");
        mistakes += found;
        let (part, _) = check(game, &truth, &score, &within(Some(seed % 60)));
        unsolved += part.moves.len() + 1 - part.solved;
    }
    (mistakes, unsolved)
}

#[test]
fn games_of_connect_four_have_their_true_values() {
    let game = ConnectFour::<u64>::new(4, 4, 4).unwrap();
    let (mistakes, unsolved) = check_games(&game, 12, 16);
    assert!(mistakes > 10 && unsolved > 20, "{mistakes} {unsolved}");
    let (mistakes, unsolved) = check_games(&game.with_score(), 12, 16);
    assert!(mistakes > 10 && unsolved > 20, "{mistakes} {unsolved}");
}

#[test]
fn games_that_repeat_positions_have_their_true_values() {
    let game = Morris::new(3).unwrap();
    let (mistakes, unsolved) = check_games(&game, 12, 60);
    assert!(mistakes > 10 && unsolved > 20, "{mistakes} {unsolved}");
    // Back and forth: the value is that of the position, however often it was there.
    let score = "b2 a1 c1 a3 a2 c2 b2-b3 c2-c3 b3-b2 c3-c2 b2-b3 c2-c3 b3-b2 c3-c2";
    let truth = Truth::new(&game, &game.start());
    let (analysis, _) = check(&game, &truth, score, &within(None));
    let at = |ply: usize| &analysis.moves[ply - 1];
    assert_eq!(at(7).position, at(11).position);
    assert_eq!((&at(7).before, &at(7).judgement), (&at(11).before, &at(11).judgement));
}

#[test]
fn random_mazes_have_their_true_values() {
    let (mut mistakes, mut unsolved) = (0, 0);
    for seed in 0..60 {
        let found = check_games(&random_dag_of(seed, 20, 7), 2, 20);
        let cyclic = check_games(&random_maze(seed, 12), 2, 20);
        mistakes += found.0 + cyclic.0;
        unsolved += found.1 + cyclic.1;
    }
    assert!(mistakes > 50 && unsolved > 20, "{mistakes} {unsolved}");
}

/// Stops a search after some calls.
struct Impatient(u32, Vec<usize>);

impl Watch for Impatient {
    fn goes_on(&mut self, _: &Snapshot) -> bool {
        self.0 = self.0.saturating_sub(1);
        self.0 > 0
    }
}

impl Follow for Impatient {
    fn comes_to(&mut self, ply: usize, positions: usize) {
        assert_eq!(positions, 23);
        self.1.push(ply);
    }
}

#[test]
fn an_interrupted_analysis_keeps_what_it_has() {
    let game = ConnectFour::<u64>::new(7, 6, 4).unwrap();
    let mut impatient = Impatient(40, Vec::new());
    let analysis =
        analyze(&game, &game.start(), "4444422266626633155511", &within(None), None, &mut impatient).unwrap();
    assert_eq!(analysis.end, AnalysisEnd::Interrupted);
    assert!(impatient.1.windows(2).all(|pair| pair[1] + 1 == pair[0]) && impatient.1[0] == 23);
    assert!(analysis.solved > 3 && analysis.solved_from.is_some_and(|ply| ply > 1));
    assert_eq!(analysis.moves[0].stop, None);
}

/// The first question is whether there is a better move: a good move costs one question.
#[test]
fn what_is_known_saves_questions() {
    let game = ConnectFour::<u64>::new(4, 4, 4).unwrap();
    let analysis = analyze(&game, &game.start(), "112233144", &within(None), None, &mut ()).unwrap();
    let alone = |ply: usize| {
        let position = game.parse_position(&analysis.moves[ply - 1].position).unwrap();
        quod_solver::solve(&game, &position, &within(None).request, &mut ()).unwrap().report.nodes
    };
    assert_eq!(analysis.moves[8].judgement, Judgement::Best);
    let (with, without): (u64, u64) =
        (1..=9).fold((0, 0), |sums, ply| (sums.0 + analysis.moves[ply - 1].nodes, sums.1 + alone(ply)));
    assert!(with < without, "{with} nodes, {without} without what is known");
}

/// Both questions about a position share its nodes, and no position has more time than is left for all.
#[test]
fn limits_are_those_of_a_position() {
    let game = ConnectFour::<u64>::new(5, 4, 4).unwrap();
    let mut open = 0;
    for seed in 0..30 {
        let line = random_score(&game, seed, 20);
        let how = within(Some(400));
        let analysis = analyze(&game, &game.start(), &line, &how, None, &mut ()).unwrap();
        assert!(analysis.moves.iter().all(|mv| mv.nodes <= 400), "{line}");
        open += analysis.moves.iter().filter(|mv| mv.nodes > 300).count();
    }
    assert!(open > 20, "the limit is hardly reached: {open}");
    let game = ConnectFour::<u64>::new(7, 6, 4).unwrap();
    let short = AnalyzeRequest { total_time: Some(std::time::Duration::from_millis(300)), ..within(None) };
    let begun = std::time::Instant::now();
    analyze(&game, &game.start(), "44444", &short, None, &mut ()).unwrap();
    assert!(begun.elapsed() < std::time::Duration::from_secs(3));
}
