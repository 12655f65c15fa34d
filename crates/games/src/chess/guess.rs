//! How hard a mate looks, and which moves to look at first.
//!
//! One side wants to mate, whichever of the two the goal is about. All weights were found by trying, on positions with mates of
//! known length (docs/measurements.md): the numbers of a proof-number search (Breuker et al. 1994, section 3.3.1: the number of
//! replies) in smaller coins. Of the replies to a check, king moves cost most and interpositions least; where there is no check,
//! squares that the king can go to cost more than other replies.

use cozy_chess::{Board, Piece};
use quod_model::{Goal, Guess, Stages};

use super::checks::Aim;
use super::{Chess, Position};
use crate::men::{self, Step};

/// Replies to a check: king moves, captures by the king, captures of the checking man by others, interpositions.
const KING_MOVE: u32 = 32;
const KING_CAPTURE: u32 = 24;
const CAPTURE: u32 = 24;
const INTERPOSITION: u32 = 8;
/// Replies where there is no check; more for those of the king and for checks.
const REPLY: u32 = 16;
const REPLY_OF_KING: u32 = 32;
const REPLY_WITH_CHECK: u32 = 32;
/// A position in which the attacker moves; more if there is no check to give, if the attacker is in check, and for every square
/// that the king could go to.
const ATTACK: u32 = 8;
const NO_CHECK: u32 = 128;
const IN_CHECK: u32 = 32;
const FLIGHT: u32 = 4;
/// To refute a move of the attacker, and a reply for each move that the attacker has.
const REFUTE_MOVE: u32 = 32;
const REFUTE_REPLY: u32 = 8;
/// Moves of the attacker that are held back: behind safe checks, and behind all checks and what is near the king.
const BEHIND_SAFE_CHECKS: u32 = 96;
const BEHIND_CHECKS: u32 = 64;
const REFUTE_HELD_BACK: u32 = 16;

/// Stages of the attacker's moves.
const SAFE_CHECK: u8 = 0;
const CHECK: u8 = 1;
const NEAR: u8 = 2;
const FAR: u8 = 3;

/// Whether the side to move wants to mate.
fn attacks(board: &Board, goal: Goal) -> bool {
    (men::player(board.side_to_move()) == goal.claimant) == is_for_attacker(goal)
}

/// Whether the goal is to mate, and not to avoid it.
fn is_for_attacker(goal: Goal) -> bool {
    goal.at_least.0 > 0
}

/// Numbers of the attacker's question as those of the goal.
fn for_goal(goal: Goal, (to_mate, to_refute): (u32, u32)) -> (u32, u32) {
    if is_for_attacker(goal) { (to_mate, to_refute) } else { (to_refute, to_mate) }
}

impl Guess for Chess {
    fn guess(&self, position: &Position, goal: Goal) -> (u32, u32) {
        let board = &position.board;
        let numbers = if attacks(board, goal) { attack(board) } else { defence(board) };
        for_goal(goal, numbers)
    }
}

/// The attacker is to move.
fn attack(board: &Board) -> (u32, u32) {
    let aim = Aim::new(board);
    let (mut moves, mut check) = (0, false);
    board.generate_moves(|some| {
        moves += some.len() as u32;
        check = check || some.into_iter().any(|mv| aim.is_check(super::step(board, mv)));
        false
    });
    let mut to_mate = ATTACK + FLIGHT * aim.flights();
    if !board.checkers().is_empty() {
        to_mate += IN_CHECK;
    } else if !check {
        to_mate += NO_CHECK;
    }
    (to_mate, REFUTE_REPLY * moves)
}

/// The defender is to move.
fn defence(board: &Board) -> (u32, u32) {
    let (mut all, mut by_king, mut king_captures, mut captures, mut checks) = (0, 0, 0, 0, 0);
    let checkers = board.checkers();
    let aim = checkers.is_empty().then(|| Aim::new(board));
    board.generate_moves(|some| {
        let count = some.len() as u32;
        all += count;
        if some.piece == Piece::King {
            by_king += count;
            king_captures += (some.to & board.colors(!board.side_to_move())).len();
        } else {
            captures += (some.to & checkers).len();
        }
        if let Some(aim) = &aim {
            checks += some.into_iter().filter(|mv| aim.is_check(super::step(board, *mv))).count() as u32;
        }
        false
    });
    let to_mate = if checkers.is_empty() {
        REPLY * all + REPLY_OF_KING * by_king + REPLY_WITH_CHECK * checks
    } else {
        let interpositions = (all - by_king).saturating_sub(captures);
        KING_MOVE * (by_king - king_captures)
            + KING_CAPTURE * king_captures
            + CAPTURE * captures
            + INTERPOSITION * interpositions
    };
    (to_mate, REFUTE_MOVE)
}

/// The attacker looks at checks that nobody can take, at other checks, at captures, promotions and moves that look at the squares
/// around the king, and then at the rest; out of check, and in defence, at all at once.
impl Stages for Chess {
    fn stages(&self, position: &Position, goal: Goal, moves: &[Step], stages: &mut Vec<u8>) {
        let board = &position.board;
        if !board.checkers().is_empty() || !attacks(board, goal) {
            stages.extend(moves.iter().map(|_| 0));
            return;
        }
        let aim = Aim::new(board);
        stages.extend(moves.iter().map(|step| {
            let forces = step.promotion().is_some() || board.occupied().has(step.to());
            match aim.is_check(*step) {
                true if aim.is_safe(*step) => SAFE_CHECK,
                true => CHECK,
                false if forces || aim.is_near(*step) => NEAR,
                false => FAR,
            }
        }));
    }

    fn held_back(&self, _: &Position, goal: Goal, stage: u8, left: u32) -> (u32, u32) {
        let to_mate = if stage == SAFE_CHECK { BEHIND_SAFE_CHECKS } else { BEHIND_CHECKS };
        for_goal(goal, (to_mate, REFUTE_HELD_BACK * left))
    }
}
