//! Boards and moves as text.

use quod_model::{Board, InputError, Notation, Player, Pointing};

use super::{Cells, Gomoku, Position, picture};
use crate::grid;

/// What is said of a triple of the protocol that is none.
const TRIPLE: &str = "x,y,who: the column from the left and the row from the top, both from 0; who is 1 for the side to move \
                      and 2 for the other";

impl<const N: usize> Gomoku<N> {
    fn name(&self, cell: u32) -> String {
        let (column, row) = self.place(cell);
        format!("{}{}", letter(column), row + 1)
    }

    /// The cell of this name, in small or capital letters.
    fn named(&self, name: &str) -> Option<u32> {
        let name = name.to_ascii_lowercase();
        let row: u32 = name.get(1..)?.parse().ok().filter(|row| (1..=self.size).contains(row))?;
        let column = u32::from(name.bytes().next()?).checked_sub(u32::from(b'a'))?;
        let cell = self.cell(column, row - 1);
        (column < self.size && self.name(cell) == name).then_some(cell)
    }

    /// Rows of cells, separated by slashes or white space.
    fn read_rows(&self, text: &str, body: &str, told: Option<Player>) -> Result<Position<N>, InputError> {
        let mut rows = Vec::new();
        for part in body.split('/') {
            let before = rows.len();
            rows.extend(part.split_whitespace());
            // Nothing between two slashes is a row that has no cells.
            if rows.len() == before && body.contains('/') {
                rows.push("");
            }
        }
        let stones = grid::read_cells(text, &rows, self.size, self.size, &['.', '-', '+'])?;
        let of = |player| {
            let cells = stones.iter().filter(|stone| stone.2 == player);
            cells.fold(Cells::NONE, |set, (column, row, _)| set.with(self.cell(*column, *row)))
        };
        let (x, o) = (of(Player::First), of(Player::Second));
        let Some(to_move) = told.or(implied(x.count(), o.count())) else {
            let problem = format!(
                "the numbers of stones do not tell who is to move: x has {}, o has {}",
                x.count(),
                o.count()
            );
            return Err(InputError::new("position", text, problem)
                .hint("add \" x\" or \" o\" for the side to move, such as \".../.../xx. o\""));
        };
        let (mover, other) = if to_move == Player::First { (x, o) } else { (o, x) };
        Ok(Position { mover, other, to_move })
    }

    /// Stones as the command BOARD of the Gomocup protocol gives them.
    fn read_triples(
        &self,
        text: &str,
        triples: &[&str],
        told: Option<Player>,
    ) -> Result<Position<N>, InputError> {
        let mut sides = [Cells::NONE; 2];
        for (number, triple) in triples.iter().enumerate() {
            let error = |problem: String| {
                let place = format!("stone {}, \"{triple}\"", number + 1);
                Err(InputError::new("position", text, problem).at(place).hint(TRIPLE))
            };
            let numbers: Result<Vec<u32>, _> = triple.split(',').map(str::parse).collect();
            let Ok(&[column, from_top, who]) = numbers.as_deref() else {
                return error("it is not three numbers".to_owned());
            };
            if column.max(from_top) >= self.size {
                return error(format!("the board has columns and rows from 0 to {}", self.size - 1));
            }
            if !(1..=2).contains(&who) {
                return error(format!("{who} is neither side"));
            }
            let cell = self.cell(column, self.size - 1 - from_top);
            if (sides[0] | sides[1]).contains(cell) {
                return error(format!("there is a stone on {} already", self.name(cell)));
            }
            let side = &mut sides[who as usize - 1];
            *side = side.with(cell);
        }
        let [mover, other] = sides;
        let even = triples.len().is_multiple_of(2);
        let to_move = told.unwrap_or(if even { Player::First } else { Player::Second });
        Ok(Position { mover, other, to_move })
    }
}

fn letter(column: u32) -> char {
    char::from(b'a' + column as u8)
}

/// Who is to move if x began and nobody passed.
fn implied(x: u32, o: u32) -> Option<Player> {
    match x.checked_sub(o) {
        Some(0) => Some(Player::First),
        Some(1) => Some(Player::Second),
        _ => None,
    }
}

