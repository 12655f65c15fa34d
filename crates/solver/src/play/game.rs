//! A game on the board: its moves so far, whether it is over, and a player who may be asked for a move.

use std::time::Instant;

use quod_model::{InputError, Notation, Oracle, Player, Repetition, Value};

use super::ask::Past;
use super::player::{Certainty, Mind, PlayStyle};

/// How a game has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameEnd {
    /// What First gets.
    pub value: i32,
    /// The same in the game's words, for First.
    pub text: String,
    /// Whether a position has come for the third time, and not the rules of the game have ended it.
    pub by_repetition: bool,
}

/// A move that a player has chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct Chosen {
    /// The move.
    pub text: String,
    /// What is known for certain.
    pub certainty: Certainty,
    /// What the player thinks that it will get, and how many plies it has looked ahead, if it has. An opinion.
    pub opinion: Option<(f64, u32)>,
    /// Moves that were proven to lose, among those that it wanted to play.
    pub vetoed: Vec<String>,
    /// Positions generated.
    pub nodes: u64,
    /// How long it took.
    pub seconds: f64,
}

/// A game on the board. What goes on for a while asks again and again whether it may.
pub trait Playing {
    /// The position as a picture.
    fn picture(&self) -> String;

    /// Whether First is to move.
    fn first_to_move(&self) -> bool;

    /// The names of First and Second.
    fn players(&self) -> [&'static str; 2];

    /// The legal moves; none if the game is over.
    fn legal_moves(&self) -> Vec<String>;

    /// How it has ended, if it has: by the rules, or because a position has come for the third time with the same side to move.
    fn end(&self) -> Option<GameEnd>;

    /// Makes a move, and says how it is written.
    ///
    /// # Errors
    /// If it cannot be made; names those that can.
    fn play(&mut self, text: &str) -> Result<String, InputError>;

    /// Takes the last move back, if there is one.
    fn undo(&mut self) -> Option<String>;

    /// Chooses a move. The game must not be over.
    fn choose(&mut self, style: &PlayStyle, goes_on: &mut dyn FnMut() -> bool) -> Chosen;

    /// Looks ahead in the time of the player to move, for the other one.
    fn ponder(&mut self, goes_on: &mut dyn FnMut() -> bool);

    /// The moves so far as a score, from where the game began.
    fn score(&self) -> String;

    /// Where the game began, unless at the start.
    fn begun_at(&self) -> Option<String>;
}

pub(crate) struct GameInPlay<'g, G: Notation> {
    game: &'g G,
    mind: Mind<'g, G>,
    start: G::Position,
    /// All moves from there.
    moves: Vec<G::Move>,
    past: Past<G::Position>,
}

impl<'g, G: Notation> GameInPlay<'g, G> {
    pub(crate) fn new(game: &'g G, start: G::Position, oracle: Option<&'g dyn Oracle<G>>) -> Self {
        let past = Past::new(start.clone());
        Self { game, mind: Mind::new(game, oracle), start, moves: Vec::new(), past }
    }

    pub(super) fn present(&self) -> &G::Position {
        self.past.present()
    }

    pub(crate) fn make(&mut self, mv: G::Move) {
        self.past = self.past.after(self.game, mv);
        self.moves.push(mv);
    }

    pub(super) fn past(&self) -> &Past<G::Position> {
        &self.past
    }

    /// What First gets, and whether a repetition has decided it.
    pub(super) fn result(&self) -> Option<(Value, bool)> {
        let present = self.present();
        if let Some(value) = self.game.outcome(present) {
            return Some((value, false));
        }
        let Repetition::Worth(worth) = self.game.repetition() else { return None };
        let times = self.past.positions.iter().filter(|position| *position == present).count();
        (times >= 3).then(|| (worth(self.game, present), true))
    }
}

impl<G: Notation> Playing for GameInPlay<'_, G> {
    fn picture(&self) -> String {
        self.game.draw(self.present())
    }

    fn first_to_move(&self) -> bool {
        self.game.to_move(self.present()) == Player::First
    }

    fn players(&self) -> [&'static str; 2] {
        [Player::First, Player::Second].map(|player| self.game.player_name(player))
    }

    fn legal_moves(&self) -> Vec<String> {
        if self.end().is_some() {
            return Vec::new();
        }
        let mut moves = Vec::new();
        self.game.moves(self.present(), &mut moves);
        moves.into_iter().map(|mv| self.game.move_text(self.present(), mv)).collect()
    }

    fn end(&self) -> Option<GameEnd> {
        let (value, by_repetition) = self.result()?;
        let text = self.game.value_text(value.seen_by(Player::First));
        Some(GameEnd { value: value.0, text, by_repetition })
    }

    fn play(&mut self, text: &str) -> Result<String, InputError> {
        if self.end().is_some_and(|end| end.by_repetition) {
            return Err(InputError::new(
                "move",
                text,
                "the game is over: the position is there for the third time",
            ));
        }
        let mv = self.game.parse_move(self.present(), text)?;
        let text = self.game.move_text(self.present(), mv);
        self.make(mv);
        Ok(text)
    }

    fn undo(&mut self) -> Option<String> {
        let last = self.moves.pop()?;
        self.mind.forget();
        self.past = Past::new(self.start.clone());
        for mv in &self.moves {
            self.past = self.past.after(self.game, *mv);
        }
        Some(self.game.move_text(self.present(), last))
    }

    fn choose(&mut self, style: &PlayStyle, goes_on: &mut dyn FnMut() -> bool) -> Chosen {
        let begun = Instant::now();
        let choice = self.mind.choose(&self.past, style, goes_on);
        let text = |mv: G::Move| self.game.move_text(self.past.present(), mv);
        Chosen {
            text: text(choice.mv),
            certainty: choice.certainty,
            opinion: choice.proposal.map(|proposal| (proposal.score, proposal.depth)),
            vetoed: choice.vetoed.iter().map(|mv| text(*mv)).collect(),
            nodes: choice.nodes,
            seconds: begun.elapsed().as_secs_f64(),
        }
    }

    fn ponder(&mut self, goes_on: &mut dyn FnMut() -> bool) {
        self.mind.ponder(&self.past, goes_on);
    }

    fn score(&self) -> String {
        self.game.score_text(&self.start, &self.moves)
    }

    fn begun_at(&self) -> Option<String> {
        (self.start != self.game.start()).then(|| self.game.position_text(&self.start))
    }
}
