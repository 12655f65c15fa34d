//! What games with chess men share: moves from square to square, positions as FEN, the drawn board.

mod fen;
pub(crate) mod picture;
mod step;

pub(crate) use fen::{Fen, Men, draw, placement};
pub use step::Step;

use cozy_chess::{
    BitBoard, Color, Piece, Square, get_bishop_moves, get_king_moves, get_knight_moves, get_pawn_attacks,
    get_rook_moves,
};
use quod_model::Player;

/// White begins.
#[inline]
pub(crate) fn player(color: Color) -> Player {
    match color {
        Color::White => Player::First,
        Color::Black => Player::Second,
    }
}

/// What people call the players.
pub(crate) fn player_name(player: Player) -> &'static str {
    match player {
        Player::First => "White",
        Player::Second => "Black",
    }
}

/// The name of a side to move in FEN.
pub(crate) fn side(color: Color) -> char {
    match color {
        Color::White => 'w',
        Color::Black => 'b',
    }
}

/// The squares that a man attacks.
#[inline]
pub(crate) fn attacks(piece: Piece, color: Color, from: Square, occupied: BitBoard) -> BitBoard {
    match piece {
        Piece::Pawn => get_pawn_attacks(from, color),
        Piece::Knight => get_knight_moves(from),
        Piece::Bishop => get_bishop_moves(from, occupied),
        Piece::Rook => get_rook_moves(from, occupied),
        Piece::Queen => get_bishop_moves(from, occupied) | get_rook_moves(from, occupied),
        Piece::King => get_king_moves(from),
    }
}

/// A key of all that a position is, as words.
#[inline]
pub(crate) fn key(words: [u64; 8]) -> u128 {
    let (mut one, mut two) = (0x9e37_79b9_7f4a_7c15_u64, 0xc2b2_ae3d_27d4_eb4f_u64);
    for word in words {
        one = (one ^ word).wrapping_mul(0xd6e8_feb8_6659_fd93);
        one ^= one >> 32;
        two = (two.rotate_left(29) ^ word).wrapping_mul(0x94d0_49bb_1331_11eb);
        two ^= two >> 29;
    }
    u128::from(one) << 64 | u128::from(two)
}
