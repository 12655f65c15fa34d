//! Laws that every game must keep. A new game passes them before any search sees it.

use std::collections::{HashMap, HashSet};

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::Truth;
use crate::{
    Area, Board, CanonicalFn, Decide, Foresight, Goal, Move, Notation, Player, Pointing, Relative,
    Repetition, Shape, Sight, Spot, Value,
};

/// Which positions the laws are tried on.
#[derive(Clone, Copy, Debug)]
pub struct Laws {
    /// How many random games are played through.
    pub games: u32,
    /// How long each may get.
    pub plies_max: u32,
    /// The seed.
    pub seed: u64,
}

impl Default for Laws {
    fn default() -> Self {
        Self { games: 50, plies_max: 200, seed: 1 }
    }
}

impl Laws {
    /// Plays random games and checks every position of them.
    ///
    /// # Panics
    /// At the first law that is broken, naming the position.
    pub fn check<G: Notation>(self, game: &G) {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(self.seed);
        let mut keys: HashMap<u128, G::Position> = HashMap::new();
        let (low, high) = game.values();
        assert!(low <= high, "the range of values is empty");
        for _ in 0..self.games {
            let mut position = game.start();
            let mut path = vec![position.clone()];
            let mut played = Vec::new();
            // Positions before this place of the path cannot come again.
            let mut converted = 0;
            for _ in 0..self.plies_max {
                let known = keys.entry(game.key(&position)).or_insert_with(|| position.clone());
                assert_eq!(*known, position, "two positions have the key of {position:?}");
                check_position(game, &position);
                let moves = check_moves(game, &position);
                if moves.is_empty() {
                    break;
                }
                let mv = moves[random.random_range(0..moves.len())];
                if game.abilities().converts.is_some_and(|converts| converts(game, &position, mv)) {
                    converted = path.len();
                }
                played.push(mv);
                position = game.after(&position, mv);
                let again = path.iter().position(|earlier| *earlier == position);
                let possible = matches!(game.repetition(), Repetition::Worth(_));
                assert!(possible || again.is_none(), "{position:?} came again");
                assert!(
                    again.is_none_or(|at| at >= converted),
                    "{position:?} came again behind a conversion"
                );
                path.push(position.clone());
            }
            let score = format!("# remark\n{}\n1-0\n", game.score_text(&path[0], &played));
            assert_eq!(game.parse_score(&path[0], &score).as_ref(), Ok(&played), "the score {score}");
        }
    }

    /// Checks what only the truth can judge: that symmetric positions have one value, that bounds hold.
    /// For games small enough to be worked out.
    ///
    /// # Panics
    /// At the first law that is broken, naming the position.
    pub fn check_values<G: Notation>(game: &G) {
        let truth = Truth::new(game, &game.start());
        let abilities = game.abilities();
        for (position, value) in truth.iter() {
            if let Some(canonical) = abilities.canonical {
                let one = canonical(game, position);
                let alike = if one == *position { value } else { Truth::new(game, &one).value(&one) };
                assert_eq!(alike, value, "{position:?} and its canonical form");
            }
            if let Some(bounds) = abilities.bounds {
                let (low, high) = bounds(game, position);
                assert!(low <= value && value <= high, "{position:?} has the value {value:?}");
            }
        }
    }

    /// Checks a judge against the truth, for every player and threshold.
    ///
    /// # Panics
    /// At the first position that it judges wrongly.
    pub fn check_judge<G: Notation + Decide>(game: &G) {
        let (low, high) = game.values();
        for (position, value) in Truth::new(game, &game.start()).iter() {
            for (claimant, threshold) in [Player::First, Player::Second]
                .into_iter()
                .flat_map(|player| (low.0..=high.0).map(move |value| (player, value)))
                .filter(|_| game.outcome(position).is_none())
            {
                let goal = Goal::new(claimant, Relative(threshold));
                if let Some(holds) = game.decide(position, goal) {
                    assert_eq!(holds, goal.is_reached_by(value), "{position:?}, {goal:?}");
                }
            }
        }
    }

    /// Checks what a game foresees of every position that can be reached, for every question.
    ///
    /// # Panics
    /// At the first position of which something is wrong.
    pub fn check_foresight<G: Notation + Foresight>(game: &G) {
        let truth = Truth::new(game, &game.start());
        for (position, _) in truth.iter() {
            if game.outcome(position).is_none() {
                check_foreseen(game, position, &|position| truth.value(position));
            }
        }
    }
}

