//! Positions as FEN, with a message of its own for everything that can be wrong with one.

use cozy_chess::{Color, File, Piece, Rank, Square};
use quod_model::InputError;

/// The men on the squares, from a1 to h8.
pub(crate) type Men = [Option<(Piece, Color)>; 64];

/// What a FEN says.
pub(crate) struct Fen {
    pub(crate) men: Men,
    pub(crate) side: Color,
    /// The letters of `KQkq` that are there.
    pub(crate) castling: Vec<char>,
    /// The square behind a pawn that has just gone two squares.
    pub(crate) en_passant: Option<Square>,
    /// Half moves since the last capture or pawn move.
    pub(crate) clock: u8,
}

impl Fen {
    /// Reads a FEN of four to six words; an operation of EPD behind it is an error. `example` is a FEN that would be right.
    pub(crate) fn parse(text: &str, example: &str) -> Result<Self, InputError> {
        let error = |place: &str, problem: String| {
            let error = InputError::new("position", text, problem).hint(format!("a FEN, such as {example}"));
            if place.is_empty() { error } else { error.at(place) }
        };
        let words: Vec<&str> = text.split_whitespace().collect();
        if !(2..=6).contains(&words.len()) {
            let problem = format!(
                "it has {} words; a FEN has the board, the side to move, castling, en passant, and two move counts",
                words.len()
            );
            return Err(error("", problem));
        }
        let men = read_board(words[0]).map_err(|(place, problem)| error(&place, problem))?;
        let side = match words[1] {
            "w" => Color::White,
            "b" => Color::Black,
            other => return Err(error("side to move", format!("\"{other}\" is neither w nor b"))),
        };
        let castling: Vec<char> = match words.get(2).copied() {
            None | Some("-") => Vec::new(),
            Some(letters) => letters.chars().collect(),
        };
        for (at, letter) in castling.iter().enumerate() {
            if !"KQkq".contains(*letter) || castling[..at].contains(letter) {
                let problem = format!("\"{}\" is not made of the letters KQkq, each once, or -", words[2]);
                return Err(error("castling", problem));
            }
        }
        let en_passant = match words.get(3).copied() {
            None | Some("-") => None,
            Some(square) => {
                Some(read_en_passant(square, side, &men).map_err(|problem| error("en passant", problem))?)
            }
        };
        let number = |at: usize, place: &str, range: std::ops::RangeInclusive<u32>| match words.get(at) {
            None => Ok(*range.start()),
            Some(word) => word.parse().ok().filter(|number| range.contains(number)).ok_or_else(|| {
                let problem = format!("\"{word}\" is no number from {} to {}", range.start(), range.end());
                error(place, problem)
            }),
        };
        // Beyond a hundred they say no more.
        let clock = number(4, "half moves since the last capture or pawn move", 0..=65_535)?.min(100) as u8;
        // Many write 0 for the first move.
        number(5, "move number", 0..=65_535)?;
        Ok(Self { men, side, castling, en_passant, clock })
    }

    /// Says if somebody has more men or pawns than the game begins with.
    pub(crate) fn check_numbers(&self) -> Result<(), String> {
        for color in Color::ALL {
            let name = super::player_name(super::player(color));
            let own = || self.men.iter().flatten().filter(|(_, owner)| *owner == color);
            let pawns = own().filter(|(piece, _)| *piece == Piece::Pawn).count();
            if pawns > 8 {
                return Err(format!("{name} has {pawns} pawns; nobody has more than 8"));
            }
            let men = own().count();
            if men > 16 {
                return Err(format!("{name} has {men} men; nobody has more than 16"));
            }
        }
        Ok(())
    }
}

/// What is wrong, and where.
type Wrong = (String, String);

fn read_board(text: &str) -> Result<Men, Wrong> {
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != 8 {
        return Err((
            "board".to_owned(),
            format!("it has {} ranks separated by /, a board has 8", ranks.len()),
        ));
    }
    let mut men: Men = [None; 64];
    for (line, rank) in ranks.iter().zip(Rank::ALL.into_iter().rev()) {
        let place = format!("rank {}", rank as u8 + 1);
        let mut file = 0;
        for letter in line.chars() {
            if let Some(empty) = letter.to_digit(10).filter(|empty| (1..=8).contains(empty)) {
                file += empty as usize;
                continue;
            }
            let Ok(piece) = Piece::try_from(letter.to_ascii_lowercase()) else {
                return Err((
                    place,
                    format!("'{letter}' is neither a man (KQRBNP, kqrbnp) nor a number of empty squares"),
                ));
            };
            let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
            if let Some(file) = File::try_index(file) {
                men[Square::new(file, rank) as usize] = Some((piece, color));
            }
            file += 1;
        }
        if file != 8 {
            return Err((place, format!("it has {file} squares, a rank has 8")));
        }
        if matches!(rank, Rank::First | Rank::Eighth) {
            let pawn = File::ALL
                .into_iter()
                .find(|file| matches!(men[Square::new(*file, rank) as usize], Some((Piece::Pawn, _))));
            if let Some(file) = pawn {
                let problem = format!(
                    "there is a pawn on {}; pawns never stand on the first or the last rank",
                    Square::new(file, rank)
                );
                return Err((place, problem));
            }
        }
    }
    Ok(men)
}

fn read_en_passant(text: &str, side: Color, men: &Men) -> Result<Square, String> {
    let rank = Rank::Sixth.relative_to(side);
    let Some(square) = text.parse::<Square>().ok().filter(|square| square.rank() == rank) else {
        let digit = rank as u8 + 1;
        return Err(format!(
            "\"{text}\" is no square behind a pawn that has just gone two squares (a{digit} to h{digit}), or -"
        ));
    };
    let forwards = if side == Color::White { 1 } else { -1 };
    let beyond = square.offset(0, forwards);
    let pawn = square.offset(0, -forwards);
    if men[pawn as usize] != Some((Piece::Pawn, !side)) {
        return Err(format!("there is no pawn on {pawn} that could have gone two squares over {text}"));
    }
    if men[square as usize].is_some() || men[beyond as usize].is_some() {
        return Err(format!(
            "a pawn that has just gone from {beyond} to {pawn} leaves {beyond} and {text} empty"
        ));
    }
    Ok(square)
}

/// The first word of a FEN.
pub(crate) fn placement(man: impl Fn(Square) -> Option<(Piece, Color)>) -> String {
    let mut text = String::new();
    for rank in Rank::ALL.into_iter().rev() {
        let mut empty = 0;
        for file in File::ALL {
            match man(Square::new(file, rank)) {
                None => empty += 1,
                Some((piece, color)) => {
                    if empty > 0 {
                        text.push_str(&empty.to_string());
                    }
                    empty = 0;
                    text.push(letter(piece, color));
                }
            }
        }
        if empty > 0 {
            text.push_str(&empty.to_string());
        }
        if rank != Rank::First {
            text.push('/');
        }
    }
    text
}

fn letter(piece: Piece, color: Color) -> char {
    let letter = char::from(piece);
    if color == Color::White { letter.to_ascii_uppercase() } else { letter }
}

/// The board as a picture, White below.
pub(crate) fn draw(man: impl Fn(Square) -> Option<(Piece, Color)>) -> String {
    let mut picture = String::new();
    for rank in Rank::ALL.into_iter().rev() {
        picture.push_str(&format!("{}", rank as u8 + 1));
        for file in File::ALL {
            let shown = man(Square::new(file, rank)).map_or('.', |(piece, color)| letter(piece, color));
            picture.push(' ');
            picture.push(shown);
        }
        picture.push('\n');
    }
    picture.push_str("  a b c d e f g h");
    picture
}
