//! What a game may be able to do beyond its rules, one trait per ability.
//!
//! A game says which it has in [`Game::abilities`]; naming one that is not implemented does not compile.

use std::cell::Cell;
use std::fmt;

use crate::{
    AndOr, Board, Game, Goal, Index, IndexFns, InputError, Minimax, Player, Pointing, Relative, Threats,
    ThreatsFns, Value,
};

/// Positions that are the same but for a symmetry of the board.
pub trait Symmetry: Game {
    /// One and the same representative for all positions that are symmetric to each other. It has the same side
    /// to move, outcome, bounds and worth of endless play, and its moves lead to positions symmetric to theirs.
    fn canonical(&self, position: &Self::Position) -> Self::Position;
}

/// Bounds on the value that follow from the rules at a glance, such as stones already captured.
/// The checker of certificates uses them too, so they are part of the rules.
pub trait Bounds: Game {
    /// The smallest and the largest value that play from here can end with.
    fn bounds(&self, position: &Self::Position) -> (Value, Value);
}

/// An exact judge that may be slow and may not know: for delayed evaluation. Never wrong; what it says
/// is unrolled into ordinary play for a certificate.
pub trait Decide: Game {
    /// Whether the goal holds in a position that is not over, if the judge can tell.
    fn decide(&self, position: &Self::Position, goal: Goal) -> Option<bool>;
}

/// Moves after which no earlier position can come again, such as captures.
pub trait Converts: Game {
    /// Whether the move converts: no line of play leads back from behind it to a position before it. Saying no is
    /// always right.
    fn converts(&self, position: &Self::Position, mv: Self::Move) -> bool;
}

/// Leaf numbers that know the game. They guide and never decide.
pub trait Guess: Game {
    /// Proof and disproof number of a position that is not over, 1 being an ordinary leaf; anything for a
    /// finished one.
    fn guess(&self, position: &Self::Position, goal: Goal) -> (u32, u32);
}

/// Which moves a player looks at before others. It guides and never decides: the others follow.
pub trait Stages: Game {
    /// Appends the stage of every one of the moves of a position, from 0 on and below 255.
    fn stages(&self, position: &Self::Position, goal: Goal, moves: &[Self::Move], stages: &mut Vec<u8>);

    /// Proof and disproof number of the `left` moves behind a stage, as long as they are held back.
    fn held_back(&self, position: &Self::Position, goal: Goal, stage: u8, left: u32) -> (u32, u32);
}

/// [`Stages::stages`] as a value.
pub type StagesFn<G> = fn(&G, &<G as Game>::Position, Goal, &[<G as Game>::Move], &mut Vec<u8>);

/// [`Stages::held_back`] as a value.
pub type HeldBackFn<G> = fn(&G, &<G as Game>::Position, Goal, u8, u32) -> (u32, u32);

/// [`Stages`] as values.
pub struct StagesFns<G: Game> {
    /// [`Stages::stages`].
    pub stages: StagesFn<G>,
    /// [`Stages::held_back`].
    pub held_back: HeldBackFn<G>,
}

impl<G: Game> Clone for StagesFns<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for StagesFns<G> {}

/// What a game sees of a position beyond its rules: bounds, and which moves matter. For searches that go from question to
/// question. Never wrong; what it says is unrolled into ordinary play for a certificate.
pub trait Foresight: Game {
    /// Bounds on the value of a position that is not over, for First. If they leave open whether that is at least `at_least`,
    /// appends the moves that matter to `sight`, those that look best to the player to move first, at least one, and none whose
    /// own bounds answer the question; what that player gets by the others at the most becomes the rest. `notes` are those
    /// that came with the position, if they are known.
    fn foresee(
        &self,
        position: &Self::Position,
        notes: Option<&Notes>,
        at_least: Value,
        sight: &mut Sight<Self>,
    ) -> (Value, Value);
}

/// What a game likes to know again when it looks further behind a move.
pub type Notes = [u64; 2];

