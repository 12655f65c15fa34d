//! Players: legal moves to the end of every game, what is called proven is true, wins are found and kept, losing moves are vetoed.

use std::time::Duration;

use quod_solver::{Certainty, ContestRequest, DatabaseRequest, Door, Place, PlayStyle, games};

fn style(nodes: u64, proofs: bool) -> PlayStyle {
    PlayStyle { time: None, nodes: Some(nodes), proofs, table_bytes: 1 << 20 }
}

fn at(position: &str) -> Place {
    Place { position: Some(position.to_owned()), moves: None }
}

const GAMES: [&str; 9] = [
    "tictactoe",
    "connect4:5x4",
    "connect4:7x6,score",
    "morris:3",
    "morris:6",
    "woodpush:8",
    "awari",
    "awari:4x3,stop",
    "kalah",
];

/// Plays to the end; the score.
fn self_play(door: &dyn Door, style: &PlayStyle) -> String {
    let mut board = door.sit_down(&Place::default()).expect("the start");
    let mut plies = 0;
    while board.end().is_none() {
        let chosen = board.choose(style, &mut || true);
        assert!(board.legal_moves().contains(&chosen.text), "{}", chosen.text);
        assert!(chosen.nodes <= style.nodes.unwrap_or(u64::MAX), "{chosen:?}");
        board.play(&chosen.text).expect("it is legal");
        plies += 1;
        assert!(plies < 3_000, "a game that does not end: {}", board.score());
    }
    assert!(board.legal_moves().is_empty());
    board.score()
}

#[test]
fn every_game_is_played_to_its_end_and_in_the_same_way() {
    for name in GAMES {
        let game = games().open(name).unwrap();
        let style = style(400, true);
        let score = self_play(&*game, &style);
        assert_eq!(score, self_play(&*game, &style), "{name}");
        // The score leads to the same end.
        let board = game.sit_down(&Place { position: None, moves: Some(score.clone()) }).unwrap();
        assert!(board.end().is_some() && board.score() == score, "{name}");
    }
}

#[test]
fn a_time_beyond_all_clocks_is_no_limit() {
    let game = games().open("tictactoe").unwrap();
    for time in [Duration::MAX, Duration::from_secs(1 << 62)] {
        let score = self_play(&*game, &PlayStyle { time: Some(time), ..style(400, true) });
        assert!(score.starts_with("1. "), "{score}");
    }
}

/// Whatever is called proven is what solving the position says.
#[test]
fn certainties_are_true() {
    let mut certain = 0;
    for (name, count) in [("connect4:4x4", 25), ("morris:3", 40), ("awari:3x2", 40), ("tictactoe", 20)] {
        let game = games().open(name).unwrap();
        for line in game.random_lines(count, 5, 2..=14) {
            let place = Place { position: None, moves: Some(line.clone()) };
            let chosen = game.sit_down(&place).unwrap().choose(&style(3_000, true), &mut || true);
            let value = game.solve(&place, &Default::default(), &mut ()).unwrap().report.value.unwrap();
            let then = Place { position: None, moves: Some(format!("{line} {}", chosen.text)) };
            let behind = game.solve(&then, &Default::default(), &mut ()).unwrap().report;
            certain += usize::from(chosen.certainty != Certainty::Nothing);
            match chosen.certainty {
                Certainty::Wins => assert!(value > 0 && behind.value < Some(0), "{name} {line}: {chosen:?}"),
                Certainty::Loses => assert!(value < 0, "{name} {line}: {chosen:?}"),
                Certainty::Nothing => {}
            }
            for vetoed in &chosen.vetoed {
                let then = Place { position: None, moves: Some(format!("{line} {vetoed}")) };
                let behind = game.solve(&then, &Default::default(), &mut ()).unwrap().report;
                assert!(behind.value > Some(0), "{name} {line}: {vetoed} is no loss");
            }
        }
    }
    assert!(certain > 40, "{certain}");
}

