//! A search for a good move in little time: alpha-beta that deepens ply by ply (the proposer of a tournament player, Allis, van
//! der Meulen and van den Herik 1994, sections 6.3 and 7.3).
//!
//! What it says is an opinion and never a proof. Ends of games and exact values from outside count as what they are; a position
//! that was there before counts as endless play; behind the horizon the middle of what the rules leave possible counts, with a
//! little of the game's own guess. Of equal scores the one that comes sooner is better, so that who wins gets on with it.
//!
//! Moves are tried in this order: the one that the table remembers, those that convert, those that refuted a sister, and the
//! others by how often they were best. As everywhere, `advance` does a slice of work on a stack of its own.

mod table;
#[cfg(test)]
mod tests;

use quod_model::{Abilities, Game, Goal, Move, Oracle, Player, Relative, Repetition, Value};

pub use table::PlayTable;

use crate::limits::Budget;
use table::{Found, Kind};

/// Scores for one of value: what is left tells guesses apart, and sooner from later.
const UNIT: i64 = 1 << 12;
/// No search is deeper.
const DEPTH_MAX: u8 = 120;
/// Places for counts of good moves, for each player.
const COUNTS: usize = 1 << 11;

/// Where a playing search stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thinking {
    /// The steps of this call are used up.
    Running,
    /// Every line of play has come to an end, or the search is as deep as it can be: more time changes nothing.
    Finished,
    /// The limit of nodes is reached.
    OutOfNodes,
}

/// A move and what the search thinks of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Proposal<M> {
    /// The move.
    pub mv: M,
    /// What its mover will get, in values of the game. An opinion.
    pub score: f64,
    /// How many plies the last complete iteration has looked ahead.
    pub depth: u32,
}

/// A place of the path.
struct Frame<G: Game> {
    position: G::Position,
    key: u128,
    mover: Player,
    /// Its moves among those of all frames.
    begin: usize,
    next: usize,
    end: usize,
    /// The window for its mover when it was entered, and the best score so far.
    alpha: i64,
    beta: i64,
    best: i64,
    best_move: Option<G::Move>,
    depth: u8,
    whole: bool,
    /// Whether a move on the way here from the root has converted.
    converted: bool,
}

/// The search of one move.
pub struct PlaySearch<'s, G: Game> {
    game: &'s G,
    abilities: Abilities<G>,
    oracle: Option<&'s dyn Oracle<G>>,
    /// Whether exact values count only behind a move that converts: within what they know they do not tell how to get on.
    oracle_behind_conversions: bool,
    table: PlayTable,
    root: G::Position,
    /// Keys of positions that were there before.
    earlier: Vec<u128>,
    /// The moves to choose from, the best ones first.
    candidates: Vec<G::Move>,
    frames: Vec<Frame<G>>,
    moves: Vec<G::Move>,
    ranks: Vec<(u32, G::Move)>,
    /// Moves that refuted sisters, for every ply.
    killers: Vec<[Option<G::Move>; 2]>,
    counts: Vec<u32>,
    depth: u8,
    found: Option<Proposal<G::Move>>,
    is_finished: bool,
    nodes: u64,
}

impl<'s, G: Game> PlaySearch<'s, G> {
    /// A search of the best of `candidates`, which are legal moves of `root`, at least one. `earlier` are positions that were
    /// there before and can come again.
    #[must_use]
    pub fn new(
        game: &'s G,
        root: G::Position,
        earlier: &[G::Position],
        candidates: Vec<G::Move>,
        oracle: Option<&'s dyn Oracle<G>>,
        mut table: PlayTable,
    ) -> Self {
        assert!(!candidates.is_empty(), "there is a move to choose");
        table.grow_older();
        let abilities = game.abilities();
        let repeats = matches!(game.repetition(), Repetition::Worth(_));
        let known = oracle.is_some_and(|oracle| oracle.value(game, &root).is_some());
        Self {
            game,
            abilities,
            oracle,
            oracle_behind_conversions: known && repeats && abilities.converts.is_some(),
            table,
            earlier: earlier.iter().filter(|_| repeats).map(|position| game.key(position)).collect(),
            root,
            candidates,
            frames: Vec::new(),
            moves: Vec::new(),
            ranks: Vec::new(),
            killers: Vec::new(),
            counts: vec![0; 2 * COUNTS],
            depth: 0,
            found: None,
            is_finished: false,
            nodes: 0,
        }
    }