/// Checks what a game foresees of a position that is not over, for every question, where `value` knows the truth.
///
/// # Panics
/// If something is wrong.
pub fn check_foreseen<G: Notation + Foresight>(
    game: &G,
    position: &G::Position,
    value: &dyn Fn(&G::Position) -> Value,
) {
    let (low, high) = game.values();
    let (mover, truth) = (game.to_move(position), value(position));
    for at_least in (low.0 + 1..=high.0).map(Value) {
        let told = || format!("{} (at least {}?)", game.position_text(position), at_least.0);
        let mut sight = Sight::default();
        let (lower, upper) = game.foresee(position, None, at_least, &mut sight);
        assert!(lower <= truth && truth <= upper, "{lower:?} to {upper:?} for {truth:?}: {}", told());
        if lower >= at_least || upper < at_least {
            assert!(sight.moves.is_empty(), "moves although it is answered: {}", told());
            continue;
        }
        let mut legal = Vec::new();
        game.moves(position, &mut legal);
        assert!(!mover.likes(sight.rest, at_least), "the rest answers: {}", told());
        let mut best = sight.rest;
        for ahead in &sight.moves {
            assert!(legal.contains(&ahead.mv), "{:?}: {}", ahead.mv, told());
            let truth = value(&ahead.position);
            assert_eq!(truth, value(&game.after(position, ahead.mv)), "behind {:?}: {}", ahead.mv, told());
            assert!(ahead.lower <= truth && truth <= ahead.upper, "behind {:?}: {}", ahead.mv, told());
            best = mover.better(best, truth);
            assert!(
                ahead.lower < at_least && at_least <= ahead.upper,
                "{:?} is answered: {}",
                ahead.mv,
                told()
            );
            if let Some(notes) = &ahead.notes {
                let (mut noted, mut fresh) = (Sight::default(), Sight::default());
                let bounds = game.foresee(&ahead.position, Some(notes), at_least, &mut noted);
                assert_eq!(bounds, game.foresee(&ahead.position, None, at_least, &mut fresh), "{}", told());
                let listed = |sight: &Sight<G>| sight.moves.iter().map(|ahead| ahead.mv).collect::<Vec<_>>();
                assert_eq!(listed(&noted), listed(&fresh), "notes behind {:?}: {}", ahead.mv, told());
            }
        }
        assert_eq!(mover.better(best, truth), best, "the best move was left out: {}", told());
        assert!(sight.moves.is_sorted_by_key(|ahead| std::cmp::Reverse(ahead.promise)), "{}", told());
    }
}

/// Checks a position without its moves: whoever gave it, it need not be one that play comes to.
///
/// # Panics
/// At the first law that is broken, naming the position.
pub fn check_position<G: Notation>(game: &G, position: &G::Position) {
    let text = game.position_text(position);
    let read = game.parse_position(&text);
    assert_eq!(read.as_ref(), Ok(position), "position text {text}");
    assert_eq!(game.outcome(position), game.outcome(&position.clone()), "outcome of {text}");
    let (low, high) = game.values();
    if let Some(Value(value)) = game.outcome(position) {
        assert!((low.0..=high.0).contains(&value), "outcome of {text} is out of range");
    }
    let abilities = game.abilities();
    if let Some(canonical) = abilities.canonical {
        let one = canonical(game, position);
        assert_eq!(canonical(game, &one), one, "canonical form of {text} is not final");
        assert_eq!(game.to_move(&one), game.to_move(position), "canonical form of {text}");
        assert_eq!(game.outcome(&one), game.outcome(position), "canonical form of {text}");
        if let Some(bounds) = abilities.bounds {
            assert_eq!(bounds(game, &one), bounds(game, position), "bounds of the canonical form of {text}");
        }
        if let Repetition::Worth(worth) = game.repetition() {
            assert_eq!(
                worth(game, &one),
                worth(game, position),
                "endless play from the canonical form of {text}"
            );
        }
        assert_eq!(
            canonical_children(game, canonical, &one),
            canonical_children(game, canonical, position),
            "moves of the canonical form of {text}"
        );
    }
    check_board(&game.board(position), &text);
    // Both may be asked of finished positions, where any answer will do.
    let _ = game.mobility(position);
    if let Some(guess) = abilities.guess {
        let _ = guess(game, position, Goal::new(Player::First, Relative(high.0)));
    }
}

fn canonical_children<G: Notation>(game: &G, canonical: CanonicalFn<G>, position: &G::Position) -> Vec<u128> {
    let mut moves = Vec::new();
    if game.outcome(position).is_none() {
        game.moves(position, &mut moves);
    }
    let children = moves.iter().map(|mv| game.key(&canonical(game, &game.after(position, *mv))));
    let mut children: Vec<u128> = children.collect();
    children.sort_unstable();
    children
}

