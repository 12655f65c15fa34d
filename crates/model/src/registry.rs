//! Games by name. A front end decides what it wants of every game ([`Adapter`]); games say once that
//! they exist ([`Family`]); the registry joins the two.

use crate::{Game, InputError, Notation, Parameters};

/// What people are told of a family of games.
#[derive(Clone, Copy, Debug)]
pub struct Description {
    /// The name before the colon.
    pub name: &'static str,
    /// One line.
    pub summary: &'static str,
    /// The parameters, as in a usage line.
    pub parameters: &'static str,
    /// How moves are written.
    pub moves: &'static str,
    /// How positions are written.
    pub position: &'static str,
    /// The arguments of an example call of `quod solve`.
    pub example: &'static str,
}

/// All games of one name: rules whose size and variant are parameters.
pub trait Family: Send + Sync + 'static {
    /// What people are told.
    fn description(&self) -> Description;

    /// Reads the parameters and hands the rules to `receiver`. A family may choose between several
    /// types, such as narrow and wide bitboards.
    ///
    /// # Errors
    /// If the parameters are not understood or out of range.
    fn open<R: Receiver>(&self, parameters: Parameters<'_>, receiver: R) -> Result<R::Output, InputError>;
}

/// Takes the rules that a family opens.
pub trait Receiver {
    /// What becomes of them.
    type Output;
    /// Takes them.
    fn receive<G: Game + Notation>(self, game: G) -> Self::Output;
}

/// What a front end wants of every game: an object-safe door.
pub trait Adapter: 'static {
    /// The door.
    type Door: ?Sized;
    /// Makes the door to a game.
    fn wrap<G: Game + Notation>(game: G) -> Box<Self::Door>;
}

trait Entry<D: ?Sized>: Send + Sync {
    fn description(&self) -> Description;
    fn open(&self, parameters: Parameters<'_>) -> Result<Box<D>, InputError>;
}

struct Wrapped<F, A>(F, std::marker::PhantomData<fn(A)>);

struct Wrap<A>(std::marker::PhantomData<A>);

impl<A: Adapter> Receiver for Wrap<A> {
    type Output = Box<A::Door>;
    fn receive<G: Game + Notation>(self, game: G) -> Self::Output {
        A::wrap(game)
    }
}

impl<F: Family, A: Adapter> Entry<A::Door> for Wrapped<F, A> {
    fn description(&self) -> Description {
        self.0.description()
    }
    fn open(&self, parameters: Parameters<'_>) -> Result<Box<A::Door>, InputError> {
        self.0.open(parameters, Wrap::<A>(std::marker::PhantomData))
    }
}

/// The games that a program knows.
pub struct Registry<A: Adapter> {
    entries: Vec<Box<dyn Entry<A::Door>>>,
}

impl<A: Adapter> Default for Registry<A> {
    fn default() -> Self {
        Self { entries: Vec::new() }
    }
}

impl<A: Adapter> Registry<A> {
    /// Adds a family.
    #[must_use]
    pub fn with(mut self, family: impl Family) -> Self {
        self.entries.push(Box::new(Wrapped(family, std::marker::PhantomData::<fn(A)>)));
        self
    }

    /// What people are told of the games, in the order in which they were added.
    pub fn descriptions(&self) -> impl Iterator<Item = Description> {
        self.entries.iter().map(|entry| entry.description())
    }

    /// Opens the game that a text names.
    ///
    /// # Errors
    /// If the name is unknown (with the nearest known ones) or its parameters are wrong.
    pub fn open(&self, text: &str) -> Result<Box<A::Door>, InputError> {
        let parameters = Parameters::new(text);
        let name = parameters.name();
        match self.entries.iter().find(|entry| entry.description().name == name) {
            Some(entry) => entry.open(parameters),
            None => Err(self.unknown(text, name)),
        }
    }

    fn unknown(&self, text: &str, name: &str) -> InputError {
        let nearest = self
            .descriptions()
            .map(|description| (distance(name, description.name), description.name))
            .min()
            .filter(|(distance, _)| *distance <= 3);
        let known: Vec<_> = self.descriptions().map(|description| description.name).collect();
        let problem = match nearest {
            Some((_, near)) => format!("no such game; did you mean \"{near}\"?"),
            None => "no such game".to_owned(),
        };
        InputError::new("game", text, problem).hint(format!("games: {}", known.join(", ")))
    }
}

/// How many letters must be changed, added or dropped to get from one name to the other.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().take(40).enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let changed = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}
