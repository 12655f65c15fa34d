//! Laws of threats: what a game says of lines is tried against every reply, and against the truth where that can be worked out.

use std::collections::HashSet;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{Laws, Truth};
use crate::{Notation, Outlook, Player, Threats, Value};

/// What came of the lines that a game has found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lines {
    /// Positions that were looked at.
    pub positions: u64,
    /// Wins that hold against every reply.
    pub confirmed: u64,
    /// Those whose replies were too many to be tried.
    pub unfinished: u64,
    /// Positions in which the opponent must answer a line, and every other move loses to it.
    pub answered: u64,
}

/// Positions that are made for one win at the most.
const STEPS_MAX: u32 = 100_000;

impl Laws {
    /// Plays random games of `plies_min` moves at least, and checks what is said of lines of threats in the last position of each, for
    /// both players. Games that end before are played again.
    ///
    /// # Panics
    /// At the first law that is broken, naming the position.
    pub fn check_threats<G: Notation + Threats>(self, game: &G, plies_min: u32) -> Lines {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(self.seed);
        let mut lines = Lines::default();
        let mut games = 0;
        while games < self.games {
            let mut position = game.start();
            for _ in 0..random.random_range(plies_min..=self.plies_max) {
                if game.outcome(&position).is_none() {
                    let moves = moves_of(game, &position);
                    position = game.after(&position, moves[random.random_range(0..moves.len())]);
                }
            }
            if game.outcome(&position).is_none() {
                games += 1;
                lines.positions += 1;
                check_lines(game, &position, &mut lines);
            }
        }
        lines
    }

    /// Checks every position that can be reached from `root`: whoever has a line wins, every answer that helps is among those that are
    /// named, and every move that wins has its stage. For positions small enough to be worked out. Says how many lines there were.
    ///
    /// # Panics
    /// At the first law that is broken, naming the position.
    pub fn check_threat_values<G: Notation + Threats>(game: &G, root: &G::Position) -> u64 {
        let truth = Truth::new(game, root);
        let mut found = 0;
        for (position, value) in truth.iter().filter(|(position, _)| game.outcome(position).is_none()) {
            let told = || game.position_text(position);
            let mover = game.to_move(position);
            check_stages(game, position, &truth);
            for attacker in [Player::First, Player::Second] {
                let mut line = Vec::new();
                if !game.threat_line(position, attacker, &mut line, &mut 0) {
                    continue;
                }
                found += 1;
                if attacker == mover {
                    assert_eq!(
                        value,
                        best(game, attacker),
                        "{attacker:?} does not win by {line:?}: {}",
                        told()
                    );
                    continue;
                }
                let mut answers = Vec::new();
                game.answers(position, attacker, &line, &mut answers);
                for mv in moves_of(game, position).into_iter().filter(|mv| !answers.contains(mv)) {
                    let next = game.after(position, mv);
                    let lost = truth.value(&next) == best(game, attacker);
                    let wins = game.outcome(&next) == Some(best(game, mover));
                    assert!(
                        lost || wins,
                        "{mv:?} stops {line:?} of {attacker:?}, and is no answer: {}",
                        told()
                    );
                }
            }
        }
        found
    }
}

fn best<G: Threats>(game: &G, player: Player) -> Value {
    let (low, high) = game.values();
    player.better(low, high)
}

fn moves_of<G: Threats>(game: &G, position: &G::Position) -> Vec<G::Move> {
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    moves
}

/// Every move that wins has its stage, and no weight says that something is settled.
fn check_stages<G: Notation + Threats>(game: &G, position: &G::Position, truth: &Truth<G>) {
    let told = || game.position_text(position);
    let (mut staged, mut stage) = (Vec::new(), 0);
    while game.attacks(position, stage, &mut staged) {
        let (win, failure) = game.weigh_later(position, stage);
        assert!(win > 0 && failure > 0, "what is held back behind stage {stage}: {}", told());
        stage += 1;
    }
    for outlook in [Outlook::Attacking, Outlook::Threatening(1), Outlook::Quiet] {
        let (win, failure) = game.weigh(position, outlook);
        assert!(win > 0 && failure > 0, "{outlook:?}: {}", told());
    }
    let moves = moves_of(game, position);
    assert!(staged.iter().all(|mv| moves.contains(mv)), "{staged:?} are not all legal: {}", told());
    let mover = game.to_move(position);
    // Whoever wins at once needs no other move.
    if game.winning_move(position).is_some() {
        let wins = |mv: &G::Move| truth.value(&game.after(position, *mv)) == best(game, mover);
        return assert!(staged.iter().any(wins), "{staged:?} do not win: {}", told());
    }
    for mv in moves.iter().filter(|mv| !staged.contains(mv)) {
        let value = truth.value(&game.after(position, *mv));
        assert!(value != best(game, mover), "{mv:?} wins and has no stage: {}", told());
    }
}