fn check_moves<G: Notation>(game: &G, position: &G::Position) -> Vec<G::Move> {
    let text = game.position_text(position);
    let mut moves = Vec::new();
    if game.outcome(position).is_some() {
        return moves;
    }
    game.moves(position, &mut moves);
    assert!(!moves.is_empty(), "{text} is not over and has no move");
    assert_eq!(game.mobility(position) as usize, moves.len(), "mobility of {text}");
    let mut again = Vec::new();
    game.moves(&position.clone(), &mut again);
    assert_eq!(again, moves, "equal positions, other moves: {text}");
    let mut sorted = moves.clone();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(sorted.len(), moves.len(), "a move is there twice in {text}");
    assert!(sorted.windows(2).all(|two| two[0].code() < two[1].code()), "codes of {text}");
    moves.iter().for_each(|mv| check_move(game, position, *mv));
    let (low, high) = game.values();
    let best = Some(game.to_move(position).better(low, high));
    let wins = |mv: &G::Move| game.outcome(&game.after(position, *mv)) == best;
    match game.winning_move(position) {
        Some(mv) => assert!(moves.contains(&mv) && wins(&mv), "{mv:?} does not win at once in {text}"),
        None => assert!(!moves.iter().any(wins), "a move wins at once in {text}"),
    }
    let mut unpunished = Vec::new();
    game.unpunished(position, &mut unpunished);
    unpunished.sort_unstable();
    let punished = |mv: &G::Move| {
        let after = game.after(position, *mv);
        let again = game.to_move(&after) == game.to_move(position);
        game.outcome(&after).is_none() && !again && game.winning_move(&after).is_some()
    };
    sorted.retain(|mv| !punished(mv));
    assert_eq!(unpunished, sorted, "moves that are not punished at once in {text}");
    if game.abilities().threats.is_some() {
        check_withstand(game, position, &moves);
    }
    check_pointing(game, position, &moves);
    moves
}

/// Checks a legal move of a position that is not over.
///
/// # Panics
/// At the first law that is broken, naming move and position.
pub fn check_move<G: Notation>(game: &G, position: &G::Position, mv: G::Move) {
    let text = game.position_text(position);
    assert!(mv.code() < G::Move::CODE_LIMIT, "the code of {mv:?} is too large");
    assert_eq!(G::Move::from_code(mv.code()), mv, "code of {mv:?}");
    let word = game.move_text(position, mv);
    assert_eq!(game.parse_move(position, &word), Ok(mv), "move text {word} in {text}");
    let told = game.engine_text(position, mv);
    assert_eq!(game.parse_move(position, &told), Ok(mv), "move text {told} in {text}");
    let line = game.parse_moves(position, &word).expect("a line of one legal move");
    assert_eq!(line, game.after(position, mv), "line {word} in {text}");
    assert_eq!(game.play(position, mv).as_ref(), Ok(&line), "{word} played in {text}");
    let over = game.outcome(&line).is_some();
    assert!(!over || game.play(&line, mv).is_err(), "{word} played after the end, {text}");
}

/// All that is on a board lies within its bounds, and its spots have names.
fn check_board(board: &Board, text: &str) {
    let holds = |area: Area| {
        let (right, bottom) = (area.x + area.width, area.y + area.height);
        area.x >= 0 && area.y >= 0 && right <= board.width && bottom <= board.height
    };
    for shape in &board.shapes {
        let area = extent(shape);
        assert!(area.width >= 0 && area.height >= 0, "{shape:?} of {text} has no size");
        assert!(holds(area), "{shape:?} of {text} is outside of {} x {}", board.width, board.height);
    }
    for Spot { name, area } in &board.spots {
        assert!(!name.is_empty() && area.width > 0 && area.height > 0, "spot {name} of {text}");
        assert!(holds(*area), "spot {name} of {text} is outside");
    }
    let names: HashSet<&str> = board.spots.iter().map(|spot| spot.name.as_str()).collect();
    assert_eq!(names.len(), board.spots.len(), "two spots of {text} have one name");
}

/// The room that something takes on a board.
fn extent(shape: &Shape) -> Area {
    let around =
        |x: i32, y: i32, width: i32, height: i32| Area { x: x - width / 2, y: y - height / 2, width, height };
    match shape {
        Shape::Rectangle { area, .. } => *area,
        Shape::Circle { x, y, radius, .. } => around(*x, *y, 2 * radius, 2 * radius),
        Shape::Line { from, to, .. } => Area {
            x: from.0.min(to.0),
            y: from.1.min(to.1),
            width: (from.0 - to.0).abs(),
            height: (from.1 - to.1).abs(),
        },
        // Letters of most types are about three fifths as wide as high.
        Shape::Text { x, y, size, text, .. } => {
            around(*x, *y, text.chars().count() as i32 * size * 3 / 5, *size)
        }
        Shape::Man { x, y, .. } => around(*x, *y, 100, 100),
    }
}

