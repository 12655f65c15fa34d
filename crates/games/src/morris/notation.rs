//! How Morris is written: points by file and rank, positions as rows from the top.

use quod_model::{
    Board as Picture, Description, Family, Game, InputError, Notation, Parameters, Player, Pointing, Receiver,
};

use super::board::{Board, each};
use super::{Morris, Play, Position, picture};
use crate::grid;

const PLAYERS: [Player; 2] = [Player::First, Player::Second];

pub(super) fn name(board: &Board, point: u8) -> String {
    let (column, row) = board.place(point);
    format!("{}{}", char::from(b'a' + column), row + 1)
}

fn names(board: &Board, set: u32) -> Vec<String> {
    each(set).map(|point| name(board, point)).collect()
}

impl Position {
    /// Men on the board and in the hand.
    pub(super) fn of(&self, player: Player) -> (u32, u8) {
        if player == self.to_move { (self.mover, self.mover_hand) } else { (self.other, self.other_hand) }
    }

    pub(super) fn owner(&self, point: u8) -> grid::Cell {
        PLAYERS.into_iter().find(|player| self.of(*player).0 >> point & 1 != 0)
    }
}

impl Morris {
    /// Reads the board of a position: the men of both players.
    fn parse_board(&self, text: &str, board: &str) -> Result<[u32; 2], InputError> {
        let error = |problem: String| InputError::new("position", text, problem);
        let lines: Vec<&str> = board.split('/').collect();
        let rows = self.board.rows();
        if lines.len() != rows.len() {
            let problem = format!("it has {} rows, the board has {}", lines.len(), rows.len());
            return Err(error(problem).hint(self.position_hint()));
        }
        let (mut men, mut point) = ([0, 0], self.board.full().count_ones());
        for (from_top, (line, row)) in lines.iter().zip(rows.rev()).enumerate() {
            if line.chars().count() != row.len() {
                let found = line.chars().count();
                let problem = format!("the row has {found} points, on the board it has {}", row.len());
                return Err(error(problem)
                    .at(format!("row {} from the top, \"{line}\"", from_top + 1))
                    .hint(self.position_hint()));
            }
            // Points are counted from the bottom, and from left to right within a row.
            point -= row.len() as u32;
            for (at, letter) in line.chars().enumerate() {
                let player = match letter {
                    'x' | 'X' => 0,
                    'o' | 'O' => 1,
                    '.' => continue,
                    _ => {
                        return Err(error(format!("\"{letter}\" is no point"))
                            .at(format!("row {} from the top, point {}", from_top + 1, at + 1))
                            .hint("x is First, o is Second, . is empty"));
                    }
                };
                men[player] |= 1 << (point + at as u32);
            }
        }
        Ok(men)
    }

    fn position_hint(&self) -> String {
        let start = self.position_text(&self.start());
        format!("rows from the top, the side to move, the men in hand of x and of o: {start}")
    }

    /// The points and the lines between them.
    fn picture(&self, position: &Position) -> Vec<String> {
        let height = self.board.rows().len();
        // Between two points that are next to each other is room for a line.
        let spot = |point: u8| {
            let (column, row) = self.board.place(point);
            (4 * usize::from(column), 2 * (height - 1 - usize::from(row)))
        };
        let mut picture = vec![vec![' '; 4 * (height - 1) + 1]; 2 * height - 1];
        for edge in self.board.edges() {
            let ends: Vec<(usize, usize)> = each(*edge).map(spot).collect();
            // The first end is the lower one, or the left one of a row.
            let ((x, y), (to_x, to_y)) = (ends[0], ends[1]);
            if y == to_y {
                picture[y][x..to_x].fill('-');
            } else if x == to_x {
                picture[to_y..y].iter_mut().for_each(|line| line[x] = '|');
            } else {
                picture[(y + to_y) / 2][(x + to_x) / 2] = if x < to_x { '/' } else { '\\' };
            }
        }
        for point in each(self.board.full()) {
            let (x, y) = spot(point);
            picture[y][x] = grid::letter(position.owner(point));
        }
        picture.into_iter().map(|line| line.into_iter().collect()).collect()
    }
}

impl Notation for Morris {
    fn game_text(&self) -> String {
        let fly = if self.fly { ",fly" } else { ",nofly" };
        if self.board.is_own() {
            // Everything that makes the rules: points, edges, mills.
            let sets = |sets: &[u32], between: &str| {
                sets.iter().map(|set| names(&self.board, *set).join(between)).collect::<Vec<_>>().join(" ")
            };
            let (edges, mills) = (sets(self.board.edges(), "-"), sets(self.board.mills(), ""));
            let points = self.board.full().count_ones();
            return format!("morris:{}{fly},own board of {points} points [{edges}] [{mills}]", self.men);
        }
        let fly = if self.fly == Self::flies_by_default(self.men) { "" } else { fly };
        format!("morris:{}{fly}", self.men)
    }

    fn position_text(&self, position: &Position) -> String {
        let mut points = each(self.board.full());
        let rows = self.board.rows().map(|row| {
            points.by_ref().take(row.len()).map(|point| grid::letter(position.owner(point))).collect()
        });
        let mut rows: Vec<String> = rows.collect();
        rows.reverse();
        let hands = PLAYERS.map(|player| position.of(player).1);
        format!("{} {} {} {}", rows.join("/"), self.player_name(position.to_move), hands[0], hands[1])
    }

