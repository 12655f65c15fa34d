//! How Woodpush is written: the cells from left to right, the side to move, and the boards that must not come again.

use quod_model::{
    Board as Picture, Description, Family, Game, InputError, Notation, Parameters, Player, Pointing, Receiver,
};

use super::board::Board;
use super::history::History;
use super::{Position, Woodpush, picture, shortest};
use crate::bits::Bits;
use crate::grid;

/// The cells of the widest bitboard.
const CELLS_MAX: u32 = u128::BITS;

/// A range of values that is wide enough for every number of pieces.
const RANGE_MAX: u32 = 1000;

fn letter(cell: grid::Cell) -> char {
    match cell {
        Some(Player::First) => 'L',
        Some(Player::Second) => 'R',
        None => '.',
    }
}

impl<B: Bits> Woodpush<B> {
    fn board_text(&self, board: Board<B>) -> String {
        (0..self.length).map(|cell| letter(board.owner(cell))).collect()
    }

    /// Reads the board that stands at a place of a position.
    fn parse_board(&self, text: &str, place: &str, word: &str) -> Result<Board<B>, InputError> {
        let error = |problem: String| InputError::new("position", text, problem);
        let found = word.chars().count();
        if found != self.length as usize {
            let problem = format!("it has {found} cells, the board has {}", self.length);
            return Err(error(problem).at(place).hint(self.position_hint()));
        }
        let mut board = Board { left: B::NONE, right: B::NONE };
        for (cell, letter) in (0..).zip(word.chars()) {
            match letter {
                'L' | 'l' => board.left = board.left | B::ONE << cell,
                'R' | 'r' => board.right = board.right | B::ONE << cell,
                '.' => {}
                _ => {
                    return Err(error(format!("\"{letter}\" is no cell"))
                        .at(format!("{place}, cell {}", cell + 1))
                        .hint("L is a piece of Left, R one of Right, . is empty"));
                }
            }
        }
        let (left, right) = board.pieces();
        if left.max(right) > self.pieces {
            let most = self.pieces;
            return Err(error(format!("Left has {left} pieces, Right has {right}"))
                .at(place)
                .hint(format!("each side has {most} pieces at the most")));
        }
        if (left, right) == (0, 0) {
            return Err(error("no piece is left".to_owned())
                .at(place)
                .hint("the game ends when one side has lost its pieces, so the other has some"));
        }
        Ok(board)
    }

    fn position_hint(&self) -> String {
        let start = self.position_text(&self.start());
        format!("cells from the left, the side to move, and boards that must not come again, if any: {start}")
    }
}

impl<B: Bits> Notation for Woodpush<B> {
    fn game_text(&self) -> String {
        let mut text = format!("woodpush:{}", self.length);
        if self.pieces != 2 {
            text.push_str(&format!(",pieces={}", self.pieces));
        }
        if self.range != self.pieces {
            text.push_str(&format!(",range={}", self.range));
        }
        text
    }

    fn position_text(&self, position: &Position<B>) -> String {
        let mut earlier: Vec<_> = position.earlier.boards().map(|board| self.board_text(board)).collect();
        earlier.sort_unstable();
        let now = [self.board_text(position.board), letter(Some(position.to_move)).to_string()];
        now.into_iter().chain(earlier).collect::<Vec<_>>().join(" ")
    }

    fn parse_position(&self, text: &str) -> Result<Position<B>, InputError> {
        let error = |problem: String| InputError::new("position", text, problem);
        let words: Vec<&str> = text.split_whitespace().collect();
        let [board, side, earlier @ ..] = &words[..] else {
            return Err(error("the side to move is missing".to_owned()).hint(self.position_hint()));
        };
        let board = self.parse_board(text, "the board", board)?;
        let to_move = match *side {
            "L" | "l" => Player::First,
            "R" | "r" => Player::Second,
            _ => {
                return Err(error(format!("\"{side}\" is no side to move")).hint("after the board: L or R"));
            }
        };
        let mut history = History::none();
        for (number, word) in earlier.iter().enumerate() {
            let place = format!("earlier board {}", number + 1);
            let one = self.parse_board(text, &place, word)?;
            if one.pieces() != board.pieces() {
                return Err(error("it has other numbers of pieces than the board".to_owned())
                    .at(place)
                    .hint("boards from before a piece was lost cannot come again and are left out"));
            }
            if one == board || history.contains(one) {
                return Err(error("the board is there twice".to_owned())
                    .at(place)
                    .hint("no board comes again, so all are different"));
            }
            history = history.with(one);
        }
        Ok(Position::new(board, to_move, history))
    }

    fn move_text(&self, _: &Position<B>, play: u8) -> String {
        format!("{}{}", self.cell(play) + 1, if Self::is_forward(play) { 'f' } else { 'b' })
    }

    fn draw(&self, position: &Position<B>) -> String {
        let wide = self.length.to_string().len();
        let line = |text: &dyn Fn(u32) -> String| {
            let cells: Vec<_> = (0..self.length).map(|cell| format!("{:>wide$}", text(cell))).collect();
            cells.join(" ")
        };
        let pieces = line(&|cell| letter(position.board.owner(cell)).to_string());
        let picture = format!("{pieces}\n{}", line(&|cell| (cell + 1).to_string()));
        match position.earlier.len() {
            0 => picture,
            boards => format!("{picture}\nboards that must not come again: {boards}"),
        }
    }

    fn board(&self, position: &Position<B>) -> Picture {
        picture::board(self, position)
    }

    fn pointing(&self, position: &Position<B>, play: u8) -> Option<Pointing> {
        Some(picture::pointing(self, position, play))
    }

    fn player_name(&self, player: Player) -> &'static str {
        if player == Player::First { "Left" } else { "Right" }
    }
}

fn rules<B: Bits>(length: u32, pieces: u32, range: u32) -> Option<Woodpush<B>> {
    Woodpush::new(length, pieces)?.with_range(range)
}

/// The family `woodpush`.
pub struct Named;

impl Family for Named {
    fn description(&self) -> Description {
        Description {
            name: "woodpush",
            summary: "Woodpush: be the last with pieces on the line; no board may come again",
            parameters: "[LENGTH][,pieces=N][,range=R]  (8, pieces=2; values from -R to R, R=N)",
            moves: "a piece by its cell from 1 on the left, f forward, b back: 3f, 5b",
            position: "cells, side to move, boards that must not come again: \"L..RL.R. R L.LR..R.\" (8)",
            example: "woodpush:8 --moves \"3f 6f\"",
        }
    }

    fn open<R: Receiver>(
        &self,
        mut parameters: Parameters<'_>,
        receiver: R,
    ) -> Result<R::Output, InputError> {
        let length = parameters.first().unwrap_or("8");
        let pieces = parameters.number("pieces", 1..=(CELLS_MAX + 2) / 4)?.unwrap_or(2);
        let range = parameters.number("range", pieces..=RANGE_MAX)?.unwrap_or(pieces);
        let cells = length.parse().unwrap_or(0);
        let impossible = parameters.error(format!("\"{length}\" is not a possible length")).hint(format!(
            "with pieces={pieces}: {} to {CELLS_MAX} cells, such as woodpush:8",
            shortest(pieces)
        ));
        parameters.finish("LENGTH, pieces=N, range=R")?;
        if let Some(game) = rules::<u64>(cells, pieces, range) {
            return Ok(receiver.receive(game));
        }
        Ok(receiver.receive(rules::<u128>(cells, pieces, range).ok_or(impossible)?))
    }
}