/// What was seen ahead.
pub struct Sight<G: Game> {
    /// Moves, those of the last position at the end.
    pub moves: Vec<Ahead<G>>,
    /// How many positions were made, whether their moves are listed or not.
    pub made: u64,
    /// How many may be made in all. There is always room for one behind each legal move.
    pub made_max: u64,
    /// What the player to move gets at the most by moves that are not listed.
    pub rest: Value,
}

impl<G: Game> Default for Sight<G> {
    fn default() -> Self {
        Self { moves: Vec::new(), made: 0, made_max: u64::MAX, rest: Value::DRAW }
    }
}

impl<G: Game> Sight<G> {
    /// Puts a move among those from `begin` on, behind the ones that promise as much.
    #[inline]
    pub fn insert(&mut self, begin: usize, ahead: Ahead<G>) {
        let promising = |other: &Ahead<G>| other.promise >= ahead.promise;
        let place = self.moves[begin..].iter().rposition(promising).map_or(begin, |place| begin + place + 1);
        self.moves.insert(place, ahead);
    }
}

/// A move with what is seen behind it.
pub struct Ahead<G: Game> {
    /// The move.
    pub mv: G::Move,
    /// The position behind it, or one that moves without a choice lead to from there: its value is the same.
    pub position: G::Position,
    /// The value of that is at least this for First.
    pub lower: Value,
    /// And at most this.
    pub upper: Value,
    /// How good it looks to the player who makes it.
    pub promise: u32,
    /// What the game likes to know again when it looks further.
    pub notes: Option<Notes>,
}

impl<G: Game> Ahead<G> {
    /// What `player` gets behind the move at the least, and at the most.
    #[inline]
    pub fn range_for(&self, player: Player) -> (Value, Value) {
        player.range(self.lower, self.upper)
    }
}

/// Exact values from outside the rules, such as an endgame database.
pub trait Oracle<G: Game>: Send + Sync {
    /// The value of the position if it is stored.
    fn value(&self, game: &G, position: &G::Position) -> Option<Value>;

    /// What a certificate that leans on these values says of them.
    fn cite(&self) -> Citation;
}

/// Which values from outside something leans on: slices of a database, from the smallest on, and a checksum of all their values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Citation {
    /// How many slices.
    pub slices: u32,
    /// Two databases with one checksum have the same values.
    pub checksum: [u8; 32],
}

impl Citation {
    /// The checksum as people write it.
    #[must_use]
    pub fn hexadecimal(&self) -> String {
        self.checksum.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

impl fmt::Display for Citation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let last = self.slices.saturating_sub(1);
        write!(f, "the endgame database of slices 0 to {last} with checksum {}", self.hexadecimal())
    }
}

/// A problem as the program of a published experiment saw it, with what that did differently from the rules: for comparing
/// counts, never for claims.
pub trait Published: Game {
    /// The name of the experiment in requests: authors and year.
    const EXPERIMENT: &'static str;

    /// The question. What the experiment counted and did not search is added to `beside`.
    fn published_goal<'g>(
        &'g self,
        root: Self::Position,
        goal: Goal,
        oracle: Option<&'g dyn Oracle<Self>>,
        beside: &'g Cell<u64>,
    ) -> Box<dyn AndOr + 'g>;
}

/// The same for an experiment that searched for values too.
pub trait PublishedValue: Published {
    /// The value.
    fn published_value<'g>(
        &'g self,
        root: Self::Position,
        oracle: Option<&'g dyn Oracle<Self>>,
    ) -> Box<dyn Minimax + 'g>;
}

/// How people write a game down.
pub trait Notation: Game {
    /// The text that names these rules everywhere: `connect4:5x4`.
    fn game_text(&self) -> String;

    /// Raised when the rules of a game with the same text change, so that old certificates are refused.
    fn rules_version(&self) -> u32 {
        1
    }

    /// A position as one line of text.
    fn position_text(&self, position: &Self::Position) -> String;

    /// Reads what [`Notation::position_text`] writes.
    ///
    /// # Errors
    /// Says what is wrong, where, and what would be right.
    fn parse_position(&self, text: &str) -> Result<Self::Position, InputError>;

