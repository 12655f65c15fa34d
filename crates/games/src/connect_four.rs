//! Connect Four on a board of any width, height and row length, as bitboards.
//!
//! A column is `height + 1` bits from the bottom up; the extra bit stays empty, so that shifted rows do
//! not run from one column into the next.

use quod_model::{
    Abilities, Bounds, Decide, Description, Family, Game, Goal, Guess, InputError, Notation, Parameters,
    Player, Receiver, Repetition, Symmetry, Value,
};

use crate::bits::Bits;
use crate::grid;

/// The rules for one board.
#[derive(Clone, Debug)]
pub struct ConnectFour<B> {
    width: u32,
    height: u32,
    row: u32,
    /// Whether the value counts how early the win comes.
    score: bool,
    /// The lowest cell of every column.
    bottom: B,
    /// The highest cell of every column.
    top: B,
    /// The shifts between neighbours in the directions in which a row fits on the board.
    directions: Vec<u32>,
}

/// Stones of the player to move, stones of both, and how many there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position<B> {
    mover: B,
    all: B,
    stones: u8,
}

impl<B: Bits> ConnectFour<B> {
    /// A board of `width` columns and `height` rows, on which `row` stones in a row win.
    /// Nothing if it does not fit into the bitboard or has no cell.
    #[must_use]
    pub fn new(width: u32, height: u32, row: u32) -> Option<Self> {
        let cells = width.checked_mul(height.checked_add(1)?)?;
        if width == 0 || height == 0 || row == 0 || cells > B::WIDTH {
            return None;
        }
        let bottom = (0..width).fold(B::NONE, |set, column| set | B::ONE << (column * (height + 1)));
        let mut directions = Vec::new();
        if row <= height {
            directions.push(1);
        }
        if row <= width {
            directions.push(height + 1);
        }
        if row <= height && row <= width {
            directions.extend([height, height + 2]);
        }
        let top = bottom << (height - 1);
        Some(Self { width, height, row, score: false, bottom, top, directions })
    }

    /// The same board with a value that counts how early the win comes: the cells that would be left to
    /// the winner, plus one.
    #[must_use]
    pub fn with_score(mut self) -> Self {
        self.score = true;
        self
    }

    fn cells(&self) -> u32 {
        self.width * self.height
    }

    fn cell(&self, column: u32, row: u32) -> B {
        B::ONE << (column * (self.height + 1) + row)
    }

    /// Whether some stones make a row. The usual length has code of its own, without a loop.
    #[inline]
    fn has_row(&self, stones: B) -> bool {
        if self.row == 4 { self.has_row_of(4, stones) } else { self.has_row_of(self.row, stones) }
    }

    /// Each step doubles the length of the runs that are left.
    #[inline(always)]
    fn has_row_of(&self, row: u32, stones: B) -> bool {
        self.directions.iter().any(|shift| {
            let mut runs = stones;
            let mut length = 1;
            while 2 * length <= row {
                runs = runs & (runs >> (shift * length));
                length *= 2;
            }
            if length < row {
                runs = runs & (runs >> (shift * (row - length)));
            }
            runs != B::NONE
        })
    }

    /// The value for First when `winner` makes a row with the last of `stones` stones.
    fn win(&self, winner: Player, stones: u32) -> Value {
        let size = if self.score { (self.cells() + 2).saturating_sub(stones) / 2 } else { 1 };
        let size = i32::try_from(size).expect("a board has few cells");
        Value(if winner == Player::First { size } else { -size })
    }

    fn is_playable(&self, position: &Position<B>, column: u32) -> bool {
        position.all & self.cell(column, self.height - 1) == B::NONE
    }

    /// How many columns complete a row for the owner of `stones`, up to two.
    fn completing_columns(&self, position: &Position<B>, stones: B) -> u32 {
        let mut found = 0;
        for column in 0..self.width {
            if self.is_playable(position, column) {
                let floor = position.all + self.cell(column, 0);
                let landing = floor & !position.all & self.column(column);
                if self.has_row(stones | landing) {
                    found += 1;
                    if found == 2 {
                        break;
                    }
                }
            }
        }
        found
    }

    fn column(&self, column: u32) -> B {
        let whole = !B::NONE >> (B::WIDTH - self.height);
        whole << (column * (self.height + 1))
    }

    fn mirrored(&self, board: B) -> B {
        (0..self.width).fold(B::NONE, |set, column| {
            let from = column * (self.height + 1);
            let to = (self.width - 1 - column) * (self.height + 1);
            set | ((board & self.column(column)) >> from) << to
        })
    }

