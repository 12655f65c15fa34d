//! How give-away chess is written: FEN, moves as people write them and as engines do.

use cozy_chess::{Piece, Square};
use quod_model::{
    Board as Picture, Description, Family, Game, InputError, Notation, Parameters, Player, Pointing, Receiver,
};

use super::{Antichess, Position};
use crate::men::{self, Fen, Step};

const EXAMPLE: &str = "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w - - 0 2";

impl Notation for Antichess {
    fn game_text(&self) -> String {
        "antichess".to_owned()
    }

    fn position_text(&self, position: &Position) -> String {
        let men = men::placement(|square| position.man(square));
        let en_passant = position.en_passant.map_or_else(|| "-".to_owned(), |square| square.to_string());
        format!("{men} {} - {en_passant} 0 1", men::side(position.side))
    }

    /// The counts of moves are read and forgotten.
    fn parse_position(&self, text: &str) -> Result<Position, InputError> {
        let fen = Fen::parse(text, EXAMPLE)?;
        if !fen.castling.is_empty() {
            let problem = "nobody castles in give-away chess";
            return Err(InputError::new("position", text, problem)
                .at("castling")
                .hint("write - in the place of castling"));
        }
        fen.check_numbers().map_err(|problem| InputError::new("position", text, problem))?;
        Ok(Position::new(|square| fen.men[square as usize], fen.side, fen.en_passant))
    }

    fn move_text(&self, position: &Position, step: Step) -> String {
        let mut moves = Vec::new();
        self.moves(position, &mut moves);
        let written = Written::new(position, step);
        // The file, the rank, or both, as far as other men of the kind could go there too.
        let rivals = moves.iter().filter(|other| {
            let other = Written::new(position, **other);
            other.piece == written.piece && other.from != written.from && other.to == written.to
        });
        let (mut any, mut file, mut rank) = (false, false, false);
        for rival in rivals {
            any = true;
            file |= rival.from().file() == step.from().file();
            rank |= rival.from().rank() == step.from().rank();
        }
        let [a, b] = [written.from.file().to_string(), written.from.rank().to_string()];
        let origin = match (written.piece, any, file, rank) {
            (Piece::Pawn, ..) if position.captures(step) => a,
            (Piece::Pawn, ..) | (_, false, ..) => String::new(),
            (_, _, false, _) => a,
            (_, _, true, false) => b,
            (_, _, true, true) => a + &b,
        };
        let takes = if position.captures(step) { "x" } else { "" };
        let promotion = step.promotion().map(|piece| format!("={}", letter(piece))).unwrap_or_default();
        format!("{}{origin}{takes}{}{promotion}", letter(written.piece), written.to)
    }

    fn draw(&self, position: &Position) -> String {
        men::draw(|square| position.man(square))
    }

    fn board(&self, position: &Position) -> Picture {
        men::picture::board(|square| position.man(square))
    }

    fn pointing(&self, _: &Position, step: Step) -> Option<Pointing> {
        Some(men::picture::pointing(step))
    }

    fn player_name(&self, player: Player) -> &'static str {
        men::player_name(player)
    }

    /// Takes `Nf3`, `Ng1f3`, `exd5`, `e8=K`, `g1f3` and `e7e8k`.
    fn parse_move(&self, position: &Position, text: &str) -> Result<Step, InputError> {
        if self.outcome(position).is_some() {
            return Err(InputError::new("move", text, "the game is over before this move"));
        }
        let mut moves = Vec::new();
        self.moves(position, &mut moves);
        let word = text.trim_end_matches(['!', '?']).trim_end_matches("e.p.").replace(['x', '=', '-'], "");
        let mut meant = moves.iter().filter(|step| Written::new(position, **step).is(&word));
        match (meant.next(), meant.next()) {
            (Some(step), None) => Ok(*step),
            (found, _) => {
                let problem = match found {
                    None => "it is not a legal move here",
                    Some(_) => "it can be more than one move",
                };
                let legal: Vec<_> = moves.iter().map(|step| self.move_text(position, *step)).collect();
                Err(InputError::new("move", text, problem).hint(format!("legal moves: {}", legal.join(" "))))
            }
        }
    }
}

/// What there is to write of a move.
struct Written {
    piece: Piece,
    from: Square,
    to: Square,
    promotion: Option<Piece>,
    captures: bool,
}

impl Written {
    fn new(position: &Position, step: Step) -> Self {
        let (from, to) = (step.from(), step.to());
        let piece = position.piece_on(from).unwrap_or(Piece::Pawn);
        Self { piece, from, to, promotion: step.promotion(), captures: position.captures(step) }
    }

    /// Whether this is what a word without signs for captures and promotions says.
    fn is(&self, word: &str) -> bool {
        let rest = match self.promotion {
            None => Some(word),
            Some(piece) => word.strip_suffix(char::from(piece)).or_else(|| word.strip_suffix(letter(piece))),
        };
        let Some(origin) = rest.and_then(|rest| rest.strip_suffix(&self.to.to_string())) else {
            return false;
        };
        let [file, rank] = [self.from.file().to_string(), self.from.rank().to_string()];
        if origin == self.from.to_string() {
            return true;
        }
        if self.piece == Piece::Pawn {
            return if self.captures { origin == file } else { origin.is_empty() };
        }
        origin.strip_prefix(letter(self.piece)).is_some_and(|origin| {
            origin.is_empty() || origin == file || origin == rank || origin == self.from.to_string()
        })
    }
}

/// What people call a piece; a pawn has no letter.
fn letter(piece: Piece) -> &'static str {
    match piece {
        Piece::Pawn => "",
        Piece::Knight => "N",
        Piece::Bishop => "B",
        Piece::Rook => "R",
        Piece::Queen => "Q",
        Piece::King => "K",
    }
}

/// Give-away chess, by name.
pub struct Named;

impl Family for Named {
    fn description(&self) -> Description {
        Description {
            name: "antichess",
            summary: "give-away chess: who can capture must, and who cannot move wins",
            parameters: "",
            moves: "Nf3, exd5, e8=K, or g1f3, e7e8k",
            position: "FEN",
            example: "antichess --moves d4 --goal win",
        }
    }

    fn open<R: Receiver>(&self, parameters: Parameters<'_>, receiver: R) -> Result<R::Output, InputError> {
        parameters.finish("")?;
        Ok(receiver.receive(Antichess))
    }
}