    /// A legal move as text.
    fn move_text(&self, position: &Self::Position, mv: Self::Move) -> String;

    /// A legal move as programs tell it each other, where that is not how people write it. It is read by
    /// [`Notation::parse_move`] too.
    fn engine_text(&self, position: &Self::Position, mv: Self::Move) -> String {
        self.move_text(position, mv)
    }

    /// A goal that has a name of its own in this game, and the least value for the side to move that reaches it. It is what
    /// people ask if they say nothing; where there is none, that is the exact value.
    fn usual_goal(&self) -> Option<(&'static str, Relative)> {
        None
    }

    /// A position as a picture of several lines.
    fn draw(&self, position: &Self::Position) -> String {
        self.position_text(position)
    }

    /// A position as a picture for front ends that draw.
    fn board(&self, position: &Self::Position) -> Board {
        Board::of_text(&self.draw(position))
    }

    /// How a legal move is pointed out on that picture; nothing if it is only told by its text.
    fn pointing(&self, _position: &Self::Position, _mv: Self::Move) -> Option<Pointing> {
        None
    }

    /// What people call a player of this game.
    fn player_name(&self, player: Player) -> &'static str {
        match player {
            Player::First => "First",
            Player::Second => "Second",
        }
    }

    /// Separates the moves of a line: at white space, unless the game knows better.
    fn split_moves<'t>(&self, text: &'t str) -> Vec<&'t str> {
        text.split_whitespace().collect()
    }

    /// Separates the moves of a line between move numbers such as `12.`; the dot tells a number from a move, unless the game
    /// knows better.
    fn split_numbered<'t>(&self, line: &'t str) -> Vec<&'t str> {
        let words = line.split_whitespace().map(after_number).filter(|word| !word.is_empty());
        words.flat_map(|word| self.split_moves(word)).collect()
    }

    /// Separates the moves of a game score: those of its lines, between move numbers, before a result such as `1-0`. Lines
    /// that begin with `#` are remarks.
    fn split_score<'t>(&self, text: &'t str) -> Vec<&'t str> {
        const RESULTS: [&str; 5] = ["1-0", "0-1", "1/2-1/2", "½-½", "*"];
        let text = text.trim_end();
        let result = text.split_whitespace().next_back().filter(|word| RESULTS.contains(word));
        let text = result.and_then(|result| text.strip_suffix(result)).unwrap_or(text);
        let lines = text.lines().filter(|line| !line.trim_start().starts_with('#'));
        lines.flat_map(|line| self.split_numbered(line)).collect()
    }

    /// What a value is called for the player who sees it.
    fn value_text(&self, value: Relative) -> String {
        if self.values() == (Value(-1), Value(1)) {
            match value.0 {
                1 => return "win".to_owned(),
                0 => return "draw".to_owned(),
                -1 => return "loss".to_owned(),
                _ => {}
            }
        }
        format!("{:+}", value.0)
    }

    /// Reads one move.
    ///
    /// # Errors
    /// Names the moves that would be legal.
    fn parse_move(&self, position: &Self::Position, text: &str) -> Result<Self::Move, InputError> {
        if self.outcome(position).is_some() {
            return Err(InputError::new("move", text, "the game is over before this move"));
        }
        let mut moves = Vec::new();
        self.moves(position, &mut moves);
        let found = moves.iter().find(|mv| self.move_text(position, **mv) == text);
        found.copied().ok_or_else(|| {
            let legal: Vec<_> = moves.iter().map(|mv| self.move_text(position, *mv)).collect();
            InputError::new("move", text, "it is not a legal move here")
                .hint(format!("legal moves: {}", legal.join(" ")))
        })
    }

    /// The position after a line of moves from `position`.
    ///
    /// # Errors
    /// Names the first move that cannot be played, its place in the line, and the legal moves.
    fn parse_moves(&self, position: &Self::Position, text: &str) -> Result<Self::Position, InputError> {
        let mut position = position.clone();
        for (number, word) in self.split_moves(text).into_iter().enumerate() {
            let mv = self
                .parse_move(&position, word)
                .map_err(|error| error.at(format!("move {} of \"{text}\"", number + 1)))?;
            position = self.after(&position, mv);
        }
        Ok(position)
    }

    /// The moves of a game score from `position`.
    ///
    /// # Errors
    /// Names the first move that cannot be played, its number and mover, and the legal moves.
    fn parse_score(&self, position: &Self::Position, text: &str) -> Result<Vec<Self::Move>, InputError> {
        let mut position = position.clone();
        let mut moves = Vec::new();
        for word in self.split_score(text) {
            let mover = self.player_name(self.to_move(&position));
            let place = || format!("move {} of the score, {mover} to move", moves.len() / 2 + 1);
            let mv = self.parse_move(&position, word).map_err(|error| error.at(place()))?;
            position = self.after(&position, mv);
            moves.push(mv);
        }
        Ok(moves)
    }

    /// A game score of moves from `position`, as [`Notation::split_score`] separates it, without a line's end.
    fn score_text(&self, position: &Self::Position, moves: &[Self::Move]) -> String {
        let mut position = position.clone();
        let mut words = Vec::new();
        for (ply, mv) in moves.iter().enumerate() {
            if ply % 2 == 0 {
                words.push(format!("{}.", ply / 2 + 1));
            }
            words.push(self.move_text(&position, *mv));
            position = self.after(&position, *mv);
        }
        words.join(" ")
    }
}

