//! A goal in a game whose players win by threats.

use super::staged::{HELD_BACK, is_held_back, stage_key};
use super::{AndOr, Basis, Child, Evaluation, Identity, Settled};
use crate::{CanonicalFn, Game, Goal, Move, Numbers, Outlook, Player, ThreatsFns, Value};

/// The first stage of moves that need not threaten anything.
const QUIET_STAGE: u8 = 2;
/// What it seems to cost to show that one of the replies behind the first one holds.
const LATER_REPLIES: u32 = 64;

/// Somebody must win, and the other one must prevent it: the AND/OR problem of that goal, in which lines of threats are looked for
/// wherever the attacker is to move, or would be if the opponent passed.
///
/// It is the same problem with fewer children. A move of the opponent after which a line wins is left out: the replayed line is the
/// proof against it, so no theorem about interference is needed. Moves of the attacker come in stages, and none is left out that
/// can win. The first reply of the opponent that no line beats stands alone at first, and all replies come in a second stage: to
/// look for lines that are not there is most of the work, and a single reply that resists is enough to give a move up. So whatever
/// is proven or disproven holds for the goal.
pub struct ThreatCursor<'g, G: Game> {
    game: &'g G,
    fns: ThreatsFns<G>,
    goal: Goal,
    attacker: Player,
    canonical: Option<CanonicalFn<G>>,
    /// The positions from the root on, each with the first stage that is left.
    path: Vec<(G::Position, u8)>,
    /// Lines that beat one of the opponent's moves, to be tried against the others.
    lines: Vec<Vec<G::Move>>,
    line: Vec<G::Move>,
    answers: Vec<G::Move>,
    moves: Vec<G::Move>,
    looked: u64,
}

/// What is known of a position.
enum Known {
    Won,
    Failed,
    /// The attacker has a line unless it is stopped, or is to move.
    Open(u32, u32),
    /// The attacker has none.
    Quiet(u32, u32),
}

impl<'g, G: Game> ThreatCursor<'g, G> {
    /// The problem of reaching `goal` from `root`, with symmetric positions as one if the game has symmetries and `symmetric` is
    /// set. Nothing if the game knows no threats, or more than who wins matters.
    #[must_use]
    pub fn new(game: &'g G, root: &G::Position, goal: Goal, symmetric: bool) -> Option<Self> {
        let abilities = game.abilities();
        let (lower, upper) = Value::range_seen_by(game.values(), goal.claimant);
        let attacker = if goal.at_least == upper {
            goal.claimant
        } else if goal.at_least == lower.above() {
            goal.claimant.other()
        } else {
            return None;
        };
        let fns = abilities.threats?;
        let canonical = abilities.canonical.filter(|_| symmetric);
        let mut cursor = Self {
            game,
            fns,
            goal,
            attacker,
            canonical,
            path: Vec::new(),
            lines: Vec::new(),
            line: Vec::new(),
            answers: Vec::new(),
            moves: Vec::new(),
            looked: 0,
        };
        cursor.path.push((cursor.identified(root.clone()), 0));
        Some(cursor)
    }

    fn position(&self) -> &G::Position {
        &self.path.last().expect("the path holds the root").0
    }

    fn identified(&self, position: G::Position) -> G::Position {
        self.canonical.map_or(position.clone(), |canonical| canonical(self.game, &position))
    }

    fn attacks(&self) -> bool {
        self.game.to_move(self.position()) == self.attacker
    }

    fn is_won_by(&self, value: Value) -> bool {
        self.goal.is_reached_by(value) == (self.attacker == self.goal.claimant)
    }

    fn numbers(&self, known: &Known) -> Numbers {
        let attacker_claims = self.attacker == self.goal.claimant;
        match known {
            Known::Won => Numbers::solved(attacker_claims),
            Known::Failed => Numbers::solved(!attacker_claims),
            Known::Open(win, failure) | Known::Quiet(win, failure) if attacker_claims => {
                Numbers::guessed(*win, *failure)
            }
            Known::Open(win, failure) | Known::Quiet(win, failure) => Numbers::guessed(*failure, *win),
        }
    }

    fn child(&self, mv: G::Move, position: &G::Position, known: &Known) -> Child {
        let is_or = self.game.to_move(position) == self.goal.claimant;
        Child { code: mv.code(), is_or, numbers: self.numbers(known) }
    }

    fn identity_of(&self, position: &G::Position, stage: u8) -> Identity {
        Identity { key: self.game.key(position) ^ stage_key(stage), endless: false }
    }