    /// Goes on until the budget is used up or there is nothing left to find out.
    pub fn advance(&mut self, budget: Budget) -> Thinking {
        for _ in 0..budget.steps_max {
            if self.is_finished {
                return Thinking::Finished;
            }
            if self.nodes >= budget.nodes_max {
                return Thinking::OutOfNodes;
            }
            self.step();
        }
        if self.is_finished { Thinking::Finished } else { Thinking::Running }
    }

    /// The best move so far: that of the last complete iteration, unless the one under way has found a better one. Before
    /// anything is found, the first candidate.
    #[must_use]
    pub fn proposal(&self) -> Proposal<G::Move> {
        let depth = u32::from(self.depth.saturating_sub(u8::from(!self.frames.is_empty())));
        let under_way = self.frames.first().and_then(|root| {
            // The move that was best before comes first: what is found beside it is better.
            let mv = root.best_move?;
            Some(Proposal { mv, score: root.best as f64 / UNIT as f64, depth })
        });
        let first = Proposal { mv: self.candidates[0], score: 0.0, depth: 0 };
        under_way.or(self.found).unwrap_or(first)
    }

    /// Positions generated by making a move.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Ends the search; what it remembers serves the next one.
    #[must_use]
    pub fn into_table(self) -> PlayTable {
        self.table
    }

    fn step(&mut self) {
        let Some(frame) = self.frames.last() else { return self.begin() };
        if frame.next == frame.end || frame.best >= frame.beta {
            return self.leave();
        }
        let mv = self.moves[frame.next];
        let mover = frame.mover;
        let position = self.game.after(&frame.position, mv);
        let convert = |converts: quod_model::ConvertsFn<G>| converts(self.game, &frame.position, mv);
        let converted = frame.converted
            || (self.oracle_behind_conversions && self.abilities.converts.is_some_and(convert));
        // The window of the child, as its mover sees it.
        let (alpha, beta) = (frame.alpha.max(frame.best), frame.beta);
        let depth = frame.depth - 1;
        self.nodes += 1;
        let own = self.game.to_move(&position) == mover;
        let (alpha, beta) = if own { (alpha, beta) } else { (-beta, -alpha) };
        let Some((score, whole)) = self.look(position, depth, alpha, beta, converted) else { return };
        self.take(if own { score } else { -score }, whole);
    }

    /// Begins the next iteration.
    fn begin(&mut self) {
        self.depth += 1;
        self.counts.iter_mut().for_each(|count| *count /= 2);
        self.moves.clone_from(&self.candidates);
        let mover = self.game.to_move(&self.root);
        self.frames.push(Frame {
            position: self.root.clone(),
            key: self.game.key(&self.root),
            mover,
            begin: 0,
            next: 0,
            end: self.moves.len(),
            alpha: -i64::MAX,
            beta: i64::MAX,
            best: -i64::MAX,
            best_move: None,
            depth: self.depth,
            whole: true,
            converted: false,
        });
    }

    /// The score of a position for its mover and whether that is final, if it is known; or else a new frame for it.
    fn look(
        &mut self,
        position: G::Position,
        depth: u8,
        alpha: i64,
        beta: i64,
        converted: bool,
    ) -> Option<(i64, bool)> {
        let (game, ply) = (self.game, self.frames.len() as i64);
        let mover = game.to_move(&position);
        let exact = |value: Value| Some((sooner(i64::from(value.seen_by(mover).0) * UNIT, ply), true));
        if let Some(value) = game.outcome(&position) {
            return exact(value);
        }
        let key = game.key(&position);
        if let Repetition::Worth(worth) = game.repetition()
            && (self.frames.iter().any(|frame| frame.key == key) || self.earlier.contains(&key))
        {
            return exact(worth(game, &position));
        }
        if (converted || !self.oracle_behind_conversions)
            && let Some(value) = self.oracle.and_then(|oracle| oracle.value(game, &position))
        {
            return exact(value);
        }
        if depth == 0 {
            return Some((sooner(self.guess(&position, mover), ply), false));
        }
        let entry = self.table.get(key).copied();
        if let Some(entry) = entry.filter(|entry| entry.depth >= depth || entry.whole) {
            let score = sooner(entry.score, ply);
            let decides = match entry.kind {
                Kind::Exact => true,
                Kind::AtLeast => score >= beta,
                Kind::AtMost => score <= alpha,
            };
            if decides {
                return Some((score, entry.whole));
            }
        }
        let begin = self.moves.len();
        game.moves(&position, &mut self.moves);
        self.order(&position, mover, begin, entry.map(|entry| entry.code));
        self.frames.push(Frame {
            position,
            key,
            mover,
            begin,
            next: begin,
            end: self.moves.len(),
            alpha,
            beta,
            best: -i64::MAX,
            best_move: None,
            depth,
            whole: true,
            converted,
        });
        None
    }

