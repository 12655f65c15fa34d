//! Null-window search (de Bruin, Pijls and Plaat 1994, figure 4) on a table, for games in which no position comes again.
//!
//! One question, "does First get at least this?", is answered depth first. A place returns a bound that answers it, often a
//! better one than was asked for (the paper's postcondition 4). What makes it fast:
//!
//! - Moves that bounds answer the question for are not searched: a good one ends the place, bad ones are left out. The bounds are
//!   what the game foresees, and what the table has of every position behind a move (enhanced transposition cut-offs).
//! - A place with one move left is its only continuation: no frame, no entry of the table.
//! - Places of a ply below which little work is done, on average, do without the table: asking it would cost more. Where it is
//!   asked, its line is on the way while the game looks.
//!
//! The order of moves is the game's, and fixed wherever it can be: where lines of play prefer the same moves they meet more often.

use quod_model::{CanonicalFn, Game, Move, Notes, Player, Sight, StopReason, Value};

use super::looks::{Looks, sift};
use crate::limits::Counters;
use crate::table::{Fact, Key, NOT_REFUTED, Table};

/// The average work below places of a ply, in expansions, from which on they have entries in the table (`--bench scores`).
const WORTH_AN_ENTRY: u64 = 4;
/// And from which on the table is asked about all places behind their moves.
const WORTH_ASKING: u64 = 32;

/// A place of the path with a choice.
struct Frame {
    mover: Player,
    /// Where its moves begin among all, and the next one.
    begin: usize,
    next: usize,
    /// The best that the mover gets by what is searched or left out.
    value: Value,
    /// What it becomes on the way up to the frame above.
    within: Within,
    /// Its key, if it uses the table.
    key: Option<Key>,
    ply: usize,
    /// Expansions before it.
    expansions: u64,
}

/// What a position is known by in the table; with `canonical`, symmetric ones by the same.
#[inline]
pub(super) fn key<G: Game>(game: &G, position: &G::Position, canonical: Option<CanonicalFn<G>>) -> Key {
    Key::new(match canonical {
        Some(canonical) => game.key(&canonical(game, position)),
        None => game.key(position),
    })
}

/// What an entry of the table says in a game whose smallest value is `lowest`.
#[inline]
pub(super) fn bounds_of(fact: Fact, lowest: Value) -> (Value, Value) {
    let lower = Value(lowest.0 + i32::from(fact.proven));
    if fact.refuted == NOT_REFUTED {
        return (lower, Player::First.best());
    }
    (lower, Value(lowest.0 + i32::from(fact.refuted)).below())
}

/// The work below places, in expansions.
#[derive(Clone, Copy, Default)]
struct Work {
    sum: u64,
    places: u64,
    average: u64,
}

/// What a value is kept within on its way up a line of places with one move left each: what was left out is worth so much.
#[derive(Clone, Copy)]
struct Within {
    lower: Value,
    upper: Value,
}

impl Within {
    fn anything() -> Self {
        Self { lower: Player::Second.best(), upper: Player::First.best() }
    }

    #[inline]
    fn keep(self, value: Value) -> Value {
        value.max(self.lower).min(self.upper)
    }

    /// The same from below a place of `mover`, who gets `rest` in any case.
    #[inline]
    fn below(self, mover: Player, rest: Value) -> Self {
        match mover {
            Player::First => Self { lower: self.keep(rest), ..self },
            Player::Second => Self { upper: self.keep(rest), ..self },
        }
    }
}

/// A place to look at.
struct Place<G: Game> {
    position: G::Position,
    notes: Option<Notes>,
    /// Its key, if the place above uses the table.
    key: Option<Key>,
    ply: usize,
}

/// What came of looking at a place.
enum Entered {
    /// A bound that answers the question.
    Answer(Value),
    /// A new frame.
    Frame,
    /// Nothing: the limit of nodes is too near.
    Stopped,
}