    fn owner(&self, position: &Position<B>, column: u32, row: u32) -> grid::Cell {
        let cell = self.cell(column, row);
        let mover = self.to_move(position);
        if position.all & cell == B::NONE {
            None
        } else if position.mover & cell == B::NONE {
            Some(mover.other())
        } else {
            Some(mover)
        }
    }
}

impl<B: Bits> Game for ConnectFour<B> {
    type Position = Position<B>;
    /// A column, from 0 on the left.
    type Move = u8;

    fn start(&self) -> Position<B> {
        Position { mover: B::NONE, all: B::NONE, stones: 0 }
    }

    #[inline]
    fn to_move(&self, position: &Position<B>) -> Player {
        if position.stones.is_multiple_of(2) { Player::First } else { Player::Second }
    }

    #[inline]
    fn outcome(&self, position: &Position<B>) -> Option<Value> {
        if self.has_row(position.all ^ position.mover) {
            Some(self.win(self.to_move(position).other(), u32::from(position.stones)))
        } else if u32::from(position.stones) == self.cells() {
            Some(Value::DRAW)
        } else {
            None
        }
    }

    /// Columns from left to right.
    #[inline]
    fn moves(&self, position: &Position<B>, moves: &mut Vec<u8>) {
        for column in 0..self.width {
            if self.is_playable(position, column) {
                moves.push(column as u8);
            }
        }
    }

    #[inline]
    fn after(&self, position: &Position<B>, column: u8) -> Position<B> {
        let all = position.all | (position.all + self.cell(u32::from(column), 0));
        Position { mover: position.all ^ position.mover, all, stones: position.stones + 1 }
    }

    /// The stones of the player to move below a bit that marks the height of each column: an exact code.
    fn key(&self, position: &Position<B>) -> u128 {
        ((position.all + self.bottom) | position.mover).into()
    }

    fn values(&self) -> (Value, Value) {
        let least = self.row.min(self.cells());
        (self.win(Player::Second, 2 * least), self.win(Player::First, 2 * least - 1))
    }

    fn repetition(&self) -> Repetition<Self> {
        Repetition::Impossible
    }

    #[inline]
    fn mobility(&self, position: &Position<B>) -> u32 {
        (self.top & !position.all).count()
    }

    fn abilities(&self) -> Abilities<Self> {
        let abilities = Abilities::none().symmetry().decide().guess();
        if self.score { abilities.bounds() } else { abilities }
    }
}

/// The left-right mirror image: of two, the position with the smaller key.
impl<B: Bits> Symmetry for ConnectFour<B> {
    fn canonical(&self, position: &Position<B>) -> Position<B> {
        let code = (position.all + self.bottom) | position.mover;
        let (step, whole) = (self.height + 1, !B::NONE >> (B::WIDTH - self.height - 1));
        let column = |number: u32| (code >> (number * step)) & whole;
        // The highest column of the key that differs decides, and that of the mirror image is the lowest here.
        let unlike = (0..self.width / 2)
            .map(|number| (column(number), column(self.width - 1 - number)))
            .find(|(left, right)| left != right);
        match unlike {
            Some((left, right)) if left < right => Position {
                mover: self.mirrored(position.mover),
                all: self.mirrored(position.all),
                stones: position.stones,
            },
            _ => *position,
        }
    }
}

/// With scores: a win can come with the next stone at the earliest.
impl<B: Bits> Bounds for ConnectFour<B> {
    fn bounds(&self, position: &Position<B>) -> (Value, Value) {
        if let Some(value) = self.outcome(position) {
            return (value, value);
        }
        let (mover, stones) = (self.to_move(position), u32::from(position.stones));
        let (best, worst) = (self.win(mover, stones + 1), self.win(mover.other(), stones + 2));
        (best.min(worst), best.max(worst))
    }
}

/// Sees a row that can be made at once, and two of the opponent's that cannot both be stopped.
impl<B: Bits> Decide for ConnectFour<B> {
    fn decide(&self, position: &Position<B>, goal: Goal) -> Option<bool> {
        let (mover, stones) = (self.to_move(position), u32::from(position.stones));
        let value = if self.completing_columns(position, position.mover) > 0 {
            self.win(mover, stones + 1)
        } else if self.completing_columns(position, position.all ^ position.mover) == 2 {
            self.win(mover.other(), stones + 2)
        } else {
            return None;
        };
        Some(goal.is_reached_by(value))
    }
}

