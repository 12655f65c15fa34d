//! What a front end can do with a game, whatever its types.

use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::Arc;

use quod_endgame::{Built, Databases, Plan, Watch as DatabaseWatch};
use quod_model::{Adapter, Board, Citation, Game, InputError, Notation, Oracle, Registry, Relative};
use quod_proof::{CertificateFile, CheckError, Checked, Claim, Relation, check_demonstrating, check_leaning};

use crate::analyze::{Analysis, AnalyzeRequest, Follow, analyze};
use crate::databases::{self, DatabaseError, DatabaseRequest, Probed};
use crate::drive::{Look, Watch};
use crate::explore::{self, FollowValues, Proof, Scene, SearchBranches, Unfold, Unfolded};
use crate::goal::{goal_text, read_goal};
use crate::keep::Keeping;
use crate::places::{random_lines, root};
use crate::play::{ContestRequest, GameInPlay, Playing, Tally, contest};
use crate::report::Solution;
use crate::request::{Aim, Request};
use crate::solve::{solve_keeping, solve_leaning};

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

    /// Opens the endgame databases of a folder, no more slices than `slices`; whatever is done with the game after that leans on
    /// them.
    ///
    /// # Errors
    /// If there are none, if they are damaged, or if they are of another game.
    fn lean_on(&mut self, dir: &Path, slices: Option<u32>) -> Result<Citation, InputError>;

    /// Answers a request about a position.
    ///
    /// # Errors
    /// If the position is no position of the game, or the request cannot be carried out for it.
    fn solve(&self, place: &Place, request: &Request, watch: &mut dyn Watch) -> Result<Solution, InputError>;

    /// The same with checkpoints.
    ///
    /// # Errors
    /// The same, or if checkpoints cannot be kept or used.
    fn solve_keeping(
        &self,
        place: &Place,
        request: &Request,
        keeping: &Keeping,
        watch: &mut dyn Watch,
    ) -> Result<Solution, InputError>;

    /// Analyzes the game that a score tells, from a position on.
    ///
    /// # Errors
    /// If the position is no position of the game, a move of the score cannot be played, or the request cannot be carried out.
    fn analyze(
        &self,
        start: &Place,
        score: &str,
        how: &AnalyzeRequest,
        watch: &mut dyn Follow,
    ) -> Result<Analysis, InputError>;

    /// Puts a position on the board and makes moves from there, to play on.
    ///
    /// # Errors
    /// If it is no position of the game, or a move cannot be made.
    fn sit_down(&self, start: &Place) -> Result<Box<dyn Playing + '_>, InputError>;

    /// Plays a match. `goes_on` is told the results now and then; games under way are dropped if it says no.
    ///
    /// # Errors
    /// If the start is no position of the game.
    fn contest(
        &self,
        start: &Place,
        request: &ContestRequest,
        goes_on: &mut dyn FnMut(&Tally) -> bool,
    ) -> Result<Tally, InputError>;

    /// Reads a goal; if nothing is said, the one that is usual for the game.
    ///
    /// # Errors
    /// If it is none; names those that there are.
    fn aim(&self, goal: Option<&str>) -> Result<Aim, InputError>;

    /// What an aim is called in this game.
    fn goal_text(&self, aim: Aim) -> String;

    /// Reads a position.
    ///
    /// # Errors
    /// If it is no position of the game.
    fn locate(&self, place: &Place) -> Result<Located, InputError>;

    /// Moves from a position as programs tell them each other.
    ///
    /// # Errors
    /// If it is no position of the game, or a move cannot be made.
    fn engine_line(&self, place: &Place, moves: &[String]) -> Result<Vec<String>, InputError>;

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

    /// Checks a certificate and keeps its moves, so that somebody can go through it.
    ///
    /// # Errors
    /// If it is not accepted.
    fn demonstrate(
        &self,
        certificate: &CertificateFile<'_>,
        progress: &mut dyn FnMut(u64) -> bool,
    ) -> Result<(Checked, Box<dyn Proof>), CheckError>;

    /// A position with its picture and all that can be done there.
    ///
    /// # Errors
    /// If it is no position of the game, or a move cannot be made.
    fn scene(&self, place: &Place) -> Result<Scene, InputError>;

    /// The picture of a position.
    ///
    /// # Errors
    /// If it is no position of the game, or a move cannot be made.
    fn board(&self, place: &Place) -> Result<Board, InputError>;

    /// Lists a part of what a search from `root` holds, or with `solution` only what shows its answer; nothing if there is no such
    /// node.
    ///
    /// # Errors
    /// If the root is no position of the game, or the path cannot be played.
    fn unfold(
        &self,
        root: &Place,
        look: &Look<'_>,
        solution: bool,
        how: &Unfold<'_>,
    ) -> Result<Option<Unfolded>, InputError>;

    /// Finds out what every move of a position is worth, within a minute or so for each. Whether everything is known then.
    ///
    /// # Errors
    /// If it is no position of the game.
    fn value_moves(&self, place: &Place, follow: &mut dyn FollowValues) -> Result<bool, InputError>;

    /// A question about a position, for people: whether the side to move gets at least this.
    ///
    /// # Errors
    /// If it is no position of the game.
    fn question_text(&self, place: &Place, at_least: i32) -> Result<String, InputError>;

    /// What a claim about a position says, for people.
    ///
    /// # Errors
    /// If it is no position of the game.
    fn claim_text(&self, place: &Place, claim: Claim) -> Result<String, InputError>;

    /// Bounds in the game's words: `draw to win`, or a value.
    fn bounds_text(&self, lower: i32, upper: i32) -> String;

    /// Whether there can be databases of the game.
    fn has_databases(&self) -> bool;

    /// What it takes to build the slices of a database up to `last`.
    ///
    /// # Errors
    /// If the game has no such slices.
    fn plan_database(&self, last: u32) -> Result<Plan, DatabaseError>;

    /// Builds the slices of a database that a folder does not hold yet.
    ///
    /// # Errors
    /// If the game has no such slices, the memory is too small, or the folder, or that of checkpoints, holds another game or cannot
    /// be used.
    fn build_database(
        &self,
        dir: &Path,
        request: &DatabaseRequest,
        watch: &mut DatabaseWatch<'_>,
    ) -> Result<Built, DatabaseError>;

    /// Looks a position up in the database of a folder.
    ///
    /// # Errors
    /// If it is not there, or the database is not whole.
    fn probe_database(&self, dir: &Path, place: &Place) -> Result<Probed, DatabaseError>;

    /// Derives every value of a database again, by moves made forwards. How many numbers it has, or nothing if that was stopped.
    ///
    /// # Errors
    /// If a value is wrong, or the database is not whole.
    fn verify_database(
        &self,
        dir: &Path,
        threads: Option<usize>,
        watch: &mut DatabaseWatch<'_>,
    ) -> Result<Option<u64>, DatabaseError>;
}