fn check_lines<G: Notation + Threats>(game: &G, position: &G::Position, lines: &mut Lines) {
    let told = || game.position_text(position);
    let mover = game.to_move(position);
    for attacker in [Player::First, Player::Second] {
        let (mut line, mut again) = (Vec::new(), Vec::new());
        let found = game.threat_line(position, attacker, &mut line, &mut 0);
        assert_eq!(game.threat_line(position, attacker, &mut again, &mut 0), found, "{}", told());
        if !found {
            continue;
        }
        assert_eq!(again, line, "two lines of {attacker:?}: {}", told());
        assert!(!line.is_empty(), "{attacker:?} has an empty line: {}", told());
        let mut walk = Walk { game, attacker, known: HashSet::new(), steps: 0, told: &told };
        let mut finished = true;
        if attacker == mover {
            let replays = game.replays(position, &line, &mut 0);
            assert!(replays.is_some(), "{line:?} of {attacker:?} does not replay: {}", told());
            finished = walk.attack(position, &line);
        } else {
            let mut answers = Vec::new();
            game.answers(position, attacker, &line, &mut answers);
            let moves = moves_of(game, position);
            assert!(answers.iter().all(|mv| moves.contains(mv)), "{answers:?} to {line:?}: {}", told());
            for mv in moves {
                let next = game.after(position, mv);
                if game.outcome(&next) == Some(best(game, mover)) {
                    continue;
                }
                let replays = game.outcome(&next).is_none() && game.replays(&next, &line, &mut 0).is_some();
                let named = answers.contains(&mv);
                assert!(replays || named, "{mv:?} stops {line:?} and is no answer: {}", told());
                finished &= !replays || walk.attack(&next, &line);
            }
            lines.answered += 1;
        }
        *(if finished { &mut lines.confirmed } else { &mut lines.unfinished }) += 1;
    }
}

/// A win played out against every reply.
struct Walk<'w, G: Threats> {
    game: &'w G,
    attacker: Player,
    /// Positions that are won, with the attacker to move.
    known: HashSet<G::Position>,
    steps: u32,
    /// The position that it began with.
    told: &'w dyn Fn() -> String,
}

impl<G: Notation + Threats> Walk<'_, G> {
    /// Plays on in a position in which the attacker is to move: wins at once, or goes on with a line that replays, or with another one.
    /// False if there is too much to do.
    fn attack(&mut self, position: &G::Position, line: &[G::Move]) -> bool {
        let Self { game, attacker, told, .. } = *self;
        let here = || format!("{} from {}", game.position_text(position), told());
        assert_eq!(game.outcome(position), None, "{attacker:?} has not won: {}", here());
        let moves = moves_of(game, position);
        let wins = |mv: &G::Move| game.outcome(&game.after(position, *mv)) == Some(best(game, attacker));
        if moves.iter().any(wins) || !self.known.insert(position.clone()) {
            return true;
        }
        let replays = game.replays(position, line, &mut 0);
        let mut fresh = Vec::new();
        let (first, line) = match replays {
            Some(first) if line.first() == Some(&first) => (first, &line[1..]),
            Some(first) => (first, line),
            None => {
                let found = game.threat_line(position, attacker, &mut fresh, &mut 0);
                assert!(found, "{attacker:?} has no line any more: {}", here());
                (fresh[0], &fresh[1..])
            }
        };
        assert!(moves.contains(&first), "{first:?} is not legal: {}", here());
        let next = game.after(position, first);
        if game.to_move(&next) == attacker {
            return self.attack(&next, line);
        }
        assert_eq!(game.outcome(&next), None, "{attacker:?} has not won by {first:?}: {}", here());
        moves_of(game, &next).into_iter().all(|reply| {
            self.steps += 1;
            self.steps < STEPS_MAX && self.attack(&game.after(&next, reply), line)
        })
    }
}
