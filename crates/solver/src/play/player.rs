//! The player: a proposer that searches for a good move, and proof-number search that vetoes moves that lose and finds wins (the
//! tournament program of Allis, van der Meulen and van den Herik 1994, section 7.3).
//!
//! The proposer searches for a good move in most of the time. In what is left two questions are asked, the likelier one first:
//! whether the player to move wins (the finder; a move that does is played), and whether the opponent wins behind the proposed
//! move (the veto; then the proposer searches among the others). Who has proven a win knows that it is there, and asks for it
//! again before anything else. In the opponent's time both questions are asked behind each of the opponent's moves.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use quod_model::{Game, Goal, Move, Oracle, Player, Relative, Value};
use quod_search::{Budget, PlaySearch, PlayTable, Proposal, Thinking};

use super::ask::{Answer, Past, Prover};
use super::clock::{Clock, GoesOn, SLICE};

/// How a player plays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayStyle {
    /// Time for each move.
    pub time: Option<Duration>,
    /// Nodes for each move: the same moves every time.
    pub nodes: Option<u64>,
    /// Whether proof-number search finds wins and vetoes losses.
    pub proofs: bool,
    /// Bytes for what the proposer remembers.
    pub table_bytes: u64,
}

impl Default for PlayStyle {
    fn default() -> Self {
        Self { time: Some(Duration::from_secs(5)), nodes: None, proofs: true, table_bytes: 64 << 20 }
    }
}

/// The part of a move's time for proofs, at the least and at the most: it grows when questions are answered in time, and shrinks
/// when they are not, as early in a game.
const PROOFS_SHARE: (f64, f64) = (0.04, 0.3);
/// Another move is taken in place of one that loses unless the proposer thinks that it gets less by this part of the range of
/// values (and not only by a guess): who does not see the proof may still go wrong, and who gives all away helps.
const SACRIFICE_MAX: f64 = 1.0 / 24.0;

/// What a player knows for certain of the position where it has moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certainty {
    /// Its mover wins by the chosen move.
    Wins,
    /// Whatever is played, the opponent wins.
    Loses,
    /// Nothing.
    Nothing,
}

/// A move that was chosen, and why.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Choice<M> {
    pub(super) mv: M,
    pub(super) certainty: Certainty,
    /// The opinion of the proposer, if it was asked.
    pub(super) proposal: Option<Proposal<M>>,
    /// Moves that were vetoed.
    pub(super) vetoed: Vec<M>,
    pub(super) nodes: u64,
}

/// What became of the finder's question.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Finder {
    /// It was not asked, or there was no time for an answer.
    Open,
    /// A win is proven.
    Wins,
    /// No win, or it is too hard to find.
    Done,
}

/// Where the time and the nodes of a move end.
#[derive(Clone, Copy)]
struct Ends {
    deadline: Option<Instant>,
    nodes: Option<u64>,
}

impl Ends {
    /// All that is left.
    fn set(self, clock: &mut Clock<'_>) {
        let spent = clock.spent();
        clock.set(self.deadline, self.nodes.map(|nodes| nodes.saturating_sub(spent)));
    }

    /// Half of that.
    fn set_half(self, clock: &mut Clock<'_>) {
        let (now, spent) = (Instant::now(), clock.spent());
        let half = self.deadline.map(|end| now + end.saturating_duration_since(now) / 2);
        clock.set(half, self.nodes.map(|nodes| nodes.saturating_sub(spent) / 2));
    }
}

/// A player of one side or of both.
pub(super) struct Mind<'g, G: Game> {
    game: &'g G,
    oracle: Option<&'g dyn Oracle<G>>,
    table: Option<PlayTable>,
    prover: Prover<'g, G>,
    /// What was found out in the opponent's time.
    pondered: HashMap<G::Position, Answer>,
    /// Whether the last move was proven to win.
    has_won: bool,
    /// The part of a move's time for proofs.
    proofs_share: f64,
}

impl<'g, G: Game> Mind<'g, G> {
    pub(super) fn new(game: &'g G, oracle: Option<&'g dyn Oracle<G>>) -> Self {
        Self {
            game,
            oracle,
            table: None,
            prover: Prover::new(game, oracle),
            pondered: HashMap::new(),
            has_won: false,
            proofs_share: PROOFS_SHARE.0,
        }
    }