    /// What a position at the horizon looks like.
    fn guess(&self, position: &G::Position, mover: Player) -> i64 {
        let bounds =
            self.abilities.bounds.map_or((Value::DRAW, Value::DRAW), |bounds| bounds(self.game, position));
        let middle = (i64::from(bounds.0.seen_by(mover).0) + i64::from(bounds.1.seen_by(mover).0)) * UNIT / 2;
        let Some(guess) = self.abilities.guess else { return middle };
        let (pn, dn) = guess(self.game, position, Goal::new(mover, Relative(1)));
        let (pn, dn) = (i64::from(pn), i64::from(dn));
        middle + (dn - pn) * (UNIT / 4) / (dn + pn).max(1)
    }

    /// Sorts the moves of a new frame.
    fn order(&mut self, position: &G::Position, mover: Player, begin: usize, remembered: Option<u32>) {
        let killers = self.killers.get(self.frames.len()).copied().unwrap_or_default();
        self.ranks.clear();
        for mv in &self.moves[begin..] {
            let converts =
                || self.abilities.converts.is_some_and(|converts| converts(self.game, position, *mv));
            let rank = if remembered == Some(mv.code()) {
                0
            } else if converts() {
                1
            } else if killers.contains(&Some(*mv)) {
                2
            } else {
                u32::MAX - self.counts[count_place(mover, *mv)]
            };
            self.ranks.push((rank, *mv));
        }
        self.ranks.sort_by_key(|(rank, _)| *rank);
        for (place, (_, mv)) in self.moves[begin..].iter_mut().zip(&self.ranks) {
            *place = *mv;
        }
    }

    /// Takes the score of the move that the last frame looks at.
    fn take(&mut self, score: i64, whole: bool) {
        let frame = self.frames.last_mut().expect("somebody has moved");
        frame.whole &= whole;
        if score > frame.best {
            frame.best = score;
            frame.best_move = Some(self.moves[frame.next]);
        }
        frame.next += 1;
    }

    /// Goes back from the last frame, whose moves are searched or need not be.
    fn leave(&mut self) {
        let frame = self.frames.pop().expect("there is a frame to leave");
        self.moves.truncate(frame.begin);
        let best_move = frame.best_move.expect("a frame has a move");
        let ply = self.frames.len();
        let kind = if frame.best >= frame.beta {
            Kind::AtLeast
        } else if frame.best > frame.alpha {
            Kind::Exact
        } else {
            Kind::AtMost
        };
        let score = later(frame.best, ply as i64);
        if ply > 0 {
            let (code, depth) = (best_move.code(), frame.depth);
            self.table.put(frame.key, Found { score, code, depth, kind, whole: frame.whole });
        }
        if kind != Kind::AtMost {
            self.remember(ply, frame.mover, best_move, frame.depth);
        }
        let Some(above) = self.frames.last() else { return self.end(&frame, best_move) };
        let score = if above.mover == frame.mover { frame.best } else { -frame.best };
        self.take(score, frame.whole);
    }

    /// A move was good: it is tried earlier elsewhere.
    fn remember(&mut self, ply: usize, mover: Player, mv: G::Move, depth: u8) {
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [None; 2]);
        }
        let killers = &mut self.killers[ply];
        if killers[0] != Some(mv) {
            killers[1] = killers[0].replace(mv);
        }
        let count = &mut self.counts[count_place(mover, mv)];
        // Below the ranks of everything else.
        *count = count.saturating_add(u32::from(depth) * u32::from(depth)).min(u32::MAX - 3);
    }

    /// Ends an iteration.
    fn end(&mut self, root: &Frame<G>, best: G::Move) {
        let place = self.candidates.iter().position(|mv| *mv == best).expect("it is one of them");
        self.candidates[..=place].rotate_right(1);
        let depth = u32::from(self.depth);
        self.found = Some(Proposal { mv: best, score: root.best as f64 / UNIT as f64, depth });
        self.is_finished = root.whole || self.depth == DEPTH_MAX || self.candidates.len() == 1;
    }
}

/// A score of a position as it counts that many plies above it.
fn sooner(score: i64, plies: i64) -> i64 {
    score - score.signum() * plies.min(score.abs())
}

/// The way back.
fn later(score: i64, plies: i64) -> i64 {
    score + score.signum() * plies
}

fn count_place<M: Move>(mover: Player, mv: M) -> usize {
    let half = if mover == Player::First { 0 } else { COUNTS };
    half + mv.code() as usize % COUNTS
}
