//! What a null-window search sees of a position: what the game foresees, or what its rules and its other abilities show.

use quod_model::{Abilities, Ahead, Game, Goal, Notes, Player, Relative, Sight, Value};

use crate::table::Key;

pub(super) struct Looks<'g, G: Game> {
    game: &'g G,
    abilities: Abilities<G>,
    moves: Vec<G::Move>,
}

impl<'g, G: Game> Looks<'g, G> {
    pub(super) fn new(game: &'g G) -> Self {
        Self { game, abilities: game.abilities(), moves: Vec::new() }
    }

    /// Whether the order of moves is the game's own. Then it is the same whenever lines of play meet, and to put a move that
    /// was good before in front took more expansions when it was tried.
    pub(super) fn are_ordered(&self) -> bool {
        self.abilities.foresee.is_some()
    }

    /// Looks at a position that is not over: a bound that answers the question, or the moves that matter and what the
    /// player to move gets by the others at the most.
    #[inline]
    pub(super) fn look(
        &mut self,
        position: &G::Position,
        notes: Option<&Notes>,
        at_least: Value,
        sight: &mut Sight<G>,
    ) -> Result<Value, Value> {
        let mover = self.game.to_move(position);
        let mut rest = mover.other().best();
        let Some(foresee) = self.abilities.foresee else {
            let begin = sight.moves.len();
            self.list(position, at_least, sight);
            return sift(&mut sight.moves, None, begin, mover, at_least, &mut rest).ok_or(rest);
        };
        let (lower, upper) = foresee(self.game, position, notes, at_least, sight);
        if lower >= at_least {
            Ok(lower)
        } else if upper < at_least {
            Ok(upper)
        } else {
            Err(sight.rest)
        }
    }

    /// The same of a root, of which one move is wanted: all legal moves, in the game's own order if it has one.
    pub(super) fn list_root(&mut self, root: &G::Position, at_least: Value, sight: &mut Sight<G>) {
        self.list(root, at_least, sight);
        if let Some(foresee) = self.abilities.foresee {
            let mut own = Sight::default();
            foresee(self.game, root, None, at_least, &mut own);
            let place = |ahead: &Ahead<G>| own.moves.iter().position(|other| other.mv == ahead.mv);
            sight.moves.sort_by_key(|ahead| place(ahead).unwrap_or(usize::MAX));
        }
    }

    /// Lists all legal moves, with what rules and judge show behind them, those that look best first.
    fn list(&mut self, position: &G::Position, at_least: Value, sight: &mut Sight<G>) {
        let (game, abilities) = (self.game, &self.abilities);
        let mover = game.to_move(position);
        let begin = sight.moves.len();
        self.moves.clear();
        game.moves(position, &mut self.moves);
        sight.made += self.moves.len() as u64;
        for mv in &self.moves {
            let position = game.after(position, *mv);
            let (lower, upper) = bounds(game, abilities, &position, at_least);
            let promise =
                if lower == upper { 0 } else { promise(game, abilities, &position, mover, at_least) };
            sight.moves.push(Ahead { mv: *mv, position, lower, upper, promise, notes: None });
        }
        sight.moves[begin..].sort_by_key(|ahead| std::cmp::Reverse(ahead.promise));
    }
}

/// Takes out the moves from `begin` on that cannot answer the question for the mover, with their keys if they have any: what the
/// best of them is worth at the most is the rest. The answer, if a move gives it or none is left.
#[inline]
pub(super) fn sift<G: Game>(
    moves: &mut Vec<Ahead<G>>,
    mut keys: Option<&mut Vec<Option<Key>>>,
    begin: usize,
    mover: Player,
    at_least: Value,
    rest: &mut Value,
) -> Option<Value> {
    let mut kept = begin;
    let mut answer = None;
    for at in begin..moves.len() {
        let (least, most) = moves[at].range_for(mover);
        if mover.likes(least, at_least) {
            (kept, answer) = (begin, Some(least));
            break;
        }
        if mover.likes(most, at_least) {
            moves.swap(kept, at);
            if let Some(keys) = &mut keys {
                keys.swap(kept, at);
            }
            kept += 1;
        } else {
            *rest = mover.better(*rest, most);
        }
    }
    moves.truncate(kept);
    if let Some(keys) = keys {
        keys.truncate(kept);
    }
    answer.or((kept == begin).then_some(*rest))
}

/// What rules and a quick judge say of a position.
pub(super) fn bounds<G: Game>(
    game: &G,
    abilities: &Abilities<G>,
    position: &G::Position,
    at_least: Value,
) -> (Value, Value) {
    if let Some(value) = game.outcome(position) {
        return (value, value);
    }
    let (mut lower, mut upper) =
        abilities.bounds.map_or_else(|| game.values(), |bounds| bounds(game, position));
    if let Some(decide) = abilities.decide.filter(|_| abilities.decides_quickly) {
        let goal = Goal::new(Player::First, at_least.seen_by(Player::First));
        match decide(game, position, goal) {
            Some(true) => lower = lower.max(at_least),
            Some(false) => upper = upper.min(at_least.below()),
            None => {}
        }
    }
    (lower, upper)
}

/// How good a position looks to the player who has moved there: by the game's guess, or by how few moves it leaves.
fn promise<G: Game>(
    game: &G,
    abilities: &Abilities<G>,
    position: &G::Position,
    mover: Player,
    at_least: Value,
) -> u32 {
    /// How finely ratios are told apart.
    const UNIT: u64 = 1 << 10;
    let Some(guess) = abilities.guess else { return u32::MAX - game.mobility(position) };
    let (pn, dn) = guess(game, position, Goal::new(mover, wanted(mover, at_least)));
    u32::try_from(u64::from(dn) * UNIT / u64::from(pn.max(1))).unwrap_or(u32::MAX)
}

/// What a player must get for the answer that the player likes.
pub(super) fn wanted(player: Player, at_least: Value) -> Relative {
    match player {
        Player::First => at_least.seen_by(player),
        Player::Second => at_least.below().seen_by(player),
    }
}