/// Moves that fall to a threat are those that do one by one. Threats are moves that the opponent has after some move here.
fn check_withstand<G: Notation>(game: &G, position: &G::Position, moves: &[G::Move]) {
    const THREATS: usize = 6;
    let last = game.after(position, moves[moves.len() / 2]);
    let mut threats = Vec::new();
    if game.outcome(&last).is_none() {
        game.moves(&last, &mut threats);
    }
    for threat in threats.iter().step_by(threats.len().div_ceil(THREATS).max(1)) {
        let (mut withstand, mut one_by_one) = (moves.to_vec(), moves.to_vec());
        game.withstand(position, *threat, &mut withstand);
        one_by_one.retain(|mv| !game.falls_to(position, *mv, *threat));
        let text = game.position_text(position);
        assert_eq!(withstand, one_by_one, "moves that do not fall to {threat:?} in {text}");
    }
}

/// Every move is pointed out on the board or none is, and pointing at one place after the other leads to it.
///
/// # Panics
/// At the first law that is broken, naming move and position.
pub fn check_pointing<G: Notation>(game: &G, position: &G::Position, moves: &[G::Move]) {
    let text = game.position_text(position);
    let board = game.board(position);
    let mut pointings: Vec<(String, Pointing)> = Vec::new();
    for mv in moves {
        let word = game.move_text(position, *mv);
        let Some(pointing) = game.pointing(position, *mv) else {
            assert!(board.spots.is_empty(), "{word} in {text} cannot be pointed out");
            continue;
        };
        let Pointing { spots, label: (x, y) } = &pointing;
        assert!(!spots.is_empty(), "{word} in {text} points nowhere");
        assert!(spots.iter().all(|spot| *spot < board.spots.len()), "{word} in {text} points beside");
        let different: HashSet<usize> = spots.iter().copied().collect();
        assert_eq!(different.len(), spots.len(), "{word} in {text} points at a place twice");
        let inside = (0..=board.width).contains(x) && (0..=board.height).contains(y);
        assert!(inside, "the label of {word} in {text} is outside");
        pointings.push((word, pointing));
    }
    pointings.sort_unstable_by(|one, two| one.1.spots.cmp(&two.1.spots));
    // What begins alike is next to each other now.
    for [(one, first), (two, second)] in pointings.array_windows() {
        if first.spots == second.spots {
            assert!(first.spots.len() > 1, "{one} and {two} in {text} point at one place");
            assert_eq!(first.label, second.label, "{one} and {two} in {text} point alike");
        } else {
            let begins = second.spots.starts_with(&first.spots);
            assert!(!begins, "{one} in {text} is complete where {two} goes on");
        }
    }
}

/// How many lines of `depth` moves there are from a position (games that end earlier do not count).
#[must_use]
pub fn perft<G: crate::Game>(game: &G, position: &G::Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if game.outcome(position).is_some() {
        return 0;
    }
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    moves.iter().map(|mv| perft(game, &game.after(position, *mv), depth - 1)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::{Mirrored, random_cyclic, random_dag, random_tree};

    #[test]
    fn random_graphs_keep_the_laws() {
        for seed in 0..200 {
            for graph in [random_tree(seed, 30), random_dag(seed, 20), random_cyclic(seed, 12)] {
                Laws { games: 5, plies_max: 30, seed }.check(&graph);
                Laws::check_values(&graph);
                Laws::check_judge(&graph);
                let mirrored = Mirrored(graph);
                Laws { games: 5, plies_max: 30, seed }.check(&mirrored);
                Laws::check_values(&mirrored);
                Laws::check_judge(&mirrored);
            }
        }
    }

    #[test]
    #[should_panic(expected = "is outside")]
    fn a_text_that_runs_over_the_edge_is_found() {
        let ink = crate::Ink::Label;
        let text = Shape::Text { x: 50, y: 50, size: 40, text: "too long".to_owned(), ink };
        check_board(&Board { width: 100, height: 100, shapes: vec![text], spots: Vec::new() }, "a board");
    }

    #[test]
    #[should_panic(expected = "endless play differs along a cycle")]
    fn a_cycle_with_two_values_is_found() {
        let graph: super::super::Graph = "a max [0]: b\nb min [1]: a".parse().unwrap();
        let _ = Truth::new(&graph, &0);
    }
}