pub(super) struct NullWindow<'g, G: Game> {
    game: &'g G,
    looks: Looks<'g, G>,
    canonical: Option<CanonicalFn<G>>,
    /// The smallest value of the game.
    lowest: Value,
    at_least: Value,
    /// The moves of all frames, with the keys of the positions behind them.
    sight: Sight<G>,
    keys: Vec<Option<Key>>,
    frames: Vec<Frame>,
    /// For every ply, how much work there is below its places.
    works: Vec<Work>,
    /// The average work from which on places have entries of the table, and ask it about what is behind their moves.
    worth: (u64, u64),
    expansions: u64,
    /// The move that answers the question for the player to move at the root.
    root_move: Option<G::Move>,
}

impl<'g, G: Game> NullWindow<'g, G> {
    pub(super) fn new(game: &'g G, symmetric: bool) -> Self {
        Self {
            game,
            looks: Looks::new(game),
            canonical: game.abilities().canonical.filter(|_| symmetric),
            lowest: game.values().0,
            at_least: game.values().0,
            sight: Sight::default(),
            keys: Vec::new(),
            frames: Vec::new(),
            works: Vec::new(),
            worth: (WORTH_AN_ENTRY, WORTH_ASKING),
            expansions: 0,
            root_move: None,
        }
    }

    #[cfg(test)]
    pub(super) fn use_table_from(&mut self, worth: (u64, u64)) {
        self.worth = worth;
    }

    pub(super) fn root_move(&self) -> Option<u32> {
        self.root_move.map(Move::code)
    }

    /// How many moves at the root were searched, and how many there are to search.
    pub(super) fn root_moves(&self) -> (usize, usize) {
        let end = self.frames.get(1).map_or(self.sight.moves.len(), |frame| frame.begin);
        (self.frames.first().map_or(0, |frame| frame.next.saturating_sub(1)), end)
    }

    /// How many moves the search stands below the root.
    pub(super) fn depth(&self) -> usize {
        self.frames.last().map_or(0, |frame| frame.ply)
    }

    pub(super) fn counters(&self, table: &Table) -> Counters {
        let frames = self.frames.capacity() * size_of::<Frame>() + self.works.capacity() * size_of::<Work>();
        let moves = self.sight.moves.capacity() * size_of::<quod_model::Ahead<G>>();
        let keys = self.keys.capacity() * size_of::<Option<Key>>();
        Counters {
            nodes: self.sight.made,
            expansions: self.expansions,
            updates: self.expansions,
            peak_nodes: table.fill().0 + 1,
            memory_bytes: table.bytes() + (frames + moves + keys) as u64,
            ..Counters::default()
        }
    }

    /// Begins to ask about a root that is not over. All its moves are looked at: one of them is wanted.
    pub(super) fn begin(
        &mut self,
        root: &G::Position,
        at_least: Value,
        nodes_max: u64,
    ) -> Result<Option<Value>, StopReason> {
        debug_assert!(self.frames.is_empty());
        (self.at_least, self.root_move, self.sight.made_max) = (at_least, None, nodes_max);
        if !self.may_look(root, nodes_max) {
            return Err(StopReason::Nodes);
        }
        self.expansions += 1;
        self.looks.list_root(root, at_least, &mut self.sight);
        let mover = self.game.to_move(root);
        let good = self.sight.moves.iter().find(|ahead| mover.likes(ahead.range_for(mover).0, at_least));
        self.root_move = good.map(|ahead| ahead.mv);
        let mut rest = mover.other().best();
        let answer = sift(&mut self.sight.moves, None, 0, mover, at_least, &mut rest);
        if answer.is_none() {
            self.keys.resize(self.sight.moves.len(), None);
            self.push(mover, 0, rest, Within::anything(), None, 0);
        }
        Ok(answer)
    }