    /// What is known of a position after a move of the attacker. Of moves without a threat that wait for a later stage no more than that.
    fn attacked(&mut self, position: &G::Position, quiet_waits: bool) -> Known {
        self.looked += 1;
        if let Some(value) = self.game.outcome(position) {
            return if self.is_won_by(value) { Known::Won } else { Known::Failed };
        }
        if !(self.fns.can_win)(self.game, position, self.attacker) {
            return Known::Failed;
        }
        if self.game.to_move(position) == self.attacker {
            let (win, failure) = (self.fns.weigh)(self.game, position, Outlook::Attacking);
            return Known::Open(win, failure);
        }
        if self.game.winning_move(position).is_some() {
            return Known::Failed;
        }
        if !self.finds_line(position) {
            if !quiet_waits && self.finds_line_of(position, self.attacker.other()) {
                return Known::Failed;
            }
            let (win, failure) = (self.fns.weigh)(self.game, position, Outlook::Quiet);
            return Known::Quiet(win, failure);
        }
        self.answers.clear();
        (self.fns.answers)(self.game, position, self.attacker, &self.line, &mut self.answers);
        if self.answers.is_empty() {
            return Known::Won;
        }
        let outlook = Outlook::Threatening(self.answers.len() as u32);
        let (win, failure) = (self.fns.weigh)(self.game, position, outlook);
        Known::Open(win, failure)
    }

    /// Whether the attacker would have a line if it were his turn.
    fn finds_line(&mut self, position: &G::Position) -> bool {
        self.finds_line_of(position, self.attacker)
    }

    fn finds_line_of(&mut self, position: &G::Position, player: Player) -> bool {
        self.line.clear();
        (self.fns.line)(self.game, position, player, &mut self.line, &mut self.looked)
    }

    /// Whether a line wins for the player to move.
    fn still_wins(&mut self, position: &G::Position, line: &[G::Move]) -> bool {
        self.game.outcome(position).is_none()
            && (self.fns.replays)(self.game, position, line, &mut self.looked).is_some()
    }

    /// What is known of a position after a move of the opponent.
    fn defended(&mut self, position: &G::Position) -> Known {
        self.looked += 1;
        if let Some(value) = self.game.outcome(position) {
            return if self.is_won_by(value) { Known::Won } else { Known::Failed };
        }
        if !(self.fns.can_win)(self.game, position, self.attacker) {
            return Known::Failed;
        }
        let Self { game, fns, looked, lines, .. } = self;
        if lines.iter().rev().any(|line| (fns.replays)(game, position, line, looked).is_some()) {
            return Known::Won;
        }
        if self.finds_line(position) {
            self.lines.push(self.line.clone());
            return Known::Won;
        }
        let (win, failure) = (self.fns.weigh)(self.game, position, Outlook::Attacking);
        Known::Open(win, failure)
    }

    fn expand_attack(&mut self, children: &mut Vec<Child>, identities: &mut Vec<Option<Identity>>) {
        let (here, stage) = self.path.last().expect("the path holds the root").clone();
        let begin = children.len();
        // Only the root can have one: elsewhere it was found when the place was made.
        if stage == 0 && self.path.len() == 1 && self.finds_line(&here) {
            let mv = self.line[0];
            let position = self.identified(self.game.after(&here, mv));
            children.push(self.child(mv, &position, &Known::Won));
            identities.push(Some(self.identity_of(&position, 0)));
            return;
        }
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        let more = (self.fns.attacks)(self.game, &here, stage, &mut moves);
        let mut first = Vec::new();
        for earlier in 0..stage.min(QUIET_STAGE) {
            (self.fns.attacks)(self.game, &here, earlier, &mut first);
        }
        if stage < QUIET_STAGE {
            moves.retain(|mv| !first.contains(mv));
        }
        // What the opponent wins by if nothing is done: moves that do nothing about it lose.
        let danger = moves.len() > 1 && self.finds_line_of(&here, self.attacker.other());
        let danger = danger.then(|| std::mem::take(&mut self.line));
        let quiet_waits = more && stage < QUIET_STAGE;
        for mv in &moves {
            let position = self.game.after(&here, *mv);
            if danger.as_ref().is_some_and(|line| self.still_wins(&position, line)) {
                continue;
            }
            let known = self.attacked(&position, quiet_waits);
            // Threats come first, and moves without one in later stages, unless there are no others.
            let is_quiet = matches!(known, Known::Quiet(..));
            let elsewhere = if is_quiet { quiet_waits } else { first.contains(mv) };
            if elsewhere {
                continue;
            }
            let position = self.identified(position);
            let identity = Some(self.identity_of(&position, 0));
            // A move that is symmetric to another one is none more.
            if identities[begin..].contains(&identity) {
                continue;
            }
            children.push(self.child(*mv, &position, &known));
            identities.push(identity);
            if matches!(known, Known::Won) {
                break;
            }
        }
        self.moves = moves;
        if more {
            let (win, failure) = (self.fns.weigh_later)(self.game, &here, stage);
            let numbers = self.numbers(&Known::Open(win, failure));
            let is_or = self.attacker == self.goal.claimant;
            children.push(Child { code: HELD_BACK + u32::from(stage) + 1, is_or, numbers });
            identities.push(Some(self.identity_of(&here, stage + 1)));
        } else if children.len() == begin {
            // Nothing can win here.
            self.game.moves(&here, &mut self.moves);
            let mv = self.moves.pop().expect("a position that is not over has a move");
            let position = self.identified(self.game.after(&here, mv));
            children.push(self.child(mv, &position, &Known::Failed));
            identities.push(Some(self.identity_of(&position, 0)));
        }
    }

