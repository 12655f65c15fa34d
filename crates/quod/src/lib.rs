//! Quod proves who wins. Give it a game and a position; it answers with the game-theoretic value, a move
//! that achieves it, and a certificate that anybody can check without trusting the search.
//!
//! ```
//! use quod::games::ConnectFour;
//! use quod::{Game, Request, check, solve};
//!
//! let game = ConnectFour::<u64>::new(4, 4, 4).unwrap();
//! let request = Request { certificate: true, ..Request::default() };
//! let solution = solve(&game, game.start(), &request).unwrap();
//! assert_eq!(solution.report.value, Some(0)); // a draw
//!
//! let file = solution.certificate.unwrap().encode();
//! let checked = check(&game, &file[..]).unwrap();
//! assert_eq!(checked.exact.unwrap().1, "draw");
//! ```
//!
//! A game of your own implements [`Game`] and [`Notation`]; `examples/own-game` of the repository is one, with
//! the whole command line. A problem that is no game implements [`AndOr`]: see `examples/rules.rs`.

use std::io::Read;

pub use quod_games as games;
pub use quod_model::{
    Abilities, AndOr, Basis, Bounds, Child, Converts, Decide, Description, Evaluation, Family, Game, Goal,
    GoalCursor, Guess, Identity, IllegalMove, Index, InputError, Joining, LeafNumbers, Move, Notation,
    Numbers, Oracle, Parameters, Player, Receiver, Registry, Relative, Repetition, Settled, StopReason,
    Symmetry, Value, Verdict,
};
pub use quod_proof::{
    Certificate, CertificateError, CertificateFile, CheckError, Checked, CheckedClaim, Claim, Refusal,
};
pub use quod_search as search;
pub use quod_solver::{
    Aim, Algorithm, Limits, Phase, Report, Request, Snapshot, Solution, Stop, Switches, Watch,
    solve as solve_watched,
};

/// Answers a request about a position of a game.
///
/// # Errors
/// If the request cannot be carried out for this game.
pub fn solve<G: Notation>(
    game: &G,
    position: G::Position,
    request: &Request,
) -> Result<Solution, InputError> {
    solve_watched(game, &position, request, &mut ())
}

/// Checks a certificate about a game by its rules alone.
///
/// # Errors
/// If it cannot be read, is about another game, or does not show what it claims.
pub fn check<G: Notation>(game: &G, mut reader: impl Read) -> Result<Checked, CheckError> {
    let mut file = Vec::new();
    if reader.read_to_end(&mut file).is_err() {
        return Err(CheckError::Unreadable(CertificateError::Damaged));
    }
    quod_proof::check_bytes(game, &file)
}