/// Where the proposer alone would lose, another move is played, if one is left that does not.
#[test]
fn moves_that_lose_are_vetoed_and_wins_are_found() {
    let game = games().open("connect4:5x5").unwrap();
    let (mut vetoes, mut rescued, mut found) = (0, 0, 0);
    for line in game.random_lines(120, 3, 4..=12) {
        let value = |mv: &str| {
            let moves = Some(format!("{line}{mv}"));
            let place = Place { position: None, moves };
            -game.solve(&place, &Default::default(), &mut ()).unwrap().report.value.unwrap()
        };
        let mut board = game.sit_down(&Place { position: None, moves: Some(line.clone()) }).unwrap();
        let chosen = board.choose(&style(6_000, true), &mut || true);
        let gets = value(&chosen.text);
        assert!(chosen.vetoed.iter().all(|mv| value(mv) == -1), "{line}: {chosen:?}");
        assert!(chosen.certainty != Certainty::Wins || gets == 1, "{line}: {chosen:?}");
        vetoes += chosen.vetoed.len();
        rescued += usize::from(!chosen.vetoed.is_empty() && gets > -1);
        found += usize::from(chosen.certainty == Certainty::Wins);
        let alone = board.choose(&style(6_000, false), &mut || true);
        assert!(alone.vetoed.is_empty() && alone.certainty == Certainty::Nothing);
    }
    assert!(vetoes > 10 && rescued > 0 && found > 20, "{vetoes} {rescued} {found}");
}

/// A win that is found is brought home, also where positions can come again: against an opponent who defends as well as can be.
#[test]
fn proven_wins_are_won() {
    let mut won = 0;
    for (name, count) in [("morris:3", 30), ("awari:3x2", 30), ("connect4:4x4", 20)] {
        let game = games().open(name).unwrap();
        for line in game.random_lines(count, 11, 4..=16) {
            let mut board = game.sit_down(&Place { position: None, moves: Some(line.clone()) }).unwrap();
            let own = board.first_to_move();
            let first = board.choose(&style(30_000, true), &mut || true);
            if first.certainty != Certainty::Wins {
                continue;
            }
            board.play(&first.text).unwrap();
            while board.end().is_none() {
                let style =
                    if board.first_to_move() == own { style(30_000, true) } else { style(2_000, false) };
                let chosen = board.choose(&style, &mut || true);
                board.play(&chosen.text).unwrap();
            }
            let end = board.end().unwrap();
            assert!((end.value > 0) == own && end.value != 0, "{name} {line}: {}", board.score());
            won += 1;
        }
    }
    assert!(won > 25, "{won}");
}

#[test]
fn thinking_in_the_opponents_time_finds_wins_before() {
    let game = games().open("connect4:5x5").unwrap();
    let mut faster = 0;
    for line in game.random_lines(40, 8, 5..=12) {
        let place = Place { position: None, moves: Some(line.clone()) };
        let (mut with, mut without) = (game.sit_down(&place).unwrap(), game.sit_down(&place).unwrap());
        let mut patience = 200;
        with.ponder(&mut || {
            patience -= 1;
            patience > 0
        });
        let reply = with.legal_moves().pop().unwrap();
        with.play(&reply).unwrap();
        without.play(&reply).unwrap();
        if with.end().is_some() {
            continue;
        }
        let pondered = with.choose(&style(3_000, true), &mut || true);
        let fresh = without.choose(&style(3_000, true), &mut || true);
        assert!(with.legal_moves().contains(&pondered.text));
        // Nothing that is known without it is lost.
        assert!(fresh.certainty != Certainty::Wins || pondered.certainty == Certainty::Wins, "{line}");
        faster += usize::from(pondered.certainty == Certainty::Wins && pondered.nodes < fresh.nodes);
    }
    assert!(faster > 3, "{faster}");
}

#[test]
fn moves_are_taken_back_and_bad_ones_refused() {
    let game = games().open("tictactoe").unwrap();
    let mut board = game.sit_down(&Place::default()).unwrap();
    assert_eq!(board.undo(), None);
    let before = board.picture();
    assert_eq!(board.play("b2").unwrap(), "b2");
    let error = board.play("b2").unwrap_err().to_string();
    assert!(error.contains("legal moves: a1"), "{error}");
    assert_eq!((board.undo().as_deref(), board.picture()), (Some("b2"), before));
    assert!(board.begun_at().is_none() && board.score().is_empty());
    let board = game.sit_down(&at("x.o/.x./..o")).unwrap();
    assert_eq!(board.begun_at().as_deref(), Some("x.o/.x./..o"));
}

#[test]
fn a_position_for_the_third_time_ends_the_game() {
    let game = games().open("morris:3").unwrap();
    let around = "b2-b3 c2-c3 b3-b2 c3-c2";
    let moves = format!("b2 a1 c1 a3 a2 c2 {around} {around}");
    let mut board = game.sit_down(&Place { position: None, moves: Some(moves) }).unwrap();
    let end = board.end().unwrap();
    assert!(end.by_repetition && end.value == 0 && end.text == "draw", "{end:?}");
    let error = board.play("b2-b3").unwrap_err().to_string();
    assert!(error.contains("third time") && board.legal_moves().is_empty(), "{error}");
    board.undo().unwrap();
    assert!(board.end().is_none());
}