    fn parse_position(&self, text: &str) -> Result<Position, InputError> {
        let error = |problem: String| InputError::new("position", text, problem);
        let words: Vec<&str> = text.split_whitespace().collect();
        let [board, side, hands @ ..] = &words[..] else {
            return Err(error("the side to move is missing".to_owned()).hint(self.position_hint()));
        };
        let men = self.parse_board(text, board)?;
        let to_move = match *side {
            "x" | "X" => Player::First,
            "o" | "O" => Player::Second,
            _ => {
                let problem = format!("\"{side}\" is no side to move");
                return Err(error(problem).hint("after the board: x or o"));
            }
        };
        if hands.len() != 2 {
            let problem = format!("it names {} hands, there are two", hands.len());
            return Err(error(problem).hint(self.position_hint()));
        }
        let mut in_hand = [0; 2];
        for (player, word) in hands.iter().enumerate() {
            let name = self.player_name(PLAYERS[player]);
            let number = word.parse().ok().filter(|hand| *hand <= self.men);
            in_hand[player] = number.ok_or_else(|| {
                let most = self.men;
                error(format!("\"{word}\" is no number of men in hand"))
                    .at(format!("the hand of {name}"))
                    .hint(format!("a number from 0 to {most}"))
            })?;
            let on_board = men[player].count_ones();
            if on_board + u32::from(in_hand[player]) > u32::from(self.men) {
                let (hand, most) = (in_hand[player], self.men);
                return Err(error(format!("{name} has {on_board} men on the board and {hand} in hand"))
                    .hint(format!("each side has {most} men at the most")));
            }
        }
        let [x, o] = in_hand;
        let is_turn = match to_move {
            Player::First => x == o,
            Player::Second => x + 1 == o || (x, o) == (0, 0),
        };
        if !is_turn {
            return Err(error(format!("with {x} and {o} men in hand it is not the turn of {side}")).hint(
                "x begins: hands are equal when x is to move; o has one more, or both are empty, when o is",
            ));
        }
        let [x, o] = [(men[0], x), (men[1], o)];
        let ((mover, mover_hand), (other, other_hand)) =
            if to_move == Player::First { (x, o) } else { (o, x) };
        Ok(Position { mover, other, mover_hand, other_hand, to_move })
    }

    fn move_text(&self, _: &Position, play: Play) -> String {
        let mut text = name(&self.board, play.to());
        if let Some(from) = play.from() {
            text = format!("{}-{text}", name(&self.board, from));
        }
        if let Some(removed) = play.removed() {
            text = format!("{text}x{}", name(&self.board, removed));
        }
        text
    }

    /// Boards of one's own have no places in the plane and are written as text.
    fn draw(&self, position: &Position) -> String {
        if self.board.is_own() {
            return self.position_text(position);
        }
        let lines = self.picture(position);
        let rows = self.board.rows().len();
        let mut text = String::new();
        for (at, line) in lines.iter().enumerate() {
            let label = if at % 2 == 0 { (rows - at / 2).to_string() } else { " ".to_owned() };
            text.push_str(&format!("{label} {line}\n"));
        }
        let files: Vec<String> = (b'a'..).take(rows).map(|file| char::from(file).to_string()).collect();
        let [x, o] = PLAYERS.map(|player| position.of(player).1);
        text + &format!("  {}\nin hand: x {x}, o {o}", files.join("   "))
    }

    fn board(&self, position: &Position) -> Picture {
        picture::board(self, position).unwrap_or_else(|| Picture::of_text(&self.draw(position)))
    }

    fn pointing(&self, _: &Position, play: Play) -> Option<Pointing> {
        picture::pointing(self, play)
    }

    fn player_name(&self, player: Player) -> &'static str {
        if player == Player::First { "x" } else { "o" }
    }
}

/// The family `morris`.
pub struct Named;

impl Family for Named {
    fn description(&self) -> Description {
        Description {
            name: "morris",
            summary: "Nine Men's Morris: three men on a line remove one, fewer than three lose",
            parameters: "[MEN][,fly][,nofly]  (9, 6 or 3; three men left fly: 9 yes, 6 and 3 no)",
            moves: "points by file and rank: d2 puts a man, d2-d3 moves it, d2xf4 and d2-d3xf4 remove one",
            position: "rows from the top, side to move, men in hand: \".o./.x./... x 2 2\" (3 men)",
            example: "morris:3 --goal win",
        }
    }

    fn open<R: Receiver>(
        &self,
        mut parameters: Parameters<'_>,
        receiver: R,
    ) -> Result<R::Output, InputError> {
        let men = parameters.first().unwrap_or("9");
        let (fly, nofly) = (parameters.flag("fly"), parameters.flag("nofly"));
        let Some(game) = men.parse().ok().and_then(Morris::new) else {
            return Err(parameters
                .error(format!("\"{men}\" is not a number of men that there is a board for"))
                .hint("9, 6 or 3 men, such as morris:6"));
        };
        if fly && nofly {
            return Err(parameters.error("fly and nofly exclude each other").hint("one of them, or neither"));
        }
        parameters.finish("9, 6 or 3, fly, nofly")?;
        Ok(receiver.receive(if fly || nofly { game.with_flying(fly) } else { game }))
    }
}
