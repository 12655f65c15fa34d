//! The naive checker: reads the strategy recursively, makes a game of it in which the claimer has no choice, and works out that
//! game's value by fixed point. It shares with the checker what a file means, and nothing of how it is judged.

use std::collections::HashMap;

use quod_model::testkit::{Graph, Truth};
use quod_model::{CanonicalFn, Move, Notation, Oracle, Player, Repetition, Value};

use crate::{Certificate, Claim, Layout, Part, Relation};

/// Whether a certificate shows what it claims. `oracle` is the database that it leans on, if it is at hand.
pub fn naive_check<G: Notation>(game: &G, certificate: &Certificate, oracle: Option<&dyn Oracle<G>>) -> bool {
    let oracle = match (certificate.cites, oracle) {
        (None, _) => None,
        (Some(cited), Some(oracle)) if oracle.cite() == cited => Some(oracle),
        (Some(_), _) => return false,
    };
    let relations: Vec<Relation> = certificate.parts.iter().map(|part| part.claim.relation).collect();
    let whole = certificate.game == game.game_text()
        && certificate.rules_version == game.rules_version()
        && matches!(relations[..], [_] | [Relation::AtLeast, Relation::AtMost]);
    let Ok(root) = game.parse_position(&certificate.root) else { return false };
    let canonical = game.abilities().canonical;
    let played = certificate.layout != Layout::Positions;
    let brief = certificate.layout == Layout::Brief;
    let ends = matches!(game.repetition(), Repetition::Impossible);
    if !whole || (certificate.joined && canonical.is_none()) || (played && !ends) {
        return false;
    }
    certificate.parts.iter().all(|part| {
        let mover = game.to_move(&root);
        let ending = |value| (Player::First, Vec::new(), value);
        let mut reading = Reading {
            game,
            mover,
            claim: part.claim,
            canonical: canonical.filter(|_| certificate.joined),
            oracle,
            stored: part.moves.iter(),
            played,
            brief,
            expected: HashMap::new(),
            positions: 0,
            numbers: HashMap::new(),
            nodes: vec![ending(KEPT), ending(BROKEN)],
        };
        reading.shows(&root, part).unwrap_or(false)
    })
}

/// What endings of the strategy's game are worth, and their numbers in it.
const KEPT: Value = Value(1);
const BROKEN: Value = Value(0);
const KEPT_NODE: u32 = 0;
const BROKEN_NODE: u32 = 1;

struct Reading<'r, G: Notation> {
    game: &'r G,
    mover: Player,
    claim: Claim,
    canonical: Option<CanonicalFn<G>>,
    oracle: Option<&'r dyn Oracle<G>>,
    stored: std::slice::Iter<'r, u32>,
    played: bool,
    brief: bool,
    /// What the claimer has last played at each depth.
    expected: HashMap<usize, G::Move>,
    positions: u64,
    numbers: HashMap<G::Position, u32>,
    /// The strategy's game. First is the claimer.
    nodes: Vec<(Player, Vec<u32>, Value)>,
}