/// What follows a move number: `e4` of `12.e4`, nothing of `12.` or `12...`.
fn after_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.starts_with('.') { rest.trim_start_matches('.') } else { word }
}

/// [`Symmetry::canonical`] as a value.
pub type CanonicalFn<G> = fn(&G, &<G as Game>::Position) -> <G as Game>::Position;
/// [`Bounds::bounds`] as a value.
pub type BoundsFn<G> = fn(&G, &<G as Game>::Position) -> (Value, Value);
/// [`Decide::decide`] as a value.
pub type DecideFn<G> = fn(&G, &<G as Game>::Position, Goal) -> Option<bool>;
/// [`Converts::converts`] as a value.
pub type ConvertsFn<G> = fn(&G, &<G as Game>::Position, <G as Game>::Move) -> bool;
/// [`Guess::guess`] as a value.
pub type GuessFn<G> = fn(&G, &<G as Game>::Position, Goal) -> (u32, u32);

/// [`Foresight::foresee`] as a value.
pub type ForeseeFn<G> =
    fn(&G, &<G as Game>::Position, Option<&Notes>, Value, &mut Sight<G>) -> (Value, Value);

/// [`Published::published_goal`] as a value.
pub type PublishedGoalFn<G> = for<'g> fn(
    &'g G,
    <G as Game>::Position,
    Goal,
    Option<&'g dyn Oracle<G>>,
    &'g Cell<u64>,
) -> Box<dyn AndOr + 'g>;
/// [`PublishedValue::published_value`] as a value.
pub type PublishedValueFn<G> =
    for<'g> fn(&'g G, <G as Game>::Position, Option<&'g dyn Oracle<G>>) -> Box<dyn Minimax + 'g>;

/// [`Published`] as values.
pub struct PublishedFns<G: Game> {
    /// [`Published::EXPERIMENT`].
    pub experiment: &'static str,
    /// [`Published::published_goal`].
    pub goal: PublishedGoalFn<G>,
    /// [`PublishedValue::published_value`].
    pub value: Option<PublishedValueFn<G>>,
}

impl<G: Game> Clone for PublishedFns<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for PublishedFns<G> {}