    /// Takes one step: the answer if there is one.
    pub(super) fn step(&mut self, table: &mut Table, nodes_max: u64) -> Result<Option<Value>, StopReason> {
        self.sight.made_max = nodes_max;
        let frame = self.frames.last_mut().expect("a search under way has a frame");
        let Some(child) = self.sight.moves.get(frame.next) else { return Ok(self.leave(table)) };
        let place = Place {
            position: child.position.clone(),
            notes: child.notes,
            key: self.keys[frame.next],
            ply: frame.ply + 1,
        };
        frame.next += 1;
        match self.enter(table, place, nodes_max) {
            Entered::Frame => Ok(None),
            Entered::Answer(value) if self.take(value) => Ok(self.leave(table)),
            Entered::Answer(_) => Ok(None),
            Entered::Stopped => {
                self.frames.last_mut().expect("it was there").next -= 1;
                Err(StopReason::Nodes)
            }
        }
    }

    /// Takes the answer for the last move of the last frame: whether it answers for the frame.
    #[inline]
    fn take(&mut self, value: Value) -> bool {
        let frame = self.frames.last_mut().expect("somebody is above");
        frame.value = frame.mover.better(frame.value, value);
        let answers = frame.mover.likes(value, self.at_least);
        if answers && frame.ply == 0 {
            self.root_move = Some(self.sight.moves[frame.next - 1].mv);
        }
        answers
    }

    /// Leaves the last frame and those above that this answers for; the answer for the root if it goes so far.
    fn leave(&mut self, table: &mut Table) -> Option<Value> {
        loop {
            let frame = self.frames.pop().expect("there is a frame to leave");
            let best =
                if frame.mover.likes(frame.value, self.at_least) { frame.next - 1 } else { frame.begin };
            if let Some(key) = frame.key {
                self.store(table, key, &frame, self.keys[best].map_or(0, Key::tag));
            }
            self.sight.moves.truncate(frame.begin);
            self.keys.truncate(frame.begin);
            self.learn(&frame);
            let value = frame.within.keep(frame.value);
            if self.frames.is_empty() {
                return Some(value);
            }
            if !self.take(value) {
                return None;
            }
        }
    }

    fn store(&mut self, table: &mut Table, key: Key, frame: &Frame, best: u16) {
        let number = |value: Value| u16::try_from(value.0 - self.lowest.0).expect("values are few");
        let (proven, refuted) = if frame.value >= self.at_least {
            (number(frame.value), NOT_REFUTED)
        } else {
            (0, number(frame.value.above()))
        };
        let fact = Fact { proven, refuted, rank: best };
        let more = table.store_bounds(key, fact, self.expansions - frame.expansions);
        table.count(more);
        if table.wants_to_grow() {
            table.grow();
        }
    }

    /// Learns how much work there is below places of a ply, in the long run by the last thousand.
    fn learn(&mut self, frame: &Frame) {
        let Work { sum, places, average } = &mut self.works[frame.ply];
        *sum += self.expansions - frame.expansions;
        *places += 1;
        *average = *sum / *places;
        if *places == 1 << 10 {
            (*sum, *places) = (*sum / 2, *places / 2);
        }
    }

    fn bounds_of(&self, fact: Fact) -> (Value, Value) {
        bounds_of(fact, self.lowest)
    }

    fn key(&self, position: &G::Position) -> Key {
        key(self.game, position, self.canonical)
    }

    /// The one of two bounds that answers the question, if one does.
    #[inline]
    fn answer(&self, (lower, upper): (Value, Value)) -> Option<Value> {
        if lower >= self.at_least { Some(lower) } else { (upper < self.at_least).then_some(upper) }
    }

    #[inline]
    fn may_look(&self, position: &G::Position, nodes_max: u64) -> bool {
        /// More moves than a position has, so that they are not counted for nothing.
        const MANY: u64 = 1 << 20;
        let left = nodes_max.saturating_sub(self.sight.made);
        left > MANY || u64::from(self.game.mobility(position)) <= left
    }