impl<G: Notation> Reading<'_, G> {
    /// Nothing if the strategy cannot be read.
    fn shows(&mut self, root: &G::Position, part: &Part) -> Option<bool> {
        if let Some(holds) = self.claim.settled_by(self.game.values(), self.mover) {
            return Some(holds && part.positions == 0 && part.moves.is_empty());
        }
        let root = if self.played { self.play(root, 0)? } else { self.visit(self.identity(root))? };
        if self.stored.next().is_some() || self.positions != part.positions {
            return None;
        }
        let strategy = Graph::from_nodes(std::mem::take(&mut self.nodes));
        Some(Truth::new(&strategy, &root).value(&root) == KEPT)
    }

    fn identity(&self, position: &G::Position) -> G::Position {
        self.canonical.map_or_else(|| position.clone(), |canonical| canonical(self.game, position))
    }

    fn ending(&self, position: &G::Position) -> Option<u32> {
        let node = |kept| if kept { KEPT_NODE } else { BROKEN_NODE };
        let kept_by = |value| node(self.claim.is_kept_by(value, self.mover));
        let by_bounds = || {
            let bounds = self.game.abilities().bounds?;
            self.claim.settled_by(bounds(self.game, position), self.mover).map(node)
        };
        let by_oracle = || self.oracle?.value(self.game, position).map(kept_by);
        self.game.outcome(position).map(kept_by).or_else(by_bounds).or_else(by_oracle)
    }

    fn visit(&mut self, position: G::Position) -> Option<u32> {
        if let Some(node) = self.ending(&position).or_else(|| self.numbers.get(&position).copied()) {
            return Some(node);
        }
        let number = u32::try_from(self.nodes.len()).ok()?;
        let endless = match self.game.repetition() {
            Repetition::Impossible => BROKEN,
            Repetition::Worth(worth) => {
                let kept = self.claim.is_kept_by(worth(self.game, &position), self.mover);
                if kept { KEPT } else { BROKEN }
            }
        };
        let claims = self.game.to_move(&position) == self.claim.claimer(self.mover);
        let player = if claims { Player::First } else { Player::Second };
        self.nodes.push((player, Vec::new(), endless));
        self.positions += 1;
        self.numbers.insert(position.clone(), number);
        let mut moves = Vec::new();
        self.game.moves(&position, &mut moves);
        moves.sort_unstable_by_key(|mv| mv.code());
        let mut children: Vec<G::Position> = moves.iter().map(|mv| self.game.after(&position, *mv)).collect();
        if claims {
            let wins = |child: &G::Position| self.ending(child) == Some(KEPT_NODE);
            let choice = match children.iter().position(wins) {
                Some(place) => place,
                None => usize::try_from(*self.stored.next()?).ok()?,
            };
            let chosen = children.get(choice)?.clone();
            children = vec![chosen];
        }
        let mut follow = Vec::new();
        for child in &children {
            let child = self.identity(child);
            follow.push(self.visit(child)?);
        }
        self.nodes[number as usize].1 = follow;
        Some(number)
    }

    /// Whether the claimer can answer a reply with a threat that ends nothing, after which he can end the game with the best value after each move of the opponent.
    fn falls_to(&self, position: &G::Position, reply: G::Move, threat: G::Move) -> bool {
        let game = self.game;
        let claimer = self.claim.claimer(self.mover);
        let (low, high) = game.values();
        let best = Some(claimer.better(low, high));
        let goes_on = |position: &G::Position, player| {
            game.outcome(position).is_none() && (game.to_move(position) == claimer) == player
        };
        let after_all = |position: &G::Position| -> Vec<G::Position> {
            let mut moves = Vec::new();
            game.moves(position, &mut moves);
            moves.into_iter().map(|mv| game.after(position, mv)).collect()
        };
        let reply = game.after(position, reply);
        let mut legal = Vec::new();
        if !goes_on(&reply, true) {
            return false;
        }
        game.moves(&reply, &mut legal);
        let loses = |end: &G::Position| {
            goes_on(end, true) && after_all(end).iter().any(|end| game.outcome(end) == best)
        };
        legal.contains(&threat)
            && goes_on(&game.after(&reply, threat), false)
            && after_all(&game.after(&reply, threat)).iter().all(loses)
    }

    /// Reads what is laid out as it is played, from a position that so many moves lead to.
    fn play(&mut self, position: &G::Position, depth: usize) -> Option<u32> {
        if let Some(node) = self.ending(position) {
            return Some(node);
        }
        let mut moves = Vec::new();
        self.game.moves(position, &mut moves);
        moves.sort_unstable_by_key(|mv| mv.code());
        let kept = |mv: &G::Move| self.ending(&self.game.after(position, *mv)) == Some(KEPT_NODE);
        let claims = self.game.to_move(position) == self.claim.claimer(self.mover);
        if claims && moves.iter().any(kept) {
            return Some(KEPT_NODE);
        }
        let identity = self.identity(position);
        if let Some(node) = self.numbers.get(&identity).filter(|_| claims) {
            return Some(*node);
        }
        let number = u32::try_from(self.nodes.len()).ok()?;
        let player = if claims { Player::First } else { Player::Second };
        self.nodes.push((player, Vec::new(), BROKEN));
        self.positions += 1;
        if claims {
            self.numbers.insert(identity, number);
            let expected = self.expected.get(&depth).copied().filter(|mv| moves.contains(mv));
            let chosen = match *self.stored.next()? {
                0 => expected?,
                place => *moves.get(usize::try_from(place).ok()? - 1).filter(|mv| Some(**mv) != expected)?,
            };
            self.expected.insert(depth, chosen);
            moves = vec![chosen];
        }
        let mut follow = Vec::new();
        let mut tried = None;
        while !moves.is_empty() {
            let expected = self.expected.get(&(depth + 1)).copied();
            if self.brief && !claims && expected != tried {
                tried = expected;
                let before = moves.len();
                moves.retain(|mv| !expected.is_some_and(|threat| self.falls_to(position, *mv, threat)));
                if moves.len() < before {
                    follow.push(KEPT_NODE);
                }
                continue;
            }
            follow.push(self.play(&self.game.after(position, moves.remove(0)), depth + 1)?);
        }
        self.nodes[number as usize].1 = follow;
        Some(number)
    }
}