    /// Chooses a move for the player to move, within `style`, or sooner if `goes_on` says no.
    pub(super) fn choose(
        &mut self,
        past: &Past<G::Position>,
        style: &PlayStyle,
        goes_on: GoesOn<'_>,
    ) -> Choice<G::Move> {
        let (game, begun) = (self.game, Instant::now());
        let root = past.present();
        let mut candidates = Vec::new();
        game.moves(root, &mut candidates);
        let mut choice = Choice {
            mv: candidates[0],
            certainty: Certainty::Nothing,
            proposal: None,
            vetoed: Vec::new(),
            nodes: 0,
        };
        let mut clock = Clock::new(goes_on);
        // From the start of the move to the end of a part of it; a time beyond all clocks is no limit.
        let until = |part: f64| {
            let time = Duration::try_from_secs_f64(style.time?.as_secs_f64() * part).ok()?;
            begun.checked_add(time)
        };
        let nodes = |part: f64| style.nodes.map(|nodes| (nodes as f64 * part) as u64);
        let known = self.known_best(root, &candidates);
        // Where the value is known, or the rules say already who wins, proofs add nothing.
        let proofs = style.proofs && known.is_none() && !self.is_decided(root);
        if let Some((best, value)) = known {
            candidates = best;
            choice.certainty = match value.0 {
                1.. => Certainty::Wins,
                0 => Certainty::Nothing,
                _ => Certainty::Loses,
            };
        }
        if candidates.len() == 1 {
            choice.mv = candidates[0];
            return choice;
        }
        let mut finder = Finder::Open;
        if proofs {
            let mut answer = self.pondered.remove(root);
            if answer.is_none() && self.has_won {
                clock.set(until(1.0 - PROOFS_SHARE.0), nodes(1.0 - PROOFS_SHARE.0));
                answer = Some(self.asks_for_win(past, &mut clock));
            }
            finder = answer.map_or(Finder::Open, |answer| self.found(answer, &mut choice));
        }
        self.pondered.clear();
        self.has_won = finder == Finder::Wins;
        if finder != Finder::Wins {
            let share = if proofs { 1.0 - self.proofs_share } else { 1.0 };
            let spent = clock.spent();
            clock.set(until(share), nodes(share).map(|nodes| nodes.saturating_sub(spent)));
            let first = self.propose(past, candidates.clone(), style, &mut clock);
            (choice.mv, choice.proposal) = (first.mv, Some(first));
        }
        if proofs && finder != Finder::Wins {
            let end = Ends { deadline: until(1.0), nodes: style.nodes };
            end.set(&mut clock);
            // The finder goes first where a win is likelier than a loss.
            let likely = choice.proposal.is_some_and(|proposal| proposal.score > 0.0);
            if likely && finder == Finder::Open {
                let answer = self.asks_for_win(past, &mut clock);
                finder = self.found(answer, &mut choice);
            }
            if finder != Finder::Wins {
                self.veto(past, candidates, style, end, &mut clock, &mut choice);
                if !likely && finder == Finder::Open && choice.certainty == Certainty::Nothing {
                    let answer = self.asks_for_win(past, &mut clock);
                    finder = self.found(answer, &mut choice);
                }
            }
            self.has_won = finder == Finder::Wins;
            let answered = finder != Finder::Open || !choice.vetoed.is_empty();
            let (least, most) = PROOFS_SHARE;
            self.proofs_share = if answered {
                (self.proofs_share * 2.0).min(most)
            } else {
                (self.proofs_share / 1.5).max(least)
            };
        }
        choice.nodes = clock.spent();
        choice
    }

    fn asks_for_win(&self, past: &Past<G::Position>, clock: &mut Clock<'_>) -> Answer {
        self.prover.wins(past, self.game.to_move(past.present()), clock)
    }

    /// Takes the answer to whether the player to move wins.
    fn found(&self, answer: Answer, choice: &mut Choice<G::Move>) -> Finder {
        match answer {
            Answer::Yes(Some(code)) => {
                choice.mv = G::Move::from_code(code);
                choice.certainty = Certainty::Wins;
                Finder::Wins
            }
            Answer::NoTime => Finder::Open,
            Answer::Yes(None) | Answer::No | Answer::TooHard => Finder::Done,
        }
    }

    /// Asks whether the chosen move loses, and takes the next best one if so.
    fn veto(
        &mut self,
        past: &Past<G::Position>,
        mut candidates: Vec<G::Move>,
        style: &PlayStyle,
        end: Ends,
        clock: &mut Clock<'_>,
        choice: &mut Choice<G::Move>,
    ) {
        let game = self.game;
        let opponent = game.to_move(past.present()).other();
        let Some(first) = choice.proposal else { return };
        let range = f64::from(game.values().1.0) - f64::from(game.values().0.0);
        let sacrifice_max = (range * SACRIFICE_MAX).max(0.5);
        loop {
            end.set(clock);
            let behind = past.after(game, choice.mv);
            let lost = game.outcome(behind.present()).map_or_else(
                || matches!(self.prover.wins(&behind, opponent, clock), Answer::Yes(_)),
                |value| value.seen_by(opponent) > Relative(0),
            );
            if !lost {
                return;
            }
            choice.vetoed.push(choice.mv);
            candidates.retain(|mv| *mv != choice.mv);
            if candidates.is_empty() {
                choice.certainty = Certainty::Loses;
                choice.mv = first.mv;
                return;
            }
            // The next proposal shares what is left with its veto.
            end.set_half(clock);
            let next = self.propose(past, candidates.clone(), style, clock);
            if next.score < first.score - sacrifice_max {
                choice.mv = first.mv;
                return;
            }
            choice.mv = next.mv;
        }
    }