/// The side to move that is told behind a position, and what is before it.
fn split_side(text: &str) -> (&str, Option<Player>) {
    let text = text.trim();
    let Some((body, word)) = text.rsplit_once(char::is_whitespace) else { return (text, None) };
    match word {
        "x" | "X" => (body, Some(Player::First)),
        "o" | "O" => (body, Some(Player::Second)),
        _ => (text, None),
    }
}

/// The words of the command BOARD, if it is one: separated by white space or semicolons, without BOARD and DONE.
fn triples(body: &str) -> Option<Vec<&str>> {
    let words = body.split(|c: char| c.is_whitespace() || c == ';').filter(|word| !word.is_empty());
    let mut words: Vec<&str> = words.collect();
    let begins = words.first().is_some_and(|word| word.eq_ignore_ascii_case("board"));
    if begins {
        words.remove(0);
    }
    if !begins && !body.contains(',') {
        return None;
    }
    words.pop_if(|word| word.eq_ignore_ascii_case("done"));
    Some(words)
}

impl<const N: usize> Notation for Gomoku<N> {
    fn game_text(&self) -> String {
        let mut text = format!("gomoku:{}", self.size);
        if self.row != 5 {
            text.push_str(&format!(",row={}", self.row));
        }
        if self.exact {
            text.push_str(",exact");
        }
        text
    }

    fn position_text(&self, position: &Position<N>) -> String {
        let mut text = grid::write(self.size, self.size, |column, row| self.owner(position, column, row));
        let (x, o) = (position.of(Player::First).count(), position.of(Player::Second).count());
        if implied(x, o) != Some(position.to_move) {
            text.push(' ');
            text.push_str(self.player_name(position.to_move));
        }
        text
    }

    /// The side to move may be told where the numbers of stones tell it too. Rows may be lines or words; and the stones may be
    /// given as in the command BOARD of the Gomocup protocol.
    fn parse_position(&self, text: &str) -> Result<Position<N>, InputError> {
        let (body, told) = split_side(text);
        let position = match triples(body) {
            Some(triples) => self.read_triples(text, &triples, told)?,
            None => self.read_rows(text, body, told)?,
        };
        if self.has_row(position.mover) { Err(grid::both_or_late(text)) } else { Ok(position) }
    }

    fn move_text(&self, _: &Position<N>, cell: u16) -> String {
        self.name(u32::from(cell))
    }

    /// Without a list of all legal moves: they are the empty cells, and many.
    fn parse_move(&self, position: &Position<N>, text: &str) -> Result<u16, InputError> {
        let error = |problem: String| InputError::new("move", text, problem);
        if quod_model::Game::outcome(self, position).is_some() {
            return Err(error("the game is over before this move".to_owned()));
        }
        let last = self.name(self.cell(self.size - 1, self.size - 1));
        let Some(cell) = self.named(text) else {
            return Err(error("it is not a cell of the board".to_owned())
                .hint(format!("cells are a1 at the bottom left to {last} at the top right")));
        };
        let (column, row) = self.place(cell);
        match self.owner(position, column, row) {
            None => Ok(cell as u16),
            Some(owner) => {
                let problem = format!("there is a stone of {} already", self.player_name(owner));
                Err(error(problem).hint("legal moves are the empty cells"))
            }
        }
    }

    fn draw(&self, position: &Position<N>) -> String {
        let wide = self.size.to_string().len();
        grid::draw(
            self.size,
            self.size,
            |column, row| self.owner(position, column, row),
            |row| format!("{:>wide$}", row + 1),
            |column| letter(column).to_string(),
        )
    }

    fn board(&self, position: &Position<N>) -> Board {
        picture::board(self, position)
    }

    fn pointing(&self, _: &Position<N>, cell: u16) -> Option<Pointing> {
        Some(picture::pointing(self, cell))
    }

    fn player_name(&self, player: Player) -> &'static str {
        if player == Player::First { "x" } else { "o" }
    }

    /// `h8h9i9` is `h8 h9 i9`: a letter begins a move.
    fn split_moves<'t>(&self, text: &'t str) -> Vec<&'t str> {
        let mut moves = Vec::new();
        for word in text.split_whitespace() {
            let mut begin = 0;
            for (at, _) in word.char_indices().filter(|(at, c)| *at > 0 && c.is_alphabetic()) {
                moves.push(&word[begin..at]);
                begin = at;
            }
            moves.push(&word[begin..]);
        }
        moves
    }
}