struct Rules<G: Game> {
    game: Arc<G>,
    databases: Option<Arc<Databases<G>>>,
}

impl<G: Notation> Rules<G> {
    fn oracle(&self) -> Option<&dyn Oracle<G>> {
        self.databases.as_deref().map(|databases| databases as &dyn Oracle<G>)
    }
}

impl<G: Notation> Rules<G> {
    /// A certificate that cites databases is worth what their values are.
    fn check_databases(&self, certificate: &CertificateFile<'_>) -> Result<(), CheckError> {
        if let (Some(databases), Some(_)) = (&self.databases, certificate.cites) {
            databases.check_values().map_err(|error| CheckError::DatabaseUnusable(error.to_string()))?;
        }
        Ok(())
    }
}

impl<G: Notation> Door for Rules<G> {
    fn game_text(&self) -> String {
        self.game.game_text()
    }

    fn lean_on(&mut self, dir: &Path, slices: Option<u32>) -> Result<Citation, InputError> {
        let error = |problem: String| InputError::new("databases", dir.display().to_string(), problem);
        let databases = Databases::open(dir, &*self.game).map_err(|problem| error(problem.to_string()))?;
        let databases = databases.limited(slices.unwrap_or(u32::MAX));
        let citation = databases.cite();
        self.databases = Some(Arc::new(databases));
        Ok(citation)
    }

    fn solve(&self, place: &Place, request: &Request, watch: &mut dyn Watch) -> Result<Solution, InputError> {
        solve_leaning(&*self.game, &root(&*self.game, place)?, request, self.oracle(), watch)
    }

    fn solve_keeping(
        &self,
        place: &Place,
        request: &Request,
        keeping: &Keeping,
        watch: &mut dyn Watch,
    ) -> Result<Solution, InputError> {
        solve_keeping(&*self.game, &root(&*self.game, place)?, request, self.oracle(), keeping, watch)
    }

    fn analyze(
        &self,
        start: &Place,
        score: &str,
        how: &AnalyzeRequest,
        watch: &mut dyn Follow,
    ) -> Result<Analysis, InputError> {
        analyze(&*self.game, &root(&*self.game, start)?, score, how, self.oracle(), watch)
    }