    /// The move that the proposer likes best.
    fn propose(
        &mut self,
        past: &Past<G::Position>,
        candidates: Vec<G::Move>,
        style: &PlayStyle,
        clock: &mut Clock<'_>,
    ) -> Proposal<G::Move> {
        let table = self.table.take().unwrap_or_else(|| PlayTable::new(style.table_bytes));
        let (root, earlier) = past.positions.split_last().expect("there is a present");
        let mut search = PlaySearch::new(self.game, root.clone(), earlier, candidates, self.oracle, table);
        let mut slice = SLICE;
        while clock.goes_on(search.nodes()) {
            let begun = Instant::now();
            let budget = Budget { nodes_max: clock.nodes_max(), steps_max: slice.steps() };
            if search.advance(budget) != Thinking::Running {
                break;
            }
            slice.learn(begun.elapsed());
        }
        clock.spend(search.nodes());
        let proposal = search.proposal();
        self.table = Some(search.into_table());
        proposal
    }

    /// Looks behind the moves of the opponent, whose turn it is, until `goes_on` says no or everything is answered: whether there
    /// is a win, and whether the opponent has one. What is found is used for the next move. All moves get the same work, round by
    /// round twice as much.
    pub(super) fn ponder(&mut self, past: &Past<G::Position>, goes_on: GoesOn<'_>) {
        const FIRST_ROUND: u64 = 4_000;
        let game = self.game;
        let opponent = game.to_move(past.present());
        let mut moves = Vec::new();
        game.moves(past.present(), &mut moves);
        let is_open = |behind: &Past<G::Position>| {
            let present = behind.present();
            let own = game.outcome(present).is_none() && game.to_move(present) != opponent;
            own && !self.is_decided(present)
                && self.oracle.is_none_or(|oracle| oracle.value(game, present).is_none())
        };
        let mut open: Vec<_> = moves.iter().map(|mv| past.after(game, *mv)).filter(is_open).collect();
        let mut nodes = FIRST_ROUND;
        while !open.is_empty() && goes_on() {
            open.retain(|behind| {
                let mut clock = Clock::new(goes_on);
                clock.set(None, Some(nodes));
                let answer = self.prover.wins(behind, opponent.other(), &mut clock);
                if answer != Answer::NoTime {
                    self.pondered.insert(behind.present().clone(), answer);
                    return false;
                }
                clock.set(None, Some(nodes));
                self.prover.wins(behind, opponent, &mut clock);
                true
            });
            nodes *= 2;
        }
    }

    /// Forgets what it thought of this game: play goes on elsewhere.
    pub(super) fn forget(&mut self) {
        self.has_won = false;
        self.pondered.clear();
    }

    /// The best of the moves and what they get, if exact values of all are known.
    fn known_best(&self, root: &G::Position, moves: &[G::Move]) -> Option<(Vec<G::Move>, Relative)> {
        let (game, oracle) = (self.game, self.oracle?);
        oracle.value(game, root)?;
        let mover = game.to_move(root);
        let value = |mv: &G::Move| {
            let behind = game.after(root, *mv);
            let value: Option<Value> = game.outcome(&behind).or_else(|| oracle.value(game, &behind));
            value.map(|value| (*mv, value.seen_by(mover)))
        };
        let values: Vec<(G::Move, Relative)> = moves.iter().map(value).collect::<Option<_>>()?;
        let best = values.iter().map(|(_, value)| *value).max()?;
        Some((values.iter().filter(|(_, value)| *value == best).map(|(mv, _)| *mv).collect(), best))
    }

    /// Whether the rules leave no doubt about who wins.
    fn is_decided(&self, position: &G::Position) -> bool {
        let Some(bounds) = self.game.abilities().bounds else { return false };
        let bounds = bounds(self.game, position);
        let win = |player: Player| Goal::new(player, Relative(1)).settled_by(bounds) == Some(true);
        win(Player::First) || win(Player::Second)
    }
}