    /// Sorts replies by what they promise whoever makes them.
    fn sort_replies(&self, here: &G::Position, replies: &mut [G::Move]) {
        let mut best = Vec::new();
        (self.fns.attacks)(self.game, here, QUIET_STAGE, &mut best);
        replies.sort_by_key(|mv| best.iter().position(|other| other == mv).unwrap_or(usize::MAX));
    }

    fn expand_defence(&mut self, children: &mut Vec<Child>, identities: &mut Vec<Option<Identity>>) {
        let (here, stage) = self.path.last().expect("the path holds the root").clone();
        let begin = children.len();
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        self.lines.clear();
        if let Some(mv) = self.game.winning_move(&here) {
            moves.push(mv);
        } else if self.finds_line(&here) {
            self.lines.push(self.line.clone());
            (self.fns.answers)(self.game, &here, self.attacker, &self.line, &mut moves);
        } else if self.finds_line_of(&here, self.attacker.other()) {
            // Only the root can have one: elsewhere it was found when the place was made.
            let mv = self.line[0];
            let position = self.identified(self.game.after(&here, mv));
            children.push(self.child(mv, &position, &Known::Failed));
            identities.push(Some(self.identity_of(&position, 0)));
            self.moves = moves;
            return;
        } else {
            self.game.moves(&here, &mut moves);
        }
        if stage == 0 && moves.len() > 1 {
            self.sort_replies(&here, &mut moves);
        }
        for (at, mv) in moves.iter().enumerate() {
            let position = self.game.after(&here, *mv);
            let known = self.defended(&position);
            if matches!(known, Known::Won) {
                continue;
            }
            let position = self.identified(position);
            let identity = Some(self.identity_of(&position, 0));
            if identities[begin..].contains(&identity) {
                continue;
            }
            children.push(self.child(*mv, &position, &known));
            identities.push(identity);
            let rest = (moves.len() - at - 1) as u32;
            if stage == 0 && rest > 0 {
                let numbers = self.numbers(&Known::Open(rest, LATER_REPLIES));
                children.push(Child { code: HELD_BACK + 1, is_or: self.is_or(), numbers });
                identities.push(Some(self.identity_of(&here, 1)));
                break;
            }
        }
        if children.len() == begin {
            // Every move loses: one stands for all.
            if moves.is_empty() {
                self.game.moves(&here, &mut moves);
            }
            let position = self.identified(self.game.after(&here, moves[0]));
            children.push(self.child(moves[0], &position, &Known::Won));
            identities.push(Some(self.identity_of(&position, 0)));
        }
        self.moves = moves;
    }
}

impl<G: Game> AndOr for ThreatCursor<'_, G> {
    fn is_or(&self) -> bool {
        self.game.to_move(self.position()) == self.goal.claimant
    }

    fn down(&mut self, codes: &[u32]) {
        for code in codes {
            let here = self.position();
            let step = if is_held_back(*code) {
                (here.clone(), (*code - HELD_BACK) as u8)
            } else {
                (self.identified(self.game.after(here, G::Move::from_code(*code))), 0)
            };
            self.path.push(step);
        }
    }

    fn up(&mut self, steps: usize) {
        debug_assert!(steps < self.path.len(), "up from the root");
        self.path.truncate(self.path.len() - steps);
    }

    fn evaluate(&mut self, _: Evaluation) -> Option<Settled> {
        let value = self.game.outcome(self.position())?;
        Some(Settled { holds: self.goal.is_reached_by(value), basis: Basis::Rules })
    }

    fn expand(&mut self, evaluation: Evaluation, children: &mut Vec<Child>) {
        self.expand_joined(evaluation, children, &mut Vec::new());
    }

    fn expand_joined(
        &mut self,
        _: Evaluation,
        children: &mut Vec<Child>,
        identities: &mut Vec<Option<Identity>>,
    ) {
        if self.attacks() {
            self.expand_attack(children, identities);
        } else {
            self.expand_defence(children, identities);
        }
    }

    fn identity(&self) -> Option<Identity> {
        let (position, stage) = self.path.last()?;
        Some(self.identity_of(position, *stage))
    }

    fn looked(&mut self) -> u64 {
        std::mem::take(&mut self.looked)
    }
}
