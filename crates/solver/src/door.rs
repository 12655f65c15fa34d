//! What a front end can do with a game, whatever its types.

use std::ops::RangeInclusive;

use quod_model::{Adapter, Game, InputError, Notation, Registry};
use quod_proof::{CertificateFile, CheckError, Checked, check};

use crate::drive::Watch;
use crate::places::{random_lines, root};
use crate::report::Solution;
use crate::request::Request;
use crate::solve::solve;

/// A position as people give it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// In the game's notation; the start if nothing is said.
    pub position: Option<String>,
    /// Moves from there.
    pub moves: Option<String>,
}

/// A position that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located {
    /// In the game's notation.
    pub position: String,
    /// Whether the game is over there.
    pub over: bool,
}

/// A game with everything that can be done with it.
pub trait Door: Send + Sync {
    /// The text that names the game.
    fn game_text(&self) -> String;

    /// Answers a request about a position.
    ///
    /// # Errors
    /// If the position is no position of the game, or the request cannot be carried out for it.
    fn solve(&self, place: &Place, request: &Request, watch: &mut dyn Watch) -> Result<Solution, InputError>;

    /// Reads a position.
    ///
    /// # Errors
    /// If it is no position of the game.
    fn locate(&self, place: &Place) -> Result<Located, InputError>;

    /// Up to `count` lines of random moves from the start, in ascending order of their lengths, which are in `plies`. They
    /// lead to positions that are not over and all different. There are fewer where hardly any more can be found. The same
    /// seed gives the same lines.
    fn random_lines(&self, count: usize, seed: u64, plies: RangeInclusive<usize>) -> Vec<String>;

    /// Checks a certificate. `progress` is told how many positions were visited; false stops.
    ///
    /// # Errors
    /// If it is not accepted.
    fn check(
        &self,
        certificate: &CertificateFile<'_>,
        progress: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Checked, CheckError>;
}

struct Rules<G>(G);

impl<G: Notation> Door for Rules<G> {
    fn game_text(&self) -> String {
        self.0.game_text()
    }

    fn solve(&self, place: &Place, request: &Request, watch: &mut dyn Watch) -> Result<Solution, InputError> {
        solve(&self.0, &root(&self.0, place)?, request, watch)
    }

    fn locate(&self, place: &Place) -> Result<Located, InputError> {
        let root = root(&self.0, place)?;
        Ok(Located { position: self.0.position_text(&root), over: self.0.outcome(&root).is_some() })
    }

    fn random_lines(&self, count: usize, seed: u64, plies: RangeInclusive<usize>) -> Vec<String> {
        random_lines(&self.0, count, seed, plies)
    }

    fn check(
        &self,
        certificate: &CertificateFile<'_>,
        progress: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Checked, CheckError> {
        check(&self.0, certificate, progress)
    }
}

/// Makes a [`Door`] of every game.
pub struct Doors;

impl Adapter for Doors {
    type Door = dyn Door;
    fn wrap<G: Game + Notation>(game: G) -> Box<dyn Door> {
        Box::new(Rules(game))
    }
}

/// The games that a front end knows.
pub type Games = Registry<Doors>;

/// All games of Quod. Add your own with [`Registry::with`].
#[must_use]
pub fn games() -> Games {
    quod_games::add_to(Registry::default())
}