#[test]
fn who_is_asked_to_stop_has_a_move_at_once() {
    let game = games().open("awari").unwrap();
    let mut board = game.sit_down(&Place::default()).unwrap();
    let endless = PlayStyle { time: Some(Duration::from_secs(3600)), ..PlayStyle::default() };
    let chosen = board.choose(&endless, &mut || false);
    assert!(board.legal_moves().contains(&chosen.text));
    let begun = std::time::Instant::now();
    let short = PlayStyle { time: Some(Duration::from_millis(60)), ..PlayStyle::default() };
    let chosen = board.choose(&short, &mut || true);
    assert!(begun.elapsed() < Duration::from_millis(2_000) && chosen.opinion.unwrap().1 > 2, "{chosen:?}");
}

#[test]
fn a_match_counts_pairs_and_can_be_stopped() {
    let game = games().open("connect4:5x4").unwrap();
    let request = ContestRequest {
        styles: [style(3_000, true), style(3_000, false)],
        pairs: 6,
        opening_plies: 4,
        seed: 2,
        threads: 2,
        ponder: false,
    };
    let tally = game.contest(&Place::default(), &request, &mut |_| true).unwrap();
    assert_eq!((tally.games, tally.wins + tally.draws + tally.losses), (12, 12));
    let points = (tally.wins as f64 + tally.draws as f64 / 2.0) / 12.0;
    assert!((tally.mean - points).abs() < 1e-9 && tally.error.is_some());
    // The same seed and nodes give the same games, in whatever order they end.
    let again =
        game.contest(&Place::default(), &ContestRequest { threads: 1, ..request }, &mut |_| true).unwrap();
    assert_eq!((again.wins, again.draws, again.plies), (tally.wins, tally.draws, tally.plies));
    // Thinking in the opponent's time.
    let quick = |proofs| PlayStyle { time: Some(Duration::from_millis(3)), nodes: None, ..style(0, proofs) };
    let ponder = ContestRequest { styles: [quick(true), quick(false)], pairs: 2, ponder: true, ..request };
    let tally = game.contest(&Place::default(), &ponder, &mut |_| true).unwrap();
    assert_eq!((tally.games, tally.proven_and_missed), (4, 0));
    let long = ContestRequest { pairs: 1_000_000, ..request };
    let stopped = game.contest(&Place::default(), &long, &mut |tally| tally.games < 4).unwrap();
    assert!((4..1_000).contains(&stopped.games), "{stopped:?}");
    // A player against itself: what one wins the other loses.
    let even = ContestRequest { styles: [style(500, false); 2], ..request };
    let tally = game.contest(&Place::default(), &even, &mut |_| true).unwrap();
    assert!((tally.mean, tally.value_mean) == (0.5, 0.0), "{tally:?}");
}

/// With databases everything within them is played perfectly, and brought to an end.
#[test]
fn databases_are_played_from_and_analyzed_with() {
    let folder = tempfile::tempdir().unwrap();
    let mut game = games().open("awari:3x2").unwrap();
    let request = DatabaseRequest { threads: Some(1), ..DatabaseRequest::up_to(12) };
    game.build_database(folder.path(), &request, &mut |_| true).unwrap();
    let alone = games().open("awari:3x2").unwrap();
    game.lean_on(folder.path(), None).unwrap();
    let mut decided = 0;
    for line in game.random_lines(40, 4, 2..=20) {
        let place = Place { position: None, moves: Some(line.clone()) };
        let value = alone.solve(&place, &Default::default(), &mut ()).unwrap().report.value.unwrap();
        let mut board = game.sit_down(&place).unwrap();
        let own = board.first_to_move();
        while board.end().is_none() {
            let chosen = board.choose(&style(2_000, true), &mut || true);
            board.play(&chosen.text).unwrap();
        }
        let end = board.end().unwrap().value;
        assert_eq!(if own { end } else { -end }, value, "{line}: {}", board.score());
        decided += usize::from(value != 0);
        let how = quod_solver::AnalyzeRequest::default();
        let analysis = game.analyze(&Place::default(), &board.score(), &how, &mut ()).unwrap();
        assert_eq!(analysis.solved_from, Some(1));
        let after_line = analysis.moves.iter().filter(|mv| mv.judgement == quod_solver::Judgement::Mistake);
        assert!(after_line.map(|mv| mv.ply).all(|ply| ply <= 20), "{}", board.score());
    }
    assert!(decided > 10, "{decided}");
}
