//! The men on the board, and where they may go.

use cozy_chess::{BitBoard, Color, Piece, Rank, Square, get_pawn_attacks, get_pawn_quiets};

use crate::men::{self, Step};

/// A position of give-away chess.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    pieces: [BitBoard; 6],
    white: BitBoard,
    pub(super) side: Color,
    /// The square behind a pawn that can be captured en passant.
    pub(super) en_passant: Option<Square>,
}

/// What a pawn becomes on the last rank.
const PROMOTIONS: [Piece; 5] = [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight, Piece::King];

impl Position {
    /// The men where `man` says that they are. En passant counts only where it can be done.
    pub(super) fn new(
        man: impl Fn(Square) -> Option<(Piece, Color)>,
        side: Color,
        en_passant: Option<Square>,
    ) -> Self {
        let (pieces, white) = ([BitBoard::EMPTY; 6], BitBoard::EMPTY);
        let mut position = Self { pieces, white, side, en_passant: None };
        for square in Square::ALL {
            if let Some((piece, color)) = man(square) {
                position.put(piece, color, square);
            }
        }
        position.en_passant = en_passant.filter(|square| position.can_capture_en_passant(*square));
        position
    }

    fn put(&mut self, piece: Piece, color: Color, square: Square) {
        self.pieces[piece as usize] |= square.bitboard();
        if color == Color::White {
            self.white |= square.bitboard();
        }
    }

    fn can_capture_en_passant(&self, square: Square) -> bool {
        let pawns = self.pieces[Piece::Pawn as usize] & self.men(self.side);
        !(get_pawn_attacks(square, !self.side) & pawns).is_empty()
    }

    #[inline]
    pub(super) fn occupied(&self) -> BitBoard {
        self.pieces.iter().fold(BitBoard::EMPTY, |all, piece| all | *piece)
    }

    /// The men of a colour.
    #[inline]
    pub(super) fn men(&self, color: Color) -> BitBoard {
        match color {
            Color::White => self.white,
            Color::Black => self.occupied() ^ self.white,
        }
    }

    pub(super) fn piece_on(&self, square: Square) -> Option<Piece> {
        Piece::ALL.into_iter().find(|piece| self.pieces[*piece as usize].has(square))
    }

    pub(super) fn man(&self, square: Square) -> Option<(Piece, Color)> {
        let color = if self.white.has(square) { Color::White } else { Color::Black };
        self.piece_on(square).map(|piece| (piece, color))
    }

    /// All that the future depends on, as words.
    #[inline]
    pub(super) fn words(&self) -> [u64; 8] {
        let other = (self.side as u64) << 8 | self.en_passant.map_or(64, |square| square as u64);
        let [pawns, knights, bishops, rooks, queens, kings] = self.pieces.map(|piece| piece.0);
        [pawns, knights, bishops, rooks, queens, kings, self.white.0, other]
    }

    /// Shows the men of a colour that can move as if it were their turn, each with the squares that it can go to, until `see`
    /// has seen enough: captures if there are any. Says whether it has.
    #[inline]
    pub(super) fn each_man(
        &self,
        color: Color,
        mut see: impl FnMut(Piece, Square, BitBoard) -> bool,
    ) -> bool {
        let occupied = self.occupied();
        let own = self.men(color);
        let passing =
            self.en_passant.filter(|_| color == self.side).map_or(BitBoard::EMPTY, Square::bitboard);
        let mut captures = false;
        for piece in Piece::ALL {
            let theirs = if piece == Piece::Pawn { occupied ^ own | passing } else { occupied ^ own };
            for from in own & self.pieces[piece as usize] {
                let targets = men::attacks(piece, color, from, occupied) & theirs;
                if !targets.is_empty() {
                    captures = true;
                    if see(piece, from, targets) {
                        return true;
                    }
                }
            }
        }
        if captures {
            return false;
        }
        for piece in Piece::ALL {
            for from in own & self.pieces[piece as usize] {
                let targets = match piece {
                    Piece::Pawn => get_pawn_quiets(from, color, occupied),
                    _ => men::attacks(piece, color, from, occupied) & !occupied,
                };
                if !targets.is_empty() && see(piece, from, targets) {
                    return true;
                }
            }
        }
        false
    }

    /// How many moves a colour has as if it were its turn.
    #[inline]
    pub(super) fn count(&self, color: Color) -> u32 {
        let last = Rank::Eighth.relative_to(color).bitboard();
        let mut count = 0;
        self.each_man(color, |piece, _, targets| {
            count += targets.len();
            if piece == Piece::Pawn {
                count += (targets & last).len() * (PROMOTIONS.len() as u32 - 1);
            }
            false
        });
        count
    }

    /// Whether a legal move captures.
    #[inline]
    pub(super) fn captures(&self, step: Step) -> bool {
        self.occupied().has(step.to())
            || self.en_passant == Some(step.to()) && self.pieces[Piece::Pawn as usize].has(step.from())
    }

    /// Appends the moves, in no order.
    #[inline]
    pub(super) fn moves(&self, moves: &mut Vec<Step>) {
        let last = Rank::Eighth.relative_to(self.side).bitboard();
        self.each_man(self.side, |piece, from, targets| {
            for to in targets {
                if piece == Piece::Pawn && last.has(to) {
                    moves.extend(PROMOTIONS.map(|promoted| Step::new(from, to, Some(promoted))));
                } else {
                    moves.push(Step::new(from, to, None));
                }
            }
            false
        });
    }

    /// The position after a legal move.
    #[inline]
    pub(super) fn after(&self, step: Step) -> Self {
        let (from, to) = (step.from(), step.to());
        let mut after = self.clone();
        let piece = self.piece_on(from).expect("a man moves");
        let mut gone = from.bitboard() | to.bitboard();
        let mut en_passant = None;
        if piece == Piece::Pawn {
            if self.en_passant == Some(to) {
                gone |= Square::new(to.file(), from.rank()).bitboard();
            }
            if (from.rank() as i8 - to.rank() as i8).abs() == 2 {
                en_passant = Some(Square::new(to.file(), Rank::Third.relative_to(self.side)));
            }
        }
        for men in &mut after.pieces {
            *men &= !gone;
        }
        after.white &= !gone;
        after.put(step.promotion().unwrap_or(piece), self.side, to);
        after.side = !self.side;
        after.en_passant = en_passant.filter(|square| after.can_capture_en_passant(*square));
        after
    }

    pub(super) fn is_pawn(&self, square: Square) -> bool {
        self.pieces[Piece::Pawn as usize].has(square)
    }
}

/// The men before the first move.
pub(super) fn start() -> Position {
    const BACK: [Piece; 8] = [
        Piece::Rook,
        Piece::Knight,
        Piece::Bishop,
        Piece::Queen,
        Piece::King,
        Piece::Bishop,
        Piece::Knight,
        Piece::Rook,
    ];
    let man = |square: Square| match square.rank() {
        Rank::First => Some((BACK[square.file() as usize], Color::White)),
        Rank::Second => Some((Piece::Pawn, Color::White)),
        Rank::Seventh => Some((Piece::Pawn, Color::Black)),
        Rank::Eighth => Some((BACK[square.file() as usize], Color::Black)),
        _ => None,
    };
    Position::new(man, Color::White, None)
}
