//! How chess is written: FEN, moves as people write them (SAN) and as engines do.

use cozy_chess::util::{display_san_move, parse_san_move};
use cozy_chess::{Board, BoardBuilder, CastleRights, Color, File, Piece, Rank, Square};
use quod_model::{
    Board as Picture, Description, Family, Game, InputError, Notation, Parameters, Player, Pointing,
    Receiver, Relative,
};

use super::{Chess, Position, board_move, step};
use crate::men::{self, Fen, Men, Step};

const EXAMPLE: &str = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4";

impl Notation for Chess {
    fn game_text(&self) -> String {
        if self.fifty { "chess:fifty" } else { "chess" }.to_owned()
    }

    fn position_text(&self, position: &Position) -> String {
        let board = &position.board;
        let side = board.side_to_move();
        let mut castling = String::new();
        for (color, letters) in [(Color::White, ['K', 'Q']), (Color::Black, ['k', 'q'])] {
            let CastleRights { short, long } = board.castle_rights(color);
            castling.extend(short.map(|_| letters[0]));
            castling.extend(long.map(|_| letters[1]));
        }
        if castling.is_empty() {
            castling.push('-');
        }
        let en_passant = match position.en_passant {
            Some(file) => Square::new(file, Rank::Sixth.relative_to(side)).to_string(),
            None => "-".to_owned(),
        };
        let men = men::placement(|square| man(board, square));
        format!("{men} {} {castling} {en_passant} {} 1", men::side(side), board.halfmove_clock())
    }

    fn parse_position(&self, text: &str) -> Result<Position, InputError> {
        let fen = Fen::parse(text, EXAMPLE)?;
        let board = board(&fen).map_err(|problem| InputError::new("position", text, problem))?;
        Ok(self.position(board))
    }

    fn move_text(&self, position: &Position, step: Step) -> String {
        display_san_move(&position.board, board_move(&position.board, step)).to_string()
    }

    fn engine_text(&self, _: &Position, step: Step) -> String {
        step.to_string()
    }

    fn usual_goal(&self) -> Option<(&'static str, Relative)> {
        Some(("mate", Relative(1)))
    }

    fn draw(&self, position: &Position) -> String {
        men::draw(|square| man(&position.board, square))
    }

    fn board(&self, position: &Position) -> Picture {
        men::picture::board(|square| man(&position.board, square))
    }

    fn pointing(&self, _: &Position, step: Step) -> Option<Pointing> {
        Some(men::picture::pointing(step))
    }

    fn player_name(&self, player: Player) -> &'static str {
        men::player_name(player)
    }

    /// Takes `Nf3`, `Nf3+`, `Nf3!`, `0-0` and `g1f3`.
    fn parse_move(&self, position: &Position, text: &str) -> Result<Step, InputError> {
        if self.outcome(position).is_some() {
            return Err(InputError::new("move", text, "the game is over before this move"));
        }
        let mut moves = Vec::new();
        self.moves(position, &mut moves);
        let word = text.trim_end_matches(['!', '?', '+', '#']).trim_end_matches("e.p.").replace('0', "O");
        let board = &position.board;
        let san = parse_san_move(board, &word).ok().map(|mv| step(board, mv));
        let found = san.or_else(|| moves.iter().copied().find(|step| step.to_string() == word));
        found.filter(|step| moves.contains(step)).ok_or_else(|| {
            let legal: Vec<_> = moves.iter().map(|step| self.move_text(position, *step)).collect();
            InputError::new("move", text, "it is not a legal move here, or says too little")
                .hint(format!("legal moves: {}", legal.join(" ")))
        })
    }
}

fn man(board: &Board, square: Square) -> Option<(Piece, Color)> {
    board.piece_on(square).zip(board.color_on(square))
}

/// A board of what a FEN says, or what is wrong with it.
fn board(fen: &Fen) -> Result<Board, String> {
    let name = |color| men::player_name(men::player(color));
    fen.check_numbers()?;
    let mut kings = [Square::A1; 2];
    for color in Color::ALL {
        let squares = |wanted: Piece| {
            Square::ALL.into_iter().filter(move |square| fen.men[*square as usize] == Some((wanted, color)))
        };
        let found: Vec<Square> = squares(Piece::King).collect();
        kings[color as usize] = match found[..] {
            [king] => king,
            [] => return Err(format!("{} has no king", name(color))),
            _ => {
                let places: Vec<String> = found.iter().map(ToString::to_string).collect();
                return Err(format!(
                    "{} has {} kings, on {}",
                    name(color),
                    found.len(),
                    places.join(" and ")
                ));
            }
        };
    }
    let waiting = !fen.side;
    if let Some(by) = attackers(&fen.men, kings[waiting as usize], fen.side).first() {
        let king = kings[waiting as usize];
        return Err(format!(
            "it is {}'s move, and {}'s king on {king} is in check by the man on {by}: it could be taken",
            name(fen.side),
            name(waiting)
        ));
    }
    let checks = attackers(&fen.men, kings[fen.side as usize], waiting);
    if checks.len() > 2 {
        return Err(format!(
            "{}'s king is in check by {} men at once; no move can do that",
            name(fen.side),
            checks.len()
        ));
    }
    let mut builder = BoardBuilder::empty();
    builder.board = fen.men;
    builder.side_to_move = fen.side;
    builder.en_passant = fen.en_passant;
    builder.halfmove_clock = fen.clock;
    for letter in &fen.castling {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let rank = Rank::First.relative_to(color);
        let file = if letter.eq_ignore_ascii_case(&'k') { File::H } else { File::A };
        let rook = Square::new(file, rank);
        if kings[color as usize] != Square::new(File::E, rank)
            || fen.men[rook as usize] != Some((Piece::Rook, color))
        {
            return Err(format!(
                "castling {letter}: {} needs the king on {} and a rook on {rook} for that",
                name(color),
                Square::new(File::E, rank)
            ));
        }
        let rights = builder.castle_rights_mut(color);
        *if file == File::H { &mut rights.short } else { &mut rights.long } = Some(file);
    }
    builder.build().map_err(|error| match error {
        cozy_chess::BoardBuilderError::InvalidEnPassant => {
            "a check stands that the pawn's last move, over the square of en passant, cannot have given"
                .to_owned()
        }
        other => format!("it is no legal position: {other}"),
    })
}

/// Where men of `color` stand that attack a square.
fn attackers(men: &Men, square: Square, color: Color) -> Vec<Square> {
    let occupied = Square::ALL.into_iter().filter(|square| men[*square as usize].is_some()).collect();
    let attacks_it = |from: &Square| match men[*from as usize] {
        Some((piece, owner)) => owner == color && men::attacks(piece, color, *from, occupied).has(square),
        None => false,
    };
    Square::ALL.into_iter().filter(attacks_it).collect()
}

/// Chess, by name.
pub struct Named;

impl Family for Named {
    fn description(&self) -> Description {
        Description {
            name: "chess",
            summary: "chess: can the side to move force mate?",
            parameters: "[fifty]",
            moves: "Nf3, exd5, O-O, e8=Q, or g1f3, e7e8q",
            position: "FEN",
            example: "chess --position \"7k/8/8/8/R7/1R6/8/7K w - -\"",
        }
    }

    fn open<R: Receiver>(
        &self,
        mut parameters: Parameters<'_>,
        receiver: R,
    ) -> Result<R::Output, InputError> {
        let fifty = parameters.flag("fifty");
        parameters
            .finish("fifty (the count of moves without a capture or a pawn move is part of a position)")?;
        Ok(receiver.receive(Chess::new(fifty)))
    }
}