/// Mobility, doubled for every two cells that are still empty: what is far from the end costs more to solve.
/// That takes 0.05 to 0.8 of the expansions that mobility alone takes (docs/measurements.md).
impl<B: Bits> Guess for ConnectFour<B> {
    fn guess(&self, position: &Position<B>, goal: Goal) -> (u32, u32) {
        let empty = self.cells() - u32::from(position.stones);
        let doublings = (empty / 2).min(20);
        let (own, other) = (1 << doublings, self.mobility(position) << doublings);
        if self.to_move(position) == goal.claimant { (own, other) } else { (other, own) }
    }
}

impl<B: Bits> Notation for ConnectFour<B> {
    fn game_text(&self) -> String {
        let mut text = format!("connect4:{}x{}", self.width, self.height);
        if self.row != 4 {
            text.push_str(&format!(",row={}", self.row));
        }
        if self.score {
            text.push_str(",score");
        }
        text
    }

    fn position_text(&self, position: &Position<B>) -> String {
        grid::write(self.width, self.height, |column, row| self.owner(position, column, row))
    }

    fn parse_position(&self, text: &str) -> Result<Position<B>, InputError> {
        let stones = grid::read(text, self.width, self.height)?;
        let set = |keep: &dyn Fn(Player) -> bool| {
            let kept = stones.iter().filter(|stone| keep(stone.2));
            kept.fold(B::NONE, |set, stone| set | self.cell(stone.0, stone.1))
        };
        let all = set(&|_| true);
        if let Some((column, row, _)) =
            stones.iter().find(|(column, row, _)| *row > 0 && all & self.cell(*column, row - 1) == B::NONE)
        {
            return Err(InputError::new("position", text, "a stone hangs in the air")
                .at(format!("column {}, row {} from the bottom", column + 1, row + 1))
                .hint("stones fall: below a stone every cell is filled"));
        }
        let count = u8::try_from(stones.len()).expect("at most 128 cells");
        let mover = if count.is_multiple_of(2) { Player::First } else { Player::Second };
        let own = set(&|owner| owner == mover);
        if self.has_row(own) {
            return Err(grid::both_or_late(text));
        }
        Ok(Position { mover: own, all, stones: count })
    }

    fn move_text(&self, _: &Position<B>, column: u8) -> String {
        (u32::from(column) + 1).to_string()
    }

    fn draw(&self, position: &Position<B>) -> String {
        grid::draw(
            self.width,
            self.height,
            |column, row| self.owner(position, column, row),
            |_| " ".to_owned(),
            |column| (column + 1).to_string(),
        )
    }

    fn player_name(&self, player: Player) -> &'static str {
        if player == Player::First { "x" } else { "o" }
    }

    /// `4453` is `4 4 5 3` on boards of up to nine columns.
    fn split_moves<'t>(&self, text: &'t str) -> Vec<&'t str> {
        let words = text.split_whitespace();
        if self.width > 9 {
            return words.collect();
        }
        words.flat_map(|word| word.char_indices().map(|(at, c)| &word[at..at + c.len_utf8()])).collect()
    }
}

/// The family `connect4`.
pub struct Named;

impl Family for Named {
    fn description(&self) -> Description {
        Description {
            name: "connect4",
            summary: "Connect Four: drop stones into columns, four in a row win",
            parameters: "[WIDTHxHEIGHT][,row=N][,score]  (7x6, row=4; score: earlier wins count more)",
            moves: "columns from 1 on the left: 4453 or \"4 4 5 3\"",
            position: "rows from the top, x First, o Second: \"..../..../.x../.ox.\" (4x4)",
            example: "connect4:5x4 --moves 3342",
        }
    }

