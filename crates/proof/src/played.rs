//! Going through a strategy as it is played: the layout of certificates for games that end and have many replies.
//!
//! Where the claimer wins at once, nothing is stored, kept or counted: with threats, that is after nearly every reply. Positions stand as
//! they are reached, and symmetric ones are only known again; so an answer that is good against many replies is the same move each time, and the
//! one that was made last at the same depth is expected. Where every reply to that one loses at once, nothing is stored at all. A strategy for a game that ends cannot lead around, so that needs no test.

use quod_model::{CanonicalFn, Game, Move, Player, Repetition};
use rustc_hash::FxHashSet;

use crate::claim::Claim;
use crate::traversal::{Refusal, settled};

/// Where the claimer's moves come from, and who watches.
pub(crate) trait Chosen<G: Game> {
    /// The claimer's move in a position that `depth` moves lead to and that is known by `identity`: its place among `moves`, which
    /// are in ascending order. `expected` is the place of the move that was last made at this depth, if it is there.
    fn next(
        &mut self,
        position: &G::Position,
        identity: &G::Position,
        moves: &[G::Move],
        depth: usize,
        expected: Option<usize>,
    ) -> Result<usize, Refusal>;

    /// Told now and then how many positions were gone through; false stops.
    fn goes_on(&mut self, positions: u64) -> bool;
}

struct Frame<G: Game> {
    /// Whether the opponent replies here.
    replies: bool,
    /// The move that the replies were last tried against.
    expected: Option<G::Move>,
    /// Where this frame's moves begin, continue and end in the common buffer.
    begin: usize,
    next: usize,
    end: usize,
}

struct Played<'t, G: Game> {
    game: &'t G,
    claim: Claim,
    mover: Player,
    claimer: Player,
    /// Whether nothing but a win keeps the claim.
    wins_alone: bool,
    canonical: Option<CanonicalFn<G>>,
    /// Positions in which the claimer has a move already.
    known: FxHashSet<G::Position>,
    path: Vec<G::Position>,
    frames: Vec<Frame<G>>,
    moves: Vec<G::Move>,
    /// Room for some of them.
    replies: Vec<G::Move>,
    /// The move that was last made at each depth.
    last: Vec<Option<G::Move>>,
    positions: u64,
}

/// Goes through a strategy and returns how many positions it has. Symmetric positions are one if they are `joined`; if it is `brief`, replies are left out that fall to
/// the move which is expected behind them.
pub(crate) fn play_through<G: Game>(
    game: &G,
    root: &G::Position,
    claim: Claim,
    (joined, brief): (bool, bool),
    source: &mut dyn Chosen<G>,
) -> Result<u64, Refusal> {
    if !matches!(game.repetition(), Repetition::Impossible) {
        return Err(Refusal::Endless);
    }
    let mover = game.to_move(root);
    // What holds for every value of the game needs no strategy.
    match claim.settled_by(game.values(), mover) {
        Some(true) => return Ok(0),
        Some(false) => return Err(Refusal::LeafFails),
        None => {}
    }
    let claimer = claim.claimer(mover);
    let (low, high) = game.values();
    let second = if claimer == Player::First { high.below() } else { low.above() };
    let mut played = Played {
        game,
        claim,
        mover,
        claimer,
        wins_alone: !claim.is_kept_by(second, mover),
        canonical: game.abilities().canonical.filter(|_| joined),
        known: FxHashSet::default(),
        path: Vec::new(),
        frames: Vec::new(),
        moves: Vec::new(),
        replies: Vec::new(),
        last: Vec::new(),
        positions: 0,
    };
    played.enter(root.clone(), source)?;
    while let Some(frame) = played.frames.last() {
        if brief && frame.replies {
            played.drop_fallen();
        }
        let frame = played.frames.last_mut().expect("there is one");
        if frame.next < frame.end {
            let mv = played.moves[frame.next];
            frame.next += 1;
            let here = played.path.last().expect("a frame has a position");
            played.enter(game.after(here, mv), source)?;
        } else {
            let frame = played.frames.pop().expect("it is the last one");
            played.moves.truncate(frame.begin);
            played.path.pop();
        }
    }
    Ok(played.positions)
}

impl<G: Game> Played<'_, G> {
    fn keeps(&self, position: &G::Position) -> Option<bool> {
        settled(self.game, self.claim, self.mover, None, position)
    }

    /// Whether a move of the claimer ends the game, or settles it by the rules, in a way that keeps the claim.
    fn wins_at_once(&self, position: &G::Position) -> bool {
        if self.game.winning_move(position).is_some() {
            return true;
        }
        if self.wins_alone && self.game.abilities().bounds.is_none() {
            return false;
        }
        let mut moves = Vec::new();
        self.game.moves(position, &mut moves);
        moves.into_iter().any(|mv| self.keeps(&self.game.after(position, mv)) == Some(true))
    }

    /// Drops those replies of the last frame that are still to be made and that fall to the move which is expected behind them. With threats, that are nearly all
    /// replies to one that wins with the move after the next.
    fn drop_fallen(&mut self) {
        let expected = self.last.get(self.frames.len()).copied().flatten();
        let frame = self.frames.last_mut().expect("somebody replies");
        if frame.expected == expected {
            return;
        }
        frame.expected = expected;
        if let Some(threat) = expected {
            self.replies.clear();
            self.replies.extend(self.moves.drain(frame.next..));
            let here = self.path.last().expect("a frame has a position");
            self.game.withstand(here, threat, &mut self.replies);
            self.moves.append(&mut self.replies);
            frame.end = self.moves.len();
        }
    }

    fn enter(&mut self, position: G::Position, source: &mut dyn Chosen<G>) -> Result<(), Refusal> {
        match self.keeps(&position) {
            Some(true) => return Ok(()),
            Some(false) => return Err(Refusal::LeafFails),
            None => {}
        }
        let own = self.game.to_move(&position) == self.claimer;
        let mut identity = None;
        if own {
            if self.wins_at_once(&position) {
                return Ok(());
            }
            let place =
                self.canonical.map_or_else(|| position.clone(), |canonical| canonical(self.game, &position));
            if !self.known.insert(place.clone()) {
                return Ok(());
            }
            identity = Some(place);
        }
        self.positions += 1;
        if self.positions.is_multiple_of(1024) && !source.goes_on(self.positions) {
            return Err(Refusal::Interrupted);
        }
        let begin = self.moves.len();
        if own {
            self.game.moves(&position, &mut self.moves);
        } else {
            // After all others the claimer wins at once.
            self.game.unpunished(&position, &mut self.moves);
        }
        self.moves[begin..].sort_unstable_by_key(|mv| mv.code());
        if let Some(identity) = identity {
            let depth = self.frames.len();
            if self.last.len() <= depth {
                self.last.resize(depth + 1, None);
            }
            let legal = &self.moves[begin..];
            let expected = self.last[depth].and_then(|mv| legal.iter().position(|other| *other == mv));
            let choice = source.next(&position, &identity, legal, depth, expected)?;
            let mv = *legal.get(choice).ok_or(Refusal::NoSuchMove)?;
            self.last[depth] = Some(mv);
            self.moves[begin] = mv;
            self.moves.truncate(begin + 1);
        }
        self.path.push(position);
        self.frames.push(Frame { replies: !own, expected: None, begin, next: begin, end: self.moves.len() });
        Ok(())
    }
}