/// The abilities of a game, as functions that are there or not.
///
/// ```
/// # use quod_model::{testkit::Graph, Abilities};
/// let none: Abilities<Graph> = Abilities::none();
/// assert!(none.canonical.is_none() && none.guess.is_none());
/// ```
pub struct Abilities<G: Game> {
    /// [`Symmetry::canonical`].
    pub canonical: Option<CanonicalFn<G>>,
    /// [`Bounds::bounds`].
    pub bounds: Option<BoundsFn<G>>,
    /// [`Decide::decide`].
    pub decide: Option<DecideFn<G>>,
    /// Whether it costs little more than making a move, so that every child can be judged when it is generated.
    pub decides_quickly: bool,
    /// Whether players take turns and a win is always made by a move of the winner, so that it has a length in the winner's moves.
    pub wins_by_own_move: bool,
    /// [`Guess::guess`].
    pub guess: Option<GuessFn<G>>,
    /// [`Stages`].
    pub stages: Option<StagesFns<G>>,
    /// [`Converts::converts`].
    pub converts: Option<ConvertsFn<G>>,
    /// [`Foresight::foresee`].
    pub foresee: Option<ForeseeFn<G>>,
    /// [`Threats`].
    pub threats: Option<ThreatsFns<G>>,
    /// [`Published`].
    pub published: Option<PublishedFns<G>>,
    /// [`Index`].
    pub index: Option<IndexFns<G>>,
}

impl<G: Game> Clone for Abilities<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Abilities<G> {}

impl<G: Game> Abilities<G> {
    /// The rules and nothing else.
    #[must_use]
    pub fn none() -> Self {
        Self {
            canonical: None,
            bounds: None,
            decide: None,
            decides_quickly: false,
            wins_by_own_move: false,
            guess: None,
            stages: None,
            converts: None,
            foresee: None,
            threats: None,
            published: None,
            index: None,
        }
    }

    /// With symmetries.
    #[must_use]
    pub fn symmetry(self) -> Self
    where
        G: Symmetry,
    {
        Self { canonical: Some(G::canonical), ..self }
    }

    /// With bounds.
    #[must_use]
    pub fn bounds(self) -> Self
    where
        G: Bounds,
    {
        Self { bounds: Some(G::bounds), ..self }
    }

    /// With a judge.
    #[must_use]
    pub fn decide(self) -> Self
    where
        G: Decide,
    {
        Self { decide: Some(G::decide), ..self }
    }

    /// With a judge that costs little more than making a move.
    #[must_use]
    pub fn decide_quickly(self) -> Self
    where
        G: Decide,
    {
        Self { decides_quickly: true, ..self.decide() }
    }

    /// With turns, and wins that are always made by a move of the winner.
    #[must_use]
    pub fn wins_by_own_move(self) -> Self {
        Self { wins_by_own_move: true, ..self }
    }

    /// With guessed leaf numbers.
    #[must_use]
    pub fn guess(self) -> Self
    where
        G: Guess,
    {
        Self { guess: Some(G::guess), ..self }
    }

    /// With moves in stages.
    #[must_use]
    pub fn stages(self) -> Self
    where
        G: Stages,
    {
        Self { stages: Some(StagesFns { stages: G::stages, held_back: G::held_back }), ..self }
    }

    /// With lines of threats.
    #[must_use]
    pub fn threats(self) -> Self
    where
        G: Threats,
    {
        Self { threats: Some(ThreatsFns::new()), ..self }
    }

    /// With converting moves.
    #[must_use]
    pub fn converts(self) -> Self
    where
        G: Converts,
    {
        Self { converts: Some(G::converts), ..self }
    }

    /// With the view of a published experiment.
    #[must_use]
    pub fn published(self) -> Self
    where
        G: Published,
    {
        let published = PublishedFns { experiment: G::EXPERIMENT, goal: G::published_goal, value: None };
        Self { published: Some(published), ..self }
    }

    /// With that of one that searched for values too.
    #[must_use]
    pub fn published_values(self) -> Self
    where
        G: PublishedValue,
    {
        let (goal, value) = (G::published_goal, Some(G::published_value as PublishedValueFn<G>));
        Self { published: Some(PublishedFns { experiment: G::EXPERIMENT, goal, value }), ..self }
    }

    /// With foresight.
    #[must_use]
    pub fn foresight(self) -> Self
    where
        G: Foresight,
    {
        Self { foresee: Some(G::foresee), ..self }
    }

    /// With a dense numbering.
    #[must_use]
    pub fn index(self) -> Self
    where
        G: Index,
    {
        Self { index: Some(IndexFns::new()), ..self }
    }
}