    fn sit_down(&self, start: &Place) -> Result<Box<dyn Playing + '_>, InputError> {
        let from = root(&*self.game, &Place { position: start.position.clone(), moves: None })?;
        let played = self.game.parse_score(&from, start.moves.as_deref().unwrap_or_default())?;
        let mut board = GameInPlay::new(&*self.game, from, self.oracle());
        played.into_iter().for_each(|mv| board.make(mv));
        Ok(Box::new(board))
    }

    fn contest(
        &self,
        start: &Place,
        request: &ContestRequest,
        goes_on: &mut dyn FnMut(&Tally) -> bool,
    ) -> Result<Tally, InputError> {
        Ok(contest(&*self.game, &root(&*self.game, start)?, self.oracle(), request, goes_on))
    }

    fn aim(&self, goal: Option<&str>) -> Result<Aim, InputError> {
        read_goal(&*self.game, goal)
    }

    fn goal_text(&self, aim: Aim) -> String {
        goal_text(&*self.game, aim)
    }

    fn locate(&self, place: &Place) -> Result<Located, InputError> {
        let root = root(&*self.game, place)?;
        Ok(Located { position: self.game.position_text(&root), over: self.game.outcome(&root).is_some() })
    }

    fn engine_line(&self, place: &Place, moves: &[String]) -> Result<Vec<String>, InputError> {
        let mut position = root(&*self.game, place)?;
        let mut told = Vec::new();
        for word in moves {
            let mv = self.game.parse_move(&position, word)?;
            told.push(self.game.engine_text(&position, mv));
            position = self.game.after(&position, mv);
        }
        Ok(told)
    }

    fn random_lines(&self, count: usize, seed: u64, plies: RangeInclusive<usize>) -> Vec<String> {
        random_lines(&*self.game, count, seed, plies)
    }

    fn check(
        &self,
        certificate: &CertificateFile<'_>,
        progress: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Checked, CheckError> {
        self.check_databases(certificate)?;
        check_leaning(&*self.game, certificate, self.oracle(), progress)
    }

    fn demonstrate(
        &self,
        certificate: &CertificateFile<'_>,
        progress: &mut dyn FnMut(u64) -> bool,
    ) -> Result<(Checked, Box<dyn Proof>), CheckError> {
        self.check_databases(certificate)?;
        let (checked, demonstrations) =
            check_demonstrating(&*self.game, certificate, self.oracle(), progress)?;
        let root = self.game.parse_position(&certificate.root)?;
        let (game, databases) = (Arc::clone(&self.game), self.databases.clone());
        // Only what it cites was asked.
        let databases = databases.filter(|_| certificate.cites.is_some());
        Ok((checked, Box::new(explore::Shown { game, databases, root, demonstrations })))
    }

    fn scene(&self, place: &Place) -> Result<Scene, InputError> {
        explore::scene(&*self.game, place)
    }

    fn board(&self, place: &Place) -> Result<Board, InputError> {
        explore::board(&*self.game, place)
    }

    fn unfold(
        &self,
        place: &Place,
        look: &Look<'_>,
        solution: bool,
        how: &Unfold<'_>,
    ) -> Result<Option<Unfolded>, InputError> {
        let tree = SearchBranches::new(&*self.game, *look, solution);
        explore::unfold(&*self.game, &root(&*self.game, place)?, &tree, how)
    }

    fn value_moves(&self, place: &Place, follow: &mut dyn FollowValues) -> Result<bool, InputError> {
        explore::value_moves(&*self.game, &root(&*self.game, place)?, self.oracle(), follow)
    }

    fn question_text(&self, place: &Place, at_least: i32) -> Result<String, InputError> {
        let mover = self.game.to_move(&root(&*self.game, place)?);
        let value = explore::noun(&*self.game, Relative(at_least));
        Ok(format!("Can {} get at least {value}?", self.game.player_name(mover)))
    }

    fn claim_text(&self, place: &Place, claim: Claim) -> Result<String, InputError> {
        let mover = self.game.to_move(&root(&*self.game, place)?);
        let relation = match claim.relation {
            Relation::AtLeast => "at least",
            Relation::AtMost => "at most",
        };
        let (name, value) = (self.game.player_name(mover), explore::noun(&*self.game, claim.value));
        Ok(format!("{name}, to move, gets {relation} {value}"))
    }

    fn bounds_text(&self, lower: i32, upper: i32) -> String {
        explore::bounds_text(&*self.game, Relative(lower), Relative(upper))
    }

    fn has_databases(&self) -> bool {
        self.game.abilities().index.is_some()
    }

    fn plan_database(&self, last: u32) -> Result<Plan, DatabaseError> {
        Ok(quod_endgame::plan(&*self.game, last)?)
    }

    fn build_database(
        &self,
        dir: &Path,
        request: &DatabaseRequest,
        watch: &mut DatabaseWatch<'_>,
    ) -> Result<Built, DatabaseError> {
        Ok(quod_endgame::build(&*self.game, dir, &request.options(), watch)?)
    }

    fn probe_database(&self, dir: &Path, place: &Place) -> Result<Probed, DatabaseError> {
        databases::probe(&*self.game, dir, place)
    }

    fn verify_database(
        &self,
        dir: &Path,
        threads: Option<usize>,
        watch: &mut DatabaseWatch<'_>,
    ) -> Result<Option<u64>, DatabaseError> {
        Ok(quod_endgame::verify(&*self.game, dir, databases::threads(threads), watch)?)
    }
}

/// Makes a [`Door`] of every game.
pub struct Doors;

impl Adapter for Doors {
    type Door = dyn Door;
    fn wrap<G: Game + Notation>(game: G) -> Box<dyn Door> {
        Box::new(Rules { game: Arc::new(game), databases: None })
    }
}

/// The games that a front end knows.
pub type Games = Registry<Doors>;

/// All games of Quod. Add your own with [`Registry::with`].
#[must_use]
pub fn games() -> Games {
    quod_games::add_to(Registry::default())
}
