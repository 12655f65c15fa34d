//! What a game may be able to do beyond its rules, one trait per ability.
//!
//! A game says which it has in [`Game::abilities`]; naming one that is not implemented does not compile.

use crate::{Game, Goal, InputError, Player, Relative, Value};

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
}

/// A dense numbering of positions, for databases.
pub trait Index: Game {
    /// How many numbers there are.
    fn index_size(&self) -> u64;
    /// The number of a position, below [`Index::index_size`].
    fn index(&self, position: &Self::Position) -> u64;
    /// The position with this number, or nothing where a number stands for no position.
    fn at_index(&self, index: u64) -> Option<Self::Position>;
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

    /// A position as a picture of several lines.
    fn draw(&self, position: &Self::Position) -> String {
        self.position_text(position)
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
    /// [`Guess::guess`].
    pub guess: Option<GuessFn<G>>,
    /// [`Converts::converts`].
    pub converts: Option<ConvertsFn<G>>,
    /// [`Foresight::foresee`].
    pub foresee: Option<ForeseeFn<G>>,
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
            guess: None,
            converts: None,
            foresee: None,
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

    /// With guessed leaf numbers.
    #[must_use]
    pub fn guess(self) -> Self
    where
        G: Guess,
    {
        Self { guess: Some(G::guess), ..self }
    }

    /// With converting moves.
    #[must_use]
    pub fn converts(self) -> Self
    where
        G: Converts,
    {
        Self { converts: Some(G::converts), ..self }
    }

    /// With foresight.
    #[must_use]
    pub fn foresight(self) -> Self
    where
        G: Foresight,
    {
        Self { foresee: Some(G::foresee), ..self }
    }
}