    fn open<R: Receiver>(
        &self,
        mut parameters: Parameters<'_>,
        receiver: R,
    ) -> Result<R::Output, InputError> {
        let size = parameters.first().unwrap_or("7x6");
        let row = parameters.number("row", 1..=64)?.unwrap_or(4);
        let score = parameters.flag("score");
        let numbers = size
            .split_once('x')
            .and_then(|(width, height)| Some((width.parse::<u32>().ok()?, height.parse::<u32>().ok()?)));
        let Some((width, height)) = numbers else {
            return Err(parameters
                .error(format!("\"{size}\" is not a board size"))
                .hint("columns x rows, such as connect4:7x6"));
        };
        let too_big = || {
            parameters
                .error(format!("a board of {width}x{height} is not possible"))
                .hint("at least 1x1, and width x (height + 1) may be 128 at the most, such as 11x10")
        };
        if let Some(game) = ConnectFour::<u64>::new(width, height, row) {
            parameters.finish("WIDTHxHEIGHT, row=N, score")?;
            return Ok(receiver.receive(if score { game.with_score() } else { game }));
        }
        let game = ConnectFour::<u128>::new(width, height, row).ok_or_else(too_big)?;
        parameters.finish("WIDTHxHEIGHT, row=N, score")?;
        Ok(receiver.receive(if score { game.with_score() } else { game }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quod_model::testkit::{Laws, Truth, perft};

    fn board(width: u32, height: u32) -> ConnectFour<u64> {
        ConnectFour::new(width, height, 4).unwrap()
    }

    #[test]
    fn keeps_the_laws() {
        for (width, height, row) in [(7, 6, 4), (1, 1, 1), (1, 9, 3), (9, 2, 3), (4, 5, 7), (2, 30, 4)] {
            Laws::default().check(&ConnectFour::<u64>::new(width, height, row).unwrap());
            Laws::default().check(&ConnectFour::<u128>::new(width, height, row).unwrap());
            Laws::default().check(&ConnectFour::<u64>::new(width, height, row).unwrap().with_score());
        }
        Laws::default().check(&ConnectFour::<u128>::new(12, 9, 4).unwrap());
    }

    #[test]
    fn values_keep_the_laws_on_small_boards() {
        for (width, height, row) in [(4, 3, 3), (3, 4, 4), (5, 2, 2)] {
            let game = ConnectFour::<u64>::new(width, height, row).unwrap();
            Laws::check_values(&game);
            Laws::check_judge(&game);
            Laws::check_values(&game.clone().with_score());
            Laws::check_judge(&game.with_score());
        }
    }

    /// Counts of lines without regard to transpositions, as other programs give them for 7x6.
    #[test]
    fn perft_of_the_usual_board() {
        let game = board(7, 6);
        let counts: Vec<u64> = (1..=8).map(|depth| perft(&game, &game.start(), depth)).collect();
        assert_eq!(counts, [7, 49, 343, 2401, 16807, 117_649, 823_536, 5_673_234]);
    }

    /// Distinct positions of small boards and their values, as published by John Tromp.
    #[test]
    fn small_boards_have_their_known_sizes_and_values() {
        for (width, height, positions, value) in
            [(4, 4, 161_029, 0), (5, 3, 158_911, 0), (4, 5, 1_706_255, 0)]
        {
            let game = board(width, height);
            let truth = Truth::new(&game, &game.start());
            assert_eq!(truth.len(), positions, "{width}x{height}");
            assert_eq!(truth.value(&game.start()), Value(value), "{width}x{height}");
        }
    }

    #[test]
    fn a_row_is_seen_in_every_direction() {
        let game = board(7, 6);
        for (line, winner) in [
            ("1213141", Value::FIRST_WINS),
            ("1122334", Value::FIRST_WINS),
            ("12233434474", Value::FIRST_WINS),
            ("76655454414", Value::FIRST_WINS),
            ("12324252", Value::SECOND_WINS),
        ] {
            let position = game.parse_moves(&game.start(), line).unwrap();
            assert_eq!(game.outcome(&position), Some(winner), "{line}");
        }
    }

    #[test]
    fn the_score_counts_from_the_end() {
        let game = board(7, 6).with_score();
        let position = game.parse_moves(&game.start(), "1122334").unwrap();
        assert_eq!(game.outcome(&position), Some(Value(18)));
        assert_eq!(game.values(), (Value(-18), Value(18)));
    }

    #[test]
    fn bad_positions_get_their_own_message() {
        let game = board(4, 3);
        for (text, message) in [
            ("..../....", "it has 2 rows, the board has 3"),
            ("..../.../....", "row 2 from the top"),
            ("..../..../..z.", "\"z\" is no cell"),
            ("..../..../.xx.", "the number of stones is wrong: x has 2, o has 0"),
            ("..../.x../..o.", "hangs in the air"),
            ("o.../o.../xxxx", "the number of stones"),
            ("oo../oo../xxxx", "has a full row already"),
        ] {
            let error = game.parse_position(text).unwrap_err().to_string();
            assert!(error.contains(message), "{text}: {error}");
        }
        let error = game.parse_moves(&game.start(), "1 2 9").unwrap_err().to_string();
        assert!(error.contains("move 3 of") && error.contains("legal moves: 1 2 3 4"), "{error}");
    }
}