    /// Looks at a place, and on along moves without a choice.
    fn enter(&mut self, table: &mut Table, mut place: Place<G>, nodes_max: u64) -> Entered {
        let begin = self.sight.moves.len();
        let mut within = Within::anything();
        loop {
            let work = self.work_below(place.ply);
            let mut key = place.key;
            if let Some(key) = key {
                if let Some(value) = self.known(table, key) {
                    return Entered::Answer(within.keep(value));
                }
            } else if work >= self.worth.0 {
                // It takes as long to come as the game takes to look.
                let own = self.key(&place.position);
                table.prefetch(own);
                key = Some(own);
            }
            if !self.may_look(&place.position, nodes_max) {
                return Entered::Stopped;
            }
            self.expansions += 1;
            let mut rest = match self.looks.look(
                &place.position,
                place.notes.as_ref(),
                self.at_least,
                &mut self.sight,
            ) {
                Ok(value) => return Entered::Answer(within.keep(value)),
                Err(rest) => rest,
            };
            let mover = self.game.to_move(&place.position);
            if self.sight.moves.len() == begin + 1 {
                let only = self.sight.moves.pop().expect("there is one");
                within = within.below(mover, rest);
                place = Place { position: only.position, notes: only.notes, key: None, ply: place.ply + 1 };
                continue;
            }
            if place.key.is_none()
                && let Some(key) = key
                && let Some(value) = self.known(table, key)
            {
                self.sight.moves.truncate(begin);
                return Entered::Answer(within.keep(value));
            }
            let asks = work >= self.worth.1;
            if asks && let Some(value) = self.ask(table, begin, key, mover, &mut rest) {
                self.sight.moves.truncate(begin);
                self.keys.truncate(begin);
                return Entered::Answer(within.keep(value));
            }
            if !asks {
                self.keys.resize(self.sight.moves.len(), None);
            }
            self.push(mover, begin, rest, within, key, place.ply);
            return Entered::Frame;
        }
    }

    /// The average work below places of a ply.
    #[inline]
    fn work_below(&mut self, ply: usize) -> u64 {
        if self.works.len() <= ply {
            self.works.resize(ply + 1, Work::default());
        }
        self.works[ply].average
    }

    fn known(&self, table: &Table, key: Key) -> Option<Value> {
        table.fact(key).and_then(|fact| self.answer(self.bounds_of(fact)))
    }

    /// Asks the table about the places behind moves: the answer, if it has one.
    fn ask(
        &mut self,
        table: &Table,
        begin: usize,
        own: Option<Key>,
        mover: Player,
        rest: &mut Value,
    ) -> Option<Value> {
        for at in begin..self.sight.moves.len() {
            let key = self.key(&self.sight.moves[at].position);
            table.prefetch(key);
            self.keys.push(Some(key));
        }
        for at in begin..self.sight.moves.len() {
            if let Some(fact) = self.keys[at].and_then(|key| table.fact(key)) {
                let (lower, upper) = self.bounds_of(fact);
                let child = &mut self.sight.moves[at];
                (child.lower, child.upper) = (child.lower.max(lower), child.upper.min(upper));
            }
        }
        let answer = sift(&mut self.sight.moves, Some(&mut self.keys), begin, mover, self.at_least, rest);
        if answer.is_none()
            && !self.looks.are_ordered()
            && let Some(Fact { rank: tag, .. }) = own.and_then(|own| table.fact(own))
        {
            let best = self.keys[begin..].iter().position(|key| key.is_some_and(|key| key.tag() == tag));
            let end = begin + best.unwrap_or(0);
            self.sight.moves[begin..=end].rotate_right(1);
            self.keys[begin..=end].rotate_right(1);
        }
        answer
    }

    fn push(
        &mut self,
        mover: Player,
        begin: usize,
        value: Value,
        within: Within,
        key: Option<Key>,
        ply: usize,
    ) {
        if self.works.len() <= ply {
            self.works.resize(ply + 1, Work::default());
        }
        let expansions = self.expansions;
        self.frames.push(Frame { mover, begin, next: begin, value, within, key, ply, expansions });
    }
}
